"""Which core is running: instructions are plain functions, so the core that they act on is part of the context."""

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascend_sim.api.run import CoreRun

RUNNING: "ContextVar[CoreRun]" = ContextVar("ascend_sim_core")


def current_run() -> "CoreRun":
    """The core that runs now. RuntimeError outside a kernel and outside `with npu.core()`."""
    try:
        return RUNNING.get()
    except LookupError:
        raise RuntimeError(
            "no core is running: call instructions inside a kernel, or inside `with npu.core() as core:`"
        ) from None
