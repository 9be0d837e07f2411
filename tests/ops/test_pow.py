"""pow: every row of its golden tables, promotion, special scalars, refusals, and powers against exact arithmetic.

Columns of the tables and the NPU that each one stands for:
  pow_fp32: v220 (A2, A3), ieee (950, high precision); pow_int32: all three products
  pow_scalar_fp32: pypto_scalar_path (A2, A3); 950 differs where its own rules say so, and every such row is named
  pow_promotion: result (all three)
"""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from ascend_sim import NPU, pypto
from tests.ops.tables import TYPES, from_bits, rows, same

A2, A3, A5 = "ascend910b", "ascend910_93", "ascend950"


def bits_of(table, name):
    return from_bits([r[name] for r in table], np.float32)


def assert_bits(out, expected):
    """Bit for bit; NaN of any payload equals NaN."""
    assert same(out, expected).all()


def test_the_tables_have_60_50_160_and_49_rows():
    names = ("pow_fp32", "pow_int32", "pow_scalar_fp32", "pow_promotion")
    assert [len(rows(name)) for name in names] == [60, 50, 160, 49]


@pytest.mark.parametrize(("product", "column"), [(A2, "v220_bits"), (A3, "v220_bits"), (A5, "ieee_bits")])
def test_fp32(product, column):
    table = rows("pow_fp32")
    with NPU(product):
        out = pypto.pow(bits_of(table, "x_bits"), bits_of(table, "y_bits"))
    assert out.report.is_clean
    assert_bits(out.numpy(), bits_of(table, column))


def test_fp32_with_the_plain_exponential_of_950():
    """Special operands as in high precision; the others as far off as exp(y ln x) is."""
    table = rows("pow_fp32")
    with NPU(A5):
        out = pypto.pow(bits_of(table, "x_bits"), bits_of(table, "y_bits"), pypto.PrecisionType.INTRINSIC).numpy()
    expected = bits_of(table, "ieee_bits")
    special = ~np.isfinite(expected) | (expected == 0)
    assert_bits(out[special][:-1], expected[special][:-1])
    normal = ~special & (np.abs(expected) > 1e-37)
    np.testing.assert_allclose(out[normal], expected[normal], rtol=1e-5)


@pytest.mark.parametrize("product", [A2, A3, A5])
def test_int32(product):
    table = rows("pow_int32")
    base, exponent, expected = (
        np.array([int(r[c]) for r in table], np.int32) for c in ("base", "exp", "result(both archs)")
    )
    with NPU(product):
        out = pypto.pow(base, exponent)
        assert np.array_equal(out.numpy(), expected)
        assert out.report.is_clean
        for b, e, r in zip(base, exponent, expected, strict=True):
            assert pypto.pow(np.array([b]), int(e)).numpy()[0] == r


def scalars(product):
    for row in rows("pow_scalar_fp32"):
        value = float(row["scalar"])
        with NPU(product):
            out = pypto.pow(from_bits([row["x_bits"]], np.float32), int(value) if value.is_integer() else value)
        yield row, out.numpy()[0]


@pytest.mark.parametrize("product", [A2, A3])
def test_scalars(product):
    for row, out in scalars(product):
        assert same(out, from_bits([row["bits"]], np.float32)[0]), row


SUBNORMAL_ON_950 = {("1e38", "-1"), ("-1e-38", "0.5"), ("-1e-38", "-0.5"), ("-1e-38", "-1")}
"""950 flushes the operand or the result of Sqrt and Div."""


def test_scalars_on_950():
    """Exponent 1 goes through the exact power, so it is IEEE's there; the rest is as on A2."""
    flushed = set()
    for row, out in scalars(A5):
        expected = from_bits([row["ieee_bits" if row["scalar"] == "1" else "bits"]], np.float32)[0]
        if not same(out, expected):
            flushed.add((row["x"], row["scalar"]))
    assert flushed == SUBNORMAL_ON_950


