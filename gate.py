"""The gate: what every change must pass. People and CI run the same script.

python gate.py                every step
python gate.py --only lint    this step alone; may be repeated
python gate.py --skip tests   all but this step; may be repeated
"""

import argparse
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PACKAGES = ("ascend_sim", "isa")
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
INSTALL_TOOLS = "python -m pip install -e '.[dev]'"

IMPORTED_FROM_WHEEL = """
import pathlib, sys
import ascend_sim, isa
for package in (ascend_sim, isa):
    place = pathlib.Path(package.__file__).resolve()
    if not place.is_relative_to(pathlib.Path(sys.prefix).resolve()):
        sys.exit(f"{package.__name__} was imported from {place}, not from the wheel")
"""


class StepFailed(Exception):  # noqa: N818  # a step that fails is a result, not an error of the gate
    """Why a step did not pass."""


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    """Run one command, its output in the open; raises StepFailed when it does not exit with 0."""
    words = [str(word) for word in command]
    print("$", " ".join(shlex.join(words).split())[:120], flush=True)
    code = subprocess.run(words, cwd=cwd, env=env, stdin=subprocess.DEVNULL, check=False).returncode
    if code:
        raise StepFailed(f"{Path(words[0]).name} ended with exit code {code}")


def module(name: str, *arguments: str | Path) -> None:
    """Run an installed tool as a module of this interpreter."""
    need(name)
    run(sys.executable, "-m", name, *arguments)


def need(name: str) -> None:
    """Raise StepFailed with the command that installs the tools, when this one is missing."""
    if importlib.util.find_spec(name) is None:
        raise StepFailed(f"{name} is not installed; all tools: {INSTALL_TOOLS}")


def examples_in(folder: Path) -> list[Path]:
    """The examples, without helpers such as `_shared.py`.

    A folder without any is a failure, so that the step cannot pass by doing nothing.
    """
    found = sorted(folder.glob("[!_]*.py"))
    if not found:
        raise StepFailed("no examples/*.py")
    return found


def check_format() -> None:
    module("ruff", "format", "--check", "--diff", ".")


def check_lint() -> None:
    module("ruff", "check", ".")


def check_types() -> None:
    module("mypy")


def check_layers() -> None:
    """Run the contracts, then the tests that break them on purpose."""
    need("importlinter")
    script = shutil.which("lint-imports", path=str(Path(sys.executable).parent)) or "lint-imports"
    run(script, "--no-cache", "--no-logo")
    module("pytest", "-q", "-k", "layers", "tests/test_project.py")


def check_tests() -> None:
    module("pytest")


def check_examples() -> None:
    for example in examples_in(ROOT / "examples"):
        run(sys.executable, example.relative_to(ROOT))


def check_wheel() -> None:
    """Build sdist and wheel, install the wheel in an empty environment, and use it there, away from the checkout."""
    need("build")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder).resolve()
        dist, venv, elsewhere = work / "dist", work / "venv", work / "elsewhere"
        run(sys.executable, "-m", "build", "--outdir", dist, ROOT)
        (wheel,) = dist.glob("*.whl")
        check_contents(wheel)

        run(sys.executable, "-m", "venv", venv)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        python, command = venv / SCRIPTS / "python", venv / SCRIPTS / "ascend-sim"
        shutil.copytree(ROOT / "examples", elsewhere, ignore=shutil.ignore_patterns("__pycache__"))
        run(python, "-m", "pip", "install", "--quiet", wheel, cwd=elsewhere, env=clean)
        run(python, "-c", IMPORTED_FROM_WHEEL, cwd=elsewhere, env=clean)
        run(command, "--help", cwd=elsewhere, env=clean)
        for example in examples_in(elsewhere):
            run(python, example, cwd=elsewhere, env=clean)


def check_contents(wheel: Path) -> None:
    """The wheel holds the two packages, typed, and nothing beside them."""
    names = zipfile.ZipFile(wheel).namelist()
    found = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    if found != set(PACKAGES):
        raise StepFailed(f"{wheel.name} holds {sorted(found)}, expected {sorted(PACKAGES)}")
    for package in PACKAGES:
        if f"{package}/py.typed" not in names:
            raise StepFailed(f"{wheel.name} has no {package}/py.typed")


def check_clean() -> None:
    """No tracked file differs from what git has staged, and nothing new lies about that git does not ignore."""
    git = ("git", "-c", "safe.directory=*")  # a container's checkout often belongs to another user
    run(*git, "diff", "--exit-code", "--stat")
    listing = [*git, "ls-files", "--others", "--exclude-standard"]
    left = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    if left:
        raise StepFailed(f"files left behind: {', '.join(left.split())}")


STEPS: dict[str, Callable[[], None]] = {
    "format": check_format,
    "lint": check_lint,
    "types": check_types,
    "layers": check_layers,
    "tests": check_tests,
    "examples": check_examples,
    "wheel": check_wheel,
    "clean": check_clean,
}


def chosen(arguments: list[str] | None) -> list[str]:
    """The steps to run, in order."""
    parser = argparse.ArgumentParser(description="What every change must pass.")
    parser.add_argument("--only", action="append", choices=STEPS, metavar="STEP", help=", ".join(STEPS))
    parser.add_argument("--skip", action="append", choices=STEPS, metavar="STEP", default=[])
    parser.add_argument("--strict", action="store_true", help="with the step `clean`, which is otherwise for CI")
    given = parser.parse_args(arguments)
    if given.only:
        return [step for step in STEPS if step in given.only]
    if not (given.strict or os.environ.get("CI")):
        given.skip.append("clean")
    return [step for step in STEPS if step not in given.skip]


def main(arguments: list[str] | None = None) -> int:
    """Run the chosen steps, all of them whatever fails; the exit code is 1 if one did."""
    results = []
    for step in chosen(arguments):
        print(f"\n=== {step}", flush=True)
        start = time.perf_counter()
        try:
            STEPS[step]()
            failure = ""
        except StepFailed as reason:
            failure = str(reason)
        seconds = time.perf_counter() - start
        results.append((step, seconds, failure))
        print(f"=== {step}: {failure or 'ok'} ({seconds:.1f} s)", flush=True)

    print("\n=== gate")
    for step, seconds, failure in results:
        print(f"{step:<10}{seconds:7.1f} s  {'FAILED: ' + failure if failure else 'ok'}")
    return 1 if any(failure for _, _, failure in results) else 0


if __name__ == "__main__":
    sys.exit(main())
