"""floor_div of integers: one sequence for each type, product family and kind of divisor (spec 05 section 2.2)."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ascend_sim.api.context import current_run, user_frame
from ascend_sim.api.control.spr import GetCtrlSpr, SetCtrlSpr
from ascend_sim.api.control.sync import EVENT_ID0, SetFlag, WaitFlag
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.vector import (
    Add,
    Adds,
    And,
    Cast,
    Compares,
    Div,
    Duplicate,
    Mul,
    Muls,
    Not,
    Or,
    Select,
    Sub,
)
from ascend_sim.checks.violation import Violation
from ascend_sim.ops.elementwise import Steps, Tile
from ascend_sim.ops.pypto.dtypes import DT_INT8, DT_INT32, DT_INT64, DataType
from isa.dtypes import float32, half, int16_t, int32_t, int64_t, uint16_t
from isa.params import CMPMODE, SELMODE, RoundMode
from isa.sync import HardEvent

RINT, FLOOR, NONE, TRUNC = RoundMode.CAST_RINT, RoundMode.CAST_FLOOR, RoundMode.CAST_NONE, RoundMode.CAST_TRUNC
BOTH, ONE = SELMODE.VSEL_TENSOR_TENSOR_MODE, SELMODE.VSEL_TENSOR_SCALAR_MODE
LT, GE, NE = CMPMODE.LT, CMPMODE.GE, CMPMODE.NE

WRAPS = 59  # bit of the control register: a conversion to an integer keeps the low bits of what does not fit

ZERO_DIVISOR = {  # what x // 0 is on 950: (x >= 0, x < 0). The library's names for the two say the opposite.
    int32_t: (0x7FFF7F7F, 0x80008080 - (1 << 32)),
    int64_t: ((1 << 63) - 1, -(1 << 63)),
}


def sequence(is_950: bool, dtype: DataType, scalar: int | None) -> Callable[[Tile], Steps]:
    """The sequence for a type; scalar: None for a divisor tensor."""
    if dtype in (DT_INT32, DT_INT64):
        if not is_950:
            return _int32_by_floats if scalar is None else partial(_int32_by_reciprocal, scalar=scalar)
        return _guarded if scalar is None else partial(_guarded_by_scalar, scalar=scalar)
    if not is_950:
        return partial(_bytes_by_floats, scalar=scalar)
    if dtype is DT_INT8:
        return partial(_int8_by_halves, scalar=scalar)
    return partial(_uint8_by_words, scalar=scalar)


def reciprocal(scalar: float) -> float:
    """1 / scalar as the scalar unit rounds it, to float32."""
    with np.errstate(divide="ignore", over="ignore"):
        return float(np.float32(1) / np.float32(scalar))


# A2 and A3: quotients in float32, corrected by exact remainders


def _int32_by_floats(tile: Tile) -> Steps:
    """Approximate quotient, correction by the quotient of the remainder, then by the remainder's sign and size."""
    q, (a, b), n = tile.dst, tile.sources, tile.count
    f0, f1, r, t, u = (tile.slot(i, d) for i, d in enumerate((float32, float32, int32_t, int32_t, int32_t)))
    mask = tile.masks(0, 20 * n)
    yield Cast(f0, a, RINT, n)
    yield Cast(f1, b, RINT, n)
    yield Div(f0, f0, f1, n)
    yield Cast(q, f0, FLOOR, n)
    yield Mul(t, q, b, n)
    yield Sub(r, a, t, n)
    yield Cast(f0, r, RINT, n)
    yield Div(f0, f0, f1, n)
    yield Cast(t, f0, FLOOR, n)
    yield Add(q, q, t, n)
    yield Mul(t, q, b, n)
    yield Sub(r, a, t, n)
    # the remainder and the divisor with the divisor's sign taken off
    yield Cast(f0, b, RINT, n)
    yield Compares(mask, f0, 0.0, LT, n)
    yield Muls(t, r, -1, n)
    yield Select(f(r), mask, f(t), f(r), BOTH, n)
    yield Muls(t, b, -1, n)
    yield Select(f(u), mask, f(t), f(b), BOTH, n)
    yield Sub(t, r, u, n)  # below zero when the remainder is small enough
    yield Sub(u, u, u, n)
    yield from _correct(tile, q, r, t, u, f0, tile.slot(1, int32_t), mask)


def _int32_by_reciprocal(tile: Tile, scalar: int) -> Steps:
    """The same with a scalar: both divisions are products with the rounded reciprocal, its sign is known before."""
    q, (a,), n = tile.dst, tile.sources, tile.count
    f0, c, r, t, zero = (tile.slot(i, d) for i, d in enumerate((float32, int32_t, int32_t, int32_t, int32_t)))
    mask = tile.masks(0, 20 * n)
    inverse = reciprocal(scalar)
    yield Cast(f0, a, RINT, n)
    yield Muls(f0, f0, inverse, n)
    yield Cast(q, f0, FLOOR, n)
    yield Muls(t, q, scalar, n)
    yield Sub(r, a, t, n)
    yield Cast(f0, r, RINT, n)
    yield Muls(f0, f0, inverse, n)
    yield Cast(t, f0, FLOOR, n)
    yield Add(q, q, t, n)
    yield Muls(t, q, scalar, n)
    yield Sub(r, a, t, n)
    if scalar < 0:
        yield Muls(r, r, -1, n)
    yield Adds(t, r, _wrapped(-abs(scalar)), n)
    yield Duplicate(zero, 0, n)
    yield from _correct(tile, q, r, t, zero, f0, c, mask)


