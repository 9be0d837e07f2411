"""Chapters "transposition" and "sort": fixed tiles, without a mask."""

from isa.dtypes import float32, half, int16_t, uint16_t, uint32_t
from isa.model import Timing, TypeRow, TypeTable, declare, same
from isa.moves import FROM_PROPOSALS, SORT_32, SORT_PROPOSALS, SQUARE, TO_PROPOSALS
from isa.numerics import tilework as lane
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

_SORT = "基础API/Memory矢量计算/排序组合（ISASI）"  # noqa: RUF001  # the chapter's own name
_EVERY = (ASCEND910, ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950)
_PROPOSALS = TypeTable({ASCEND910: same(half), ASCEND310P: same(half, float32)})

TRANSPOSE = declare(
    "Transpose",
    SQUARE,
    lanes=lane.transpose,
    types=TypeTable({_EVERY: same(int16_t, uint16_t, half)}),
    timing=Timing.TRANSPOSE,
    doc="基础API/Memory矢量计算/数据排布转换/Transpose.md",
    summary="exchange rows and columns of a 16 x 16 tile",
)

SORT32 = declare(
    "Sort32",
    SORT_32,
    lanes=lane.sort_32,
    types=TypeTable(
        {(ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950): tuple(TypeRow((d, d, uint32_t)) for d in (half, float32))}
    ),
    timing=Timing.SORT,
    doc=f"{_SORT}/Sort32.md",
    summary="32 scores and indices each repeat, as 8-byte records in descending order of the scores",
)

RP_SORT16 = declare(
    "RpSort16",
    SORT_PROPOSALS,
    lanes=lane.sort_proposals,
    types=_PROPOSALS,
    timing=Timing.SORT,
    doc=f"{_SORT}/RpSort16.md",
    summary="16 proposals each repeat, in descending order of their scores",
)

PROPOSAL_CONCAT = declare(
    "ProposalConcat",
    TO_PROPOSALS,
    lanes=lane.to_proposals,
    types=_PROPOSALS,
    timing=Timing.COPY,
    doc=f"{_SORT}/ProposalConcat.md",
    summary="field mode_number of 16 proposals = 16 elements, each repeat",
)

PROPOSAL_EXTRACT = declare(
    "ProposalExtract",
    FROM_PROPOSALS,
    lanes=lane.from_proposals,
    types=_PROPOSALS,
    timing=Timing.COPY,
    doc=f"{_SORT}/ProposalExtract.md",
    summary="16 elements = field mode_number of 16 proposals, each repeat",
)
