"""What is ordered before what: four pipes that run at their own pace, and the flags and barriers between them.

Each pipe executes in program order. Between two pipes nothing is ordered unless a flag, a barrier or the scalar unit's
waiting says so. A pipe's work is cut into *spans* at each flag that it sets; a pipe knows of another one all spans
below a number. Two accesses of one byte, one of them a write, on two pipes of which neither knows the other's span,
race.
"""

from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple, Protocol

import attrs

from ascend_sim.machine.footprint import Footprint, shared_bytes
from ascend_sim.machine.issue import Access, Issue, Space
from isa.families import Pipe
from isa.sync import HardEvent

PIPES = (Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3)
S, V, MTE2, MTE3 = range(4)
NUMBER = {pipe: number for number, pipe in enumerate(PIPES)}

_OTHERS = tuple(tuple(o for o in range(len(PIPES)) if o != pipe) for pipe in range(len(PIPES)))

_NONE, _ALL = [False] * len(PIPES), [True] * len(PIPES)
_NOTHING = [0] * len(PIPES)

_ENDS = {event: (NUMBER[event.source], NUMBER[event.target]) for event in HardEvent}

Clock = list[int]
"""For each pipe, how many of its spans are known to be done."""

Place = tuple[CodeType, int]
"""The user's call: code and bytecode offset."""


class Work(Protocol):
    """What a pipe executes: a program."""

    @property
    def issues(self) -> tuple[Issue, ...]:
        """Its machine instructions."""

    @property
    def footprint(self) -> Footprint:
        """The stretches of the buffer that it touches."""


Range = tuple[int, int, int]
"""Bytes of a GM array: (host address of the array, first byte, one past the last byte)."""


class Done(NamedTuple):
    """One call that a pipe has been given: what, where in the user's source, and the GM bytes it touches."""

    work: Work
    place: Place
    gm: Range | None
    gm_written: bool


class Span:
    """Work of one pipe between two flags that it sets: what was done, those of it with GM bytes, and the stretches of
    the buffer that it reads and writes. Of work that comes again the latest call stands for all.
    """

    __slots__ = ("done", "gm", "read", "written")

    def __init__(self) -> None:
        self.done: dict[Work, Done] = {}
        self.gm: list[Done] = []
        self.read = 0
        self.written = 0

    def clear(self) -> None:
        """Forget everything."""
        self.done.clear()
        self.gm.clear()
        self.read = self.written = 0


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


Meeting = tuple[Access, Access, tuple[int, int, int]]
"""Two operands, the earlier first, and the bytes that they share: first, last, how many."""

Flag = tuple[Clock, Place, bool]
"""A flag that is set: what its pipe had done and knew, where it was set, and whether a queue did it by itself."""


def _join(known: Clock, clock: Clock) -> None:
    """`known` takes over what `clock` knows more."""
    for pipe, spans in enumerate(clock):
        if spans > known[pipe]:  # noqa: PLR1730  (max is slower)
            known[pipe] = spans


