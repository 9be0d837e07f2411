"""Rules about the project's own files. Each returns what breaks it, one line a violation.

`test_project.py` applies them to the checkout, and to a planted violation so that each is seen to fire.
"""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("isa", "ascend_sim")
MAX_LINES = 400
RUNTIME_MODULES = frozenset({"numpy", "ml_dtypes", "attrs"})

# An absolute path into somebody's machine, at the start of a word; and the folder beside a checkout.
_MACHINE_PATH = re.compile(r"(?<![\w.-])/(?:work|root|tmp|home)/|\.\./shared")


def project_files(root: Path = ROOT) -> list[Path]:
    """Files that git tracks or would track; without git, every file outside hidden folders."""
    git = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (root / ".git").exists() and shutil.which("git"):
        listed = subprocess.run(git, cwd=root, capture_output=True, text=True, check=True).stdout
        found = {root / name for name in listed.split("\0") if name}
    else:
        found = {path for path in root.rglob("*") if not any(p[0] == "." for p in path.relative_to(root).parts)}
    return sorted(path for path in found if path.is_file())


def too_long(files: Iterable[Path], limit: int = MAX_LINES) -> list[str]:
    """Python files of more than `limit` lines: split them by idea."""
    lengths = ((path, len(path.read_bytes().splitlines())) for path in files if path.suffix == ".py")
    return [f"{path}: {length} lines, limit {limit}" for path, length in lengths if length > limit]


def machine_paths(files: Iterable[Path]) -> list[str]:
    """Lines that name a place on one machine, in text files."""
    found = []
    for path in files:
        raw = path.read_bytes()
        if b"\0" in raw:
            continue  # binary
        lines = raw.decode("utf-8", errors="replace").splitlines()
        found += [f"{path}:{n}: {line.strip()}" for n, line in enumerate(lines, 1) if _MACHINE_PATH.search(line)]
    return found


def foreign_imports(files: Iterable[Path], allowed: frozenset[str]) -> list[str]:
    """Imports of anything but the standard library and `allowed`, wherever in a module they stand."""
    found = []
    for path in files:
        for node in ast.walk(ast.parse(path.read_bytes(), path)):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            strangers = {name.split(".")[0] for name in names} - allowed - sys.stdlib_module_names
            found += [f"{path}:{node.lineno}: imports {name}" for name in sorted(strangers)]
    return found


def lint_imports(root: Path) -> "subprocess.CompletedProcess[str]":
    """Check the layers of the packages under `root`, as the gate does."""
    script = shutil.which("lint-imports", path=str(Path(sys.executable).parent)) or "lint-imports"
    return subprocess.run([script, "--no-cache", "--no-logo"], cwd=root, capture_output=True, text=True, check=False)
