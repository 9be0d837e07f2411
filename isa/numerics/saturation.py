"""What becomes of an arithmetic result that its type cannot hold (spec 03 sections 2.1 and 6).

Half results are clamped when CTRL[48] = 0: an infinity becomes the largest finite value of its sign, NaN becomes +0,
also where an operand was infinite or NaN. float32 never saturates. bfloat16_t arithmetic exists on ascend950 alone,
and there the bit reaches half only (page of SetCtrlSpr), so it does not saturate either.
Integers keep their low bits, and clamp when CTRL[53] = 1. The 64-bit types never clamp: the library builds them from
32-bit additions with carry, which ignore the bit.
"""

from typing import Any

import numpy as np

from isa.dtypes import ElementType, Kind, half
from isa.numerics.rules import Array, Kernel, Rules

_MAGNITUDE = np.uint16(0x7FFF)
_INFINITY = np.uint16(0x7C00)
_LARGEST = np.uint16(0x7BFF)
_SIGN = np.uint16(0x8000)
_FEW = 1024  # below it `isfinite`, one call but slow for a half, beats two quick integer calls


def clamp_half(out: Array) -> None:
    """Replace what is not finite, in place. Clean arrays, the usual case, cost one look and no write."""
    if out.size <= _FEW:
        if np.count_nonzero(np.isfinite(out)) == out.size:
            return
    elif not np.count_nonzero(np.greater_equal(np.bitwise_and(out.view(np.uint16), _MAGNITUDE), _INFINITY)):
        return
    codes = out.view(np.uint16)
    magnitude = np.bitwise_and(codes, _MAGNITUDE)
    largest = np.bitwise_or(np.bitwise_and(codes, _SIGN), _LARGEST)
    np.copyto(codes, largest, where=magnitude == _INFINITY)
    np.copyto(codes, np.uint16(0), where=magnitude > _INFINITY)


def clamped(kernel: Kernel, dtype: ElementType, rules: Rules) -> Kernel:
    """`kernel`, then the clamp of its result, where the control register asks for one."""
    if dtype is not half or not rules.float_saturates:
        return kernel

    def saturating(*operands: Any) -> None:
        kernel(*operands)
        clamp_half(operands[-1])

    return saturating


def integer(ufunc: np.ufunc, dtype: ElementType, rules: Rules) -> Kernel:
    """Integer `add`, `subtract` or `multiply`: the bare ufunc, which wraps, or one that clamps."""
    if not rules.int_saturates or dtype.bits == 64:
        return ufunc
    # The product of two uint32 needs all 64 bits, everything else fits a signed word.
    wide = np.uint64 if ufunc is np.multiply and dtype.kind is Kind.UNSIGNED else np.int64
    limits = np.iinfo(dtype.carrier)
    low, high = wide(limits.min), wide(limits.max)

    def saturating(a: Array, b: Array, out: Array) -> None:
        exact = ufunc(a, b, dtype=wide)
        np.maximum(exact, low, out=exact)
        np.minimum(exact, high, out=exact)
        np.copyto(out, exact, casting="unsafe")

    return saturating


def symmetric(ufunc: np.ufunc, dtype: ElementType, rules: Rules) -> Kernel:
    """Integer `negative` or `absolute`. Only the most negative value has no counterpart: it stays, or clamps."""
    if not rules.int_saturates or dtype.bits == 64:
        return ufunc
    lowest = dtype.carrier.type(np.iinfo(dtype.carrier).min + 1)

    def saturating(source: Array, out: Array) -> None:
        np.maximum(source, lowest, out=out)
        ufunc(out, out)

    return saturating
