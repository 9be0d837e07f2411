"""Chapter "mask operations", and SetDeqScale: writes of hidden vector state."""

from isa.families import STATE
from isa.model import Timing, anything, declare
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

_PAGES = "基础API/Memory矢量计算/掩码操作"

SET_VECTOR_MASK = declare(
    "SetVectorMask",
    STATE,
    types=anything(ASCEND910, ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950),
    timing=Timing.STATE,
    doc=f"{_PAGES}/SetVectorMask.md",
    summary="set the 128-bit mask register to two words, or to a length",
)

RESET_MASK = declare(
    "ResetMask",
    STATE,
    types=anything(ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950),
    timing=Timing.STATE,
    doc=f"{_PAGES}/ResetMask.md",
    summary="set the mask register to all ones",
)

SET_MASK_COUNT = declare(
    "SetMaskCount",
    STATE,
    types=anything(ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950),
    timing=Timing.STATE,
    doc=f"{_PAGES}/SetMaskCount.md",
    summary="switch to counter mode: the mask register holds a number of elements",
)

SET_MASK_NORM = declare(
    "SetMaskNorm",
    STATE,
    types=anything(ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950),
    timing=Timing.STATE,
    doc=f"{_PAGES}/SetMaskNorm.md",
    summary="switch to normal mode: the mask register holds one bit for each lane of a repeat",
)

SET_DEQ_SCALE = declare(
    "SetDeqScale",
    STATE,
    types=anything(ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND950),
    timing=Timing.STATE,
    doc="基础API/Memory矢量计算/类型转换辅助配置接口/SetDeqScale.md",
    summary="set the half scale by which Cast from int32_t to half multiplies",
)
