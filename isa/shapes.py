"""Families whose operands do not all have one element for each lane: comparisons, reductions, tiles, indexed moves.

What a repeat touches of each operand is data (`patterns`); family numbers are those of spec 02 section 2.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from isa.families import (
    DST,
    REPEATS_ALONE,
    SRC,
    SRC0,
    SRC1,
    TILED,
    Argument,
    ArgumentKind,
    CountRule,
    Family,
    Operand,
    Role,
    Shape,
)
from isa.params import (
    CMPMODE,
    SELMODE,
    BinaryRepeatParams,
    ReduceOrder,
    ReduceStrides,
    ReduceType,
    RepeatReduceStrides,
    TensorReduceStrides,
    UnaryRepeatParams,
)
from isa.patterns import (
    FLAGS,
    SELECTORS,
    SHARED_SELECTORS,
    Follows,
    Pattern,
    Unit,
    tile,
)
from isa.products import BLOCKS_PER_REPEAT

_READ, _WRITTEN = Role.READ, Role.WRITTEN


def _named(operand: Operand, field: str) -> Operand:
    """The operand, with the strides of this name whatever its position."""
    return attrs.evolve(operand, pattern=Pattern(block=f"{field}_blk_stride", repeat=f"{field}_rep_stride"))


_DST, _SRC0, _SRC1 = (_named(o, o.name) for o in (DST, SRC0, SRC1))

# F6, compare and select

CMP_MODE = Argument("cmp_mode", ArgumentKind.CHOICE, choices=CMPMODE)
_FLAGS = Operand("dst", _WRITTEN, FLAGS)

COMPARE = Family(
    "comparison",
    Shape.REPEATS,
    (_FLAGS, SRC0, SRC1),
    (CMP_MODE,),
    params=BinaryRepeatParams,
    count_rule=CountRule.WHOLE_REPEATS,
    needs_mask=True,
    ignores_mask=True,
    own_mask=True,
)
COMPARE_SCALAR = attrs.evolve(
    COMPARE,
    name="comparison with a scalar",
    operands=(_FLAGS, SRC0),
    arguments=(Argument("src1_scalar", ArgumentKind.SCALAR), CMP_MODE),
    params=UnaryRepeatParams,
    either_side=True,
)
COMPARE_REGISTER = Family(
    "comparison into the register",
    Shape.REPEATS,
    (_SRC0, _SRC1),
    (CMP_MODE,),
    forms=TILED,
    params=BinaryRepeatParams,
    needs_mask=True,
    special=True,
)
_REGISTER_BYTES = tile(16, bits=8, alignment=16)
REGISTER_TO_MEMORY = Family(
    "the compare register to memory",
    Shape.REPEATS,
    (Operand("dst", _WRITTEN, _REGISTER_BYTES),),
    forms=REPEATS_ALONE,
    once=True,
    special=True,
)
MEMORY_TO_REGISTER = Family(
    "memory to the compare register",
    Shape.REPEATS,
    (Operand("src", _READ, _REGISTER_BYTES),),
    forms=REPEATS_ALONE,
    once=True,
    special=True,
)


def _selectors(arguments: Mapping[str, Any]) -> Pattern:
    return SHARED_SELECTORS if arguments["sel_mode"] is SELMODE.VSEL_CMPMASK_SPR else SELECTORS


_SEL_MODE = Argument("sel_mode", ArgumentKind.CHOICE, choices=SELMODE)
_SEL_MASK = Operand("sel_mask", _READ, _selectors)

SELECT_SCALAR = Family(
    "selection, tensor or scalar",
    Shape.REPEATS,
    (_DST, _SEL_MASK, _SRC0),
    (Argument("src1", ArgumentKind.SCALAR), _SEL_MODE),
    params=BinaryRepeatParams,
    stores_count=True,
    either_side=True,
    special=True,
    knows_address=True,
)
SELECT = attrs.evolve(
    SELECT_SCALAR,
    name="selection",
    operands=(_DST, _SEL_MASK, _SRC0, _SRC1),
    arguments=(_SEL_MODE,),
    either_side=False,
)
SELECT_REGISTER = attrs.evolve(
    SELECT,
    name="selection by the register",
    operands=(_DST, _SRC0, _SRC1),
    forms=TILED,
    special=True,
    knows_address=False,
)

# F7, reductions


def _repeat_result(arguments: Mapping[str, Any]) -> Pattern:
    """One value; of a maximum or minimum the order says whether an index, always 32 bits when alone, goes with it."""
    order = arguments.get("order", ReduceOrder.ORDER_ONLY_VALUE)
    fixed, bits = 1, 0
    if arguments["reduce_type"] is not ReduceType.SUM:
        if order is ReduceOrder.ORDER_ONLY_INDEX:
            bits = 32
        elif order is not ReduceOrder.ORDER_ONLY_VALUE:
            fixed = 2
    return Pattern(
        fixed=fixed,
        follows=Follows.REPEAT,
        bits=bits,
        block=1,
        repeat="dst_rep_stride",
        unit=Unit.RESULT,
        alignment=0,
    )


_BLOCK_RESULTS = Pattern(
    fixed=BLOCKS_PER_REPEAT, follows=Follows.RESULT, block=1, repeat="dst_rep_stride", unit=Unit.RESULT, alignment=0
)
_PAIR_RESULTS = Pattern(per=2, follows=Follows.RESULT, block=1, repeat="dst_rep_stride", unit=Unit.RESULT)

REDUCE_TYPE = Argument("reduce_type", ArgumentKind.CHOICE, keyword=True, default=ReduceType.SUM, choices=ReduceType)
_ORDER = Argument(
    "order", ArgumentKind.CHOICE, trailing=True, default=ReduceOrder.ORDER_VALUE_INDEX, choices=ReduceOrder
)
_SRC = _named(SRC, "src")

REDUCE_REPEAT = Family(
    "reduction of each repeat",
    Shape.REPEATS,
    (Operand("dst", _WRITTEN, _repeat_result), _SRC),
    (_ORDER, REDUCE_TYPE),
    forms=TILED,
    params=ReduceStrides,
    loose_params=True,
    needs_mask=True,
    special=True,
    stores_count=True,
    in_place=True,
)
WHOLE_REDUCE_SUM = attrs.evolve(REDUCE_REPEAT, arguments=(REDUCE_TYPE,))
REPEAT_REDUCE = attrs.evolve(WHOLE_REDUCE_SUM.repeats_before_mask(), params=RepeatReduceStrides)
REDUCE_BLOCK = attrs.evolve(
    REDUCE_REPEAT,
    name="reduction of each block",
    operands=(Operand("dst", _WRITTEN, _BLOCK_RESULTS), _SRC),
    arguments=(REDUCE_TYPE,),
    special=False,
)
REDUCE_PAIR = attrs.evolve(
    REDUCE_BLOCK, name="reduction of pairs", operands=(Operand("dst", _WRITTEN, _PAIR_RESULTS), _SRC)
)


def _tensor_result(arguments: Mapping[str, Any]) -> Pattern:
    fixed = 2 if arguments.get("cal_index") else 1
    return Pattern(fixed=fixed, follows=Follows.ONCE, block=1, repeat=0, alignment=0)


_TMP = Operand("shared_tmp_buffer", _READ, Pattern(fixed=1, follows=Follows.NONE, block=1, repeat=0))
REDUCE_TENSOR = Family(
    "reduction of a tensor",
    Shape.REPEATS,
    (
        Operand("dst", _WRITTEN, _tensor_result),
        Operand("src", _READ, Pattern(block=1, repeat="src_rep_stride")),
        _TMP,
    ),
    (Argument("cal_index", ArgumentKind.FLAG, trailing=True, default=False),),
    params=TensorReduceStrides,
    loose_params=True,
    takes_is_set_mask=False,
    needs_mask=True,
    special=True,
    in_place=True,
    any_repeat=True,
)
SUM_TENSOR = attrs.evolve(REDUCE_TENSOR, name="sum of a tensor", arguments=(), count_takes_is_set_mask=True)
SUM_TO_REGISTER = Family(
    "sum to the register",
    Shape.REPEATS,
    (Operand("src", _READ, Pattern(block=1, repeat=8)),),
    forms=TILED,
    needs_mask=True,
    special=True,
)
