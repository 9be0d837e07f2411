"""The record of issues: what ran, in order, with the user's file and line."""

from collections import deque
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any, Protocol

import attrs

from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.site import Site, site_at
from ascend_sim.machine.walk import Bursts, Indexed, Lanes
from isa.families import Pipe
from isa.products import BLOCK_BYTES


class Recorded(Protocol):
    """What the trace keeps of a call: its machine instructions, shared by all calls alike."""

    issues: tuple[Issue, ...]
    is_blocked: bool


Record = tuple[Recorded, CodeType, int, tuple[Any, ...]]
"""(program, the user's call: code and bytecode offset, what is known only at run time: scalars, or a GM place)."""


@attrs.frozen
class Entry:
    """One issue of a trace: its position, the core it ran on, the user's line, and the run-time values of the call.

    executed: False when it would have left memory, so that it did nothing.
    """

    index: int
    core: int
    issue: Issue
    site: Site
    values: tuple[Any, ...]
    executed: bool = True

    @property
    def name(self) -> str:
        return self.issue.name

    @property
    def pipe(self) -> Pipe:
        return self.issue.pipe

    @property
    def lanes(self) -> Lanes | None:
        return self.issue.lanes

    @property
    def bursts(self) -> Bursts | None:
        return self.issue.bursts

    @property
    def accesses(self) -> tuple[Access, ...]:
        return self.issue.accesses

    def __str__(self) -> str:
        return f"{self.name} at {self.site}: {describe(self.issue)}"


class Trace(Sequence[Entry]):
    """Issues in program order. Kept as one small tuple a call; entries are made when somebody looks.

    limit: keep at most this many calls, the latest ones (None: all).
    """

    def __init__(self, core: int = 0, limit: int | None = None) -> None:
        self.core = core
        self.records: deque[Record] = deque(maxlen=limit)

    def __len__(self) -> int:
        return sum(len(program.issues) for program, *_ in self.records)

    def __iter__(self) -> Iterator[Entry]:
        index = 0
        for program, code, instruction, values in self.records:
            for issue in program.issues:
                yield Entry(index, self.core, issue, site_at(code, instruction), values, not program.is_blocked)
                index += 1

    def __getitem__(self, at: Any) -> Any:
        return list(self)[at]

    def __str__(self) -> str:
        return listing(self)


class JoinedTrace(Sequence[Entry]):
    """The traces of several cores, one after another."""

    def __init__(self, traces: Sequence[Trace]) -> None:
        self.traces = tuple(traces)

    def __len__(self) -> int:
        return sum(map(len, self.traces))

    def __iter__(self) -> Iterator[Entry]:
        for trace in self.traces:
            yield from trace

    def __getitem__(self, at: Any) -> Any:
        return list(self)[at]

    def __str__(self) -> str:
        parts = [f"core {t.core}:\n{listing(t)}" for t in self.traces]
        return parts[0] if len(parts) == 1 else "\n".join(parts)


def listing(trace: Trace) -> str:
    """The instruction sequence as text: number, line, pipe, instruction."""
    rows = [("#", "line", "pipe", "instruction")]
    rows += [(str(e.index), str(e.site.line), e.pipe.name, f"{e.name}  {describe(e.issue)}") for e in trace]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return "\n".join(f"{a:>{widths[0]}}  {b:>{widths[1]}}  {c:<{widths[2]}}  {d}".rstrip() for a, b, c, d in rows)


def describe(issue: Issue) -> str:  # noqa: PLR0911  (one return per kind of issue)
    """Operands and lanes of an issue in one line."""
    if issue.lanes is not None:
        return f"{_types(issue)}{_arguments(issue)}  {lanes_text(issue.lanes)}  {_walks(issue)}"
    if issue.bursts is not None:
        return f"{_types(issue)}  {issue.bursts.count} x {issue.bursts.length} B  {_walks(issue)}"
    if issue.mask is not None:
        count = f" = {issue.mask.count} elements" if issue.control.counts else ""
        return f"{issue.mask}{count}"
    if "event" in issue.arguments:
        return f"{issue.arguments['event'].name} {issue.arguments['event_id']}"
    if "pipe" in issue.arguments:
        return f"PIPE_{issue.arguments['pipe'].name}" + (" (inserted)" if issue.arguments["automatic"] else "")
    if issue.name == "SetDeqScale":
        return f"scale {issue.control.deq_scale}"
    return f"mode {issue.control.mode.name}"


def lanes_text(lanes: Lanes) -> str:
    """Repeats and active lanes, such as "4 repeats, first 36 of 64 lanes"."""
    if lanes.repeats == 0:
        return "0 repeats"
    repeats = f"{lanes.repeats} repeat{'s' if lanes.repeats != 1 else ''}"
    if lanes.mask == lanes.last_mask or lanes.repeats == 1:
        return f"{repeats}, {_mask_text(lanes.last_mask, lanes.width)} of {lanes.width} lanes"
    full = _mask_text(lanes.mask, lanes.width)
    return f"{repeats}, {full} of {lanes.width} lanes, the last {_mask_text(lanes.last_mask, lanes.width)}"


def _mask_text(mask: int, width: int) -> str:
    if mask == (1 << width) - 1:
        return "all"
    if mask == 0:
        return "none"
    if mask & (mask + 1) == 0:
        return f"first {mask.bit_length()}"
    return f"{mask.bit_count()} (0x{mask:X})"


def _types(issue: Issue) -> str:
    names = ", ".join(dict.fromkeys(str(a.dtype) for a in issue.reads))
    if not issue.writes:
        return names
    dst = issue.writes[0]
    return str(dst.dtype) if not names or names == str(dst.dtype) else f"{names} -> {dst.dtype}"


def _arguments(issue: Issue) -> str:
    shown = [getattr(v, "name", str(v)) for v in issue.arguments.values() if v is not False]
    return f" {' '.join(shown)}" if shown else ""


def _walks(issue: Issue) -> str:
    parts = []
    for access in issue.accesses:
        walk = access.walk
        place = "GM" if access.space is Space.GM else f"0x{walk.base:05X}"
        if issue.bursts is not None:
            gap = walk.repeat_stride - issue.bursts.length
            parts.append(f"{access.operand.name} {place}" + (f" gap {gap} B" if gap else ""))
            continue
        if isinstance(access.lanes, Indexed):
            parts.append(f"{access.operand.name} {place} by table")
            continue
        blocks, rest = divmod(walk.repeat_stride, BLOCK_BYTES)
        step = f"{walk.repeat_stride} B" if rest else str(blocks)
        parts.append(f"{access.operand.name} {place} blk {walk.block_stride // BLOCK_BYTES} rep {step}")
    return " | ".join(parts)
