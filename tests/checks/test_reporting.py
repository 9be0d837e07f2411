"""What is common to all findings: modes, counting, suppression, the error that carries one."""

import numpy as np
import pytest

from ascend_sim import NPU, PIPE_ALL, Add, Adds, DataCopy, GlobalTensor, KernelError, PipeBarrier, SetMaskCount, float32
from tests.helpers import run


def misaligned_three_times(core):
    x = core.alloc(float32, 64, range(64))
    y = core.alloc(float32, 64)
    yield y
    for _ in range(3):
        Adds(y, x[1:], 1, 8)


def test_repetitions_are_counted_not_listed():
    (finding,) = run(misaligned_three_times, "record").findings
    assert (finding.code, finding.operand, finding.count) == ("alignment", "src", 3)


def test_other_lines_and_operands_are_listed():
    def kernel(core):
        x = core.alloc(float32, 64, range(64))
        y = core.alloc(float32, 64)
        yield y
        Adds(y, x[1:], 1, 8)
        Adds(y, x[1:], 1, 8)
        Add(y, x[1:], x[2:], 8)

    findings = run(kernel, "record").findings
    assert [(f.code, f.instruction, f.operand, f.count) for f in findings] == [
        ("alignment", "Adds", "src", 1),
        ("alignment", "Adds", "src", 1),
        ("alignment", "Add", "src0", 1),
        ("alignment", "Add", "src1", 1),
    ]
    assert findings[1].line == findings[0].line + 1


def test_error_says_where_and_carries_the_finding():
    with NPU().core() as core:
        x = core.alloc(float32, 64, range(64))
        with pytest.raises(KernelError, match=r"test_reporting\.py:\d+: .*alignment .*Adds src") as caught:
            Adds(x, x[1:], 1, 8)
    assert caught.value.finding.code == "alignment"
    assert caught.value.finding.core == 0
    assert caught.value.finding.file == __file__
    assert str(caught.value.finding.line) in str(caught.value)


def test_warnings_and_notes_never_raise():
    def kernel(core):
        x = core.alloc(float32, 64, range(64))
        yield x
        Adds(x, x, 1, 64, 0, (1, 1, 8, 8))
        SetMaskCount()

    result = run(kernel, "raise")
    assert result.error is None
    assert [(f.code, f.severity) for f in result.findings] == [
        ("zero-repeat", "note"),
        ("register-not-reset", "warning"),
    ]


@pytest.mark.parametrize("check", ["raise", "record"])
def test_suppressed_code_is_not_reported(check):
    result = run(misaligned_three_times, check, suppress=("alignment",))
    assert result.error is None
    assert result.findings == []
    assert result.after == run(misaligned_three_times, "off").after


def test_other_codes_survive_suppression():
    result = run(misaligned_three_times, "raise", suppress=("overlap", "stale-read"))
    assert result.error is not None


@pytest.mark.parametrize("option", [{"check": "warn"}, {"suppress": ("no-such-code",)}, {"product": "ascend911"}])
def test_misspelt_options_are_refused(option):
    with pytest.raises(ValueError, match=r"warn|no-such-code|ascend911"):
        NPU(**option)


def test_a_refused_call_leaves_the_core_usable():
    array = np.zeros(8, np.float32)
    gm = GlobalTensor(float32)
    gm.SetGlobalBuffer(array)
    with NPU().core() as core:
        x = core.alloc(float32, 64, range(64))
        with pytest.raises(KernelError):
            Adds(x[8:], x, 1, 64, 1, (1, 1, 8, 8))
        Adds(x, x, 1, 64, 1, (1, 1, 8, 8))
        PipeBarrier(PIPE_ALL)
        DataCopy(gm, x, 8)
    assert array.tolist() == list(range(1, 9))
    assert [issue.name for issue in core.trace if issue.name in {"Adds", "DataCopy"}] == ["Adds", "DataCopy"]
