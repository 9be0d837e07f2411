"""What one issue costs: cycles that it holds its pipe, cycles until its results are there, and why.

A pure function of the issue, the machine and the number of active cores. docs/timing.md has the equations.
"""

import enum
from functools import lru_cache
from typing import Any

import attrs

from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.registers import Mask
from ascend_sim.machine.walk import Bursts, Lanes
from ascend_sim.timing import banks, banks_950
from ascend_sim.timing.banks import Stream
from ascend_sim.timing.copies import copy_cycles
from isa.families import Pipe
from isa.model import Timing
from isa.products import BLOCK_BYTES, REPEAT_BYTES, Product
from isa.timings import (
    COUNTER_SETUP,
    LOOP,
    LOOP_BASE,
    LOOP_OVERLAP,
    LOOP_PORT,
    LOOP_ROW,
    LOOP_UNKNOWN,
    LOOP_VECTOR,
    MASK_WRITE,
    PARTIAL_MANY,
    VECTOR,
    Machine,
    VectorCost,
)


class Kind(enum.IntEnum):
    """What an issue does to the pipes."""

    WORK = 0
    REGISTER = 1
    BARRIER = 2
    BARRIER_ALL = 3
    SET_FLAG = 4
    WAIT_FLAG = 5
    SCALAR = 6


_GRAIN = 64


def _grains(cycles: float) -> float:
    return round(cycles * _GRAIN) / _GRAIN


@attrs.frozen(eq=False)
class Op:
    """One issue with its costs, in cycles, the times in multiples of 1/64 (see `model`).

    occupies: the pipe is taken for so long; total: results are there so long after the start; setup: from issue to the
    earliest start; conflicts: part of `occupies` that bank conflicts add; repeats: what `occupies` counts.
    flag: event and id; unaligned: costs when the GM address is not aligned.
    """

    issue: Issue
    kind: Kind
    pipe: Pipe
    occupies: float = attrs.field(default=0.0, converter=_grains)
    total: float = attrs.field(default=0.0, converter=_grains)
    setup: float = attrs.field(default=0.0, converter=_grains)
    conflicts: float = 0
    nbytes: int = 0
    flag: Any = None
    unaligned: "Op | None" = None

    @property
    def name(self) -> str:
        return self.issue.name


def no_cost(issue: Issue, *_: Any) -> Op:
    """An issue that was not executed: it is given out, and takes no time."""
    return Op(issue, Kind.WORK, issue.pipe)


def op_of(issue: Issue, machine: Machine, product: Product, cores: int) -> Op:
    """The costs of one issue when `cores` cores are active."""
    name = issue.name
    if issue.instruction.timing is Timing.STATE:
        return _state(issue, name, machine)
    if issue.bursts is not None and issue.pipe is not Pipe.V:
        unaligned = _copy(issue, machine, product, cores)
        return _copy(issue, machine, product, cores, unaligned)
    if machine.registers:
        cycles, conflicts = loop_of(issue)
        return Op(issue, Kind.WORK, issue.pipe, cycles, cycles, conflicts=conflicts)
    cost = VECTOR[issue.instruction.timing]
    repeats = repeats_of(issue)
    plain = compute_cycles(issue, cost, repeats)
    busy = max(plain, bank_cycles_of(issue, cost, product))
    interval = cost.interval_scalar_int if issue.instruction.family.has_scalar and _is_int(issue) else cost.interval
    return Op(
        issue,
        Kind.WORK,
        issue.pipe,
        occupies=max(interval.value, busy),
        total=busy + cost.drain.value + latency_of(issue, cost),
        setup=COUNTER_SETUP.value if issue.control.counts and issue.lanes is not None else 0,
        conflicts=max(interval.value, busy) - max(interval.value, plain),
    )


def _state(issue: Issue, name: str, machine: Machine) -> Op:
    arguments = issue.arguments
    if "event" in arguments:
        event = arguments["event"]
        if name == "SetFlag":
            return Op(issue, Kind.SET_FLAG, event.source, flag=(event, arguments["event_id"]))
        return Op(issue, Kind.WAIT_FLAG, event.target, flag=(event, arguments["event_id"]))
    pipe = arguments.get("pipe")
    if pipe is not None:
        one = isinstance(pipe, Pipe) and pipe is not Pipe.ALL
        return Op(issue, Kind.BARRIER, pipe) if one else Op(issue, Kind.BARRIER_ALL, Pipe.S)
    writes_mask = isinstance(issue.mask, Mask) and not machine.registers
    return Op(issue, Kind.REGISTER, Pipe.V, occupies=MASK_WRITE.value if writes_mask else 0)


def _copy(issue: Issue, machine: Machine, product: Product, cores: int, unaligned: Op | None = None) -> Op:
    """A copy from an aligned GM address, given what it costs from one that is not; without that, the latter."""
    bursts = issue.bursts
    assert bursts is not None
    reads = issue.pipe is Pipe.MTE2
    pitch = issue.remote.walk.repeat_stride if issue.remote is not None else 0
    aligned = unaligned is not None
    busy, total = copy_cycles(bursts.count, bursts.length, pitch, machine, product, cores, reads=reads, aligned=aligned)
    return Op(issue, Kind.WORK, issue.pipe, busy, total, nbytes=bursts.count * bursts.length, unaligned=unaligned)


# Vector unit of 910B and its relatives.


