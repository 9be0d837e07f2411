"""The switches that numerics depends on: the architecture and the control register's bits (spec 03 section 2.1)."""

from collections.abc import Callable
from typing import Any

import attrs
from numpy.typing import NDArray

from isa.products import Arch

Array = NDArray[Any]
Kernel = Callable[..., Any]
"""A resolved lane function: `kernel(*sources, out)`. `sources` and `out` are carrier arrays of one shape whose last
axis is the lanes; nibble types come as one code a byte. Everything that can be decided without values is decided
when the kernel is made, so calling it costs little more than the numpy call inside."""


@attrs.frozen
class Rules:
    """What a kernel must know besides its element types. Frozen and hashable: kernels are cached on it."""

    arch: Arch
    float_saturates: bool = True  # CTRL[48] = 0: half arithmetic and narrow-float targets clamp, NaN becomes 0
    keeps_fp8_nan: bool = False  # CTRL[50] = 1
    int_saturates: bool = False  # CTRL[53] = 1: integer arithmetic clamps instead of wrapping
    cast_saturates: bool = True  # CTRL[59] = 0: conversions to integers clamp instead of keeping low bits
    hybrid_policy: str = "literal"  # or "exact_guard"; spec 03 section 4
    deq: tuple[tuple[float, int, bool], ...] | None = None  # of CastDequant: one entry, or 16; scale, offset, sign mode
    deq_scale: float | None = None  # the half scale of SetDeqScale; None before it is set in this launch
