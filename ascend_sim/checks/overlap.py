"""Destination over source (spec 01 section 5): alike or apart inside a repeat, no result read by a later repeat."""

from collections.abc import Iterator

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.hazards import Conflict, forwarding, may_depend, partial_overlap
from ascend_sim.machine.issue import Access, Issue
from ascend_sim.machine.walk import Indexed
from isa.families import Form
from isa.products import BLOCK_BYTES


def check(issue: Issue) -> Iterator[Violation]:
    """At most one violation for each pair of destination and source."""
    if issue.lanes is None or issue.lanes.is_empty:
        return
    for dst in issue.writes:
        for src in issue.reads:
            if not may_depend(dst, src) or _placed_in_the_tail(issue, dst, src):
                continue
            if issue.instruction.family.in_place and dst.walk.base == src.walk.base and isinstance(dst.lanes, Indexed):
                continue
            if issue.instruction.family.disjoint or isinstance(dst.lanes, Indexed) or isinstance(src.lanes, Indexed):
                yield _shared(dst, src)
                continue
            conflict = None if _accumulates(issue, dst, src) else forwarding(dst, src)
            if conflict is None and not _consumes_in_place(issue, dst, src):
                conflict = partial_overlap(dst, src)
            if conflict is not None:
                yield _violation(dst, src, conflict)


def _accumulates(issue: Issue, dst: Access, src: Access) -> bool:
    """Rule 4: dst may overlap the last source across repeats when one of them stays on the same blocks."""
    return (
        dst.dtype in issue.instruction.accumulates
        and src is issue.reads[-1]
        and len(issue.reads) > 1
        and 0 in (dst.walk.repeat_stride, src.walk.repeat_stride)
    )


def _consumes_in_place(issue: Issue, dst: Access, src: Access) -> bool:
    """A conversion to a narrower type on the same start writes only bytes that it has consumed (section 5.2); so does
    a reduction, whose results are shorter than its sources.
    """
    if dst.walk.base != src.walk.base:
        return False
    return issue.instruction.family.in_place or dst.dtype.bits < src.dtype.bits


def _shared(dst: Access, src: Access) -> Violation:
    low, high = max(dst.cover.low, src.cover.low), min(dst.cover.high, src.cover.high)
    return Violation(
        code="overlap",
        message=f"{dst.operand.name} and {src.operand.name} share UB bytes 0x{low:04X}..0x{high - 1:04X}, and this "
        "instruction supports no overlap at all",
        hint="Use another tensor for the result.",
        operand=src.operand.name,
        repeat=0,
        address=low,
    )


def _placed_in_the_tail(issue: Issue, dst: Access, src: Access) -> bool:
    """The library accepts a widening count form whose source sits in the tail of the destination (section 5.4)."""
    lanes = issue.lanes
    if lanes is None or issue.form is not Form.COUNT or src.dtype.bits >= dst.dtype.bits or not lanes.repeats:
        return False
    consumed = -(-src.dtype.bytes_for(lanes.element_count) // BLOCK_BYTES) * BLOCK_BYTES
    return src.address >= dst.address + consumed


def _violation(dst: Access, src: Access, conflict: Conflict) -> Violation:
    bytes_ = f"UB bytes 0x{conflict.first:04X}..0x{conflict.last:04X}"
    apart = (dst.walk.base - src.walk.base) // BLOCK_BYTES
    where = f"{dst.operand.name} starts {abs(apart)} blocks {'after' if apart > 0 else 'before'} {src.operand.name}"
    if apart == 0:
        where = f"{dst.operand.name} and {src.operand.name} start together but step differently"
    if conflict.writer == conflict.reader:
        rule = (
            f"repeat {conflict.reader} reads and writes {bytes_}, but not the same lanes at the same places throughout"
        )
    else:
        rule = f"repeat {conflict.reader} reads {bytes_}, which repeat {conflict.writer} wrote"
    return Violation(
        code="overlap",
        message=f"{rule} ({where})",
        hint="Let the operands coincide or lie apart; the order of reads and writes is not defined between repeats.",
        operand=src.operand.name,
        repeat=conflict.reader,
        block=conflict.lane * src.dtype.bits // 8 // BLOCK_BYTES,
        lane=conflict.lane,
        address=conflict.first,
    )
