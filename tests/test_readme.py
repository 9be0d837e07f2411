"""The kernel of the README runs and prints what the README says."""

import re
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text()


def test_the_kernel_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    scope: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), scope)
    promised = re.search(r"print\(report\)  # (.*)", code)
    assert promised is not None
    assert capsys.readouterr().out.splitlines()[0] == promised[1]
