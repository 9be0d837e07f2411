"""`ascend_sim.testing`: assertions for the tests of users' kernels."""

import numpy as np
import pytest

from ascend_sim import NPU, Adds, Duplicate, LocalTensor, TPosition, float32, half
from ascend_sim.testing import assert_clean, assert_equal_to_golden


def launch(body):
    return NPU(check="record").launch(body, 1)


def nothing_wrong():
    Duplicate(LocalTensor(half, TPosition.VECCALC, 0, 128), 1.0, 128)


def reads_what_nobody_wrote():
    x = LocalTensor(half, TPosition.VECCALC, 0, 128)
    Adds(x, x, 1.0, 128)


def does_nothing():
    Duplicate(LocalTensor(half, TPosition.VECCALC, 0, 128), 1.0, 128, 0, 1, 8)


def test_equal_passes():
    golden = np.linspace(0, 1, 100).astype(np.float16)
    assert_equal_to_golden(golden, golden)
    assert_equal_to_golden(golden.tobytes(), golden.tobytes())


def test_unequal_fails_with_the_report():
    golden = np.ones(256, np.float32)
    out = golden.copy()
    out[63::64] = 0
    with pytest.raises(AssertionError) as failure:
        assert_equal_to_golden(out, golden, float32)
    assert "NOT equal: 252 of 256 float32 match within rtol 1e-06" in str(failure.value)
    assert "all at 64k+63: lane 63 in each repeat" in str(failure.value)


def test_tolerances_can_be_given():
    golden = np.ones(256, np.float32)
    assert_equal_to_golden(golden * 1.05, golden, float32, rtol=0.1)
    assert_equal_to_golden(golden + 0.05, golden, float32, 0, 0.1)
    golden_with_one_off = golden.copy()
    golden_with_one_off[3] = 2
    assert_equal_to_golden(golden_with_one_off, golden, float32, error_ratio=0.01)
    with pytest.raises(AssertionError, match=r"128k\+"):
        assert_equal_to_golden(np.resize([2, *[1] * 127], 256), golden, float32, lanes=128)


def test_a_clean_launch_passes():
    assert_clean(launch(nothing_wrong))


def test_findings_fail_and_are_shown():
    report = launch(reads_what_nobody_wrote)
    with pytest.raises(AssertionError) as failure:
        assert_clean(report)
    assert "reads_what_nobody_wrote has 1 finding:" in str(failure.value)
    assert str(report.findings[0]) in str(failure.value)
    assert_clean(report, allow=("uninitialised-read",))


def test_notes_may_occur_unless_told_otherwise():
    report = launch(does_nothing)
    assert_clean(report)
    with pytest.raises(AssertionError, match="zero-repeat"):
        assert_clean(report, notes=False)


def test_a_core_is_a_report_too():
    with NPU(check="record").core() as core:
        x = core.alloc(half, 16)
        Adds(x, x, 1.0, 16)
    with pytest.raises(AssertionError, match="core has 1 finding"):
        assert_clean(core)


def test_pytest_shows_the_report_and_not_the_inside():
    with pytest.raises(AssertionError) as failure:
        assert_equal_to_golden([1.0], [2.0])
    hidden = [entry.frame.f_locals.get("__tracebackhide__") for entry in failure.traceback]
    assert hidden[-1] is True