def _correct(
    tile: Tile,
    q: LocalTensor,
    r: LocalTensor,
    difference: LocalTensor,
    zero: LocalTensor,
    f0: LocalTensor,
    correction: LocalTensor,
    mask: LocalTensor,
) -> Steps:
    """q - 1 where the remainder is negative, q + 1 where it reaches the divisor; the latter wins.

    The comparisons are of floats, because int32 knows EQ alone, and the selections of tensors, because the library
    distrusts the tensor-scalar form here.
    """
    n = tile.count
    yield Cast(f0, r, RINT, n)
    yield Compares(mask, f0, 0.0, LT, n)
    yield Adds(r, zero, -1, n)
    yield Select(f(correction), mask, f(r), f(zero), BOTH, n)
    yield Cast(f0, difference, RINT, n)
    yield Compares(mask, f0, 0.0, GE, n)
    yield Adds(r, zero, 1, n)
    yield Select(f(correction), mask, f(r), f(correction), BOTH, n)
    yield Add(q, q, correction, n)


def _bytes_by_floats(tile: Tile, scalar: int | None) -> Steps:
    """int8 and uint8 by way of half to float32 and back, saturating; a scalar divides by its rounded reciprocal."""
    dst, n = tile.dst, tile.count
    h, f0, f1 = tile.slot(0, half), tile.slot(1, float32), tile.slot(2, float32)
    yield Cast(h, tile.sources[0], NONE, n)
    yield Cast(f0, h, NONE, n)
    if scalar is None:
        yield Cast(h, tile.sources[1], NONE, n)
        yield Cast(f1, h, NONE, n)
        yield Div(f0, f0, f1, n)
    else:
        yield Muls(f0, f0, reciprocal(scalar), n)
    yield Cast(h, f0, FLOOR, n)
    yield Cast(dst, h, FLOOR, n)


# 950: integer division


def _guarded(tile: Tile) -> Steps:
    """int32 and int64: truncated quotient, one less where the signs differ and a remainder is left.

    Where the divisor is 0, a constant is divided by 1 instead.
    """
    dst, (a, b), n = tile.dst, tile.sources, tile.count
    dtype, size = dst.dtype, dst.dtype.size
    d0, d1, d2 = (tile.slot(i, dtype, size) for i in range(3))
    m3, m4, m5 = (tile.masks(i, 3 * size * n) for i in range(3))
    yield from _zero_quotients(d2, a, m3, n)
    yield Compares(m3, b, 0, NE, n)
    yield Select(d0, m3, a, d2, BOTH, n)
    yield Select(d1, m3, b, 1, ONE, n)
    yield Compares(m3, d0, 0, LT, n)
    yield Compares(m4, d1, 0, LT, n)
    yield from exclusive_or(m3, m4, m5, n)
    yield Div(dst, d0, d1, n)
    yield Mul(d2, dst, d1, n)
    yield Sub(d0, d0, d2, n)
    yield Compares(m4, d0, 0, NE, n)
    yield And(words(m3), words(m3), words(m4), mask_words(n))
    yield Adds(d0, dst, -1, n)
    yield Select(dst, m3, d0, dst, BOTH, n)


def _guarded_by_scalar(tile: Tile, scalar: int) -> Steps:
    dst, (a,), n = tile.dst, tile.sources, tile.count
    dtype, size = dst.dtype, dst.dtype.size
    t0, t1 = (tile.slot(i, dtype, size) for i in range(2))
    m3, m4 = (tile.masks(i, 3 * size * n) for i in range(2))
    if scalar == 0:
        yield from _zero_quotients(dst, a, m3, n)
        return
    yield Compares(m3, a, 0, GE if scalar < 0 else LT, n)
    divide_by_the_scalar_unit(dst, a, scalar)
    yield Muls(t0, dst, scalar, n)
    yield Sub(t0, a, t0, n)
    yield Compares(m4, t0, 0, NE, n)
    yield And(words(m3), words(m3), words(m4), mask_words(n))
    yield Adds(t1, dst, -1, n)
    yield Select(dst, m3, t1, dst, BOTH, n)


def _zero_quotients(dst: LocalTensor, a: LocalTensor, mask: LocalTensor, n: int) -> Steps:
    """What a // 0 is: where the mask bit is 0 the scalar is taken, so the first constant goes to a >= 0."""
    positive, negative = ZERO_DIVISOR[dst.dtype]
    yield Duplicate(dst, 0, n)
    yield Compares(mask, a, 0, LT, n)
    yield Select(dst, mask, dst, positive, ONE, n)
    yield Compares(mask, a, 0, GE, n)
    yield Select(dst, mask, dst, negative, ONE, n)


