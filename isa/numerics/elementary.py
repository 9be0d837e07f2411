"""Lane functions of roots, exponentials and reciprocals.

Where the hardware's bits are not published the lanes are a declared model, the correctly rounded result; the
`*_MODEL` texts say so, with the bound that is known, and stand in the declarations.
"""

import numpy as np

from isa.numerics import real
from isa.numerics.arithmetic import Types
from isa.numerics.rules import Array, Kernel, Rules
from isa.numerics.tables import Core, flushes, flushing, function
from isa.products import Arch

_BOUND = (
    "hardware: within 1 ulp on ascend950, no published bound elsewhere (the vendor's tests accept 1e-4 relative for"
    " float32, 1e-3 for half)"
)
DIVIDE_MODEL = f"correctly rounded, subnormals flushed on ascend950; {_BOUND}"
FUNCTION_MODEL = f"the double result rounded once, subnormals flushed on ascend950; {_BOUND}"
ROOT_MODEL = f"correctly rounded, subnormals flushed on ascend950; {_BOUND}"
RECIPROCAL_MODEL = (
    "correctly rounded, on ascend950 1/x with subnormals flushed; hardware before ascend950: a table that misses 1e-3"
    " for half and 1e-4 for float32 (relative 2**-8 was seen)"
)
RSQRT_MODEL = (
    "correctly rounded, on ascend950 the rounded reciprocal of the rounded root; hardware before ascend950: a table"
    " that misses 1e-3 for half and 1e-4 for float32 (relative 3e-3 was seen)"
)


def _through_double(function_of_double: np.ufunc) -> Core:
    """Rounded once from double, whose own error of an ulp or so decides only one case in 2**28."""

    def core(source: Array, out: Array) -> None:
        np.copyto(out, function_of_double(source.astype(np.float64)), casting="unsafe")

    return core


_exponential = _through_double(np.exp)
exponential = function(_exponential, subnormals=False)
logarithm = function(_through_double(np.log), subnormals=False)
square_root = function(np.sqrt, subnormals=False)


def _one_over(source: Array, out: Array) -> None:
    np.divide(1, source, out)


_float_reciprocal = function(_one_over, subnormals=False)


def reciprocal(types: Types, rules: Rules) -> Kernel:
    """1 / x; of integers, the quotient that Div gives."""
    dtype = types[0]
    if dtype.is_float:
        return _float_reciprocal(types, rules)
    one = dtype.carrier.type(1)
    divide = real.divide(dtype, rules)
    return lambda source, out: divide(one, source, out)


def _inverse_root(source: Array, out: Array) -> None:
    root = np.sqrt(source.astype(np.float64))
    np.copyto(out, np.divide(1, root), casting="unsafe")


def _inverse_of_root(source: Array, out: Array) -> None:
    np.divide(1, np.sqrt(source), out)


_direct_rsqrt = function(_inverse_root)
_composed_rsqrt = function(_inverse_of_root, subnormals=False)


def inverse_square_root(types: Types, rules: Rules) -> Kernel:
    return (_composed_rsqrt if rules.arch is Arch.A3510 else _direct_rsqrt)(types, rules)


def exponential_difference(types: Types, rules: Rules) -> Kernel:
    """e**(src0 - src1), difference and result in float32; so half sources lose nothing and nothing saturates."""
    raise_e = flushing(_exponential) if flushes(rules) else _exponential

    def kernel(a: Array, b: Array, out: Array) -> None:
        np.subtract(a, b, out, dtype=types[0].carrier)
        raise_e(out, out)

    return kernel
