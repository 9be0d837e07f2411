"""Bits, shifts and fills."""

import numpy as np
import pytest

from isa.dtypes import (
    float32,
    fp4x2_e2m1_t,
    half,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)
from isa.model import TABLE
from isa.products import Arch
from tests.isa import arith_oracle as exact
from tests.isa.kernels import integer_range, is_signed, rules_for, run
from tests.isa.patterns import integer_tuples

INTEGERS = (int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t)
SIGNED_OF = {8: int8_t, 16: int16_t, 32: int32_t, 64: int64_t}
RULES = rules_for(Arch.A3510)
SHIFT_LEFT, SHIFT_RIGHT = (TABLE[name] for name in ("ShiftLeft", "ShiftRight"))


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_and_or_not(dtype):
    a, b = integer_tuples(*integer_range(dtype), 2)
    sources = [np.array(values, dtype.carrier) for values in (a, b)]
    assert run("And", (dtype,) * 3, sources, RULES).tolist() == [x & y for x, y in zip(a, b, strict=True)]
    assert run("Or", (dtype,) * 3, sources, RULES).tolist() == [x | y for x, y in zip(a, b, strict=True)]
    inverted = [exact.wrapped(~x, dtype.bits, is_signed(dtype)) for x in a]
    assert run("Not", (dtype,) * 2, sources[:1], RULES).tolist() == inverted
    scalar = dtype.carrier.type(b[-1])
    for scalar_first in (False, True):
        got = run("Ands", (dtype,) * 2, [sources[0], scalar], RULES, scalar_first=scalar_first)
        assert got.tolist() == [x & b[-1] for x in a]
        got = run("Ors", (dtype,) * 2, [sources[0], scalar], RULES, scalar_first=scalar_first)
        assert got.tolist() == [x | b[-1] for x in a]


@pytest.mark.parametrize("saturates", [True, False])
def test_not_of_floats_inverts_every_bit(saturates):
    """Also where the result is NaN or infinite: nothing saturates."""
    codes = np.arange(1 << 16, dtype=np.uint16)
    got = run("Not", (half,) * 2, [codes.view(np.float16)], rules_for(Arch.A3510, saturates=saturates))
    assert np.array_equal(got.view(np.uint16), 0xFFFF - codes)
    words = np.array([0, 0x807FFFFF, 0xFFFFFFFF, 0x3F800000], np.uint32)
    got = run("Not", (float32,) * 2, [words.view(np.float32)], RULES)
    assert np.array_equal(got.view(np.uint32), ~words)


def amounts(bits):
    return (0, 1, 2, bits // 2, bits - 2, bits - 1, bits, bits + 1, 100)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_shift_by_a_scalar(dtype):
    values = integer_tuples(*integer_range(dtype), 1)[0]
    source, signed = np.array(values, dtype.carrier), is_signed(dtype)
    for by in amounts(dtype.bits):
        amount = dtype.carrier.type(by)
        left = [
            exact.wrapped(exact.shifted_left(v & (1 << dtype.bits) - 1, by, dtype.bits, signed), dtype.bits, signed)
            for v in values
        ]
        assert run(SHIFT_LEFT, (dtype,) * 2, [source, amount], RULES).tolist() == left
        assert run(SHIFT_RIGHT, (dtype,) * 2, [source, amount], RULES).tolist() == [v >> by for v in values]


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_shift_by_a_tensor_equals_shifts_by_its_elements(dtype):
    shift = SIGNED_OF[dtype.bits]
    values = integer_tuples(*integer_range(dtype), 1)[0]
    for instruction in (SHIFT_LEFT, SHIFT_RIGHT):
        (variant,) = instruction.variants
        source = np.repeat(np.array(values, dtype.carrier), len(amounts(dtype.bits)))
        by = np.tile(np.array(amounts(dtype.bits), shift.carrier), len(values))
        got = run(variant, (dtype, dtype, shift), [source, by], RULES).reshape(len(values), -1)
        for i, amount in enumerate(amounts(dtype.bits)):
            scalar = dtype.carrier.type(amount)
            column = run(instruction, (dtype,) * 2, [np.array(values, dtype.carrier), scalar], RULES)
            assert got[:, i].tolist() == column.tolist()


def test_signed_left_shift_keeps_the_sign():
    """1010..10 << 1 = 1101..0100 and << 3 = 1101..0000, as the page of ShiftLeft prints them."""
    source = np.array([0b1010_1010_1010_1010], np.uint16)
    for by, signed, unsigned in ((1, 0b1101_0101_0101_0100, 0b0101_0101_0101_0100), (3, 0b1101_0101_0101_0000, None)):
        got = run("ShiftLeft", (int16_t,) * 2, [source.view(np.int16), np.int16(by)], rules_for(Arch.C220))
        assert got.view(np.uint16)[0] == signed
        if unsigned is not None:
            got = run("ShiftLeft", (uint16_t,) * 2, [source, np.uint16(by)], rules_for(Arch.C220))
            assert got[0] == unsigned


def test_wide_right_shifts_leave_the_sign():
    source = np.array([-5, 5, 0], np.int32)
    assert run("ShiftRight", (int32_t,) * 2, [source, np.int32(40)], RULES).tolist() == [-1, 0, 0]
    assert run("ShiftRight", (uint32_t,) * 2, [source.view(np.uint32), np.uint32(40)], RULES).tolist() == [0, 0, 0]


@pytest.mark.parametrize("dtype", [int16_t, int32_t], ids=str)
def test_round_en_adds_the_highest_dropped_bit(dtype):
    """17 >> 5 = 0 + 1, on A2 and A3 alone."""
    values = integer_tuples(*integer_range(dtype), 1)[0] + [17]
    source = [np.array(values, dtype.carrier)]
    for by in range(dtype.bits + 1):
        operands = [*source, dtype.carrier.type(by)]
        got = run("ShiftRight", (dtype,) * 2, operands, rules_for(Arch.C220), round_en=True)
        assert got.tolist() == [(v >> by) + (v >> by - 1 & 1 if by else 0) for v in values]
        plain = [v >> by for v in values]
        assert run("ShiftRight", (dtype,) * 2, operands, rules_for(Arch.C220)).tolist() == plain
        assert run("ShiftRight", (dtype,) * 2, operands, rules_for(Arch.M300), round_en=True).tolist() == plain


@pytest.mark.parametrize("dtype", [uint16_t, uint32_t], ids=str)
def test_round_en_has_no_effect_on_unsigned_types(dtype):
    operands = [np.array([17], dtype.carrier), dtype.carrier.type(5)]
    assert run("ShiftRight", (dtype,) * 2, operands, rules_for(Arch.C220), round_en=True).tolist() == [0]


@pytest.mark.parametrize(
    "product_row", list(TABLE["Duplicate"].types), ids=lambda pair: f"{pair[0]}-{pair[1].types[0]}"
)
def test_duplicate_copies_bits(product_row):
    """Also patterns that arithmetic would clamp or make quiet."""
    product, row = product_row
    (dtype,) = row.types
    kernel = TABLE["Duplicate"].lanes(row.types, rules_for(product.arch))
    code = np.array([0x7C01_FFA5_7F81_FF85 & (1 << 8 * dtype.size) - 1], dtype.code)
    if dtype is fp4x2_e2m1_t:
        code &= 15
    out = np.zeros((2, 5), dtype.carrier)
    kernel(code.view(dtype.carrier)[0], out)
    assert (out.view(dtype.code) == code).all()
