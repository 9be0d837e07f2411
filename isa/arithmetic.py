"""Chapter "basic arithmetic"."""

from isa.dtypes import (
    bfloat16_t,
    complex32,
    complex64,
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
from isa.families import BINARY, COUNT_ALONE, EITHER_SCALAR, TWO_RESULTS, UNARY, VECTOR_SCALAR
from isa.model import Timing, TypeRow, TypeTable, count_only, declare, same
from isa.numerics import arithmetic as lane, elementary
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

_PAGES = "基础API/Memory矢量计算/基础算术"
_EARLIER = (ASCEND910, ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B)  # all but ascend950
_MIDDLE = _EARLIER[1:]  # their pages mostly agree
_ACCUMULATES = frozenset({half, int32_t, float32})

_FOUR = same(int16_t, half, int32_t, float32)
_FLOATS = same(half, float32)
_BINARY_950 = same(int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float32)
_SCALAR_950 = same(int16_t, half, bfloat16_t, int32_t, float32)
_BYTES = count_only(int8_t, uint8_t)
_WORDS = count_only(int64_t, uint64_t)
_COMPLEX = count_only(complex32, complex64)

# Two operands

ADD = declare(
    "Add",
    BINARY,
    lanes=lane.add,
    types=TypeTable(
        {
            ASCEND910: same(half, int32_t, float32),
            _MIDDLE: _FOUR,
            ASCEND950: _BINARY_950 + _BYTES + _WORDS + _COMPLEX,
        }
    ),
    accumulates=_ACCUMULATES,
    timing=Timing.SIMPLE,
    doc=f"{_PAGES}/Add.md",
    summary="dst = src0 + src1",
)

SUB = declare(
    "Sub",
    BINARY,
    lanes=lane.subtract,
    types=ADD.types,
    accumulates=_ACCUMULATES,
    timing=Timing.SIMPLE,
    doc=f"{_PAGES}/Sub.md",
    summary="dst = src0 - src1",
)

MUL = declare(
    "Mul",
    BINARY,
    lanes=lane.multiply,
    types=TypeTable(
        {
            ASCEND910: same(half, int32_t, float32),
            _MIDDLE: _FOUR,
            ASCEND950: _BINARY_950 + _WORDS + _COMPLEX,
        }
    ),
    accumulates=_ACCUMULATES,
    timing=Timing.MULTIPLY,
    doc=f"{_PAGES}/Mul.md",
    summary="dst = src0 * src1",
)

DIV = declare(
    "Div",
    BINARY,
    lanes=lane.divide,
    types=TypeTable(
        {
            _EARLIER: _FLOATS,
            ASCEND950: same(int16_t, uint16_t, half, int32_t, uint32_t, float32) + _WORDS + _COMPLEX,
        }
    ),
    model=elementary.DIVIDE_MODEL,
    timing=Timing.DIVIDE,
    doc=f"{_PAGES}/Div.md",
    summary="dst = src0 / src1; integers are truncated toward zero",
)

MAX = declare(
    "Max",
    BINARY,
    lanes=lane.maximum,
    types=TypeTable(
        {
            ASCEND910: same(half, int32_t, float32),
            _MIDDLE: _FOUR,
            ASCEND950: _BINARY_950 + _BYTES + _WORDS,
        }
    ),
    accumulates=_ACCUMULATES,
    timing=Timing.EXTREMUM,
    doc=f"{_PAGES}/Max.md",
    summary="dst = max(src0, src1); NaN wins, and -0 < +0",
)

MIN = declare(
    "Min",
    BINARY,
    lanes=lane.minimum,
    types=MAX.types,
    accumulates=_ACCUMULATES,
    timing=Timing.EXTREMUM,
    doc=f"{_PAGES}/Min.md",
    summary="dst = min(src0, src1); NaN wins, and -0 < +0",
)

PRELU = declare(
    "Prelu",
    BINARY,
    lanes=lane.leaky_relu,
    types=TypeTable({ASCEND950: _FLOATS}),
    forms=COUNT_ALONE,
    timing=Timing.MULTIPLY,
    doc=f"{_PAGES}/Prelu(ISASI).md",
    summary="dst = src0 where its sign is positive, else src0 * src1",
)

MULL = declare(
    "Mull",
    TWO_RESULTS,
    lanes=lane.long_multiply,
    types=TypeTable({ASCEND950: same(int32_t, uint32_t)}),
    timing=Timing.MULTIPLY,
    doc=f"{_PAGES}/Mull(ISASI).md",
    summary="dst0 = low word, dst1 = high word of src0 * src1",
)

# One operand

ABS = declare(
    "Abs",
    UNARY,
    lanes=lane.absolute,
    types=TypeTable(
        {
            (ASCEND910, ASCEND310P, ASCEND910B, ASCEND910_93): _FLOATS,
            ASCEND310B: same(int16_t, half, float32),
            ASCEND950: (
                *_FOUR,
                *count_only(int8_t, int64_t),
                TypeRow((half, complex32), count_only=True),
                TypeRow((float32, complex64), count_only=True),
            ),
        }
    ),
    timing=Timing.EXTREMUM,
    doc=f"{_PAGES}/Abs.md",
    summary="dst = |src|; of a complex number, its magnitude",
)

NEG = declare(
    "Neg",
    UNARY,
    lanes=lane.negate,
    types=TypeTable({ASCEND950: same(int8_t, int16_t, half, int32_t, float32, int64_t)}),
    forms=COUNT_ALONE,
    timing=Timing.SIMPLE,
    doc=f"{_PAGES}/Neg(ISASI).md",
    summary="dst = -src",
)

RELU = declare(
    "Relu",
    UNARY,
    lanes=lane.relu,
    types=TypeTable(
        {
            ASCEND910: same(half),
            _MIDDLE: same(half, int32_t, float32),
            ASCEND950: same(half, int32_t, float32) + count_only(int64_t),
        }
    ),
    timing=Timing.EXTREMUM,
    doc=f"{_PAGES}/Relu.md",
    summary="dst = max(0, src)",
)

EXP = declare(
    "Exp",
    UNARY,
    lanes=elementary.exponential,
    types=TypeTable({(*_EARLIER, ASCEND950): _FLOATS}),
    model=elementary.FUNCTION_MODEL,
    timing=Timing.EXPONENTIAL,
    doc=f"{_PAGES}/Exp.md",
    summary="dst = e ** src",
)

LN = declare(
    "Ln",
    UNARY,
    lanes=elementary.logarithm,
    types=EXP.types,
    model=elementary.FUNCTION_MODEL,
    timing=Timing.LOGARITHM,
    doc=f"{_PAGES}/Ln.md",
    summary="dst = natural logarithm of src",
)

SQRT = declare(
    "Sqrt",
    UNARY,
    lanes=elementary.square_root,
    types=EXP.types,
    model=elementary.ROOT_MODEL,
    timing=Timing.ROOT,
    doc=f"{_PAGES}/Sqrt.md",
    summary="dst = square root of src",
)

RSQRT = declare(
    "Rsqrt",
    UNARY,
    lanes=elementary.inverse_square_root,
    types=EXP.types,
    model=elementary.RSQRT_MODEL,
    timing=Timing.INVERSE_ROOT,
    doc=f"{_PAGES}/Rsqrt.md",
    summary="dst = 1 / square root of src",
)

RECIPROCAL = declare(
    "Reciprocal",
    UNARY,
    lanes=elementary.reciprocal,
    types=TypeTable({_EARLIER: _FLOATS, ASCEND950: _FLOATS + _WORDS}),
    model=elementary.RECIPROCAL_MODEL,
    timing=Timing.RECIPROCAL,
    doc=f"{_PAGES}/Reciprocal.md",
    summary="dst = 1 / src",
)

# A vector and a scalar

ADDS = declare(
    "Adds",
    EITHER_SCALAR,
    lanes=lane.with_scalar(lane.add),
    types=TypeTable(
        {
            ASCEND910: _FLOATS,
            _MIDDLE: _FOUR,
            ASCEND950: _SCALAR_950 + _BYTES + _WORDS + _COMPLEX,
        }
    ),
    timing=Timing.SIMPLE,
    doc=f"{_PAGES}/Adds.md",
    summary="dst = src + scalar",
)

MULS = declare(
    "Muls",
    EITHER_SCALAR,
    lanes=lane.with_scalar(lane.multiply),
    types=TypeTable(
        {
            ASCEND910: _FLOATS,
            _MIDDLE: _FOUR,
            ASCEND950: _SCALAR_950 + _WORDS + _COMPLEX,
        }
    ),
    timing=Timing.MULTIPLY,
    doc=f"{_PAGES}/Muls.md",
    summary="dst = src * scalar",
)

SUBS = declare(
    "Subs",
    EITHER_SCALAR,
    lanes=lane.with_scalar(lane.subtract),
    types=TypeTable({ASCEND950: MULS.types.rows(ASCEND950)}),
    timing=Timing.SIMPLE,
    doc=f"{_PAGES}/Subs（灵活标量位置）.md",  # noqa: RUF001  # the page's own name
    summary="dst = src - scalar, or scalar - src",
)

DIVS = declare(
    "Divs",
    EITHER_SCALAR,
    lanes=lane.with_scalar(lane.divide),
    types=TypeTable({ASCEND950: _FLOATS + _WORDS + _COMPLEX}),
    model=elementary.DIVIDE_MODEL,
    timing=Timing.DIVIDE,
    doc=f"{_PAGES}/Divs（灵活标量位置）.md",  # noqa: RUF001  # the page's own name
    summary="dst = src / scalar, or scalar / src",
)

MAXS = declare(
    "Maxs",
    EITHER_SCALAR,
    lanes=lane.with_scalar(lane.maximum),
    types=TypeTable({_MIDDLE: _FOUR, ASCEND950: _SCALAR_950 + _BYTES + _WORDS}),
    timing=Timing.EXTREMUM,
    doc=f"{_PAGES}/Maxs.md",
    summary="dst = max(src, scalar)",
)

MINS = declare(
    "Mins",
    EITHER_SCALAR,
    lanes=lane.with_scalar(lane.minimum),
    types=MAXS.types,
    timing=Timing.EXTREMUM,
    doc=f"{_PAGES}/Mins.md",
    summary="dst = min(src, scalar)",
)

LEAKY_RELU = declare(
    "LeakyRelu",
    VECTOR_SCALAR,
    lanes=lane.leaky_relu,
    types=TypeTable({(*_MIDDLE, ASCEND950): _FLOATS}),
    timing=Timing.MULTIPLY,
    doc=f"{_PAGES}/LeakyRelu.md",
    summary="dst = src where its sign is positive, else src * scalar",
)
