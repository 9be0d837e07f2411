"""What is ordered before what: four pipes that run at their own pace, and the flags and barriers between them.

Each pipe executes in program order. Between two pipes nothing is ordered unless a flag, a barrier or the scalar unit's
waiting says so. A pipe's work is cut into *spans* at each flag that it sets; a pipe knows of another one all spans below
a number. Two accesses of one byte, one of them a write, on two pipes of which neither knows the other's span, race.
"""

from collections.abc import Iterator
from types import CodeType
from typing import Protocol

import attrs

from ascend_sim.machine.footprint import Footprint, shared_bytes
from ascend_sim.machine.issue import Access, Issue, Space
from isa.families import Pipe
from isa.sync import HardEvent

PIPES = (Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3)
S, V, MTE2, MTE3 = range(4)
NUMBER = {pipe: number for number, pipe in enumerate(PIPES)}

Clock = list[int]
Place = tuple[CodeType, int]
"""The user's call: code and bytecode offset."""


class Work(Protocol):
    """What a pipe executes: a program."""

    @property
    def issues(self) -> tuple[Issue, ...]:
        """Its machine instructions."""

    @property
    def footprint(self) -> Footprint:
        """The blocks that it touches."""


@attrs.frozen
class Range:
    """Bytes of a GM array: low..high-1 of the array that starts at host address `array`."""

    array: int
    low: int
    high: int


@attrs.frozen
class Done:
    """One call that a pipe has been given: what, where in the user's source, and the GM bytes it touches."""

    work: Work
    place: Place
    gm: Range | None
    gm_written: bool


@attrs.define
class Span:
    """Work of one pipe between two flags that it sets."""

    read: int = 0
    written: int = 0
    done: list[Done] = attrs.Factory(list)
    gm: list[Done] = attrs.Factory(list)


@attrs.frozen
class Race:
    """Two accesses that nothing orders. first, last: the bytes that they share; count: how many."""

    earlier: Done
    earlier_pipe: Pipe
    earlier_access: Access
    access: Access
    pipe: Pipe
    first: int
    last: int
    count: int


@attrs.frozen
class Flag:
    """A flag that is set: what its pipe had done and knew, and where it was set."""

    clock: Clock
    place: Place


