"""Pipes: races and the flags that prevent them, late copies, barriers that the compiler inserts."""

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
    DataCopy,
    Duplicate,
    GlobalTensor,
    HardEvent,
    KernelError,
    Muls,
    PipeBarrier,
    SetFlag,
    WaitFlag,
    float32,
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
    def test_the_line_of_the_copy_that_is_meant(self):
        array = np.zeros(64, np.float32)
        with NPU(check="record", ub_fill="zero").core() as core:
            x, y = core.alloc(float32, 8, 1.0), core.alloc(float32, 8)
            DataCopy(gm_of(array), x, 8)
            DataCopy(gm_of(array[8:]), x, 8)
            DataCopy(y, gm_of(array[8:]), 8)
        (finding,) = core.findings
        assert finding.related[0].line == finding.line - 1

    def test_arrays_that_are_gone_race_with_nobody(self):
        with NPU(trace=False).core() as core:
            x, y = core.alloc(float32, 1024, 1.0), core.alloc(float32, 1024)
            for _ in range(20):
                DataCopy(gm_of(np.zeros(4096, np.float32)), x, 1024)
                DataCopy(y, gm_of(np.zeros(4096, np.float32)), 1024)
        assert not core.findings

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
