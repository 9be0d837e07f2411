"""TPipe, TQue, TBuf, TBufPool, LocalMemAllocator: where buffers lie, who owns them, and the flags of queues."""

import numpy as np
import pytest

from ascend_sim import (
    NPU,
    Adds,
    DataCopy,
    Duplicate,
    GlobalTensor,
    KernelError,
    LocalMemAllocator,
    TBuf,
    TBufPool,
    TPipe,
    TPosition,
    TQue,
    float32,
    half,
    int32_t,
)

VECIN, VECOUT, VECCALC = TPosition.VECIN, TPosition.VECOUT, TPosition.VECCALC


def refused(code, words=""):
    return pytest.raises(KernelError, match=f"{code}.*{words}")


class TestPlaces:
    def test_the_example_of_the_allocation_rules(self):
        with NPU().core():
            pipe, q_in, q_out, buf = TPipe(), TQue(VECIN, 2), TQue(VECOUT, 1), TBuf(VECCALC)
            pipe.InitBuffer(q_in, 2, 1000)
            pipe.InitBuffer(q_out, 1, 64)
            pipe.InitBuffer(buf, 100)
            first, second, out = q_in.AllocTensor(half), q_in.AllocTensor(half), q_out.AllocTensor(float32)
            assert [t.GetPhyAddr() for t in (first, second, out, buf.Get(int32_t))] == [0, 1024, 2048, 2112]
            assert [t.GetSize() for t in (first, out, buf.Get(int32_t), buf.Get(half, 5))] == [512, 16, 32, 5]
            for queue, tensor in ((q_in, first), (q_in, second), (q_out, out)):
                queue.FreeTensor(tensor)

    def test_too_much_lists_what_is_there_and_what_fits(self):
        with NPU().core():
            pipe, queue = TPipe(), TQue(VECIN, 2)
            pipe.InitBuffer(TBuf(VECCALC), 1024)
            with pytest.raises(KernelError) as caught:
                pipe.InitBuffer(queue, 2, 100 * 1024)
        finding = caught.value.finding
        assert finding.code == "ub-capacity"
        assert "2 x 102400 B for a TQue are 204800 bytes" in finding.message
        assert "196608 bytes (1572864 bits) of ascend910b" in finding.message
        assert "0x00000 1024 B TBuf" in finding.message
        assert "At most 2 x 97792 bytes fit" in finding.message

    def test_sixty_four_buffers_are_the_limit(self):
        with NPU().core():
            pipe = TPipe()
            pipe.InitBuffer(TQue(VECIN, 1), 64, 32)
            with refused("ub-capacity", "at most 64"):
                pipe.InitBuffer(TBuf(VECCALC), 32)

    def test_a_pool_cuts_its_own_region(self):
        with NPU().core():
            pipe, pool, one, two = TPipe(), TBufPool(VECCALC), TBuf(VECCALC), TBuf(VECCALC)
            pipe.InitBuffer(TBuf(VECCALC), 64)
            pipe.InitBuffer(pool, 128)
            pool.InitBuffer(one, 64)
            pool.InitBuffer(two, 64)
            assert [b.Get(half).GetPhyAddr() for b in (one, two)] == [64, 128]
            with refused("ub-capacity"):
                pool.InitBuffer(TBuf(VECCALC), 32)

    def test_an_allocator_starts_at_zero(self):
        with NPU().core():
            allocator = LocalMemAllocator()
            assert [allocator.Alloc(half, n).GetPhyAddr() for n in (10, 10)] == [0, 32]
            with refused("ub-capacity", "At most 98272 elements fit"):
                allocator.Alloc(half, 100000)


