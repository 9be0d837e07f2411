"""Chapter "fill"."""

from isa.dtypes import (
    bfloat16_t,
    complex32,
    complex64,
    float32,
    fp4x2_e1m2_t,
    fp4x2_e2m1_t,
    fp8_e4m3fn_t,
    fp8_e5m2_t,
    fp8_e8m0_t,
    half,
    hifloat8_t,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)
from isa.families import FILL
from isa.model import Instruction, Timing, TypeTable, count_only, declare, same
from isa.moves import BROADCAST, INDEX, PADDING, SPREAD
from isa.numerics import tilework
from isa.numerics.arithmetic import fill
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

_PAGES = "基础API/Memory矢量计算/数据填充"
_SEVEN = same(int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float32)

_ALL_950 = (
    *_SEVEN,
    *count_only(int8_t, uint8_t, int64_t, uint64_t, complex32, complex64),
    *count_only(hifloat8_t, fp8_e4m3fn_t, fp8_e5m2_t, fp8_e8m0_t, fp4x2_e2m1_t, fp4x2_e1m2_t),
)
_EVERY_950 = tuple(row for row in _ALL_950 if not row.types[0].is_nibble)

DUPLICATE = declare(
    "Duplicate",
    FILL,
    lanes=fill,
    types=TypeTable(
        {
            (ASCEND910, ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B): _SEVEN,
            ASCEND950: _ALL_950,
        }
    ),
    timing=Timing.FILL,
    doc=f"{_PAGES}/Duplicate.md",
    summary="dst = scalar in every lane",
    variants=(
        Instruction(
            name="Duplicate",
            family=SPREAD,
            lanes=tilework.spread,
            types=TypeTable({ASCEND950: _EVERY_950}),
            timing=Timing.FILL,
            doc=f"{_PAGES}/Duplicate.md",
            summary="dst = the first element of src in every lane",
        ),
    ),
)

BRCB = declare(
    "Brcb",
    BROADCAST,
    lanes=tilework.broadcast_blocks,
    types=TypeTable(
        {
            ASCEND310P: same(int16_t, uint16_t, half, int32_t, uint32_t, float32),
            (ASCEND910B, ASCEND910_93): _SEVEN,
            ASCEND950: _SEVEN + same(int8_t, uint8_t, int64_t, uint64_t),
        }
    ),
    timing=Timing.BROADCAST,
    doc=f"{_PAGES}/Brcb.md",
    summary="block j of a repeat = element j of the eight that the repeat reads, in every lane",
)

_INDEXED = same(int16_t, half, int32_t, float32)

CREATE_VEC_INDEX = declare(
    "CreateVecIndex",
    INDEX,
    lanes=tilework.index,
    types=TypeTable(
        {
            (ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B): _INDEXED,
            ASCEND950: _INDEXED + count_only(int8_t, int64_t),
        }
    ),
    timing=Timing.FILL,
    doc=f"{_PAGES}/CreateVecIndex.md",
    summary="dst = first_value, first_value + 1, ...",
)

VECTOR_PADDING = declare(
    "VectorPadding",
    PADDING,
    lanes=tilework.pad_blocks,
    types=TypeTable({ASCEND310P: same(int16_t, uint16_t, half, int32_t, uint32_t, float32)}),
    timing=Timing.COPY,
    doc=f"{_PAGES}/VectorPadding(ISASI).md",
    summary="each block = what pads the same block of src on one side: its edge (0), its mirror image (1), shifted (2)",
)
