"""Which vector instructions need a barrier before them, on products whose vector pipe overlaps its instructions.

The vector work that no barrier separates from what comes next is a state, and each instruction leads from one state to
another. States remember where they led, so that an instruction of a loop, which comes again and again, costs one
look-up.
"""

from collections.abc import Container, Iterator, Sequence

from ascend_sim.machine.work import Meetings, Work

_LIMIT = 512  # states that one core remembers; a loop has fewer


class Pending(dict[Work, "tuple[Work | None, Pending]"]):
    """A state. `state[work]` is the earlier work on which `work` depends (None: no barrier is needed) and the state
    after it: `work` is pending then, alone when it had to wait for a barrier.

    It holds `work` and what `before` holds. read, written: stretches of the buffer that all of it touches.
    """

    __slots__ = ("_order", "before", "read", "work", "written")

    def __init__(self, order: "VectorOrder", before: "Pending | None" = None, work: Work | None = None) -> None:
        self._order = order
        self.before = before
        self.work = work
        self.read = self.written = 0
        if before is not None and work is not None:
            read, written = work.footprint
            self.read, self.written = before.read | read, before.written | written

    def __missing__(self, work: Work) -> "tuple[Work | None, Pending]":
        self[work] = step = self._order.step(self, work)
        return step

    def works(self) -> Iterator[Work]:
        """All of it, the latest first."""
        state: Pending | None = self
        while state is not None and state.work is not None:
            yield state.work
            state = state.before


class VectorOrder:
    """The states of one core.

    is_needed: False where the vector pipe is in order: there it never leaves its state. heeds_flags: work that a flag
    tells the vector pipe to be finished is not pending; False for barriers that are inserted, because the compiler
    looks at addresses alone.
    """

    def __init__(self, *, is_needed: bool, heeds_flags: bool) -> None:
        self._is_needed = is_needed
        self.heeds_flags = heeds_flags
        self._meetings = Meetings()
        self._states: list[Pending] = []
        self.nothing = Pending(self)
        """The state after a barrier."""

    def step(self, state: Pending, work: Work) -> tuple[Work | None, Pending]:
        """What `state[work]` is."""
        if len(self._states) >= _LIMIT or len(state) >= _LIMIT:  # of work that does not come again
            self._forget()
        if not self._is_needed:
            return None, state
        earlier = self._dependence(state, work)
        if earlier is not None:
            return earlier, self.nothing[work][1]
        if not work.footprint.written and work in state.works():
            return None, state  # what only reads may come again and again
        after = Pending(self, state, work)
        self._states.append(after)
        return None, after

    def only(self, state: Pending, spans: Sequence[Container[Work]]) -> Pending:
        """The state in which the work of these spans alone is pending: the rest is known to be finished."""
        left = self.nothing
        for work in reversed([w for w in state.works() if any(w in span for span in spans)]):
            left = left[work][1]
        return left

    def _forget(self) -> None:
        for state in (self.nothing, *self._states):
            state.clear()  # they refer to each other
        self._states.clear()

    def _dependence(self, state: Pending, work: Work) -> Work | None:
        """Pending work that shares a byte with `work` which one of the two writes."""
        mark = work.footprint
        if not mark.may_meet(state.read, state.written):
            return None
        for earlier in state.works():
            if earlier is work:  # what comes again writes the same bytes again
                return earlier
            if mark.may_meet(*earlier.footprint) and self._meetings.of(earlier, work):
                return earlier
        return None
