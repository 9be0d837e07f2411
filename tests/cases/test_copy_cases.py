"""Kernels from public bug reports about copies and padding. Numbers of spec 06."""

import numpy as np
import pytest

from ascend_sim import (
    NPU,
    PIPE_ALL,
    Adds,
    DataCopy,
    DataCopyExtParams,
    DataCopyPad,
    DataCopyPadExtParams,
    Duplicate,
    GetBlockIdx,
    GlobalTensor,
    LocalTensor,
    PipeBarrier,
    ReduceSum,
    TPipe,
    TPosition,
    TQue,
    float32,
    half,
    int32_t,
)
from tests.helpers import clean, fires, refused_in_every_mode, remarks, run


def gm(array, dtype=half):
    tensor = GlobalTensor(dtype)
    tensor.SetGlobalBuffer(array)
    return tensor


class TestC14LengthIsRoundedDown:
    """DataCopy moves whole blocks: what does not fill one stays behind, silently on a card."""

    @pytest.mark.parametrize(("count", "arrives"), [(11, 0), (20, 16)])
    def test_wrong(self, count, arrives):
        def kernel(core):
            x = core.alloc(half, 32, [-1] * 32)
            yield x
            DataCopy(x, gm(np.arange(32, dtype=np.float16)), count)  # fires

        result = fires(kernel, "copy-length", instruction="DataCopy", words=(f"{count * 2} bytes", "32"))
        assert result.values[0].tolist() == [*range(arrives), *[-1] * (32 - arrives)]

    @pytest.mark.parametrize("count", [11, 20])
    def test_right(self, count):
        def kernel(core):
            x = core.alloc(half, 32, [-1] * 32)
            yield x
            DataCopyPad(x, gm(np.arange(32, dtype=np.float16)), DataCopyExtParams(1, count * 2, 0, 0, 0))

        assert clean(kernel).values[0][:count].tolist() == [*range(count)]


NOT_PADDED = DataCopyPadExtParams(False, 0, 0, 0)
PADDED_WITH_ZERO = DataCopyPadExtParams(True, 0, 5, 0.0)
PADDED_WITH_WHATEVER = DataCopyPadExtParams(False, 0, 5, 0)


class TestC15FillerInAReduction:
    """11 halves fill 22 of 32 bytes. What stands in the other 10 depends on the padding that was asked for."""

    @staticmethod
    def kernel_for(pad, count):
        def kernel(core):
            x = core.alloc(half, 16)
            d = core.alloc(half, 16)
            work = core.alloc(half, 128)
            DataCopyPad(x, gm(np.arange(1, 12, dtype=np.float16)), DataCopyExtParams(1, 22, 0, 0, 0), pad)
            PipeBarrier(PIPE_ALL)
            yield d
            ReduceSum(d, x, work, count=count)  # fires

        return kernel

    def test_without_padding_the_first_element_is_repeated(self):
        result = remarks(self.kernel_for(NOT_PADDED, 16), "pad-read", "warning", instruction="ReduceSum", lane=11)
        assert result.values[0][0] == 71

    def test_padded_with_zero(self):
        assert clean(self.kernel_for(PADDED_WITH_ZERO, 16)).values[0][0] == 66

    def test_padding_without_a_value_is_random(self):
        fires(self.kernel_for(PADDED_WITH_WHATEVER, 16), "uninitialised-read", instruction="ReduceSum", lane=11)

    @pytest.mark.parametrize("pad", [NOT_PADDED, PADDED_WITH_ZERO, PADDED_WITH_WHATEVER])
    def test_right(self, pad):
        assert clean(self.kernel_for(pad, 11)).values[0][0] == 66


def test_c17_row_pitch_is_whole_blocks():
    """Rows of 8 floats meant to be 12 apart: (12 - 8) * 4 bytes are no whole block, so the stride became 0."""
    rows = np.arange(24, dtype=np.float32)

    def kernel(core):
        x = core.alloc(float32, 24)
        yield x
        DataCopyPad(x, gm(rows, float32), DataCopyExtParams(2, 32, 16, 0, 0))

    result = clean(kernel)
    x = result.values[0]
    assert (x[8], x[12]) == (rows[12], rows[16])  # where the author looks for x[12] == rows[12]
    assert (result.states[0] == "written").tolist() == [True] * 16 + [False] * 8


