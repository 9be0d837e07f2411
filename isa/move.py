"""Chapter "data movement": bursts between GM and the Unified Buffer, and inside it, in units of 32 bytes."""

from isa.dtypes import (
    ALL,
    bfloat16_t,
    complex32,
    complex64,
    double,
    float32,
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
from isa.families import MOVE
from isa.model import Instruction, Timing, TypeTable, declare, same
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

_BASIC = (
    int8_t,
    uint8_t,
    int16_t,
    uint16_t,
    half,
    int32_t,
    uint32_t,
    float32,
    int64_t,
    uint64_t,
    double,
)
_PAGES = "基础API/Memory矢量计算/数据搬运"

_INSIDE = Instruction(
    name="DataCopy",
    family=MOVE,
    types=TypeTable(
        {
            (ASCEND910, ASCEND310P): same(*_BASIC),
            (ASCEND910B, ASCEND910_93): same(*_BASIC, bfloat16_t),
            ASCEND950: same(*ALL.values()),
        }
    ),
    timing=Timing.MOVE,
    doc=f"{_PAGES}/DataCopy（UBToUB连续数据搬运）.md",  # noqa: RUF001  (the page's own name)  # the page's own name
    summary="copy bursts of 32-byte units inside the Unified Buffer",
)

_LAYOUT_NARROW = (int16_t, uint16_t, half, int32_t, uint32_t, float32)
_LAYOUT_BYTES = (int8_t, uint8_t, *_LAYOUT_NARROW)
_EIGHT_BITS_950 = (hifloat8_t, fp8_e8m0_t, fp8_e5m2_t, fp8_e4m3fn_t)
_WIDE_950 = (int64_t, uint64_t, double, complex64)


def _layout(page: str, summary: str, types: TypeTable) -> Instruction:
    return Instruction(
        name="DataCopy", family=MOVE, types=types, timing=Timing.MOVE, doc=f"{_PAGES}/DataCopy（{page}）.md",  # noqa: RUF001
        summary=summary,
    )  # fmt: skip


SLICE_COPY = _layout(
    "GM与UB切片数据搬运",
    "copy a slice of a tensor of up to eight dimensions between GM and the Unified Buffer",
    TypeTable(
        {
            ASCEND310P: same(*_LAYOUT_BYTES),
            (ASCEND910B, ASCEND910_93): same(*_LAYOUT_BYTES, bfloat16_t),
            ASCEND950: same(*_LAYOUT_BYTES, bfloat16_t, *_EIGHT_BITS_950, complex32, *_WIDE_950),
        }
    ),
)

ND_TO_NZ = _layout(
    "GMToUB随路转换ND2NZ搬运",
    "copy row-major matrices from GM into columns of blocks",
    TypeTable(
        {
            ASCEND310P: same(*_LAYOUT_BYTES),
            (ASCEND910B, ASCEND910_93): same(*_LAYOUT_BYTES, bfloat16_t),
            ASCEND950: same(*_LAYOUT_BYTES, bfloat16_t, *_EIGHT_BITS_950, complex32),
        }
    ),
)

NZ_TO_ND = _layout(
    "UBToGM随路转换NZ2ND搬运",
    "copy matrices in strips of 16 columns to row-major ones in GM",
    TypeTable(
        {
            ASCEND310P: same(*_LAYOUT_NARROW),
            (ASCEND910B, ASCEND910_93): same(*_LAYOUT_NARROW, bfloat16_t),
            ASCEND950: same(*_LAYOUT_BYTES, bfloat16_t, *_EIGHT_BITS_950, complex32, *_WIDE_950),
        }
    ),
)

DATA_COPY = declare(
    "DataCopy",
    MOVE,
    types=TypeTable(
        {
            (ASCEND910, ASCEND310P): same(*_BASIC),
            (ASCEND910B, ASCEND910_93, ASCEND310B): same(*_BASIC, bfloat16_t),
            ASCEND950: same(*ALL.values()),
        }
    ),
    timing=Timing.MOVE,
    doc=f"{_PAGES}/DataCopy（GM与UB连续数据搬运）.md",  # noqa: RUF001  # the page's own name
    summary="copy bursts of 32-byte units between GM and the Unified Buffer, or inside the Unified Buffer",
    variants=(_INSIDE, SLICE_COPY, ND_TO_NZ, NZ_TO_ND),
)
