"""Multiply-add and the operations that end in a conversion (spec 03 D10 and section 5.5)."""

from functools import cache

import numpy as np
import pytest

from isa.dtypes import (
    bfloat16_t,
    float32,
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
from tests.isa.kernels import (
    ARCHITECTURES,
    FORMATS,
    SATURATION,
    agree,
    first_difference,
    integer_range,
    is_signed,
    rules_for,
    run,
    run_codes,
)
from tests.isa.patterns import integer_tuples, tuples

NAMES = ("MulAddDst", "FusedMulAdd", "MulAddRelu", "Axpy")


def halves(*values):
    return [np.float16(v).view(np.uint16).item() for v in values]


def multiply_add(a, b, c, fmt, fused, saturates):
    """The code of a * b + c: one rounding (ascend950), or two with a clamp after each."""
    settle = exact.saturated if saturates else lambda code, _: code
    numbers = [exact.decode(code, fmt) for code in (a, b, c)]
    if not fused:
        product = settle(exact.encode(exact.multiply(*numbers[:2]), fmt), fmt)
        numbers = [exact.decode(product, fmt), exact.finite(exact.Fraction(1)), numbers[2]]
    return settle(exact.encode(exact.multiply_add(*numbers), fmt), fmt)


@cache
def expected(fmt, fused, saturates):
    return [multiply_add(*codes, fmt, fused, saturates) for codes in zip(*tuples(fmt, 3), strict=True)]


def kernel_order(name, a, b, c):
    """Sources as the kernel takes them, dst first, for a * b + c."""
    return {"MulAddDst": [c, a, b], "Axpy": [c, a, b]}.get(name, [b, a, c])


# ascend950 alone has bfloat16_t here
WITH_PRODUCT = [*((dtype, arch) for dtype in (half, float32) for arch in ARCHITECTURES), (bfloat16_t, Arch.A3510)]


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize(("dtype", "arch"), WITH_PRODUCT, ids=lambda each: getattr(each, "name", each))
def test_multiply_add(dtype, arch, saturates):
    fmt = FORMATS[dtype]
    operands = tuples(fmt, 3)
    clamps = saturates and dtype is half
    rules = rules_for(arch, saturates=saturates)
    wanted = expected(fmt, arch is Arch.A3510, clamps)
    for name in ("MulAddDst", "FusedMulAdd"):
        got = run_codes(name, dtype, kernel_order(name, *operands), rules)
        assert agree(got, wanted, fmt), (name, first_difference(got, wanted, fmt, *operands))
    if dtype is not bfloat16_t:
        got = run_codes("MulAddRelu", dtype, kernel_order("MulAddRelu", *operands), rules)
        wanted = [exact.encode(exact.relu(exact.decode(code, fmt)), fmt) for code in wanted]
        assert agree(got, wanted, fmt), first_difference(got, wanted, fmt, *operands)


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize(("dtype", "arch"), WITH_PRODUCT, ids=lambda each: getattr(each, "name", each))
def test_axpy_multiplies_by_a_scalar(dtype, arch, saturates):
    fmt = FORMATS[dtype]
    a, scalars, c = (codes[::7] for codes in tuples(fmt, 3))
    rules = rules_for(arch, saturates=saturates)
    for scalar in sorted(set(scalars))[::40]:
        clamps = saturates and dtype is half
        wanted = [multiply_add(x, scalar, y, fmt, arch is Arch.A3510, clamps) for x, y in zip(a, c, strict=True)]
        got = run_codes("Axpy", dtype, [c, a, scalar], rules)
        assert agree(got, wanted, fmt), (hex(scalar), first_difference(got, wanted, fmt, a, c))


def test_one_and_two_roundings_differ():
    """The comparison above distinguishes the two models on every type."""
    for fmt in (exact.HALF, exact.FLOAT):
        one, two = (expected(fmt, fused, saturates=False) for fused in (True, False))
        assert sum(a != b for a, b in zip(one, two, strict=True)) > 50


@pytest.mark.parametrize(
    ("a", "b", "c", "fused", "unfused"),
    [
        (21.02, 61.4, 94.4, 1385, 1384),
        (4.74, 14.92, -70.6, None, 0.0625),
        (70.25, 61.2, 43.44, 4340, 4344),
    ],
)
def test_samples_of_the_fused_mul_add_page(a, b, c, fused, unfused):
    sources = [[code] for code in halves(b, a, c)]
    for arch, wanted in ((Arch.A3510, fused), (Arch.C220, unfused)):
        got = np.array(run_codes("FusedMulAdd", half, sources, rules_for(arch)), np.uint16).view(np.float16)[0]
        if wanted is None:
            assert abs(got - 0.07904) < 5e-5
        else:
            assert got == wanted


@pytest.mark.parametrize(
    ("a", "b", "c", "arch", "saturates", "wanted"),
    [
        (65504, 65504, -np.inf, Arch.A3510, False, -np.inf),
        (65504, 65504, -65504, Arch.A3510, False, np.inf),
        (65504, 65504, -65504, Arch.A3510, True, 65504),
        (65504, 65504, -np.inf, Arch.C220, False, np.nan),
        (65504, 65504, -np.inf, Arch.C220, True, -65504),
        (65504, 65504, -65504, Arch.C220, False, np.inf),
        (65504, 65504, -65504, Arch.C220, True, 0),
        (np.nan, 1, 65504, Arch.C220, False, np.nan),
        (np.nan, 1, 65504, Arch.C220, True, 65504),
        (np.nan, 1, 65504, Arch.A3510, True, 0),
    ],
)
def test_overflowing_products(a, b, c, arch, saturates, wanted):
    codes = [[code] for code in halves(c, a, b)]
    got = run_codes("MulAddDst", half, codes, rules_for(arch, saturates=saturates))
    assert agree(got, halves(wanted), exact.HALF)


@pytest.mark.parametrize("arch", [Arch.C220, Arch.A3510], ids=lambda arch: arch.name)
def test_half_products_accumulate_in_float32(arch):
    """The product is exact, the sum is rounded once, and float32 does not saturate."""
    a, b, _ = tuples(exact.HALF, 3)
    c = tuples(exact.FLOAT, 3)[2][: len(a)]
    a, b = a[: len(c)], b[: len(c)]
    formats = (exact.HALF, exact.HALF, exact.FLOAT)
    wanted = [
        exact.encode(exact.multiply_add(*map(exact.decode, codes, formats)), exact.FLOAT)
        for codes in zip(a, b, c, strict=True)
    ]
    arrays = [np.array(c, np.uint32).view(np.float32), *(np.array(x, np.uint16).view(np.float16) for x in (a, b))]
    got = run("MulAddDst", (float32, half, half), arrays, rules_for(arch)).view(np.uint32).tolist()
    assert agree(got, wanted, exact.FLOAT), first_difference(got, wanted, exact.FLOAT, a, b, c)
    scalar = np.float16(1 / 3)
    third = exact.decode(scalar.view(np.uint16).item(), exact.HALF)
    wanted = [
        exact.encode(exact.multiply_add(exact.decode(x, exact.HALF), third, exact.decode(y, exact.FLOAT)), exact.FLOAT)
        for x, y in zip(a, c, strict=True)
    ]
    got = run("Axpy", (float32, half), [*arrays[:2], scalar], rules_for(arch)).view(np.uint32).tolist()
    assert agree(got, wanted, exact.FLOAT), first_difference(got, wanted, exact.FLOAT, a, c)


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize(
    ("name", "dtype"),
    [("MulAddDst", dtype) for dtype in (int16_t, uint16_t, int32_t, uint32_t)]
    + [(name, dtype) for name in NAMES for dtype in (int64_t, uint64_t)],
    ids=str,
)
def test_integer_multiply_add(name, dtype, saturates):
    """310B has the narrow types in MulAddDst, ascend950 the 64-bit ones, which never clamp."""
    arch = Arch.A3510 if dtype.bits == 64 else Arch.M300
    clamps = saturates and dtype.bits < 64
    settle = exact.clamped if clamps else exact.wrapped
    operands = integer_tuples(*integer_range(dtype), 3, count=200)
    if name == "Axpy":
        operands[1] = [operands[1][7]] * len(operands[1])

    def one(a, b, c):
        total = settle(settle(a * b, dtype.bits, is_signed(dtype)) + c, dtype.bits, is_signed(dtype))
        return max(total, 0) if name == "MulAddRelu" else total

    wanted = [one(*three) for three in zip(*operands, strict=True)]
    sources = [np.array(values, dtype.carrier) for values in kernel_order(name, *operands)]
    if name == "Axpy":
        sources[2] = sources[2][0]
    types = (dtype,) * len(TABLE[name].family.operands)
    assert run(name, types, sources, rules_for(arch, saturates=saturates)).tolist() == wanted


# Conversions at the end


def to_integer(number, low, high):
    """RINT, clamped; NaN gives 0."""
    if number.kind == "nan":
        return 0
    if number.kind == "inf":
        return low if number.negative else high
    return min(max(round(number.value), low), high)  # round() of a fraction ties to even


@cache
def bytes_of_halves(name, target):
    operation = {"AddReluCast": exact.add, "SubReluCast": exact.subtract, "MulCast": exact.multiply}[name]
    results = []
    for codes in zip(*tuples(exact.HALF, 2), strict=True):
        between = exact.encode(operation(*(exact.decode(code, exact.HALF) for code in codes)), exact.HALF)
        between = exact.decode(exact.saturated(between, exact.HALF), exact.HALF)
        results.append(to_integer(between if name == "MulCast" else exact.relu(between), *integer_range(target)))
    return results


@pytest.mark.parametrize("arch", ARCHITECTURES, ids=lambda arch: arch.name)
@pytest.mark.parametrize(
    ("name", "target"),
    [("AddReluCast", int8_t), ("SubReluCast", int8_t), ("MulCast", int8_t), ("MulCast", uint8_t)],
    ids=str,
)
def test_half_to_bytes(name, target, arch):
    pairs, wanted = tuples(exact.HALF, 2), bytes_of_halves(name, target)
    sources = [np.array(codes, np.uint16).view(np.float16) for codes in pairs]
    assert run(name, (target, half, half), sources, rules_for(arch)).tolist() == wanted


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("arch", ARCHITECTURES, ids=lambda arch: arch.name)
@pytest.mark.parametrize(("name", "operation"), [("AddReluCast", exact.add), ("SubReluCast", exact.subtract)])
def test_float32_to_half(name, operation, arch, saturates):
    """A NaN sum gives +0 in both saturation states before ascend950 (AMEM-26, 27)."""
    pairs = [codes[::3] for codes in tuples(exact.FLOAT, 2)]
    wanted = []
    for codes in zip(*pairs, strict=True):
        a, b = (exact.decode(code, exact.FLOAT) for code in codes)
        total = exact.relu(exact.decode(exact.encode(operation(a, b), exact.FLOAT), exact.FLOAT))
        code = exact.encode(total, exact.HALF)
        if code == exact.HALF.nan and arch is not Arch.A3510:
            code = 0
        wanted.append(exact.saturated(code, exact.HALF) if saturates else code)
    sources = [np.array(codes, np.uint32).view(np.float32) for codes in pairs]
    got = run(name, (half, float32, float32), sources, rules_for(arch, saturates=saturates)).view(np.uint16).tolist()
    assert agree(got, wanted, exact.HALF), first_difference(got, wanted, exact.HALF, *pairs)


@pytest.mark.parametrize(("name", "sign"), [("AddReluCast", 1), ("SubReluCast", -1)])
def test_int16_to_int8_clamps(name, sign):
    a, b = integer_tuples(-(1 << 15), (1 << 15) - 1, 2)
    wanted = [min(max(exact.wrapped(x + sign * y, 16, signed=True), 0), 127) for x, y in zip(a, b, strict=True)]
    sources = [np.array(values, np.int16) for values in (a, b)]
    assert run(name, (int8_t, int16_t, int16_t), sources, rules_for(Arch.C220, saturates=False)).tolist() == wanted


@pytest.mark.parametrize("target", [int32_t, float32], ids=str)
@pytest.mark.parametrize("name", ["AddReluCast", "SubReluCast", "MulCast"])
def test_int64_to_narrower(name, target):
    a, b = integer_tuples(-(1 << 63), (1 << 63) - 1, 2)
    wanted = []
    for x, y in zip(a, b, strict=True):
        value = exact.wrapped({"Add": x + y, "Sub": x - y, "Mul": x * y}[name[:3]], 64, signed=True)
        value = value if name == "MulCast" else max(value, 0)
        if target is int32_t:
            wanted.append(exact.clamped(value, 32, signed=True))
        else:
            wanted.append(exact.encode(exact.finite(exact.Fraction(value)), exact.FLOAT))
    got = run(name, (target, int64_t, int64_t), [np.array(v, np.int64) for v in (a, b)], rules_for(Arch.A3510))
    assert (got if target is int32_t else got.view(np.uint32)).tolist() == wanted


def test_muls_cast_rounds_half_away():
    """1 + 1/2048 lies between two halves: CAST_ROUND goes up, RINT would go down."""
    source = np.array([1 + 2**-11, -1 - 2**-11, 1 + 2**-11 - 2**-20, 70000, np.nan], np.float32)
    for scalar_first in (False, True):
        rules = rules_for(Arch.A3510)
        got = run("MulsCast", (half, float32), [source, np.float32(1)], rules, scalar_first=scalar_first)
        assert got.tolist() == [1 + 2**-10, -1 - 2**-10, 1, 65504, 0]
