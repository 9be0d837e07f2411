"""Mask arguments that do not mean what they seem to mean (spec 01 section 2.6)."""

from collections.abc import Iterator

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.registers import Control, contiguous_mask
from isa.families import Form
from isa.products import MaskArgument, Product


def check(
    form: Form, argument: "int | tuple[int, ...] | None", control: Control, product: Product, bits: int
) -> Iterator[Violation]:
    """A contiguous mask in counter mode; bits: width of the element that the library hands to SetMask."""
    if form is not Form.CONTIGUOUS or not isinstance(argument, int) or not control.counts:
        return
    if product.mask_argument is MaskArgument.REGISTER:
        stored = contiguous_mask(argument, bits).count
        meaning = f"the library stores mask={argument} as a bit pattern, which the hardware reads as {stored} elements"
    elif product.mask_placeholder_is_mask:
        meaning = "this product's tiled forms ignore counter mode and read the mask as a number of lanes"
    else:
        meaning = f"this product takes mask={argument} as the number of elements, other products do not"
    yield Violation(
        code="mask-mode",
        message=f"a contiguous mask in counter mode: {meaning}",
        hint="Give the count as a bitwise mask [count, 0], or call SetMaskNorm first.",
    )
