"""Blocks of a launch: they wait for each other, and write to one global memory."""

import numpy as np
import pytest

from ascend_sim import (
    EVENT_ID0,
    NPU,
    PIPE_ALL,
    Adds,
    CrossCoreSetFlag,
    CrossCoreWaitFlag,
    DataCopy,
    Duplicate,
    GetBlockIdx,
    GetBlockNum,
    GlobalTensor,
    HardEvent,
    KernelError,
    LocalTensor,
    PipeBarrier,
    SetAtomicAdd,
    SetFlag,
    SyncAll,
    TPosition,
    WaitFlag,
    float32,
    half,
    kernel,
)


def order(event, number=EVENT_ID0):
    SetFlag(event, number)
    WaitFlag(event, number)


class TestBlocksThatWait:
    def test_sync_all_lets_every_block_see_what_the_others_wrote(self):
        @kernel
        def exchange(scratch, out):
            own = LocalTensor(float32, TPosition.VECCALC, 0, 8)
            Duplicate(own, GetBlockIdx() + 1, 8)
            order(HardEvent.V_MTE3)
            DataCopy(gm_of_address(scratch, GetBlockIdx() * 8), own, 8)
            SyncAll()
            other = LocalTensor(float32, TPosition.VECCALC, 32, 8)
            DataCopy(other, gm_of_address(scratch, (GetBlockIdx() + 1) % 4 * 8), 8)
            order(HardEvent.MTE2_MTE3)
            DataCopy(gm_of_address(out, GetBlockIdx() * 8), other, 8)

        def gm_of_address(address, offset):
            tensor = GlobalTensor(float32)
            tensor.SetGlobalBuffer(address + offset, 8)
            return tensor

        for dma in ("eager", "late"):
            scratch, out = np.zeros(32, np.float32), np.zeros(32, np.float32)
            report = NPU(dma=dma).launch(exchange, 4, scratch, out)
            assert report.findings == []
            assert out.reshape(4, 8)[:, 0].tolist() == [2, 3, 4, 1]

    def test_a_block_that_does_not_come_is_a_deadlock(self):
        @kernel
        def one_leaves(_):
            if GetBlockIdx() != 2:
                SyncAll()

        with pytest.raises(KernelError) as caught:
            NPU(check="off").launch(one_leaves, 3, 0)
        assert caught.value.finding.code == "deadlock"
        assert "SyncAll; 1 more blocks wait" in caught.value.finding.message
        assert caught.value.finding.line is not None

    def test_flags_between_cores(self):
        seen = []

        @kernel
        def ring(_):
            CrossCoreSetFlag(3)
            seen.append(("set", GetBlockIdx()))
            CrossCoreWaitFlag(3)
            seen.append(("passed", GetBlockIdx()))

        NPU().launch(ring, 3, 0)
        assert seen[:3] == [("set", 0), ("set", 1), ("set", 2)]
        assert sorted(seen[3:]) == [("passed", 0), ("passed", 1), ("passed", 2)]

    def test_an_error_in_one_block_stops_the_others(self):
        reached = []

        @kernel
        def fails(_):
            reached.append(GetBlockIdx())
            SyncAll()
            if GetBlockIdx() == 1:
                x = LocalTensor(half, TPosition.VECCALC, 0, 16)
                Adds(x, x[1:], 1, 4)
            reached.append(10 + GetBlockIdx())

        with pytest.raises(KernelError) as caught:
            NPU().launch(fails, 3, 0)
        assert caught.value.finding.core == 1
        assert 11 not in reached


