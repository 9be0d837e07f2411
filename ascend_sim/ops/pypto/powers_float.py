"""x ** y of float32 tensors (spec 05 section 3.2): exp(y ln|x|) and what has to be put right afterwards."""

from typing import Any

from ascend_sim.api.vector import (
    Abs,
    Add,
    And,
    Cast,
    Compare,
    Compares,
    Duplicate,
    Exp,
    Ln,
    Mul,
    Muls,
    Select,
)
from ascend_sim.ops.elementwise import Steps, Tile, mask_bytes
from ascend_sim.ops.pypto import powers_950
from ascend_sim.ops.pypto.division_int import mask_words, words
from isa.dtypes import float32
from isa.params import CMPMODE, SELMODE, RoundMode

BOTH = SELMODE.VSEL_TENSOR_TENSOR_MODE
EQ, GT, LT, NE = CMPMODE.EQ, CMPMODE.GT, CMPMODE.LT, CMPMODE.NE
INFINITY, NAN = float("inf"), float("nan")


def scratch_of_power(is_950: bool, count: int) -> int:
    """Bytes: two float32 tiles and two masks; on 950 the buffers of one chunk."""
    return powers_950.scratch(count) if is_950 else 2 * 4 * count + 2 * mask_bytes(count)


def sequence_of_power(tile: Tile, operands: tuple[Any, Any, Any], first: int, *, precise: bool) -> Steps:
    """operands: result, base and exponent, all float32; first: byte of the scratch where the power's part begins."""
    if tile.is_register_arch:
        yield from powers_950.power(tile, operands, first, precise=precise)
        return
    dst, x, y = operands
    n = tile.count
    t0, t1 = (tile.scratch[first + i * 4 * n : first + (i + 1) * 4 * n].ReinterpretCast(float32) for i in range(2))
    m0, m1 = (tile.masks(i, first + 8 * n) for i in range(2))
    yield Abs(t0, x, n)
    yield Ln(t0, t0, n)
    yield Mul(t0, y, t0, n)
    yield Exp(dst, t0, n)
    # an odd exponent of a negative base changes the sign: y - 2 floor(y / 2) is 1
    yield Muls(t1, y, 0.5, n)
    yield Cast(t1, t1, RoundMode.CAST_FLOOR, n)
    yield Muls(t1, t1, -2.0, n)
    yield Add(t0, y, t1, n)
    yield Compares(m0, t0, 1.0, EQ, n)
    yield Compares(m1, x, 0.0, LT, n)
    yield And(words(m0), words(m1), words(m0), mask_words(n))
    yield Muls(t0, dst, -1.0, n)
    yield Select(dst, m0, t0, dst, BOTH, n)
    # a fraction as exponent of a finite negative base gives NaN
    yield Cast(t1, y, RoundMode.CAST_FLOOR, n)
    yield Compare(m0, y, t1, NE, n)
    yield And(words(m1), words(m1), words(m0), mask_words(n))
    yield Compares(m0, x, -INFINITY, GT, n)
    yield And(words(m1), words(m1), words(m0), mask_words(n))
    yield Duplicate(t0, NAN, n)
    yield Select(dst, m1, t0, dst, BOTH, n)
    # ones: exponent 0, base 1, base -1 with an infinite exponent
    yield Compares(m0, y, 0.0, EQ, n)
    yield Duplicate(t0, 1.0, n)
    yield Select(dst, m0, t0, dst, BOTH, n)
    yield Compares(m0, x, 1.0, EQ, n)
    yield Select(dst, m0, t0, dst, BOTH, n)
    yield Abs(t1, y, n)
    yield Compares(m0, x, -1.0, EQ, n)
    yield Compares(m1, t1, INFINITY, EQ, n)
    yield And(words(m1), words(m1), words(m0), mask_words(n))
    yield Select(dst, m1, t0, dst, BOTH, n)
