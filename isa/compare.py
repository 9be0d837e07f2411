"""Chapter "compare and select"."""

import attrs

from isa.dtypes import (
    ALL,
    ElementType,
    bfloat16_t,
    complex32,
    complex64,
    double,
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
from isa.numerics import compare as lane
from isa.params import CMPMODE, SELMODE
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950
from isa.shapes import (
    COMPARE as COMPARISON,
    COMPARE_REGISTER,
    COMPARE_SCALAR,
    MEMORY_TO_REGISTER,
    REGISTER_TO_MEMORY,
    SELECT as SELECTION,
    SELECT_REGISTER,
    SELECT_SCALAR,
)

_PAGES = "基础API/Memory矢量计算/比较与选择"
_A2 = (ASCEND910B, ASCEND910_93)
_EQUAL = ("cmp_mode", (CMPMODE.EQ,))
_FLOATS = (half, float32)
_TILED_950 = (int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float32)
_COUNT_950 = (int8_t, uint8_t, int64_t, uint64_t, double)


def _compared(
    flags: tuple[ElementType, ...], sources: int, *dtypes: ElementType, **fields: object
) -> tuple[TypeRow, ...]:
    """Rows of a comparison: the bits may be kept in any of `flags`."""
    return tuple(TypeRow((f, *(d,) * sources), **fields) for f in flags for d in dtypes)  # type: ignore[arg-type]  # fields by name


_BYTES = (uint8_t, int8_t)

COMPARE = declare(
    "Compare",
    COMPARISON,
    lanes=lane.compare,
    types=TypeTable(
        {
            (ASCEND910, ASCEND310P, ASCEND310B): _compared(_BYTES, 2, *_FLOATS),
            _A2: (*_compared(_BYTES, 2, *_FLOATS), *_compared(_BYTES, 2, int32_t, only=_EQUAL)),
            ASCEND950: (
                *_compared(_BYTES, 2, *_TILED_950),
                *_compared(_BYTES, 2, *_COUNT_950, count_only=True),
            ),
        }
    ),
    model=lane.COMPARE_MODEL,
    timing=Timing.COMPARE,
    doc=f"{_PAGES}/Compare.md",
    summary="bit k of dst = src0[k] compared with src1[k]; packed, the lowest bit first",
    variants=(
        Instruction(
            name="Compare",
            family=COMPARE_REGISTER,
            lanes=lane.compare_into_register,
            types=TypeTable({(ASCEND310P, *_A2, ASCEND950): tuple(TypeRow((d,)) for d in _FLOATS)}),
            model=lane.COMPARE_MODEL,
            timing=Timing.COMPARE_REGISTER,
            doc=f"{_PAGES}/Compare（结果存入寄存器）.md",  # noqa: RUF001  # the page's own name
            summary="bit k of the compare register = src0[k] compared with src1[k], for one repeat",
        ),
    ),
)

COMPARES = declare(
    "Compares",
    COMPARE_SCALAR,
    old_names=("CompareScalar",),
    lanes=lane.compare,
    types=TypeTable(
        {
            (ASCEND310P,): _compared((uint8_t,), 1, *_FLOATS),
            _A2: (*_compared((uint8_t,), 1, *_FLOATS), *_compared((uint8_t,), 1, int32_t, only=_EQUAL)),
            ASCEND310B: _compared((uint8_t,), 1, int16_t, uint16_t, half, int32_t, uint32_t, float32),
            ASCEND950: (
                *_compared((uint8_t,), 1, *_TILED_950),
                *_compared((uint8_t,), 1, int8_t, uint8_t, int64_t, uint64_t, count_only=True),
                *_compared((uint8_t,), 1, double, count_only=True, only=_EQUAL),
            ),
        }
    ),
    model=lane.COMPARE_MODEL,
    timing=Timing.COMPARE_SCALAR,
    doc=f"{_PAGES}/Compares.md",
    summary="bit k of dst = src0[k] compared with the scalar; packed, the lowest bit first",
)

_SELECTORS = (uint8_t, uint16_t, uint32_t, uint64_t)


def _selected(tensors: int, *dtypes: ElementType, count_only: bool = False) -> tuple[TypeRow, ...]:
    """Rows of a selection with this many value tensors, dst among them."""
    return tuple(TypeRow((d, s, *(d,) * (tensors - 1)), count_only) for s in _SELECTORS for d in dtypes)


_SELECTED_950 = (int8_t, uint8_t, complex32, int64_t, uint64_t, complex64)


def _table(tensors: int) -> TypeTable:
    return TypeTable(
        {
            (ASCEND910, ASCEND310P, *_A2, ASCEND310B): _selected(tensors, *_FLOATS),
            ASCEND950: (
                *_selected(tensors, *_TILED_950),
                *_selected(tensors, *_SELECTED_950, count_only=True),
            ),
        }
    )


_TENSOR_MODES = ("sel_mode", (SELMODE.VSEL_CMPMASK_SPR, SELMODE.VSEL_TENSOR_TENSOR_MODE))
_OTHERS = (ASCEND310P, *_A2, ASCEND310B, ASCEND950)

_SELECT_TENSORS = Instruction(
    name="Select",
    family=SELECTION,
    lanes=lane.select,
    types=_table(3),
    choices={
        ASCEND910: ("sel_mode", (SELMODE.VSEL_CMPMASK_SPR,)),
        **dict.fromkeys(_OTHERS, _TENSOR_MODES),
    },
    timing=Timing.SELECT,
    doc=f"{_PAGES}/Select.md",
    summary="dst = src0 where the bit of sel_mask is 1, else src1",
)
SELECT_BY_REGISTER = Instruction(
    name="Select",
    family=SELECT_REGISTER,
    lanes=lane.select_by_register,
    types=TypeTable({(ASCEND910, *_OTHERS): tuple(TypeRow((d,)) for d in _FLOATS)}),
    choices=dict.fromkeys((ASCEND910, *_OTHERS), ("sel_mode", (SELMODE.VSEL_CMPMASK_SPR,))),
    timing=Timing.SELECT,
    doc=f"{_PAGES}/Select.md",
    summary="dst = src0 where the bit of the compare register is 1, else src1",
)

SELECT = declare(
    "Select",
    SELECT_SCALAR,
    lanes=lane.select,
    types=_table(2),
    choices={
        ASCEND910: ("sel_mode", ()),
        **dict.fromkeys(_OTHERS, ("sel_mode", (SELMODE.VSEL_TENSOR_SCALAR_MODE,))),
    },
    timing=Timing.SELECT,
    doc=f"{_PAGES}/Select.md",
    summary="dst = src0 where the bit of sel_mask is 1, else src1, a tensor or a scalar",
    variants=(_SELECT_TENSORS, SELECT_BY_REGISTER),
)


def _handed_over(instruction: Instruction) -> Instruction:
    return attrs.evolve(instruction, family=attrs.evolve(instruction.family, knows_address=False))


SELECT_HANDED_OVER = attrs.evolve(_handed_over(SELECT), variants=(_handed_over(_SELECT_TENSORS),))
"""Select without a mask argument: the scalar, or the address of the bits, is in the compare register and stays."""

_WHOLE_BYTES = tuple(d for d in ALL.values() if d.bits >= 8)

GET_CMP_MASK = declare(
    "GetCmpMask",
    REGISTER_TO_MEMORY,
    lanes=lane.register_to_memory,
    types=TypeTable({(ASCEND310P, *_A2, ASCEND950): same(*(d for d in _WHOLE_BYTES if d.bits <= 32))}),
    timing=Timing.COPY,
    doc=f"{_PAGES}/GetCmpMask(ISASI).md",
    summary="the first 16 bytes of dst = the compare register",
)
SET_CMP_MASK = declare(
    "SetCmpMask",
    MEMORY_TO_REGISTER,
    lanes=lane.memory_to_register,
    types=TypeTable({(ASCEND310P, *_A2, ASCEND950): same(*_WHOLE_BYTES)}),
    timing=Timing.STATE,
    doc=f"{_PAGES}/SetCmpMask(ISASI).md",
    summary="the compare register = the first 16 bytes of src",
)