def repeats_of(issue: Issue) -> int:
    """Repeats of 256 bytes that the vector unit works through."""
    if issue.lanes is not None:
        return issue.lanes.repeats
    if issue.bursts is None:
        return 1
    return issue.bursts.count * -(-issue.bursts.length // REPEAT_BYTES)


def widest_bits(issue: Issue) -> int:
    """Width of the widest operand in bits."""
    return max((a.dtype.bits for a in issue.accesses), default=32)


def _is_wide(issue: Issue) -> bool:
    return widest_bits(issue) > 16


def _is_int(issue: Issue) -> bool:
    return bool(issue.writes) and issue.writes[0].dtype.is_integer


def latency_of(issue: Issue, cost: VectorCost) -> float:
    """Cycles from the last read to its result."""
    pair = cost.latency_int if cost.latency_int is not None and _is_int(issue) else cost.latency
    return pair[_is_wide(issue)]


def compute_cycles(issue: Issue, cost: VectorCost, repeats: int) -> float:
    """Cycles of the datapath, bank conflicts apart."""
    if repeats == 0:
        return 0
    wide = _is_wide(issue)
    each = cost.wide if wide else cost.narrow
    if cost.packed is not None and wide and issue.writes and issue.writes[0].walk.repeat_stride % BLOCK_BYTES:
        each = cost.packed
    if cost.mixed is not None and wide and issue.reads and min(a.dtype.bits for a in issue.reads) <= 16:
        each = cost.mixed
    if cost.masked is not None and issue.lanes is not None and issue.lanes.repeats:
        each = max(cost.masked, each * issue.lanes.active_count / (issue.lanes.repeats * issue.lanes.width))
    cycles = each * repeats + cost.fixed + (0 if wide else cost.fixed_narrow)
    if cost.group:
        cycles += (repeats - 1) // cost.group * cost.group_cycles
    if cost.partial[0]:
        lanes = REPEAT_BYTES * 8 // max((a.dtype.bits for a in issue.reads), default=32)
        if repeats % max(BLOCK_BYTES * 8 // lanes, 1):
            cycles += cost.partial[repeats >= PARTIAL_MANY]
    return cycles


def bank_cycles_of(issue: Issue, cost: VectorCost, product: Product) -> float:
    """Cycles of the bank arbiter; 0 where it does not apply or the bank map is not public."""
    if not cost.banks or product.banks is None or issue.lanes is None or not issue.lanes.repeats:
        return 0
    return banks.bank_cycles(*canonical(*streams_of(issue), issue.lanes.repeats))


def streams_of(issue: Issue) -> tuple[tuple[Stream, ...], Stream | None]:
    """The walks of the sources and of the first destination, in blocks."""
    sources = tuple(s for a in issue.reads for s in [_stream(a)] if s)
    target = _stream(issue.writes[0]) if issue.writes else None
    return sources, target


def _stream(access: Access) -> Stream | None:
    lanes = access.lanes
    if access.space is not Space.UB or isinstance(lanes, Bursts) or not isinstance(lanes, Lanes):
        return None
    blocks = -(-lanes.reach * access.dtype.bits // (8 * BLOCK_BYTES))
    walk = access.walk
    return Stream(walk.base // BLOCK_BYTES, walk.block_stride // BLOCK_BYTES, walk.repeat_stride // BLOCK_BYTES, blocks)


_REGION = (64 << 10) // BLOCK_BYTES  # one pass over the first banks of all groups; inside it only the group matters
_ROW = 512 // BLOCK_BYTES


def canonical(
    sources: tuple[Stream, ...], target: Stream | None, repeats: int
) -> tuple[tuple[Stream, ...], Stream | None, int]:
    """The same walks moved to the start of their region: the same conflicts, and equal cases are worked out once."""
    known: dict[int, Stream] = {}
    moved: list[Stream | None] = []
    for stream in (*sources, target):
        if stream is None:
            moved.append(None)
            continue
        reach = (repeats - 1) * stream.repeat_stride + (stream.blocks - 1) * stream.block_stride
        region = stream.first // _REGION
        if (stream.first + max(reach, 0)) // _REGION != region:
            return sources, target, repeats
        first = region * _REGION + stream.first % _ROW
        while known.setdefault(first, stream).first != stream.first:  # another row of the same banks stays another row
            first += _ROW
        moved.append(attrs.evolve(stream, first=first))
    *new, last = moved
    return tuple(s for s in new if s is not None), last, repeats


# Register loops of 950.


def loop_of(issue: Issue) -> tuple[float, float]:
    """Cycles of the register loop of one call, and how many of them bank conflicts add."""
    repeats = repeats_of(issue)
    sources, target = streams_of(issue)
    found = banks_950.bank_cycles(sources, target, repeats)
    ideal = _dense_cycles(len(sources), target is not None, repeats)
    cycles = [loop_cycles(issue.instruction.timing, _is_wide(issue), 1, repeats, c) for c in (found, min(found, ideal))]
    return cycles[0], cycles[0] - cycles[1]


@lru_cache(maxsize=1024)
def _dense_cycles(sources: int, has_target: bool, repeats: int) -> float:
    """Bank cycles of operands that lie side by side."""
    streams = [Stream(i * 4096 + 8 * (i % 2), 1, 8, 8) for i in range(sources + 1)]
    return banks_950.bank_cycles(tuple(streams[:sources]), streams[-1] if has_target else None, repeats)


def loop_cycles(timing: Timing, wide: bool, rows: int, vectors: int, bank_cycles: float) -> float:
    """Cycles of a register loop over `rows` x `vectors` vectors of 256 bytes, from call to the last store.

    base + latency + the slowest of: issue of the loop, the arithmetic units, the load and store ports.
    """
    cost = LOOP.get(timing, LOOP_UNKNOWN)
    issue = rows * (vectors * LOOP_VECTOR.value + LOOP_ROW.value)
    units = rows * vectors * cost.interval[not wide] + LOOP_ROW.value
    ports = bank_cycles * LOOP_PORT.value - LOOP_OVERLAP.value
    return LOOP_BASE.value + cost.latency[not wide] + max(issue, units, ports)
