"""Add, subtract, multiply and divide of real types: correctly rounded floats, wrapping or clamping integers.

Every kernel of the instruction set runs inside one `np.errstate(all="ignore")` that the engine enters once: overflow
and invalid operations are ordinary results here. Where nothing special is needed the kernel is the bare ufunc.

bfloat16_t is computed in float32 and rounded, as the accuracy table of the Reg API says; with 24 bits against 8 the
second rounding is harmless for these operations.
"""

from collections.abc import Sequence

import numpy as np

from isa.dtypes import ElementType, Kind
from isa.numerics.rules import Array, Kernel, Rules
from isa.numerics.saturation import clamped, integer
from isa.numerics.tables import flush, flushes


def elementwise(ufunc: np.ufunc, dtype: ElementType, rules: Rules) -> Kernel:
    """`np.add`, `np.subtract` or `np.multiply` in `dtype`."""
    return integer(ufunc, dtype, rules) if dtype.is_integer else clamped(ufunc, dtype, rules)


def divide(dtype: ElementType, rules: Rules) -> Kernel:
    """The quotient: floats correctly rounded, integers truncated toward zero as in C."""
    if dtype.is_float:
        return clamped(_divide_flushing if flushes(rules) else np.divide, dtype, rules)
    if dtype.bits == 64:
        return _divide_signed_64 if dtype.kind is Kind.SIGNED else _divide_unsigned_64
    return _divide_narrow(dtype, saturates=rules.int_saturates)


def _divide_flushing(a: Array, b: Array, out: Array) -> None:
    np.divide(flush(a), flush(b), out)
    flush(out, out)


# Integer division by zero. The library's 64-bit routine writes all ones. For the narrow types the hardware divides and
# no source gives the result; the choice is what float division and a saturating conversion give: the extreme of the
# dividend's sign, 0 for 0 / 0 (so that uint8 // 0 built from it agrees with the older products, spec 05 section 2.2).
_ALL_ONES = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


def _divide_narrow(dtype: ElementType, *, saturates: bool) -> Kernel:
    limits = np.iinfo(dtype.carrier)

    def divide_integers(a: Array, b: Array, out: Array) -> None:
        by_zero = np.equal(b, 0)
        quotient = np.divide(a, b, dtype=np.float64)  # close enough that truncation is exact below 2**53
        np.trunc(quotient, quotient)
        if np.count_nonzero(by_zero):
            extreme = np.clip(np.where(np.equal(a, 0), 0.0, quotient), limits.min, limits.max)
            np.copyto(quotient, extreme, where=by_zero)
        if saturates:
            np.minimum(quotient, limits.max, out=quotient)
        np.copyto(out, quotient.astype(np.int64), casting="unsafe")  # lowest / -1 wraps here

    return divide_integers


def _divide_signed_64(a: Array, b: Array, out: Array) -> None:
    a, b = np.asarray(a), np.asarray(b)
    magnitude = np.floor_divide(np.absolute(a).view(np.uint64), np.absolute(b).view(np.uint64))
    quotient = np.where(np.not_equal(np.less(a, 0), np.less(b, 0)), np.negative(magnitude), magnitude)
    np.copyto(quotient, _ALL_ONES, where=np.equal(b, 0))
    np.copyto(out, quotient.view(np.int64))


def _divide_unsigned_64(a: Array, b: Array, out: Array) -> None:
    by_zero = np.equal(b, 0)
    np.floor_divide(a, b, out)
    np.copyto(out, _ALL_ONES, where=by_zero)


def component_kernels(dtype: ElementType, rules: Rules) -> Sequence[Kernel]:
    """Add, subtract, multiply and divide of one type, for what is composed of them."""
    return (*(elementwise(u, dtype, rules) for u in (np.add, np.subtract, np.multiply)), divide(dtype, rules))
