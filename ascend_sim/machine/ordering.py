"""What is ordered before what: four pipes that run at their own pace, and the flags and barriers between them.

Each pipe executes in program order. Between two pipes nothing is ordered unless a flag, a barrier or the scalar unit's
waiting says so. A pipe's work is cut into *spans* at each flag that it sets; a pipe knows of another one all spans
below a number. Two accesses of one byte, one of them a write, on two pipes of which neither knows the other's span,
race.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from operator import itemgetter

import attrs

from ascend_sim.machine.gm_ranges import gm_access, is_dense, shared_in_gm
from ascend_sim.machine.issue import Access
from ascend_sim.machine.vector_order import Pending, VectorOrder
from ascend_sim.machine.work import Call, GmRange, Meetings, Place, Work
from isa.families import Pipe
from isa.sync import HardEvent

PIPES = (Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3)
S, V, MTE2, MTE3 = range(4)
NUMBER = {pipe: number for number, pipe in enumerate(PIPES)}

_OTHERS = tuple(tuple(o for o in range(len(PIPES)) if o != pipe) for pipe in range(len(PIPES)))
_ENDS = {event: (NUMBER[event.source], NUMBER[event.target]) for event in HardEvent}

_BIT = tuple(1 << pipe for pipe in range(len(PIPES)))
V_BIT = _BIT[V]
_ALL_BUT = tuple((1 << len(PIPES)) - 1 - bit for bit in _BIT)
_NOTHING = [0] * len(PIPES)
MANY = 64  # spans of one pipe after which those that need not be told apart become one
MANY_COPIES = 256  # copies of a span in GM that are worth joining

Clock = list[int]
"""For each pipe, how many of its spans are known to be done."""


InGm = tuple[int, int, bool, Work, Call, GmRange]
"""A copy in GM: first byte, one past the last one, whether it writes them, the copy, its call, and the array."""


class Span(dict[Work, Call]):
    """Work of one pipe between two flags that it sets, each with its latest call, and what it does in GM."""

    # set on the instance when there is something: most spans are asked for nothing
    in_gm: "list[InGm] | tuple[()]" = ()
    _read = _written = _counted = 0
    _many = MANY_COPIES

    def copies(self, more: InGm) -> None:
        """A copy in GM."""
        if isinstance(self.in_gm, tuple):
            self.in_gm = [more]
        else:
            self.in_gm.append(more)
            if len(self.in_gm) > self._many:
                self._join_ranges()

    def absorb(self, later: "Span") -> None:
        """Take over the work of a later span."""
        self.update(later)
        for copy in later.in_gm:
            self.copies(copy)

    def _join_ranges(self) -> None:
        """What comes again goes; dense copies of one line, one behind the other, become one: loops stay small."""
        joined: list[InGm] = []
        last: dict[tuple[bool, int, int, int], int] = {}  # by line and array, where in `joined` its last dense copy is
        seen: set[tuple[int, int, bool, Work]] = set()
        dense = {work: is_dense(work) for work in {copy[3] for copy in self.in_gm}}
        for copy in sorted(self.in_gm, key=itemgetter(0, 1)):
            start, stop, is_written, work, call, gm = copy
            what = (start, stop, is_written, work)
            if what in seen:
                continue
            seen.add(what)
            if dense[work]:
                line = (is_written, id(call[1]), call[2], gm[2])
                at = last.get(line)
                if at is not None and start <= joined[at][1]:
                    joined[at] = joined[at][0], max(stop, joined[at][1]), is_written, work, call, gm
                    continue
                last[line] = len(joined)
            joined.append(copy)
        self.in_gm = joined
        self._many = max(MANY_COPIES, 2 * len(joined))

    def stretches(self) -> tuple[int, int]:
        """The stretches of the buffer that its work reads, and those that it writes."""
        if self._counted != len(self):
            for work in islice(self, self._counted, None):
                read, written = work.footprint
                self._read |= read
                self._written |= written
            self._counted = len(self)
        return self._read, self._written


@attrs.frozen
class Race:
    """Two accesses that nothing orders, and where the earlier call stands. first, last: the bytes that they share; in
    global memory counted in the array of the later call.
    """

    earlier: Work
    place: Place
    earlier_pipe: Pipe
    earlier_access: Access
    access: Access
    pipe: Pipe
    first: int
    last: int


Flag = tuple[Clock, Call, bool]
"""A flag that is set: what its pipe had done and knew, the call that set it, and whether a queue did it by itself."""


class Ordering:
    """The pipes of one core during one block.

    watches: bit p is set when other pipes have been given work that pipe p may not know to be done; vector work after
    the last flag of the vector pipe is left out, and is `newest`. vector: the vector work that is pending. keeps_spans:
    the numbers of spans (`span_of`) stay what they are.
    """

    def __init__(self, order: VectorOrder, *, keeps_spans: bool = False) -> None:
        self._order = order
        self._keeps_spans = keeps_spans
        self.vector: Pending = order.nothing
        self._spans: list[list[Span]] = [[Span()] for _ in PIPES]
        self._known: list[Clock] = [[0, 0, 0, 0] for _ in PIPES]
        self._given: Clock = [0, 0, 0, 0]  # for each pipe, how many of its spans hold work, `newest` left out
        self._meetings = Meetings()
        self.flags: dict[tuple[HardEvent, int], Flag] = {}
        self.watches = 0
        self.newest: Span = self._spans[V][0]

    # Work.

    def add(self, pipe: int, work: Work, call: Call, gm: GmRange | None = None, *, gm_written: bool = False) -> None:
        """`pipe` gets `work`. Vector work goes straight into `newest` and `vector`: it is most of all work."""
        spans = self._spans[pipe]
        span = spans[-1]
        span[work] = call
        self._given[pipe] = len(spans)
        if gm is not None:
            copy = (gm[0], gm[1], gm_written, work, call, gm)
            if span.in_gm:
                span.copies(copy)
            else:
                span.in_gm = [copy]  # the usual case, without a call
        self.watches |= _ALL_BUT[pipe]

    def suspects(self, pipe: int, work: Work, gm: GmRange | None = None, *, gm_written: bool = False) -> bool:
        """Other pipes touch stretches or GM bytes that `work` touches, and `pipe` does not know that they are done."""
        mark = work.footprint
        known = self._known[pipe]
        for other in _OTHERS[pipe]:
            spans = self._spans[other]
            done = known[other]
            if done == len(spans) - 1 and not spans[-1]:
                continue  # the usual case: it knows all that the other one has done
            for span in spans[done:]:
                if mark.may_meet(*span.stretches()):
                    return True
                if gm is not None and span.in_gm and _may_meet_in_gm(span.in_gm, work, gm, gm_written):
                    return True
        return False

    def races(self, pipe: int, work: Work, gm: GmRange | None = None, *, gm_written: bool = False) -> Iterator[Race]:
        """Conflicts of `work` on `pipe` with what other pipes were given and nothing orders before it."""
        mark = work.footprint
        for other in _OTHERS[pipe]:
            for span in self._spans[other][self._known[pipe][other] :]:
                if mark.may_meet(*span.stretches()):
                    yield from self._races_in_ub(pipe, work, PIPES[other], span)
                if gm is not None:
                    yield from _races_in_gm(pipe, work, PIPES[other], span.in_gm, gm, written=gm_written)

    def place_of(self, work: Work) -> Place:
        """Where vector work that is pending was called last."""
        return next(span[work][1:3] for span in reversed(self._spans[V]) if work in span)

    # Flags and barriers.

    def set_flag(self, event: HardEvent, number: int, call: Call, *, by_queue: bool = False) -> bool:
        """Set a flag. False: it is set already, and stays as it was."""
        key = (event, number)
        if key in self.flags:
            return False
        source = _ENDS[event][0]
        clock = self._known[source].copy()
        spans = self._spans[source]
        if spans[-1]:  # an empty span stays open: it says nothing
            span = Span()
            spans.append(span)
            if source == V:
                self.newest = span
                self._given[V] = len(spans) - 1
                self.watches |= _ALL_BUT[V]
        clock[source] = len(spans) - 1
        self.flags[key] = (clock, call, by_queue)
        if not len(spans) % MANY and not self._keeps_spans:
            self._merge_spans(source)
        return True

    def wait_flag(self, event: HardEvent, number: int) -> Clock | None:
        """Wait for a flag and clear it: the target pipe knows what its source had done. None: it is not set."""
        flag = self.flags.pop((event, number), None)
        if flag is None:
            return None
        clock, target = flag[0], _ENDS[event][1]
        if target != S:
            self._learn(target, clock)
        else:  # the scalar unit gives all pipes their work, so they know what it waited for
            for pipe in range(len(PIPES)):
                self._learn(pipe, clock)
        return clock

    def _learn(self, pipe: int, clock: Clock) -> None:
        """`pipe` takes over what `clock` knows more; perhaps it has nothing left to watch then."""
        known, is_behind = self._known[pipe], False
        if pipe == V and self._order.heeds_flags and clock[V] > known[V]:
            self.vector = self._order.only(self.vector, self._spans[V][clock[V] :])
        for other, given in enumerate(self._given):
            done = known[other]
            if clock[other] > done:
                done = known[other] = clock[other]
            if done < given and other != pipe:
                is_behind = True
        if not is_behind:
            self.watches &= _ALL_BUT[pipe]

    def vector_barrier(self) -> None:
        """The vector pipe has finished everything before it starts the next."""
        self.vector = self._order.nothing

    def barrier_all(self) -> None:
        """Every pipe has finished everything: nothing before can race with what comes, so it is forgotten."""
        self.vector = self._order.nothing
        for spans in self._spans:
            if len(spans) > 1:
                del spans[:-1]
            if spans[0]:
                spans[0] = Span()
        self.newest = self._spans[V][0]
        self._known = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]  # written out, it costs a fifth
        self._given = [0, 0, 0, 0]
        for clock, _, _ in self.flags.values():
            clock[:] = _NOTHING
        self.watches = 0

    def span_of(self, pipe: int) -> int:
        """Number of the span that the next work of `pipe` falls into."""
        return len(self._spans[pipe]) - 1

    def _merge_spans(self, pipe: int) -> None:
        """Spans that no clock tells apart become one, and those that every pipe knows to be done go, or a long kernel
        without a barrier would fill the memory.
        """
        spans = self._spans[pipe]
        clocks = [*self._known, *(clock for clock, _, _ in self.flags.values())]
        bounds = sorted({len(spans) - 1, *(clock[pipe] for clock in clocks)})
        for start, stop in pairwise(bounds):
            for span in spans[start + 1 : stop]:
                spans[start].absorb(span)
        asked_from = min(self._known[other][pipe] for other in (MTE2, MTE3) if other != pipe)
        for bound in bounds:
            if bound < asked_from:
                spans[bound].in_gm = ()  # the copy pipes alone ask for GM
        spans[:] = [spans[bound] for bound in bounds]
        number_of = {bound: i for i, bound in enumerate(bounds)}
        for clock in clocks:
            clock[pipe] = number_of[clock[pipe]]
        self._given[pipe] = len(spans) - 1  # only `set_flag` comes here, after which the last span is empty

    # Looking for the other side.

    def _races_in_ub(self, pipe: int, work: Work, other: Pipe, span: Span) -> Iterator[Race]:
        for earlier, call in span.items():
            for theirs, ours, shared in self._meetings.of(earlier, work):
                yield Race(earlier, call[1:3], other, theirs, ours, PIPES[pipe], *shared)


def _may_meet_in_gm(done: Iterable[InGm], work: Work, gm: GmRange, written: bool) -> bool:
    first, last = gm[0], gm[1]
    for start, stop, is_written, earlier, _, _ in done:
        meets = (is_written or written) and start < last and first < stop
        if meets and shared_in_gm(start, stop, earlier, gm, work) is not None:
            return True
    return False


def _races_in_gm(
    pipe: int, work: Work, other: Pipe, done: Iterable[InGm], gm: GmRange, *, written: bool
) -> Iterator[Race]:
    for start, stop, is_written, earlier, call, _ in done:
        shared = shared_in_gm(start, stop, earlier, gm, work) if is_written or written else None
        if shared is not None:
            yield Race(earlier, call[1:3], other, gm_access(earlier), gm_access(work), PIPES[pipe], *shared)