@pytest.mark.parametrize("product", [A2, A3, A5])
@pytest.mark.parametrize("row", rows("pow_promotion"), ids=lambda r: f"{r['base']}-{r['exp']}")
def test_promotion(row, product):
    base, exponent = np.full((2, 3), 3, TYPES[row["base"]]), np.full((2, 3), 2, TYPES[row["exp"]])
    with NPU(product):
        if row["result"].startswith("ERROR"):
            with pytest.raises(RuntimeError, match="FC0001"):
                pypto.pow(base, exponent)
            return
        out = pypto.pow(base, exponent)
    assert out.report.is_clean
    assert out.numpy().dtype == TYPES[row["result"]]
    # A2 is off by a few ulp, so an integer result may be truncated to one less
    assert np.abs(out.numpy().astype(np.float64) - 9).max() <= (
        1 if row["result"] in ("int8", "uint8", "int16") else 1e-5
    )


# The documentation's example, and what a scalar does to the type


@pytest.mark.parametrize("product", [A2, A3, A5])
def test_example_of_the_page(product):
    x = np.array([[1, 2], [-3, 4]], np.float32)
    b = np.array([[2, 2], [1, 1]], np.float32)
    pypto.reset_vec_tile_shapes()
    with NPU(product):
        assert pypto.pow(x, 2).numpy().tolist() == [[1, 4], [9, 16]]
        np.testing.assert_allclose(pypto.pow(x, b).numpy(), [[1, 4], [-3, 4]], rtol=3e-3)


@pytest.mark.parametrize("product", [A2, A5])
@pytest.mark.parametrize(
    ("kind", "exponent", "result"),
    [
        ("int32", 2, "int32"),
        ("int32", 2.0, "fp32"),
        ("int32", 1.5, "fp32"),
        ("int32", 0.0, "int32"),
        ("int32", 1e-10, "int32"),
        ("fp16", 2, "fp16"),
        ("fp16", 1.5, "fp16"),
        ("bf16", 0, "bf16"),
        ("int8", 3, "int8"),
        ("uint8", 3, "uint8"),
        ("int16", -1, "int16"),
    ],
)
def test_type_of_a_scalar_power(kind, exponent, result, product):
    x = np.array([0, 1, 2, 3, 5], TYPES[kind])
    with NPU(product):
        out = pypto.pow(x, exponent).numpy()
    assert out.dtype == TYPES[result]
    if exponent == -1:
        assert out.tolist() == [0, 1, 0, 0, 0]
    else:
        np.testing.assert_allclose(out.astype(np.float64), x.astype(np.float64) ** round(exponent, 3), rtol=8e-3)


@pytest.mark.parametrize("product", [A2, A5])
@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "int32"])
def test_integer_powers_wrap(kind, product):
    rng = np.random.default_rng(11)
    info = np.iinfo(TYPES[kind])
    x, y = (rng.integers(info.min, info.max + 1, 400).astype(TYPES[kind]) for _ in range(2))
    x[::3], y[1::2] = rng.integers(-2 if info.min else 0, 3, x[::3].size), rng.integers(0, 12, y[1::2].size)

    def power(a, b):
        return pow(a, b, 1 << info.bits) if b >= 0 else {1: 1, -1: 1 - 2 * (b % 2)}.get(a, 0)

    with NPU(product):
        out = pypto.pow(x, y)
    exact = [power(int(a), int(b)) % (1 << info.bits) for a, b in zip(x, y, strict=True)]
    assert out.numpy().astype(object).tolist() == [
        e - (1 << info.bits) if info.min and e > info.max else e for e in exact
    ]


def test_an_int8_tensor_takes_the_exponent_modulo_256():
    with NPU(A5):
        assert pypto.pow(np.array([3, 2], np.int8), 256 + 2).numpy().tolist() == [9, 4]


