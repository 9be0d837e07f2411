"""Every example runs with no argument, under the command, without an error finding; whole kernels run on any NPU."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from ascend_sim import NPU
from ascend_sim.api.running.report import OBSERVERS
from ascend_sim.cli import main
from tests.guards import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("[!_]*.py"))
KERNELS = [p for p in EXAMPLES if "def run(npu" in p.read_text()]
"""Examples with a function `run(npu)` that returns the outputs."""
MAX_LINES = 80


def load(path: Path):
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_stem(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", EXAMPLES, ids=by_stem)
def test_runs(path, capsys):
    assert main(["run", str(path)]) == 0
    assert " 0 errors" in capsys.readouterr().out.splitlines()[-1]


def test_there_are_whole_kernels():
    assert {p.stem for p in KERNELS} == {
        "layer_norm",
        "reduce_cores",
        "softmax",
        "tail_copy",
        "top_k",
        "vector_add",
    }


@pytest.mark.parametrize("path", KERNELS, ids=by_stem)
def test_is_short(path):
    assert len(path.read_text().splitlines()) <= MAX_LINES


@pytest.fixture(scope="module")
def reference():
    """Outputs of each example with the default NPU."""
    return {path: load(path).run(NPU()) for path in KERNELS}


@pytest.mark.parametrize("dma", ["eager", "late"])
@pytest.mark.parametrize("fill", ["pattern", "zero", "nan"])
@pytest.mark.parametrize("path", KERNELS, ids=by_stem)
def test_is_clean_and_the_same_whatever_was_in_memory(path, fill, dma, reference):
    reports = []
    OBSERVERS.append(reports.append)
    try:
        outputs = load(path).run(NPU(ub_fill=fill, dma=dma))
    finally:
        OBSERVERS.remove(reports.append)
    assert [f for report in reports for f in report.findings] == []
    assert outputs.keys() == reference[path].keys()
    for name, array in outputs.items():
        np.testing.assert_array_equal(array, reference[path][name], name)


@pytest.mark.parametrize("path", KERNELS, ids=by_stem)
def test_is_clean_on_a_used_npu(path):
    """Nothing depends on what an earlier launch left, and nothing is left for the next."""
    npu = NPU(keep_registers=True)
    first, second = load(path).run(npu), load(path).run(npu)
    for name, array in second.items():
        np.testing.assert_array_equal(array, first[name], name)


def test_masked_cast_reproduces_the_documentation(capsys):
    main(["run", str(next(p for p in EXAMPLES if p.stem == "masked_cast"))])
    out = capsys.readouterr().out
    assert "512 of 512 values equal the documentation" in out
    assert "repeat 0 blocks 4-7 lanes 32-63: 1879993057" in out
    assert "left by Ln" in out
    assert "1 warning, 1 note" in out
