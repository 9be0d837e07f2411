"""Chapters "transposition" and "sort": fixed tiles, without a mask."""

from isa.dtypes import (
    ElementType,
    bfloat16_t,
    complex32,
    float32,
    fp4x2_e1m2_t,
    fp4x2_e2m1_t,
    fp8_e4m3fn_t,
    fp8_e5m2_t,
    fp8_e8m0_t,
    half,
    hifloat8_t,
    int4b_t,
    int8_t,
    int16_t,
    int32_t,
    uint8_t,
    uint16_t,
    uint32_t,
)
from isa.model import Instruction, Timing, TypeRow, TypeTable, declare, same
from isa.moves import CHANNELS, FROM_PROPOSALS, SORT_32, SORT_PROPOSALS, SQUARE, TO_PROPOSALS
from isa.numerics import tilework as lane
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950
from isa.transpose_type import IMAGES, TransposeType

_SORT = "基础API/Memory矢量计算/排序组合（ISASI）"  # noqa: RUF001  # the chapter's own name
_EVERY = (ASCEND910, ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950)
_PROPOSALS = TypeTable({ASCEND910: same(half), ASCEND310P: same(half, float32)})

_TRANSPOSE_PAGE = "基础API/Memory矢量计算/数据排布转换/Transpose.md"
_NONE, _TILE = TransposeType.TRANSPOSE_TYPE_NONE, TransposeType.TRANSPOSE_ND2ND_B16
_EVERYWHERE = (int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float32)
_ONLY_950 = (
    *(fp4x2_e2m1_t, fp4x2_e1m2_t, int4b_t, hifloat8_t, fp8_e8m0_t, fp8_e5m2_t, fp8_e4m3fn_t),
    *(bfloat16_t, complex32),
)


def _layouts(images: tuple[ElementType, ...], tiles: tuple[ElementType, ...]) -> tuple[TypeRow, ...]:
    """The two kinds of transpose_type have types of their own."""
    rows = [TypeRow((d, d, uint8_t), only=("transpose_type", (_NONE, *IMAGES))) for d in images if d not in tiles]
    both = [TypeRow((d, d, uint8_t)) for d in tiles if d in images]
    alone = [TypeRow((d, d, uint8_t), only=("transpose_type", (_NONE, _TILE))) for d in tiles if d not in images]
    return (*rows, *both, *alone)


TRANSPOSE_LAYOUT = Instruction(
    name="Transpose",
    family=CHANNELS,
    lanes=lane.exchange_axes,
    types=TypeTable(
        {
            (ASCEND310P, ASCEND910B, ASCEND910_93): _layouts(_EVERYWHERE, (uint16_t,)),
            ASCEND310B: _layouts((), (uint16_t,)),
            ASCEND950: _layouts((*_EVERYWHERE, *_ONLY_950), (int16_t, uint16_t, half)),
        }
    ),
    timing=Timing.TRANSPOSE,
    doc=_TRANSPOSE_PAGE,
    summary="[N, C, H, W] to [N, H, W, C] or back",
    choices={
        **dict.fromkeys((ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND950), ("transpose_type", (_NONE, _TILE, *IMAGES))),
        ASCEND310B: ("transpose_type", (_NONE, _TILE)),
    },
)

TRANSPOSE = declare(
    "Transpose",
    SQUARE,
    lanes=lane.transpose,
    types=TypeTable({_EVERY: same(int16_t, uint16_t, half)}),
    timing=Timing.TRANSPOSE,
    doc=_TRANSPOSE_PAGE,
    summary="exchange rows and columns of a 16 x 16 tile; with transpose_params, of images",
    variants=(TRANSPOSE_LAYOUT,),
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
