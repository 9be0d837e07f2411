"""Pipes: races and the flags that prevent them, late copies, barriers that the compiler inserts, blocks that wait."""

import numpy as np
import pytest

from ascend_sim import (
    EVENT_ID0,
    EVENT_ID1,
    NPU,
    PIPE_ALL,
    PIPE_MTE2,
    PIPE_V,
    Add,
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
    Muls,
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


def gm_of(array, dtype=float32):
    tensor = GlobalTensor(dtype)
    tensor.SetGlobalBuffer(array)
    return tensor


def codes(core):
    return [f.code for f in core.findings]


class TestRaces:
    def test_views_of_one_array_share_its_bytes(self):
        array = np.zeros(64, np.float32)
        with NPU(check="record", ub_fill="zero").core() as core:
            x, y = core.alloc(float32, 64, 1.0), core.alloc(float32, 8)
            DataCopy(gm_of(array), x, 64)
            DataCopy(y, gm_of(array[8:]), 8)
        (finding,) = core.findings
        assert "pipe MTE2 reads GM bytes 0x0000..0x001F, which pipe MTE3 may not have written yet" in finding.message

    def test_a_missing_flag_is_reported_with_both_sides(self):
        source = np.arange(64, dtype=np.float32)
        with NPU(check="record").core() as core:
            x, y = core.alloc(float32, 64, name="x"), core.alloc(float32, 64)
            DataCopy(x, gm_of(source), 64)
            Adds(y, x, 1, 64)
        (finding,) = core.findings
        assert (finding.code, finding.operand, finding.instruction) == ("race", "src", "Adds")
        assert "pipe V reads UB bytes 0x0000..0x00FF, which pipe MTE2 may not have written yet" in finding.message
        assert "HardEvent.MTE2_V" in finding.hint
        assert finding.related[0].line == finding.line - 1

    @pytest.mark.parametrize("dma", ["eager", "late"])
    def test_with_flags_it_is_clean_whenever_copies_happen(self, dma):
        source, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
        with NPU(dma=dma).core() as core:
            x, y = core.alloc(float32, 64), core.alloc(float32, 64)
            DataCopy(x, gm_of(source), 64)
            order(HardEvent.MTE2_V)
            Adds(y, x, 1, 64)
            order(HardEvent.V_MTE3)
            DataCopy(gm_of(out), y, 64)
        assert core.findings == []
        np.testing.assert_array_equal(out, source + 1)

    def test_only_shared_bytes_race(self):
        source = np.arange(64, dtype=np.float32)
        with NPU().core() as core:
            x = core.alloc(float32, 64, 0)
            DataCopy(x, gm_of(source), (4, 1, 1, 1))  # blocks 0, 2, 4, 6
            Adds(x[8:], x[8:], 1, 8)  # block 1
        assert core.findings == []

    def test_masked_off_lanes_do_not_race(self):
        with NPU(check="record").core() as core:
            x, y = core.alloc(float32, 64, 0), core.alloc(float32, 64, 0)
            DataCopy(x[32:], gm_of(np.zeros(32, np.float32)), 32)
            Adds(y, x, 1, [0xFFFFFFFF, 0], 1, (1, 1, 8, 8))
            assert codes(core) == []
            Adds(y, x, 1, [0x1FFFFFFFF, 0], 1, (1, 1, 8, 8))
            assert codes(core) == ["race"]

    def test_a_buffer_used_too_early_races_too(self):
        with NPU(check="record").core() as core:
            x, y = core.alloc(float32, 64, 1), core.alloc(float32, 64)
            Adds(y, x, 1, 64)
            DataCopy(x, gm_of(np.zeros(64, np.float32)), 64)  # the vector pipe may still read x
        (finding,) = core.findings
        assert (finding.code, finding.operand, finding.alias) == ("race", "dst", "ErrorSync1")

    def test_flags_carry_what_their_pipe_had_waited_for(self):
        with NPU().core() as core:
            x, y = core.alloc(float32, 64), core.alloc(float32, 64)
            DataCopy(x, gm_of(np.zeros(64, np.float32)), 64)
            order(HardEvent.MTE2_V)
            Adds(y, x, 1, 64)
            order(HardEvent.V_MTE3)
            DataCopy(gm_of(np.zeros(64, np.float32)), x, 64)  # MTE3 knows MTE2 through V
        assert core.findings == []

    def test_gm_races_between_the_two_copy_pipes(self):
        array = np.zeros(64, np.float32)
        with NPU(check="record").core() as core:
            x, y = core.alloc(float32, 64, 1), core.alloc(float32, 64)
            DataCopy(gm_of(array), x, 64)
            DataCopy(y, gm_of(array)[32:], 32)
        assert codes(core) == ["race"]
        with NPU().core() as core:
            x, y = core.alloc(float32, 64, 1), core.alloc(float32, 64)
            DataCopy(gm_of(array), x, 32)
            DataCopy(y, gm_of(array)[32:], 32)
            order(HardEvent.MTE3_MTE2)
            DataCopy(y, gm_of(array), 32)
        assert core.findings == []

    def test_scalar_reads_need_a_flag(self):
        with NPU(check="record").core() as core:
            t = core.alloc(float32, 8, -7)
            Duplicate(t, 5.0, 8)
            assert t.GetValue(0) == 5
            assert codes(core) == ["race"]
            order(HardEvent.V_S)
            t.GetValue(0)
            assert [f.count for f in core.findings] == [1]

    def test_scalar_writes_need_a_flag(self):
        with NPU(check="record").core() as core:
            t = core.alloc(float32, 8, 0)
            t.SetValue(3, 2.5)
            Adds(t, t, 1, 8)
            assert set(codes(core)) == {"race"}  # t is source and destination
        with NPU().core() as core:
            t = core.alloc(float32, 8, 0)
            t.SetValue(3, 2.5)
            order(HardEvent.S_V)
            Adds(t, t, 1, 8)
        assert t.numpy()[3] == 3.5

    def test_what_the_scalar_unit_waited_for_every_pipe_knows(self):
        with NPU().core() as core:
            t = core.alloc(float32, 8, 0)
            Duplicate(t, 5.0, 8)
            order(HardEvent.V_S)
            DataCopy(gm_of(np.zeros(8, np.float32)), t, 8)
        assert core.findings == []


class TestVectorPipe:
    @staticmethod
    def chain():
        run = NPU(check="record", auto_sync=False)
        with run.core() as core:
            a, b, c = core.alloc(float32, 64, 1), core.alloc(float32, 64), core.alloc(float32, 64)
            Adds(b, a, 1, 64)
            Muls(c, b, 2, 64)
        return core

    def test_barriers_are_inserted_before_dependent_instructions_only(self):
        with NPU().core() as core:
            a, b, c = core.alloc(float32, 64, 1), core.alloc(float32, 64), core.alloc(float32, 64)
            Adds(b, a, 1, 64)
            Muls(c, a, 2, 64)
            Add(a, b, c, 64)
        names = [e.name for e in core.trace if e.name in ("Adds", "Muls", "Add", "PipeBarrier")]
        assert names == ["Adds", "Muls", "PipeBarrier", "Add"]
        assert core.findings == []

    def test_without_them_dependence_is_a_race(self):
        core = self.chain()
        (finding,) = core.findings
        assert (finding.code, finding.instruction) == ("race", "Muls")
        assert "PipeBarrier(PIPE_V)" in finding.hint

    def test_a_barrier_of_the_user_is_enough(self):
        with NPU(auto_sync=False).core() as core:
            a, b = core.alloc(float32, 64, 1), core.alloc(float32, 64)
            Adds(b, a, 1, 64)
            PipeBarrier(PIPE_V)
            Muls(a, b, 2, 64)
        assert core.findings == []

    @pytest.mark.parametrize("product", ["ascend310b", "ascend950"])
    def test_pipes_in_order_need_none(self, product):
        with NPU(product, auto_sync=False).core() as core:
            a, b = core.alloc(float32, 64, 1), core.alloc(float32, 64)
            Adds(b, a, 1, 64)
            Muls(a, b, 2, 64)
        assert core.findings == []
        assert "PipeBarrier" not in [e.name for e in core.trace]

    def test_950_has_no_vector_barrier(self):
        with NPU("ascend950", check="off").core(), pytest.raises(KernelError, match="unsupported-api"):
            PipeBarrier(PIPE_V)


class TestFlags:
    def test_a_wait_that_nothing_ends_is_a_deadlock_at_once(self):
        with NPU(check="off").core():
            SetFlag(HardEvent.MTE2_V, EVENT_ID1)
            with pytest.raises(KernelError) as caught:
                WaitFlag(HardEvent.MTE2_V, EVENT_ID0)
        assert caught.value.finding.code == "deadlock"
        assert "flags that are set: MTE2_V 1" in caught.value.finding.message

    def test_a_flag_set_twice(self):
        with NPU(check="record").core() as core:
            SetFlag(HardEvent.MTE2_V, EVENT_ID0)
            SetFlag(HardEvent.MTE2_V, EVENT_ID0)
            WaitFlag(HardEvent.MTE2_V, EVENT_ID0)
        (finding,) = core.findings
        assert finding.code == "event-duplicate"
        assert finding.related[0].line == finding.line - 1

    def test_a_flag_that_nobody_waits_for(self):
        with NPU().core() as core:
            SetFlag(HardEvent.S_MTE3, EVENT_ID0)
        (finding,) = core.findings
        assert (finding.code, finding.severity) == ("unpaired-flag", "warning")
        assert "from pipe S to MTE3" in finding.message

    @pytest.mark.parametrize(("enable", "found"), [((), []), (("event-shared-source",), ["event-shared-source"])])
    def test_one_number_for_two_directions(self, enable, found):
        with NPU(enable=enable).core() as core:
            for event in (HardEvent.MTE3_V, HardEvent.MTE3_MTE2):
                SetFlag(event, 2)
            for event in (HardEvent.MTE3_V, HardEvent.MTE3_MTE2):
                WaitFlag(event, 2)
        assert codes(core) == found

    @pytest.mark.parametrize(("product", "limit"), [("ascend910", 4), ("ascend910b", 8)])
    def test_numbers_have_a_range(self, product, limit):
        with NPU(product).core():
            order(HardEvent.MTE2_V, limit - 1)
        with NPU(product).core(), pytest.raises(KernelError, match=f"event id {limit} is outside 0..{limit - 1}"):
            SetFlag(HardEvent.MTE2_V, limit)

    def test_arguments_have_types(self):
        with NPU().core():
            with pytest.raises(TypeError, match="takes a HardEvent"):
                SetFlag("MTE2_V", 0)
            with pytest.raises(TypeError, match="event_id, such as EVENT_ID0, is a whole number"):
                SetFlag(HardEvent.MTE2_V, None)
            with pytest.raises(TypeError, match="PIPE_V or PIPE_ALL"):
                PipeBarrier("V")


class TestLateCopies:
    @staticmethod
    def run(sync):
        source, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
        with NPU(check="off", dma="late", ub_fill="zero").core() as core:
            x = core.alloc(float32, 8)
            DataCopy(x, gm_of(source), 8)
            sync()
            Adds(x, x, 1, 8)
            PipeBarrier(PIPE_ALL)
            DataCopy(gm_of(out), x, 8)
        return out.tolist()

    def test_a_missing_wait_shows_in_the_data(self):
        assert self.run(lambda: None) == list(range(8))  # the copy came last and replaced the sums
        assert self.run(lambda: order(HardEvent.MTE2_V)) == list(range(1, 9))

    def test_barriers_make_copies_happen(self):
        assert self.run(lambda: PipeBarrier(PIPE_MTE2)) == list(range(1, 9))
        assert self.run(lambda: PipeBarrier(PIPE_ALL)) == list(range(1, 9))

    def test_a_flag_covers_what_was_before_it_only(self):
        a, b = np.ones(8, np.float32), np.full(8, 2, np.float32)
        with NPU(check="off", dma="late", ub_fill="zero").core() as core:
            x, y = core.alloc(float32, 8), core.alloc(float32, 8)
            DataCopy(x, gm_of(a), 8)
            SetFlag(HardEvent.MTE2_V, EVENT_ID0)
            DataCopy(y, gm_of(b), 8)
            WaitFlag(HardEvent.MTE2_V, EVENT_ID0)
            assert (x.numpy()[0], y.numpy()[0]) == (1, 0)
        assert y.numpy()[0] == 2  # at the end, at the latest


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