class TestBytesOfTwoCores:
    def test_two_cores_on_the_same_bytes(self):
        @kernel
        def overlapping(out):
            x = LocalTensor(float32, TPosition.VECCALC, 0, 16)
            Duplicate(x, GetBlockIdx(), 16)
            order(HardEvent.V_MTE3)
            tensor = GlobalTensor(float32)
            tensor.SetGlobalBuffer(out + 8 * GetBlockIdx(), 16)
            DataCopy(tensor, x, 16)

        report = NPU().launch(overlapping, 3, np.zeros(32, np.float32))
        assert [(f.code, f.core, f.address) for f in report.findings] == [
            ("multicore-overlap", 1, 32),
            ("multicore-overlap", 2, 64),
        ]

    @pytest.mark.parametrize("trace", [True, 2, False])
    def test_the_values_of_both_cores_are_told_however_much_is_traced(self, trace):
        report = NPU(trace=trace).launch(store_block_number, 2, np.zeros(16, np.float32), 8, False)
        (finding,) = report.findings
        assert "element 0 is 0.0 from core 0 and 1.0 from core 1" in finding.message

    def test_equal_values_are_told_as_such(self):
        report = NPU().launch(store_block_number, 2, np.zeros(16, np.float32), 0, False)
        (finding,) = report.findings
        assert "written by core 0 too; both wrote the same values." in finding.message

    def test_what_SyncAll_separates_is_in_order(self):
        @kernel
        def in_turn(out):
            for block in range(GetBlockNum()):
                if block == GetBlockIdx():
                    store_block_number(out, 8, False)
                SyncAll()

        z = np.zeros(16, np.float32)
        assert not NPU().launch(in_turn, 3, z).findings
        assert (z[:8] == 2).all()

    def test_only_atomics_among_themselves_are_in_no_order(self):
        assert not NPU().launch(store_block_number, 2, np.zeros(16, np.float32), 8, True).findings

        @kernel
        def first_clears(out):
            store_block_number(out, 8, GetBlockIdx() > 0)

        report = NPU().launch(first_clears, 3, np.zeros(16, np.float32))
        assert {(f.code, f.core) for f in report.findings} == {("multicore-overlap", 1), ("multicore-overlap", 2)}

    def test_interleaved_columns_do_not_overlap(self):
        @kernel
        def columns(out):
            x = LocalTensor(float32, TPosition.VECCALC, 0, 32)
            Duplicate(x, GetBlockIdx(), 32)
            order(HardEvent.V_MTE3)
            tensor = GlobalTensor(float32)
            tensor.SetGlobalBuffer(out + 8 * GetBlockIdx())
            DataCopy(tensor, x, (4, 1, 0, 1))

        z = np.zeros((4, 16), np.float32)
        assert not NPU().launch(columns, 2, z).findings
        assert (z == [0] * 8 + [1] * 8).all()

    def test_a_refused_copy_wrote_nothing(self):
        @kernel
        def first_fails(out):
            x = LocalTensor(float32, TPosition.VECCALC, 0, 8)
            tensor = GlobalTensor(float32)
            tensor.SetGlobalBuffer(out)
            if GetBlockIdx() == 0:
                with pytest.raises(KernelError, match="uninitialised-read"):
                    DataCopy(tensor, x, 8)
            else:
                store_block_number(out, 8, False)

        report = NPU().launch(first_fails, 2, np.zeros(8, np.float32))
        assert [f.code for f in report.findings] == ["uninitialised-read"]

    def test_a_flag_orders_what_its_block_did_before_it(self):
        def orders(before):
            @kernel
            def flags(out):
                if GetBlockIdx() == 0:
                    if before:
                        store_block_number(out, 8, False)
                    CrossCoreSetFlag(0)
                    if not before:
                        store_block_number(out, 8, False)
                else:
                    CrossCoreSetFlag(0)
                    CrossCoreWaitFlag(0)
                    store_block_number(out, 8, False)

            return not NPU().launch(flags, 2, np.zeros(8, np.float32)).findings

        assert orders(before=True)
        assert not orders(before=False)

    def test_the_values_are_those_of_the_two_cores(self):
        @kernel
        def twice(out):
            store_block_number(out, 8, False)
            if GetBlockIdx() == 1:
                PipeBarrier(PIPE_ALL)
                store_block_number(out, 72, False)

        first, *_ = NPU().launch(twice, 2, np.zeros(8, np.float32)).findings
        assert "element 0 is 0.0 from core 0 and 1.0 from core 1" in first.message


class TestReadsOfAnotherCore:
    @staticmethod
    def neighbours(shared, out, reads_first, ordered):
        """Each block writes eight floats and reads those of the next block."""
        block = GetBlockIdx()
        x = LocalTensor(float32, TPosition.VECCALC, 0, 8)
        whole, result = GlobalTensor(float32), GlobalTensor(float32)
        whole.SetGlobalBuffer(shared)
        result.SetGlobalBuffer(out)
        for write in (False, True) if reads_first else (True, False):
            if write:
                Duplicate(x, block + 1.0, 8)
                order(HardEvent.V_MTE3)
                DataCopy(whole[8 * block :], x, 8)
            else:
                DataCopy(x, whole[8 * ((block + 1) % GetBlockNum()) :], 8)
                order(HardEvent.MTE2_MTE3)
                DataCopy(result[8 * block :], x, 8)
            PipeBarrier(PIPE_ALL)
            if ordered:
                SyncAll()

    @pytest.mark.parametrize("reads_first", [False, True])
    def test_without_SyncAll_they_race(self, reads_first):
        shared, out = np.zeros((2, 32), np.float32)
        report = NPU(check="record").launch(self.neighbours, 4, shared, out, reads_first, False)
        assert {f.code for f in report.findings} == {"race"}
        last = report.findings[-1]  # the last block meets the first one
        verbs = ("writes", "reads") if reads_first else ("reads", "writes")
        assert f"core 3 {verbs[0]} GM bytes" in last.message
        assert f"{verbs[1]} (DataCopy), and nothing orders the two" in last.message
        assert last.related[0].line != last.line
        with pytest.raises(KernelError, match="race"):
            NPU().launch(self.neighbours, 4, np.zeros(32, np.float32), out, reads_first, False)

    @pytest.mark.parametrize("reads_first", [False, True])
    def test_with_SyncAll_they_do_not(self, reads_first):
        shared, out = np.zeros((2, 32), np.float32)
        assert not NPU().launch(self.neighbours, 4, shared, out, reads_first, True).findings
        assert out[::8].tolist() == ([0] * 4 if reads_first else [2, 3, 4, 1])


def test_blocks_that_wait_for_each_other_need_a_core_each():
    @kernel
    def waits(_):
        SyncAll()

    NPU().launch(waits, 48, 0)
    with pytest.raises(
        KernelError, match="block 48 has no core: core 0 runs block 0, which waits at SyncAll"
    ) as caught:
        NPU().launch(waits, 49, 0)
    assert caught.value.finding.code == "deadlock"


def store_block_number(out, factor, atomic):
    """Eight floats at the start of `out`: 0 for `factor` 0, else 0 for block 0, 1 for block 1 and so on."""
    x = LocalTensor(float32, TPosition.VECCALC, 0, 8)
    Duplicate(x, GetBlockIdx() * factor / 8, 8)
    order(HardEvent.V_MTE3)
    tensor = GlobalTensor(float32)
    tensor.SetGlobalBuffer(out)
    if atomic:
        SetAtomicAdd(float32)
    DataCopy(tensor, x, 8)
