"""Chapter "reduction": results of a repeat, of its blocks, of its pairs."""

from isa.dtypes import float32, half, int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t
from isa.families import REPEATS_ALONE, Family, Shape
from isa.model import Instruction, Timing, TypeRow, TypeTable, anything, count_only, declare, renamed, same
from isa.numerics import reduce as lane
from isa.params import ReduceOrder, ReduceType
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950
from isa.shapes import (
    REDUCE_BLOCK,
    REDUCE_PAIR,
    REDUCE_REPEAT,
    REDUCE_TENSOR,
    REPEAT_REDUCE,
    SUM_TENSOR,
    SUM_TO_REGISTER,
    WHOLE_REDUCE_SUM,
)

_PAGES = "基础API/Memory矢量计算/归约计算"
_MIDDLE = (ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B)
_FLOATS = same(half, float32)
_SUM_ONLY = ("reduce_type", (ReduceType.SUM,))
_SUM, _MAX, _MIN = ({"reduce_type": kind} for kind in ReduceType)

_WIDENING = tuple(TypeRow(types, only=_SUM_ONLY) for types in ((int32_t, int16_t), (uint32_t, uint16_t)))
_TABLE = TypeTable(
    {
        ASCEND910: same(half),
        _MIDDLE: _FLOATS,
        ASCEND950: (*same(int16_t, uint16_t, half, int32_t, uint32_t, float32), *_WIDENING),
    }
)
_FLOAT_TABLE = TypeTable({ASCEND910: same(half), (*_MIDDLE, ASCEND950): _FLOATS})

VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX = ReduceOrder

REDUCE_REPEAT_INSTRUCTION = declare(
    "ReduceRepeat",
    REDUCE_REPEAT,
    lanes=lane.reduce_repeat,
    types=_TABLE,
    choices={
        ASCEND910: ("order", (VALUE_INDEX,)),
        ASCEND310P: ("order", (VALUE_INDEX, INDEX_VALUE)),
        ASCEND310B: ("order", (VALUE_INDEX, ONLY_VALUE)),
    },
    model=lane.LANES_MODEL,
    timing=Timing.REDUCE_EXTREMUM,
    doc=f"{_PAGES}/ReduceRepeat.md",
    summary="one result for each repeat: the sum, or the maximum or minimum and its index",
)
WHOLE_REDUCE_MAX = renamed(
    REDUCE_REPEAT_INSTRUCTION, "WholeReduceMax", fixed=_MAX, summary="maximum of each repeat, and its index"
)
WHOLE_REDUCE_MIN = renamed(
    REDUCE_REPEAT_INSTRUCTION, "WholeReduceMin", fixed=_MIN, summary="minimum of each repeat, and its index"
)
WHOLE_REDUCE_SUM_INSTRUCTION = renamed(
    REDUCE_REPEAT_INSTRUCTION,
    "WholeReduceSum",
    family=WHOLE_REDUCE_SUM,
    fixed=_SUM,
    timing=Timing.REDUCE_SUM,
    summary="sum of each repeat, by a binary tree",
)
REPEAT_REDUCE_SUM = renamed(WHOLE_REDUCE_SUM_INSTRUCTION, "RepeatReduceSum", family=REPEAT_REDUCE)

REDUCE_DATA_BLOCK = declare(
    "ReduceDataBlock",
    REDUCE_BLOCK,
    lanes=lane.reduce_block,
    types=_FLOAT_TABLE,
    model=lane.LANES_MODEL,
    timing=Timing.REDUCE_BLOCK,
    doc=f"{_PAGES}/ReduceDataBlock.md",
    summary="one result for each 32-byte block: sum, maximum or minimum",
)


def _block(name: str, kind: ReduceType) -> Instruction:
    """An old name, with the repeat count before the mask."""
    return renamed(REDUCE_DATA_BLOCK, name, family=REDUCE_BLOCK.repeats_before_mask(), fixed={"reduce_type": kind})


BLOCK_REDUCE_SUM = _block("BlockReduceSum", ReduceType.SUM)
BLOCK_REDUCE_MAX = _block("BlockReduceMax", ReduceType.MAX)
BLOCK_REDUCE_MIN = _block("BlockReduceMin", ReduceType.MIN)

