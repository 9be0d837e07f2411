"""Chapters "gather and scatter" and "rearrangement"."""

from isa.dtypes import (
    ElementType,
    bfloat16_t,
    float32,
    half,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)
from isa.model import Instruction, Timing, TypeRow, TypeTable, declare, same
from isa.moves import COMPRESS, COMPRESS_BY_TABLE, DEAL, GATHER as PICK, GATHER_BLOCKS, REARRANGE, SCATTER as SPREAD
from isa.numerics import tilework as lane
from isa.products import ASCEND310B, ASCEND310P, ASCEND910_93, ASCEND910B, ASCEND950

_PAGES = "基础API/Memory矢量计算/离散与聚合"
_REARRANGED = "基础API/Memory矢量计算/数据重排（ISASI）"  # noqa: RUF001  # the chapter's own name
_A2 = (ASCEND910B, ASCEND910_93)

_SIX = (int16_t, uint16_t, half, int32_t, uint32_t, float32)
_BYTES = (int8_t, uint8_t)
_EVERY = (*_BYTES, *_SIX, bfloat16_t, int64_t, uint64_t)


def _with_offsets(*dtypes: ElementType, count_only: bool = False) -> tuple[TypeRow, ...]:
    """dst and src alike, offsets in uint32_t."""
    return tuple(TypeRow((d, d, uint32_t), count_only) for d in dtypes)


GATHER = declare(
    "Gather",
    PICK,
    types=TypeTable(
        {
            ASCEND310P: _with_offsets(*_SIX),
            _A2: _with_offsets(*_SIX, bfloat16_t),
            ASCEND310B: _with_offsets(*_BYTES, *_SIX),
            ASCEND950: (
                *_with_offsets(*_BYTES, count_only=True),
                *_with_offsets(*_SIX, bfloat16_t, int64_t, uint64_t),
            ),
        }
    ),
    timing=Timing.GATHER,
    doc=f"{_PAGES}/Gather.md",
    summary="dst[k] = the element of src at byte src_base_addr + src_offset[k]",
)

GATHERB = declare(
    "Gatherb",
    GATHER_BLOCKS,
    types=TypeTable(
        {
            _A2: _with_offsets(uint16_t, uint32_t),
            ASCEND310B: _with_offsets(*(d for d in _EVERY if d is not uint64_t)),
            ASCEND950: _with_offsets(*_EVERY),
        }
    ),
    timing=Timing.GATHER_BLOCK,
    doc=f"{_PAGES}/Gatherb(ISASI).md",
    summary="block k of dst = the block of src at byte offset[k]",
)

SCATTER = declare(
    "Scatter",
    SPREAD,
    types=TypeTable(
        {
            ASCEND310P: _with_offsets(uint16_t, half, uint32_t, float32),
            ASCEND310B: _with_offsets(*_BYTES, *_SIX),
            ASCEND950: (
                *_with_offsets(*_BYTES, count_only=True),
                *_with_offsets(*_SIX, bfloat16_t, int64_t, uint64_t),
            ),
        }
    ),
    timing=Timing.GATHER,
    doc=f"{_PAGES}/Scatter(ISASI).md",
    summary="the element of dst at byte dst_base_addr + dst_offset[k] = src[k]",
)

INTERLEAVE = declare(
    "Interleave",
    REARRANGE,
    lanes=lane.interleave,
    types=TypeTable({ASCEND950: same(*_EVERY)}),
    timing=Timing.COPY,
    doc=f"{_REARRANGED}/Interleave.md",
    summary="dst0, dst1 = the first and the second half of src0[0], src1[0], src0[1], src1[1], ...",
)

DEINTERLEAVE = declare(
    "DeInterleave",
    REARRANGE,
    lanes=lane.deinterleave,
    types=INTERLEAVE.types,
    timing=Timing.COPY,
    doc=f"{_REARRANGED}/DeInterleave.md",
    summary="dst0, dst1 = the elements at even and at odd places of src0 followed by src1, or of src alone",
    variants=(
        Instruction(
            name="DeInterleave",
            family=DEAL,
            lanes=lane.deinterleave,
            types=INTERLEAVE.types,
            timing=Timing.COPY,
            doc=f"{_REARRANGED}/DeInterleave.md",
            summary="dst0, dst1 = the elements at even and at odd places of src",
        ),
    ),
)


def _patterned(*pairs: tuple[ElementType, ElementType], tensors: int) -> tuple[TypeRow, ...]:
    """dst and src0 alike; the pattern tensor has the same width."""
    return tuple(TypeRow((d, d, p)[:tensors]) for d, p in pairs)


_WORDS = (*((d, uint16_t) for d in (int16_t, uint16_t, half)), *((d, uint32_t) for d in (int32_t, uint32_t, float32)))
_BRAIN = ((bfloat16_t, uint16_t),)
_BYTE_PATTERNS = tuple((d, uint8_t) for d in _BYTES)


def _gather_mask_table(tensors: int) -> TypeTable:
    return TypeTable(
        {
            (ASCEND310P, ASCEND310B): _patterned(*_WORDS, tensors=tensors),
            _A2: _patterned(*_WORDS, *_BRAIN, tensors=tensors),
            ASCEND950: _patterned(*_WORDS, *_BRAIN, *_BYTE_PATTERNS, tensors=tensors),
        }
    )


GATHER_MASK = declare(
    "GatherMask",
    COMPRESS_BY_TABLE,
    types=_gather_mask_table(3),
    timing=Timing.GATHER_MASK,
    doc="基础API/Memory矢量计算/比较与选择/GatherMask.md",
    summary="dst = the elements of src0 whose pattern bit is 1, side by side",
    variants=(
        Instruction(
            name="GatherMask",
            family=COMPRESS,
            types=_gather_mask_table(2),
            timing=Timing.GATHER_MASK,
            doc="基础API/Memory矢量计算/比较与选择/GatherMask.md",
            summary="dst = every 1st, 2nd or 4th element of each repeat of src0, side by side",
        ),
    ),
)
