"""GM bytes that two cores of a launch use, and one of them writes: the result depends on which of them comes last."""

import numpy as np

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Access
from ascend_sim.machine.site import Site, site_at
from ascend_sim.machine.work import Place
from isa.dtypes import ElementType
from isa.numerics.formats import to_host

Values = tuple[bytes, bytes]
"""What the shared bytes held before the later copy, and after it."""


def overlap(
    low: int, stop: int, dtype: ElementType, cores: tuple[int, int], earlier: tuple[str, Place], values: Values | None
) -> Violation:
    """The finding for bytes low..stop-1 of an array. cores: the earlier and the later one; earlier: name and place of
    the earlier copy; values: of the bytes from `low` on, None when the later one did not take effect.
    """
    first, second = cores
    name, place = earlier
    site = site_at(*place)
    return Violation(
        code="multicore-overlap",
        message=f"GM bytes {low}..{stop - 1} of the array were written by core {first} too; "
        + _outcome(low, dtype, first, second, values),
        hint="Let each core write bytes of its own (DataCopyPad for odd tails), or use SetAtomicAdd.",
        operand="dst",
        address=low,
        writes=True,
        related=Site(site.file, site.line, f"core {first}: {name}"),
    )


def read_race(low: int, stop: int, access: Access, cores: tuple[int, int], earlier: tuple[str, Place]) -> Violation:
    """The finding for a copy of one core that reads bytes low..stop-1 of an array, which another core writes."""
    first, second = cores
    name, place = earlier
    verb, other = ("writes", "reads") if access.operand.is_written else ("reads", "writes")
    site = site_at(*place)
    return Violation(
        code="race",
        message=f"core {second} {verb} GM bytes {low}..{stop - 1} of the array, which core {first} {other} ({name}), "
        "and nothing orders the two",
        hint="Put SyncAll(), or CrossCoreSetFlag and CrossCoreWaitFlag, between them.",
        operand=access.operand.name,
        writes=access.operand.is_written,
        related=Site(site.file, site.line, f"core {first}: {name}"),
    )


def _outcome(low: int, dtype: ElementType, first: int, second: int, values: Values | None) -> str:
    """What the order of the two decides, with the first whole element that differs."""
    matter = "what stays depends on which comes last"
    if values is None or dtype.is_nibble:
        return matter
    start, end = -(-low // dtype.size), (low + len(values[0])) // dtype.size  # whole elements
    if start >= end:
        return matter
    skipped = start * dtype.size - low
    old, new = (np.frombuffer(b, np.uint8, (end - start) * dtype.size, skipped) for b in values)
    differs = (old.reshape(-1, dtype.size) != new.reshape(-1, dtype.size)).any(axis=1)
    if not differs.any():
        return "both wrote the same values" if values[0] == values[1] else matter
    at = int(differs.argmax())
    one, other = (to_host(b.view(dtype.carrier)[at : at + 1], dtype)[0] for b in (old, new))
    return f"{matter}: element {start + at} is {one} from core {first} and {other} from core {second}"
