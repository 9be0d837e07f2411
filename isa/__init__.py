"""The Ascend vector instruction set as data: one declaration for each instruction. Knows nothing of the simulator."""

from isa import arithmetic, compound, convert, fill, logic, mask, move, sync
from isa.mask import RESET_MASK, SET_DEQ_SCALE, SET_MASK_COUNT, SET_MASK_NORM, SET_VECTOR_MASK
from isa.model import ALIASES, TABLE, Instruction
from isa.params import FieldError

__all__ = [
    "ALIASES",
    "RESET_MASK",
    "SET_DEQ_SCALE",
    "SET_MASK_COUNT",
    "SET_MASK_NORM",
    "SET_VECTOR_MASK",
    "TABLE",
    "FieldError",
    "Instruction",
    "arithmetic",
    "compound",
    "convert",
    "fill",
    "logic",
    "mask",
    "move",
    "sync",
]
