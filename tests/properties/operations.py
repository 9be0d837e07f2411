"""What one lane computes, in plain Python on raw codes, and how the same instruction is called.

Conversions: spec 03 sections 1 and 2 (saturating, NaN to 0). Which product takes which types: the documentation pages.
"""

import functools
import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ascend_sim import (
    Add,
    Adds,
    Cast,
    Duplicate,
    Not,
    Relu,
    RoundMode,
    float32,
    half,
    int4b_t,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
)

ALL_ONES = (1 << 64) - 1
ALL = ("ascend910", "ascend310p", "ascend910b", "ascend910_93", "ascend310b", "ascend950")
NOT_910 = ALL[1:]
WITH_INT64 = ("ascend910b", "ascend910_93", "ascend310b", "ascend950")
ATLAS_2 = ("ascend910b", "ascend910_93")
SCALAR = 3
MAX_HALF = 65504.0


def half_value(code: int) -> float:
    return struct.unpack("<e", code.to_bytes(2, "little"))[0]


def half_code(value: float) -> int:
    """Nearest half, saturating: NaN becomes 0, anything too large the largest half."""
    if math.isnan(value):
        return 0
    try:
        clamped = math.copysign(min(abs(value), MAX_HALF + 32), value)  # infinities first: they would pack as such
        return int.from_bytes(struct.pack("<e", clamped), "little")
    except OverflowError:
        return half_code(math.copysign(MAX_HALF, value))


def float_value(code: int) -> float:
    return struct.unpack("<f", code.to_bytes(4, "little"))[0]


def float_code(value: float) -> int:
    return int.from_bytes(struct.pack("<f", value), "little")


def signed(code: int, bits: int) -> int:
    return code - (code >> bits - 1 << bits)


def half_to_int(code: int, rounding: Callable[[float], int], bits: int) -> int:
    """Code of a signed integer, saturating; NaN becomes 0."""
    value, low, high = half_value(code), -(1 << bits - 1), (1 << bits - 1) - 1
    if math.isnan(value):
        return 0
    whole = rounding(value) if math.isfinite(value) else int(math.copysign(1 << bits, value))
    return min(max(whole, low), high) & (1 << bits) - 1


class Operation(NamedTuple):
    """One instruction on given types: `types` has the destination first; `middle` stands before the form."""

    call: Callable[..., Any]
    types: tuple[Any, ...]
    lane: Callable[..., int]
    middle: tuple[Any, ...] = ()
    products: tuple[str, ...] = ALL

    @property
    def is_cast(self) -> bool:
        return self.call is Cast

    @property
    def has_nibbles(self) -> bool:
        return int4b_t in self.types

    @property
    def needs_tame_floats(self) -> bool:
        """float32 arithmetic, whose NaN payloads no rule gives: keep NaN away."""
        return float32 in self.types and not self.is_cast

    def __repr__(self) -> str:
        return f"{self.call.__name__}{list(self.types)}"


def _sum(bits: int) -> Callable[..., int]:
    return lambda a, b=SCALAR: a + b & (1 << bits) - 1


def _half_sum(a: int, b: int) -> int:
    return half_code(half_value(a) + half_value(b))


def _float_sum(a: int, b: int) -> int:
    return float_code(float_value(a) + float_value(b))


def _half_relu(code: int) -> int:
    value = half_value(code)
    return half_code(value) if value > 0 else 0


def _to_half_int(bits: int, rounding: Callable[[float], int]) -> Callable[[int], int]:
    return lambda code: half_to_int(code, rounding, bits)


def _narrow(code: int) -> int:
    return min(max(signed(code, 64), -(1 << 31)), (1 << 31) - 1) & 0xFFFF_FFFF


HALF_SCALAR, FLOAT_SCALAR = half_code(SCALAR), float_code(SCALAR)

OPERATIONS = (
    Operation(Adds, (half, half), lambda a: _half_sum(a, HALF_SCALAR), (SCALAR,)),
    Operation(Adds, (float32, float32), lambda a: _float_sum(a, FLOAT_SCALAR), (SCALAR,)),
    Operation(Adds, (int16_t, int16_t), _sum(16), (SCALAR,), NOT_910),
    Operation(Adds, (int32_t, int32_t), _sum(32), (SCALAR,), NOT_910),
    Operation(Add, (half, half, half), _half_sum),
    Operation(Add, (float32, float32, float32), _float_sum),
    Operation(Add, (int16_t, int16_t, int16_t), _sum(16), (), NOT_910),
    Operation(Add, (int32_t, int32_t, int32_t), _sum(32)),
    Operation(Not, (int16_t, int16_t), lambda a: a ^ 0xFFFF),
    Operation(Not, (uint16_t, uint16_t), lambda a: a ^ 0xFFFF),
    Operation(Relu, (half, half), _half_relu),
    Operation(Relu, (float32, float32), lambda a: a if float_value(a) > 0 else 0, (), NOT_910),
    Operation(Relu, (int32_t, int32_t), lambda a: max(signed(a, 32), 0), (), NOT_910),
    Operation(Duplicate, (half,), lambda: HALF_SCALAR, (SCALAR,)),
    Operation(Duplicate, (int32_t,), lambda: SCALAR, (SCALAR,)),
    Operation(Duplicate, (uint16_t,), lambda: SCALAR, (SCALAR,)),
    Operation(Cast, (int32_t, half), _to_half_int(32, round), (RoundMode.CAST_RINT,)),
    Operation(Cast, (int32_t, half), _to_half_int(32, math.ceil), (RoundMode.CAST_CEIL,)),
    Operation(Cast, (half, float32), lambda a: half_code(float_value(a)), (RoundMode.CAST_NONE,)),
    Operation(Cast, (half, uint8_t), half_code, (RoundMode.CAST_NONE,)),
    Operation(Cast, (int8_t, half), _to_half_int(8, math.floor), (RoundMode.CAST_FLOOR,)),
    Operation(Cast, (int8_t, half), _to_half_int(8, math.trunc), (RoundMode.CAST_TRUNC,)),
    Operation(Cast, (int64_t, int32_t), lambda a: signed(a, 32) & ALL_ONES, (RoundMode.CAST_NONE,), WITH_INT64),
    Operation(Cast, (int32_t, int64_t), _narrow, (RoundMode.CAST_NONE,), WITH_INT64),
    Operation(Cast, (int4b_t, half), _to_half_int(4, math.trunc), (RoundMode.CAST_TRUNC,), ATLAS_2),
    Operation(Cast, (half, int4b_t), lambda a: half_code(signed(a, 4)), (RoundMode.CAST_NONE,), ATLAS_2),
)


@functools.cache
def image(size: int, *, tame_floats: bool, seed: int = 0) -> bytes:
    """Bytes of a whole UB: random ones, or float32 quarters between -64 and 64, whose sums are exact."""
    rng = np.random.default_rng(seed)
    if tame_floats:
        return (rng.integers(-256, 257, size // 4) / 4).astype("<f4").tobytes()
    return rng.bytes(size)
