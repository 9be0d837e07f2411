"""explain: the lowering of an operator for a shape and a type."""

import numpy as np
import pytest

from ascend_sim import NPU, KernelError, aclnn, pypto

A2, A5 = "ascend910b", "ascend950"


def names(lowering):
    return [text.split()[0] for text, n in lowering.steps for _ in range(n)]


def test_int32_by_a_tensor_on_a2_has_the_six_stages():
    with NPU(A2), pypto.scope((64, 64)):
        shown = pypto.explain(pypto.floor_div, (100, 64), pypto.DT_INT32)
    quotient = "Cast Cast Div Cast Mul Sub Cast Div Cast Add Mul Sub"
    without_sign = "Cast Compares Muls Select Muls Select Sub Sub"
    correction = "Cast Compares Adds Select Cast Compares Adds Select Add"
    assert " ".join(names(shown)[2:-1]) == f"{quotient} {without_sign} {correction}"
    assert (shown.tile, shown.tiles) == ((64, 64), 2)
    assert shown.ub_bytes == 147_456
    assert "147456 of 196608 bytes" in str(shown)
    assert str(shown).startswith("floor_div((100, 64) DT_INT32, (100, 64) DT_INT32) on ascend910b")


def test_the_scalar_loop_of_950_is_shown_as_rounds():
    with NPU(A5), pypto.scope((8, 64)):
        shown = pypto.explain("floor_div", (8, 64), pypto.DT_INT32, 3)
    assert shown.counts["GetValue"] == shown.counts["SetValue"] == 512
    assert "512 rounds of 2 steps" in str(shown)


def test_the_counts_are_those_of_the_trace():
    x = np.ones((64, 64), np.float32)
    with NPU(A2), pypto.scope((64, 64)):
        shown = pypto.explain(pypto.pow, (64, 64), pypto.DT_FP32, (((64, 1)), pypto.DT_FP32))
        report = pypto.pow(x, x[:, :1].copy()).report
    traced = [e.name for e in report.trace if e.issue.accesses]
    assert sorted(traced) == sorted(names(shown))


@pytest.mark.parametrize(
    ("operator", "other", "text"),
    [
        ("interleave", None, "8 x Interleave"),
        ("deinterleave", ((16, 64), pypto.DT_FP16), "8 x DeInterleave"),
        ("deinterleave", None, "8 x DeInterleave"),
    ],
)
def test_dealing(operator, other, text):
    with NPU(A5), pypto.scope((8, 64)):
        assert text in str(pypto.explain(operator, (16, 64), pypto.DT_FP16, other))


def test_what_the_operator_refuses_is_refused():
    with NPU(A2), pypto.scope((256, 256)), pytest.raises(KernelError, match="ub-capacity"):
        pypto.explain("floor_div", (256, 256), pypto.DT_INT32)
    with NPU(A2), pytest.raises(RuntimeError, match="FC0001"):
        pypto.explain("floor_div", (4, 4), pypto.DT_INT64)
    with pytest.raises(ValueError, match="explain\\(\\) knows"):
        pypto.explain("add", (4, 4), pypto.DT_INT32)


@pytest.mark.parametrize(
    ("product", "dtype", "step", "expected"),
    [
        (A2, "FLOAT16", 2, "GatherMask"),
        (A2, "FLOAT", 3, "Gather"),
        (A5, "INT8", 5, "Gather"),
        (A2, "FLOAT", 300, "DataCopyPad"),
        ("ascend910", "FLOAT", 3, "DataCopy"),
    ],
)
def test_slices(product, dtype, step, expected):
    with NPU(product):
        shown = aclnn.explain((64, 4096), dtype, 1, 0, 4096, step)
    assert expected in shown.counts
    assert shown.ub_bytes <= shown.product.ub_bytes
    assert f"0:4096:{step}" in str(shown)


def test_a_slice_that_is_refused():
    with pytest.raises(ValueError, match="161002"):
        aclnn.explain((4, 4), "FLOAT", 0, 0, 4, 0)
