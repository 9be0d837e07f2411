"""The trace: one entry for each machine instruction, with the user's line; the listing; a bound on its size."""

import inspect

import numpy as np
import pytest

from ascend_sim import (
    NPU,
    PIPE_ALL,
    Add,
    Adds,
    Cast,
    DataCopy,
    GlobalTensor,
    PipeBarrier,
    RoundMode,
    float32,
    half,
    int32_t,
)
from isa.families import Pipe


def line() -> int:
    return inspect.stack()[1].lineno


def test_listing_shows_how_a_count_form_is_lowered_on_a2():
    with NPU("ascend910b").core() as core:
        x = core.alloc(half, 300, 1)
        Add(x, x, x, 300)
        here = line() - 1
    assert str(core.trace).splitlines() == [
        "#  line  pipe  instruction",
        f"0  {here:>4}  S     SetMaskCount  mode COUNTER",
        f"1  {here:>4}  S     SetVectorMask  0x0000000000000000'000000000000012C = 300 elements",
        (
            f"2  {here:>4}  V     Add  half  3 repeats, all of 128 lanes, the last first 44  dst 0x00000 blk 1 rep 8 | "
            "src0 0x00000 blk 1 rep 8 | src1 0x00000 blk 1 rep 8"
        ),
        f"3  {here:>4}  S     SetMaskNorm  mode NORMAL",
        f"4  {here:>4}  S     SetVectorMask  0xFFFFFFFFFFFFFFFF'FFFFFFFFFFFFFFFF",
    ]


def test_listing_shows_the_loop_of_910():
    with NPU("ascend910").core() as core:
        x = core.alloc(half, 300, 1)
        Add(x, x, x, 300)
    assert [(e.name, e.lanes and (e.lanes.repeats, e.lanes.mask)) for e in core.trace] == [
        ("SetVectorMask", None),
        ("Add", (2, (1 << 128) - 1)),
        ("SetVectorMask", None),
        ("Add", (1, (1 << 44) - 1)),
    ]


@pytest.mark.parametrize("product", ["ascend310b", "ascend950"])
def test_register_loop_is_one_instruction(product):
    with NPU(product).core() as core:
        x = core.alloc(half, 300, 1)
        Add(x, x, x, 300)
    assert [e.name for e in core.trace] == ["Add"]


def test_entries_name_the_line_of_the_call_even_when_the_program_is_cached():
    lines = []
    with NPU().core() as core:
        x = core.alloc(float32, 64, 1)
        for _ in range(2):
            Adds(x, x, 1, 64, 1, (1, 1, 8, 8))
            lines.append(line() - 1)
        Adds(x, x, 1, 64, 1, (1, 1, 8, 8))
        lines.append(line() - 1)
    assert [e.site.line for e in core.trace if e.name == "Adds"] == lines
    assert [e.site.line for e in core.trace if e.name == "PipeBarrier"] == lines[1:]  # each depends on the one before
    assert {e.site.file for e in core.trace} == {__file__}
    assert [e.index for e in core.trace] == list(range(8))


def test_scalars_and_gm_places_are_kept():
    gm = GlobalTensor(float32)
    gm.SetGlobalBuffer(np.arange(64, dtype=np.float32))
    with NPU().core() as core:
        x = core.alloc(float32, 8)
        DataCopy(x, gm[16:], 8)
        PipeBarrier(PIPE_ALL)
        Adds(x, x, 2.5, 8)
    copy, add = (next(e for e in core.trace if e.name == n) for n in ("DataCopy", "Adds"))
    assert copy.pipe is Pipe.MTE2
    assert copy.values[1] == 64
    assert add.values == (np.float32(2.5),)


def test_bounded_trace_keeps_the_latest_calls():
    with NPU(trace=10).core() as core:
        x = core.alloc(float32, 64, 0)
        for i in range(100):
            Adds(x, x, i, 64, 1, (1, 1, 8, 8))
    assert len(core.trace.records) == 10
    assert core.trace[-1].values == (99.0,)


def test_trace_can_be_off():
    with NPU(trace=False).core() as core:
        x = core.alloc(float32, 64, 0)
        Adds(x, x, 1, 64)
    assert len(core.trace) == 0
    assert x.numpy()[0] == 1


class TestWhoWrote:
    def test_names_instruction_repeat_block_and_lane(self):
        with NPU().core() as core:
            src = core.alloc(half, 128, 1)
            dst = core.alloc(int32_t, 128)
            Cast(dst, src, RoundMode.CAST_RINT, 64, 2, (1, 1, 8, 4))
            write = core.who_wrote(dst, 64 + 17)
        assert (write.name, write.operand, write.repeat, write.block, write.lane) == ("Cast", "dst", 1, 2, 17)
        assert write.site.line == line() - 3
        assert str(write).startswith("Cast dst repeat 1 block 2 lane 17 at ")

    def test_masked_lane_was_written_by_the_one_before(self):
        with NPU().core() as core:
            x = core.alloc(float32, 64, 1)
            y = core.alloc(float32, 64)
            Adds(y, x, 1, 64)
            Add(y, x, x, [0b101, 0], 1, (1, 1, 1, 8, 8, 8))
        assert [core.who_wrote(y, i).name for i in range(3)] == ["Add", "Adds", "Add"]

    def test_before_an_entry(self):
        with NPU().core() as core:
            x = core.alloc(float32, 64, 1)
            Adds(x, x, 1, 64)
            Add(x, x, x, 64)
        add = next(e for e in core.trace if e.name == "Add")
        assert core.who_wrote(x, 0).name == "Add"
        assert core.who_wrote(x, 0, before=add).name == "Adds"

    def test_earlier_launches_count_and_the_host_does_not(self):
        npu = NPU()
        with npu.core() as core:
            x = core.alloc(float32, 64, 1)
            Adds(x[8:], x[8:], 1, 8)
        with npu.core() as core:
            x = core.alloc(float32, 64)
        assert core.who_wrote(x, 0) is None
        assert core.who_wrote(x, 8).name == "Adds"
