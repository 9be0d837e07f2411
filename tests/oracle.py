"""A second opinion on Cast: one value at a time, in exact fractions, by definition.

Written from the rules alone (spec 03 sections 1 to 5) and sharing no code with the simulator. It never shifts a bit to
round: it lists or computes the two neighbours of a value and picks one by comparing distances. Types and modes go by
their documented names; codes are Python integers. HiFloat8 is the table of its values, not the rule.
"""

import csv
from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

ONE = Fraction(1)


class Format(NamedTuple):
    exponent: int
    mantissa: int
    bias: int
    has_infinity: bool
    has_nan: bool


FORMATS = {
    "double": Format(11, 52, 1023, has_infinity=True, has_nan=True),
    "float32": Format(8, 23, 127, has_infinity=True, has_nan=True),
    "half": Format(5, 10, 15, has_infinity=True, has_nan=True),
    "bfloat16_t": Format(8, 7, 127, has_infinity=True, has_nan=True),
    "fp8_e5m2_t": Format(5, 2, 15, has_infinity=True, has_nan=True),
    "fp8_e4m3fn_t": Format(4, 3, 7, has_infinity=False, has_nan=True),
    "fp4x2_e2m1_t": Format(2, 1, 1, has_infinity=False, has_nan=False),
    "fp4x2_e1m2_t": Format(1, 2, 1, has_infinity=False, has_nan=False),
}
INTEGERS = {
    f"{'' if signed else 'u'}int{bits}_t": (bits, signed) for bits in (8, 16, 32, 64) for signed in (True, False)
} | {"int4b_t": (4, True)}
COMPONENT = {"complex32": ("half", 16), "complex64": ("float32", 32)}


@dataclass(frozen=True)
class Switches:
    """What Cast depends on besides types and mode."""

    product: str
    float_saturates: bool = True
    cast_saturates: bool = True
    keeps_fp8_nan: bool = False
    hybrid_policy: str = "literal"
    deq_scale: int = 0x3C00  # half code


class Value(NamedTuple):
    """A decoded code: sign and magnitude; magnitude None is infinity."""

    negative: bool
    magnitude: Fraction | None
    is_nan: bool = False


NAN = Value(negative=False, magnitude=None, is_nan=True)

# ------------------------------------------------------------------------------------------------- codes to values


def power(exponent: int) -> Fraction:
    return ONE * 2**exponent if exponent >= 0 else ONE / 2**-exponent


