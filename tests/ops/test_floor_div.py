"""floor_div: every row of its golden tables, the documentation's example, division by zero, independent references.

Columns of the tables and the NPU that each one stands for:
  fp32: a2a3 (A2, A3, both forms), a5_tensor (950, tensor), a5_scalar (950, scalar)
  fp16, bf16: out_infnan (float_mode="inf_nan"), out_sat48 (the default, float_mode="saturate")
  int32: v220_wrap (A2, A3), v220_sat (the same with int_mode="saturate"), nonv220_tensor, nonv220_scalar (950)
  int64: a5 (950, both forms); int8, uint8: v220 (A2, A3, tensor), a5_tensor, a5_scalar (950)
"""

import numpy as np
import pytest

from ascend_sim import NPU, KernelError, pypto
from tests.ops.tables import TYPES, from_bits, rows, same

A2, A3, A5 = "ascend910b", "ascend910_93", "ascend950"
TABLES = ("fp32", "fp16", "bf16", "int32", "int64_950", "int8", "uint8")


def tensor_form(npu, a, b):
    """All rows at once."""
    with npu:
        out = pypto.floor_div(pypto.from_numpy(a), pypto.from_numpy(b))
    assert out.report.is_clean, out.report
    return out.numpy()


def scalar_form(npu, a, b):
    """One call for each row."""
    with npu:
        return np.array([pypto.floor_div(pypto.from_numpy(a[i : i + 1]), b[i].item()).numpy()[0] for i in range(a.size)])


def column(table, name):
    return [r[name] for r in table]


def integers(table, name, dtype):
    return np.array([int(v) for v in column(table, name)], dtype)


def test_every_table_has_forty_rows():
    assert {name: len(rows(f"floor_div_{name}")) for name in TABLES} == dict.fromkeys(TABLES, 40)


def floats(kind):
    table = rows(f"floor_div_{kind}")
    return table, from_bits(column(table, "a_bits"), TYPES[kind]), from_bits(column(table, "b_bits"), TYPES[kind])


@pytest.mark.parametrize("product", [A2, A3])
@pytest.mark.parametrize("form", [tensor_form, scalar_form])
def test_fp32_on_a2_and_a3(product, form):
    table, a, b = floats("fp32")
    out = form(NPU(product), a, b)
    expected = from_bits(column(table, "a2a3_bits"), np.float32)
    assert same(out, expected).all()
    finite = ~np.isnan(expected)
    assert np.array_equal(out.view(np.uint32)[finite], expected.view(np.uint32)[finite])


def test_fp32_on_950_tensor():
    table, a, b = floats("fp32")
    assert same(tensor_form(NPU(A5), a, b), from_bits(column(table, "a5_tensor_bits"), np.float32)).all()


def test_fp32_on_950_scalar_keeps_subnormals():
    table, a, b = floats("fp32")
    assert same(scalar_form(NPU(A5), a, b), np.array(column(table, "a5_scalar_noftz"), np.float32)).all()


@pytest.mark.parametrize("kind", ["fp16", "bf16"])
@pytest.mark.parametrize(("mode", "name"), [("inf_nan", "out_infnan"), ("register", "out_sat48"), ("saturate", "out_sat48")])
@pytest.mark.parametrize("product", [A2, A3])
def test_narrow_floats_on_a2_and_a3(kind, mode, name, product):
    table, a, b = floats(kind)
    out = tensor_form(NPU(product, float_mode=mode), a, b)
    if name == "out_infnan":
        expected = from_bits(column(table, "out_infnan_bits"), TYPES[kind])
    else:
        expected = np.array([float(v) for v in column(table, name)], np.float32).astype(TYPES[kind])
    assert same(out, expected).all()


@pytest.mark.parametrize("kind", ["fp16", "bf16"])
@pytest.mark.parametrize(("mode", "name"), [("inf_nan", "out_infnan"), ("register", "out_sat48")])
@pytest.mark.parametrize("form", [tensor_form, scalar_form])
def test_narrow_floats_on_950(kind, mode, name, form):
    """As on A2, apart from -0, which 950 keeps, and from subnormal operands of bf16, which its tensor division flushes."""
    table, a, b = floats(kind)
    out = form(NPU(A5, float_mode=mode), a, b).astype(np.float32)
    expected = np.array([float(v) for v in column(table, name)], np.float32).astype(TYPES[kind]).astype(np.float32)
    equal = (out == expected) | np.isnan(out) & np.isnan(expected)
    different = [int(i) for i in np.flatnonzero(~equal)]
    assert different == ([32, 33] if kind == "bf16" and form is tensor_form else [])
    assert (out[different] == 0).all()


