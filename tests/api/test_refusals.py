"""A call that is refused changes nothing, and what cannot be meant is refused by name."""

import numpy as np
import pytest

from ascend_sim import (
    NPU,
    DataCopy,
    DataCopyPad,
    Duplicate,
    GlobalTensor,
    HardEvent,
    KernelError,
    LocalTensor,
    SetAtomicAdd,
    SetDeqScale,
    SetFlag,
    TPipe,
    TPosition,
    TQue,
    VdeqInfo,
    WaitFlag,
    explain,
    float32,
    half,
    int16_t,
    lane_map,
    uint64_t,
)


def gm_of(array, dtype):
    tensor = GlobalTensor(dtype)
    tensor.SetGlobalBuffer(array)
    return tensor


def test_a_padded_copy_that_is_refused_leaves_the_filler():
    with NPU().core() as core:
        x, source = core.alloc(float32, 64), gm_of(np.zeros(8, np.float32), float32)
        with pytest.raises(KernelError, match="out-of-bounds-read"):
            DataCopyPad(x, source, (1, 64, 0, 0, 0), (True, 0, 1, 7.0))
        assert core.machine.pad_value is None
        DataCopyPad(x, source, (1, 28, 0, 0, 0), (True, 0, 1, 7.0))
        assert core.machine.pad_value == np.float32(7).tobytes()
        assert x.numpy()[7] == 7


def test_a_type_that_is_none_leaves_the_queue():
    with NPU().core():
        queue = TQue(TPosition.VECIN, 1)
        TPipe().InitBuffer(queue, 1, 256)
        with pytest.raises(TypeError, match="'nope' is not an AscendC element type"):
            queue.AllocTensor("nope")
        queue.FreeTensor(queue.AllocTensor(half))


def test_values_that_do_not_fit_take_no_room():
    with NPU().core() as core:
        with pytest.raises(ValueError, match="9 values do not fit in a tensor of 8 elements"):
            core.alloc(float32, 8, [1.0] * 9)
        assert core.alloc(float32, 8).address == 0
        assert len(core.tensors) == 1


def test_a_flag_that_a_failing_launch_consumed_stays_consumed():
    npu = NPU(keep_registers=True)
    with npu.core():
        SetFlag(HardEvent.MTE2_V, 0)

    def consume_and_fail(_):
        WaitFlag(HardEvent.MTE2_V, 0)
        WaitFlag(HardEvent.MTE2_V, 1)

    with pytest.raises(KernelError, match="MTE2_V 1"):
        npu.launch(consume_and_fail, 1, 0)
    with pytest.raises(KernelError, match="deadlock"), npu.core():
        WaitFlag(HardEvent.MTE2_V, 0)


def test_adding_moves_whole_elements():
    with NPU().core() as core:
        x = core.alloc(int16_t, 16, 1)
        SetAtomicAdd(float32)
        with pytest.raises(KernelError, match="SetAtomicAdd is on for float32, and bursts of 6 bytes are no whole"):
            DataCopyPad(gm_of(np.zeros(16, np.int16), int16_t), x, (1, 6, 0, 0, 0))


def test_the_entries_of_a_scale_fit_in_their_tensor():
    with NPU("ascend310p").core() as core:
        table = core.alloc(uint64_t, 8)
        with pytest.raises(KernelError, match="16 entries of 8 bytes do not fit in a tensor of 64 bytes"):
            SetDeqScale(table, VdeqInfo([1.0] * 16, [0] * 16, [False] * 16))


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_a_matrix_is_memory_like_any_array():
    matrix = np.asmatrix(np.zeros((2, 8), np.float32))
    with NPU().core() as core:
        x = core.alloc(float32, 16, np.arange(16))
        DataCopy(gm_of(matrix, float32), x, 16)
    assert np.asarray(matrix).ravel().tolist() == list(range(16))


def test_an_element_that_is_none_was_written_by_nobody():
    with NPU().core() as core:
        x = core.alloc(float32, 64)
        Duplicate(x, 1.0, 64)
        for index in (64, -1):
            with pytest.raises(IndexError, match=f"element {index} of a tensor of 64 elements"):
                core.who_wrote(x, index)
        assert core.who_wrote(x, 63) is not None


def test_what_views_are_asked_about():
    with pytest.raises(TypeError, match="an entry of a trace"):
        lane_map("Adds")
    with pytest.raises(TypeError, match="'float' is not an AscendC element type"):
        explain("Adds", dtype="float", count=4)


def test_an_index_past_the_end_says_so():
    with NPU().core() as core:
        x: LocalTensor = core.alloc(float32, 64, 1.0)
        with pytest.raises(KernelError, match="The index is past the end: elements are counted from 0"):
            x.GetValue(64)
