"""Kernels from public bug reports about pipes, flags and state that outlives its call. Numbers of spec 06."""

import numpy as np
import pytest

from ascend_sim import (
    EVENT_ID0,
    MASK_PLACEHOLDER,
    NPU,
    PIPE_V,
    Adds,
    DataCopy,
    Duplicate,
    GlobalTensor,
    HardEvent,
    KernelError,
    Muls,
    PipeBarrier,
    ResetMask,
    SetFlag,
    SetMaskCount,
    SetMaskNorm,
    SetVectorMask,
    TPipe,
    TPosition,
    TQue,
    WaitFlag,
    float32,
)
from tests.helpers import clean, fires, refused_in_every_mode, remarks, run


def gm(array):
    tensor = GlobalTensor(float32)
    tensor.SetGlobalBuffer(array)
    return tensor


def order(event):
    SetFlag(event, EVENT_ID0)
    WaitFlag(event, EVENT_ID0)


class TestC23MaskStateLeaks:
    """A kernel that leaves counter mode behind changes what the next one on that core computes."""

    @staticmethod
    def leaves(core):
        yield core.alloc(float32, 64)
        SetMaskCount()  # fires
        SetVectorMask(0, 128)

    @staticmethod
    def tidy(core):
        yield core.alloc(float32, 64)
        SetMaskCount()
        SetVectorMask(0, 128)
        SetMaskNorm()
        ResetMask()

    @staticmethod
    def trusts(core):
        a = core.alloc(float32, 256, range(256))
        d = core.alloc(float32, 256, [-1] * 256)
        yield d
        Adds(d, a, 1, MASK_PLACEHOLDER, 4, (1, 1, 8, 8), is_set_mask=False)

    def test_wrong(self):
        remarks(self.leaves, "register-not-reset", "warning", words=("mask mode COUNTER", "128"))
        result = run(self.trusts, "raise", after=self.leaves, keep_registers=True)
        assert result.values[0].tolist() == [*range(1, 129), *[-1] * 128]

    def test_right(self):
        assert run(self.tidy, "raise").findings == []
        for options in ({"after": self.tidy, "keep_registers": True}, {"after": self.leaves}):
            assert clean(self.trusts, **options).values[0].tolist() == [*range(1, 257)]


class TestC32ScalarReadAfterVectorWrite:
    """GetValue does not wait for the vector pipe."""

    def test_wrong(self):
        def kernel(core):
            t = core.alloc(float32, 8, [-7] * 8)
            Duplicate(t, 5.0, count=8)
            yield t
            t.GetValue(0)  # fires

        fires(kernel, "race", instruction="GetValue", operand="src", address=0, alias="ErrorSync2", words=("V_S", "t"))

    def test_right(self):
        read = []

        def kernel(core):
            t = core.alloc(float32, 8, [-7] * 8)
            yield t
            Duplicate(t, 5.0, count=8)
            order(HardEvent.V_S)
            read.append(t.GetValue(0))

        clean(kernel)
        assert read == [5]


class TestC34VectorReadsBeforeTheLoadFinished:
    """A vector instruction does not wait for a copy; a queue or a flag makes it."""

    array = np.full(64, 11, np.float32)

    def broken(self, core):
        x = core.alloc(float32, 64, [99] * 64)
        y = core.alloc(float32, 64)
        DataCopy(x, gm(self.array), 64)
        yield y
        Adds(y, x, 1, count=64)  # fires

    def test_wrong(self):
        result = fires(self.broken, "race", operand="src", address=0, alias="ErrorSync2", words=("MTE2_V",))
        assert result.values[0].tolist() == [12] * 64

    def test_wrong_as_late_as_the_hardware_may(self):
        assert run(self.broken, "record", dma="late").values[0].tolist() == [100] * 64

    @pytest.mark.parametrize("dma", ["eager", "late"])
    @pytest.mark.parametrize("how", ["queue", "flag"])
    def test_right(self, dma, how):
        def kernel(core):
            pipe, queue = TPipe(), TQue(TPosition.VECIN, 1)
            pipe.InitBuffer(queue, 1, 256)
            y = core.alloc(float32, 64, addr=1024)
            yield y
            x = queue.AllocTensor(float32)
            DataCopy(x, gm(self.array), 64)
            if how == "queue":
                queue.EnQue(x)
                x = queue.DeQue(float32)
            else:
                order(HardEvent.MTE2_V)
            Adds(y, x, 1, count=64)
            queue.FreeTensor(x)

        assert clean(kernel, dma=dma).values[0].tolist() == [12] * 64