def log2(x: Fraction) -> int:
    """Largest e with 2**e <= x."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if power(e) <= x else e - 1


@cache
def hif8_values() -> dict[int, Value]:
    with (Path(__file__).parent / "data" / "hif8_table.csv").open() as file:
        rows = {int(row["code_hex"], 16): row for row in csv.DictReader(file)}
    values = {}
    for code, row in rows.items():
        if row["class"] == "nan":
            values[code] = NAN
        elif row["class"] == "inf":
            values[code] = Value(code >= 128, None)
        else:
            values[code] = Value(code >= 128, abs(Fraction(row["value_exact"])))
    return values


def width(dtype: str) -> int:
    if dtype in FORMATS:
        return 1 + FORMATS[dtype].exponent + FORMATS[dtype].mantissa
    return 8 if dtype == "hifloat8_t" else INTEGERS[dtype][0]


def decode(dtype: str, code: int) -> Value:
    if dtype == "hifloat8_t":
        return hif8_values()[code]
    if dtype in INTEGERS:
        bits, signed = INTEGERS[dtype]
        number = code - (1 << bits) if signed and code >= 1 << (bits - 1) else code
        return Value(number < 0, Fraction(abs(number)))
    f = FORMATS[dtype]
    negative, rest = divmod(code, 1 << (f.exponent + f.mantissa))
    field, fraction = divmod(rest, 1 << f.mantissa)
    if f.has_infinity and field == (1 << f.exponent) - 1:
        return NAN if fraction else Value(bool(negative), None)
    if f.has_nan and not f.has_infinity and rest == (1 << (f.exponent + f.mantissa)) - 1:
        return NAN
    if field == 0:
        return Value(bool(negative), fraction * power(1 - f.bias - f.mantissa))
    return Value(bool(negative), (ONE + Fraction(fraction, 1 << f.mantissa)) * power(field - f.bias))


def is_nan(dtype: str, code: int) -> bool:
    return decode(dtype, code).is_nan


def same(dtype: str, a: int, b: int) -> bool:
    """Equal codes; NaNs of a type are equal, and complex codes part by part."""
    if dtype in COMPONENT:
        part, bits = COMPONENT[dtype]
        return same(part, a % 2**bits, b % 2**bits) and same(part, a >> bits, b >> bits)
    return a == b or (is_nan(dtype, a) and is_nan(dtype, b))


# ------------------------------------------------------------------------------------------------- choosing


def choose(x: Fraction, lower: Fraction, upper: Fraction, lower_is_even: bool, negative: bool, mode: str) -> bool:
    """Whether the magnitude `x`, lower < x < upper, becomes `upper`."""
    below, above = x - lower, upper - x
    match mode:
        case "CAST_RINT" | "CAST_NONE":
            up = above < below or (above == below and not lower_is_even)
        case "CAST_ROUND":
            up = above <= below
        case "CAST_FLOOR":
            up = negative
        case "CAST_CEIL":
            up = not negative
        case "CAST_TRUNC":
            up = False
        case "CAST_ODD":
            up = lower_is_even
        case "away":
            up = True
        case _:
            raise AssertionError(mode)
    return up


def to_integer(x: Fraction, negative: bool, mode: str) -> int:
    """Magnitude `x` as an integer magnitude."""
    lower = x.numerator // x.denominator
    if x == lower:
        return lower
    return lower + choose(x, Fraction(lower), Fraction(lower + 1), lower % 2 == 0, negative, mode)


# ------------------------------------------------------------------------------------------------- to floats


@cache
def grid(dtype: str) -> tuple[list[Fraction], list[int]]:
    """Finite magnitudes of a narrow format in order, with their codes, and one more where overflow begins."""
    if dtype == "hifloat8_t":
        known = [(value.magnitude, code) for code, value in hif8_values().items() if code < 128]
        pairs = sorted((Fraction(3, 2) * power(15) if m is None else m, code) for m, code in known)
        return [m for m, _ in pairs], [code for _, code in pairs]
    f = FORMATS[dtype]
    values = [decode(dtype, code) for code in range(1 << (f.exponent + f.mantissa))]
    magnitudes = [value.magnitude for value in values if value.magnitude is not None]
    assert magnitudes == sorted(magnitudes)
    step = magnitudes[-1] - magnitudes[-2]
    return [*magnitudes, magnitudes[-1] + step], list(range(len(magnitudes) + 1))


def to_narrow(dtype: str, x: Fraction, negative: bool, mode: str) -> int:
    """Code of magnitude of the finite `x`; the last of the grid's codes stands for overflow."""
    magnitudes, codes = grid(dtype)
    at = bisect_right(magnitudes, x) - 1
    if magnitudes[at] == x or at == len(codes) - 1:
        return codes[at]
    return codes[at + choose(x, magnitudes[at], magnitudes[at + 1], codes[at] % 2 == 0, negative, mode)]


def to_wide(dtype: str, x: Fraction, negative: bool, mode: str) -> int:
    """The same for formats too large to list."""
    f = FORMATS[dtype]
    exponent = max(log2(x), 1 - f.bias) if x else 1 - f.bias
    steps = to_integer(x / power(exponent - f.mantissa), negative, mode)
    # `steps` counts from the code of exponent 0 of this binade; the carry to the next binade fits the counting
    return min(((exponent + f.bias - 1) << f.mantissa) + steps, infinity(dtype))


def some_nan(dtype: str) -> int:
    if dtype == "hifloat8_t":
        return 0x80
    f = FORMATS[dtype]
    return infinity(dtype) + 1 if f.has_infinity else (1 << (f.exponent + f.mantissa)) - 1


def infinity(dtype: str) -> int:
    f = FORMATS[dtype]
    return ((1 << f.exponent) - 1) << f.mantissa


def to_float(src: str, dst: str, value: Value, mode: str, code: int, s: Switches) -> int:
    sign = (1 << (width(dst) - 1)) if value.negative else 0
    if dst in ("float32", "double"):
        if value.is_nan:
            return some_nan(dst)
        if value.magnitude is None:
            return sign | infinity(dst)
        return sign | to_wide(dst, value.magnitude, value.negative, mode)
    saturates = s.float_saturates or dst.startswith("fp4")
    if value.is_nan:
        return some_nan(dst) if not saturates or (s.keeps_fp8_nan and dst.startswith("fp8")) else 0
    _, codes = grid(dst)
    if value.magnitude is None:
        magnitude = codes[-1]
    elif mode == "CAST_HYBRID":
        magnitude = hybrid(src, code, value.magnitude, s.hybrid_policy)
    else:
        magnitude = to_narrow(dst, value.magnitude, value.negative, mode)
    if magnitude == codes[-1] and saturates:
        magnitude = codes[-2]
    return 0 if dst == "hifloat8_t" and magnitude == 0 else sign | magnitude


