"""x ** y of float32 on 950 (spec 05 section 3.2): one exponential, or in high precision pairs of floats throughout.

HIGH_PRECISION: ln|x| as a sum of two floats (exponent and mantissa taken apart, the series of the inverse hyperbolic
tangent), times y with the error of the product, and e to that sum by its series, again in pairs; rounded once at the
end. Its error is about 2**-13 of the half ulp that the last rounding costs, so it is correctly rounded but for rare
cases; the library's own routine rounds once more (budget: 2 ulp). It works on chunks, as the library's works on vector
registers: the buffers are the same for a tile of any size.
"""

from typing import Any

from ascend_sim.api.vector import (
    Abs,
    Add,
    Adds,
    And,
    Cast,
    Compare,
    Compares,
    Div,
    Duplicate,
    Exp,
    Ln,
    Mul,
    MulAddDst,
    Muls,
    Or,
    Select,
    ShiftRight,
    Sub,
)
from ascend_sim.ops.elementwise import Steps, Tile, mask_bytes
from ascend_sim.ops.pypto.division_int import mask_words, words
from ascend_sim.ops.pypto.pairs import (
    EXP_PAIRS,
    EXP_TAIL,
    LN2,
    LN_PAIRS,
    LN_TAIL,
    horner,
    horner_pairs,
    normalised,
    product_error,
)
from isa.dtypes import float32, int32_t
from isa.params import CMPMODE, SELMODE, RoundMode

CHUNK = 512
SLOTS, MASKS = 14, 4
BOTH, ONE = SELMODE.VSEL_TENSOR_TENSOR_MODE, SELMODE.VSEL_TENSOR_SCALAR_MODE
RINT = RoundMode.CAST_RINT
EQ, GE, GT, LE, LT, NE = CMPMODE.EQ, CMPMODE.GE, CMPMODE.GT, CMPMODE.LE, CMPMODE.LT, CMPMODE.NE
INFINITY, NAN = float("inf"), float("nan")
LOG2_E = 1.4426950408889634
SQRT_HALF_BITS = 0x3F3504F3
ONE_EXPONENT = 1 << 23
OVERFLOWS, VANISHES = 100.0, -120.0  # exponents of e beyond which the result is infinite or 0


def scratch(count: int) -> int:
    """Bytes of the buffers of one chunk."""
    chunk = min(CHUNK, count)
    return SLOTS * 4 * chunk + MASKS * mask_bytes(chunk)


def power(tile: Tile, operands: tuple[Any, Any, Any], first: int, *, precise: bool) -> Steps:
    """operands: result, base and exponent; first: byte of the scratch where these buffers begin."""
    chunk = min(CHUNK, tile.count)
    room = tile.scratch[first:]
    for start in range(0, tile.count, chunk):
        n = min(chunk, tile.count - start)
        dst, x, y = (t[start : start + n] for t in operands)
        slots = [room[i * 4 * chunk : i * 4 * chunk + 4 * n].ReinterpretCast(float32) for i in range(SLOTS)]
        masks = [room[SLOTS * 4 * chunk + i * mask_bytes(chunk) :][: mask_bytes(n)] for i in range(MASKS)]
        yield from (_precise if precise else _plain)(dst, x, y, slots, masks, n)
        yield from _fix_up(dst, x, y, slots, masks, n)


def _plain(dst: Any, x: Any, y: Any, slots: list[Any], masks: list[Any], n: int) -> Steps:  # noqa: ARG001  (as `_precise`)
    t = slots[0]
    yield Abs(t, x, n)
    yield Ln(t, t, n)
    yield Mul(t, y, t, n)
    yield Exp(dst, t, n)


def _precise(dst: Any, x: Any, y: Any, slots: list[Any], masks: list[Any], n: int) -> Steps:
    high, low = slots[0], slots[1]
    yield from _logarithm(high, low, x, slots[2:], masks[0], n)
    # y times the logarithm, as a pair
    z, error, work = slots[2], slots[3], slots[4]
    yield Mul(z, y, high, n)
    yield from product_error(error, z, y, high, n)
    yield MulAddDst(error, y, low, n)
    yield Compares(masks[0], z, OVERFLOWS, LT, n)
    yield Compares(masks[1], z, VANISHES, GT, n)
    yield from normalised(z, error, work, n)
    yield from _exponential(dst, z, error, slots[4:], n)
    yield Select(dst, masks[0], dst, INFINITY, ONE, n)
    yield Select(dst, masks[1], dst, 0.0, ONE, n)


