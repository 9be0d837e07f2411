"""Chapter "reduction": results of a repeat, of its blocks, of its pairs."""

from isa.dtypes import float32, half, int16_t, int32_t, uint16_t, uint32_t
from isa.model import Instruction, Timing, TypeRow, TypeTable, declare, renamed, same
from isa.numerics import reduce as lane
from isa.params import ReduceOrder, ReduceType
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950
from isa.shapes import REDUCE_BLOCK, REDUCE_PAIR, REDUCE_REPEAT, REPEAT_REDUCE, WHOLE_REDUCE_SUM

_PAGES = "基础API/Memory矢量计算/归约计算"
_MIDDLE = (ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B)
_FLOATS = same(half, float32)
_SUM_ONLY = ("reduce_type", (ReduceType.SUM,))
_SUM, _MAX, _MIN = ({"reduce_type": kind} for kind in ReduceType)

_WIDENING = tuple(
    TypeRow(types, only=_SUM_ONLY) for types in ((int32_t, int16_t), (uint32_t, uint16_t))
)
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
REPEAT_REDUCE_SUM = renamed(
    WHOLE_REDUCE_SUM_INSTRUCTION, "RepeatReduceSum", family=REPEAT_REDUCE
)

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
    return renamed(
        REDUCE_DATA_BLOCK, name, family=REDUCE_BLOCK.repeats_before_mask(), fixed={"reduce_type": kind}
    )


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
