"""From a trace to a timeline: in-order pipes behind one scalar unit that issues in program order.

Every pipe starts an instruction when it has been issued, when the one before has left the pipe's entrance, and when the
barriers and flags in front of it allow. docs/timing.md has the equations; `cost` has what each instruction costs.

The loop below runs once for each issue of a trace. It keeps to tuples and local names, because asking for cycles may
cost at most 30 % of the run (issue 6 of the project's plan).
"""

from typing import Any

from ascend_sim.timing.contract import block_traces, calls
from ascend_sim.timing.cost import Kind, Op, op_of
from ascend_sim.timing.timeline import BlockTimeline, Timeline
from isa.families import Pipe
from isa.products import Product
from isa.products import product as product_of
from isa.timings import BARRIER, EVENT, QUEUE_DEPTH, SCALAR_ISSUE, Machine, machine_of

PIPES = (Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3)
_NUMBER = {pipe: i for i, pipe in enumerate(PIPES)}
_DEPTH = int(QUEUE_DEPTH.value)

Compiled = tuple[int, int, float, float, float, Op]
"""(kind, number of the pipe, cycles taken, cycles to the result, set-up, op) of one issue."""

BY_SCALAR, BY_PIPE, BY_BARRIER = -1, -2, -3
"""What an instruction waited for: its issue, the one before it, a barrier; else the number of the pipe whose flag."""


def timeline(trace: Any, product: Product | str, *, machine: Machine | None = None) -> Timeline:
    """When each issue of a trace runs on `product`.

    trace: `report.trace`, `core.trace` or any sequence of entries. The product is one of the architecture that the
    trace was lowered for. machine: other figures than the product's own.
    """
    chip = product_of(product) if isinstance(product, str) else product
    figures = machine or machine_of(chip)
    blocks = block_traces(trace)
    cores = len({block_core(b, chip) for b in blocks})
    ready: dict[int, float] = {}
    timed = []
    known: dict[Any, tuple[Compiled, ...]] = {}
    for block in blocks:
        core = block_core(block, chip)
        begin = ready.get(core, 0.0)
        one = BlockTimeline(block, core, begin, *_run(block, chip, figures, cores, begin, known))
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


def _run(
    block: Any, product: Product, machine: Machine, cores: int, begin: float, known: dict[Any, tuple[Compiled, ...]]
) -> tuple[list[Event], float]:
    """The events of one block that starts at `begin`, and when its last result is there."""
    events: list[Event] = []
    add = events.append
    step, signal, release = SCALAR_ISSUE.value, EVENT.value, BARRIER.value
    scalar = begin
    front = [begin] * len(PIPES)  # barriers and flags let nothing start before
    behind = [BY_SCALAR] * len(PIPES)  # who set `front`
    free = [begin] * len(PIPES)  # the pipe's entrance
    drained = [begin] * len(PIPES)  # all results are there
    started: list[list[float]] = [[] for _ in PIPES]
    flags: dict[Any, list[tuple[float, int]]] = {}
    index = 0
    for issues, values in calls(block):
        key = id(issues)
        ops = known.get(key)
        if ops is None:
            ops = known[key] = tuple([compiled(op_of(i, machine, product, cores)) for i in issues])
        for kind, pipe, occupies, total, setup, op in ops:
            scalar += step
            if kind == 0:
                if op.unaligned is not None and _is_unaligned(values, product):
                    _, _, occupies, total, setup, op = compiled(op.unaligned)  # noqa: PLW2901  (the other costs)
                queue = started[pipe]
                if len(queue) >= _DEPTH and queue[-_DEPTH] > scalar:
                    scalar = queue[-_DEPTH]
                start, why = scalar + setup, BY_SCALAR
                ideal = start
                if free[pipe] > start:
                    start, why = free[pipe], BY_PIPE
                    ideal = start
                if front[pipe] > start:
                    start, why = front[pipe], behind[pipe]
                queue.append(start)
                free[pipe] = start + occupies
                if start + total > drained[pipe]:
                    drained[pipe] = start + total
                add((op, index, scalar, start, why, start - ideal))
            elif kind == Kind.REGISTER:
                at = max(front[pipe], scalar)
                front[pipe] = at + occupies
                if at == scalar:
                    behind[pipe] = BY_SCALAR
                add((op, index, scalar, at, BY_SCALAR, 0.0))
            elif kind == Kind.BARRIER:
                at = max(front[pipe], scalar, drained[pipe] + release)
                if at > front[pipe]:
                    front[pipe], behind[pipe] = at, BY_BARRIER
                add((op, index, scalar, at, BY_BARRIER, 0.0))
                if pipe == 0:
                    scalar = max(scalar, at)
            elif kind == Kind.BARRIER_ALL:
                at = max(scalar, *front, *(d + release for d in drained))
                front, behind = [at] * len(PIPES), [BY_BARRIER] * len(PIPES)
                add((op, index, scalar, at, BY_BARRIER, 0.0))
                scalar = at
            elif kind == Kind.SET_FLAG:
                at = max(front[pipe], scalar, drained[pipe]) if pipe else scalar
                flags.setdefault(op.flag, []).append((at + signal, index))
                add((op, index, scalar, at, BY_SCALAR, 0.0))
            elif kind == Kind.WAIT_FLAG:
                at = max(front[pipe], scalar)
                pending = flags.get(op.flag)
                source = -1
                if pending:  # a wait that nothing answers is the deadlock check's business
                    seen, source = pending.pop(0)
                    if seen > at:
                        at = seen
                        behind[pipe] = _NUMBER[op.flag[0].source]
                front[pipe] = at
                add((op, index, scalar, at, source, 0.0))
                if pipe == 0:
                    scalar = max(scalar, at)
            index += 1
    return events, max(scalar, *drained)


def _is_unaligned(values: Any, product: Product) -> bool:
    from ascend_sim.timing.copies import gm_unit

    unit = gm_unit(product)
    return bool(unit) and len(values) > 1 and isinstance(values[1], int) and values[1] % unit != 0
