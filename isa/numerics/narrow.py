"""float32 and double to narrower floats.

Both work on the bits: exponent and mantissa of the source are one integer, whose low bits are dropped with rounding
(`rounding.py`) and from which the difference of the two biases is subtracted. Overflow is judged after rounding with
an unbounded exponent, in every mode (spec 03 section 1a and unknown U4).
"""

from functools import cache

import numpy as np

from isa.dtypes import ElementType, bfloat16_t, double, float32, half
from isa.numerics.layouts import F32, LAYOUTS, U32, U64
from isa.numerics.rounding import INTEGRAL, Rounding, Shift, shift_right
from isa.numerics.rules import Array, Kernel

_F32 = LAYOUTS[float32]
_F64 = LAYOUTS[double]
_MAGNITUDE = np.array(0x7FFF_FFFF, U32)
_SIGN = np.array(0x8000_0000, U32)
_INFINITY = 0x7F80_0000

_NATIVE_LANES = {half: 1024, bfloat16_t: 1 << 62}
"""Up to how many lanes numpy's own nearest-even conversion beats the bit arithmetic. It is a C loop over lanes, two
times slower than the arithmetic for half and two times faster for bfloat16_t, but it is one call."""


@cache
def encoder(dst: ElementType, rounding: Rounding, saturates: bool, keeps_nan: bool = False) -> Kernel:
    """`kernel(source, out)`: float32 to `dst`, one of the formats of LAYOUTS that are narrower.

    saturates: overflow and infinity become the largest value and NaN +0, unless `keeps_nan`. Otherwise overflow
    becomes infinity (NaN in fp8_e4m3fn_t) and NaN the canonical one. The fp4 types saturate always.
    Subnormals of both formats are kept (spec 03, D6); a zero result keeps the sign.
    """
    to = LAYOUTS[dst]
    saturates = saturates or to.saturates_always
    nan = np.array(0 if to.nan is None or (saturates and not keeps_nan) else to.nan, U32)
    top = np.array(to.largest if saturates else to.largest + 1, U32)

    shift = Shift.of(_F32.mantissa - to.mantissa, U32)
    drop, to_integral = shift_right[rounding], INTEGRAL[rounding]
    # Source exponent field of the smallest normal value of `dst`. bfloat16_t has the exponents of float32: there
    # subnormals follow the same arithmetic as normal values.
    first_field = 0 if to.bias == _F32.bias else _F32.bias - to.bias + 1
    first_normal = np.array(first_field << _F32.mantissa, U32)
    to_smallest = np.array(2.0 ** (to.bias - 1 + to.mantissa) if first_field else 1, F32)
    first_code = np.array(1 << to.mantissa, U32)
    sign_distance = np.array(31 - (to.exponent + to.mantissa), U32)
    code = dst.code

    native = _NATIVE_LANES.get(dst, 0) if rounding is Rounding.EVEN else 0
    native_magnitude = _INFINITY if not native else int(_value_bits(dst, to.largest))

    def subnormal_codes(bits: Array, small: Array) -> Array:
        """Codes of magnitude where `small` has all bits set, 0 elsewhere.

        Below the smallest normal value codes count multiples of the smallest value, so the float32 value is scaled,
        which is exact, and rounded to an integer. One pass over all lanes costs less than picking the few.
        """
        scaled = np.bitwise_and(bits, small).view(F32)
        np.multiply(scaled, to_smallest, scaled)
        to_integral(scaled, out=scaled)
        np.absolute(scaled, scaled)
        return scaled.astype(np.int32).view(U32)

    def kernel(source: Array, out: Array) -> None:
        bits = source.view(U32)
        magnitude = np.bitwise_and(bits, _MAGNITUDE)
        lanes = magnitude.size
        if not lanes:
            return
        if lanes <= native and magnitude.item(magnitude.argmax()) <= native_magnitude:
            out[...] = source
            return
        # Unsigned subtraction wraps for values below the smallest normal one: one comparison finds them and NaN.
        offset = np.subtract(magnitude, first_normal) if first_field else magnitude
        irregular = offset.item(offset.argmax()) > _INFINITY - (first_field << 23)
        codes = drop(offset, bits, shift)
        if first_field:
            np.add(codes, first_code, codes)
        np.minimum(codes, top, out=codes)
        if irregular and first_field:
            small = np.negative((magnitude < first_normal).astype(U32))
            np.bitwise_or(codes, small, codes)
            np.bitwise_xor(codes, small, codes)
            np.bitwise_or(codes, subnormal_codes(bits, small), codes)
        signs = np.bitwise_and(bits, _SIGN)
        np.right_shift(signs, sign_distance, signs)
        np.bitwise_or(codes, signs, codes)
        if irregular:
            np.copyto(codes, nan, where=magnitude > _INFINITY)
        out.view(code)[...] = codes

    return kernel


def _value_bits(dtype: ElementType, code: int) -> int:
    """float32 bits of the value of `code`."""
    return int(np.array(code, dtype.code).view(dtype.carrier).astype(np.float32).view(U32))


DOUBLE_NAN = {float32: 0x7F80_0001, bfloat16_t: 0x7F81}
"""What the software conversion of A3510 writes for NaN."""


@cache
def double_encoder(dst: ElementType, rounding: Rounding) -> Kernel:
    """`kernel(source, out)`: double to float32 or bfloat16_t as the library's software for A3510 does it.

    It differs from IEEE below the normal range (spec 03 section 2.4): 2**-127 <= |x| < 2**-126 is packed as a
    subnormal without the shift that would make room for the leading bit, anything smaller becomes +0. It reads the
    saturation bit through a test that is false while CTRL[60] is set, as it always is here: overflow and infinity
    stay infinite and NaN stays NaN for bfloat16_t too (conflict C14, decided for the code).
    """
    to = LAYOUTS[dst]
    shift = Shift.of(_F64.mantissa - to.mantissa, U64)
    drop = shift_right[rounding]
    lowest = np.array((_F64.bias - to.bias) << _F64.mantissa, U64)
    infinity = np.array(0x7FF << _F64.mantissa, U64)
    sign_distance = np.array(63 - (to.exponent + to.mantissa), U64)
    top, nan = np.array(to.largest + 1, U64), np.array(DOUBLE_NAN[dst], U64)

    def kernel(source: Array, out: Array) -> None:
        bits = source.view(U64)
        signs = bits & np.array(_F64.sign, U64)
        magnitude = bits ^ signs
        codes = np.minimum(drop(magnitude - lowest, bits, shift), top)
        codes |= signs >> sign_distance
        np.copyto(codes, 0, where=magnitude < lowest)
        np.copyto(codes, nan, where=magnitude > infinity)
        out.view(dst.code)[...] = codes

    return kernel
