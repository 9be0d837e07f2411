"""The elements that each operand of a repeat touches, from the family's patterns: data in, walks and lanes out."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import attrs

from ascend_sim.machine.walk import Cover, Lanes, Walk, cover_of_lanes, uniform_lanes
from isa.dtypes import ElementType, uint8_t, uint32_t
from isa.families import Family, Operand
from isa.model import Types
from isa.params import limits
from isa.patterns import DENSE, LANES, Follows, Pattern, Unit
from isa.products import BLOCK_BYTES

_BY_BITS = {8: uint8_t, 32: uint32_t}


@attrs.frozen
class Geometry:
    """How one operand walks, in bytes, and which of its elements it touches.

    dtype: of these elements, where it is not the tensor's; lanes is None where memory holds the addresses. alignment:
    bytes that the start must be a multiple of. cover: the bytes that it touches, counted from its start.
    """

    block_stride: int
    repeat_stride: int
    lanes: Lanes | None
    dtype: ElementType
    alignment: int
    cover: Cover | None = attrs.field(init=False)

    @cover.default
    def _cover(self) -> Cover | None:
        if self.lanes is None:
            return None
        return cover_of_lanes(Walk(0, self.block_stride, self.repeat_stride, self.dtype.bits), self.lanes)


def pattern_of(operand: Operand, arguments: Mapping[str, Any]) -> Pattern:
    """The operand's pattern for these arguments."""
    pattern = operand.pattern
    if pattern is None:
        return LANES
    return pattern if isinstance(pattern, Pattern) else pattern(arguments)


def lane_types(family: Family, types: Types, arguments: Mapping[str, Any]) -> Types:
    """Types of the operands with an element of their own type for each lane: the widest decides a repeat's lanes."""
    found = []
    for operand, dtype in zip(family.operands, types, strict=True):
        pattern = pattern_of(operand, arguments)
        if pattern.by_lane and not pattern.bits:  # offsets are 32 bits wide whatever they pick
            found.append(dtype)
    return tuple(found) or types


def geometries(
    family: Family,
    types: Types,
    arguments: Mapping[str, Any],
    strides: Sequence[int],
    lanes: Lanes,
    *,
    fills_results: bool,
) -> tuple[Geometry, ...]:
    """One geometry for each operand. strides: the fields of the parameter struct, in blocks where nothing else is said.

    fills_results: the product writes results whose lanes are all inactive (310B and 950).
    """
    n = len(types)
    fields = dict(zip(limits(family.params), strides, strict=False)) if family.params is not None else {}
    made = []
    for i, (operand, tensor_type) in enumerate(zip(family.operands, types, strict=True)):
        pattern = pattern_of(operand, arguments)
        dtype = _BY_BITS[pattern.bits] if pattern.bits else tensor_type
        nbytes = dtype.bytes_for(pattern.count(lanes.width))
        block = _stride(pattern.block, fields, strides, i)
        if block == 0 and pattern.zero_block_is_one:
            block = 1
        repeat = _stride(pattern.repeat, fields, strides, n + i)
        unit = nbytes if pattern.unit is Unit.RESULT else BLOCK_BYTES
        touched = None if pattern.follows is Follows.TABLE else _lanes(pattern, lanes, fills_results)
        alignment = {0: nbytes, -1: dtype.size}.get(pattern.alignment, pattern.alignment)
        made.append(
            Geometry(block * BLOCK_BYTES, nbytes if repeat == DENSE else repeat * unit, touched, dtype, alignment)
        )
    return tuple(made)


def _stride(given: "str | int", fields: Mapping[str, int], strides: Sequence[int], position: int) -> int:
    if isinstance(given, int):
        return given
    return fields[given] if given else strides[position]


@lru_cache(maxsize=1024)
def _lanes(pattern: Pattern, lanes: Lanes, fills_results: bool) -> Lanes:
    """The elements of an operand, given the lanes of the instruction."""
    if pattern.by_lane and pattern.follows is Follows.MASK:
        return lanes
    width = pattern.count(lanes.width)
    every = (1 << width) - 1
    follows = pattern.follows
    if follows in (Follows.NONE, Follows.ONCE):
        return uniform_lanes(width, int(lanes.repeats > 0 and follows is Follows.ONCE), every)
    if pattern.every > 1:
        every = sum(1 << k for k in range(pattern.first, width, pattern.every))
    whole = follows is Follows.COUNT and lanes.mask == lanes.last_mask
    if whole or follows is Follows.ALL or (fills_results and follows in (Follows.RESULT, Follows.REPEAT)):
        return uniform_lanes(width, lanes.repeats, every)
    main, last = (_elements(pattern, mask, lanes.width, fills_results) for mask in (lanes.mask, lanes.last_mask))
    return Lanes(width, lanes.repeats, every if follows is Follows.COUNT else main, last)


def _elements(pattern: Pattern, mask: int, lanes: int, fills_results: bool) -> int:
    """The elements that these active lanes touch, as bits."""
    width = pattern.count(lanes)
    group = max(lanes // width, 1)
    match pattern.follows:
        case Follows.HALF_BLOCKS:
            return _half_blocks(mask, pattern.first, fills_results)
        case Follows.COUNT:
            return (1 << -(-mask.bit_length() // group)) - 1
        case Follows.REPEAT:
            return (1 << width) - 1 if mask else 0
        case _:
            return _grouped(mask, group)


@lru_cache(maxsize=1024)
def _half_blocks(mask: int, first: int, both: bool) -> int:
    """Lane k is byte `first + k % 16` of block k // 16; both: the other half is written too."""
    spread, block, half = 0, 0, (1 << 16) - 1
    while mask:
        bits = mask & half
        spread |= ((bits << 16 | bits) if both else bits << first) << block * BLOCK_BYTES
        mask >>= 16
        block += 1
    return spread


@lru_cache(maxsize=1024)
def _grouped(mask: int, group: int) -> int:
    """Bit k says whether any of the `group` bits from k * group on is set."""
    one, found, k = (1 << group) - 1, 0, 0
    while mask:
        found |= bool(mask & one) << k
        mask >>= group
        k += 1
    return found
