"""Cast against exact fractions: every product, pair, mode and state of saturation of the golden table."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from isa import dtypes
from isa.numerics import hif8
from isa.numerics.cast import cast
from isa.numerics.rules import Rules
from isa.params import RoundMode
from isa.products import PRODUCTS
from tests import oracle
from tests.golden import ROWS, element_type

Array = np.ndarray


class Case(NamedTuple):
    """One kernel. Products of one architecture share it, so one product stands for both."""

    product: str
    src: dtypes.ElementType
    dst: dtypes.ElementType
    mode: str

    def __repr__(self) -> str:
        return f"{self.product}-{self.src}-{self.dst}-{self.mode}"


def cases() -> list[Case]:
    found = {}
    for row in ROWS:
        case = Case(row["product"], element_type(row["src_dtype"]), element_type(row["dst_dtype"]), row["mode"])
        found[PRODUCTS[case.product].arch, case.src, case.dst, case.mode] = case
    return list(found.values())


def once(found: list[Case]) -> list[Case]:
    """One case for each pair and mode, on the newest product that has it, and all whose rule depends on the product.

    That nothing else depends on it is what the samples of every case are for.
    """
    by_product = [c for c in found if c.mode == "CAST_ROUND" and c.product == "ascend910"]
    by_product += [c for c in found if (c.src, c.dst) in PRODUCT_DEPENDENT]
    newest = {c[1:]: c for product in PRODUCTS for c in found if c.product == product}
    return list(dict.fromkeys([*by_product, *newest.values()]))


PRODUCT_DEPENDENT = ((dtypes.float32, dtypes.float32), (dtypes.int32_t, dtypes.half))
CASES = cases()
NARROW = [case for case in once(CASES) if case.src.bits <= 16]
WIDE = [case for case in once(CASES) if case.src.bits > 16]


def switches(case: Case) -> Iterator[oracle.Switches]:
    """Every state that a conversion may depend on, whether or not the product can be put into it."""
    for saturates in (True, False):
        yield oracle.Switches(case.product, float_saturates=saturates, cast_saturates=saturates)
    if case.dst.name.startswith("fp8"):
        yield oracle.Switches(case.product, keeps_fp8_nan=True)
    if case.mode == "CAST_HYBRID":
        yield oracle.Switches(case.product, hybrid_policy="exact_guard")
        yield oracle.Switches(case.product, hybrid_policy="exact_guard", float_saturates=False)
    if (case.src, case.dst) == (dtypes.int32_t, dtypes.half):
        for scale in (0x0000, 0x8000, 0x0001, 0x2E66, 0xB800, 0x7BFF, 0x7C00, 0x7E00):
            yield oracle.Switches(case.product, deq_scale=scale, float_saturates=scale != 0x7BFF)


def convert(case: Case, codes: Array, s: oracle.Switches) -> Array:
    """What the kernel makes of `codes`, as codes."""
    rules = Rules(
        PRODUCTS[case.product].arch,
        float_saturates=s.float_saturates,
        cast_saturates=s.cast_saturates,
        keeps_fp8_nan=s.keeps_fp8_nan,
        hybrid_policy=s.hybrid_policy,
        deq_scale=float(np.array(s.deq_scale, np.uint16).view(np.float16)),
    )
    out = np.empty(codes.shape, case.dst.carrier)
    cast(case.src, case.dst, RoundMode[case.mode], rules)(codes.view(case.src.carrier), out)
    return out.view(case.dst.code)


def disagreements(case: Case, codes: Array) -> list[tuple[object, ...]]:
    src, dst = case.src.name, case.dst.name
    wrong = []
    for s in switches(case):
        for code, got in zip(codes.tolist(), convert(case, codes, s).tolist(), strict=True):
            want = oracle.cast(src, dst, case.mode, code, s)
            if not oracle.same(dst, got, want):
                wrong.append((s, hex(code), hex(got), hex(want)))
    return wrong


# ------------------------------------------------------------------------------------------------- samples


def random_floats(dtype: dtypes.ElementType, rng: np.random.Generator, count: int) -> Array:
    """Codes with few significant bits, give or take one, in the range of most targets: many of them are ties."""
    f = oracle.FORMATS[dtype.name]
    zeros = rng.integers(0, f.mantissa + 1, count)
    fraction = (rng.integers(0, 1 << f.mantissa, count) >> zeros << zeros) + rng.integers(-1, 2, count)
    span = min(f.bias - 1, 160)
    field = np.where(rng.random(count) < 0.7, rng.integers(-26, 66, count), rng.integers(-span, span, count)) + f.bias
    field = np.clip(field, 0, (1 << f.exponent) - 2)
    sign = rng.integers(0, 2, count).astype(np.uint64) << np.uint64(f.exponent + f.mantissa)
    return (((field << f.mantissa) + fraction).clip(0).astype(np.uint64) | sign).astype(dtype.code)


def ends_of_floats(dtype: dtypes.ElementType) -> Array:
    """Zeros, smallest subnormals, largest values, infinities, a signalling and a quiet NaN, of both signs."""
    f = oracle.FORMATS[dtype.name]
    infinity = oracle.infinity(dtype.name)
    positive = np.array([0, 1, infinity - 1, infinity, infinity + 1, infinity | 1 << (f.mantissa - 1)], np.uint64)
    return np.concatenate([positive, positive | np.uint64(1 << (f.exponent + f.mantissa))]).astype(dtype.code)


def special_floats(dtype: dtypes.ElementType) -> Array:
    """Each power of two with its neighbours, and the middle of its binade, of both signs."""
    f = oracle.FORMATS[dtype.name]
    # Beyond these exponents only the ends of the range are of interest.
    low, high = (max(f.bias - 170, 0), min(f.bias + 170, (1 << f.exponent) - 1))
    powers = [field << f.mantissa for field in range(low, high)]
    positive = [p + near for p in powers for near in (-1, 0, 1) if p + near >= 0]
    positive += [p | 1 << (f.mantissa - 1) for p in powers]
    both = np.array(positive, np.uint64)
    return np.concatenate([both, both | np.uint64(1 << (f.exponent + f.mantissa))]).astype(dtype.code)


def random_integers(dtype: dtypes.ElementType, rng: np.random.Generator, count: int) -> Array:
    """Integers of every length, with few significant bits give or take one."""
    length = rng.integers(0, dtype.bits, count).astype(np.uint64)
    value = rng.integers(0, 1 << 63, count).astype(np.uint64) >> (np.uint64(63) - length)
    zeros = np.minimum(length, rng.integers(0, 63, count).astype(np.uint64))
    value = (value >> zeros << zeros) + rng.integers(-1, 2, count).astype(np.uint64)
    return np.where(rng.random(count) < 0.5, value, ~value + np.uint64(1)).astype(dtype.code)


def special_integers(dtype: dtypes.ElementType) -> Array:
    powers = [1 << bit for bit in range(dtype.bits)]
    near = [p + d for p in [0, *powers] for d in (-2, -1, 0, 1, 2)]
    return np.array([value % (1 << dtype.bits) for n in near for value in (n, -n)], dtype.code)


def samples(dtype: dtypes.ElementType, rng: np.random.Generator, count: int) -> Array:
    if dtype.name in oracle.COMPONENT:
        part = dtypes.ALL[oracle.COMPONENT[dtype.name][0]]
        return np.ascontiguousarray(samples(part, rng, 2 * count)[: 2 * count]).view(dtype.code)
    if dtype.is_integer:
        return np.concatenate([random_integers(dtype, rng, count), special_integers(dtype)])
    anything = rng.integers(0, 1 << dtype.bits, count // 4, np.uint64).astype(dtype.code)
    return np.concatenate([random_floats(dtype, rng, count), anything, special_floats(dtype), ends_of_floats(dtype)])


def sample_for(dtype: dtypes.ElementType, rng: np.random.Generator) -> Array:
    """Few codes of a type of any size, the ends of a float type always among them."""
    if dtype.name in ("half", "bfloat16_t"):
        codes = np.concatenate(
            [rng.integers(0, 1 << 16, 80).astype(np.uint16), thinned(special_floats(dtype), rng, 60)]
        )
        return np.concatenate([codes, ends_of_floats(dtype)])
    if dtype.bits <= 8:
        return np.arange(1 << dtype.bits).astype(dtype.code)
    codes = thinned(samples(dtype, rng, 200), rng, 150)
    return np.concatenate([codes, ends_of_floats(dtype)]) if dtype.is_float else codes


def thinned(codes: Array, rng: np.random.Generator, count: int) -> Array:
    return codes if len(codes) <= count else rng.choice(codes, count, replace=False)


# ------------------------------------------------------------------------------------------------- tests


def test_cases_cover_the_table():
    assert len(CASES) == 400
    assert {case[1:] for case in NARROW + WIDE} == {case[1:] for case in CASES}
    assert {case.src for case in CASES} == {element_type(row["src_dtype"]) for row in ROWS}


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_a_sample_of_every_conversion(case):
    rng = np.random.default_rng(list(case.mode.encode()))
    assert disagreements(case, sample_for(case.src, rng)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", NARROW, ids=repr)
def test_every_code_of_the_narrow_types(case):
    assert disagreements(case, np.arange(1 << case.src.bits).astype(case.src.code)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", WIDE, ids=repr)
def test_many_values_of_the_wide_types(case):
    assert disagreements(case, samples(case.src, np.random.default_rng(1), 4_000)) == []


def test_hifloat8_values_are_those_of_the_table():
    values = oracle.hif8_values()
    assert len(values) == 256
    for code, value in enumerate(hif8.VALUES.tolist()):
        if values[code].is_nan:
            assert np.isnan(value)
        elif values[code].magnitude is None:
            assert value == (-np.inf if values[code].negative else np.inf)
        else:
            assert value == float(values[code].magnitude) * (-1 if values[code].negative else 1)


def test_half_to_hifloat8_round_is_the_nearest_value_for_every_half():
    """Found by distance in the table of values; of two equally near ones the larger magnitude."""
    codes = np.arange(1 << 16).astype(np.uint16)
    case = Case("ascend950", dtypes.half, dtypes.hifloat8_t, "CAST_ROUND")
    values = codes.view(np.float16).astype(np.float64)
    got = hif8.VALUES[convert(case, codes, oracle.Switches("ascend950"))].astype(np.float64)
    finite = np.sort(hif8.VALUES[np.isfinite(hif8.VALUES)]).astype(np.float64)
    inside = np.isfinite(values) & (np.abs(values) <= finite.max())
    distance = np.abs(values[inside, None] - finite[None, :])
    nearest = np.where(distance == distance.min(1, keepdims=True), np.abs(finite), -1).max(1)
    assert inside.sum() > 60_000
    np.testing.assert_array_equal(np.abs(got[inside]), nearest)
    assert (np.sign(got[inside]) * np.sign(values[inside]) >= 0).all()
