"""One golden timeline for each example: cycles of every launch. A change here is a change of the model: look at why."""

from pathlib import Path

import pytest

from ascend_sim.commands.run import run_script

EXAMPLES = Path(__file__).parents[2] / "examples"
GOLDEN = {
    "masked_cast.py": [],
    "repeat_stride.py": [],
    "block_stride.py": [],
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_timeline(name, capsys):
    reports = run_script(EXAMPLES / name).reports
    capsys.readouterr()
    assert [round(r.cycles, 1) for r in reports if len(r.trace)] == GOLDEN[name]
