"""docs/findings.md describes every code: its meaning, an example that fires, a fix that does not. Both are run."""

import re
import textwrap

import numpy as np
import pytest

import ascend_sim
from ascend_sim import NPU, KernelError, Report
from ascend_sim.api.running.report import OBSERVERS
from ascend_sim.checks.codes import CODES, Severity
from ascend_sim.checks.meanings import MEANINGS
from isa.products import PRODUCTS
from tests.guards import ROOT

TEXT = (ROOT / "docs" / "findings.md").read_text()
SECTIONS = {
    match[1]: match[0] for match in re.finditer(r"^### `([a-z-]+)`\n.*?(?=^###? |\Z)", TEXT, re.MULTILINE | re.DOTALL)
}
BLOCK = re.compile(r"^```python *(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "  # fires"


def missing(codes, sections) -> list[str]:
    """Codes without a section: each needs its meaning, an example marked `# fires`, and the fix."""
    return sorted(set(codes) - set(sections))


def test_every_code_has_a_section_and_a_meaning():
    assert missing(CODES, SECTIONS) == [], "write these sections in docs/findings.md"
    assert missing(CODES, MEANINGS) == [], "write these sentences in ascend_sim/checks/meanings.py"


def test_no_section_and_no_meaning_is_about_nothing():
    assert missing(SECTIONS, CODES) == []
    assert missing(MEANINGS, CODES) == []


def test_the_guard_fires():
    assert missing({*CODES, "made-up"}, SECTIONS) == ["made-up"]
    assert missing(["alignment", "race"], {"race": ""}) == ["alignment"]


@pytest.mark.parametrize("code", SECTIONS)
def test_section_states_what_the_code_is(code):
    first = SECTIONS[code].split("\n\n")[1]
    assert first.startswith(MEANINGS[code])
    assert ("*Raises in every mode.*" in first) == CODES[code].always_raises
    assert ("*Off unless enabled.*" in first) == (not CODES[code].enabled)
    heading = {Severity.ERROR: "## Errors", Severity.WARNING: "## Warnings", Severity.NOTE: "## Notes"}
    before = TEXT[: TEXT.index(SECTIONS[code])]
    assert re.findall(r"^## \w+$", before, re.MULTILINE)[-1] == heading[CODES[code].severity]
    if CODES[code].alias is not None:
        assert f"`{CODES[code].alias}`" in first


def blocks_of(code: str) -> tuple[str, str, str]:
    """How to run it, the example, and the example with the fix in place of the marked line."""
    (how, example), (_, fix) = BLOCK.findall(SECTIONS[code])
    (marked,) = [line for line in example.splitlines(keepends=True) if line.rstrip().endswith(MARK.strip())]
    indent = marked[: len(marked) - len(marked.lstrip())]
    return how, example, example.replace(marked, textwrap.indent(fix, indent))


def found_by(code: str, how: str, source: str) -> list[ascend_sim.Finding]:
    product = how if how in PRODUCTS else "ascend910b"
    npu = NPU(product, check="record", enable=[code] if how == "enable" else [])
    names = {name: getattr(ascend_sim, name) for name in ascend_sim.__all__}
    names |= {"np": np, "npu": npu, "__name__": "example"}
    program = compile(source, f"docs/findings.md {code}", "exec")
    reports: list[Report] = []
    OBSERVERS.append(reports.append)
    try:
        if how == "launch":
            exec(program, names)
        else:
            with npu.core() as core:
                exec(program, names | {"core": core})
    except KernelError:
        assert CODES[code].always_raises  # and the finding is in the report
    finally:
        OBSERVERS.pop()
    return [finding for report in reports for finding in report.findings]


@pytest.mark.parametrize("code", SECTIONS)
def test_the_example_fires_at_its_line_and_the_fix_does_not(code):
    how, example, fixed = blocks_of(code)
    (line,) = [n for n, text in enumerate(example.splitlines(), 1) if text.endswith(MARK)]
    found = [f for f in found_by(code, how, example) if f.code == code]
    assert found, found_by(code, how, example)
    assert {f.line for f in found} == {line}
    after = found_by(code, how, fixed)
    assert [f for f in after if f.code == code or f.is_error] == []
