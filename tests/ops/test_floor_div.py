"""floor_div: division by zero, the scalar form of A2 and A3, all bytes, int32 against Python integers."""

import numpy as np
import pytest

from ascend_sim import NPU, pypto
from tests.ops.tables import TYPES, same

A2, A5 = "ascend910b", "ascend950"


def tensor_form(npu, a, b):
    with npu:
        out = pypto.floor_div(pypto.from_numpy(a), pypto.from_numpy(b))
    assert out.report.is_clean, out.report
    return out.numpy()


# a // 0, for all types and products

ZERO = {  # what 1, -1 and 0 (or 7, 255 and 0) become
    ("fp32", A2): [np.inf, -np.inf, np.nan],
    ("fp32", A5): [np.inf, -np.inf, np.nan],
    ("fp16", A2): [65504, -65504, 0],
    ("fp16", A5): [65504, -65504, 0],
    ("bf16", A2): [3.3895e38, -3.3895e38, 0],
    ("bf16", A5): [3.3895e38, -3.3895e38, 0],
    ("int32", A2): [-1, -1, 1],
    ("int32", A5): [0x7FFF7F7F, -0x7FFF7F80, 0x7FFF7F7F],
    ("int64", A5): [(1 << 63) - 1, -(1 << 63), (1 << 63) - 1],
    ("int8", A2): [127, -128, 0],
    ("int8", A5): [0, 0, 0],
    ("uint8", A2): [255, 255, 0],
    ("uint8", A5): [255, 255, 0],
}


@pytest.mark.parametrize("case", ZERO, ids="-".join)
@pytest.mark.parametrize("by_scalar", [False, True])
def test_division_by_zero(case, by_scalar):
    kind, product = case
    dividend = np.array([7, 255, 0] if kind == "uint8" else [1, -1, 0], TYPES[kind])
    zero = 0 if by_scalar else np.zeros(3, TYPES[kind])
    with NPU(product, check="record"):
        out = pypto.floor_div(dividend, zero)
    expected = np.array(ZERO[case], np.float32).astype(TYPES[kind]) if kind in ("fp16", "bf16") else ZERO[case]
    assert same(out.numpy(), expected).all()
    assert {f.code for f in out.report.findings} == ({"unspecified-result"} if case == ("uint8", A5) else set())


# The scalar form of A2 and A3 multiplies by the rounded reciprocal


@pytest.mark.parametrize(
    ("kind", "dividend", "scalar", "wrong", "right"),
    [
        ("fp16", 41, 41, 0, 1),
        ("fp16", -21, 7, -4, -3),
        ("fp16", 4.5, 0.3, 15, 14),
        ("int8", 41, 41, 0, 1),
        ("int8", 82, 41, 1, 2),
        ("int8", -123, -123, 0, 1),
        ("int8", -21, 7, -4, -3),
        ("uint8", 41, 41, 0, 1),
    ],
)
def test_the_scalar_form_is_one_off_on_a2(kind, dividend, scalar, wrong, right):
    x = np.array([dividend], TYPES[kind])
    with NPU(A2):
        assert pypto.floor_div(x, scalar).numpy()[0] == wrong
    with NPU(A5):
        assert pypto.floor_div(x, scalar).numpy()[0] == right
    if isinstance(scalar, int):
        with NPU(A2):
            assert pypto.floor_div(x, np.array([scalar], TYPES[kind])).numpy()[0] == right
            assert pypto.floor_div(x.astype(np.int32), scalar).numpy()[0] == right


@pytest.mark.parametrize(("scalar", "count"), [(7, 421), (41, 51), (0.3, 340), (3, 0), (5, 0), (10, 0), (8, 0)])
def test_how_many_halves_the_scalar_form_gets_wrong(scalar, count):
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)]
    with NPU(A2, float_mode="inf_nan"):
        out = pypto.floor_div(halves, scalar).numpy()
    with np.errstate(over="ignore"):
        true = np.floor(halves.astype(np.float32) / np.float32(scalar)).astype(np.float16)
    assert np.count_nonzero(out != true) == count


def byte_pairs(kind):
    info = np.iinfo(TYPES[kind])
    values = np.arange(info.min, info.max + 1)
    a, b = (v.reshape(-1) for v in np.meshgrid(values, values[values != 0], indexing="ij"))
    return a, b, np.floor_divide(a, b)


