"""Add to Min, signs and Relus: every type, architecture and saturation state against exact arithmetic."""

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

FLOATS = (half, float32, bfloat16_t)
INTEGERS = (int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t)
EXACT = {
    "Add": exact.add,
    "Sub": exact.subtract,
    "Mul": exact.multiply,
    "Div": exact.divide,
    "Max": exact.maximum,
    "Min": exact.minimum,
    "Prelu": exact.leaky,
}
SCALAR_NAMES = {"Adds": "Add", "Muls": "Mul", "Maxs": "Max", "Mins": "Min", "Subs": "Sub", "Divs": "Div"}


def code_operands(dtype):
    return tuples(FORMATS[dtype], 2)


@cache
def expected(name, dtype, flush=False):
    """Codes before saturation; with `flush`, of the unit that treats subnormals as zeros."""
    fmt, operation = FORMATS[dtype], EXACT[name]
    results = []
    for pair in zip(*code_operands(dtype), strict=True):
        codes = [exact.flushed(code, fmt) for code in pair] if flush else pair
        result = exact.encode(operation(*(exact.decode(code, fmt) for code in codes)), fmt)
        results.append(exact.flushed(result, fmt) if flush else result)
    return results


def settle(codes, dtype, rules):
    return (
        [exact.saturated(code, FORMATS[dtype]) for code in codes] if rules.float_saturates and dtype is half else codes
    )


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("arch", ARCHITECTURES, ids=lambda arch: arch.name)
@pytest.mark.parametrize(
    ("name", "dtype"),
    [(name, dtype) for name in EXACT for dtype in FLOATS if (name, dtype) != ("Div", bfloat16_t)],
    ids=str,
)
def test_two_floats(name, dtype, arch, saturates):
    rules = rules_for(arch, saturates=saturates)
    sources = code_operands(dtype)
    flush = name == "Div" and arch is Arch.A3510
    wanted = settle(expected(name, dtype, flush), dtype, rules)
    got = run_codes(name, dtype, sources, rules)
    assert agree(got, wanted, FORMATS[dtype]), first_difference(got, wanted, FORMATS[dtype], *sources)


def test_the_oracle_would_notice_a_double_rounding():
    """bfloat16_t rounded by way of half a bit more than its own differs: the comparison above is not vacuous."""
    sums = expected("Add", float32)
    assert sum(exact.encode(exact.decode(c, exact.FLOAT), exact.BFLOAT) << 16 != c for c in sums) > len(sums) // 4


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("dtype", [half, float32], ids=str)
@pytest.mark.parametrize("scalar_first", [False, True])
@pytest.mark.parametrize("name", SCALAR_NAMES)
def test_scalar_stands_for_an_operand(name, scalar_first, dtype, saturates):
    rules = rules_for(Arch.A3510, saturates=saturates)
    fmt = FORMATS[dtype]
    first, second = tuples(fmt, 2, count=3)
    for scalar in sorted(set(second))[::3]:
        codes = list(dict.fromkeys(first))
        pairs = [(scalar, code) if scalar_first else (code, scalar) for code in codes]
        whole = run_codes(SCALAR_NAMES[name], dtype, list(zip(*pairs, strict=True)), rules)
        got = run_codes(name, dtype, [codes, scalar], rules, scalar_first=scalar_first)
        assert agree(got, whole, fmt), (hex(scalar), first_difference(got, whole, fmt, codes))


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("dtype", [half, float32], ids=str)
def test_leaky_relu_takes_a_scalar_slope(dtype, saturates):
    rules = rules_for(Arch.C220, saturates=saturates)
    fmt = FORMATS[dtype]
    codes, slopes = tuples(fmt, 2, count=3)
    for slope in sorted(set(slopes))[::3]:
        numbers = [exact.leaky(exact.decode(code, fmt), exact.decode(slope, fmt)) for code in codes]
        wanted = settle([exact.encode(number, fmt) for number in numbers], dtype, rules)
        got = run_codes("LeakyRelu", dtype, [codes, slope], rules)
        assert agree(got, wanted, fmt), first_difference(got, wanted, fmt, codes)


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("dtype", [half, float32], ids=str)
@pytest.mark.parametrize(
    ("name", "inner", "outer"),
    [("AddRelu", "Add", exact.relu), ("SubRelu", "Sub", exact.relu), ("AbsSub", "Sub", exact.absolute)],
)
def test_an_operation_and_one_more_step(name, inner, outer, dtype, saturates):
    rules = rules_for(Arch.A3510, saturates=saturates)
    fmt = FORMATS[dtype]
    between = settle(expected(inner, dtype), dtype, rules)
    wanted = settle([exact.encode(outer(exact.decode(code, fmt)), fmt) for code in between], dtype, rules)
    got = run_codes(name, dtype, code_operands(dtype), rules)
    assert agree(got, wanted, fmt), first_difference(got, wanted, fmt, *code_operands(dtype))


def test_zeros_of_max_and_min():
    """max(+0, -0) = +0 and min = -0 in either order, at every place of a long array (SIMD bodies and tails differ)."""
    plus, minus = np.float32(0.0), np.float32(-0.0)
    for length in range(1, 70):
        for a, b in ((plus, minus), (minus, plus)):
            sources = [np.full(length, a), np.full(length, b)]
            assert not np.signbit(run("Max", (float32,) * 3, sources, rules_for(Arch.C220))).any()
            assert np.signbit(run("Min", (float32,) * 3, sources, rules_for(Arch.C220))).all()


