"""GetSystemCycle: the time of the system counter, by the timing model."""

import sys

from ascend_sim.api.context import current_run
from ascend_sim.checks.violation import Violation
from isa.products import Arch

# ticks of the system counter in a microsecond (AscendC documentation, GetSystemCycle): it is not the core's clock
COUNTER_MHZ = {Arch.C220: 50, Arch.A3510: 1000}


def GetSystemCycle() -> int:
    """Ticks of the system counter: 50 a microsecond on ascend910b and ascend910_93, 1000 on ascend950.

    The scalar unit reads it when it comes to this call, which may be before earlier work of the other pipes has
    finished: write PipeBarrier(PIPE_ALL) first to measure that. The value is what the timing model makes of the block
    so far, so each call costs as long as the trace is. Raises KernelError `unsupported-api` on other products.
    """
    run = current_run()
    ticks = COUNTER_MHZ.get(run.product.arch)
    if ticks is None:
        run.reporter.refuse(
            Violation(
                code="unsupported-api",
                message=f"{run.product.id} has no system counter",
                hint="ascend910b, ascend910_93 and ascend950 have one; report.cycles is the whole launch's time.",
            ),
            "GetSystemCycle",
            sys._getframe(1),
        )
    from ascend_sim.timing.model import scalar_microseconds  # noqa: PLC0415  (loaded when somebody asks for time)

    return int(scalar_microseconds(run.trace, run.product, run.blocks) * ticks)
