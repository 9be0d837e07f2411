"""The programs of the README run and print what the README says."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_blocks_are_found():
    assert len(BLOCKS) == 2


@pytest.mark.parametrize("code", BLOCKS)
def test_it_prints_what_it_promises(code, capsys):
    exec(compile(code, "README.md", "exec"), {})
    promised = re.search(r"print\(.*\)  # ([^:\n]*(?:: \d.*)?)", code)
    assert promised is not None
    assert capsys.readouterr().out.splitlines()[0] == promised[1]