def divide_by_the_scalar_unit(dst: LocalTensor, src: LocalTensor, scalar: int) -> None:
    """dst = src / scalar, truncated, one element after the other: there is no integer Divs, so the library loops.

    Slow on the hardware, and the cycle estimate says so.
    """
    SetFlag(HardEvent.V_S, EVENT_ID0)
    WaitFlag(HardEvent.V_S, EVENT_ID0)
    bits = dst.dtype.bits
    for i in range(dst.length):
        value = src.GetValue(i)
        quotient = abs(value) // abs(scalar)
        dst.SetValue(i, _wrapped(quotient if (value < 0) is (scalar < 0) else -quotient, bits))
    SetFlag(HardEvent.S_V, EVENT_ID0)
    WaitFlag(HardEvent.S_V, EVENT_ID0)


def _int8_by_halves(tile: Tile, scalar: int | None) -> Steps:
    """A quotient of halves, floored, its low 8 bits kept: -128 // -1 is -128 and x // 0 is 0."""
    dst, n = tile.dst, tile.count
    h0, h1, mask = tile.slot(0, half), tile.slot(1, half), tile.masks(0, 12 * n)
    if scalar == 0:
        yield Duplicate(dst, 0, n)
        return
    yield Cast(h0, tile.sources[0], NONE, n)
    if scalar is None:
        yield Cast(h1, tile.sources[1], NONE, n)
        yield Compares(mask, h1, 0.0, NE, n)
        yield Select(h0, mask, h0, 0.0, ONE, n)
    else:
        yield Duplicate(h1, scalar, n)
    yield Div(h0, h0, h1, n)
    keeps = GetCtrlSpr(WRAPS, WRAPS)
    SetCtrlSpr(WRAPS, WRAPS, 1)
    yield Cast(dst, h0, FLOOR, n)
    SetCtrlSpr(WRAPS, WRAPS, keeps)


def _uint8_by_words(tile: Tile, scalar: int | None) -> Steps:
    """Integer division of 16-bit words."""
    dst, n = tile.dst, tile.count
    h, w0, w1 = tile.slot(0, half), tile.slot(1, int16_t), tile.slot(2, int16_t)
    yield Cast(h, tile.sources[0], NONE, n)
    yield Cast(w0, h, TRUNC, n)
    if scalar is None:
        _report_zero_divisors(tile.sources[1])
        yield Cast(h, tile.sources[1], NONE, n)
        yield Cast(w1, h, TRUNC, n)
        yield Div(w0, w0, w1, n)
    elif scalar == 0:
        _report_zero_divisors(None)
        yield Duplicate(w1, 0, n)
        yield Div(w0, w0, w1, n)
    else:
        divide_by_the_scalar_unit(w0, w0, scalar)
    yield Cast(dst, w0, NONE, n)


def _report_zero_divisors(divisors: LocalTensor | None) -> None:
    """uint8 // 0 has no guard on 950 and no source gives its value."""
    lane = None
    if divisors is not None:
        zeros = np.flatnonzero(divisors.numpy() == 0)
        if not zeros.size:
            return
        lane = int(zeros[0])
    where = f"element {lane} of the tile is divided by 0" if lane is not None else "the divisor is 0"
    violation = Violation(
        code="unspecified-result",
        message=f"{where}: no source says what uint8 // 0 is on ascend950; the simulator gives 255, and 0 for 0 // 0, "
        f"as on A2 and A3",
        hint="Keep zeros out of the divisor.",
        operand="other",
        lane=lane,
    )
    run = current_run()
    run.reporter.report([violation], "floor_div", (), user_frame())


# Small pieces


def f(tensor: LocalTensor) -> LocalTensor:
    """The bits as float32: A2 and A3 select floats alone."""
    return tensor.ReinterpretCast(float32)


def words(mask: LocalTensor) -> LocalTensor:
    """A bit mask as the 16-bit words that And, Or and Not take."""
    return mask.ReinterpretCast(uint16_t)


def mask_words(count: int) -> int:
    """Words of a mask for a multiple of 64 elements."""
    return count // 16


def exclusive_or(dst: LocalTensor, other: LocalTensor, work: LocalTensor, n: int) -> Steps:
    """dst = dst xor other, of masks: what is in either and not in both."""
    yield And(words(work), words(dst), words(other), mask_words(n))
    yield Not(words(work), words(work), mask_words(n))
    yield Or(words(dst), words(dst), words(other), mask_words(n))
    yield And(words(dst), words(dst), words(work), mask_words(n))


def _wrapped(value: int, bits: int = 32) -> int:
    """The low bits of a number as a signed integer."""
    half_range = 1 << (bits - 1)
    return (value + half_range) % (2 * half_range) - half_range
