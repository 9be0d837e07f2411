"""complex32 and complex64: the library's programs, each step rounded and clamped in the component type.

Source: arithmetic of the Reg layer of ascend950, the only product with these instructions. numpy's own complex
product is not used: it fuses multiplications and additions where the processor can.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.dtypes import ElementType, complex64, float32, half
from isa.numerics.real import component_kernels
from isa.numerics.rules import Array, Kernel, Rules
from isa.numerics.tables import function

_PAIR = np.dtype([("real", np.float16), ("imaginary", np.float16)])  # real at the lower address
_square_root = function(np.sqrt, subnormals=False)


def component(dtype: ElementType) -> ElementType:
    return float32 if dtype is complex64 else half


def _parts(values: Any) -> tuple[Array, Array]:
    """Views of the real and the imaginary parts of an array or a scalar."""
    array = np.asarray(values)
    if array.dtype == np.complex64:
        return array.real, array.imag
    pairs = array.view(_PAIR)
    return pairs["real"], pairs["imaginary"]


def _store(out: Array, real: Array, imaginary: Array) -> None:
    to_real, to_imaginary = _parts(out)
    np.copyto(to_real, real)
    np.copyto(to_imaginary, imaginary)


def _returning(kernel: Kernel) -> Callable[[Array, Array], Array]:
    """A two-operand kernel as a function that makes its result."""

    def compute(a: Array, b: Array) -> Array:
        out: Array = np.empty(np.broadcast_shapes(a.shape, b.shape), a.dtype)
        kernel(a, b, out)
        return out

    return compute


def _arithmetic(dtype: ElementType, rules: Rules) -> list[Callable[[Array, Array], Array]]:
    return [_returning(kernel) for kernel in component_kernels(component(dtype), rules)]


def add(dtype: ElementType, rules: Rules) -> Kernel:
    plus, _, _, _ = _arithmetic(dtype, rules)
    return _component_wise(plus)


def subtract(dtype: ElementType, rules: Rules) -> Kernel:
    _, minus, _, _ = _arithmetic(dtype, rules)
    return _component_wise(minus)


def _component_wise(operation: Callable[[Array, Array], Array]) -> Kernel:
    def kernel(a: Any, b: Any, out: Array) -> None:
        (a_real, a_imag), (b_real, b_imag) = _parts(a), _parts(b)
        _store(out, operation(a_real, b_real), operation(a_imag, b_imag))

    return kernel


def multiply(dtype: ElementType, rules: Rules) -> Kernel:
    plus, minus, times, _ = _arithmetic(dtype, rules)

    def kernel(a: Any, b: Any, out: Array) -> None:
        (a_real, a_imag), (b_real, b_imag) = _parts(a), _parts(b)
        real = minus(times(a_real, b_real), times(a_imag, b_imag))
        imaginary = plus(times(a_imag, b_real), times(a_real, b_imag))
        _store(out, real, imaginary)

    return kernel


def divide(dtype: ElementType, rules: Rules) -> Kernel:
    """Smith's method: divide through by the larger component of the divisor. A zero divisor divides the components."""
    plus, minus, times, over = _arithmetic(dtype, rules)

    def smith(a_real: Array, a_imag: Array, large: Array, small: Array) -> tuple[Array, Array, Array]:
        """`ratio` and what the two results share: (a_real, a_imag) * ratio and 1 / (large + small * ratio)."""
        ratio = over(small, large)
        scale = over(np.ones_like(ratio), plus(large, times(small, ratio)))
        return times(a_real, ratio), times(a_imag, ratio), scale

    def kernel(a: Any, b: Any, out: Array) -> None:
        (a_real, a_imag), (b_real, b_imag) = _parts(a), _parts(b)
        real_large = np.greater_equal(np.absolute(b_real), np.absolute(b_imag))
        zero = np.equal(b_real, 0) & np.equal(b_imag, 0)

        real_scaled, imag_scaled, scale = smith(a_real, a_imag, b_real, b_imag)
        real = times(plus(a_real, imag_scaled), scale)
        imaginary = times(minus(a_imag, real_scaled), scale)

        real_scaled, imag_scaled, scale = smith(a_real, a_imag, b_imag, b_real)
        real = np.where(real_large, real, times(plus(real_scaled, a_imag), scale))
        imaginary = np.where(real_large, imaginary, times(minus(imag_scaled, a_real), scale))

        by_zero = over(a_real, np.absolute(b_real)), over(a_imag, np.absolute(b_imag))
        _store(out, np.where(zero, by_zero[0], real), np.where(zero, by_zero[1], imaginary))

    return kernel


def magnitude(dtype: ElementType, rules: Rules) -> Kernel:
    """sqrt(real**2 + imaginary**2), which overflows where its squares do. `out` has the component type."""
    plus, _, times, _ = _arithmetic(dtype, rules)
    root = _square_root((component(dtype),) * 2, rules)

    def kernel(source: Array, out: Array) -> None:
        real, imaginary = _parts(source)
        root(plus(times(real, real), times(imaginary, imaginary)), out)

    return kernel
