"""Unary functions of floats: all 65,536 half patterns, and float32 at its edges, against exact arithmetic."""

from functools import cache

import numpy as np
import pytest

from isa.dtypes import float32, half
from isa.model import TABLE
from isa.products import Arch
from tests.isa import arith_oracle as exact
from tests.isa.kernels import FORMATS, SATURATION, agree, first_difference, rules_for, run, run_codes
from tests.isa.patterns import nearby_codes, random_codes, specials, tuples

ALL_HALVES = tuple(range(1 << 16))
MOST_HALVES = (*specials(exact.HALF), *range(0, 1 << 16, 7))
ONE = exact.finite(exact.Fraction(1))


def round_to(fmt, number):
    return exact.decode(exact.encode(number, fmt), fmt)


def reciprocal(number):
    return exact.divide(ONE, number)


# name -> exact function; and whether ascend950 flushes subnormals in it
EXACT = {
    "Abs": (exact.absolute, False),
    "Neg": (exact.negate, False),
    "Relu": (exact.relu, False),
    "Sqrt": (exact.square_root, True),
    "Rsqrt": (exact.inverse_square_root, True),
    "Reciprocal": (reciprocal, True),
    "Exp": (exact.exponential, True),
    "Ln": (exact.logarithm, True),
}
RATIONAL = ("Abs", "Neg", "Relu", "Sqrt", "Rsqrt", "Reciprocal")
ARCHITECTURES = (Arch.C220, Arch.A3510)  # the architectures differ by flushing alone, and by Rsqrt


# Two instructions, two roundings
RECIPROCAL_OF_ROOT = {
    half: lambda number: reciprocal(round_to(exact.HALF, exact.square_root(number))),
    float32: lambda number: reciprocal(round_to(exact.FLOAT, exact.square_root(number))),
}


@cache
def expected(function, fmt, codes, flush):
    results = []
    for code in codes:
        number = exact.decode(exact.flushed(code, fmt) if flush else code, fmt)
        result = exact.encode(function(number), fmt)
        results.append(exact.flushed(result, fmt) if flush else result)
    return results


def check(name, dtype, codes, arch, saturates):
    fmt = FORMATS[dtype]
    function, flushes = EXACT[name]
    if name == "Rsqrt" and arch is Arch.A3510:
        function = RECIPROCAL_OF_ROOT[dtype]
    wanted = expected(function, fmt, codes, flushes and arch is Arch.A3510)
    if saturates and dtype is half:
        wanted = [exact.saturated(code, fmt) for code in wanted]
    got = run_codes(name, dtype, [codes], rules_for(arch, saturates=saturates))
    assert agree(got, wanted, fmt), first_difference(got, wanted, fmt, codes)


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("name", RATIONAL)
def test_every_half(name, saturates):
    check(name, half, ALL_HALVES, Arch.C220, saturates)


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("name", RATIONAL)
def test_most_halves_on_950(name, saturates):
    check(name, half, MOST_HALVES, Arch.A3510, saturates)


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("arch", ARCHITECTURES, ids=lambda arch: arch.name)
@pytest.mark.parametrize("name", ["Exp", "Ln"])
def test_some_halves(name, arch, saturates):
    codes = (*specials(exact.HALF), *random_codes(exact.HALF, 1000, 5), *nearby_codes(exact.HALF, 1000, 6))
    check(name, half, codes, arch, saturates)


@pytest.mark.exhaustive
@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("arch", ARCHITECTURES, ids=lambda arch: arch.name)
@pytest.mark.parametrize("name", EXACT)
def test_every_half_of_every_function(name, arch, saturates):
    check(name, half, ALL_HALVES, arch, saturates)


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("arch", ARCHITECTURES, ids=lambda arch: arch.name)
@pytest.mark.parametrize("name", EXACT)
def test_float32(name, arch, saturates):
    fmt = exact.FLOAT
    codes = (*specials(fmt), *random_codes(fmt, 500, 7), *nearby_codes(fmt, 1000, 8))
    check(name, float32, codes, arch, saturates)


@pytest.mark.exhaustive
@pytest.mark.parametrize("arch", ARCHITECTURES, ids=lambda arch: arch.name)
@pytest.mark.parametrize("name", EXACT)
def test_many_float32(name, arch):
    codes = (*random_codes(exact.FLOAT, 20_000, 9), *nearby_codes(exact.FLOAT, 40_000, 10))
    check(name, float32, codes, arch, saturates=False)


@pytest.mark.parametrize("arch", list(Arch), ids=lambda arch: arch.name)
def test_only_950_flushes(arch):
    """1 / 5e-39: the example of the vendor's page on Div."""
    divisor = np.array([0x8036A794], np.uint32).view(np.float32)
    quotient = run("Div", (float32,) * 3, [np.ones(1, np.float32), divisor], rules_for(arch))
    assert quotient.view(np.uint32)[0] == (0xFF800000 if arch is Arch.A3510 else 0xFF15E301)


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("dtype", [half, float32], ids=str)
def test_exp_of_a_difference_is_computed_in_float32(dtype, saturates):
    fmt = FORMATS[dtype]
    pairs = tuples(fmt, 2, count=300)
    wanted = []
    for a, b in zip(*pairs, strict=True):
        difference = round_to(exact.FLOAT, exact.subtract(exact.decode(a, fmt), exact.decode(b, fmt)))
        result = exact.encode(exact.exponential(difference), exact.FLOAT)
        wanted.append(exact.flushed(result, exact.FLOAT))
    sources = [np.array(codes, dtype.code).view(dtype.carrier) for codes in pairs]
    got = run("ExpSub", (float32, dtype, dtype), sources, rules_for(Arch.A3510, saturates=saturates))
    got = got.view(np.uint32).tolist()
    assert agree(got, wanted, exact.FLOAT), first_difference(got, wanted, exact.FLOAT, *pairs)


@pytest.mark.parametrize("name", ["Div", "Divs", "Exp", "ExpSub", "Ln", "Reciprocal", "Rsqrt", "Sqrt"])
def test_models_are_declared(name):
    """Where the hardware's bits are unknown the declaration says what the lanes stand for, with a bound."""
    text = TABLE[name].model
    assert "hardware" in text
    assert any(bound in text for bound in ("1 ulp", "1e-3"))
