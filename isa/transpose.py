"""TransDataTo5HD: sixteen blocks into sixteen, rows and columns exchanged."""

from isa.dtypes import (
    bfloat16_t,
    float32,
    half,
    int8_t,
    int16_t,
    int32_t,
    uint8_t,
    uint16_t,
    uint32_t,
)
from isa.families import REPEATS_ALONE, Family, Operand, Role, Shape
from isa.model import Timing, TypeTable, declare, same
from isa.numerics import tilework as lane
from isa.params import TransDataTo5HDParams
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

ROWS = 16
_OPERANDS = tuple(
    Operand(f"{name}[{i}]", role)
    for name, role in (("dstList", Role.WRITTEN), ("srcList", Role.READ))
    for i in range(ROWS)
)
_NARROW = same(int8_t, uint8_t, int16_t, uint16_t, half)
_EVERY = (*_NARROW, *same(int32_t, uint32_t, float32))

TRANS_DATA_TO_5HD = declare(
    "TransDataTo5HD",
    Family("block transposition", Shape.REPEATS, _OPERANDS, forms=REPEATS_ALONE, params=TransDataTo5HDParams),
    lanes=lane.blocks_transposed,
    types=TypeTable(
        {
            ASCEND910: _NARROW,
            (ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B): _EVERY,
            ASCEND950: (*_EVERY, *same(bfloat16_t)),
        }
    ),
    timing=Timing.TRANSPOSE,
    doc="基础API/Memory矢量计算/数据排布转换/TransDataTo5HD.md",
    summary="16 blocks of src_list as rows, their columns to the 16 blocks of dst_list",
)
