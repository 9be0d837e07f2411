"""`alignment`: a UB operand starts on a 32-byte boundary (spec 01 section 4.2)."""

import numpy as np
import pytest

from ascend_sim import Add, Adds, Cast, DataCopy, Duplicate, GlobalTensor, RoundMode, float32, half
from tests.helpers import ALL, clean, fires


def gm(array):
    tensor = GlobalTensor(float32)
    tensor.SetGlobalBuffer(array)
    return tensor


def test_message_says_where_and_what_is_legal():
    def kernel(core):
        weights = core.alloc(float32, 64, range(64), addr=0x800)
        y = core.alloc(float32, 64, addr=0)
        yield y
        Adds(y, weights[1:], 1, 8)  # fires

    words = (
        "Adds src",
        "weights",
        "0x0804",
        "not 32-byte aligned",
        "element offset 1 of float32",
        "next aligned element offset: 8",
    )
    result = fires(
        kernel, "alignment", instruction="Adds", operand="src", address=0x804, alias="ErrorRead4", words=words
    )
    assert (result.states[0] == "uninitialised").all()


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize(("operand", "offsets"), [("dst", (1, 0, 0)), ("src0", (0, 12, 0)), ("src1", (0, 0, 7))])
def test_every_operand_is_looked_at(product, operand, offsets):
    def kernel(core):
        a, b, c = (core.alloc(float32, 64, range(64)) for _ in range(3))
        yield a
        Add(a[offsets[0] :], b[offsets[1] :], c[offsets[2] :], 8)  # fires

    address = 256 * offsets.index(max(offsets)) + 4 * max(offsets)
    result = fires(kernel, "alignment", product=product, operand=operand, address=address)
    assert result.values[0].tolist() == list(range(64))  # "record": nothing is written


def test_tiled_form_of_a_conversion():
    def kernel(core):
        x = core.alloc(float32, 64, range(64))
        y = core.alloc(half, 64)
        yield y
        Cast(y[8:], x, RoundMode.CAST_NONE, 8, 1, (1, 1, 4, 8))  # fires

    fires(kernel, "alignment", instruction="Cast", operand="dst", address=256 + 16, words=("16",))


def test_fill():
    def kernel(core):
        y = core.alloc(half, 64)
        yield y
        Duplicate(y[1:], 5.0, 3)  # fires

    fires(kernel, "alignment", instruction="Duplicate", operand="dst", address=2, alias="ErrorWrite4")


def test_copy_in():
    def kernel(core):
        x = core.alloc(float32, 64)
        yield x
        DataCopy(x[1:], gm(np.zeros(8, np.float32)), 8)  # fires

    fires(kernel, "alignment", instruction="DataCopy", operand="dst", address=4, alias="ErrorWrite4", words=("x", "8"))


def test_copy_out():
    array = np.zeros(8, np.float32)

    def kernel(core):
        x = core.alloc(float32, 64, range(64))
        yield array
        DataCopy(gm(array), x[2:], 8)  # fires

    result = fires(kernel, "alignment", instruction="DataCopy", operand="src", address=8, alias="ErrorRead4")
    assert not result.values[0].any()


def test_next_block_is_aligned():
    def kernel(core):
        x = core.alloc(float32, 64, range(64))
        y = core.alloc(float32, 64)
        yield y
        Adds(y[8:], x[8:], 1, 8)
        DataCopy(y[16:], gm(np.zeros(8, np.float32)), 8)

    clean(kernel)


def test_global_memory_needs_no_block_boundary():
    array = np.arange(16, dtype=np.float32)

    def kernel(core):
        x = core.alloc(float32, 8)
        yield x
        DataCopy(x, gm(array)[1:], 8)

    assert clean(kernel).values[0].tolist() == list(range(1, 9))
