"""Chapter "type conversion": Cast, with every (product, source, destination, modes) of tables 4..9 of its page."""

from isa.dtypes import (
    ElementType,
    bfloat16_t,
    complex32,
    complex64,
    double,
    float32,
    fp4x2_e1m2_t,
    fp4x2_e2m1_t,
    fp8_e4m3fn_t,
    fp8_e5m2_t,
    half,
    hifloat8_t,
    int4b_t,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
)
from isa.families import CONVERT, COUNT_ALONE
from isa.model import Timing, TypeRow, Types, TypeTable, declare
from isa.numerics.cast import cast, round_to_integral
from isa.numerics.rules import Kernel, Rules
from isa.params import RoundMode
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

Modes = tuple[RoundMode, ...]

_NONE: Modes = (RoundMode.CAST_NONE,)
_RINT: Modes = (RoundMode.CAST_RINT,)
_TRUNC: Modes = (RoundMode.CAST_TRUNC,)
_FIVE: Modes = (
    RoundMode.CAST_RINT,
    RoundMode.CAST_FLOOR,
    RoundMode.CAST_CEIL,
    RoundMode.CAST_ROUND,
    RoundMode.CAST_TRUNC,
)
_FIVE_NONE: Modes = (*_FIVE, RoundMode.CAST_NONE)
_FIVE_ODD_NONE: Modes = (*_FIVE, RoundMode.CAST_ODD, RoundMode.CAST_NONE)
_NOT_RINT: Modes = (*_FIVE[1:], RoundMode.CAST_NONE)
_ODD: Modes = (RoundMode.CAST_NONE, RoundMode.CAST_ODD)
_HIF8: Modes = (RoundMode.CAST_ROUND, RoundMode.CAST_HYBRID)


def _pairs(src: ElementType, targets: dict[ElementType, Modes]) -> tuple[TypeRow, ...]:
    """Rows from one source type; a destination without modes multiplies by the scale of SetDeqScale."""
    return tuple(TypeRow((dst, src), round_modes=modes, uses_deq_scale=not modes) for dst, modes in targets.items())


_DEQ: Modes = ()

_910 = (
    *_pairs(half, {float32: _NONE, int32_t: _FIVE, int8_t: _NOT_RINT, uint8_t: _NOT_RINT}),
    *_pairs(float32, {half: _ODD, int32_t: _FIVE}),
    *_pairs(uint8_t, {half: _NONE}),
    *_pairs(int8_t, {half: _NONE}),
    *_pairs(int32_t, {float32: _NONE}),
)

_310P = (
    *_pairs(
        half,
        {int32_t: _FIVE, int16_t: _RINT, float32: _NONE, int8_t: _NOT_RINT, uint8_t: _NOT_RINT, int4b_t: _NONE},
    ),
    *_pairs(float32, {int32_t: _FIVE, half: _ODD}),
    *_pairs(uint8_t, {half: _NONE}),
    *_pairs(int8_t, {half: _NONE}),
    *_pairs(int16_t, {half: _NONE}),
    *_pairs(int32_t, {float32: _NONE, int16_t: _NONE, half: _DEQ}),
)

_SHARED = (  # 910B, 910_93 and 310B
    *_pairs(half, {int32_t: _FIVE, int16_t: _FIVE, float32: _NONE, int8_t: _FIVE_NONE, uint8_t: _FIVE_NONE}),
    *_pairs(
        float32,
        {
            float32: _FIVE,
            int32_t: _FIVE,
            half: _FIVE_ODD_NONE,
            int64_t: _FIVE,
            int16_t: _FIVE,
            bfloat16_t: _FIVE,
        },
    ),
    *_pairs(bfloat16_t, {float32: _NONE, int32_t: _FIVE}),
    *_pairs(uint8_t, {half: _NONE}),
    *_pairs(int8_t, {half: _NONE}),
    *_pairs(int16_t, {half: _FIVE_NONE, float32: _NONE}),
    *_pairs(int32_t, {float32: _FIVE_NONE, int16_t: _NONE, int64_t: _NONE}),
    *_pairs(int64_t, {int32_t: _NONE, float32: _FIVE}),
)