class TestC36DependentVectorInstructions:
    """The compiler puts a barrier between them; when that is off, A2 needs it written, and 950 has none."""

    @staticmethod
    def kernel_for(barrier):
        def kernel(core):
            a = core.alloc(float32, 64, range(64))
            b = core.alloc(float32, 64)
            c = core.alloc(float32, 64)
            Adds(b, a, 1, count=64)
            if barrier:
                PipeBarrier(PIPE_V)
            yield c
            Muls(c, b, 2, count=64)  # fires

        return kernel

    def test_wrong(self):
        result = fires(
            self.kernel_for(barrier=False), "race", auto_sync=False, operand="src", words=("Adds", "PipeBarrier")
        )
        assert result.values[0].tolist() == [*range(2, 130, 2)]

    @pytest.mark.parametrize(("barrier", "auto_sync"), [(False, True), (True, True), (True, False)])
    def test_right(self, barrier, auto_sync):
        result = clean(self.kernel_for(barrier), auto_sync=auto_sync)
        assert result.values[0].tolist() == [*range(2, 130, 2)]

    def test_950_is_in_order(self):
        clean(self.kernel_for(barrier=False), product="ascend950", auto_sync=False)

        def kernel(core):
            yield core.alloc(float32, 8)
            PipeBarrier(PIPE_V)  # fires

        refused_in_every_mode(kernel, "unsupported-api", product="ascend950", words=("ascend950", "PIPE_V"))


class TestC37WaitBeforeAnySet:
    """The first round of a ping-pong loop waits for a flag that only its end sets."""

    source = np.arange(128, dtype=np.float32)

    def loop(self, x, out):
        for i in range(2):
            WaitFlag(HardEvent.MTE3_MTE2, EVENT_ID0)  # fires
            DataCopy(x, gm(self.source)[64 * i :], 64)
            order(HardEvent.MTE2_MTE3)
            DataCopy(gm(out)[64 * i :], x, 64)
            SetFlag(HardEvent.MTE3_MTE2, EVENT_ID0)

    def test_wrong(self):
        def kernel(core):
            x = core.alloc(float32, 64)
            yield x
            WaitFlag(HardEvent.MTE3_MTE2, EVENT_ID0)  # fires
            DataCopy(x, gm(self.source), 64)
            SetFlag(HardEvent.MTE3_MTE2, EVENT_ID0)

        words = ("MTE2", "MTE3_MTE2 0", "none")
        refused_in_every_mode(kernel, "deadlock", instruction="WaitFlag", words=words)

    @pytest.mark.parametrize("dma", ["eager", "late"])
    def test_right(self, dma):
        out = np.zeros(128, np.float32)

        def kernel(core):
            x = core.alloc(float32, 64)
            yield x
            SetFlag(HardEvent.MTE3_MTE2, EVENT_ID0)
            self.loop(x, out)
            WaitFlag(HardEvent.MTE3_MTE2, EVENT_ID0)

        clean(kernel, dma=dma)
        assert out.tolist() == self.source.tolist()


class TestC38EventIdReusedWhilePending:
    """The same direction twice is a fault; the same source pipe to another target is contested, and off."""

    def test_same_direction(self):
        def kernel(core):
            yield core.alloc(float32, 8)
            SetFlag(HardEvent.MTE3_V, 2)
            SetFlag(HardEvent.MTE3_V, 2)  # fires
            WaitFlag(HardEvent.MTE3_V, 2)

        fires(kernel, "event-duplicate", instruction="SetFlag", alias="ErrorSync4", words=("MTE3_V 2",))

    @staticmethod
    def shared(core):
        yield core.alloc(float32, 8)
        SetFlag(HardEvent.MTE3_V, 2)
        SetFlag(HardEvent.MTE3_MTE2, 2)  # fires
        WaitFlag(HardEvent.MTE3_V, 2)
        WaitFlag(HardEvent.MTE3_MTE2, 2)

    def test_same_source(self):
        assert run(self.shared, "raise").findings == []
        words = ("MTE3_V 2", "MTE3_MTE2 2")
        remarks(self.shared, "event-shared-source", "warning", enable=["event-shared-source"], words=words)

    def test_right(self):
        def kernel(core):
            yield core.alloc(float32, 8)
            SetFlag(HardEvent.MTE3_V, 2)
            WaitFlag(HardEvent.MTE3_V, 2)
            SetFlag(HardEvent.MTE3_V, 2)
            SetFlag(HardEvent.MTE3_MTE2, 3)
            WaitFlag(HardEvent.MTE3_V, 2)
            WaitFlag(HardEvent.MTE3_MTE2, 3)

        assert run(kernel, "raise", enable=["event-shared-source"]).findings == []


class TestC39SetWithoutWait:
    """A flag that is still set at the end lets the next kernel's first wait pass too early."""

    @staticmethod
    def leaves(core):
        yield core.alloc(float32, 8)
        SetFlag(HardEvent.S_MTE3, EVENT_ID0)  # fires

    @staticmethod
    def first_wait(core):
        yield core.alloc(float32, 8)
        WaitFlag(HardEvent.S_MTE3, EVENT_ID0)

    def test_wrong(self):
        remarks(self.leaves, "unpaired-flag", "warning", alias="ErrorSync3", words=("S_MTE3", "0"))
        kept = NPU(keep_registers=True)
        with kept.core() as core:
            list(self.leaves(core))
        with kept.core() as core:
            list(self.first_wait(core))  # passes

    def test_right(self):
        def kernel(core):
            yield core.alloc(float32, 8)
            order(HardEvent.S_MTE3)

        npu = NPU()
        with npu.core() as core:
            list(kernel(core))
        assert core.findings == []
        with pytest.raises(KernelError, match="deadlock"), npu.core() as core:
            list(self.first_wait(core))
