"""The one place that rounds: which of two neighbours a value becomes (spec 03 section 1).

Rounding works on sign and magnitude. `shift_right` drops the low bits of integer magnitudes; every conversion to a
narrower float and from wide integers to float ends there, because the packed exponent and mantissa of a float are an
integer in which a carry moves to the next binade by itself. `INTEGRAL` does the same for floats that stay floats.
"""

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from isa.choice import Choice
from isa.numerics.layouts import F32, F64, U32
from isa.numerics.rules import Array
from isa.params import RoundMode
from isa.products import Arch


class Rounding(Choice):
    """Where a value goes that lies between two neighbours."""

    EVEN = "the nearer one, of two equally near ones the even one"
    DOWN = "the smaller one"
    UP = "the larger one"
    HALF_AWAY = "the nearer one, of two equally near ones the larger in magnitude"
    ZERO = "the smaller in magnitude"
    ODD = "the odd one"
    AWAY = "the larger in magnitude"


_BY_MODE = {
    RoundMode.CAST_NONE: Rounding.EVEN,  # of a pair that loses bits; spec 03, D2
    RoundMode.CAST_RINT: Rounding.EVEN,
    RoundMode.CAST_FLOOR: Rounding.DOWN,
    RoundMode.CAST_CEIL: Rounding.UP,
    RoundMode.CAST_ROUND: Rounding.HALF_AWAY,
    RoundMode.CAST_TRUNC: Rounding.ZERO,
    RoundMode.CAST_ODD: Rounding.ODD,
}


def rounding_of(mode: RoundMode, arch: Arch) -> Rounding:
    """What `mode` does on `arch`. On C100 CAST_ROUND rounds away from zero whatever is inexact (spec 03, D3).

    Raises ValueError for CAST_HYBRID, which depends on more than the value and belongs to HiFloat8 (`hif8.py`).
    """
    if mode is RoundMode.CAST_HYBRID:
        raise ValueError("CAST_HYBRID converts float32 and half to hifloat8_t only")
    if mode is RoundMode.CAST_ROUND and arch is Arch.C100:
        return Rounding.AWAY
    return _BY_MODE[mode]


@attrs.frozen(eq=False)
class Shift:
    """How many low bits to drop, with the constants that the roundings need; one count, or one for each lane.

    Constants are 0-d arrays, which numpy takes twice as fast as scalars. Where `count` is 0 the fields `half` and
    `low` are 0 too, so that every rounding but EVEN, which must not be given such lanes, leaves the value alone.
    """

    count: Array
    low: Array  # mask of the dropped bits
    half: Array  # weight of the highest dropped bit
    below_half: Array
    one: Array
    sign: Array  # position of the sign bit

    @classmethod
    def of(cls, count: "int | Array", dtype: "np.dtype[Any]") -> "Shift":
        """`dtype` is uint32 or uint64."""
        one = np.array(1, dtype)
        counts = np.asarray(count, dtype)
        low = np.asarray((one << counts) - one)
        half = np.asarray((low + one) >> one)
        return cls(counts, low, half, np.asarray(low >> one), one, np.array(8 * dtype.itemsize - 1, dtype))


def _even(value: Array, _: Array, s: Shift) -> Array:
    carried = np.right_shift(value, s.count)
    np.bitwise_and(carried, s.one, carried)
    np.add(carried, s.below_half, carried)
    np.add(carried, value, carried)
    return np.right_shift(carried, s.count, carried)


def _down(value: Array, bits: Array, s: Shift) -> Array:
    carried = np.right_shift(bits, s.sign)
    np.multiply(carried, s.low, carried)
    np.add(carried, value, carried)
    return np.right_shift(carried, s.count, carried)


def _up(value: Array, bits: Array, s: Shift) -> Array:
    return _down(value, np.invert(bits), s)


def _half_away(value: Array, _: Array, s: Shift) -> Array:
    carried = np.add(value, s.half)
    return np.right_shift(carried, s.count, carried)


def _zero(value: Array, _: Array, s: Shift) -> Array:
    return np.asarray(np.right_shift(value, s.count))


def _odd(value: Array, _: Array, s: Shift) -> Array:
    carried = np.bitwise_and(value, s.low)
    np.add(carried, s.low, carried)  # reaches the lowest kept bit if a dropped one was set
    np.bitwise_or(carried, value, carried)
    return np.right_shift(carried, s.count, carried)


def _away(value: Array, _: Array, s: Shift) -> Array:
    carried = np.add(value, s.low)
    return np.right_shift(carried, s.count, carried)


shift_right: dict[Rounding, Callable[[Array, Array, Shift], Array]] = {
    Rounding.EVEN: _even,
    Rounding.DOWN: _down,
    Rounding.UP: _up,
    Rounding.HALF_AWAY: _half_away,
    Rounding.ZERO: _zero,
    Rounding.ODD: _odd,
    Rounding.AWAY: _away,
}
"""`shift_right[rounding](value, bits, shift)`: magnitudes `value` without their low bits, in a new array. The top bit
of `bits` is the sign. All are uint32 or uint64 arrays of one shape; value + 2**shift must fit."""


_BELOW_HALF = {dtype: np.nextafter(dtype.type(0.5), dtype.type(0)) for dtype in (F32, F64)}


def _integral_half_away(x: Array, out: Array | None = None) -> Array:
    """Add almost a half and truncate: a true half would carry the value just below 0.5, and integers above 2**23."""
    moved = np.copysign(_BELOW_HALF[x.dtype], x)
    np.add(moved, x, moved)
    return np.asarray(np.trunc(moved, out=out))


def _integral_away(x: Array, out: Array | None = None) -> Array:
    grown = np.absolute(x)
    np.ceil(grown, grown)
    return np.asarray(np.copysign(grown, x, out=out))


def _integral_odd(x: Array, out: Array | None = None) -> Array:
    inner = np.trunc(x)
    pair = np.trunc(inner / 2)
    moves = (inner != x) & (inner == pair * 2)
    return np.asarray(np.add(inner, np.copysign(moves.astype(x.dtype), x), out=out))


INTEGRAL: dict[Rounding, Callable[..., Any]] = {
    Rounding.EVEN: np.rint,
    Rounding.DOWN: np.floor,
    Rounding.UP: np.ceil,
    Rounding.HALF_AWAY: _integral_half_away,
    Rounding.ZERO: np.trunc,
    Rounding.ODD: _integral_odd,
    Rounding.AWAY: _integral_away,
}
"""`INTEGRAL[rounding](x, out=None)`: float32 or float64 values rounded to integral ones, exactly; a zero keeps the
sign of `x`, infinities and NaN stay. A signalling NaN sets numpy's `invalid`."""


def sticky_float32(x: Array) -> Array:
    """float64 values as the odd one of the two float32 neighbours, exact ones as they are; NaN stays NaN.

    Rounding the result once more, to a format with at least two bits less, equals rounding `x` itself.
    """
    with np.errstate(all="ignore"):
        near = x.astype(F32)
        exact = (near == x) | np.isnan(x)
        toward_zero = near.view(U32) - (np.abs(near) > np.abs(x))
    return np.asarray(np.where(exact, near.view(U32), toward_zero | U32.type(1)), U32).view(F32)