def _parts(x: Any, slots: list[Any], mask: Any, n: int) -> Steps:
    """|x| = m * 2**k with m between sqrt(1/2) and sqrt(2). Subnormals are scaled by 2**24 first."""
    m, k, s, t = slots
    bits, k_bits, t_bits = (v.ReinterpretCast(int32_t) for v in (m, k, t))
    yield Abs(m, x, n)
    yield Compares(mask, m, 2.0**-126, LT, n)
    yield Muls(t, m, 2.0**24, n)
    yield Select(m, mask, t, m, BOTH, n)
    yield Duplicate(s, -24.0, n)
    yield Select(s, mask, s, 0.0, ONE, n)
    yield Adds(t_bits, bits, -SQRT_HALF_BITS, n)
    yield ShiftRight(k_bits, t_bits, 23, n)
    yield Muls(t_bits, k_bits, ONE_EXPONENT, n)
    yield Sub(bits, bits, t_bits, n)
    yield Cast(k, k_bits, RINT, n)
    yield Add(k, k, s, n)


def _logarithm(high: Any, low: Any, x: Any, slots: list[Any], mask: Any, n: int) -> Steps:
    """ln|x| as a pair; x is neither 0 nor infinite nor NaN."""
    m, k, s, rest, u, u_low, p, e, t = slots[:9]
    yield from _parts(x, [m, k, s, t], mask, n)
    # s = (m - 1) / (m + 1), with what the division left
    yield Adds(u, m, 1.0, n)
    yield Adds(t, u, -1.0, n)
    yield Sub(u_low, m, t, n)
    yield Adds(m, m, -1.0, n)
    yield Div(s, m, u, n)
    yield Muls(t, s, -1.0, n)
    yield MulAddDst(m, t, u, n)
    yield MulAddDst(m, t, u_low, n)
    yield Div(rest, m, u, n)
    # u = s * s; ln m = 2 s (1 + u/3 + u**2/5 + ...)
    yield Mul(u, s, s, n)
    yield from product_error(u_low, u, s, s, n)
    yield Muls(t, s, 2.0, n)
    yield MulAddDst(u_low, t, rest, n)
    yield from horner(high, u, LN_TAIL, n)
    yield Duplicate(low, 0.0, n)
    yield from horner_pairs((high, low), (u, u_low), LN_PAIRS, (p, e, t), n)
    yield Mul(p, high, u, n)
    yield from product_error(e, p, high, u, n)
    yield MulAddDst(e, high, u_low, n)
    yield MulAddDst(e, low, u, n)
    yield Muls(s, s, 2.0, n)
    yield Muls(rest, rest, 2.0, n)
    yield Mul(u, s, p, n)
    yield from product_error(u_low, u, s, p, n)
    yield MulAddDst(u_low, s, e, n)
    yield MulAddDst(u_low, rest, p, n)
    yield Add(low, u_low, rest, n)
    yield Add(high, s, u, n)
    yield Sub(t, high, s, n)
    yield Sub(t, u, t, n)
    yield Add(low, low, t, n)
    # plus k ln 2, in three parts of which the first two have exact products
    for part in LN2[:2]:
        yield Muls(p, k, part, n)
        yield from _two_sum(high, low, p, (s, t, u), n)
    yield Muls(p, k, LN2[2], n)
    yield Add(low, low, p, n)
    yield from normalised(high, low, t, n)


def _two_sum(high: Any, low: Any, addend: Any, work: tuple[Any, Any, Any], n: int) -> Steps:
    """high + low += addend, with the error of the sum, whichever of the two is larger. Uses up `addend`."""
    total, part, error = work
    yield Add(total, high, addend, n)
    yield Sub(part, total, high, n)
    yield Sub(error, total, part, n)
    yield Sub(error, high, error, n)
    yield Sub(part, addend, part, n)
    yield Add(error, error, part, n)
    yield Add(low, low, error, n)
    yield Adds(high, total, 0.0, n)


