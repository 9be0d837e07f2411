"""The Ascend vector instruction set as data: one declaration for each instruction. Knows nothing of the simulator."""

from isa import arithmetic, compare, compound, convert, fill, gather, logic, mask, move, pad, reduce, sort, sync, tiles, transpose
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
    "compare",
    "compound",
    "convert",
    "fill",
    "gather",
    "logic",
    "mask",
    "move",
    "pad",
    "reduce",
    "sort",
    "sort",
    "sync",
    "tiles",
    "transpose",
]
