import numpy as np
import pytest

from ascend_sim import (
    NPU,
    PIPE_ALL,
    Add,
    DataCopy,
    GetSystemCycle,
    GlobalTensor,
    KernelError,
    LocalMemAllocator,
    PipeBarrier,
    float32,
    kernel,
)

TICKS = {"ascend910b": 50, "ascend910_93": 50, "ascend950": 1000}


@kernel
def measured(_gm, repeats: int, seen: list):
    core_tensor = GlobalTensor(float32)
    core_tensor.SetGlobalBuffer(np.zeros(8192, np.float32))
    x = LocalMemAllocator().Alloc(float32, 8192)
    DataCopy(x, core_tensor, 8192)
    PipeBarrier(PIPE_ALL)
    seen.append(GetSystemCycle())
    for _ in range(repeats):
        Add(x, x, x, 64, 128, (1, 1, 1, 8, 8, 8))
    PipeBarrier(PIPE_ALL)
    seen.append(GetSystemCycle())


@pytest.mark.parametrize("product", TICKS)
def test_ticks_are_those_of_the_counter(product):
    seen = []
    npu = NPU(product)
    report = npu.launch(measured, 1, np.zeros(8, np.float32), 100, seen)
    assert 0 < seen[0] < seen[1]
    # the last barrier ends with the last result, so the second value is the time of the whole launch
    assert seen[1] == pytest.approx(report.microseconds * TICKS[product], rel=0.02, abs=2)


def test_without_a_barrier_the_scalar_unit_runs_ahead():
    with NPU("ascend910b").core() as core:
        x = core.alloc(float32, 8192, 1)
        for _ in range(4):
            Add(x, x, x, 64, 128, (1, 1, 1, 8, 8, 8))
        ahead = GetSystemCycle()
        PipeBarrier(PIPE_ALL)
        assert ahead < GetSystemCycle() / 2


@pytest.mark.parametrize("product", ["ascend910", "ascend310p", "ascend310b"])
def test_other_products_have_none(product):
    with NPU(product).core(), pytest.raises(KernelError, match="unsupported-api") as caught:
        GetSystemCycle()
    assert "no system counter" in caught.value.finding.message