# Integers

INTEGER_OPERATIONS = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "Max": max,
    "Min": min,
}


def settled(value, dtype, rules):
    """Wrapped or clamped; the 64-bit types always wrap."""
    clamps = rules.int_saturates and dtype.bits < 64
    return (exact.clamped if clamps else exact.wrapped)(value, dtype.bits, is_signed(dtype))


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize("name", INTEGER_OPERATIONS)
def test_two_integers(name, dtype, saturates):
    rules = rules_for(Arch.A3510, saturates=saturates)
    sources = integer_tuples(*integer_range(dtype), 2)
    operation = INTEGER_OPERATIONS[name]
    wanted = [settled(operation(a, b), dtype, rules) for a, b in zip(*sources, strict=True)]
    got = run(name, (dtype,) * 3, [np.array(s, dtype.carrier) for s in sources], rules)
    assert got.tolist() == wanted
    scalar = sources[1][5]
    wanted = [settled(operation(a, scalar), dtype, rules) for a in sources[0]]
    got = run(f"{name}s", (dtype,) * 2, [np.array(sources[0], dtype.carrier), dtype.carrier.type(scalar)], rules)
    assert got.tolist() == wanted


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("dtype", [d for d in INTEGERS if d.bits > 8], ids=str)
def test_integer_division_truncates(dtype, saturates):
    rules = rules_for(Arch.A3510, saturates=saturates)
    low, high = integer_range(dtype)
    sources = integer_tuples(low, high, 2)

    def quotient(a, b):
        if b:
            return settled(exact.truncated_quotient(a, b), dtype, rules)
        if dtype.bits == 64:
            return -1 if is_signed(dtype) else high
        return 0 if a == 0 else high if a > 0 else low

    wanted = [quotient(a, b) for a, b in zip(*sources, strict=True)]
    got = run("Div", (dtype,) * 3, [np.array(s, dtype.carrier) for s in sources], rules)
    assert got.tolist() == wanted
    for scalar in {0, 1, low, high, 3}:
        values = np.array(sources[0], dtype.carrier)
        got = run("Divs", (dtype,) * 2, [values, dtype.carrier.type(scalar)], rules, scalar_first=True)
        assert got.tolist() == [quotient(scalar, a) for a in sources[0]]
    if dtype.bits == 64:
        got = run("Reciprocal", (dtype,) * 2, [np.array(sources[1], dtype.carrier)], rules)
        assert got.tolist() == [quotient(1, b) for b in sources[1]]


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("dtype", [d for d in INTEGERS if is_signed(d)], ids=str)
def test_signs_of_integers(dtype, saturates):
    rules = rules_for(Arch.A3510, saturates=saturates)
    values = integer_tuples(*integer_range(dtype), 1)[0]
    source = [np.array(values, dtype.carrier)]
    assert run("Neg", (dtype,) * 2, source, rules).tolist() == [settled(-v, dtype, rules) for v in values]
    assert run("Abs", (dtype,) * 2, source, rules).tolist() == [settled(abs(v), dtype, rules) for v in values]
    assert run("Relu", (dtype,) * 2, source, rules).tolist() == [max(v, 0) for v in values]


@pytest.mark.parametrize("saturates", SATURATION)
@pytest.mark.parametrize("dtype", [int16_t, int64_t, uint64_t], ids=str)
@pytest.mark.parametrize("name", ["AddRelu", "SubRelu"])
def test_relu_of_an_integer_sum(name, dtype, saturates):
    rules = rules_for(Arch.A3510, saturates=saturates)
    sources = integer_tuples(*integer_range(dtype), 2)
    operation = INTEGER_OPERATIONS[name[:3]]
    wanted = [max(settled(operation(a, b), dtype, rules), 0) for a, b in zip(*sources, strict=True)]
    got = run(name, (dtype,) * 3, [np.array(s, dtype.carrier) for s in sources], rules)
    assert got.tolist() == wanted


@pytest.mark.parametrize("dtype", [int32_t, uint32_t], ids=str)
def test_mull_gives_both_words(dtype):
    a, b = (np.array(s, dtype.carrier) for s in integer_tuples(*integer_range(dtype), 2))
    low, high = np.empty_like(a), np.empty_like(a)
    TABLE["Mull"].lanes((dtype,) * 4, rules_for(Arch.A3510))(a, b, low, high)
    products = [x * y for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    assert low.tolist() == [exact.wrapped(p, 32, is_signed(dtype)) for p in products]
    assert high.tolist() == [p >> 32 for p in products]


def test_mull_prints_the_example_of_its_page():
    a = np.array([-2039520159, 95829766, -1522913829], np.int32)
    b = np.array([-1791575569, -291976917, -1973597151], np.int32)
    low, high = np.empty_like(a), np.empty_like(a)
    TABLE["Mull"].lanes((int32_t,) * 4, rules_for(Arch.A3510))(a, b, low, high)
    assert low.tolist() == [-1560359025, 212356098, 1219226939]
    assert high.tolist() == [850752575, -6514620, 699800065]
