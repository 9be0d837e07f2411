"""`uninitialised-read`: an active lane, or a copy, reads a byte that nobody wrote since power-on."""

import numpy as np
import pytest

from ascend_sim import PIPE_ALL, Add, Adds, DataCopy, Duplicate, GlobalTensor, PipeBarrier, float32, half
from tests.helpers import ALL, clean, fires


@pytest.mark.parametrize("product", ALL)
def test_first_lane_is_located(product):
    def kernel(core):
        x = core.alloc(float32, 64)
        y = core.alloc(float32, 64)
        Duplicate(x, 1.0, 40)
        yield y
        Adds(y, x, 1, 64)  # fires

    where = {"operand": "src", "repeat": 0, "block": 5, "lane": 40, "address": 160}
    words = ("Adds src", "x", "40")
    result = fires(
        kernel, "uninitialised-read", product=product, ub_fill="zero", instruction="Adds", **where, words=words
    )
    assert result.values[0].tolist() == [2] * 40 + [1] * 24  # executed on what lay there


def test_later_repeat():
    def kernel(core):
        x = core.alloc(float32, 128)
        y = core.alloc(float32, 128)
        Duplicate(x, 1.0, 70)
        yield y
        Adds(y, x, 1, [0x900, 0], 2, (1, 1, 8, 8))  # fires

    fires(kernel, "uninitialised-read", operand="src", repeat=1, block=1, lane=8, address=4 * 72)


def test_second_source():
    def kernel(core):
        x = core.alloc(half, 128, range(128))
        y = core.alloc(half, 128)
        z = core.alloc(half, 128)
        yield z
        Add(z, x, y, 128)  # fires

    fires(kernel, "uninitialised-read", operand="src1", lane=0, address=256, words=("Add src1", "y"))


def test_element_has_the_worst_state_of_its_bytes():
    def kernel(core):
        x = core.alloc(float32, 8)
        y = core.alloc(float32, 8)
        Duplicate(x.ReinterpretCast(half), 1.0, [0x5555, 0], 1, 1, 8)  # the low half of every float
        yield x, y
        Adds(y, x, 1, 8)  # fires

    result = fires(kernel, "uninitialised-read", operand="src", lane=0)
    assert (result.states[0] == "uninitialised").all()


def test_copy_out():
    array = np.full(64, -1, np.float32)
    gm = GlobalTensor(float32)
    gm.SetGlobalBuffer(array)

    def kernel(core):
        x = core.alloc(float32, 64)
        Duplicate(x, 1.0, 60)
        array[:] = -1
        yield array
        PipeBarrier(PIPE_ALL)
        DataCopy(gm, x, 64)  # fires

    where = {"instruction": "DataCopy", "operand": "src", "address": 240}
    result = fires(kernel, "uninitialised-read", ub_fill="zero", **where, words=("DataCopy", "x"))
    assert result.values[0].tolist() == [1] * 60 + [0] * 4


@pytest.mark.parametrize("product", ALL)
def test_masked_lanes_and_the_host_may_look(product):
    def kernel(core):
        x = core.alloc(float32, 64)
        y = core.alloc(float32, 64)
        Duplicate(x, 1.0, 40)
        yield y
        x.numpy(), x.codes(), x.lane_states()
        Adds(y, x, 1, 40, 1, (1, 1, 8, 8))
        Adds(y, x, 1, [1 << 39, 1 << 63], 1, (1, 1, 8, 8))

    clean(kernel, product=product)


def test_values_of_alloc_and_copies_count_as_written():
    gm = GlobalTensor(float32)
    gm.SetGlobalBuffer(np.arange(8, dtype=np.float32))

    def kernel(core):
        x = core.alloc(float32, 8, codes=[0] * 8)
        y = core.alloc(float32, 8)
        yield y
        DataCopy(y, gm, 8)
        PipeBarrier(PIPE_ALL)
        Add(y, x, y, 8)

    assert clean(kernel).values[0].tolist() == list(range(8))
