"""`partial-mask-repeat`: the mask was meant for the last repeat alone, and the holes it left are used later."""

import numpy as np
import pytest

from ascend_sim import PIPE_ALL, Adds, DataCopy, Duplicate, GlobalTensor, PipeBarrier, float32
from tests.helpers import A2, clean, marked_line, run


def gm(array):
    tensor = GlobalTensor(float32)
    tensor.SetGlobalBuffer(array)
    return tensor


def noted(kernel):
    """The note, in both modes that keep findings; it points at the masked call, alone or among the related sites."""
    for check in ("raise", "record"):
        result = run(kernel, check, product=A2)
        assert result.error is None
        assert result.codes == ["partial-mask-repeat"]
        (finding,) = result.findings
        assert finding.severity == "note"
        sites = {finding.line, *(site.line for site in finding.related)}
        assert marked_line(kernel) in sites
        assert "Adds" in finding.message
    silent = run(kernel, "off", product=A2)
    assert silent.findings == []
    assert silent.after == result.after
    return finding


def test_copied_out_later():
    array = np.zeros(128, np.float32)

    def kernel(core):
        src = core.alloc(float32, 128, range(128))
        dst = core.alloc(float32, 128, [-1] * 128)
        yield array
        Adds(dst, src, 0.5, 36, 2, (1, 1, 8, 8))  # fires
        PipeBarrier(PIPE_ALL)
        DataCopy(gm(array), dst, 128)

    finding = noted(kernel)
    assert "28" in finding.message  # lanes that each repeat leaves
    assert array[[35, 36, 63, 64, 99, 100]].tolist() == [35.5, -1, -1, 64.5, 99.5, -1]


def test_read_later():
    def kernel(core):
        src = core.alloc(float32, 128, range(128))
        dst = core.alloc(float32, 128, [-1] * 128)
        yield dst
        Adds(dst, src, 0.5, 36, 2, (1, 1, 8, 8))  # fires
        Duplicate(src, 0.0, 128)
        Adds(src, dst, 0.0, 100)

    noted(kernel)


@pytest.mark.parametrize(
    "arguments",
    [(64, 2, (1, 1, 8, 8)), (36, 1, (1, 1, 8, 8)), ([(1 << 36) - 1, 0], 2, (1, 1, 8, 8)), (8, 12, (1, 1, 1, 1))],
    ids=["full mask", "one repeat", "bitwise", "rows of one block"],
)
def test_other_calls_are_deliberate(arguments):
    array = np.zeros(128, np.float32)

    def kernel(core):
        src = core.alloc(float32, 128, range(128))
        dst = core.alloc(float32, 128, [-1] * 128)
        yield array
        Adds(dst, src, 0.5, *arguments)
        PipeBarrier(PIPE_ALL)
        DataCopy(gm(array), dst, 128)

    clean(kernel)


def test_holes_that_nobody_reads():
    array = np.zeros(128, np.float32)

    def kernel(core):
        src = core.alloc(float32, 128, range(128))
        dst = core.alloc(float32, 128, [-1] * 128)
        yield array
        Adds(dst, src, 0.5, 36, 2, (1, 1, 8, 8))
        Adds(dst, dst, 0.5, 36, 1, (1, 1, 8, 8))
        PipeBarrier(PIPE_ALL)
        DataCopy(gm(array), dst, 32)

    clean(kernel)


def test_holes_that_are_filled_first():
    array = np.zeros(128, np.float32)

    def kernel(core):
        src = core.alloc(float32, 128, range(128))
        dst = core.alloc(float32, 128, [-1] * 128)
        yield array
        Adds(dst, src, 0.5, 36, 2, (1, 1, 8, 8))
        Adds(dst, src, 0.5, [~((1 << 36) - 1) & (1 << 64) - 1, 0], 2, (1, 1, 8, 8))
        PipeBarrier(PIPE_ALL)
        DataCopy(gm(array), dst, 128)

    clean(kernel)
