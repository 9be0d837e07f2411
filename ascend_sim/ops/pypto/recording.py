"""Functions that are recorded first and get their data afterwards: `with pypto.function(name, *tensors)`."""

import math
import types
from collections.abc import Iterator
from contextlib import contextmanager

from ascend_sim.ops.machine import SHAPES_ONLY
from ascend_sim.ops.pypto import settings
from ascend_sim.ops.pypto.errors import FeError, PyptoRtError
from ascend_sim.ops.pypto.frontend import give_back
from ascend_sim.ops.pypto.tape import TAPE, Step
from ascend_sim.ops.pypto.tensors import Tensor

_RECORDED: "list[tuple[tuple[Tensor, ...], list[Step]]]" = []


@contextmanager
def function(name: str, *tensors: Tensor) -> Iterator[None]:
    """Record what is done to these tensors. Nothing is computed; `runtime` computes it, once data is there."""
    if TAPE.get() is not None:
        raise FeError(RuntimeError(f"function({name!r}) inside another one"))
    steps: list[Step] = []
    tape, shapes = TAPE.set(steps), SHAPES_ONLY.set(True)
    try:
        with settings.program():
            yield
    finally:
        TAPE.reset(tape)
        SHAPES_ONLY.reset(shapes)
    _RECORDED[:] = [(tensors, steps)]


def run_once(*data: Tensor) -> None:
    """Run the function that was recorded last, on these tensors in its order; outputs change in place."""
    if not _RECORDED:
        raise PyptoRtError(RuntimeError("no function is recorded"))
    ((tensors, steps),) = _RECORDED
    for given in data:
        if not isinstance(given, Tensor):
            raise PyptoRtError(TypeError(f"the data are tensors made by from_torch, not {type(given).__name__}"))
    if len(data) != len(tensors):
        raise PyptoRtError(ValueError(f"the function has {len(tensors)} tensors, {len(data)} are given"))
    for tensor, given in zip(tensors, data, strict=True):
        shape = tuple(tensor.declared or given.shape)
        is_flat = given.data.shape != shape and given.data.size == math.prod(shape)
        tensor.become(Tensor.over(given.data.reshape(shape), given.dtype) if is_flat else given)
    with settings.program():
        for step in steps:
            step.again()
    for tensor, given in zip(tensors, data, strict=True):
        give_back(tensor, given.data)


def _reset() -> None:
    _RECORDED.clear()


runtime = types.SimpleNamespace(_device_init=_reset, _device_fini=_reset, _device_run_once_data_from_host=run_once)
