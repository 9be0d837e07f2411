"""The code blocks of docs/numerics.md run, and print what the page says."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "numerics.md").read_text()


def test_blocks_print_what_the_page_shows(capsys):
    scope: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL)
    assert len(blocks) == 3
    for code, shown in blocks:
        exec(compile(code, "docs/numerics.md", "exec"), scope)
        printed = capsys.readouterr().out
        assert printed == shown if shown else printed.startswith("Model: ")
