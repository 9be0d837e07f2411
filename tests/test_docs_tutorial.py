"""docs/tutorial.md: its pictures are what the tool prints, its faults are found, its repairs are clean everywhere."""

import contextlib
import io
import re
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

import ascend_sim
from ascend_sim import NPU, KernelError
from tests.guards import ROOT

TEXT = (ROOT / "docs" / "tutorial.md").read_text()
BLOCK = re.compile(r"^```python *(.*?)\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A block of code: which lesson, what it is for ("show", "broken race", "fixed"), and what it prints."""

    lesson: str
    kind: str
    source: str
    output: str


def blocks() -> list[Block]:
    lessons = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
    return [
        Block(lesson.split("\n")[0], *(part or "" for part in match.groups()))
        for lesson in lessons
        for match in BLOCK.finditer(lesson)
    ]


def of_kind(kind: str) -> list:
    return [pytest.param(b, id=f"{b.lesson} {b.kind}") for b in blocks() if b.kind.split()[0] == kind]


def execute(source: str, **names) -> str:
    scope = {name: getattr(ascend_sim, name) for name in ascend_sim.__all__}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, "docs/tutorial.md", "exec"), scope | {"np": np, "__name__": "lesson"} | names)
    return out.getvalue()


def findings(source: str, **options) -> list:
    core = None
    try:
        with NPU(check="record", **options).core() as core:
            execute(source, core=core)
    except KernelError as error:
        return error.report.findings
    return core.findings


def test_every_lesson_has_a_picture_a_fault_and_a_repair():
    kinds = {}
    for block in blocks():
        kinds.setdefault(block.lesson, []).append(block.kind.split()[0])
    assert len(kinds) == 12
    assert all(found == ["show", "broken", "fixed"] for found in kinds.values()), kinds
    assert [lesson.split(".")[0] for lesson in kinds] == [str(n) for n in range(1, 13)]


@pytest.mark.parametrize("block", of_kind("show"))
def test_picture(block):
    assert execute(block.source) == block.output


@pytest.mark.parametrize("block", of_kind("broken"))
def test_fault(block):
    code = block.kind.split()[1]
    assert findings(block.source)[0].code == code


@pytest.mark.parametrize(("fill", "dma"), list(product(("pattern", "zero", "nan"), ("eager", "late"))))
@pytest.mark.parametrize("block", of_kind("fixed"))
def test_repair(block, fill, dma):
    assert findings(block.source, ub_fill=fill, dma=dma) == []
