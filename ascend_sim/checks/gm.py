"""The GM side of a copy, which is known only when it runs: whole elements, inside the tensor and inside the array."""

from collections.abc import Iterator

from ascend_sim.checks.bounds import outside_copy
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.transfer import Combine


def whole_elements(issue: Issue, combine: Combine | None) -> Iterator[Violation]:
    """A copy out that adds, or the like, moves whole elements of the type that was set for it."""
    assert issue.bursts is not None
    if combine is not None and issue.bursts.length % combine.carrier.itemsize:
        yield Violation(
            code="copy-length",
            message=f"{combine.name} is on for {combine.carrier.name}, and bursts of {issue.bursts.length} bytes are "
            f"no whole number of its {combine.carrier.itemsize} bytes",
            hint="Set the atomic mode for the type of the tensor, or SetAtomicNone().",
            operand="dst",
            writes=True,
            blocks=True,
        )


def check(issue: Issue, unit: int, room: int, start: int, size: int, array: int) -> Iterator[Violation]:
    """A copy of `room` bytes from byte `start` of an array of `array` bytes, for a tensor of `size` bytes.

    unit: what the start must be a multiple of, in bytes.
    """
    access = issue.remote
    assert access is not None
    assert issue.bursts is not None
    if start % unit:
        yield Violation(
            code="alignment",
            message=f"GM byte offset {start} is no multiple of {unit}, the size of {access.dtype}",
            hint="Start at a whole element.",
            operand=access.operand.name,
            address=start,
            writes=access.operand.is_written,
            blocks=True,
        )
    past_array = not 0 <= start <= array - room
    if room > size or past_array:
        size = min(size, max(array - start, 0))
        burst = max(0, (size - issue.bursts.length) // max(access.walk.repeat_stride, 1) + 1)
        past = f"the GM array of {array} bytes" if past_array else ""
        yield outside_copy(access, burst, start + size, room, size, past)
