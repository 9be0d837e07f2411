"""Moves whose addresses stand in memory: Gather, Gatherb, Scatter, GatherMask (spec 01 sections 3.6 and 3.7).

An operand of unknown place gets `Indexed` lanes, which read the table when somebody asks; checks, marking and
execution see the same addresses because they ask the same function.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from ascend_sim.machine.core import Core
from ascend_sim.machine.issue import Access, Issue
from ascend_sim.machine.memory import UnifiedBuffer
from ascend_sim.machine.touched import touched
from ascend_sim.machine.walk import Indexed, Lanes, Offsets
from isa.dtypes import uint32_t
from isa.families import Shape
from isa.products import BLOCK_BYTES

WORD = 1 << 32
Step = Callable[..., None]


@attrs.frozen
class Targets:
    """What a table says: for each of its active entries the offset as it stands, and the address that it means."""

    offset: Offsets
    address: Offsets
    repeat: Offsets
    lane: Offsets


def with_tables(
    shape: Shape, accesses: Sequence[Access], arguments: Mapping[str, Any], ub: UnifiedBuffer
) -> tuple[Access, ...]:
    """The accesses, those of unknown place with lanes that look them up."""
    made = list(accesses)
    if shape in (Shape.GATHER, Shape.SCATTER):
        moved = 1 if shape is Shape.GATHER else 0
        table, base = made[2], arguments_base(arguments)
        target = made[moved]
        made[moved] = attrs.evolve(target, lanes=Indexed(lambda: _elements(target, table, base, ub)))
    return tuple(made)


def block_lanes(target: Access, table: Access, ub: UnifiedBuffer) -> Access:
    """A source whose blocks the table names."""
    return attrs.evolve(target, lanes=Indexed(lambda: _elements(target, table, 0, ub)))


def arguments_base(arguments: Mapping[str, Any]) -> int:
    """The base address argument of Gather and Scatter, 0 for Gatherb."""
    return int(arguments.get("src_base_addr", arguments.get("dst_base_addr", 0)))


def targets(target: Access, table: Access, base: int, ub: UnifiedBuffer) -> Targets:
    """Addresses that the table means, in or out of memory: base + offset, in 32 bits, from the tensor's start."""
    where = touched(table)
    inside = where.address + uint32_t.size <= ub.size
    where = where.of(inside)
    raw = ub.data[where.address[:, None] + np.arange(uint32_t.size)].view(np.uint32)[:, 0].astype(np.int64)
    return Targets(raw, target.address + (base + raw) % WORD, where.repeat, where.lane)


def is_by_block(table: Access) -> bool:
    """Gatherb: each table entry stands for a whole block."""
    return isinstance(table.lanes, Lanes) and table.lanes.width == BLOCK_BYTES // uint32_t.size and not _is_lane(table)


def _is_lane(table: Access) -> bool:
    pattern = table.operand.pattern
    return pattern is None or bool(getattr(pattern, "by_lane", True))


def _elements(target: Access, table: Access, base: int, ub: UnifiedBuffer) -> tuple[Offsets, Offsets, Offsets]:
    found = targets(target, table, base, ub)
    address, repeat, lane = found.address, found.repeat, found.lane
    size = target.dtype.size
    if is_by_block(table):
        each = np.arange(BLOCK_BYTES // size)
        address = (address[:, None] + each * size).ravel()
        repeat = np.repeat(repeat, each.size)
        lane = (lane[:, None] * each.size + each).ravel()
    inside = (address >= 0) & (address + size <= ub.size)
    return address[inside], repeat[inside], lane[inside]


def bind_gather(issue: Issue, core: Core) -> Step:
    """dst[k] = the element that offset[k] means; Gatherb: block by block."""
    dst, src, table = issue.accesses
    ub = core.ub
    base = arguments_base(issue.arguments)
    where = touched(dst)
    size = dst.dtype.size
    by_block = is_by_block(table)
    bytes_ = np.arange(size)

    def run(*_: Any) -> None:
        found = targets(src, table, base, ub)
        address = found.address
        if by_block:
            address = (address[:, None] + np.arange(0, BLOCK_BYTES, size)).ravel()
        inside = (address >= 0) & (address + size <= ub.size)
        values = ub.data[address[inside][:, None] + bytes_]
        ub.data[where.address[: address.size][inside][:, None] + bytes_] = values

    return run


def bind_scatter(issue: Issue, core: Core) -> Step:
    """The element that offset[k] means = src[k]; of two lanes with one address the later one wins."""
    dst, src, table = issue.accesses
    ub = core.ub
    base = arguments_base(issue.arguments)
    where = touched(src)
    bytes_ = np.arange(src.dtype.size)

    def run(*_: Any) -> None:
        found = targets(dst, table, base, ub)
        inside = (found.address >= 0) & (found.address + bytes_.size <= ub.size)
        values = ub.data[where.address[inside][:, None] + bytes_]
        ub.data[found.address[inside][:, None] + bytes_] = values

    return run
