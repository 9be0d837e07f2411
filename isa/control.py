"""Chapter "special registers": the control register, whose bits switch saturation (spec 03 section 2.1)."""

from isa.choice import Choice
from isa.families import STATE
from isa.model import Timing, anything, declare
from isa.products import ASCEND910_93, ASCEND910B, ASCEND950, Arch

_PAGES = "基础API/特殊寄存器访问"


class SaturationFlagMode(Choice):
    """What SetSaturationFlag switches; the value is (bit of the control register, its value for "saturate")."""

    FLOAT = (48, 0)
    FLOAT8 = (50, 0)
    INT = (53, 1)
    CAST = (59, 0)


WRITABLE_BITS = {
    Arch.C220: frozenset({48}),
    Arch.A3510: frozenset({6, 7, 8, 9, 10, 45, 48, 50, 53, 59, 60}),
}
"""Bits that SetCtrlSpr accepts, by architecture; the pages name no other."""

FLAG_MODES = {
    Arch.C220: frozenset({SaturationFlagMode.FLOAT, SaturationFlagMode.CAST}),
}
"""Modes that SetSaturationFlag is documented for."""

SET_CTRL_SPR = declare(
    "SetCtrlSpr",
    STATE,
    types=anything(ASCEND910B, ASCEND910_93, ASCEND950),
    timing=Timing.STATE,
    doc=f"{_PAGES}/SetCtrlSpr(ISASI).md",
    summary="write some bits of the control register",
)

GET_CTRL_SPR = declare(
    "GetCtrlSpr",
    STATE,
    types=anything(ASCEND910B, ASCEND910_93, ASCEND950),
    timing=Timing.STATE,
    doc=f"{_PAGES}/GetCtrlSpr(ISASI).md",
    summary="read some bits of the control register",
)

RESET_CTRL_SPR = declare(
    "ResetCtrlSpr",
    STATE,
    types=anything(ASCEND950),
    timing=Timing.STATE,
    doc=f"{_PAGES}/ResetCtrlSpr(ISASI).md",
    summary="give some bits of the control register their reset value",
)

SET_SATURATION_FLAG = declare(
    "SetSaturationFlag",
    STATE,
    types=anything(ASCEND910B, ASCEND910_93),
    timing=Timing.STATE,
    doc=f"{_PAGES}/SetSaturationFlag(ISASI).md",
    summary="switch saturation of one kind of operation on or off",
)

GET_SATURATION_FLAG = declare(
    "GetSaturationFlag",
    STATE,
    types=anything(ASCEND910B, ASCEND910_93),
    timing=Timing.STATE,
    doc=f"{_PAGES}/GetSaturationFlag(ISASI).md",
    summary="whether saturation of one kind of operation is on",
)
