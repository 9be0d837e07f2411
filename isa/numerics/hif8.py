"""HiFloat8: a sign, a prefix that says how wide the exponent is, the exponent, and what remains as mantissa.

Precision tapers: 3 mantissa bits near 1, none at the ends. Everything here is computed from the rule of the format
(spec 03 section 3). Sorted by value, the non-negative codes have *ordinals* 0..127: zero, the finite values, infinity.
Within one binade the ordinal grows with the kept mantissa bits, and a carry leads to the next binade by itself.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from isa.numerics.layouts import F32, U16, U32
from isa.numerics.rules import Array, Kernel

NAN = 0x80
INFINITY = 0x6F
_SIGN = 0x80
_SMALLEST = -22  # exponent of the smallest value
_LARGEST = 15
_LITERAL, _EXACT_GUARD = "literal", "exact_guard"


_PREFIXES = ((0b11_0_0000, 4, 1), (0b10_0_0000, 3, 2), (0b01_0_0000, 2, 3), (0b001_0000, 1, 3))
"""First code of each prefix that has an exponent field, bits of that field, bits of the mantissa."""


def _magnitude(code: int) -> float:
    """Value of a code without its sign bit; infinity, but not NaN, which needs the sign bit."""
    if code == INFINITY:
        return float("inf")
    if code < 0b0001_000:  # prefix 0000: powers of two, and zero
        return 2.0 ** (code - 23) if code else 0.0
    exponent, mantissa = 0, 3
    if code >= 0b001_0000:  # else prefix 0001: no exponent field
        width, mantissa = next((width, kept) for first, width, kept in _PREFIXES if code >= first)
        field = code >> mantissa & (1 << width) - 1
        sign = 1 << (width - 1)  # sign and magnitude; the leading 1 of the magnitude is left out
        exponent = -(field | sign) if field & sign else field | sign
    return (1 + (code & (1 << mantissa) - 1) / (1 << mantissa)) * 2.0**exponent


def _values() -> Array:
    positive = np.array([_magnitude(code) for code in range(_SIGN)], F32)
    values = np.concatenate([positive, -positive])
    values[NAN] = np.nan
    return values


VALUES: Array = _values()
"""float32 value of each of the 256 codes. There is no negative zero: its code is NaN."""

_CODES: Array = np.argsort(VALUES[:_SIGN], kind="stable").astype(np.uint8)
"""Code of each ordinal."""
_LAST = _SIGN - 1  # ordinal of infinity


def kept_bits(exponent: int) -> int:
    """Mantissa bits that a value of this binary exponent keeps.

    -1 for 2**-23 <= x < 2**-22, between zero and the smallest value: there the leading bit itself is dropped.
    """
    if exponent < _SMALLEST:
        return -1
    distance = abs(exponent)
    return 3 if distance < 4 else 2 if distance < 8 else 1 if distance <= _LARGEST else 0


def _by_field() -> tuple[Array, Array]:
    """For each float32 exponent field: number of dropped mantissa bits, ordinal of the power of two."""
    exponents = np.arange(256) - 127
    dropped = np.array([23 - kept_bits(int(e)) for e in exponents], np.uint32)
    powers = np.ldexp(1.0, np.clip(exponents, _SMALLEST - 1, _LARGEST + 1))
    first = np.searchsorted(VALUES[_CODES], powers).astype(np.uint32)
    first[exponents < _SMALLEST] = 0
    return dropped, first


_DROPPED, _FIRST = _by_field()
_TOO_SMALL = np.array((127 + _SMALLEST - 1) << 23, U32)  # below half the smallest value: zero
_HIDDEN_BIT = np.array(1 << 23, U32)
_FRACTION = np.array((1 << 23) - 1, U32)

Bump = Callable[[Array, Array, Array], Array]
"""`bump(bits, significand, dropped)`: 1 in the lanes whose magnitude goes up, else 0. `significand` has its leading
bit at position 23."""


def half_away(_: Array, significand: Array, dropped: Array) -> Array:
    """CAST_ROUND: the nearer neighbour, of two equally near ones the larger in magnitude."""
    return np.asarray(significand >> (dropped - 1) & 1)


def _threshold_of_float32(bits: Array) -> Array:
    """The low 14 bits of the mantissa."""
    return bits & 0x3FFF


def _threshold_of_half(bits: Array) -> Array:
    """Bit 0 of the half's own mantissa, then a 1. The values arrive as float32 (unknown U15 for subnormals)."""
    codes = bits.view(F32).astype(np.float16).view(U16)
    return (codes & 1) << 1 | 1


def _hybrid(width: int, threshold: Callable[[Array], Array], policy: str) -> Bump:
    """Compare `width` bits below the kept ones with a threshold that is made of the source's own low bits."""
    if policy not in {_LITERAL, _EXACT_GUARD}:
        raise ValueError(f"hybrid_policy must be {_LITERAL!r} or {_EXACT_GUARD!r}, not {policy!r}")
    mask = (1 << width) - 1
    three_kept = 20  # dropped bits where |exponent| < 4: there as CAST_ROUND

    def bump(bits: Array, significand: Array, dropped: Array) -> Array:
        up = (significand >> (dropped - width) & mask) >= threshold(bits)
        if policy == _EXACT_GUARD:
            up &= (significand & ((U32.type(1) << dropped) - U32.type(1))) != 0
        return np.where(dropped == three_kept, half_away(bits, significand, dropped), up)

    return bump


@cache
def hybrid(policy: str, source_is_half: bool) -> Bump:
    """CAST_HYBRID of float32, or of half that comes widened to float32 (spec 03 section 4).

    With policy "literal" a threshold of 0 moves values that need no rounding (unknown U1); "exact_guard" does not.
    """
    return _hybrid(2, _threshold_of_half, policy) if source_is_half else _hybrid(14, _threshold_of_float32, policy)


@cache
def encoder(goes_up: Bump, saturates: bool) -> Kernel:
    """`kernel(source, out)`: float32 to HiFloat8 codes; `goes_up` is `half_away` or a result of `hybrid`.

    saturates: infinity and overflow become the largest value, NaN 0. Without it overflow becomes infinity, in
    CAST_HYBRID by the same comparison (unknown U2).
    """
    top = _LAST - 1 if saturates else _LAST
    nan = 0 if saturates else NAN

    def kernel(source: Array, out: Array) -> None:
        bits = source.view(U32)
        magnitude = bits & 0x7FFF_FFFF
        field = magnitude >> 23
        dropped = _DROPPED.take(field, mode="clip")
        fraction = magnitude & _FRACTION
        ordinal = _FIRST.take(field, mode="clip")
        ordinal += fraction >> dropped
        ordinal += goes_up(bits, fraction | _HIDDEN_BIT, dropped).astype(U32)
        np.minimum(ordinal, top, out=ordinal)
        np.copyto(ordinal, 0, where=magnitude < _TOO_SMALL)
        codes = _CODES.take(ordinal)
        negative = (bits >> 31).astype(np.uint8) << 7
        np.bitwise_or(codes, negative, codes, where=codes != 0)
        np.copyto(codes, nan, where=magnitude > 0x7F80_0000)
        out[...] = codes

    return kernel
