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
        return np.array(
            [pypto.floor_div(pypto.from_numpy(a[i : i + 1]), b[i].item()).numpy()[0] for i in range(a.size)]
        )


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
@pytest.mark.parametrize(
    ("mode", "name"), [("inf_nan", "out_infnan"), ("register", "out_sat48"), ("saturate", "out_sat48")]
)
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
    """As on A2, apart from -0, which 950 keeps, and from subnormals of bf16, which its tensor division flushes."""
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