class Ordering:
    """The pipes of one core during one block.

    orders_vector: dependent vector instructions need a barrier between them (products whose vector pipe overlaps them).
    """

    def __init__(self, *, orders_vector: bool) -> None:
        self._spans: list[list[Span]] = [[Span()] for _ in PIPES]
        self._known: list[Clock] = [[0] * len(PIPES) for _ in PIPES]
        # for each pipe: blocks that other pipes read or wrote and that it does not know to be done
        self._foreign: list[int] = [0] * len(PIPES)
        # whether some other pipe has touched bytes that this one does not know to be done; the last entry is for work
        # of no pipe
        self.watches = [
            True,
            False,
            False,
            False,
            False,
        ]  # the scalar unit always asks: vector work waits in the backlog
        self._foreign_written: list[int] = [0] * len(PIPES)
        self._foreign_gm: list[bool] = [False] * len(PIPES)
        self.flags: dict[tuple[HardEvent, int], Flag] = {}
        self._orders_vector = orders_vector
        # vector work since the last vector barrier
        self._vector_read = self._vector_written = 0
        self._vector_work: dict[Work, Place] = {}
        self._pairs: dict[tuple[Work, Work], bool] = {}
        # vector work that the spans do not have yet: most of it repeats, and only other pipes ask for it
        self._backlog: dict[Work, Place] = {}

    # Vector instructions, the common case.

    def vector_dependence(self, work: Work) -> "tuple[Work, Place] | None":
        """Earlier vector work on which `work` depends with no barrier since: some byte is written by one of the two."""
        print_ = work.footprint
        if not (print_.read & self._vector_written or print_.written & (self._vector_read | self._vector_written)):
            return None
        for earlier, place in self._vector_work.items():
            pair = (earlier, work)
            if pair not in self._pairs:
                self._pairs[pair] = next(_meetings(earlier, work), None) is not None
            if self._pairs[pair]:
                return earlier, place
        return None

    def add_vector(self, work: Work, place: Place) -> None:
        """The vector pipe gets `work`."""
        self._backlog[work] = place
        if self._orders_vector:
            print_ = work.footprint
            self._vector_read |= print_.read
            self._vector_written |= print_.written
            self._vector_work[work] = place

    def vector_barrier(self) -> None:
        """The vector pipe has finished everything before it starts the next."""
        self._vector_read = self._vector_written = 0
        self._vector_work.clear()

    # Any pipe.

    def races(self, pipe: int, work: Work, gm: Range | None = None, *, gm_written: bool = False) -> Iterator[Race]:
        """Conflicts of `work` on `pipe` with what other pipes were given and nothing orders before it."""
        self._settle()
        print_ = work.footprint
        if print_.read & self._foreign_written[pipe] or print_.written & self._foreign[pipe]:
            yield from self._races_in_ub(pipe, work)
        if gm is not None and self._foreign_gm[pipe]:
            yield from self._races_in_gm(pipe, work, gm, written=gm_written)

    def add(self, pipe: int, work: Work, place: Place, gm: Range | None = None, *, gm_written: bool = False) -> None:
        """`pipe` gets `work`."""
        self._settle()
        self._add(pipe, Done(work, place, gm, gm_written))

    def _add(self, pipe: int, done: Done) -> None:
        span, print_ = self._spans[pipe][-1], done.work.footprint
        span.done.append(done)
        span.read |= print_.read
        span.written |= print_.written
        for other in range(len(PIPES)):
            if other != pipe:
                self._foreign[other] |= print_.touched
                self.watches[other] = self.watches[other] or bool(print_.touched)
                self._foreign_written[other] |= print_.written
        if done.gm is not None:
            _merge(span.gm, done)
            for other in range(len(PIPES)):
                self._foreign_gm[other] |= other != pipe

    def _settle(self) -> None:
        """Vector work goes into its span before another pipe asks."""
        if self._backlog:
            for work, place in self._backlog.items():
                self._add(V, Done(work, place, None, gm_written=False))
            self._backlog.clear()

    # Flags and barriers.

    def set_flag(self, event: HardEvent, number: int, place: Place) -> "Flag | None":
        """Set a flag; returns the one that was set already and not waited for, which stays."""
        self._settle()
        if (event, number) in self.flags:
            return self.flags[event, number]
        self.flags[event, number] = Flag(self._cut(NUMBER[event.source]), place)
        return None

    def wait_flag(self, event: HardEvent, number: int) -> Clock | None:
        """Wait for a flag and clear it: the target pipe knows what its source had done. None: it is not set."""
        flag = self.flags.pop((event, number), None)
        if flag is None:
            return None
        self._settle()
        target = NUMBER[event.target]
        self._learn(target, flag.clock)
        if target == S:  # the scalar unit gives all pipes their work, so they know what it waited for
            for pipe in range(len(PIPES)):
                self._learn(pipe, flag.clock)
        return flag.clock

    def barrier_all(self) -> None:
        """Every pipe has finished everything."""
        self._settle()
        self.vector_barrier()
        clocks = [self._cut(pipe) for pipe in range(len(PIPES))]
        everything = [max(column) for column in zip(*clocks, strict=True)]
        for pipe in range(len(PIPES)):
            self._learn(pipe, everything)

    def span_of(self, pipe: int) -> int:
        """Number of the span that the next work of `pipe` falls into."""
        return len(self._spans[pipe]) - 1

    def _cut(self, pipe: int) -> Clock:
        self._spans[pipe].append(Span())
        clock = list(self._known[pipe])
        clock[pipe] = len(self._spans[pipe]) - 1
        return clock

    def _learn(self, pipe: int, clock: Clock) -> None:
        known = self._known[pipe]
        if all(k >= c for k, c in zip(known, clock, strict=True)):
            return
        self._known[pipe] = known = [max(k, c) for k, c in zip(known, clock, strict=True)]
        touched = written = 0
        gm = False
        for other, spans in enumerate(self._spans):
            if other != pipe:
                for span in spans[known[other] :]:
                    touched |= span.read | span.written
                    written |= span.written
                    gm = gm or bool(span.gm)
        self._foreign[pipe], self._foreign_written[pipe], self._foreign_gm[pipe] = touched, written, gm
        self.watches[pipe] = touched != 0 or pipe == S

    # Looking for the other side.

    def _unknown(self, pipe: int) -> Iterator[tuple[Pipe, Span]]:
        for other, spans in enumerate(self._spans):
            if other != pipe:
                for span in spans[self._known[pipe][other] :]:
                    yield PIPES[other], span

    def _races_in_ub(self, pipe: int, work: Work) -> Iterator[Race]:
        print_ = work.footprint
        for other, span in self._unknown(pipe):
            if not (print_.read & span.written or print_.written & (span.read | span.written)):
                continue
            for done in span.done:
                for earlier, access, shared in _meetings(done.work, work):
                    yield Race(done, other, earlier, access, PIPES[pipe], *shared)

    def _races_in_gm(self, pipe: int, work: Work, gm: Range, *, written: bool) -> Iterator[Race]:
        for other, span in self._unknown(pipe):
            for done in span.gm:
                there = done.gm
                assert there is not None
                low, high = max(gm.low, there.low), min(gm.high, there.high)
                if gm.array == there.array and low < high and (written or done.gm_written):
                    sides = [next(a for a in w.issues[0].accesses if a.space is Space.GM) for w in (done.work, work)]
                    yield Race(done, other, sides[0], sides[1], PIPES[pipe], low, high - 1, high - low)


def _meetings(earlier: Work, later: Work) -> Iterator[tuple[Access, Access, tuple[int, int, int]]]:
    """Pairs of operands that share a byte which one of them writes."""
    for theirs in (a for issue in earlier.issues for a in issue.accesses):
        for ours in (a for issue in later.issues for a in issue.accesses):
            if theirs.operand.is_written or ours.operand.is_written:
                shared = shared_bytes(theirs, ours)
                if shared is not None:
                    yield theirs, ours, shared


def _merge(ranges: list[Done], done: Done) -> None:
    """Add a GM range; one that continues the last of its kind becomes part of it, so that long copies stay few."""
    if ranges and done.gm is not None:
        last = ranges[-1]
        assert last.gm is not None
        same = last.gm.array == done.gm.array and last.gm_written == done.gm_written
        if same and last.gm.high == done.gm.low:
            ranges[-1] = attrs.evolve(last, gm=attrs.evolve(last.gm, high=done.gm.high))
            return
    ranges.append(done)
