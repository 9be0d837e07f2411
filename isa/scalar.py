"""Accesses of the scalar unit to a tensor. They are methods of LocalTensor, so the table of instructions has no row."""

from isa.families import SCALAR_ACCESS
from isa.model import Instruction, Timing, anything
from isa.sync import EVERY

_PAGES = "基础API/数据结构/LocalTensor和GlobalTensor定义"

GET_VALUE = Instruction(
    name="GetValue",
    family=SCALAR_ACCESS,
    types=anything(*EVERY),
    timing=Timing.STATE,
    doc=f"{_PAGES}/LocalTensor.md",
    summary="read one element with the scalar unit",
)

SET_VALUE = Instruction(
    name="SetValue",
    family=SCALAR_ACCESS,
    types=anything(*EVERY),
    timing=Timing.STATE,
    doc=f"{_PAGES}/LocalTensor.md",
    summary="write one element with the scalar unit",
)