@pytest.mark.parametrize("kind", ["int8", "uint8"])
@pytest.mark.parametrize("product", [A2, A5])
def test_all_bytes_by_all_bytes(kind, product):
    a, b, exact = byte_pairs(kind)
    out = tensor_form(NPU(product), a.astype(TYPES[kind]), b.astype(TYPES[kind])).astype(np.int64)
    clamped = np.clip(exact, -128, 127) if product == A2 and kind == "int8" else exact.astype(TYPES[kind])
    assert np.array_equal(out, clamped)


@pytest.mark.parametrize(("kind", "wrong"), [("int8", 74), ("uint8", 58)])
def test_all_bytes_by_all_scalars_on_a2(kind, wrong):
    a, b, exact = byte_pairs(kind)
    out = np.empty(a.size, np.int64)
    with NPU(A2):
        for scalar in np.unique(b):
            at = b == scalar
            out[at] = pypto.floor_div(a[at].astype(TYPES[kind]), int(scalar)).numpy()
    exact = np.clip(exact, -128, 127) if kind == "int8" else exact
    bad = out != exact
    assert np.count_nonzero(bad) == wrong
    assert (out[bad] == exact[bad] - 1).all()
    assert (a[bad] % b[bad] == 0).all()


# int32 against Python integers


def wrap(values):
    return np.array([(int(v) + (1 << 31)) % (1 << 32) - (1 << 31) for v in values], np.int32)


def pairs(count, seed):
    rng = np.random.default_rng(seed)
    b = (rng.integers(-(1 << 31), 1 << 31, count) >> rng.integers(0, 31, count)).astype(np.int32)
    b[b == 0] = 1
    a = (rng.integers(-(1 << 31), 1 << 31, count) >> rng.integers(0, 31, count)).astype(np.int32)
    near = rng.integers(0, 2, count).astype(bool)
    a[near] = wrap((a[near].astype(np.int64) // b[near]) * b[near] + rng.integers(-1, 2, int(near.sum())))
    return a, b, wrap(int(x) // int(y) for x, y in zip(a, b, strict=True))


def check_int32(count, seed):
    """On A2 and A3 the only wrong results are 1 instead of -1, for divisors within 95 of 2**31 and small dividends."""
    a, b, exact = pairs(count, seed)
    assert np.array_equal(tensor_form(NPU(A5), a, b), exact)
    out = tensor_form(NPU(A2), a, b)
    bad = out != exact
    assert (np.abs(b[bad].astype(np.int64)) >= (1 << 31) - 95).all()
    assert (np.abs(a[bad].astype(np.int64)) <= 96).all()
    assert (out[bad] == 1).all()
    assert (exact[bad] == -1).all()


def test_int32_against_python():
    check_int32(20_000, 31)


@pytest.mark.exhaustive
def test_int32_against_python_at_length():
    for seed in range(100):
        check_int32(50_000, seed)


def test_the_divisors_that_int32_on_a2_gets_wrong():
    """63 negative and 62 positive ones have a dividend that gives 1 instead of -1."""
    low = -(1 << 31)
    divisors = np.concatenate([np.arange(low, low + 130), np.arange((1 << 31) - 130, 1 << 31)])
    a, b = np.meshgrid(np.arange(-130, 131), divisors)
    out = tensor_form(NPU(A2), a.astype(np.int32), b.astype(np.int32))
    bad = out != np.floor_divide(a, b)
    assert (out[bad] == 1).all()
    wrong = divisors[bad.any(axis=1)]
    assert (np.count_nonzero(wrong < 0), np.count_nonzero(wrong > 0)) == (63, 62)


@pytest.mark.parametrize("product", [A2, A5])
def test_int32_by_scalars_against_python(product):
    rng = np.random.default_rng(7)
    a = (rng.integers(-(1 << 31), 1 << 31, 256) >> rng.integers(0, 31, 256)).astype(np.int32)
    for scalar in (1, -1, 2, 3, -7, 41, 1000, -65536, (1 << 31) - 200, -(1 << 31) + 200):
        with NPU(product):
            out = pypto.floor_div(a, scalar)
        assert out.report.is_clean
        assert np.array_equal(out.numpy(), wrap(int(x) // scalar for x in a))
