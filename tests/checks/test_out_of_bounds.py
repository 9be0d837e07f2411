"""`out-of-bounds-read` and `-write`: an active byte outside its tensor, UB or GM array (spec 01 section 7)."""

import numpy as np
import pytest

from ascend_sim import (
    PIPE_ALL,
    Adds,
    Cast,
    DataCopy,
    GlobalTensor,
    PipeBarrier,
    RoundMode,
    SetMaskCount,
    SetMaskNorm,
    float32,
    half,
    int32_t,
)
from isa.products import PRODUCTS
from tests.helpers import A2, ALL, clean, fires

UB = PRODUCTS[A2].ub_bytes


def gm(array):
    tensor = GlobalTensor(half)
    tensor.SetGlobalBuffer(array)
    return tensor


@pytest.mark.parametrize("product", ALL)
def test_write_past_the_tensor_is_located_and_executed(product):
    def kernel(core):
        a = core.alloc(float32, 256, range(256))
        d = core.alloc(float32, 256)
        yield core.alloc(float32, 2048, addr=1024)  # what lies behind d
        Adds(d, a, 1, 64, 4, (1, 1, 64, 8))  # fires

    where = {"operand": "dst", "repeat": 1, "block": 0, "lane": 0, "address": 1024 + 2048, "alias": "ErrorWrite2"}
    result = fires(
        kernel, "out-of-bounds-write", product=product, instruction="Adds", **where, words=("Adds dst", "32")
    )
    for repeat in range(4):
        assert result.values[0][512 * repeat :][:64].tolist() == list(range(64 * repeat + 1, 64 * repeat + 65))
    assert (result.states[0] == "written").sum() == 256


def test_write_past_ub_does_nothing():
    def kernel(core):
        a = core.alloc(float32, 128, range(128))
        d = core.alloc(float32, 64, addr=UB - 256)
        yield d
        Adds(d, a, 1, 64, 2, (1, 1, 8, 8))  # fires

    result = fires(kernel, "out-of-bounds-write", operand="dst", repeat=1, block=0, lane=0, address=UB)
    assert (result.states[0] == "uninitialised").all()


@pytest.mark.parametrize("product", ALL)
def test_read_past_the_tensor_in_count_form(product):
    def kernel(core):
        x = core.alloc(float32, 40, range(40))
        core.alloc(float32, 24, range(100, 124))
        y = core.alloc(float32, 64)
        yield y
        Adds(y, x, 1, 64)  # fires

    where = {"operand": "src", "repeat": 0, "block": 5, "lane": 40, "address": 160, "alias": "ErrorRead3"}
    result = fires(kernel, "out-of-bounds-read", product=product, **where, words=("Adds src", "x"))
    assert result.values[0].tolist() == [*range(1, 41), *range(101, 125)]


def test_first_active_lane_outside_is_named():
    def kernel(core):
        x = core.alloc(half, 80, range(80))
        core.alloc(half, 48, range(48))
        y = core.alloc(int32_t, 128)
        yield y
        Cast(y, x, RoundMode.CAST_RINT, [0xF0F0_0000_0000_00F0, 0], 2, (1, 1, 8, 4))  # fires

    # repeat 1 starts at element 64; its active lanes are 4..7, 52..55 and 60..63: element 116 is the first outside 80
    fires(kernel, "out-of-bounds-read", operand="src", repeat=1, block=3, lane=52, address=2 * 116)


def test_view_without_elements():
    def kernel(core):
        x = core.alloc(float32, 64, range(64))
        core.alloc(float32, 8, range(8))
        y = core.alloc(float32, 64)
        yield y
        Adds(y, x[64:], 1, 8)  # fires

    fires(kernel, "out-of-bounds-read", operand="src", lane=0, address=256)


@pytest.mark.parametrize("product", ["ascend910b", "ascend950"])
def test_counter_mode(product):
    def kernel(core):
        x = core.alloc(half, 384, range(384))
        y = core.alloc(half, 256)
        SetMaskCount()
        yield y
        Adds(y, x, 1, [300, 0], 1, (1, 1, 8, 8))  # fires
        SetMaskNorm()

    fires(kernel, "out-of-bounds-write", product=product, operand="dst", repeat=2, lane=0, address=768 + 512)


def test_read_past_a_gm_array_copies_nothing():
    def kernel(core):
        x = core.alloc(half, 32, [7] * 32)
        yield x
        DataCopy(x, gm(np.zeros(24, np.float16)), 32)  # fires

    result = fires(kernel, "out-of-bounds-read", instruction="DataCopy", operand="src", alias="ErrorRead3")
    assert result.values[0].tolist() == [7] * 32


def test_write_past_a_gm_array_copies_nothing():
    array = np.zeros(24, np.float16)

    def kernel(core):
        x = core.alloc(half, 32, [7] * 32)
        yield array
        DataCopy(gm(array), x, 32)  # fires

    result = fires(kernel, "out-of-bounds-write", instruction="DataCopy", operand="dst", alias="ErrorWrite2")
    assert not result.values[0].any()


def test_copy_past_the_tensor_inside_ub():
    def kernel(core):
        x = core.alloc(half, 16)
        yield core.alloc(half, 32, addr=0)
        DataCopy(x, gm(np.arange(32, dtype=np.float16)), 32)  # fires

    result = fires(kernel, "out-of-bounds-write", instruction="DataCopy", operand="dst", address=32)
    assert result.values[0].tolist() == list(range(32))


@pytest.mark.parametrize("product", ALL)
def test_lanes_that_are_masked_off_may_lie_outside(product):
    def kernel(core):
        x = core.alloc(float32, 36, range(36))
        y = core.alloc(float32, 36)
        yield y
        Adds(y, x, 1, 36, 1, (1, 1, 8, 8))
        Adds(y, x, 1, [0b1001, 0], 1, (1, 1, 8, 8))

    clean(kernel, product=product)


def test_last_byte_of_ub_and_of_gm_are_inside():
    def kernel(core):
        x = core.alloc(half, 128, addr=UB - 256)
        yield x
        DataCopy(x, gm(np.zeros(128, np.float16)), 128)
        PipeBarrier(PIPE_ALL)
        Adds(x, x, 1, 128, 1, (1, 1, 8, 8))

    clean(kernel)
