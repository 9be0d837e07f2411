"""What is set for a scope and read when an operator runs: the tile shape."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ascend_sim.ops.pypto.errors import FeError

_PROGRAM: "ContextVar[bool]" = ContextVar("pypto_program", default=False)
_TILE: "ContextVar[tuple[int, ...] | None]" = ContextVar("pypto_vec_tile", default=None)


def set_vec_tile_shapes(*shape: Any) -> None:
    """How the following operators cut their tensors: one positive integer for each axis of the result."""
    if not shape:
        raise FeError(ValueError("set_vec_tile_shapes() needs at least one extent"))
    extents = []
    for extent in shape:
        if isinstance(extent, bool) or not hasattr(extent, "__index__"):
            raise FeError(TypeError(f"set_vec_tile_shapes(): extents are integers, not {extent!r}"))
        if int(extent.__index__()) <= 0:
            raise FeError(ValueError(f"set_vec_tile_shapes(): extents are positive, not {extent!r}"))
        extents.append(int(extent.__index__()))
    _TILE.set(tuple(extents))


def get_vec_tile_shapes() -> tuple[int, ...]:
    """The tile shape that is set; empty when none is."""
    return _TILE.get() or ()


def set_cube_tile_shapes(*shape: Any) -> None:
    """Of the matrix unit, which is not simulated: accepted, without effect."""
    del shape


def set_verify_golden_data(*data: Any, **options: Any) -> None:
    """Of the framework's own comparison: accepted, without effect."""
    del data, options


def reset_vec_tile_shapes() -> None:
    """No tile shape: operators take the largest tile that fits."""
    _TILE.set(None)


def is_program() -> bool:
    """A kernel or function of the framework runs, or is recorded."""
    return _PROGRAM.get()


@contextmanager
def program() -> Iterator[None]:
    """The scope of a kernel or function of the framework."""
    token = _PROGRAM.set(True)
    try:
        with scope():
            yield
    finally:
        _PROGRAM.reset(token)


@contextmanager
def scope(vec_tile_shapes: tuple[int, ...] | None = None) -> Iterator[None]:
    """What is set inside ends with it; functions and kernels of the framework are such scopes."""
    token = _TILE.set(_TILE.get())
    try:
        if vec_tile_shapes is not None:
            set_vec_tile_shapes(*vec_tile_shapes)
        yield
    finally:
        _TILE.reset(token)