class TestOwnership:
    @staticmethod
    def queue(depth=1, num=1, position=VECIN):
        queue = TQue(position, depth)
        TPipe().InitBuffer(queue, num, 64)
        return queue

    def test_buffers_come_in_turn(self):
        with NPU().core():
            queue = self.queue(num=2)
            addresses = []
            for _ in range(4):
                tensor = queue.AllocTensor(half)
                addresses.append(tensor.GetPhyAddr())
                queue.FreeTensor(tensor)
        assert addresses == [0, 64, 0, 64]

    def test_no_free_buffer(self):
        with NPU(check="off").core(), refused("queue-state", "buffer 0 allocated"):
            queue = self.queue()
            queue.AllocTensor(half)
            queue.AllocTensor(half)

    def test_dequeue_of_nothing(self):
        with NPU().core(), refused("queue-state", "the queue is empty"):
            self.queue().DeQue(half)

    def test_a_foreign_tensor(self):
        with NPU().core() as core, refused("queue-state", "none of this queue's buffers"):
            self.queue().EnQue(core.alloc(half, 16, addr=4096))

    def test_more_than_the_depth(self):
        with NPU().core(), refused("queue-state", "depth 1 and holds 1"):
            queue = self.queue(num=2)
            queue.EnQue(queue.AllocTensor(half))
            queue.EnQue(queue.AllocTensor(half))

    def test_free_twice(self):
        with NPU().core(), refused("double-free"):
            queue = self.queue()
            tensor = queue.AllocTensor(half)
            queue.FreeTensor(tensor)
            queue.FreeTensor(tensor)

    def test_free_what_is_still_queued(self):
        with NPU().core(), refused("queue-state", "still in the queue"):
            queue = self.queue()
            tensor = queue.AllocTensor(half)
            queue.EnQue(tensor)
            queue.FreeTensor(tensor)

    def test_a_tensor_that_is_never_freed(self):
        with NPU().core() as core:
            self.queue().AllocTensor(half)
        (finding,) = core.findings
        assert (finding.code, finding.severity) == ("buffer-leak", "warning")
        assert "still allocated" in finding.message
        assert finding.file == __file__

    def test_no_memory_yet(self):
        with NPU().core():
            with refused("queue-state", "InitBuffer"):
                TQue(VECIN, 1).AllocTensor(half)
            with refused("queue-state", "InitBuffer"):
                TBuf(VECCALC).Get(half)


@pytest.mark.parametrize("dma", ["eager", "late"])
@pytest.mark.parametrize("num", [1, 2])
def test_queues_order_the_pipes(dma, num):
    source, out = np.arange(512, dtype=np.float32), np.zeros(512, np.float32)
    with NPU(dma=dma).core() as core:
        gm_in, gm_out = GlobalTensor(float32), GlobalTensor(float32)
        gm_in.SetGlobalBuffer(source)
        gm_out.SetGlobalBuffer(out)
        pipe, q_in, q_out = TPipe(), TQue(VECIN, num), TQue(VECOUT, num)
        pipe.InitBuffer(q_in, num, 256)
        pipe.InitBuffer(q_out, num, 256)
        for at in range(0, 512, 64):
            x = q_in.AllocTensor(float32)
            DataCopy(x, gm_in[at:], 64)
            q_in.EnQue(x)
            x = q_in.DeQue(float32)
            y = q_out.AllocTensor(float32)
            Adds(y, x, 1, 64)
            q_in.FreeTensor(x)
            q_out.EnQue(y)
            y = q_out.DeQue(float32)
            DataCopy(gm_out[at:], y, 64)
            q_out.FreeTensor(y)
    assert core.findings == []
    np.testing.assert_array_equal(out, source + 1)


def test_without_the_queue_the_same_copies_race():
    with NPU(check="record").core() as core:
        gm = GlobalTensor(float32)
        gm.SetGlobalBuffer(np.zeros(64, np.float32))
        queue = TQue(VECOUT, 1)
        TPipe().InitBuffer(queue, 1, 256)
        x = queue.AllocTensor(float32)
        Duplicate(x, 1, 64)
        DataCopy(gm, x, 64)
        queue.FreeTensor(x)
    assert [f.code for f in core.findings] == ["race"]


def test_a_queue_says_whether_it_holds_tensors_and_takes_another():
    with NPU().core():
        pipe, queue = TPipe(), TQue(VECIN, 2)
        pipe.InitBuffer(queue, 2, 256)
        assert (queue.HasTensorInQue(), queue.VacantInQue()) == (False, True)
        tensors = [queue.AllocTensor(half) for _ in range(2)]
        for tensor, vacant in zip(tensors, (True, False), strict=True):
            queue.EnQue(tensor)
            assert (queue.HasTensorInQue(), queue.VacantInQue()) == (True, vacant)
        for _ in tensors:
            queue.FreeTensor(queue.DeQue(half))
        assert (queue.HasTensorInQue(), queue.VacantInQue()) == (False, True)