@pytest.mark.parametrize("product", [A2, A3])
@pytest.mark.parametrize(
    ("mode", "name"), [("register", "v220_wrap(default CTRL[53]=0)"), ("saturate", "v220_sat(CTRL[53]=1)")]
)
def test_int32_on_a2_and_a3(product, mode, name):
    table = rows("floor_div_int32")
    a, b = integers(table, "a", np.int32), integers(table, "b", np.int32)
    assert np.array_equal(tensor_form(NPU(product, int_mode=mode), a, b), integers(table, name, np.int32))


@pytest.mark.parametrize(("form", "name"), [(tensor_form, "nonv220_tensor"), (scalar_form, "nonv220_scalar")])
def test_int32_on_950(form, name):
    table = rows("floor_div_int32")
    a, b = integers(table, "a", np.int32), integers(table, "b", np.int32)
    assert np.array_equal(form(NPU(A5), a, b), integers(table, name, np.int32))


@pytest.mark.parametrize("form", [tensor_form, scalar_form])
def test_int64_on_950(form):
    table = rows("floor_div_int64_950")
    a, b = integers(table, "a", np.int64), integers(table, "b", np.int64)
    assert np.array_equal(form(NPU(A5), a, b), integers(table, "a5", np.int64))


@pytest.mark.parametrize("kind", ["int8", "uint8"])
@pytest.mark.parametrize("product", [A2, A3])
def test_bytes_on_a2_and_a3(kind, product):
    table = rows(f"floor_div_{kind}")
    a, b = integers(table, "a", TYPES[kind]), integers(table, "b", TYPES[kind])
    assert np.array_equal(tensor_form(NPU(product), a, b), integers(table, "v220", TYPES[kind]))


@pytest.mark.parametrize(("form", "name"), [(tensor_form, "a5_tensor"), (scalar_form, "a5_scalar")])
def test_int8_on_950(form, name):
    table = rows("floor_div_int8")
    a, b = integers(table, "a", np.int8), integers(table, "b", np.int8)
    assert np.array_equal(form(NPU(A5), a, b), integers(table, name, np.int8))


@pytest.mark.parametrize(("form", "name"), [(tensor_form, "a5_tensor"), (scalar_form, "a5_scalar")])
def test_uint8_on_950(form, name):
    """The rows that divide by 0 are unspecified: an error, and under "record" the result of A2."""
    table = rows("floor_div_uint8")
    a, b = integers(table, "a", np.uint8), integers(table, "b", np.uint8)
    known = np.array([not v.startswith("UNSPEC") for v in column(table, name)])
    assert known.sum() == 36
    expected = np.array([int(v) for v, k in zip(column(table, name), known, strict=True) if k], np.uint8)
    assert np.array_equal(form(NPU(A5), a[known], b[known]), expected)
    for i in np.flatnonzero(~known):
        with NPU(A5) as npu, pytest.raises(KernelError) as caught:
            form(npu, a[i : i + 1], b[i : i + 1])
        assert caught.value.finding.code == "unspecified-result"
        assert caught.value.finding.file == __file__
    with NPU(A5, check="record"):
        out = pypto.floor_div(a, b)
    assert {f.code for f in out.report.findings} == {"unspecified-result"}
    assert np.array_equal(out.numpy()[~known], integers(table, "v220", np.uint8)[~known])


# The documentation's examples


def test_example_of_the_page():
    a, b = np.array([[2, 4, 6]], np.int32), np.array([[4, 2, 5]], np.int32)
    for product in (A2, A3, A5):
        with NPU(product):
            assert pypto.floor_div(a, b).numpy().tolist() == [[0, 2, 1]]
            assert pypto.floor_div(a, 3).numpy().tolist() == [[0, 1, 2]]


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


@pytest.mark.parametrize("case", ZERO, ids=lambda c: "-".join(c))
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


# Tiles, broadcasting, scratch


@pytest.mark.parametrize("product", [A2, A5])
@pytest.mark.parametrize("kind", ["fp32", "fp16", "bf16", "int32", "int8", "uint8"])
@pytest.mark.parametrize(
    ("first", "second", "tile"),
    [
        ((5, 7), (5, 1), (4, 16)),
        ((5, 7), (1, 7), (2, 3)),
        ((7,), (5, 7), (4, 4)),
        ((2, 3, 4, 5), (3, 1, 5), (1, 2, 4, 5)),
        ((4, 1), (1, 40), (3, 33)),
        ((130, 70), (130, 70), (64, 64)),
    ],
)
def test_tiles_and_broadcasting(first, second, tile, kind, product):
    rng = np.random.default_rng(2)
    a, b = rng.integers(1, 120, first).astype(TYPES[kind]), rng.integers(1, 12, second).astype(TYPES[kind])
    with NPU(product), pypto.scope(tile):
        out = pypto.floor_div(a, b)
    assert out.report.is_clean, out.report
    assert np.array_equal(out.numpy().astype(np.float64), np.floor_divide(a.astype(np.float64), b.astype(np.float64)))


