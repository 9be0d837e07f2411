"""Chapter "data movement", unaligned: DataCopyPad moves any number of bytes and fills blocks of 32 bytes up."""

from isa.dtypes import (
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
from isa.families import MOVE_PAD, STATE, Family, Form, Shape
from isa.model import Instruction, Timing, TypeRow, TypeTable, declare, same
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950, Product

_NARROW = (int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float32)
_WIDE = (*_NARROW, int64_t, uint64_t, double)
_TYPES = TypeTable(
    {
        (ASCEND910B, ASCEND910_93): same(*_WIDE),
        ASCEND310B: same(*_NARROW),
        ASCEND950: same(*_WIDE, complex32, complex64),
    }
)
_PAGES = "基础API/Memory矢量计算/数据搬运"

DATA_COPY_PAD = declare(
    "DataCopyPad",
    MOVE_PAD,
    types=_TYPES,
    timing=Timing.MOVE,
    doc=f"{_PAGES}/DataCopyPad（GMToUB非对齐数据搬运）.md",  # noqa: RUF001  # the page's own name
    summary="copy bursts of any number of bytes between GM and the Unified Buffer, padding blocks on the way in",
)

SET_PAD_VALUE = declare(
    "SetPadValue",
    STATE,
    types=TypeTable({(ASCEND910B, ASCEND910_93): same(*_WIDE), ASCEND950: same(*_WIDE, complex32, complex64)}),
    timing=Timing.STATE,
    doc="基础API/Memory矢量计算/数据搬运辅助配置接口/SetPadValue(ISASI).md",
    summary="set the value with which DataCopyPad fills when its own padding is off",
)

# Copies out that combine with what GM holds. Their pages are not among those of the vector instructions, so the table
# has no row for them.

Rows = dict[Product | tuple[Product, ...], tuple[TypeRow, ...]]

_ATOMIC = Family("atomic", Shape.REGISTER, forms=frozenset({Form.CALL}))
_ATOMIC_TYPES: Rows = {
    (ASCEND910B, ASCEND910_93, ASCEND950): same(int8_t, int16_t, half, bfloat16_t, int32_t, float32),
}
_ADD_TYPES: Rows = {
    **_ATOMIC_TYPES,
    ASCEND310B: same(int16_t, half, int32_t, float32),
    ASCEND310P: same(int16_t, half, float32),
    ASCEND910: same(float32),
}


def _atomic(name: str, types: TypeTable, summary: str) -> Instruction:
    return Instruction(
        name=name,
        family=_ATOMIC,
        types=types,
        timing=Timing.STATE,
        doc=f"基础API/原子操作/{name}.md",
        summary=summary,
    )


SET_ATOMIC_ADD = _atomic("SetAtomicAdd", TypeTable(_ADD_TYPES), "copies out add to what GM holds")
SET_ATOMIC_MAX = _atomic("SetAtomicMax", TypeTable(_ATOMIC_TYPES), "copies out keep the maximum")
SET_ATOMIC_MIN = _atomic("SetAtomicMin", TypeTable(_ATOMIC_TYPES), "copies out keep the minimum")
SET_ATOMIC_NONE = _atomic("SetAtomicNone", TypeTable(_ADD_TYPES), "copies out replace what GM holds")
