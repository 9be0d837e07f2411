"""Remarks on the lanes of an issue: no repeat, nothing active, several blocks into one."""

from collections.abc import Iterator

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.walk import Lanes
from isa.families import Form
from isa.products import Product


def check(issue: Issue, product: Product) -> Iterator[Violation]:
    """Rules of spec 01 sections 2.4 and 3.1 that need no memory."""
    lanes = issue.lanes
    if lanes is None:
        return
    if lanes.repeats == 0:
        if issue.form is not Form.COUNT:
            yield Violation(
                code="zero-repeat",
                message="repeat_time=0: the instruction does nothing"
                + ("" if product.empty_mask_is_legal else f" here; its effect on {product.id} is not documented"),
                hint="Guard the call, or give it at least one repeat.",
            )
        return
    if lanes.is_empty:
        yield _empty(product, lanes.width)
        return
    yield from _destination_blocks(issue)


def _empty(product: Product, width: int) -> Violation:
    legal = product.empty_mask_is_legal
    outcome = "nothing is written" if legal else f"{product.id} does not allow that"
    high = "; lanes of 32 and 64 bits read the low word, mask[0], and ignore the high word" if width <= 64 else ""
    return Violation(
        code="empty-mask" if legal else "mask-range",
        message=f"the mask has no active lane among the {width} of a repeat: {outcome}{high}",
        hint="Write [2**64 - 1, 0] for 64 lanes: mask[0] is lanes 0..63." if high else "Set at least one bit.",
    )


def _destination_blocks(issue: Issue) -> Iterator[Violation]:
    assert issue.lanes is not None
    for access in issue.writes:
        if access.walk.block_stride:
            continue
        lanes = access.lanes
        if not isinstance(lanes, Lanes):
            continue
        blocks = max((_active_blocks(s.mask, access.dtype.per_block) for s in lanes.segments), default=0)
        if blocks > 1:
            yield Violation(
                code="dst-block-stride-zero",
                message=f"block stride 0 sends {blocks} blocks of each repeat to one block at UB address "
                f"0x{access.walk.base:04X}; which of them stays is undefined",
                hint="Use block stride 1 or more for a destination.",
                operand=access.operand.name,
                repeat=0,
                block=1,
                lane=access.dtype.per_block,
                address=access.walk.base,
                writes=True,
            )


def _active_blocks(mask: int, per_block: int) -> int:
    one = (1 << per_block) - 1
    return sum(bool(mask >> at & one) for at in range(0, mask.bit_length(), per_block))
