"""Conversions of negative numbers to an unsigned type: they become 0, which the documentation calls exceptional."""

from collections.abc import Iterator

import numpy as np

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.memory import UnifiedBuffer
from ascend_sim.machine.touched import touched
from isa.dtypes import Kind, unpack_nibbles
from isa.model import Types
from isa.numerics.formats import to_host
from isa.products import BLOCK_BYTES


def applies(types: Types) -> bool:
    """A conversion between these types (dst, src) can meet a negative number that has no place in dst."""
    dst, src = types
    return dst.kind is Kind.UNSIGNED and src.kind is not Kind.UNSIGNED


def check(issue: Issue, ub: UnifiedBuffer) -> Iterator[Violation]:
    """At most one violation: how many active lanes are negative, and the first of them."""
    (src,) = issue.reads
    where = touched(src)
    if where.address.size == 0:
        return
    if src.dtype.is_nibble:
        codes = unpack_nibbles(ub.data[where.address])[np.arange(where.lane.size) * 2 + where.lane % 2]
    else:
        codes = ub.data[where.address[:, None] + np.arange(src.dtype.size)].view(src.dtype.carrier)[:, 0]
    negative = np.asarray(to_host(codes, src.dtype) < 0)
    if not negative.any():
        return
    at = int(negative.argmax())
    lane = int(where.lane[at])
    yield Violation(
        code="negative-to-unsigned",
        message=f"{int(np.count_nonzero(negative))} active lanes are negative and {issue.writes[0].dtype} is unsigned; "
        f"the first is repeat {where.repeat[at]} lane {lane}, {to_host(codes[at : at + 1], src.dtype)[0]}",
        hint="They become 0 when saturating; clamp or convert to a signed type first.",
        operand=src.operand.name,
        repeat=int(where.repeat[at]),
        block=lane * src.dtype.bits // 8 // BLOCK_BYTES,
        lane=lane,
        address=int(where.address[at]),
    )
