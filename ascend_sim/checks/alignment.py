"""Start addresses (spec 01 section 4.2): 32 bytes in the Unified Buffer unless the operand asks for less, one element
in GM.

Strides are multiples of 32 bytes, so an aligned base aligns every block.
"""

from collections.abc import Iterator

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Access, Issue, Space


def check(issue: Issue) -> Iterator[Violation]:
    """Operands of the Unified Buffer that do not start on a block."""
    for access in issue.accesses:
        if access.address % access.alignment and access.space is Space.UB:
            yield _misaligned(access)


def _misaligned(access: Access) -> Violation:
    dtype, skip = access.dtype, -access.address % access.alignment
    offset = (access.address - access.origin) * 8 // dtype.bits
    if skip * 8 % dtype.bits or access.origin % access.alignment:
        hint = f"Next aligned address: 0x{access.address + skip:04X}."
    else:
        hint = f"Next aligned element offset: {offset + skip * 8 // dtype.bits}."
    return Violation(
        code="alignment",
        message=f"UB address 0x{access.address:04X} is not {access.alignment}-byte aligned "
        f"(element offset {offset} of {dtype})",
        hint=hint,
        operand=access.operand.name,
        repeat=0,
        block=0,
        lane=0,
        address=access.address,
        writes=access.operand.is_written,
        blocks=True,
    )
