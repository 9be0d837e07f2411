"""One golden timeline for each example: cycles of every launch. A change here is a change of the model: look at why."""

from pathlib import Path

import pytest

from ascend_sim.commands.run import run_script

EXAMPLES = Path(__file__).parents[2] / "examples"
GOLDEN = {
    "block_stride.py": [61.0],
    "layer_norm.py": [1423.3],
    "masked_cast.py": [1127.5, 304.9, 446.5],
    "reduce_cores.py": [1313.9],
    "repeat_stride.py": [93.0],
    "softmax.py": [1510.0],
    "tail_copy.py": [497.4],
    "top_k.py": [909.6],
    "vector_add.py": [1116.4],
}
"""Cycles of each launch that issued anything."""


def test_every_example_has_a_golden_timeline():
    assert {p.name for p in EXAMPLES.glob("*.py")} == GOLDEN.keys()


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_timeline(name, capsys):
    reports = run_script(EXAMPLES / name).reports
    capsys.readouterr()
    assert [round(r.cycles, 1) for r in reports if len(r.trace)] == GOLDEN[name]
