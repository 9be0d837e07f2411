"""Which core is running: instructions are plain functions, so the core that they act on is part of the context."""

import sys
from contextvars import ContextVar
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascend_sim.api.running.run import CoreRun

RUNNING: "ContextVar[CoreRun]" = ContextVar("ascend_sim_core")


def current_run() -> "CoreRun":
    """The core that runs now. RuntimeError outside a kernel and outside `with npu.core()`."""
    try:
        return RUNNING.get()
    except LookupError:
        raise RuntimeError(
            "no core is running: call instructions inside a kernel, or inside `with npu.core() as core:`"
        ) from None


def user_frame() -> FrameType:
    """The innermost frame outside this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("ascend_sim."):
        frame = frame.f_back
    return frame
