"""complex32 and complex64 against their formulas, each step rounded (and, in half, clamped) by exact arithmetic."""

import itertools
import random

import numpy as np
import pytest

from isa.dtypes import complex32, complex64, float32, half
from isa.products import Arch
from tests.isa import arith_oracle as exact
from tests.isa.kernels import SATURATION, agree, rules_for, run
from tests.isa.patterns import nearby_codes, random_codes, specials

COMPONENTS = {complex32: (exact.HALF, 16), complex64: (exact.FLOAT, 32)}


class Stepwise:
    """Arithmetic of one component type of ascend950, a rounding after each operation; codes in and out."""

    def __init__(self, fmt, clamps):
        self.fmt, self.clamps = fmt, clamps
        self.one = exact.encode(exact.finite(exact.Fraction(1)), fmt)

    def step(self, operation, *codes, flush=False):
        if flush:
            codes = [exact.flushed(code, self.fmt) for code in codes]
        code = exact.encode(operation(*(exact.decode(code, self.fmt) for code in codes)), self.fmt)
        code = exact.flushed(code, self.fmt) if flush else code
        return exact.saturated(code, self.fmt) if self.clamps else code

    def plus(self, a, b):
        return self.step(exact.add, a, b)

    def minus(self, a, b):
        return self.step(exact.subtract, a, b)

    def times(self, a, b):
        return self.step(exact.multiply, a, b)

    def over(self, a, b):
        return self.step(exact.divide, a, b, flush=True)

    def magnitude(self, code):
        return code & self.fmt.sign_bit - 1

    # The operands are a + b*i and c + d*i.

    def add(self, a, b, c, d):
        return self.plus(a, c), self.plus(b, d)

    def subtract(self, a, b, c, d):
        return self.minus(a, c), self.minus(b, d)

    def multiply(self, a, b, c, d):
        real = self.minus(self.times(a, c), self.times(b, d))
        return real, self.plus(self.times(b, c), self.times(a, d))

    def divide(self, a, b, c, d):
        size_c, size_d = self.magnitude(c), self.magnitude(d)
        nan = max(size_c, size_d) > self.fmt.infinity
        if size_c == size_d == 0:
            return self.over(a, size_c), self.over(b, size_d)
        if not nan and size_c >= size_d:
            ratio = self.over(d, c)
            scale = self.over(self.one, self.plus(c, self.times(d, ratio)))
            real = self.times(self.plus(a, self.times(b, ratio)), scale)
            return real, self.times(self.minus(b, self.times(a, ratio)), scale)
        ratio = self.over(c, d)
        scale = self.over(self.one, self.plus(d, self.times(c, ratio)))
        real = self.times(self.plus(self.times(a, ratio), b), scale)
        return real, self.times(self.minus(self.times(b, ratio), a), scale)

    def absolute(self, a, b):
        square = self.plus(self.times(a, a), self.times(b, b))
        return self.step(exact.square_root, square, flush=True)


def operands(fmt, count=300):
    """Quadruples of component codes."""
    some = specials(fmt)[::2]
    cases = random.Random(3).sample(list(itertools.product(some, repeat=4)), count)
    cases += zip(*(random_codes(fmt, count, seed) for seed in range(4)), strict=True)
    cases += zip(*(nearby_codes(fmt, count, seed) for seed in range(4, 8)), strict=True)
    return cases


def pack(dtype, real, imaginary):
    """Carrier arrays from component codes; the real part at the lower address."""
    _, bits = COMPONENTS[dtype]
    pairs = np.array([real, imaginary], f"u{bits // 8}").T.copy()
    return pairs.view(dtype.carrier)[:, 0]


def unpack(values, dtype):
    _, bits = COMPONENTS[dtype]
    return values.view(f"u{bits // 8}").reshape(-1, 2).T.tolist()


NAMES = {"Add": "add", "Sub": "subtract", "Mul": "multiply", "Div": "divide"}


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("dtype", COMPONENTS, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_two_complex_numbers(name, dtype, saturates):
    fmt, _ = COMPONENTS[dtype]
    rules = rules_for(Arch.A3510, saturates=saturates)
    a, b, c, d = zip(*operands(fmt), strict=True)
    operation = getattr(Stepwise(fmt, saturates and dtype is complex32), NAMES[name])
    wanted = zip(*map(operation, a, b, c, d), strict=True)
    first, second = pack(dtype, a, b), pack(dtype, c, d)
    got = unpack(run(name, (dtype,) * 3, [first, second], rules), dtype)
    for part, expected in zip(got, wanted, strict=True):
        assert agree(part, expected, fmt)
    for scalar in second[::150]:
        whole = run(name, (dtype,) * 3, [first, np.full_like(first, scalar)], rules)
        by_scalar = run(f"{name}s", (dtype,) * 2, [first, scalar], rules, scalar_first=False)
        for part, expected in zip(unpack(by_scalar, dtype), unpack(whole, dtype), strict=True):
            assert agree(part, expected, fmt)
        whole = run(name, (dtype,) * 3, [np.full_like(first, scalar), first], rules)
        by_scalar = run(f"{name}s", (dtype,) * 2, [first, scalar], rules, scalar_first=True)
        for part, expected in zip(unpack(by_scalar, dtype), unpack(whole, dtype), strict=True):
            assert agree(part, expected, fmt)


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("dtype", COMPONENTS, ids=str)
def test_magnitude(dtype, saturates):
    fmt, bits = COMPONENTS[dtype]
    a, b, _, _ = zip(*operands(fmt), strict=True)
    wanted = list(map(Stepwise(fmt, saturates and dtype is complex32).absolute, a, b))
    result = half if dtype is complex32 else float32
    got = run("Abs", (result, dtype), [pack(dtype, a, b)], rules_for(Arch.A3510, saturates=saturates))
    assert agree(got.view(f"u{bits // 8}").tolist(), wanted, fmt)


def test_the_example_of_the_abs_page():
    got = run("Abs", (float32, complex64), [np.array([1 + 2j, 2 - 3j], np.complex64)], rules_for(Arch.A3510))
    assert np.allclose(got, [2.236, 3.605], atol=1e-3)
