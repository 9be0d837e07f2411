"""What CONTRIBUTING.md shows of adding an instruction, applied as it stands there."""

import re
from pathlib import Path

import pytest

import isa.arithmetic
from ascend_sim import NPU, KernelError, half
from ascend_sim.api import vector
from ascend_sim.views import pages
from isa.model import TABLE

TEXT = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
MODULES = {"isa/arithmetic.py": isa.arithmetic, "ascend_sim/api/vector.py": vector}


def added():
    """File -> the lines that the diff adds to it."""
    (diff,) = re.findall(r"```diff\n(.*?)```", TEXT, re.DOTALL)
    files = {}
    for line in diff.splitlines():
        if line.startswith("+++ b/"):
            lines = files.setdefault(line.removeprefix("+++ b/"), [])
        elif line.startswith("+"):
            lines.append(line[1:])
    return files


@pytest.fixture
def applied():
    """The module that exports the new function."""
    scopes = {}
    before = set(TABLE)
    for file, lines in added().items():
        scopes[file] = dict(vars(MODULES[file]))  # what is annotated there is annotated in the module
        exec("\n".join(lines), scopes[file])
    yield vector
    for name in TABLE.keys() - before:
        del TABLE[name], vector.__annotations__[name]
        vars(vector).pop(name, None)


def test_one_declaration_and_one_export_are_enough(applied):
    with NPU().core() as core:
        x, y, d = core.alloc(half, 128, range(128)), core.alloc(half, 128, 64), core.alloc(half, 128)
        applied.AbsDiff(d, x, y, 128)
        assert d.numpy().tolist() == [abs(k - 64) for k in range(128)]
        applied.AbsDiff(d, x, y, [1, 0], 1, (1, 1, 1, 8, 8, 8))
        assert core.trace[-1].name == "AbsDiff"
        with pytest.raises(KernelError, match=r"alignment.*AbsDiff src0"):
            applied.AbsDiff(d, x[1:], y, 64)
    with NPU(product="ascend910").core() as core:
        x = core.alloc(half, 128, 0)
        with pytest.raises(KernelError, match="unsupported-api"):
            applied.AbsDiff(x, x, x, 128)


def test_its_page_follows(applied):
    text = pages.page("AbsDiff")
    assert "AbsDiff(dst, src0, src1, count)" in text
    assert "ascend910b" in text


def test_the_diff_adds_one_declaration_and_one_line():
    files = added()
    assert list(files) == list(MODULES)
    assert sum(line.startswith("ABS_DIFF = declare(") for line in files["isa/arithmetic.py"]) == 1
    assert len(files["ascend_sim/api/vector.py"]) == 1
