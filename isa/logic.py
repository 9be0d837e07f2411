"""Chapter "logic": bits and shifts."""

from isa.dtypes import (
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
from isa.families import BINARY, COUNT_ALONE, EITHER_SCALAR, SHIFT_RIGHT as ROUNDING_SHIFT, UNARY, VECTOR_SCALAR
from isa.model import Instruction, Timing, TypeRow, TypeTable, count_only, declare, same
from isa.numerics import logic as lane
from isa.numerics.arithmetic import with_scalar
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

_PAGES = "基础API/Memory矢量计算/逻辑计算"
_EARLIER = (ASCEND910, ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B)  # all but ascend950

_SIXTEEN = same(int16_t, uint16_t)
_BITS_950 = same(int16_t, uint16_t, int32_t, uint32_t) + count_only(int8_t, uint8_t, int64_t, uint64_t)

AND = declare(
    "And",
    BINARY,
    lanes=lane.bit_and,
    types=TypeTable({_EARLIER: _SIXTEEN, ASCEND950: _BITS_950}),
    timing=Timing.LOGIC,
    doc=f"{_PAGES}/And.md",
    summary="dst = src0 & src1",
)

OR = declare(
    "Or",
    BINARY,
    lanes=lane.bit_or,
    types=AND.types,
    timing=Timing.LOGIC,
    doc=f"{_PAGES}/Or.md",
    summary="dst = src0 | src1",
)

NOT = declare(
    "Not",
    UNARY,
    lanes=lane.bit_not,
    types=TypeTable({_EARLIER: _SIXTEEN, ASCEND950: _BITS_950 + same(half, float32)}),
    timing=Timing.LOGIC,
    doc=f"{_PAGES}/Not.md",
    summary="dst = ~src, bit by bit; of floats too",
)

ANDS = declare(
    "Ands",
    EITHER_SCALAR,
    lanes=with_scalar(lane.bit_and),
    types=TypeTable({ASCEND950: _SIXTEEN + count_only(int64_t, uint64_t)}),
    timing=Timing.LOGIC,
    doc=f"{_PAGES}/Ands.md",
    summary="dst = src & scalar",
)

ORS = declare(
    "Ors",
    EITHER_SCALAR,
    lanes=with_scalar(lane.bit_or),
    types=ANDS.types,
    timing=Timing.LOGIC,
    doc=f"{_PAGES}/Ors.md",
    summary="dst = src | scalar",
)

_SHIFTS = TypeTable(
    {
        (ASCEND910B, ASCEND910_93, ASCEND310B): same(int16_t, uint16_t, int32_t, uint32_t),
        ASCEND950: _BITS_950,
    }
)
_TENSOR_SHIFTS = TypeTable(  # the shift is signed, of the width of what is shifted
    {
        ASCEND950: (
            *same(int8_t, int16_t, int32_t, int64_t),
            *(
                TypeRow((shifted, shifted, shift))
                for shifted, shift in (
                    (uint8_t, int8_t),
                    (uint16_t, int16_t),
                    (uint32_t, int32_t),
                    (uint64_t, int64_t),
                )
            ),
        )
    }
)

SHIFT_LEFT = declare(
    "ShiftLeft",
    VECTOR_SCALAR,
    lanes=lane.shift_left,
    types=_SHIFTS,
    timing=Timing.SHIFT,
    doc=f"{_PAGES}/ShiftLeft.md",
    summary="dst = src << scalar; the sign bit of signed types stays",
    variants=(
        Instruction(
            name="ShiftLeft",
            family=BINARY,
            lanes=lane.shift_left,
            types=_TENSOR_SHIFTS,
            forms=COUNT_ALONE,
            timing=Timing.SHIFT,
            doc=f"{_PAGES}/ShiftLeft（左移位数为Tensor）.md",  # noqa: RUF001  # the page's own name
            summary="dst = src0 << src1; the sign bit of signed types stays",
        ),
    ),
)

SHIFT_RIGHT = declare(
    "ShiftRight",
    ROUNDING_SHIFT,
    lanes=lane.shift_right,
    types=_SHIFTS,
    timing=Timing.SHIFT,
    doc=f"{_PAGES}/ShiftRight.md",
    summary="dst = src >> scalar: arithmetic for signed, logical for unsigned types",
    variants=(
        Instruction(
            name="ShiftRight",
            family=BINARY,
            lanes=lane.shift_right,
            types=_TENSOR_SHIFTS,
            forms=COUNT_ALONE,
            timing=Timing.SHIFT,
            doc=f"{_PAGES}/ShiftRight（右移位数为Tensor）.md",  # noqa: RUF001  # the page's own name
            summary="dst = src0 >> src1: arithmetic for signed, logical for unsigned types",
        ),
    ),
)
