"""The pipes of one core: in-order queues behind one scalar unit. They play a trace, call by call.

The loop in `play` runs once for each issue. It keeps to tuples and local names, because it is the cost of asking for
cycles.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ascend_sim.machine.ordering import NUMBER, PIPES
from ascend_sim.timing.cost import Kind, Op
from isa.timings import BARRIER, EVENT, QUEUE_DEPTH, SCALAR_ISSUE

_DEPTH = int(QUEUE_DEPTH.value)
_STEP, _EVENT, _BARRIER = SCALAR_ISSUE.value, EVENT.value, BARRIER.value
# members of an enum are slow to look up, and these are needed for every flag
_REGISTER, _BARRIER_ONE, _BARRIER_ALL, _SET_FLAG, _WAIT_FLAG = map(
    int, (Kind.REGISTER, Kind.BARRIER, Kind.BARRIER_ALL, Kind.SET_FLAG, Kind.WAIT_FLAG)
)

Compiled = tuple[int, int, float, float, float, Op]
"""(kind, number of the pipe, cycles taken, cycles to the result, set-up, op) of one issue."""

BY_SCALAR, BY_PIPE, BY_BARRIER, BY_MASK = -1, -2, -3, -4
"""What an instruction waited for: its issue, the one before it, a barrier; else the number of the pipe whose flag."""

Event = tuple[Op, float, float, int, float]
"""(op, issued, started, what it waited for, how long) of one issue, in cycles."""


def compiled(op: Op) -> Compiled:
    """The fields of an op that the loop reads."""
    return int(op.kind), NUMBER[op.pipe], op.occupies, op.total, op.setup, op


class Pipes:
    """Where every pipe stands, in cycles.

    scalar: the last issue; front: barriers and flags let nothing start before; behind: who set it; free: the entrance
    of the pipe; drained: all results are there; started: the last instructions, in order; flags: those that are set,
    with the number of the issue that did it; index: the next issue.
    """

    def __init__(self, begin: float) -> None:
        self.scalar = begin
        self.front = [begin] * len(PIPES)
        self.behind = [BY_SCALAR] * len(PIPES)
        self.free = [begin] * len(PIPES)
        self.drained = [begin] * len(PIPES)
        self.started: list[list[float]] = [[] for _ in PIPES]
        self.flags: dict[Any, list[tuple[float, int]]] = {}
        self.index = 0

    @property
    def end(self) -> float:
        """The last result is there, and the last register written."""
        return max(self.scalar, *self.drained, *self.front)

    def state(self) -> tuple[Any, ...]:
        """All that the future depends on, seen from the scalar unit: what lies behind it does not matter any more."""
        now = self.scalar
        past = [tuple([t - now if t > now else 0.0 for t in times]) for times in (self.front, self.free, self.drained)]
        queues = [tuple([t - now for t in queue[-_DEPTH:] if t > now]) for queue in self.started]
        flags = [
            (flag, tuple([max(t - now, 0.0) for t, _ in pending])) for flag, pending in self.flags.items() if pending
        ]
        return (*past, *queues, frozenset(flags))

    def skip(self, cycles: float) -> None:
        """Move everything forward: so long the pipes did again what they did before."""
        self.scalar += cycles
        for times in (self.front, self.free, self.drained, *self.started):
            times[:] = [t + cycles for t in times]
        for pending in self.flags.values():
            pending[:] = [(t + cycles, i) for t, i in pending]

    def play(self, ops: Sequence[Compiled], add: Callable[[Event], None] | None = None) -> None:
        """Issue instructions. add: called with each event."""
        scalar, front, free, drained, started = self.scalar, self.front, self.free, self.drained, self.started
        for kind, pipe, occupies, total, setup, op in ops:
            scalar += _STEP
            if kind:
                at, why = self.synchronise(kind, op, pipe, scalar)
                front = self.front
                if add is not None:
                    add((op, scalar, at, why, 0.0))
                if (pipe == 0 and kind >= _BARRIER_ONE) or kind == _BARRIER_ALL:
                    scalar = max(scalar, at)  # barriers and waits of the scalar pipe hold everything that follows
            else:
                queue = started[pipe]
                if len(queue) >= _DEPTH and queue[-_DEPTH] > scalar:
                    scalar = queue[-_DEPTH]
                start, why = scalar + setup, BY_SCALAR
                if free[pipe] > start:
                    start, why = free[pipe], BY_PIPE
                waited = front[pipe] - start
                if waited > 0:
                    start, why = start + waited, self.behind[pipe]
                else:
                    waited = 0.0
                queue.append(start)
                free[pipe] = start + occupies
                if start + total > drained[pipe]:  # noqa: PLR1730  (max is slower)
                    drained[pipe] = start + total
                if add is not None:
                    add((op, scalar, start, why, waited))
            self.index += 1
        self.scalar = scalar

    def synchronise(self, kind: int, op: Op, pipe: int, scalar: float) -> tuple[float, int]:
        """A register write, barrier or flag: when it happens, and the issue that let a WaitFlag through."""
        front = self.front
        at = max(scalar, front[pipe])
        source = BY_SCALAR
        if kind == _SET_FLAG:
            at = max(at, self.drained[pipe]) if pipe else scalar
            self.flags.setdefault(op.flag, []).append((at + _EVENT, self.index))
        elif kind == _WAIT_FLAG:
            pending = self.flags.get(op.flag)
            if pending:  # a wait that nothing answers is the business of the deadlock check
                seen, source = pending.pop(0)
                if seen > at:
                    at, self.behind[pipe] = seen, NUMBER[op.flag[0].source]
            front[pipe] = at
        elif kind == _BARRIER_ONE:
            at = max(at, self.drained[pipe] + _BARRIER)
            if at > front[pipe]:
                front[pipe], self.behind[pipe] = at, BY_BARRIER
        elif kind == _BARRIER_ALL:
            at = max(scalar, *front, *(d + _BARRIER for d in self.drained))
            self.front, self.behind = [at] * len(PIPES), [BY_BARRIER] * len(PIPES)
        elif kind == _REGISTER and op.occupies:
            self.behind[pipe] = BY_MASK if at == scalar else self.behind[pipe]
            front[pipe] = at + op.occupies
        return at, source
