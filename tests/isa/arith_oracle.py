"""Arithmetic on bit patterns, one element at a time, in integers and fractions: the measure of the lane functions.

Nothing here comes from numpy or from the package under test. A float is decoded to NaN, an infinity or an exact
fraction with a sign; an operation works on those; the result is rounded once, to nearest with ties to even.
"""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import isqrt


@dataclass(frozen=True)
class Format:
    """An IEEE-like binary format, by its field widths."""

    exponent_bits: int
    mantissa_bits: int

    @property
    def sign_bit(self) -> int:
        return 1 << self.exponent_bits + self.mantissa_bits

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent_bits) - 1) << self.mantissa_bits

    @property
    def nan(self) -> int:
        return self.infinity | 1 << self.mantissa_bits - 1

    @property
    def smallest_normal(self) -> int:
        return 1 << self.mantissa_bits

    @property
    def lowest_weight(self) -> int:
        """Exponent of the last place of subnormals."""
        return 2 - (1 << self.exponent_bits - 1) - self.mantissa_bits


HALF = Format(5, 10)
FLOAT = Format(8, 23)
BFLOAT = Format(8, 7)


@dataclass(frozen=True)
class Number:
    """kind: "nan", "inf" or "finite"; negative: the sign, of zeros too."""

    kind: str
    negative: bool = False
    value: Fraction = Fraction(0)

    @property
    def is_zero(self) -> bool:
        return self.kind == "finite" and not self.value


NAN = Number("nan")


def infinity(negative: bool) -> Number:
    return Number("inf", negative)


def finite(value: Fraction, negative_zero: bool = False) -> Number:
    return Number("finite", value < 0 if value else negative_zero, value)


@lru_cache(maxsize=1 << 18)
def decode(code: int, fmt: Format) -> Number:
    negative = bool(code & fmt.sign_bit)
    magnitude = code & fmt.sign_bit - 1
    if magnitude >= fmt.infinity:
        return infinity(negative) if magnitude == fmt.infinity else NAN
    exponent, mantissa = divmod(magnitude, 1 << fmt.mantissa_bits)
    if exponent:
        mantissa += 1 << fmt.mantissa_bits
        exponent -= 1
    weight = exponent + fmt.lowest_weight
    value = Fraction(mantissa << weight) if weight >= 0 else Fraction(mantissa, 1 << -weight)
    return finite(-value if negative else value, negative)


def encode(number: Number, fmt: Format) -> int:
    """The code nearest to `number`, ties to even; beyond the largest finite value by half a step, infinity."""
    if number.kind == "nan":
        return fmt.nan
    sign = fmt.sign_bit if number.negative else 0
    if number.kind == "inf":
        return sign | fmt.infinity
    top, bottom = abs(number.value.numerator), number.value.denominator
    if not top:
        return sign
    scale = top.bit_length() - bottom.bit_length() - 1 - fmt.mantissa_bits  # one bit too fine, at most
    weight = max(scale, fmt.lowest_weight)
    while True:
        shifted, by = (top, bottom << weight) if weight >= 0 else (top << -weight, bottom)
        quotient, rest = divmod(shifted, by)
        if quotient < 2 << fmt.mantissa_bits:
            break
        weight += 1
    quotient += 2 * rest + (quotient & 1) > by
    return sign | min(quotient + (weight - fmt.lowest_weight << fmt.mantissa_bits), fmt.infinity)


def flushed(code: int, fmt: Format) -> int:
    """A subnormal as the zero of its sign."""
    return code & fmt.sign_bit if code & fmt.sign_bit - 1 < fmt.smallest_normal else code


def saturated(code: int, fmt: Format) -> int:
    """Infinities as the largest value of their sign, NaN as +0."""
    magnitude = code & fmt.sign_bit - 1
    if magnitude < fmt.infinity:
        return code
    return code & fmt.sign_bit | fmt.infinity - 1 if magnitude == fmt.infinity else 0


# Operations on numbers


def negate(a: Number) -> Number:
    return Number(a.kind, not a.negative, -a.value)


def add(a: Number, b: Number) -> Number:
    if "nan" in (a.kind, b.kind):
        return NAN
    if "inf" in (a.kind, b.kind):
        if a.kind == b.kind and a.negative != b.negative:
            return NAN
        return a if a.kind == "inf" else b
    return finite(a.value + b.value, a.negative and b.negative)


