"""What a block leaves behind at its end: registers that the next kernel inherits, flags that nobody waits for."""

from collections.abc import Sequence

from ascend_sim.checks.violation import Violation
from isa.sync import HardEvent


def register_not_reset(left: Sequence[str], *, has_mode: bool) -> Violation:
    """Mask mode or mask value is not what a kernel expects at its start."""
    remedy = "SetMaskNorm() and ResetMask()" if has_mode else "SetVectorMask(2**64 - 1, 2**64 - 1)"
    return Violation(
        code="register-not-reset",
        message=f"the block ends with {', '.join(left)}",
        hint=f"End with {remedy}: the next kernel on this core inherits the registers.",
    )


def unpaired_flag(event: HardEvent, number: int) -> Violation:
    """A flag is set and never waited for."""
    return Violation(
        code="unpaired-flag",
        message=f"flag {event.name} {number} from pipe {event.source.name} to {event.target.name} is set at the end",
        hint=f"Wait for it: WaitFlag(HardEvent.{event.name}, {number}), or the next kernel's first wait is too early.",
    )
