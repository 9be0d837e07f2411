"""`stale-read`: a byte that was written, but not in this launch."""

import numpy as np

from ascend_sim import PIPE_ALL, Adds, DataCopy, GlobalTensor, PipeBarrier, half
from tests.helpers import clean, remarks


def leave_seven(core):
    dst = core.alloc(half, 128, [7.0] * 128, addr=256)
    yield dst


def gm(array):
    tensor = GlobalTensor(half)
    tensor.SetGlobalBuffer(array)
    return tensor


def test_copy_out_of_a_partly_written_tensor():
    array = np.zeros(128, np.float16)

    def kernel(core):
        src = core.alloc(half, 128, range(128))
        dst = core.alloc(half, 128)
        Adds(dst, src, 1.0, 100, 1, (1, 1, 8, 8))
        yield array, dst
        PipeBarrier(PIPE_ALL)
        DataCopy(gm(array), dst, 128)  # fires

    where = {"instruction": "DataCopy", "operand": "src", "address": 256 + 200, "alias": "ErrorRead2"}
    result = remarks(kernel, "stale-read", "warning", after=leave_seven, **where, words=("DataCopy", "dst"))
    assert result.values[0].tolist() == [*range(1, 101), *[7] * 28]
    assert result.states[0].tolist() == ["written"] * 100 + ["stale"] * 28


def test_active_lane():
    def kernel(core):
        dst = core.alloc(half, 128, addr=256)
        y = core.alloc(half, 128, addr=0)
        yield y
        Adds(y, dst, 1.0, [1 << 20, 0], 1, (1, 1, 8, 8))  # fires

    where = {"instruction": "Adds", "operand": "src", "repeat": 0, "block": 1, "lane": 20, "address": 256 + 40}
    assert remarks(kernel, "stale-read", "warning", after=leave_seven, **where).values[0][20] == 8


def test_written_again_is_fresh():
    array = np.zeros(128, np.float16)

    def kernel(core):
        src = core.alloc(half, 128, range(128))
        dst = core.alloc(half, 128)
        yield array
        Adds(dst, src, 1.0, 128, 1, (1, 1, 8, 8))
        PipeBarrier(PIPE_ALL)
        DataCopy(gm(array), dst, 128)

    clean(kernel, after=leave_seven)


def test_lanes_that_are_masked_off_may_be_stale():
    def kernel(core):
        dst = core.alloc(half, 128, addr=256)
        y = core.alloc(half, 128, range(128), addr=0)
        yield y
        Adds(dst, y, 1.0, 100, 1, (1, 1, 8, 8))
        Adds(y, dst, 1.0, 100, 1, (1, 1, 8, 8))

    clean(kernel, after=leave_seven)