def subtract(a: Number, b: Number) -> Number:
    return add(a, negate(b))


def multiply(a: Number, b: Number) -> Number:
    negative = a.negative != b.negative
    if "nan" in (a.kind, b.kind):
        return NAN
    if "inf" in (a.kind, b.kind):
        return NAN if a.is_zero or b.is_zero else infinity(negative)
    return finite(a.value * b.value, negative)


def divide(a: Number, b: Number) -> Number:
    negative = a.negative != b.negative
    if "nan" in (a.kind, b.kind) or (a.kind == b.kind == "inf") or (a.is_zero and b.is_zero):
        return NAN
    if a.kind == "inf" or b.is_zero:
        return infinity(negative)
    return finite(Fraction(0) if b.kind == "inf" else a.value / b.value, negative)


def _order(a: Number) -> "tuple[int, Fraction, int]":
    """A key in which -inf < numbers < inf and -0 < +0."""
    rank = {"inf": -1 if a.negative else 1, "finite": 0}[a.kind]
    return rank, a.value, not a.negative


def maximum(a: Number, b: Number) -> Number:
    return NAN if "nan" in (a.kind, b.kind) else max(a, b, key=_order)


def minimum(a: Number, b: Number) -> Number:
    return NAN if "nan" in (a.kind, b.kind) else min(a, b, key=_order)


def absolute(a: Number) -> Number:
    return Number(a.kind, negative=False, value=abs(a.value))


def relu(a: Number) -> Number:
    return maximum(a, finite(Fraction(0)))


def leaky(a: Number, slope: Number) -> Number:
    return a if a.kind != "nan" and not a.negative else multiply(a, slope)


# Functions that are not rational: an enclosure finer than any rounding boundary near it stands for the value


def square_root(a: Number) -> Number:
    if a.kind == "nan" or (a.negative and not a.is_zero):
        return NAN
    return a if a.kind == "inf" or a.is_zero else finite(_root(a.value))


def inverse_square_root(a: Number) -> Number:
    if a.is_zero:
        return infinity(a.negative)
    if a.kind == "nan" or a.negative:
        return NAN
    return finite(Fraction(0)) if a.kind == "inf" else finite(_root(1 / a.value))


def _root(value: Fraction) -> Fraction:
    """The root where it is rational with a short binary expansion, else a value on the same side of every boundary."""
    scale = 400  # bits after the point: far below half a step of any result
    scaled = (value.numerator << 2 * scale) // value.denominator
    root = isqrt(scaled)
    exact = root * root == scaled and (value.numerator << 2 * scale) % value.denominator == 0
    return Fraction(2 * root if exact else 2 * root + 1, 2 << scale)


def exponential(a: Number) -> Number:
    if a.kind == "nan":
        return NAN
    if a.kind == "inf":
        return finite(Fraction(0)) if a.negative else a
    if abs(a.value) > 2000:
        return finite(Fraction(1, 2**3000)) if a.negative else finite(Fraction(2**3000))
    return finite(_transcendental(a.value, Decimal.exp))


def logarithm(a: Number) -> Number:
    if a.is_zero:
        return infinity(negative=True)
    if a.kind == "nan" or a.negative:
        return NAN
    return a if a.kind == "inf" else finite(_transcendental(a.value, Decimal.ln))


def _transcendental(value: Fraction, function) -> Fraction:
    with localcontext() as context:
        context.prec = 60
        return Fraction(function(Decimal(value.numerator) / Decimal(value.denominator)))


# Multiply and add


def multiply_add(a: Number, b: Number, c: Number) -> Number:
    """a * b + c without a rounding in between."""
    return add(multiply(a, b), c)


# Integers


def wrapped(value: int, bits: int, signed: bool) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> bits - 1 else value


def clamped(value: int, bits: int, signed: bool) -> int:
    high = (1 << bits - signed) - 1
    return min(max(value, -high - 1 if signed else 0), high)


def truncated_quotient(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


def shifted_left(code: int, by: int, bits: int, signed: bool) -> int:
    """Drop the bit below the sign (or the highest bit), `by` times; nothing is left at `bits` and beyond."""
    if not 0 <= by < bits:
        return 0
    for _ in range(by):
        sign = code >> bits - 1 << bits - 1 if signed else 0
        code = (code << 1 & (1 << bits - signed) - 1) | sign
    return code
