"""Arithmetic on pairs of float32 (value and error) by instructions of 950, whose multiply-add rounds once."""

import math
from decimal import Decimal, getcontext
from fractions import Fraction
from typing import Any

import numpy as np

from ascend_sim.api.vector import Add, Adds, Mul, MulAddDst, Muls, Sub
from ascend_sim.ops.elementwise import Steps

Pair = tuple[float, float]


def pair(value: Fraction) -> Pair:
    """A number as a float32 and the float32 of what is left."""
    high = float(np.float32(float(value)))
    return high, float(np.float32(float(value - Fraction(high))))


def _parts_of_ln2(kept: int) -> tuple[float, float, float]:
    """ln 2 as two numbers of `kept` bits, whose products with small integers are exact, and the rest."""
    getcontext().prec = 50
    left = Fraction(Decimal(2).ln())
    parts = []
    for _ in range(2):
        scale = 2 ** (kept - 1 - math.frexp(float(left))[1] + 1)
        part = Fraction(int(left * scale), scale)
        parts.append(float(part))
        left -= part
    return parts[0], parts[1], float(np.float32(float(left)))


LN2 = _parts_of_ln2(15)
LN_TAIL = [float(np.float32(1 / (2 * i + 1))) for i in range(9, 3, -1)]
LN_PAIRS = [pair(Fraction(1, 2 * i + 1)) for i in range(3, 0, -1)]
EXP_TAIL = [float(np.float32(1 / math.factorial(i))) for i in range(12, 6, -1)]
EXP_PAIRS = [pair(Fraction(1, math.factorial(i))) for i in range(6, -1, -1)]


def product_error(error: Any, product: Any, a: Any, b: Any, n: int) -> Steps:
    """error = a * b - product, exactly, where product is the rounded a * b."""
    yield Muls(error, product, -1.0, n)
    yield MulAddDst(error, a, b, n)


def normalised(high: Any, low: Any, work: Any, n: int) -> Steps:
    """The same sum with low below half an ulp of high."""
    yield Add(work, high, low, n)
    yield Sub(high, work, high, n)
    yield Sub(low, low, high, n)
    yield Adds(high, work, 0.0, n)


def horner(result: Any, x: Any, coefficients: list[float], n: int) -> Steps:
    """A polynomial in float32, highest coefficient first."""
    first, second, *rest = coefficients
    yield Muls(result, x, first, n)
    yield Adds(result, result, second, n)
    for coefficient in rest:
        yield Mul(result, result, x, n)
        yield Adds(result, result, coefficient, n)


def horner_pairs(
    result: tuple[Any, Any], x: tuple[Any, Any], coefficients: list[Pair], work: tuple[Any, Any, Any], n: int
) -> Steps:
    """result = result * x + c for each coefficient in turn, all of them pairs; each c exceeds the product before it."""
    (q, q_low), (u, u_low), (p, e, t) = result, x, work
    for high, low in coefficients:
        yield Mul(p, q, u, n)
        yield from product_error(e, p, q, u, n)
        yield MulAddDst(e, q, u_low, n)
        yield MulAddDst(e, q_low, u, n)
        yield Adds(q, p, high, n)
        yield Adds(t, q, -high, n)
        yield Sub(t, p, t, n)
        yield Add(e, e, t, n)
        yield Adds(q_low, e, low, n)