REDUCE_PAIR_ELEM = declare(
    "ReducePairElem",
    REDUCE_PAIR,
    lanes=lane.reduce_pair,
    types=_FLOAT_TABLE,
    choices=dict.fromkeys((ASCEND910, *_MIDDLE, ASCEND950), _SUM_ONLY),
    model=lane.LANES_MODEL,
    timing=Timing.REDUCE_PAIR,
    doc=f"{_PAGES}/ReducePairElem.md",
    summary="dst[k] = src[2k] + src[2k + 1]",
)
PAIR_REDUCE_SUM = renamed(
    REDUCE_PAIR_ELEM,
    "PairReduceSum",
    family=REDUCE_PAIR.repeats_before_mask(),
    fixed=_SUM,
)

# Reductions of a whole tensor: programs over the ones above, except on ascend950

_INTEGERS_950 = (int16_t, uint16_t, half, int32_t, uint32_t, float32)
_EXTREMES = TypeTable(
    {
        ASCEND910: same(half),
        _MIDDLE: _FLOATS,
        ASCEND950: same(*_INTEGERS_950) + count_only(int64_t, uint64_t),
    }
)

REDUCE_MAX = declare(
    "ReduceMax",
    REDUCE_TENSOR,
    lanes=lane.reduce_tensor(ReduceType.MAX),
    types=_EXTREMES,
    timing=Timing.REDUCE_EXTREMUM,
    doc=f"{_PAGES}/ReduceMax.md",
    summary="dst[0] = maximum of all elements, dst[1] = its index where it is asked for",
)
REDUCE_MIN = declare(
    "ReduceMin",
    REDUCE_TENSOR,
    lanes=lane.reduce_tensor(ReduceType.MIN),
    types=_EXTREMES,
    timing=Timing.REDUCE_EXTREMUM,
    doc=f"{_PAGES}/ReduceMin.md",
    summary="dst[0] = minimum of all elements, dst[1] = its index where it is asked for",
)
REDUCE_SUM = declare(
    "ReduceSum",
    SUM_TENSOR,
    lanes=lane.sum_tensor,
    types=TypeTable(
        {
            ASCEND910: same(half),
            _MIDDLE: _FLOATS,
            ASCEND950: same(half, float32, int32_t, uint32_t) + count_only(int64_t, uint64_t),
        }
    ),
    model=lane.LANES_MODEL,
    timing=Timing.REDUCE_SUM,
    doc=f"{_PAGES}/ReduceSum.md",
    summary="dst[0] = sum of all elements",
)

WHOLE = {
    ReduceType.SUM: WHOLE_REDUCE_SUM_INSTRUCTION,
    ReduceType.MAX: WHOLE_REDUCE_MAX,
    ReduceType.MIN: WHOLE_REDUCE_MIN,
}
"""The reduction of repeats that a reduction of a tensor is made of."""

ACCUMULATE = Instruction(
    name="RepeatReduceSum",
    family=SUM_TO_REGISTER,
    lanes=lane.accumulate,
    types=REDUCE_SUM.types,
    timing=Timing.REDUCE_SUM,
    doc=f"{_PAGES}/ReduceSum.md",
    summary="the accumulator register = the sums of the repeats, added in order",
)

_REGISTER = Family("getter", Shape.REGISTER, forms=REPEATS_ALONE)
_HELPERS = "基础API/Memory矢量计算/归约计算辅助配置接口"
GET_MAX_MIN = declare(
    "GetReduceRepeatMaxMinSpr",
    _REGISTER,
    old_names=("GetReduceMaxMinCount",),
    types=anything(ASCEND310P, ASCEND910B, ASCEND910_93),
    timing=Timing.STATE,
    doc=f"{_HELPERS}/GetReduceRepeatMaxMinSpr(ISASI).md",
    summary="the last maximum or minimum over all repeats, and the bits of its index (ascend310p: no index)",
)
GET_SUM = declare(
    "GetReduceRepeatSumSpr",
    _REGISTER,
    old_names=("GetAccVal",),
    types=anything(ASCEND910B, ASCEND910_93, ASCEND950),
    timing=Timing.STATE,
    doc=f"{_HELPERS}/GetReduceRepeatSumSpr(ISASI).md",
    summary="the sum that the last count form of ReduceSum left in the accumulator",
)