def hybrid(src: str, code: int, x: Fraction, policy: str) -> int:
    """CAST_HYBRID: the first bits of what lies above the lower neighbour, against bits of the source itself."""
    magnitudes, codes = grid("hifloat8_t")
    if x >= power(16):
        return codes[-1]
    if x < power(-23):
        return 0
    if abs(log2(x)) <= 3:
        return to_narrow("hifloat8_t", x, False, "CAST_ROUND")
    threshold, bits = ((code & 1) * 2 + 1, 2) if src == "half" else (code & 0x3FFF, 14)
    at = bisect_right(magnitudes, x) - 1
    if at == len(codes) - 1 or (magnitudes[at] == x and policy == "exact_guard"):
        return codes[at]
    above = (x - magnitudes[at]) / (magnitudes[at + 1] - magnitudes[at])
    return codes[at + (above * 2**bits >= threshold)]


def software_double(dst: str, value: Value, mode: str) -> int:
    """double to float32 and bfloat16_t on ascend950: no saturation, its own way below the normal range."""
    sign = (1 << (width(dst) - 1)) if value.negative else 0
    if value.is_nan:
        return some_nan(dst)
    if value.magnitude is None:
        return sign | infinity(dst)
    if value.magnitude < power(-127):
        return 0
    if value.magnitude < power(-126):  # the fraction of the source, unshifted, under an exponent field of 0
        fraction = value.magnitude * power(127) - 1
        return sign | to_integer(fraction * 2 ** FORMATS[dst].mantissa, value.negative, mode)
    return sign | to_wide(dst, value.magnitude, value.negative, mode)


# ------------------------------------------------------------------------------------------------- to integers


def to_int(src: str, dst: str, value: Value, mode: str, s: Switches) -> int:
    bits, signed = INTEGERS[dst]
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if value.is_nan:
        return 0
    if value.magnitude is None:
        return (low if value.negative else high) % (1 << bits)
    number = to_integer(value.magnitude, value.negative, mode)
    number = -number if value.negative else number
    if s.cast_saturates or (src, dst) == ("int16_t", "uint32_t"):
        number = min(max(number, low), high)
    return number % (1 << bits)


# ------------------------------------------------------------------------------------------------- the whole


def dequantised(value: Value, s: Switches) -> Value:
    """int32 times the scale, rounded to float32 after each step."""
    scale = decode("half", s.deq_scale)
    single = decode("float32", to_wide("float32", value.magnitude, value.negative, "CAST_RINT"))
    if scale.is_nan or (scale.magnitude is None and not single.magnitude):
        return NAN
    negative = scale.negative != value.negative
    if scale.magnitude is None:
        return Value(negative, None)
    product = to_wide("float32", single.magnitude * scale.magnitude, negative, "CAST_RINT")
    return Value(negative, decode("float32", product).magnitude)


def integral(value: Value, mode: str, code: int, s: Switches) -> int:
    """float32 to integral float32."""
    if value.is_nan or value.magnitude is None:
        return code
    whole = to_integer(value.magnitude, value.negative, mode)
    plus = whole == 0 and s.product in ("ascend910b", "ascend910_93")
    return (0 if plus or not value.negative else 1 << 31) | to_wide("float32", Fraction(whole), False, "CAST_RINT")


def cast(src: str, dst: str, mode: str, code: int, s: Switches) -> int:
    """The code that Cast stores. A NaN is some NaN of the type: compare with `same`."""
    if src in COMPONENT:
        (part, bits), (result, result_bits) = COMPONENT[src], COMPONENT[dst]
        low, high = (cast(part, result, mode, half, s) for half in (code % 2**bits, code >> bits))
        return low | high << result_bits
    if mode == "CAST_ROUND" and s.product == "ascend910":
        mode = "away"
    value = decode(src, code)
    if (src, dst) == ("int32_t", "half") and s.product != "ascend310b":
        value, mode = dequantised(value, s), "CAST_RINT"
    if (src, dst) == ("float32", "float32"):
        return integral(value, mode, code, s)
    if src == "double" and dst in FORMATS:
        return software_double(dst, value, mode)
    if dst in INTEGERS:
        return to_int(src, dst, value, mode, s)
    return to_float(src, dst, value, mode, code, s)
