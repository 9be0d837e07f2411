"""Conversions to, from and between integers (spec 03 sections 1b, 1d, 1e and 2.3)."""

from functools import cache
from typing import Any

import numpy as np

from isa.dtypes import ElementType, Kind, double, int16_t, uint32_t
from isa.numerics.layouts import F64, LAYOUTS, U64
from isa.numerics.narrow import double_encoder
from isa.numerics.rounding import INTEGRAL, Rounding, Shift, shift_right
from isa.numerics.rules import Array, Kernel
from isa.numerics.tiles import assign

_I64 = np.dtype(np.int64)
_FLOAT64 = LAYOUTS[double]
_SATURATES_ALWAYS = frozenset({(int16_t, uint32_t)})
"""Pairs that clamp whatever CTRL[59] says: the documentation knows no other behaviour (spec 03 section 1e)."""


def limits(dtype: ElementType) -> tuple[int, int]:
    """Smallest and largest value of an integer type."""
    if dtype.kind is Kind.SIGNED:
        return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1
    return 0, (1 << dtype.bits) - 1


def _carry(values: Array, dtype: ElementType) -> Array:
    """Integers of any width as carrier codes: low bits of `values`."""
    return values.astype(np.uint8) & np.uint8(15) if dtype.is_nibble else values.astype(dtype.carrier)


@cache
def float_to_int(dst: ElementType, rounding: Rounding, saturates: bool, wide: "np.dtype[Any]") -> Kernel:
    """`kernel(source, out)`: float32 or float64 (`wide`) to an integer type, low bits or extremes if out of range.

    NaN becomes 0 and infinities the extremes whether or not finite values saturate.
    """
    to_integral = INTEGRAL[rounding]
    low, high = limits(dst)
    work = np.dtype(np.int8) if dst.is_nibble else dst.carrier
    # `bound`: magnitudes up to here need no care; none for types whose range is not symmetric or not a carrier's
    bound = wide.type(high if dst.kind is Kind.SIGNED and not dst.is_nibble else -1)
    if int(bound) > high:
        bound = np.nextafter(bound, wide.type(0))
    bound = float(bound)

    def careful(source: Array) -> Array:
        whole = to_integral(np.where(np.isfinite(source), source, wide.type(0)))
        above, below = whole >= wide.type(high + 1), whole < wide.type(low)
        outside = above | below
        codes = np.where(outside, wide.type(0), whole).astype(work)
        if saturates:
            codes[above], codes[below] = high, low
        else:
            codes[outside] = _low_bits(whole[outside]).astype(work)
        codes[source == np.inf], codes[source == -np.inf] = high, low
        return _carry(codes, dst)

    def kernel(source: Array, out: Array) -> None:
        magnitude = np.absolute(source)
        if not magnitude.size:
            return
        if magnitude.item(magnitude.argmax()) <= bound:  # argmax finds NaN, and NaN compares false
            out[...] = to_integral(source)
        else:
            out[...] = careful(source)

    return kernel


def _low_bits(whole: Array) -> Array:
    """Low 64 bits of the two's complement of integral values of magnitude >= 1, exact for every exponent."""
    bits = whole.astype(F64).view(U64)
    significand = bits & np.uint64((1 << 52) - 1) | np.uint64(1 << 52)
    exponent = (bits >> np.uint64(52) & np.uint64(0x7FF)).view(_I64) - (_FLOAT64.bias + 52)
    left = np.clip(exponent, 0, 63).astype(U64)
    right = np.clip(-exponent, 0, 63).astype(U64)
    magnitude = np.where(exponent < 64, (significand << left) >> right, 0)
    return np.where(bits >> np.uint64(63) != 0, np.negative(magnitude), magnitude).astype(U64)


@cache
def int_to_int(src: ElementType, dst: ElementType, saturates: bool) -> Kernel:
    """`kernel(source, out)`: clamp, or keep the low bits. Neither type's source may be nibbles."""
    (low, high), (dst_low, dst_high) = limits(src), limits(dst)
    clamps = saturates or (src, dst) in _SATURATES_ALWAYS
    floor = np.array(dst_low, src.carrier) if clamps and low < dst_low else None
    ceiling = np.array(dst_high, src.carrier) if clamps and high > dst_high else None

    def kernel(source: Array, out: Array) -> None:
        values = source
        if floor is not None:
            values = np.maximum(values, floor)
        if ceiling is not None:
            values = np.minimum(values, ceiling)
        out[...] = values if not dst.is_nibble else _carry(values, dst)

    return kernel


@cache
def int_to_float(src: ElementType, dst: ElementType, rounding: Rounding) -> Kernel:
    """`kernel(source, out)`: signed integers to float32, int64 also to double. Nothing can overflow."""
    if rounding is Rounding.EVEN:
        return assign
    if src.bits <= 32:
        return _by_way_of_double(double_encoder(dst, rounding))
    drop = shift_right[rounding]
    kept = LAYOUTS[dst].mantissa + 1

    def kernel(source: Array, out: Array) -> None:
        values = source.astype(_I64)
        magnitude = np.absolute(values).view(U64)  # the lowest int64 wraps to itself, which as uint64 is right
        # Without the bit below the leading one a value cannot round up to the next power of two.
        leading = magnitude & ~(magnitude >> np.uint64(1))
        length = (leading.astype(F64).view(_I64) >> 52) - (_FLOAT64.bias - 1)
        count = np.maximum(length - kept, 0)
        whole = drop(magnitude, values.view(U64), Shift.of(count, U64)).astype(F64)
        whole *= ((count + _FLOAT64.bias) << 52).view(F64)
        out[...] = np.copysign(whole, values)

    return kernel


def _by_way_of_double(encode: Kernel) -> Kernel:
    """double holds the integers exactly, and they lie where its conversion is the ordinary one."""

    def kernel(source: Array, out: Array) -> None:
        encode(source.astype(F64), out)

    return kernel
