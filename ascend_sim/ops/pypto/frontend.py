"""Kernels of the framework: `@pypto.frontend.jit` (or `pypto.jit`) on a function of tensors and plain values.

They run at once, statement by statement, with the shapes of the arguments; outputs change in place.
"""

import enum
import functools
import inspect
import types
from collections.abc import Callable
from contextlib import ContextDecorator
from typing import Any

import numpy as np

from ascend_sim.ops.pypto import settings
from ascend_sim.ops.pypto.errors import FeError
from ascend_sim.ops.pypto.tensors import Tensor, as_tensor


class RunMode(enum.Enum):
    """Where a kernel runs; here always on the simulated NPU."""

    NPU = 0
    SIM = 1

    __hash__ = object.__hash__


def jit(function: "Callable[..., Any] | None" = None, **options: Any) -> Any:
    """Decorator, with or without parentheses. options: those of the framework, none of which changes a result."""
    del options
    if function is None:
        return jit
    if not inspect.isroutine(function):
        raise FeError(TypeError(f"jit() decorates a function, not {type(function).__name__}"))
    signature = inspect.signature(function)

    @functools.wraps(function)
    def kernel(*args: Any, **keywords: Any) -> None:
        bound = signature.bind(*args, **keywords)
        outputs = []
        for name, value in bound.arguments.items():
            if _is_data(value):
                tensor = as_tensor(value, function.__name__, name)
                _check(signature.parameters[name].annotation, tensor, function.__name__, name)
                own = Tensor.over(tensor.data, tensor.dtype, name)
                bound.arguments[name] = own
                outputs.append((own, own.data))
        with settings.program():
            function(*bound.args, **bound.kwargs)
        for tensor, memory in outputs:
            give_back(tensor, memory)

    return kernel


def give_back(tensor: Tensor, memory: Any) -> None:
    """A tensor that was moved puts its elements into the memory that the caller gave."""
    if tensor.data is not memory:
        memory[...] = tensor.numpy().reshape(memory.shape)


def _is_data(value: Any) -> bool:
    return isinstance(value, (Tensor, np.ndarray)) or type(value).__module__.split(".")[0] == "torch"


def _check(annotation: Any, tensor: Tensor, function: str, name: str) -> None:
    """A type that the annotation gives, and extents that it gives, are those of the argument."""
    if not isinstance(annotation, Tensor):
        return
    if annotation.given_dtype not in (None, tensor.dtype):
        raise FeError(TypeError(f"{function}(): {name} is {tensor.dtype}, the kernel takes {annotation.given_dtype}"))
    declared = annotation.declared
    if declared and ... not in declared:
        fits = len(declared) == tensor.dim
        fits = fits and all(not hasattr(d, "__index__") or d == n for d, n in zip(declared, tensor.shape, strict=True))
        if not fits:
            raise FeError(ValueError(f"{function}(): {name} has shape {tensor.shape}, the kernel takes {declared}"))


def function(inlined: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of a helper that kernels call; it is part of them."""
    return inlined


class options(ContextDecorator):  # noqa: N801  (the framework's name)
    """Decorator or context manager for options of the framework. vec_tile_shapes sets the tile shape."""

    def __init__(self, **given: Any) -> None:
        self._tile = given.get("vec_tile_shapes")
        self._scope: Any = None

    def __enter__(self) -> "options":  # noqa: PYI034  (typing.Self is younger than Python 3.10)
        self._scope = settings.scope(tuple(self._tile) if self._tile else None)
        self._scope.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._scope.__exit__(*error)


frontend = types.SimpleNamespace(jit=jit, function=function)