class TestC19TailTramplesTheNeighbour:
    """Two cores with 10 floats each round up to 16: one writes into the other's part, the other past the end."""

    @staticmethod
    def rounded_up(z):
        y = LocalTensor(float32, TPosition.VECOUT, 0, 16)
        Duplicate(y, GetBlockIdx() + 1.0, 16)
        PipeBarrier(PIPE_ALL)
        DataCopy(gm(z, float32)[10 * GetBlockIdx() :], y, 16)

    @staticmethod
    def padded(z):
        y = LocalTensor(float32, TPosition.VECOUT, 0, 16)
        Duplicate(y, GetBlockIdx() + 1.0, 10)
        PipeBarrier(PIPE_ALL)
        DataCopyPad(gm(z, float32)[10 * GetBlockIdx() :], y, DataCopyExtParams(1, 40, 0, 0, 0))

    def test_strict(self):
        z = np.zeros(20, np.float32)
        with pytest.raises(Exception, match="out-of-bounds-write") as caught:
            NPU().launch(self.rounded_up, 2, z)
        assert (caught.value.finding.core, caught.value.finding.address) == (1, 80)
        assert "80 bytes" in caught.value.finding.message
        assert z[:16].tolist() == [1] * 16

    def test_both_faults_are_told(self):
        z = np.zeros(20, np.float32)
        report = NPU(check="record").launch(self.rounded_up, 2, z)
        assert [f.code for f in report.findings] == ["out-of-bounds-write", "multicore-overlap"]
        assert z.tolist() == [1] * 16 + [0] * 4  # past memory nothing is executed

    def test_neighbours_overlap(self):
        z = np.zeros(32, np.float32)  # room for the tail of the second core
        report = NPU().launch(self.rounded_up, 2, z)
        (finding,) = report.findings
        assert (finding.code, finding.severity, finding.core) == ("multicore-overlap", "warning", 1)
        assert "40..63" in finding.message
        assert "element 10 is 1.0 from core 0 and 2.0 from core 1" in finding.message
        assert [site.line for site in finding.related] == [finding.line]

    def test_right(self):
        z = np.zeros(20, np.float32)
        assert NPU().launch(self.padded, 2, z).findings == []
        assert z.tolist() == [1] * 10 + [2] * 10


class TestC20BuffersExceedUb:
    """Two buffers of 100 KiB do not fit in 192 KiB: the message lists what is there and what would fit."""

    def test_wrong(self):
        def kernel(core):
            pipe, queue, small = TPipe(), TQue(TPosition.VECIN, 2), TQue(TPosition.VECOUT, 2)
            pipe.InitBuffer(small, 1, 64)
            yield core.alloc(half, 16)
            pipe.InitBuffer(queue, 2, 100 * 1024)  # fires

        words = ("204800", "196608", "1572864 bits", "TQue", "0x00000 64 B", "At most 2 x 98272 bytes")
        refused_in_every_mode(kernel, "ub-capacity", words=words)

    def test_right(self):
        def kernel(core):
            pipe, queue = TPipe(), TQue(TPosition.VECIN, 2)
            pipe.InitBuffer(queue, 2, 98304)
            x = queue.AllocTensor(half)
            yield x
            Duplicate(x, 1.0, 49152)
            queue.FreeTensor(x)

        clean(kernel)


def test_m2_small_copy_out_leaves_its_neighbours():
    """DataCopyPad of 4 bytes writes 4 bytes: the filler of the block is dropped on the way out."""
    array = np.full(16, 9, np.int32)

    def kernel(core):
        x = core.alloc(int32_t, 8, [7])
        yield x
        DataCopyPad(gm(array, int32_t)[5:], x, DataCopyExtParams(1, 4, 0, 0, 0))

    assert run(kernel, "raise").findings == []
    assert array.tolist() == [9] * 5 + [7] + [9] * 10


def test_m6_copy_pad_goes_both_ways():
    """DataCopyPad is not only for the way in."""
    source, target = np.arange(5, dtype=np.float16), np.zeros(5, np.float16)

    def kernel(core):
        x = core.alloc(half, 16)
        yield x
        DataCopyPad(x, gm(source), DataCopyExtParams(1, 10, 0, 0, 0), NOT_PADDED)
        PipeBarrier(PIPE_ALL)
        Adds(x, x, 1.0, 5)
        PipeBarrier(PIPE_ALL)
        DataCopyPad(gm(target), x, DataCopyExtParams(1, 10, 0, 0, 0))

    clean(kernel)
    assert target.tolist() == [1, 2, 3, 4, 5]
