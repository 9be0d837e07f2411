"""Chapter "compound": several operations in one instruction."""

import attrs

from isa.dtypes import (
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
from isa.families import (
    ACCUMULATE_SCALAR,
    BINARY,
    CONVERT_TWO,
    COUNT_ALONE,
    EITHER_SCALAR,
    TERNARY,
)
from isa.model import Timing, TypeRow, TypeTable, count_only, declare, same
from isa.numerics import arithmetic, elementary, fused as lane
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

_PAGES = "基础API/Memory矢量计算/复合计算"
_A2 = (ASCEND910B, ASCEND910_93)
_MIDDLE = (ASCEND310P, *_A2, ASCEND310B)  # between ascend910 and ascend950

_FLOATS = same(half, float32)
_WORDS = count_only(int64_t, uint64_t)
_HALF_TO_FLOAT = TypeRow((float32, half, half))

# An operation, then Relu

ADD_RELU = declare(
    "AddRelu",
    BINARY,
    lanes=lane.add_relu,
    types=TypeTable(
        {
            (ASCEND310P, *_A2): same(int16_t, half, float32),
            ASCEND310B: _FLOATS,
            ASCEND950: same(int16_t, half, float32) + _WORDS,
        }
    ),
    accumulates=frozenset({half, int32_t, float32}),
    timing=Timing.SIMPLE,
    doc=f"{_PAGES}/AddRelu.md",
    summary="dst = max(0, src0 + src1)",
)

SUB_RELU = declare(
    "SubRelu",
    BINARY,
    lanes=lane.subtract_relu,
    types=ADD_RELU.types,
    accumulates=ADD_RELU.accumulates,
    timing=Timing.SIMPLE,
    doc=f"{_PAGES}/SubRelu.md",
    summary="dst = max(0, src0 - src1)",
)

# Multiply and add

MUL_ADD_DST = declare(
    "MulAddDst",
    TERNARY,
    lanes=lane.multiply_add_dst,
    types=TypeTable(
        {
            (ASCEND310P, *_A2): (*_FLOATS, _HALF_TO_FLOAT),
            ASCEND310B: same(half, float32, int16_t, uint16_t, int32_t, uint32_t),
            ASCEND950: (*_FLOATS, _HALF_TO_FLOAT, *_WORDS),
        }
    ),
    model=lane.MULTIPLY_ADD_MODEL,
    timing=Timing.FUSED,
    doc=f"{_PAGES}/MulAddDst.md",
    summary="dst = src0 * src1 + dst",
)

FUSED_MUL_ADD = declare(
    "FusedMulAdd",
    TERNARY,
    lanes=lane.fused_multiply_add,
    types=TypeTable({_MIDDLE: _FLOATS, ASCEND950: same(half, bfloat16_t, float32) + _WORDS}),
    model=lane.MULTIPLY_ADD_MODEL,
    timing=Timing.FUSED,
    doc=f"{_PAGES}/FusedMulAdd.md",
    summary="dst = src0 * dst + src1",
)

MUL_ADD_RELU = declare(
    "MulAddRelu",
    TERNARY,
    old_names=("FusedMulAddRelu",),
    lanes=lane.multiply_add_relu,
    types=TypeTable({_MIDDLE: _FLOATS, ASCEND950: _FLOATS + _WORDS}),
    model=lane.MULTIPLY_ADD_MODEL,
    timing=Timing.FUSED,
    doc=f"{_PAGES}/MulAddRelu.md",
    summary="dst = max(0, src0 * dst + src1)",
)

_AXPY_HALF_TO_FLOAT = TypeRow((float32, half))

AXPY = declare(
    "Axpy",
    ACCUMULATE_SCALAR,
    lanes=lane.axpy,
    types=TypeTable(
        {
            (ASCEND910, *_MIDDLE): (*_FLOATS, _AXPY_HALF_TO_FLOAT),
            ASCEND950: (*same(half, bfloat16_t, float32), _AXPY_HALF_TO_FLOAT, *_WORDS),
        }
    ),
    model=lane.MULTIPLY_ADD_MODEL,
    timing=Timing.ACCUMULATE,
    doc=f"{_PAGES}/Axpy.md",
    summary="dst = scalar * src + dst",
)

# An operation, then a conversion

_HALF_TO_BYTE = TypeRow((int8_t, half, half))
_SHORT_TO_BYTE = TypeRow((int8_t, int16_t, int16_t))
_FLOAT_TO_HALF = TypeRow((half, float32, float32))
_LONG_TO_INT = TypeRow((int32_t, int64_t, int64_t), count_only=True)
_LONG_TO_FLOAT = TypeRow((float32, int64_t, int64_t), count_only=True)

ADD_RELU_CAST = declare(
    "AddReluCast",
    CONVERT_TWO,
    lanes=lane.add_relu_cast,
    types=TypeTable(
        {
            (ASCEND310P, *_A2): (_HALF_TO_BYTE, _SHORT_TO_BYTE, _FLOAT_TO_HALF),
            ASCEND310B: (_HALF_TO_BYTE, _FLOAT_TO_HALF),
            ASCEND950: (
                _HALF_TO_BYTE,
                _SHORT_TO_BYTE,
                _FLOAT_TO_HALF,
                attrs.evolve(_LONG_TO_FLOAT, count_only=False),  # the page restricts the int32_t row alone
                _LONG_TO_INT,
            ),
        }
    ),
    timing=Timing.CONVERT,
    doc=f"{_PAGES}/AddReluCast.md",
    summary="dst = max(0, src0 + src1), converted with CAST_RINT",
)

SUB_RELU_CAST = declare(
    "SubReluCast",
    CONVERT_TWO,
    lanes=lane.subtract_relu_cast,
    types=TypeTable(
        {
            (ASCEND310P, *_A2): (_HALF_TO_BYTE, _SHORT_TO_BYTE, _FLOAT_TO_HALF),
            ASCEND310B: (_HALF_TO_BYTE, _FLOAT_TO_HALF),
            ASCEND950: (_HALF_TO_BYTE, _SHORT_TO_BYTE, _FLOAT_TO_HALF, _LONG_TO_FLOAT, _LONG_TO_INT),
        }
    ),
    timing=Timing.CONVERT,
    doc=f"{_PAGES}/SubReluCast.md",
    summary="dst = max(0, src0 - src1), converted with CAST_RINT",
)

MUL_CAST = declare(
    "MulCast",
    CONVERT_TWO,
    lanes=lane.multiply_cast,
    types=TypeTable(
        {
            _MIDDLE: (_HALF_TO_BYTE, TypeRow((uint8_t, half, half))),
            ASCEND950: (_HALF_TO_BYTE, TypeRow((uint8_t, half, half)), _LONG_TO_FLOAT, _LONG_TO_INT),
        }
    ),
    timing=Timing.CONVERT,
    doc=f"{_PAGES}/MulCast.md",
    summary="dst = src0 * src1, converted with CAST_RINT",
)

MULS_CAST = declare(
    "MulsCast",
    attrs.evolve(EITHER_SCALAR, name="vector-scalar conversion", count_takes_is_set_mask=False),
    old_names=("FusedMulsCast",),
    lanes=lane.scale_cast,
    types=TypeTable({ASCEND950: (TypeRow((half, float32)),)}),
    forms=COUNT_ALONE,
    timing=Timing.CONVERT,
    doc=f"{_PAGES}/MulsCast(ISASI).md",
    summary="dst = src * scalar, converted with CAST_ROUND",
)

# A difference, then a function

ABS_SUB = declare(
    "AbsSub",
    BINARY,
    old_names=("FusedAbsSub",),
    lanes=arithmetic.absolute_difference,
    types=TypeTable({ASCEND950: _FLOATS}),
    forms=COUNT_ALONE,
    timing=Timing.SIMPLE,
    doc=f"{_PAGES}/AbsSub(ISASI).md",
    summary="dst = |src0 - src1|",
)

EXP_SUB = declare(
    "ExpSub",
    CONVERT_TWO,
    old_names=("FusedExpSub",),
    lanes=elementary.exponential_difference,
    types=TypeTable({ASCEND950: (*same(float32), _HALF_TO_FLOAT)}),
    forms=COUNT_ALONE,
    model=elementary.FUNCTION_MODEL,
    timing=Timing.TRANSCENDENTAL,
    doc=f"{_PAGES}/ExpSub(ISASI).md",
    summary="dst = e ** (src0 - src1), in float32",
)
