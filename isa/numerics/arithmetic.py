"""Lane functions of the basic arithmetic chapter, and of what is made of it by one more step (spec 03 section 6).

A lane function is a factory, `lanes(types, rules, **arguments) -> kernel`, with one element type for each tensor
operand, dst first. The kernel is called `kernel(*sources, out)`; a scalar follows the tensors, in the carrier type of
the source. Kernels run inside `np.errstate(all="ignore")` (see `real`), accept strided views of any shape, and `out`
may be the memory of a source.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from isa.dtypes import ElementType, Kind
from isa.numerics import complexes, real
from isa.numerics.rules import Array, Kernel, Rules
from isa.numerics.saturation import clamped, symmetric
from isa.numerics.tables import function

Types = Sequence[ElementType]
Lanes = Callable[..., Kernel]


def _arithmetic(ufunc: np.ufunc, of_complex: Callable[[ElementType, Rules], Kernel]) -> Lanes:
    def lanes(types: Types, rules: Rules) -> Kernel:
        dtype = types[0]
        return of_complex(dtype, rules) if dtype.kind is Kind.COMPLEX else real.elementwise(ufunc, dtype, rules)

    return lanes


add = _arithmetic(np.add, complexes.add)
subtract = _arithmetic(np.subtract, complexes.subtract)
multiply = _arithmetic(np.multiply, complexes.multiply)


def divide(types: Types, rules: Rules) -> Kernel:
    dtype = types[0]
    return (complexes.divide if dtype.kind is Kind.COMPLEX else real.divide)(dtype, rules)


def with_scalar(lanes: Lanes) -> Lanes:
    """Vector-scalar lanes of a two-operand function; `scalar_first` makes the scalar its left operand."""

    def vector_scalar(types: Types, rules: Rules, *, scalar_first: bool = False) -> Kernel:
        kernel = lanes(types, rules)
        if not scalar_first:
            return kernel
        return lambda source, scalar, out: kernel(scalar, source, out)

    return vector_scalar


def _extreme(ufunc: np.ufunc, of_equals: np.ufunc) -> Lanes:
    """Maximum or minimum: any NaN wins, and -0 is below +0, which numpy leaves to the processor.

    Equal operands have equal bits unless they are zeros, so `of_equals` (AND for the maximum, OR for the minimum) of
    the bits picks the zero with the right sign.
    """

    def lanes(types: Types, rules: Rules) -> Kernel:
        dtype = types[0]
        if dtype.is_integer:
            return lambda a, b, out: ufunc(a, b, out=out)

        def kernel(a: Any, b: Any, out: Array) -> None:
            equal = np.equal(a, b)
            if not np.count_nonzero(equal):
                ufunc(a, b, out=out)
                return
            merged = of_equals(a.view(dtype.code), b.view(dtype.code))
            ufunc(a, b, out=out)
            np.copyto(out.view(dtype.code), merged, where=equal)

        return clamped(kernel, dtype, rules)

    return lanes


maximum = _extreme(np.maximum, np.bitwise_and)
minimum = _extreme(np.minimum, np.bitwise_or)


def _sign_function(core: np.ufunc) -> Lanes:
    """Absolute value or negation: of floats, the sign bit alone changes."""
    of_floats = function(core)

    def lanes(types: Types, rules: Rules) -> Kernel:
        return symmetric(core, types[0], rules) if types[0].is_integer else of_floats(types, rules)

    return lanes


negate = _sign_function(np.negative)
_absolute = _sign_function(np.absolute)


def absolute(types: Types, rules: Rules) -> Kernel:
    """The magnitude; of a complex source, in its component type."""
    if types[-1].kind is Kind.COMPLEX:
        return complexes.magnitude(types[-1], rules)
    return _absolute(types, rules)


def _positive_part(source: Array, out: Array) -> None:
    np.maximum(source, 0, out=out)
    np.add(out, 0, out)  # a zero of either sign becomes +0


_float_relu = function(_positive_part)


def relu(types: Types, rules: Rules) -> Kernel:
    dtype = types[0]
    if dtype.is_float:
        return _float_relu(types, rules)
    if dtype.kind is Kind.UNSIGNED:
        return lambda source, out: np.copyto(out, source)
    return lambda source, out: np.maximum(source, 0, out=out)


def leaky_relu(types: Types, rules: Rules) -> Kernel:
    """`x` where its sign bit is clear, else the ordinary product `x * slope`: -0 gives a signed zero, or NaN.

    The slope is a scalar (LeakyRelu) or a tensor (Prelu).
    """
    dtype = types[0]
    signed = np.dtype(f"i{dtype.size}")

    def kernel(source: Array, slope: Any, out: Array) -> None:
        scaled = np.multiply(source, slope)
        np.copyto(scaled, source, where=np.greater_equal(source.view(signed), 0))
        np.copyto(out, scaled)

    return clamped(kernel, dtype, rules)


def in_place(kernel: Kernel, unary: Kernel) -> Kernel:
    """`kernel`, then `unary` on its result."""

    def composed(*operands: Any) -> None:
        kernel(*operands)
        unary(operands[-1], operands[-1])

    return composed


def absolute_difference(types: Types, rules: Rules) -> Kernel:
    return in_place(subtract(types, rules), absolute(types, rules))


def long_multiply(types: Types, rules: Rules) -> Kernel:
    """The low and the high word of the full product: `kernel(src0, src1, out0, out1)`."""
    wide = np.dtype(f"{types[0].carrier.kind}8")

    def kernel(a: Array, b: Array, low: Array, high: Array) -> None:
        product = np.multiply(a, b, dtype=wide)
        np.copyto(low, product, casting="unsafe")
        np.copyto(high, np.right_shift(product, 32), casting="unsafe")

    return kernel


def fill(types: Types, rules: Rules) -> Kernel:
    """One value in every lane: `kernel(scalar, out)`."""
    return lambda scalar, out: np.copyto(out, scalar)