_A2 = (
    *_SHARED,
    *_pairs(half, {int4b_t: _FIVE_NONE}),
    *_pairs(int4b_t, {half: _NONE}),
    *_pairs(int32_t, {half: _DEQ}),
)

_310B = (*_SHARED, *_pairs(int32_t, {half: _NONE}))

_950 = (
    *_pairs(
        float32,
        {
            float32: _FIVE,
            half: _FIVE_ODD_NONE,
            int64_t: _FIVE,
            int32_t: _FIVE,
            int16_t: _FIVE,
            bfloat16_t: _FIVE,
            hifloat8_t: _HIF8,
            fp8_e4m3fn_t: _RINT,
            fp8_e5m2_t: _RINT,
        },
    ),
    *_pairs(
        half,
        {
            float32: _NONE,
            int32_t: _FIVE,
            int16_t: _FIVE,
            int8_t: _FIVE,
            uint8_t: _FIVE,
            int4b_t: _FIVE,
            bfloat16_t: _FIVE,
            hifloat8_t: _HIF8,
        },
    ),
    *_pairs(bfloat16_t, {float32: _NONE, int32_t: _FIVE, half: _FIVE, fp4x2_e2m1_t: _FIVE, fp4x2_e1m2_t: _FIVE}),
    *_pairs(int4b_t, {half: _NONE, int16_t: _NONE, bfloat16_t: _NONE}),
    *_pairs(uint8_t, {half: _NONE, uint16_t: _NONE, uint32_t: _NONE}),
    *_pairs(int8_t, {half: _NONE, int16_t: _NONE, int32_t: _NONE}),
    *_pairs(uint16_t, {uint8_t: _NONE, uint32_t: _NONE}),
    *_pairs(
        int16_t,
        {half: _FIVE, float32: _NONE, uint8_t: _NONE, uint32_t: _NONE, int4b_t: _NONE, int32_t: _NONE},
    ),
    *_pairs(uint32_t, {uint8_t: _NONE, uint16_t: _NONE, int16_t: _NONE}),
    *_pairs(
        int32_t,
        {float32: _FIVE, int64_t: _NONE, int16_t: _NONE, half: _DEQ, uint8_t: _NONE, uint16_t: _NONE},
    ),
    *_pairs(int64_t, {int32_t: _NONE, float32: _FIVE, double: _FIVE}),
    *_pairs(hifloat8_t, {float32: _NONE, half: _NONE}),
    *_pairs(fp8_e4m3fn_t, {float32: _NONE}),
    *_pairs(fp8_e5m2_t, {float32: _NONE}),
    *_pairs(fp4x2_e2m1_t, {bfloat16_t: _NONE}),
    *_pairs(fp4x2_e1m2_t, {bfloat16_t: _NONE}),
    *_pairs(complex64, {complex64: _FIVE, complex32: _FIVE_ODD_NONE}),
    *_pairs(complex32, {complex64: _NONE}),
    *_pairs(double, {float32: _FIVE, bfloat16_t: _FIVE, int32_t: _TRUNC, int64_t: _TRUNC}),
)


def _lanes(types: Types, rules: Rules, *, round_mode: RoundMode) -> Kernel:
    dst, src = types
    return cast(src, dst, round_mode, rules)


CAST = declare(
    "Cast",
    CONVERT,
    lanes=_lanes,
    types=TypeTable(
        {ASCEND910: _910, ASCEND310P: _310P, (ASCEND910B, ASCEND910_93): _A2, ASCEND310B: _310B, ASCEND950: _950}
    ),
    timing=Timing.CONVERT,
    doc="基础API/Memory矢量计算/类型转换/Cast.md",
    summary="convert to another element type under a rounding mode; the wider type decides the lanes of a repeat",
)


def _round_lanes(types: Types, rules: Rules, *, round_mode: RoundMode) -> Kernel:
    return round_to_integral(types[0], round_mode, rules)


TRUNCATE = declare(
    "Truncate",
    CONVERT,
    lanes=_round_lanes,
    types=TypeTable({ASCEND950: (TypeRow((dtype,), round_modes=_FIVE) for dtype in (half, bfloat16_t, float32))}),
    forms=COUNT_ALONE,
    timing=Timing.CONVERT,
    doc="基础API/Memory矢量计算/类型转换/Truncate(ISASI).md",
    summary="round to integral values of the same type",
)