@pytest.mark.parametrize("dma", ["eager", "late"])
@pytest.mark.parametrize("auto_sync", [True, False])
@pytest.mark.parametrize("product", [A2, A5])
def test_the_kernel_orders_its_pipes_itself(dma, auto_sync, product):
    a, b = np.arange(1, 200, dtype=np.int32).reshape(199, 1), np.arange(1, 30, dtype=np.int32).reshape(1, 29)
    with NPU(product, dma=dma, auto_sync=auto_sync), pypto.scope((50, 13)):
        outs = [pypto.floor_div(a, b), pypto.floor_div(a, 7)]
    assert all(o.report.is_clean for o in outs)
    assert np.array_equal(outs[0].numpy(), a // b)
    assert np.array_equal(outs[1].numpy(), a // 7)


def test_a_tile_that_is_too_large_names_the_largest_that_fits():
    a = np.ones((256, 256), np.int32)
    with NPU(A2), pypto.scope((128, 128)):
        with pytest.raises(KernelError) as caught:
            pypto.floor_div(a, a)
        assert caught.value.finding.code == "ub-capacity"
        assert caught.value.finding.file == __file__
        assert "The largest tile that fits: (42, 128)" in str(caught.value)
        pypto.set_vec_tile_shapes(42, 128)
        assert (pypto.floor_div(a, a).numpy() == 1).all()
        pypto.set_vec_tile_shapes(43, 128)
        with pytest.raises(KernelError):
            pypto.floor_div(a, a)


def test_scratch_of_the_documented_tile():
    """Six float32 slots for each element."""
    with NPU(A2), pypto.scope((64, 64)):
        shown = pypto.explain(pypto.floor_div, (1024, 128), pypto.DT_INT32)
    assert shown.buffers == {"src0": 16384, "src1": 16384, "dst": 16384, "scratch": 98304}
    assert shown.tiles == 32


# Refusals, in the framework's order


def zeros(shape, kind="int32", layout=pypto.TileOpFormat.TILEOP_ND):
    made = pypto.from_numpy(np.ones(shape, TYPES[kind]))
    made.format = layout
    return made


NZ = pypto.TileOpFormat.TILEOP_NZ


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (zeros((2, 2), layout=NZ), zeros((2, 2), "int16"), "FC0000"),
        (zeros((2, 2)), zeros((2, 2), layout=NZ), "FC0000"),
        (zeros((2, 2), "int16"), zeros((2, 2), "int16"), "FC0001"),
        (zeros((2, 2), "int64"), zeros((2, 2), "int64"), "FC0001"),
        (zeros((2, 2)), zeros((2, 2), "fp32"), "FC0001"),
        (zeros((1,) * 5), zeros((2, 2)), "FC0002"),
        (zeros(()), zeros((2, 2)), "FC0002"),
        (zeros((2, 0)), zeros((2, 0)), "FC0000"),
        (zeros((2, 3)), zeros((2, 2)), "FC0000"),
        (zeros((2, 3), "int16"), 3, "FC0001"),
    ],
)
def test_refusals(first, second, code):
    with NPU(A2), pytest.raises(RuntimeError, match=f"CHECK FAILED: ErrCode: {code}! Enum: ERR_PARAM_"):
        pypto.floor_div(first, second)


def test_a_tile_of_another_rank_is_refused():
    with pypto.scope((4, 4)), pytest.raises(RuntimeError, match="FC0000"):
        pypto.floor_div(np.ones(4, np.int32), 2)


def test_too_many_elements_are_refused_before_anything_runs():
    huge = pypto.Tensor.over(np.broadcast_to(np.int8(1), (1 << 16, 1 << 16)), pypto.DT_INT8)
    with pytest.raises(RuntimeError, match="FC0000"):
        pypto.floor_div(huge, 2)


@pytest.mark.parametrize("product", ["ascend910", "ascend310p", "ascend310b"])
def test_products_without_the_framework(product):
    with NPU(product), pytest.raises(RuntimeError, match="FC0000"):
        pypto.floor_div(np.ones(4, np.int32), 2)


def test_a_float_scalar_does_not_go_with_integers():
    text = r"ErrCode: F00001, TypeError: floor_div\(\): float scalar incompatible with integer tensor dtype DT_INT32"
    with pytest.raises(pypto.PyptoError, match=text) as caught:
        pypto.floor_div(np.ones(4, np.int32), 2.0)
    assert not isinstance(caught.value, TypeError)
    assert caught.value.code == 0xF00001


@pytest.mark.parametrize(("kind", "scalar"), [("int8", 300), ("uint8", -1), ("int32", 1 << 31)])
def test_an_integer_that_does_not_fit_overflows(kind, scalar):
    with pytest.raises(OverflowError):
        pypto.floor_div(np.ones(4, TYPES[kind]), scalar)


def test_a_bool_counts_as_an_integer():
    assert pypto.floor_div(np.array([5], np.int32), True).numpy().tolist() == [5]
