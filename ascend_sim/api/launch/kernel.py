"""Kernels: functions that take GM addresses and scalars and return nothing."""

import functools
from collections.abc import Callable
from typing import Any

from ascend_sim.api.launch.npu import active_npu
from ascend_sim.api.running.report import Report


class Kernel:
    """A kernel function. `kernel[8](x, y)` launches it as 8 blocks on the active NPU; calling it plainly runs its body
    inside the block that is running, as a device function.
    """

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function
        functools.update_wrapper(self, function)

    def __getitem__(self, blocks: int) -> Callable[..., Report]:
        return lambda *args: active_npu().launch(self, blocks, *args)

    def __call__(self, *args: Any) -> None:
        self.function(*args)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__name__}>"


def kernel(function: Callable[..., None]) -> Kernel:
    """Decorator: an AscendC-style kernel."""
    return Kernel(function)
