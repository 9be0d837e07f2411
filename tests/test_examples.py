"""Every example runs with no argument, under the command, without an error finding."""

from pathlib import Path

import pytest

from ascend_sim.cli import main

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("[!_]*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_runs(path, capsys):
    assert main(["run", str(path)]) == 0
    assert " 0 errors" in capsys.readouterr().out.splitlines()[-1]


def test_masked_cast_reproduces_the_documentation(capsys):
    main(["run", str(next(p for p in EXAMPLES if p.stem == "masked_cast"))])
    out = capsys.readouterr().out
    assert "512 of 512 values equal the documentation" in out
    assert "repeat 0 blocks 4-7 lanes 32-63: 1879993057" in out
    assert "left by Ln" in out
    assert "1 warning, 1 note" in out
