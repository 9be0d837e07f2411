"""Mask arguments that do not mean what they seem to mean (spec 01 section 2.6)."""

from collections.abc import Iterator

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.registers import Control, contiguous_mask
from isa.families import Form
from isa.products import MaskArgument, Product


def check(
    form: Form,
    argument: "int | tuple[int, ...] | None",
    control: Control,
    product: Product,
    *,
    is_set_mask: bool,
    bits: int,
) -> Iterator[Violation]:
    """Counter mode with a contiguous mask; is_set_mask=False where the product ignores it."""
    if form is not Form.CONTIGUOUS or not isinstance(argument, int):
        return
    if control.counts and is_set_mask:
        if product.mask_argument is MaskArgument.REGISTER:
            stored = contiguous_mask(argument, bits).count
            meaning = (
                f"the library stores mask={argument} as a bit pattern, which the hardware reads as {stored} elements"
            )
        elif product.mask_placeholder_is_mask:
            meaning = "this product's tiled forms ignore counter mode and read the mask as a number of lanes"
        else:
            meaning = f"this product takes mask={argument} as the number of elements, other products do not"
        yield Violation(
            code="mask-mode",
            message=f"a contiguous mask in counter mode: {meaning}",
            hint="Give the count as a bitwise mask [count, 0], or call SetMaskNorm first.",
        )
    elif not is_set_mask and product.mask_placeholder_is_mask:
        yield Violation(
            code="mask-mode",
            message=f"{product.id} ignores is_set_mask=False in this form: mask={argument} itself selects the lanes",
            hint="Pass the mask as an argument, or use the bitwise form.",
        )
