"""Active bytes against the tensor and against memory (spec 01 section 7). Masked-off lanes do not count."""

from collections.abc import Iterator

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.walk import Lanes, mask_row
from isa.families import Form
from isa.products import BLOCK_BYTES


def check(issue: Issue, ub_bytes: int) -> Iterator[Violation]:
    """Lanes of a vector instruction that lie outside their tensor, destinations first."""
    for access in issue.accesses:
        end, lanes = access.address + access.nbytes, access.lanes
        if access.cover.high > end and isinstance(lanes, Lanes):
            yield from _outside(issue, access, lanes, end, ub_bytes)


def _outside(issue: Issue, access: Access, lanes: Lanes, end: int, ub_bytes: int) -> Iterator[Violation]:
    first = _first_outside(access, lanes, end)
    if first is None:
        return
    repeat, lane = first
    start, last = access.walk.address(repeat, lane), access.cover.high
    block = lane * access.dtype.bits // 8 // BLOCK_BYTES
    verb = "writes" if access.operand.is_written else "reads"
    past_memory = last > ub_bytes
    yield Violation(
        code="out-of-bounds-write" if access.operand.is_written else "out-of-bounds-read",
        message=f"repeat {repeat} block {block} lane {lane} {verb} byte {start - access.address} of a tensor of "
        f"{access.nbytes} bytes (UB address 0x{start:04X}, tensor ends at 0x{end:04X}); the call reaches "
        f"{last - access.address} bytes"
        + (f", and past the Unified Buffer of {ub_bytes} bytes" if past_memory else "")
        + _mode(issue, lanes),
        hint=_hint(issue, access, lanes),
        operand=access.operand.name,
        repeat=repeat,
        block=block,
        lane=lane,
        address=start,
        writes=access.operand.is_written,
        blocks=past_memory,
    )


def _first_outside(access: Access, lanes: Lanes, end: int) -> tuple[int, int] | None:
    """The first active lane past `end`; None when the quick test counted a whole block of which a part is active."""
    walk, size = access.walk, access.dtype.size
    for segment in lanes.segments:
        row = mask_row(segment.mask, segment.lanes)
        stops = walk.from_repeat(segment.first).offsets(1, segment.lanes)[0] + size
        room = end - int(stops[row].max())
        # repeats that end inside
        skipped = 0 if room < 0 else room // walk.repeat_stride + 1 if walk.repeat_stride else segment.repeats
        if skipped < segment.repeats:
            bad = (stops + skipped * walk.repeat_stride > end) & row
            return segment.first + skipped, int(bad.argmax())
    return None


def check_bursts(issue: Issue, ub_bytes: int) -> Iterator[Violation]:
    """The side of a copy that lies in the Unified Buffer, destinations first."""
    bursts = issue.bursts
    if bursts is None or bursts.is_empty:
        return
    for access in issue.accesses:
        reach = access.cover.high - access.cover.low
        if access.space is Space.UB and reach > access.nbytes:
            burst = max(0, (access.nbytes - bursts.length) // max(access.walk.repeat_stride, 1) + 1)
            start = max(access.address + access.nbytes, access.address + burst * access.walk.repeat_stride)
            past_memory = access.address + reach > ub_bytes
            yield outside_copy(access, burst, start, reach, access.nbytes, "the Unified Buffer" if past_memory else "")


def outside_copy(access: Access, burst: int, start: int, reach: int, size: int, past: str) -> Violation:
    """A copy that leaves its tensor (of `size` bytes), and memory named `past` if that is not empty."""
    verb = "writes" if access.operand.is_written else "reads"
    return Violation(
        code="out-of-bounds-write" if access.operand.is_written else "out-of-bounds-read",
        message=f"burst {burst} {verb} past the end of a {access.space.value} tensor of {size} bytes: the copy reaches "
        f"{reach} bytes" + (f", and past {past}" if past else ""),
        hint="Lengths and gaps count 32-byte units; shorten the copy or make the tensor longer.",
        operand=access.operand.name,
        repeat=burst,
        address=start,
        writes=access.operand.is_written,
        blocks=bool(past),
    )


def _mode(issue: Issue, lanes: Lanes) -> str:
    if issue.form is Form.COUNT or not issue.control.counts:
        return ""
    return f"; mode COUNTER: the mask register asks for {lanes.element_count} elements"


def _hint(issue: Issue, access: Access, lanes: Lanes) -> str:
    dtype, width = access.dtype, lanes.width
    dense = width * dtype.bits // 8 // BLOCK_BYTES
    if issue.lanes is None and issue.bursts is None:  # GetValue and SetValue
        return "The index is past the end: elements are counted from 0."
    if issue.form is Form.COUNT:
        return f"Give the tensor at least count elements of {dtype}, or lower count."
    if issue.control.counts:
        return "Counter mode ignores repeat_time: set the count with SetVectorMask, or leave the mode with SetMaskNorm."
    if access.space is Space.UB and access.walk.repeat_stride > dense * BLOCK_BYTES:
        return f"Strides count 32-byte blocks, not elements: {width} dense lanes of {dtype} are {dense} blocks."
    return "Lower the repeat count, mask off the lanes that do not exist, or make the tensor longer."
