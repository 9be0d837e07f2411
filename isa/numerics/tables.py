"""Unary functions of 16-bit types as tables of all 65,536 answers: one lookup costs less than one half operation."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from isa.dtypes import ElementType, half
from isa.numerics.rules import Array, Kernel, Rules
from isa.numerics.saturation import clamp_half
from isa.products import Arch

Core = Callable[[Array, Array], Any]
"""`core(source, out)`: the function itself, for float32 and for 16-bit floats, without saturation."""


def flush(values: Array, out: Array | None = None) -> Array:
    """Subnormals become zeros of their sign, as in the divide and function unit of ascend950.

    Infinities and NaN pass: NaN * 0 is NaN.
    """
    keeps = np.greater_equal(np.absolute(values), _smallest_normal(values.dtype))
    flushed: Array = np.multiply(values, keeps, out, dtype=values.dtype)
    return flushed


@cache
def _smallest_normal(dtype: "np.dtype[Any]") -> Any:
    return np.finfo(dtype).smallest_normal


def flushing(core: Core) -> Core:
    """`core` between flushed sources and a flushed result."""

    def flushed(source: Array, out: Array) -> None:
        core(flush(source), out)
        flush(out, out)

    return flushed


def flushes(rules: Rules) -> bool:
    """Divide, Sqrt, Exp, Ln and what the library builds from them treat subnormals as zeros by default.

    Source: the accuracy table of the Reg API and its examples (1 / subnormal is infinite). AMEM prints subnormal
    reciprocals for A2 and A3.
    """
    return rules.arch is Arch.A3510


@cache
def table(core: Core, dtype: ElementType, clamps: bool, flushed: bool) -> Array:
    """The answers of `core`, indexed by the code of the source."""
    source = np.arange(1 << 16, dtype=np.uint16).view(dtype.carrier)
    answers = np.empty_like(source)
    with np.errstate(all="ignore"):
        (flushing(core) if flushed else core)(source, answers)
    if clamps:
        clamp_half(answers)
    answers.flags.writeable = False
    return answers


def function(core: Core, *, subnormals: bool = True) -> Callable[..., Kernel]:
    """Lanes of a unary function of floats. `subnormals=False`: its unit flushes them where `flushes` says so."""

    def lanes(types: Sequence[ElementType], rules: Rules) -> Kernel:
        dtype = types[0]
        flushed = not subnormals and flushes(rules)
        if dtype.bits != 16:
            return flushing(core) if flushed else core
        clamps = rules.float_saturates and dtype is half
        answers = table(core, dtype, clamps, flushed)

        def look_up(source: Array, out: Array) -> None:
            answers.take(source.view(np.uint16), None, out, "clip")  # "clip" spares a copy; no index is out of range

        return look_up

    return lanes
