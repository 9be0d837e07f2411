"""GM bytes that two cores of a launch wrote without atomics: the result depends on which of them comes last."""

from collections.abc import Sequence

import numpy as np

from ascend_sim.api.running.meeting import CopyOut
from ascend_sim.api.running.reporter import Reporter
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.gm_bytes import gm_access, shared_in_gm
from ascend_sim.machine.site import Site, site_at
from isa.numerics.formats import to_host


def report_overlaps(copies: Sequence[CopyOut], reporters: Sequence[Reporter]) -> None:
    """Add a `multicore-overlap` warning for each pair of lines whose copies out meet, at the later copy's line.

    reporters: of the blocks.
    """
    open_: list[CopyOut] = []
    order = {id(copy): number for number, copy in enumerate(copies)}
    for copy in sorted(copies, key=lambda c: (c.gm[0], c.block)):
        open_ = [c for c in open_ if c.gm[1] > copy.gm[0]]
        for other in open_:
            if other.block != copy.block and other.phase == copy.phase and not (_atomic(copy) and _atomic(other)):
                first, second = sorted((other, copy), key=lambda c: order[id(c)])
                shared = shared_in_gm(first.gm, first.work, second.gm, second.work)
                if shared is not None:
                    _report(first, second, *shared, reporters[second.block])
        open_.append(copy)


def _atomic(copy: CopyOut) -> str:
    return str(copy.work.issues[0].arguments.get("atomic", ""))


def _report(first: CopyOut, second: CopyOut, low: int, last: int, reporter: Reporter) -> None:
    site, name = site_at(*first.place), first.work.issues[0].name
    violation = Violation(
        code="multicore-overlap",
        message=f"GM bytes {low}..{last} of the array were written by core {first.block} too; "
        + _outcome(first, second, low, last),
        hint="Let each core write bytes of its own (DataCopyPad for odd tails), or use SetAtomicAdd.",
        operand="dst",
        address=low,
        writes=True,
        related=Site(site.file, site.line, f"core {first.block}: {name}"),
    )
    reporter.warn(violation, second.work.issues[0].name, site_at(*second.place))


def _outcome(first: CopyOut, second: CopyOut, low: int, last: int) -> str:
    """What the order of the two decides, with the first element that differs, where both wrote."""
    matter = "what stays depends on which comes last"
    dtype, start = gm_access(second.work).dtype, second.gm[0] - second.gm[2]
    if second.before is None or second.after is None or dtype.is_nibble:
        return matter
    low, stop = -(-low // dtype.size) * dtype.size, (last + 1) // dtype.size * dtype.size
    old, new = (np.frombuffer(b[low - start : stop - start], np.uint8) for b in (second.before, second.after))
    differs = (old.reshape(-1, dtype.size) != new.reshape(-1, dtype.size)).any(axis=1)
    if not differs.any():
        return "both wrote the same values"
    at = int(differs.argmax())
    one, other = (to_host(b.view(dtype.carrier)[at : at + 1], dtype)[0] for b in (old, new))
    element = low // dtype.size + at
    return f"{matter}: element {element} is {one} from core {first.block} and {other} from core {second.block}"
