"""From a trace to a timeline: in-order pipes behind one scalar unit that issues in program order.

Every pipe starts an instruction when it has been issued, when the one before has left the pipe's entrance, and when the
barriers and flags in front of it allow. docs/timing.md has the equations; `cost` has what each instruction costs.

The loop below runs once for each issue of a trace. It keeps to tuples and local names, because asking for cycles may
cost at most 30 % of the run (issue 6 of the project's plan).
"""

from collections.abc import Sequence
from typing import Any

from ascend_sim.timing.contract import Call, block_traces, calls
from ascend_sim.timing.copies import gm_unit
from ascend_sim.timing.cost import Kind, Op, op_of
from ascend_sim.timing.timeline import BlockTimeline, Timeline
from isa.families import Pipe
from isa.products import Product
from isa.products import product as product_of
from isa.timings import BARRIER, EVENT, MACHINES, QUEUE_DEPTH, SCALAR_ISSUE, Machine

PIPES = (Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3)
_NUMBER = {pipe: i for i, pipe in enumerate(PIPES)}
_DEPTH = int(QUEUE_DEPTH.value)

Compiled = tuple[int, int, float, float, float, Op]
"""(kind, number of the pipe, cycles taken, cycles to the result, set-up, op) of one issue."""

BY_SCALAR, BY_PIPE, BY_BARRIER, BY_MASK = -1, -2, -3, -4
"""What an instruction waited for: its issue, the one before it, a barrier; else the number of the pipe whose flag."""


def timeline(trace: Any, product: Product | str, *, machine: Machine | None = None) -> Timeline:
    """When each issue of a trace runs on `product`.

    trace: `report.trace`, `core.trace` or any sequence of entries. The product is one of the architecture that the
    trace was lowered for. machine: other figures than the product's own.
    """
    chip = product_of(product) if isinstance(product, str) else product
    figures = machine or MACHINES[chip.id]
    blocks = block_traces(trace)
    cores = len({block_core(b, chip) for b in blocks})
    ready: dict[int, float] = {}
    timed = []
    played = [calls(block) for block in blocks]  # held until the end: `known` goes by the identity of what is in them
    known: dict[Any, tuple[Compiled, ...]] = {}
    for block, played_block in zip(blocks, played, strict=True):
        core = block_core(block, chip)
        begin = ready.get(core, 0.0)
        one = BlockTimeline(block, core, begin, *_run(played_block, chip, figures, cores, begin, known))
        ready[core] = one.end
        timed.append(one)
    return Timeline(chip, figures, timed, cores)


def block_core(block: Any, product: Product) -> int:
    """The core that a block runs on."""
    return int(getattr(block, "core", 0)) % product.vector_cores


def compiled(op: Op) -> Compiled:
    """The fields of an op that the loop reads."""
    return int(op.kind), _NUMBER[op.pipe], op.occupies, op.total, op.setup, op


Event = tuple[Op, int, float, float, int, float]
"""(op, number of the issue, issued, started, what it waited for, how long) of one issue, in cycles."""


class _Pipes:
    """Where every pipe stands while a block is timed, in cycles.

    front: barriers and flags let nothing start before; behind: who set it; free: the entrance of the pipe; drained: all
    results are there; started: of each instruction, in order; flags: those that are set, with the issue that did it.
    """

    def __init__(self, begin: float) -> None:
        self.front = [begin] * len(PIPES)
        self.behind = [BY_SCALAR] * len(PIPES)
        self.free = [begin] * len(PIPES)
        self.drained = [begin] * len(PIPES)
        self.started: list[list[float]] = [[] for _ in PIPES]
        self.flags: dict[Any, list[tuple[float, int]]] = {}

    def synchronise(self, op: Op, pipe: int, scalar: float, index: int) -> tuple[float, int]:
        """A register write, barrier or flag: when it happens, and the issue that let a WaitFlag through."""
        front = self.front
        at = max(front[pipe], scalar)
        source = BY_SCALAR
        match op.kind:
            case Kind.REGISTER:
                if op.occupies:
                    self.behind[pipe] = BY_MASK if at == scalar else self.behind[pipe]
                    front[pipe] = at + op.occupies
            case Kind.BARRIER:
                at = max(at, self.drained[pipe] + BARRIER.value)
                if at > front[pipe]:
                    front[pipe], self.behind[pipe] = at, BY_BARRIER
            case Kind.BARRIER_ALL:
                at = max(scalar, *front, *(d + BARRIER.value for d in self.drained))
                self.front, self.behind = [at] * len(PIPES), [BY_BARRIER] * len(PIPES)
            case Kind.SET_FLAG:
                at = max(at, self.drained[pipe]) if pipe else scalar
                self.flags.setdefault(op.flag, []).append((at + EVENT.value, index))
            case Kind.WAIT_FLAG:
                pending = self.flags.get(op.flag)
                if pending:  # a wait that nothing answers is the business of the deadlock check
                    seen, source = pending.pop(0)
                    if seen > at:
                        at, self.behind[pipe] = seen, _NUMBER[op.flag[0].source]
                front[pipe] = at
        return at, source


def _run(
    played: Sequence[Call],
    product: Product,
    machine: Machine,
    cores: int,
    begin: float,
    known: dict[Any, tuple[Compiled, ...]],
) -> tuple[list[Event], float]:
    """The events of one block that starts at `begin`, and when its last result is there."""
    events: list[Event] = []
    add = events.append
    state = _Pipes(begin)
    free, drained, started, behind = state.free, state.drained, state.started, state.behind
    step, unit = SCALAR_ISSUE.value, gm_unit(product)
    scalar = begin
    index = 0
    for issues, values in played:
        ops = known.get(id(issues))
        if ops is None:
            ops = known[id(issues)] = tuple([compiled(op_of(i, machine, product, cores)) for i in issues])
        for kind, pipe, occupies, total, setup, op in ops:
            scalar += step
            if kind:
                at, why = state.synchronise(op, pipe, scalar, index)
                behind = state.behind
                add((op, index, scalar, at, why, 0.0))
                if (pipe == 0 and kind >= _HOLDS_SCALAR) or kind == Kind.BARRIER_ALL:
                    scalar = max(scalar, at)
            else:
                if op.unaligned is not None and unit and _offset(values) % unit:
                    op = op.unaligned  # noqa: PLW2901  (the same instruction with its other costs)
                    occupies, total = op.occupies, op.total  # noqa: PLW2901  (as above)
                queue = started[pipe]
                if len(queue) >= _DEPTH and queue[-_DEPTH] > scalar:
                    scalar = queue[-_DEPTH]
                start, why = scalar + setup, BY_SCALAR
                if free[pipe] > start:
                    start, why = free[pipe], BY_PIPE
                waited = state.front[pipe] - start
                if waited > 0:
                    start, why = start + waited, behind[pipe]
                else:
                    waited = 0.0
                queue.append(start)
                free[pipe] = start + occupies
                drained[pipe] = max(drained[pipe], start + total)
                add((op, index, scalar, start, why, waited))
            index += 1
    return events, max(scalar, *drained)


_HOLDS_SCALAR = Kind.BARRIER  # barriers and waits on the scalar pipe hold everything that follows


def _offset(values: Any) -> int:
    """Byte offset of a copy in its GM array; 0 where the call has none."""
    return int(values[1]) if len(values) > 1 and isinstance(values[1], int) else 0
