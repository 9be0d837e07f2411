"""Chapter "sort": merges of sorted lists."""

import attrs

from isa.dtypes import float32, half
from isa.families import DST, REPEATS_ALONE, Argument, ArgumentKind, Family, Operand, Role, Shape
from isa.model import Timing, TypeTable, anything, declare, same
from isa.params import MrgSort4Info
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

_PAGES = "基础API/Memory矢量计算/排序组合（ISASI）"  # noqa: RUF001  # the chapter's own name
LISTS = tuple(Operand(f"src{i}", Role.READ) for i in range(1, 5))

MERGE = Family(
    "merge of sorted lists",
    Shape.MERGE,
    (DST, *LISTS),
    (Argument("params", ArgumentKind.VALUE),),
    forms=REPEATS_ALONE,
    params=MrgSort4Info,
    disjoint=True,
)

MRG_SORT = declare(
    "MrgSort",
    MERGE,
    types=TypeTable({(ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950): same(half, float32)}),
    timing=Timing.MERGE_SORT,
    doc=f"{_PAGES}/MrgSort.md",
    summary="merge two to four lists of 8-byte records, in descending order of the scores",
)
MRG_SORT4 = declare(
    "MrgSort4",
    attrs.evolve(MERGE, name="merge of sorted proposals"),
    types=TypeTable({ASCEND910: same(half), ASCEND310P: same(half, float32)}),
    timing=Timing.MERGE_SORT,
    doc=f"{_PAGES}/MrgSort4.md",
    summary="merge two to four lists of proposals, in descending order of the scores",
)
GET_MRG_SORT_RESULT = declare(
    "GetMrgSortResult",
    Family("getter", Shape.REGISTER, forms=REPEATS_ALONE),
    types=anything(ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950),
    timing=Timing.STATE,
    doc=f"{_PAGES}/GetMrgSortResult.md",
    summary="how many records the last merge took from each list",
)
