"""Offset tables of Gather, Gatherb and Scatter: whole elements, inside memory, no two lanes at one address.

Offsets count bytes (spec 01 section 3.6); the usual mistake is to give element indices.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.indexed import Targets, arguments_base, is_by_block, targets
from ascend_sim.machine.issue import Access, Issue
from ascend_sim.machine.memory import UnifiedBuffer
from ascend_sim.machine.walk import Indexed
from isa.products import BLOCK_BYTES


def gather_checks(issue: Issue, ub: UnifiedBuffer) -> Iterator[Violation]:
    """The table of Gather and Gatherb."""
    _, src, table = issue.accesses[:3]
    by_block = is_by_block(table)
    found = targets(src, table, arguments_base(issue.arguments), ub)
    yield from _alignment(src, table, found, BLOCK_BYTES if by_block else src.dtype.size)
    yield from _bounds(src, found, BLOCK_BYTES if by_block else src.dtype.size, ub)
    if not by_block:
        yield from _scale(src, table, found)


def scatter_checks(issue: Issue, ub: UnifiedBuffer) -> Iterator[Violation]:
    """The table of Scatter."""
    dst, _, table = issue.accesses
    found = targets(dst, table, arguments_base(issue.arguments), ub)
    yield from _alignment(dst, table, found, dst.dtype.size)
    yield from _bounds(dst, found, dst.dtype.size, ub)
    yield from _duplicates(table, found)
    yield from _scale(dst, table, found)


def _first(bad: NDArray[np.bool_]) -> int | None:
    return int(bad.argmax()) if bad.any() else None


def _alignment(target: Access, table: Access, found: Targets, unit: int) -> Iterator[Violation]:
    bad = (found.address - target.address) % unit != 0 if unit < BLOCK_BYTES else found.address % unit != 0
    at = _first(bad)
    if at is None:
        return
    size = target.dtype.size
    what = f"the {unit} bytes of a block" if unit == BLOCK_BYTES else f"{size}, the size of {target.dtype}"
    yield Violation(
        code="gather-offset",
        message=f"{int(np.count_nonzero(bad))} offsets are no multiple of {what}; the first is entry {at} with offset "
        f"{found.offset[at]} (repeat {found.repeat[at]} lane {found.lane[at]})",
        hint=f"Offsets count bytes. Did you pass element indices? Multiply them by sizeof={size}.",
        operand=table.operand.name,
        repeat=int(found.repeat[at]),
        lane=int(found.lane[at]),
        address=int(found.address[at]),
        blocks=False,
    )


def _bounds(target: Access, found: Targets, size: int, ub: UnifiedBuffer) -> Iterator[Violation]:
    end = target.address + target.nbytes
    bad = found.address + size > end
    at = _first(bad)
    if at is None:
        return
    reach = int(found.address.max()) + size
    past_memory = reach > ub.size
    written = target.operand.is_written
    yield Violation(
        code="out-of-bounds-write" if written else "out-of-bounds-read",
        message=f"offset {found.offset[at]} of entry {at} (repeat {found.repeat[at]} lane {found.lane[at]}) "
        f"{'writes' if written else 'reads'} UB address 0x{found.address[at]:04X}, byte "
        f"{found.address[at] - target.address} of a tensor of {target.nbytes} bytes"
        + (f"; the call reaches past the Unified Buffer of {ub.size} bytes" if past_memory else ""),
        hint="Offsets count bytes from the start of the tensor, plus the base address argument.",
        operand=target.operand.name,
        repeat=int(found.repeat[at]),
        lane=int(found.lane[at]),
        address=int(found.address[at]),
        writes=written,
        blocks=past_memory,
    )


def _duplicates(table: Access, found: Targets) -> Iterator[Violation]:
    _, first, counts = np.unique(found.address, return_index=True, return_counts=True)
    if not (counts > 1).any():
        return
    start = int(first[counts > 1].min())
    address = int(found.address[start])
    second = int(np.flatnonzero(found.address == address)[1])
    yield Violation(
        code="scatter-duplicate",
        message=f"entries {start} and {second} have the same offset {found.offset[start]}: which of them stays at UB "
        f"address 0x{address:04X} is undefined ({int((counts > 1).sum())} such addresses)",
        hint="Give each lane an address of its own, or split the call.",
        operand=table.operand.name,
        repeat=int(found.repeat[second]),
        lane=int(found.lane[second]),
        address=address,
    )


def _scale(target: Access, table: Access, found: Targets) -> Iterator[Violation]:
    """All offsets below the element count and whole elements: they may be indices that were meant to be scaled."""
    count = target.nbytes // max(target.dtype.size, 1)
    offset = found.offset
    if target.dtype.size == 1 or offset.size < 2 or not offset.any() or (offset % target.dtype.size).any():
        return
    if int(offset.max()) < count:
        yield Violation(
            code="gather-scale",
            message=f"all {offset.size} offsets are below {count}, the number of elements of {target.operand.name}: "
            f"they reach the first {int(offset.max()) // target.dtype.size + 1} elements only",
            hint=f"Offsets count bytes: if these are element indices, multiply them by sizeof={target.dtype.size}.",
            operand=table.operand.name,
        )


def compress_checks(issue: Issue, ub: UnifiedBuffer) -> Iterator[Violation]:
    """The destination of GatherMask when a pattern tensor decides how many elements it gets."""
    dst, src = issue.accesses[:2]
    if not isinstance(dst.lanes, Indexed) or not isinstance(src.lanes, Indexed):
        return
    count = src.lanes.resolve()[0].size
    needed = count * dst.dtype.size
    if needed > dst.nbytes:
        past_memory = dst.address + needed > ub.size
        first = dst.nbytes // dst.dtype.size
        yield Violation(
            code="out-of-bounds-write",
            message=f"the pattern keeps {count} elements, {needed} bytes, and the tensor has {dst.nbytes}: element "
            f"{first} would go to UB address 0x{dst.address + first * dst.dtype.size:04X}",
            hint="Make dst long enough for every element that the pattern may keep.",
            operand=dst.operand.name,
            lane=first,
            address=dst.address + first * dst.dtype.size,
            writes=True,
            blocks=past_memory,
        )
