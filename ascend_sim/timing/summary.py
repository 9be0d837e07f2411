"""Text about a timeline: how each pipe was used, what it waited for, and what would make the kernel faster.

Advice is given only where the model shows the gain: the trace is timed again with the change, and the difference told.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from ascend_sim.machine.issue import Issue, Space
from ascend_sim.machine.site import Site
from ascend_sim.machine.walk import Walk
from ascend_sim.timing.cost import Kind, op_of
from ascend_sim.timing.model import timeline
from ascend_sim.timing.timeline import BlockTimeline, Span, Timeline
from isa.families import Pipe
from isa.products import BLOCK_BYTES

SHIFTS = (8, 4, 12, *range(1, 8), *range(9, 16))
"""Moves that are tried, in blocks of 32 bytes: half a row of banks first. A whole row changes nothing."""
TOLD = 3  # pieces of advice in a summary


@attrs.frozen
class Advice:
    """Put `shift` bytes in front of the tensor that starts at `origin`, which moves all behind it too.

    conflicts: cycles that the line loses to bank conflicts; before, after: what the launch takes.
    """

    site: Site
    instruction: str
    operand: str
    origin: int
    shift: int
    conflicts: float
    before: float
    after: float

    @property
    def gain(self) -> float:
        """Cycles saved on the slowest core."""
        return self.before - self.after

    def __str__(self) -> str:
        return (
            f"{self.site.file}:{self.site.line} {self.instruction}: {self.conflicts:.0f} cycles of bank conflicts; put "
            f"{self.shift} bytes in front of the tensor of {self.operand} at 0x{self.origin:05X}: {self.before:.0f} -> "
            f"{self.after:.0f} cycles"
        )


def advise(found: Timeline, count: int = TOLD) -> list[Advice]:
    """What saves most cycles, for each of the `count` lines that lose most to bank conflicts."""
    lost: dict[tuple[Site, str], list[Span]] = {}
    for span in found.spans:
        if span.conflicts > 0:
            lost.setdefault((span.entry.site, span.name), []).append(span)
    heaviest = sorted(lost.items(), key=lambda item: -sum(s.conflicts for s in item[1]))[:count]
    best = [_best_move(found, site, name, spans) for (site, name), spans in heaviest]
    return sorted((a for a in best if a is not None), key=lambda a: -a.gain)


def _best_move(found: Timeline, site: Site, name: str, spans: list[Span]) -> Advice | None:
    """The best of all tensors and shifts by the conflicts of this line; then the whole trace says what it gains."""
    conflicts = sum(s.conflicts for s in spans)
    kinds = Counter(id(s.op) for s in spans)
    ops = {id(s.op): s.op for s in spans}
    origins = sorted(
        {a.origin for b in found.blocks for s in b.spans for a in s.op.issue.accesses if a.space is Space.UB}
    )
    candidates = []
    for access in reversed(spans[0].op.issue.accesses):
        if access.space is not Space.UB:
            continue
        for shift in SHIFTS:
            moves = {o: shift * BLOCK_BYTES for o in origins if o >= access.origin}
            left = 0.0
            for key, op in ops.items():
                moved = op_of(_moved(op.issue, moves), found.machine, found.product, found.active_cores)
                left += moved.conflicts * kinds[key]
            candidates.append((left, shift, access, moves))
    left, shift, access, moves = min(candidates, key=lambda c: (c[0], c[1] != SHIFTS[0], c[1]))
    if left >= conflicts:
        return None
    after = retimed(found, moves).cycles
    if after >= found.cycles:
        return None
    return Advice(site, name, access.operand.name, access.origin, shift * BLOCK_BYTES, conflicts, found.cycles, after)


@attrs.frozen
class _Entry:
    """An entry whose tensors lie elsewhere."""

    index: int
    core: int
    issue: Issue
    site: Site
    values: tuple[Any, ...]
    executed: bool


@attrs.frozen
class _Block:
    core: int
    entries: tuple[_Entry, ...]

    def __iter__(self) -> Iterator[_Entry]:
        return iter(self.entries)


@attrs.frozen
class _Blocks:
    traces: tuple[_Block, ...]


def retimed(found: Timeline, moves: Mapping[int, int]) -> Timeline:
    """The same trace with tensors moved: start of the tensor -> bytes. The Unified Buffer's end is not looked at."""
    known: dict[int, Issue] = {}

    def moved(issue: Issue) -> Issue:
        key = id(issue)
        if key not in known:
            known[key] = _moved(issue, moves)
        return known[key]

    blocks = tuple(
        _Block(b.block, tuple(_Entry(e.index, e.core, moved(e.issue), e.site, e.values, e.executed) for e in b.trace))
        for b in found.blocks
    )
    return timeline(_Blocks(blocks), found.product, machine=found.machine)


def _moved(issue: Issue, moves: Mapping[int, int]) -> Issue:
    accesses = tuple(
        attrs.evolve(a, walk=_shifted(a.walk, moves[a.origin])) if a.space is Space.UB and a.origin in moves else a
        for a in issue.accesses
    )
    return attrs.evolve(issue, accesses=accesses)


def _shifted(walk: Walk, by: int) -> Walk:
    return Walk(walk.base + by, walk.block_stride, walk.repeat_stride, walk.bits)


def summary(found: Timeline, title: str = "timeline") -> str:
    """The report: totals, a row for each pipe of the slowest core, bank conflicts, lanes switched off."""
    return "\n".join(_lines(found, title))


def _lines(found: Timeline, title: str) -> Iterable[str]:
    cores = f"{found.active_cores} core{'s' if found.active_cores != 1 else ''}"
    blocks = f"{len(found.blocks)} block{'s' if len(found.blocks) != 1 else ''}"
    yield (
        f"{title}: {blocks} on {cores} of {found.product.id}, {found.cycles:.0f} cycles = {found.microseconds:.3f} us "
        f"at {found.clock_mhz:.0f} MHz; launch overhead is not included"
    )
    if found.note:
        yield f"  {found.note}"
    if not found.blocks:
        return
    slowest = max(found.blocks, key=lambda b: b.end)
    yield f"  {'pipe':<6}{'issues':>7}{'busy':>9}{'share':>8}{'active':>9}   waits (cycles)"
    span = max(slowest.end - slowest.begin, 1)
    for pipe in (Pipe.V, Pipe.MTE2, Pipe.MTE3):
        use = slowest.use(pipe)
        if use.count:
            waits = ", ".join(f"{what} {cycles:.0f}" for what, cycles in sorted(use.waits.items(), key=lambda w: -w[1]))
            share = use.busy / span
            yield f"  {pipe.name:<6}{use.count:>7}{use.busy:>9.0f}{share:>8.1%}{use.active:>9.0f}   {waits or 'none'}"
    yield from _vector_lines(slowest)
    for advice in advise(found):
        yield f"  advice: {advice}"


def _vector_lines(block: BlockTimeline) -> Iterable[str]:
    vector = [s for s in block.spans if s.pipe is Pipe.V and s.kind is Kind.WORK]
    busy = sum(s.end - s.start for s in vector)
    if not busy:
        return
    conflicts = sum(s.conflicts for s in vector)
    yield f"  bank conflicts: {conflicts:.0f} cycles, {conflicts / busy:.1%} of the vector pipe's work"
    lanes = active = 0
    for span in vector:
        issued = span.op.issue.lanes
        if issued is not None:
            lanes += issued.repeats * issued.width
            active += issued.active_count
    if lanes:
        yield f"  lanes switched off by masks: {1 - active / lanes:.1%}"
