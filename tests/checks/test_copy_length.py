"""`copy-length`: DataCopy moves whole blocks; a count that is no multiple of 32 bytes is rounded down."""

import numpy as np
import pytest

from ascend_sim import DataCopy, DataCopyParams, GlobalTensor, float32, half
from tests.helpers import ALL, clean, fires


def gm(array, dtype=half):
    tensor = GlobalTensor(dtype)
    tensor.SetGlobalBuffer(array)
    return tensor


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize(("count", "copied"), [(11, 0), (15, 0), (17, 16), (20, 16), (31, 16)])
def test_copy_in_is_rounded_down(product, count, copied):
    def kernel(core):
        x = core.alloc(half, 32, [-1] * 32)
        yield x
        DataCopy(x, gm(np.arange(32, dtype=np.float16)), count)  # fires

    words = ("DataCopy", str(2 * count), "32")
    result = fires(kernel, "copy-length", product=product, instruction="DataCopy", words=words)
    assert result.values[0].tolist() == [*range(copied), *[-1] * (32 - copied)]


def test_copy_out_is_rounded_down():
    array = np.zeros(32, np.float32)

    def kernel(core):
        x = core.alloc(float32, 32, range(1, 33))
        array[:] = 0
        yield array
        DataCopy(gm(array, float32), x, 30)  # fires

    result = fires(kernel, "copy-length", instruction="DataCopy", words=("120", "32"))
    assert result.values[0].tolist() == [*range(1, 25), *[0] * 8]


@pytest.mark.parametrize("product", ALL)
def test_multiples_and_bursts_are_legal(product):
    def kernel(core):
        x = core.alloc(half, 64)
        yield x
        DataCopy(x, gm(np.arange(32, dtype=np.float16)), 32)
        DataCopy(x[32:], gm(np.arange(32, dtype=np.float16)), DataCopyParams(1, 2, 0, 0))

    assert clean(kernel, product=product).values[0].tolist() == [*range(32)] * 2
