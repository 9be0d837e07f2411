"""The summary, and advice that keeps its word."""

import time

import numpy as np
import pytest

from ascend_sim import NPU, Add, Adds, DataCopy, GlobalTensor, HardEvent, SetFlag, WaitFlag, float32
from ascend_sim.timing.model import timeline
from ascend_sim.timing.summary import advise, summary
from tests.timing.kernels import launch_add


def test_the_advice_applied_gives_the_predicted_gain_in_a_kernel():
    before = launch_add()
    (advice,) = advise(before.timeline)
    assert (advice.instruction, advice.operand, advice.origin) == ("Add", "src1", 0x4000)
    after = launch_add(padding=advice.shift)
    assert advice.before == before.cycles
    assert advice.after == after.cycles < before.cycles


def adds(offset, repeats=64):
    with NPU().core() as core:
        tensors = [core.alloc(float32, 4096, 1.0, addr=a) for a in (0, 0x4000 + offset, 0x10000)]
        a, b, c = tensors
        for _ in range(10):
            Add(c, a, b, 64, repeats, (1, 1, 1, 8, 8, 8))
    return timeline(core.trace, "ascend910b")


def test_the_advice_applied_to_a_bank_conflict():
    found = adds(0)
    (advice,) = advise(found)
    assert advice.operand == "src1"
    assert adds(advice.shift).cycles == advice.after < 0.7 * found.cycles
    assert "bytes in front of the tensor of src1 at 0x04000" in summary(found)


def test_no_advice_without_a_gain():
    assert advise(adds(0x100)) == []
    assert "advice" not in summary(adds(0x100))


def test_the_summary_says_who_waited_for_whom_and_what_masks_waste():
    text = summary(launch_add().timeline, "add_custom")
    assert text.startswith("add_custom: 1 block on 1 core of ascend910b, ")
    vector = next(line for line in text.splitlines() if line.split()[0] == "V")
    assert "MTE2" in vector
    with NPU().core() as core:
        a = core.alloc(float32, 64, 1.0)
        Adds(a, a, 1.0, 16, 1, (1, 1, 8, 8))
    assert "lanes switched off by masks: 75.0%" in summary(timeline(core.trace, "ascend910b"))


def test_a_product_without_public_figures_says_so():
    assert "no public measurement" in summary(launch_add(product="ascend310p").timeline)


def test_report_properties():
    report = launch_add()
    assert report.cycles == report.timeline.cycles
    assert report.microseconds == pytest.approx(report.cycles / 1850)


def best(function, rounds=5):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def test_asking_for_cycles_adds_at_most_30_percent():
    tile, total = 8192, 1 << 20
    x, y, z = (np.ones(total, np.float32) for _ in range(3))
    with NPU().core() as core:
        globals_ = [GlobalTensor(float32) for _ in range(3)]
        for tensor, array in zip(globals_, (x, y, z), strict=True):
            tensor.SetGlobalBuffer(array)
        a, b, c = (core.alloc(float32, tile) for _ in range(3))

        def run():
            core.trace.records.clear()
            for at in range(0, total, tile):
                DataCopy(a, globals_[0][at:], tile)
                DataCopy(b, globals_[1][at:], tile)
                pair(HardEvent.MTE2_V)
                Add(c, a, b, tile)
                pair(HardEvent.V_MTE3)
                DataCopy(globals_[2][at:], c, tile)
                pair(HardEvent.MTE3_MTE2)

        ran = best(run)
        timed = best(lambda: timeline(core.trace, core.product))
    assert timed <= 0.3 * ran


def pair(event):
    SetFlag(event, 0)
    WaitFlag(event, 0)
