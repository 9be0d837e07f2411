"""The project's files keep its rules; and each guard is seen to fire on a planted violation."""

import re
import shutil
from pathlib import Path

import pytest

from tests.guards import (
    MAX_LINES,
    PACKAGES,
    ROOT,
    RUNTIME_MODULES,
    foreign_imports,
    lint_imports,
    machine_paths,
    project_files,
    too_long,
)


def plant(folder: Path, text: str, name: str = "planted.py") -> list[Path]:
    path = folder / name
    path.write_text(text)
    return [path]


def modules_of(package: str) -> list[Path]:
    return [path for path in project_files() if path.is_relative_to(ROOT / package) and path.suffix == ".py"]


# Files


def test_project_files_are_found():
    found = {path.relative_to(ROOT).as_posix() for path in project_files()}
    assert {"pyproject.toml", ".ci/run", "isa/model.py", "tests/test_project.py"} <= found


def test_project_files_are_found_without_git(tmp_path):
    plant(tmp_path, "", "seen.py")
    (tmp_path / ".cache").mkdir()
    plant(tmp_path / ".cache", "", "hidden.py")
    assert project_files(tmp_path) == [tmp_path / "seen.py"]


def test_no_python_file_is_too_long():
    assert too_long(project_files()) == []


def test_length_guard_fires_at_one_line_too_many(tmp_path):
    assert too_long(plant(tmp_path, "x = 1\n" * MAX_LINES)) == []
    assert too_long(plant(tmp_path, "x = 1\n" * (MAX_LINES + 1)))


def test_no_file_names_a_place_on_one_machine():
    assert machine_paths(project_files()) == []


@pytest.mark.parametrize("place", ["/work", "/root", "/tmp", "/home"])
@pytest.mark.parametrize("before", ["", "x = '", "see file://"])
def test_machine_path_guard_fires(tmp_path, place, before):
    assert machine_paths(plant(tmp_path, f"first line\n{before}{place}/x\n"))


def test_machine_path_guard_fires_on_the_folder_beside_the_checkout(tmp_path):
    assert machine_paths(plant(tmp_path, f"see ..{'/shared'}/notes.md", "planted.md"))


def test_machine_path_guard_lets_links_and_relative_paths_pass(tmp_path):
    assert machine_paths(plant(tmp_path, "https://example.org/home/a.html ./work/b ascend/root/c\n")) == []


# Imports


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_only_what_the_wheel_requires(package):
    optional = {"torch"}  # for users who have it: `Tensor.torch` imports it when it is called
    assert foreign_imports(modules_of(package), RUNTIME_MODULES.union(PACKAGES, optional)) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_optional_module_is_imported_only_inside_functions(package):
    for path in modules_of(package):
        assert not re.findall(r"^(?:import|from) torch\b", path.read_text(), re.MULTILINE), path


def test_requirements_of_the_wheel_are_the_ones_that_may_be_imported():
    (line,) = re.findall(r"^dependencies = \[(.*)\]$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert set(re.findall(r'"([\w-]+)>=', line)) == RUNTIME_MODULES


@pytest.mark.parametrize("line", ["import torch", "from torch.nn import Module", "def f():\n    import torch.nn as nn"])
def test_import_guard_fires(tmp_path, line):
    assert foreign_imports(plant(tmp_path, f"import numpy.typing\nfrom . import x\n{line}\n"), RUNTIME_MODULES)


def test_import_guard_lets_what_is_allowed_pass(tmp_path):
    text = "import json\nimport numpy.typing\nfrom . import x\nfrom ml_dtypes import bfloat16\n"
    assert foreign_imports(plant(tmp_path, text), RUNTIME_MODULES) == []


# Layers


@pytest.fixture
def tree(tmp_path):
    """A copy of the two packages and of the contracts, to break."""
    pytest.importorskip("importlinter", reason="import-linter comes with the extra `dev`; CI has it")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_layers_hold(tree):
    result = lint_imports(tree)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("importer", "line", "contract"),
    [
        ("isa/dtypes.py", "import ascend_sim", "isa knows nothing of the simulator"),
        ("isa/dtypes.py", "def f():\n    from ascend_sim.machine import x", "isa knows nothing of the simulator"),
        ("ascend_sim/machine/__init__.py", "import ascend_sim.api", "imports point down"),
        ("ascend_sim/trace/__init__.py", "import ascend_sim.checks", "imports point down"),
        ("ascend_sim/api/memory/__init__.py", "import ascend_sim.api.calls.lower", "inside api too"),
    ],
)
def test_layers_guard_fires(tree, importer, line, contract):
    path = tree / importer
    path.write_text(f"{path.read_text()}\n\n{line}\n")
    result = lint_imports(tree)
    assert result.returncode == 1
    assert f"{contract} BROKEN" in " ".join(result.stdout.split()), result.stdout + result.stderr


# Commands


def test_ci_runs_the_commands_of_the_readme():
    commands = re.findall(r"^python -m pip install -e .* && .*$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(commands) == 2
    script = (ROOT / ".ci" / "run").read_text()
    assert [command for command in commands if f'"{command}"' not in script] == []
