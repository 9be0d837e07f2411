"""What the model found: when each issue was issued, started and done, and what it waited for. Times in core cycles."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol

import attrs

from ascend_sim.timing.cost import Kind, Op
from isa.families import Pipe
from isa.products import Product
from isa.timings import Machine

PIPES = (Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3)
WAITS = {-1: "issue", -2: "earlier work", -3: "barrier", -4: "mask write"}


@attrs.frozen
class Span:
    """One issue on its pipe.

    entry: the trace's entry; issued, start: cycles; end: the pipe can take the next one; done: results are there.
    waited: cycles that a barrier or flag added; waited_for: "issue", "earlier work", "barrier" or a pipe's name.
    paired: of a WaitFlag, the issue number of the SetFlag that let it through (-1: none).
    """

    entry: Any
    op: Op
    issued: float
    start: float
    end: float
    done: float
    waited: float
    waited_for: str
    paired: int = -1

    @property
    def name(self) -> str:
        return self.op.name

    @property
    def pipe(self) -> Pipe:
        return self.op.pipe

    @property
    def kind(self) -> Kind:
        return self.op.kind

    @property
    def conflicts(self) -> float:
        """Cycles that bank conflicts add."""
        return self.op.conflicts


@attrs.frozen
class PipeUse:
    """One pipe of one block: cycles at work, cycles to the last result, cycles waiting by what was waited for."""

    pipe: Pipe
    count: int
    busy: float
    active: float
    waits: dict[str, float]


class Player(Protocol):
    """Who plays the calls of a block."""

    def calls(self, block: Any) -> list[Any]: ...
    def end(self, played: Sequence[Any], begin: float) -> float: ...
    def events(self, played: Sequence[Any], begin: float) -> Sequence[Any]: ...


class BlockTimeline:
    """One block of a launch: it ran on `core` from cycle `begin` to cycle `end`."""

    def __init__(self, trace: Any, core: int, begin: float, player: Player) -> None:
        self.trace = trace
        self.block = int(getattr(trace, "core", 0))
        self.core = core
        self.begin = begin
        self._player = player
        self._played = player.calls(trace)
        self.end = player.end(self._played, begin)

    def __len__(self) -> int:
        return sum(len(program.issues) for program, *_ in self._played)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Every issue with its times, in program order."""
        return tuple(self._spans())

    def _spans(self) -> Iterator[Span]:
        events = self._player.events(self._played, self.begin)
        for entry, (op, issued, start, why, waited) in zip(self.trace, events, strict=False):  # the trace may grow
            end, done = start + op.occupies, start + max(op.total, op.occupies)
            if op.kind is Kind.WAIT_FLAG:
                yield Span(entry, op, issued, start, start, start, 0.0, "issue", why)
                continue
            reason = WAITS.get(why) or PIPES[why].name
            yield Span(entry, op, issued, start, end, done, waited, reason)

    def use(self, pipe: Pipe) -> PipeUse:
        """How one pipe was used."""
        spans = [s for s in self.spans if s.pipe is pipe and s.kind is Kind.WORK]
        waits: dict[str, float] = {}
        before = self.begin
        busy = active = 0.0
        until = self.begin
        for span in spans:
            if span.start > before and span.waited:
                waits[span.waited_for] = waits.get(span.waited_for, 0.0) + min(span.waited, span.start - before)
            busy += span.end - span.start
            active += max(0.0, span.done - max(span.start, until))
            until = max(until, span.done)
            before = max(before, span.end)
        return PipeUse(pipe, len(spans), busy, active, waits)


class Timeline:
    """A launch in time. `str(timeline)` is a summary; `cycles` is that of the slowest core."""

    def __init__(self, product: Product, machine: Machine, blocks: Sequence[BlockTimeline], cores: int) -> None:
        self.product = product
        self.machine = machine
        self.blocks = tuple(blocks)
        self.active_cores = cores

    @property
    def spans(self) -> tuple[Span, ...]:
        """Spans of all blocks, block after block."""
        return tuple(span for block in self.blocks for span in block.spans)

    def __iter__(self) -> Iterator[Span]:
        return iter(self.spans)

    def __len__(self) -> int:
        return sum(map(len, self.blocks))

    @property
    def cycles(self) -> float:
        """From the first issue to the last completion, on the slowest core."""
        return max((block.end for block in self.blocks), default=0.0)

    @property
    def clock_mhz(self) -> float:
        """Cycles of a microsecond; `machine.note` says when the figure is assumed."""
        return self.machine.clock_mhz.value

    @property
    def microseconds(self) -> float:
        """`cycles` at the core clock."""
        return self.cycles / self.clock_mhz

    @property
    def note(self) -> str:
        """What is not public about this product's timing; empty when nothing."""
        return self.machine.note

    def __str__(self) -> str:
        return (
            f"{len(self.blocks)} block(s) on {self.active_cores} core(s) of {self.product.id}: "
            f"{self.cycles:.0f} cycles, {self.microseconds:.3f} us"
        )
