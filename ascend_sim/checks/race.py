"""Two accesses of one byte on two pipes, one of them a write, that nothing orders."""

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Space
from ascend_sim.machine.ordering import Race
from ascend_sim.machine.site import Site, site_at
from ascend_sim.machine.work import Place, Work, meetings
from isa.families import Pipe
from isa.products import BLOCK_BYTES


def race(found: Race) -> Violation:
    """The finding for a race between two pipes: both sides, the bytes, the flag that is missing."""
    access, earlier = found.access, found.earlier_access
    verb = "writes" if access.operand.is_written else "reads"
    was = "written" if earlier.operand.is_written else "read"
    other = next(i.name for i in found.earlier.issues if i.accesses)
    pair = f"{found.earlier_pipe.name}_{found.pipe.name}"
    lane = (found.first - access.cover.low) * 8 // access.dtype.bits if access.cover.solid else None
    return Violation(
        code="race",
        message=f"pipe {found.pipe.name} {verb} {access.space.value} bytes 0x{found.first:04X}..0x{found.last:04X}, "
        f"which pipe {found.earlier_pipe.name} may not have {was} yet ({other} {earlier.operand.name})",
        hint=f"Order them: SetFlag(HardEvent.{pair}, id) after {other}, WaitFlag(HardEvent.{pair}, id) before this.",
        operand=access.operand.name,
        lane=lane,
        block=None if lane is None else lane * access.dtype.bits // 8 // BLOCK_BYTES,
        address=found.first if access.space is Space.UB else None,
        writes=access.operand.is_written,
        related=_side(found.place, f"{other} {earlier.operand.name} on pipe {found.earlier_pipe.name}"),
    )


def vector_race(earlier: Work, place: Place, work: Work) -> Violation:
    """The finding for dependent vector instructions without a barrier, when the compiler does not insert them."""
    name = next(i.name for i in earlier.issues if i.accesses)
    theirs, access, (first, last) = next(meetings(earlier, work))
    verb = "writes" if access.operand.is_written else "reads"
    was = "written" if theirs.operand.is_written else "read"
    return Violation(
        code="race",
        message=f"{verb} UB bytes 0x{first:04X}..0x{last:04X}, which the {name} before it may not have {was} yet "
        f"({name} {theirs.operand.name}): pipe V starts an instruction before the one before it has finished",
        hint="Put PipeBarrier(PIPE_V) between them, or leave auto_sync on.",
        operand=access.operand.name,
        address=first,
        writes=access.operand.is_written,
        related=_side(place, f"{name} {theirs.operand.name} on pipe {Pipe.V.name}"),
    )


def _side(place: Place, text: str) -> Site:
    code, offset = place
    site = site_at(code, offset)
    return Site(site.file, site.line, text)