def _exponential(dst: Any, z: Any, z_low: Any, slots: list[Any], n: int) -> Steps:
    """e ** (z + z_low) for exponents that neither overflow nor vanish entirely. Uses up z and z_low."""
    k, q, q_low, p, e, t, s = slots[:7]
    yield Muls(k, z, LOG2_E, n)
    yield Cast(k, k, RINT, n)
    for part in LN2[:2]:
        yield Muls(p, k, -part, n)
        yield from _two_sum(z, z_low, p, (s, t, e), n)
    yield Muls(p, k, -LN2[2], n)
    yield Add(z_low, z_low, p, n)
    yield from normalised(z, z_low, t, n)
    yield from horner(q, z, EXP_TAIL, n)
    yield Duplicate(q_low, 0.0, n)
    yield from horner_pairs((q, q_low), (z, z_low), EXP_PAIRS, (p, e, t), n)
    yield Add(dst, q, q_low, n)
    # times 2**k in two steps, neither of which leaves the range of exponents
    whole, half_of_it = (v.ReinterpretCast(int32_t) for v in (p, e))
    yield Cast(whole, k, RINT, n)
    yield ShiftRight(half_of_it, whole, 1, n)
    yield Sub(whole, whole, half_of_it, n)
    for exponent, factor in ((half_of_it, e), (whole, p)):
        yield Adds(exponent, exponent, 127, n)
        yield Muls(exponent, exponent, ONE_EXPONENT, n)
        yield Mul(dst, dst, factor, n)


def _fix_up(dst: Any, x: Any, y: Any, slots: list[Any], masks: list[Any], n: int) -> Steps:
    """Signs and special operands. The rules of lowest rank come first, so that later ones prevail."""
    t, constant, magnitude = slots[:3]
    odd, negative, m0, m1 = masks
    count = mask_words(n)
    # a negative base: an odd exponent negates, a fraction gives NaN
    yield Muls(t, y, 0.5, n)
    yield Cast(t, t, RoundMode.CAST_FLOOR, n)
    yield Muls(t, t, -2.0, n)
    yield Add(t, y, t, n)
    yield Compares(odd, t, 1.0, EQ, n)
    yield Compares(negative, x, 0.0, LT, n)
    yield And(words(m0), words(odd), words(negative), count)
    yield Muls(t, dst, -1.0, n)
    yield Select(dst, m0, t, dst, BOTH, n)
    yield Cast(t, y, RoundMode.CAST_FLOOR, n)
    yield Compare(m0, y, t, NE, n)
    yield And(words(m0), words(m0), words(negative), count)
    yield Duplicate(constant, NAN, n)
    yield Select(dst, m0, constant, dst, BOTH, n)
    # a base of 0 or infinity: itself or its inverse, without the sign unless the exponent is odd
    yield Duplicate(t, 1.0, n)
    yield Div(t, t, x, n)
    yield Compares(m0, y, 0.0, LT, n)
    yield Select(t, m0, t, x, BOTH, n)
    yield Abs(magnitude, t, n)
    yield Select(t, odd, t, magnitude, BOTH, n)
    yield Abs(magnitude, x, n)
    yield Compares(m0, magnitude, 0.0, EQ, n)
    yield Compares(m1, magnitude, INFINITY, EQ, n)
    yield Or(words(m0), words(m0), words(m1), count)
    yield Select(dst, m0, t, dst, BOTH, n)
    # NaN
    yield Compare(m0, x, x, NE, n)
    yield Compare(m1, y, y, NE, n)
    yield Or(words(m0), words(m0), words(m1), count)
    yield Select(dst, m0, constant, dst, BOTH, n)
    # 1: exponent 0, base 1, base -1 with an infinite exponent
    yield Abs(t, y, n)
    yield Compares(m0, x, -1.0, EQ, n)
    yield Compares(m1, t, INFINITY, EQ, n)
    yield And(words(m0), words(m0), words(m1), count)
    yield Compares(m1, y, 0.0, EQ, n)
    yield Or(words(m0), words(m0), words(m1), count)
    yield Compares(m1, x, 1.0, EQ, n)
    yield Or(words(m0), words(m0), words(m1), count)
    yield Duplicate(constant, 1.0, n)
    yield Select(dst, m0, constant, dst, BOTH, n)
