"""Copy: lanes inside the Unified Buffer, under a mask."""

import attrs

from isa.dtypes import (
    bfloat16_t,
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
from isa.model import Instruction, Timing, TypeTable, declare, same
from isa.moves import COPY as MASKED_COPY
from isa.numerics import tilework as lane
from isa.products import ASCEND310B, ASCEND910_93, ASCEND910B, ASCEND950

_PAGES = "基础API/Memory矢量计算/数据搬运"
_SEVEN = same(int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float32)
_BYTES = same(int8_t, uint8_t, hifloat8_t, fp8_e8m0_t, fp8_e5m2_t, fp8_e4m3fn_t)
_EVERY = (*_SEVEN, *_BYTES, *same(fp4x2_e2m1_t, fp4x2_e1m2_t, int64_t, uint64_t))

COPY = declare(
    "Copy",
    MASKED_COPY,
    lanes=lane.copy,
    types=TypeTable(
        {
            (ASCEND910B, ASCEND910_93, ASCEND310B): (attrs.evolve(row, tiled_only=True) for row in _SEVEN),
            ASCEND950: _EVERY,
        }
    ),
    timing=Timing.COPY,
    doc=f"{_PAGES}/Copy（UBToUB掩码式高维数据搬运）.md",  # noqa: RUF001  # the page's own name
    summary="dst = src inside the Unified Buffer, lanes under the mask; in counter mode the count holds in each repeat",
    variants=(
        Instruction(
            name="Copy",
            family=MASKED_COPY,
            lanes=lane.copy,
            types=TypeTable({ASCEND950: _EVERY}),
            timing=Timing.COPY,
            doc=f"{_PAGES}/Copy（UBToUB连续数据搬运）.md",  # noqa: RUF001  # the page's own name
            summary="dst = src, the first count elements",
        ),
    ),
)
