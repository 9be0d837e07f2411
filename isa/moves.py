"""Families that move elements without computing: broadcasts, gathers, rearrangements, tiles, sorts, copies.

What a repeat touches of each operand is data (`patterns`); family numbers are those of spec 02 section 2.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from isa.families import (
    COUNT_ALONE,
    DST,
    REPEATS_ALONE,
    SRC,
    SRC0,
    SRC1,
    Argument,
    ArgumentKind,
    CountRule,
    Family,
    Operand,
    Role,
    Shape,
)
from isa.params import (
    BrcbRepeatParams,
    CopyRepeatParams,
    DuplicateStrides,
    GatherMaskParams,
    GatherRepeatParams,
    GatherStrides,
    ScatterStrides,
    UnaryRepeatParams,
    VecIndexStrides,
)
from isa.patterns import BLOCK_SOURCES, DENSE, Follows, Pattern, tile

_READ, _WRITTEN = Role.READ, Role.WRITTEN
_UNKNOWN = Pattern(follows=Follows.TABLE, block=1, repeat=0, alignment=-1)
_TABLE = Pattern(block=1, repeat=DENSE)

# F8, fill

BROADCAST = Family(
    "broadcast of elements to blocks",
    Shape.REPEATS,
    (
        Operand(
            "dst",
            _WRITTEN,
            Pattern(follows=Follows.ALL, block="dst_blk_stride", repeat="dst_rep_stride", zero_block_is_one=True),
        ),
        Operand("src", _READ, BLOCK_SOURCES),
    ),
    forms=REPEATS_ALONE,
    params=BrcbRepeatParams,
    resets_mask=True,
    disjoint=True,
)
INDEX = Family(
    "index",
    Shape.REPEATS,
    (Operand("dst", _WRITTEN, Pattern(block="dst_blk_stride", repeat="dst_rep_stride")),),
    (Argument("first_value", ArgumentKind.SCALAR),),
    params=VecIndexStrides,
    loose_params=True,
    takes_is_set_mask=False,
    own_mask=True,
)
SPREAD = Family(
    "fill from memory",
    Shape.REPEATS,
    (
        Operand("dst", _WRITTEN, Pattern(block="dst_block_stride", repeat="dst_repeat_stride")),
        Operand("src", _READ, Pattern(fixed=1, follows=Follows.ALL, block=1, repeat=0)),
    ),
    forms=COUNT_ALONE,
    params=DuplicateStrides,
    loose_params=True,
)
PADDING = Family(
    "padding of blocks",
    Shape.REPEATS,
    (DST, Operand("src", _READ)),
    (Argument("pad_mode", ArgumentKind.NUMBER), Argument("pad_side", ArgumentKind.FLAG)),
    params=UnaryRepeatParams,
)

# F9, gather, scatter, rearrange

GATHER = Family(
    "gather",
    Shape.GATHER,
    (
        Operand("dst", _WRITTEN, Pattern(block=1, repeat="dst_rep_stride")),
        Operand("src", _READ, _UNKNOWN),
        Operand("src_offset", _READ, attrs.evolve(_TABLE, bits=32)),
    ),
    (Argument("src_base_addr", ArgumentKind.NUMBER),),
    params=GatherStrides,
    loose_params=True,
    takes_is_set_mask=False,
    count_rule=CountRule.TILED,
    own_mask=True,
    stores_contiguous=True,
    max_lanes=128,
    disjoint=True,
)
SCATTER = Family(
    "scatter",
    Shape.SCATTER,
    (
        Operand("dst", _WRITTEN, _UNKNOWN),
        Operand("src", _READ, Pattern(block=1, repeat="src_rep_stride")),
        Operand("dst_offset", _READ, attrs.evolve(_TABLE, bits=32)),
    ),
    (Argument("dst_base_addr", ArgumentKind.NUMBER),),
    params=ScatterStrides,
    loose_params=True,
    takes_is_set_mask=False,
    count_rule=CountRule.TILED,
    own_mask=True,
    max_lanes=128,
)
GATHER_BLOCKS = Family(
    "gather of blocks",
    Shape.GATHER,
    (
        Operand(
            "dst",
            _WRITTEN,
            Pattern(follows=Follows.ALL, block="dst_blk_stride", repeat="dst_rep_stride", zero_block_is_one=True),
        ),
        Operand("src", _READ, _UNKNOWN),
        Operand("offset", _READ, attrs.evolve(BLOCK_SOURCES, bits=32)),
    ),
    forms=REPEATS_ALONE,
    params=GatherRepeatParams,
    resets_mask=True,
    disjoint=True,
)
_DST0, _DST1 = Operand("dst0", _WRITTEN), Operand("dst1", _WRITTEN)
REARRANGE = Family(
    "rearrangement",
    Shape.REPEATS,
    (_DST0, _DST1, SRC0, SRC1),
    forms=COUNT_ALONE,
    count_rule=CountRule.AT_ONCE,
    disjoint=True,
)
_HALVES = Pattern(per=2, follows=Follows.ALL, block=1, repeat=DENSE)
DEAL = attrs.evolve(
    REARRANGE,
    name="rearrangement of one source",
    operands=(
        Operand("dst0", _WRITTEN, _HALVES),
        Operand("dst1", _WRITTEN, _HALVES),
        Operand("src", _READ, Pattern(follows=Follows.ALL, block=1, repeat=DENSE)),
    ),
)

# F10, F11: tiles

SQUARE = Family(
    "square transposition",
    Shape.REPEATS,
    (Operand("dst", _WRITTEN, tile(256)), Operand("src", _READ, tile(256))),
    forms=REPEATS_ALONE,
    once=True,
    in_place=True,
)
_IMAGES = Pattern(follows=Follows.ONCE, block=1, repeat=DENSE)
CHANNELS = Family(
    "channels first to channels last",
    Shape.REPEATS,
    (
        Operand("dst", _WRITTEN, _IMAGES),
        Operand("src", _READ, _IMAGES),
        Operand("shared_tmp_buffer", _WRITTEN, _IMAGES),
    ),
    (Argument("transpose_params", ArgumentKind.VALUE),),
    forms=REPEATS_ALONE,
    once=True,
    disjoint=True,
)
SORT_32 = Family(
    "sort of 32 scores",
    Shape.REPEATS,
    (
        Operand("dst", _WRITTEN, tile(64, bits=32)),
        Operand("src0", _READ, tile(32)),
        Operand("src1", _READ, tile(32)),
    ),
    forms=REPEATS_ALONE,
)
PROPOSALS, FIELDS = 16, 8
SORT_PROPOSALS = Family(
    "sort of 16 proposals",
    Shape.REPEATS,
    (
        Operand("dst", _WRITTEN, tile(PROPOSALS * FIELDS)),
        Operand("src", _READ, tile(PROPOSALS * FIELDS)),
    ),
    forms=REPEATS_ALONE,
    in_place=True,
)


def _field(arguments: Mapping[str, Any]) -> Pattern:
    """One field of each of 16 proposals."""
    mode = min(max(arguments["mode_number"], 0), FIELDS - 1)
    return attrs.evolve(tile(PROPOSALS * FIELDS), every=FIELDS, first=mode)


_MODE_NUMBER = Argument("mode_number", ArgumentKind.NUMBER, trailing=True)
TO_PROPOSALS = Family(
    "elements to proposals",
    Shape.REPEATS,
    (Operand("dst", _WRITTEN, _field), Operand("src", _READ, tile(PROPOSALS))),
    (_MODE_NUMBER,),
    forms=REPEATS_ALONE,
)
FROM_PROPOSALS = Family(
    "elements from proposals",
    Shape.REPEATS,
    (Operand("dst", _WRITTEN, tile(PROPOSALS)), Operand("src", _READ, _field)),
    (_MODE_NUMBER,),
    forms=REPEATS_ALONE,
)

# F13

COPY = Family("masked copy", Shape.LANES, (DST, SRC), params=CopyRepeatParams, counts_per_repeat=True)

# F9, compress

COMPRESS_BY_TABLE = Family(
    "compression by a pattern tensor",
    Shape.COMPRESS,
    (DST, SRC0, Operand("src1_pattern", _READ)),
    (Argument("reduce_mode", ArgumentKind.FLAG), Argument("mask", ArgumentKind.NUMBER)),
    forms=REPEATS_ALONE,
    params=GatherMaskParams,
    in_place=True,
)
COMPRESS = attrs.evolve(COMPRESS_BY_TABLE, name="compression by a built-in pattern", operands=(DST, SRC0))
