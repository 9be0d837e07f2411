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
from isa.model import Timing, TypeTable, count_only, declare, same
from isa.numerics.arithmetic import fill
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

_SEVEN = same(int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float32)

DUPLICATE = declare(
    "Duplicate",
    FILL,
    lanes=fill,
    types=TypeTable(
        {
            (ASCEND910, ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B): _SEVEN,
            ASCEND950: (
                *_SEVEN,
                *count_only(int8_t, uint8_t, int64_t, uint64_t, complex32, complex64),
                *count_only(hifloat8_t, fp8_e4m3fn_t, fp8_e5m2_t, fp8_e8m0_t, fp4x2_e2m1_t, fp4x2_e1m2_t),
            ),
        }
    ),
    timing=Timing.FILL,
    doc="基础API/Memory矢量计算/数据填充/Duplicate.md",
    summary="dst = scalar in every lane",
)
