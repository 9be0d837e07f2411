"""Lane functions of the compound chapter: multiply-add, and what ends in Relu or a conversion (spec 03 D10, 5.5, 6)."""

from typing import Any

import numpy as np

from isa.dtypes import ElementType, bfloat16_t, float32, half, int8_t, int16_t
from isa.numerics import real
from isa.numerics.arithmetic import Lanes, Types, add, in_place, multiply, relu, subtract
from isa.numerics.cast import cast
from isa.numerics.rules import Array, Kernel, Rules
from isa.numerics.saturation import clamped
from isa.params import RoundMode
from isa.products import Arch

MULTIPLY_ADD_MODEL = (
    "one rounding on ascend950; two on A2 and A3, where a half product is clamped before the addition, and the same"
    " assumed for ascend910, ascend310p and ascend310b; half sources with a float32 result round once everywhere"
)


def _multiply_add(result: ElementType, source: ElementType, rules: Rules) -> Kernel:
    """a * b + c as `kernel(a, b, c, out)`; b may be a scalar. `result` is the type of c and out."""
    if result is not source:
        return _exact_product
    if rules.arch is Arch.A3510 and result.is_float:
        return clamped(_fused_bfloat16 if result is bfloat16_t else _fused, result, rules)
    times, plus = (real.elementwise(ufunc, result, rules) for ufunc in (np.multiply, np.add))

    def two_roundings(a: Array, b: Any, c: Array, out: Array) -> None:
        product = np.empty_like(a)
        times(a, b, product)
        plus(product, c, out)

    return two_roundings


def _exact_product(a: Array, b: Any, c: Array, out: Array) -> None:
    """Half operands, float32 sum: 22 bits of product fit float32, so the addition alone rounds."""
    np.add(np.multiply(a, b, dtype=np.float32), c, out)


def _odd_sum(a: Array, b: Any, c: Array) -> Array:
    """a * b + c in double, rounded to odd: a later rounding to float32 or less is then correct.

    The product of two operands of at most 24 bits is exact. The error of the sum is recovered exactly (TwoSum); an
    inexact sum with an even last bit moves one step toward it. Infinite and NaN sums have a NaN error and stay.
    """
    product = np.multiply(a, b, dtype=np.float64)
    addend = c.astype(np.float64)
    total: Array = np.add(product, addend)
    virtual = total - product
    error = (product - (total - virtual)) + (addend - virtual)
    _toward_odd(total, error, np.dtype(np.int64))
    return total


def _toward_odd(values: Array, error: Array, bits: "np.dtype[Any]") -> None:
    """In place: where the exact value is `values + error`, `error` small, make an even inexact value odd."""
    codes = values.view(bits)
    outward = np.greater(error, 0) == np.greater_equal(codes, 0)  # a zero has the sign of what was lost
    inexact = np.greater(error, 0) | np.less(error, 0)
    step = np.where(outward, 1, -1) * (inexact & np.equal(codes & 1, 0))
    np.add(codes, step, codes, casting="unsafe")


def _fused(a: Array, b: Any, c: Array, out: Array) -> None:
    np.copyto(out, _odd_sum(a, b, c), casting="same_kind")


def _fused_bfloat16(a: Array, b: Any, c: Array, out: Array) -> None:
    """By way of float32, rounded to odd once more, because no library rounds double to bfloat16 in one step."""
    total = _odd_sum(a, b, c)
    near = total.astype(np.float32)
    _toward_odd(near, total - near, np.dtype(np.int32))
    np.copyto(out, near, casting="unsafe")


def multiply_add_dst(types: Types, rules: Rules) -> Kernel:
    """dst = src0 * src1 + dst."""
    multiply_add = _multiply_add(types[0], types[1], rules)
    return lambda dst, src0, src1, out: multiply_add(src0, src1, dst, out)


def fused_multiply_add(types: Types, rules: Rules) -> Kernel:
    """dst = src0 * dst + src1."""
    multiply_add = _multiply_add(types[0], types[1], rules)
    return lambda dst, src0, src1, out: multiply_add(src0, dst, src1, out)


def multiply_add_relu(types: Types, rules: Rules) -> Kernel:
    """dst = max(0, src0 * dst + src1)."""
    return in_place(fused_multiply_add(types, rules), relu(types, rules))


def axpy(types: Types, rules: Rules) -> Kernel:
    """dst = scalar * src + dst."""
    multiply_add = _multiply_add(types[0], types[1], rules)
    return lambda dst, src, scalar, out: multiply_add(src, scalar, dst, out)


def relu_of(lanes: Lanes) -> Lanes:
    """dst = max(0, lanes(src0, src1))."""

    def composed(types: Types, rules: Rules) -> Kernel:
        return in_place(lanes(types, rules), relu(types, rules))

    return composed


add_relu = relu_of(add)
subtract_relu = relu_of(subtract)


def _then_cast(computed: Kernel, types: Types, rules: Rules, mode: RoundMode) -> Kernel:
    """`computed` in the source type, then the conversion to types[0]."""
    if (types[1], types[0]) == (int16_t, int8_t):
        steps = _then_cast(computed, (half, int16_t), rules, mode)  # no product converts directly
        return _then_cast(steps, (int8_t, half), rules, mode)
    convert = cast(types[1], types[0], mode, rules)

    def kernel(*operands: Any) -> None:
        between = np.empty(operands[-1].shape, types[1].carrier)
        computed(*operands[:-1], between)
        convert(between, operands[-1])

    return kernel


def multiply_cast(types: Types, rules: Rules) -> Kernel:
    """dst = cast(src0 * src1), the product rounded in the source type."""
    return _then_cast(multiply(types[1:], rules), types, rules, RoundMode.CAST_RINT)


def scale_cast(types: Types, rules: Rules, *, scalar_first: bool = False) -> Kernel:
    """dst = half(src * scalar), the float32 product rounded by CAST_ROUND."""
    return _then_cast(multiply(types[1:], rules), types, rules, RoundMode.CAST_ROUND)


def relu_cast(lanes: Lanes) -> Lanes:
    """dst = cast(max(0, lanes(src0, src1)))."""

    def composed(types: Types, rules: Rules) -> Kernel:
        rectify = relu(types[1:], rules)
        if types[0] is half and types[1] is float32 and rules.arch is not Arch.A3510:
            rectify = _positive_number  # AMEM-26, 27: a NaN sum gives +0 in both saturation states, +inf stays
        return _then_cast(in_place(lanes(types[1:], rules), rectify), types, rules, RoundMode.CAST_RINT)

    return composed


def _positive_number(source: Array, out: Array) -> None:
    np.fmax(source, 0, out=out)
    np.add(out, 0, out)


add_relu_cast = relu_cast(add)
subtract_relu_cast = relu_cast(subtract)