class Ordering:
    """The pipes of one core during one block.

    orders_vector: dependent vector instructions need a barrier between them (products whose vector pipe overlaps them).
    """

    def __init__(self, *, orders_vector: bool) -> None:
        self._spans: list[list[Span]] = [[Span()] for _ in PIPES]
        self._known: list[Clock] = [[0] * len(PIPES) for _ in PIPES]
        self.flags: dict[tuple[HardEvent, int], Flag] = {}
        self.watches = [False] * len(PIPES)
        """For each pipe: some other one has been given work, and this one does not know that it is done."""
        self._orders_vector = orders_vector
        # vector work since the last vector barrier
        self._vector_read = self._vector_written = 0
        self._vector_work: dict[Work, Place] = {}
        self._pairs: dict[tuple[Work, Work], tuple[Meeting, ...]] = {}
        # vector work that the spans do not have yet: most of it repeats, and only other pipes ask for it
        self.backlog: dict[Work, Place] = {}

    # Vector instructions, the common case.

    def vector_dependence(self, work: Work) -> "tuple[Work, Place] | None":
        """Earlier vector work on which `work` depends with no barrier since: some byte is written by one of the two."""
        print_ = work.footprint
        if not (print_.read & self._vector_written or print_.written & (self._vector_read | self._vector_written)):
            return None
        for earlier, place in self._vector_work.items():
            if earlier is work or self._meetings(earlier, work):  # what comes again writes the same bytes again
                return earlier, place
        return None

    def _meetings(self, earlier: Work, work: Work) -> "tuple[Meeting, ...]":
        """`meetings`, remembered, because programs come again and again."""
        pair = (earlier, work)
        known = self._pairs.get(pair)
        if known is None:
            known = self._pairs[pair] = tuple(meetings(earlier, work))
        return known

    def add_vector(self, work: Work, place: Place) -> None:
        """The vector pipe gets `work`."""
        self.backlog[work] = place
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

    def suspects(self, pipe: int, work: Work, gm: Range | None, *, gm_written: bool = False) -> bool:
        """Other pipes touch stretches or GM bytes that `work` touches, and `pipe` does not know that they are done."""
        if self.backlog:
            self._settle()
        print_ = work.footprint
        read, written = print_.read, print_.written
        known = self._known[pipe]
        for other in _OTHERS[pipe]:
            spans = self._spans[other]
            done = known[other]
            if done == len(spans) - 1 and not spans[-1].done:
                continue  # the usual case: it knows all that the other one has done
            for span in spans[done:]:
                if read & span.written or written & (span.read | span.written):
                    return True
                if gm is not None and span.gm and any(_meet_in_gm(d, gm, written=gm_written) for d in span.gm):
                    return True
        return False

    def races(self, pipe: int, work: Work, gm: Range | None = None, *, gm_written: bool = False) -> Iterator[Race]:
        """Conflicts of `work` on `pipe` with what other pipes were given and nothing orders before it."""
        if self.backlog:
            self._settle()
        print_ = work.footprint
        for other in _OTHERS[pipe]:
            for span in self._spans[other][self._known[pipe][other] :]:
                if print_.read & span.written or print_.written & (span.read | span.written):
                    yield from self._races_in_ub(pipe, work, PIPES[other], span)
                if gm is not None:
                    yield from self._races_in_gm(pipe, work, PIPES[other], span, gm, written=gm_written)

    def add(self, pipe: int, work: Work, place: Place, gm: Range | None = None, *, gm_written: bool = False) -> None:
        """`pipe` gets `work`."""
        if self.backlog:
            self._settle()
        span, print_ = self._spans[pipe][-1], work.footprint
        done = Done(work, place, gm, gm_written)
        span.done[work] = done
        span.read |= print_.read
        span.written |= print_.written
        if gm is not None:
            if span.gm:
                _merge(span.gm, done)
            else:
                span.gm.append(done)
        watches = self.watches
        own = watches[pipe]
        watches[:] = _ALL
        watches[pipe] = own

    def _settle(self) -> None:
        """Vector work goes into its span before another pipe's work is compared with it."""
        span = self._spans[V][-1]
        for work, place in self.backlog.items():
            span.done[work] = Done(work, place, None, gm_written=False)
            span.read |= work.footprint.read
            span.written |= work.footprint.written
        self.backlog.clear()
        self.watches[S] = self.watches[MTE2] = self.watches[MTE3] = True

    # Flags and barriers.

    def set_flag(self, event: HardEvent, number: int, place: Place, *, by_queue: bool = False) -> bool:
        """Set a flag. False: it is set already, and stays as it was."""
        if self.backlog:
            self._settle()
        key = (event, number)
        if key in self.flags:
            return False
        source = _ENDS[event][0]
        clock = self._known[source].copy()
        spans = self._spans[source]
        if spans[-1].done:  # an empty span stays open: it says nothing
            spans.append(Span())
        clock[source] = len(spans) - 1
        self.flags[key] = (clock, place, by_queue)
        return True

    def wait_flag(self, event: HardEvent, number: int) -> Clock | None:
        """Wait for a flag and clear it: the target pipe knows what its source had done. None: it is not set."""
        flag = self.flags.pop((event, number), None)
        if flag is None:
            return None
        if self.backlog:
            self._settle()
        clock, target = flag[0], _ENDS[event][1]
        # the scalar unit gives all pipes their work, so they know what it waited for
        for pipe in range(len(PIPES)) if target == S else (target,):
            _join(self._known[pipe], clock)
            if self.watches[pipe]:
                self.watches[pipe] = self._has_foreign(pipe)
        return clock

    def barrier_all(self) -> None:
        """Every pipe has finished everything: nothing before can race with what comes, so it is forgotten."""
        self.backlog.clear()
        self.vector_barrier()
        for spans in self._spans:
            del spans[:-1]
            if spans[0].done:
                spans[0].clear()
        for known in self._known:
            known[:] = _NOTHING
        if self.flags:
            for clock, _, _ in self.flags.values():
                clock[:] = _NOTHING
        self.watches[:] = _NONE

    def span_of(self, pipe: int) -> int:
        """Number of the span that the next work of `pipe` falls into."""
        return len(self._spans[pipe]) - 1

    def _has_foreign(self, pipe: int) -> bool:
        """Other pipes have work that `pipe` does not know to be done."""
        known = self._known[pipe]
        for other in _OTHERS[pipe]:
            spans = self._spans[other]
            if spans[-1].done or known[other] < len(spans) - 1:
                return True
        return False

    # Looking for the other side.

    def _races_in_ub(self, pipe: int, work: Work, other: Pipe, span: Span) -> Iterator[Race]:
        for done in span.done.values():
            for earlier, access, shared in self._meetings(done.work, work):
                yield Race(done, other, earlier, access, PIPES[pipe], *shared)

    def _races_in_gm(
        self, pipe: int, work: Work, other: Pipe, span: Span, gm: Range, *, written: bool
    ) -> Iterator[Race]:
        for done in span.gm:
            if _meet_in_gm(done, gm, written=written):
                assert done.gm is not None
                low, high = max(gm[1], done.gm[1]), min(gm[2], done.gm[2])
                sides = [next(a for a in w.issues[0].accesses if a.space is Space.GM) for w in (done.work, work)]
                yield Race(done, other, sides[0], sides[1], PIPES[pipe], low, high - 1, high - low)


def _meet_in_gm(done: Done, gm: Range, *, written: bool) -> bool:
    there = done.gm
    if there is None or there[0] != gm[0] or not (written or done.gm_written):
        return False
    return gm[1] < there[2] and there[1] < gm[2]


def meetings(earlier: Work, later: Work) -> Iterator[Meeting]:
    """Pairs of operands that share a byte which one of them writes."""
    for theirs in (a for issue in earlier.issues for a in issue.accesses):
        for ours in (a for issue in later.issues for a in issue.accesses):
            if theirs.operand.is_written or ours.operand.is_written:
                shared = shared_bytes(theirs, ours)
                if shared is not None:
                    yield theirs, ours, shared


def _merge(ranges: list[Done], done: Done) -> None:
    """Add a GM range; one that continues the last of its kind becomes part of it, so that long copies stay few."""
    gm, last = done.gm, ranges[-1]
    before = last.gm
    assert gm is not None
    assert before is not None
    if last.gm_written == done.gm_written and before[0] == gm[0]:
        if before == gm:
            return
        if before[2] == gm[1]:
            ranges[-1] = Done(last.work, last.place, (gm[0], before[1], gm[2]), last.gm_written)
            return
    ranges.append(done)
