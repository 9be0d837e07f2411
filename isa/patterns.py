"""Which elements of an operand one repeat touches, where these are not the active lanes: a result, bits, a tile."""

import attrs

from isa.choice import Choice
from isa.products import BLOCK_BYTES, BLOCKS_PER_REPEAT


class Follows(Choice):
    """What decides which of an operand's elements are touched."""

    MASK = "the mask: one element for each active lane"
    ALL = "nothing: every element of the repeat"
    RESULT = "its own lanes of the mask, unless the product fills results without an active lane (310B and 950 do)"
    REPEAT = "the mask as a whole: any active lane, with the same exception"
    ANY = "the mask: elements that serve at least one active lane"
    COUNT = "the number of elements: all of a repeat, and in an incomplete last one those before the end"
    HALF_BLOCKS = "the mask: 16 one-byte elements in one half of each block, from `first` on"
    ONCE = "nothing: every element, once for the whole instruction"
    NONE = "nothing: the operand is not touched"
    TABLE = "addresses that stand in memory"


class Unit(Choice):
    """What a repeat stride counts."""

    BLOCK = "32-byte blocks"
    RESULT = "what one repeat touches"


DENSE = -1
"""A repeat stride: the next repeat starts where this one ends."""


@attrs.frozen
class Pattern:
    """Elements of one repeat: `fixed` of them, or one for every `per` lanes.

    bits: width of an element where it is not that of the tensor (8 for packed flags, 32 for an index).
    block, repeat: the strides, as the name of a field of the family's parameter struct or as a number; "" is the field
    at the operand's own position. unit: of the repeat stride. zero_block_is_one: block stride 0 means 1 (Brcb).
    every, first: only each `every`-th element from `first` on. alignment: bytes that the start must be a multiple of;
    0 is the bytes of one repeat (a result), -1 one element.
    """

    fixed: int = 0
    per: int = 1
    follows: Follows = Follows.MASK
    bits: int = 0
    block: "str | int" = ""
    repeat: "str | int" = ""
    unit: Unit = Unit.BLOCK
    zero_block_is_one: bool = False
    every: int = 1
    first: int = 0
    alignment: int = BLOCK_BYTES

    def count(self, width: int) -> int:
        """Elements of one repeat of `width` lanes."""
        return self.fixed or width // self.per

    @property
    def by_lane(self) -> bool:
        """One element for each lane: the operand takes part in the choice of the repeat's width."""
        return not self.fixed and self.per == 1


LANES = Pattern()
FLAGS = Pattern(per=8, follows=Follows.COUNT, bits=8, block=1, repeat=DENSE)
"""One bit for each lane, packed, repeat after repeat: what a comparison writes."""
SELECTORS = attrs.evolve(FLAGS, follows=Follows.ANY)
"""The same, read."""
SHARED_SELECTORS = attrs.evolve(SELECTORS, repeat=0)
"""The same bits for every repeat."""
BLOCK_SOURCES = Pattern(fixed=BLOCKS_PER_REPEAT, follows=Follows.ALL, block=1, repeat=DENSE)
"""One element, or one address, for each of the eight blocks that a repeat writes."""


def tile(elements: int, *, bits: int = 0, alignment: int = BLOCK_BYTES) -> Pattern:
    """A fixed number of elements each repeat, side by side, whatever the mask."""
    return Pattern(fixed=elements, follows=Follows.ALL, bits=bits, block=1, repeat=DENSE, alignment=alignment)
