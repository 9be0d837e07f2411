"""Chapter "data movement": bursts between GM and the Unified Buffer, and inside it, in units of 32 bytes."""

from isa.dtypes import (
    ALL,
    bfloat16_t,
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
from isa.families import MOVE
from isa.model import Instruction, Timing, TypeTable, declare, same
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

_BASIC = (
    int8_t,
    uint8_t,
    int16_t,
    uint16_t,
    half,
    int32_t,
    uint32_t,
    float32,
    int64_t,
    uint64_t,
    double,
)
_PAGES = "基础API/Memory矢量计算/数据搬运"

_INSIDE = Instruction(
    name="DataCopy",
    family=MOVE,
    types=TypeTable(
        {
            (ASCEND910, ASCEND310P): same(*_BASIC),
            (ASCEND910B, ASCEND910_93): same(*_BASIC, bfloat16_t),
            ASCEND950: same(*ALL.values()),
        }
    ),
    timing=Timing.MOVE,
    doc=f"{_PAGES}/DataCopy（UBToUB连续数据搬运）.md",  # noqa: RUF001  # the page's own name
    summary="copy bursts of 32-byte units inside the Unified Buffer",
)

DATA_COPY = declare(
    "DataCopy",
    MOVE,
    types=TypeTable(
        {
            (ASCEND910, ASCEND310P): same(*_BASIC),
            (ASCEND910B, ASCEND910_93, ASCEND310B): same(*_BASIC, bfloat16_t),
            ASCEND950: same(*ALL.values()),
        }
    ),
    timing=Timing.MOVE,
    doc=f"{_PAGES}/DataCopy（GM与UB连续数据搬运）.md",  # noqa: RUF001  # the page's own name
    summary="copy bursts of 32-byte units between GM and the Unified Buffer, or inside the Unified Buffer",
    variants=(_INSIDE,),
)