def exact_power(x: float, y: float) -> float:
    """x ** y, rounded to float32 from 60 digits."""
    with localcontext() as context:
        context.prec = 60
        exact = (Decimal(y) * Decimal(x).ln()).exp()
        near = np.float32(float(exact))
        steps = [np.nextafter(near, np.float32(0)), near, np.nextafter(near, np.float32(np.inf))]
        return float(min(steps, key=lambda s: abs(Decimal(float(s)) - exact)))


def ulps(out, expected):
    return np.abs(out.view(np.int32).astype(np.int64) - expected.view(np.int32))


def cases(count, seed):
    rng = np.random.default_rng(seed)
    x = np.exp(rng.uniform(-30, 30, count)).astype(np.float32)
    y = (rng.uniform(-80, 80, count) / np.maximum(np.abs(np.log(x)), 1)).astype(np.float32)
    x[::5] = (1 + rng.uniform(-1e-3, 1e-3, x[::5].size)).astype(np.float32)
    return x, y, np.array([exact_power(float(a), float(b)) for a, b in zip(x, y, strict=True)], np.float32)


def check_powers(count, seed):
    """950: the bound is 2 ulp, and all but a few are correctly rounded. A2: at most 2 ulp for each unit of y ln x."""
    x, y, expected = cases(count, seed)
    with NPU(A5):
        off = ulps(pypto.pow(x, y).numpy(), expected)
    assert off.max() <= 1
    assert np.count_nonzero(off) <= count // 1000
    with NPU(A2):
        out = pypto.pow(x, y).numpy()
    bound = 1 + 2 * np.abs(y * np.log(x.astype(np.float64)))  # two roundings of the exponent, each up to an ulp of it
    assert (ulps(out, expected) <= bound).all()


def test_powers_against_exact_arithmetic():
    check_powers(1000, 21)


@pytest.mark.exhaustive
def test_many_powers_against_exact_arithmetic():
    check_powers(50_000, 22)


# Refusals


@pytest.mark.parametrize(
    ("x", "y", "code"),
    [
        (np.ones((2, 2), np.int64), np.ones((2, 2), np.int64), "FC0001"),
        (np.ones((2, 2), np.float32), np.ones((2,), np.float32), "FC0002"),
        (np.ones((1,) * 5, np.float32), np.ones((1,) * 5, np.float32), "FC0002"),
        (np.ones((2, 2), np.float32), np.ones((2, 3), np.float32), "FC0000"),
        (np.ones((2, 0), np.float32), np.ones((2, 0), np.float32), "FC0000"),
        (np.ones(2, np.int8), 0.5, "FC0001"),
        (np.ones(2, np.uint8), 2.0, "FC0001"),
    ],
)
def test_refusals(x, y, code):
    with pytest.raises(RuntimeError, match=f"CHECK FAILED: ErrCode: {code}! Enum: ERR_PARAM"):
        pypto.pow(x, y)


def test_another_exponent_is_an_error_of_the_front_end():
    with pytest.raises(
        pypto.PyptoError, match=r"ErrCode: F00001, TypeError: .*other must be Tensor, int or float"
    ) as caught:
        pypto.pow(np.ones(2, np.float32), "2")
    assert not isinstance(caught.value, TypeError)
    assert caught.value.code == 0xF00001


@pytest.mark.parametrize("shapes", [((4, 1), (1, 6)), ((2, 1, 5), (2, 3, 1)), ((1, 1), (3, 40))])
@pytest.mark.parametrize("product", [A2, A5])
def test_broadcast_along_any_axes(shapes, product):
    rng = np.random.default_rng(4)
    x, y = rng.uniform(0.5, 2, shapes[0]).astype(np.float32), rng.uniform(-3, 3, shapes[1]).astype(np.float32)
    with NPU(product):
        out = pypto.pow(x, y)
    assert out.report.is_clean
    np.testing.assert_allclose(out.numpy(), x.astype(np.float64) ** y.astype(np.float64), rtol=1e-5)
