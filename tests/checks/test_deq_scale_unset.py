"""`deq-scale-unset`: int32 to half multiplies by a scale that this launch did not set (spec 03 section 5.1)."""

import numpy as np
import pytest

from ascend_sim import Cast, RoundMode, SetDeqScale, float32, half, int32_t
from tests.helpers import clean, fires


@pytest.mark.parametrize("product", ["ascend310p", "ascend910b", "ascend910_93"])
@pytest.mark.parametrize("arguments", [(16,), (16, 1, (1, 1, 4, 8))], ids=["count", "tiled"])
def test_no_scale(product, arguments):
    def kernel(core):
        a = core.alloc(int32_t, 16, range(16))
        d = core.alloc(half, 16)
        yield d
        Cast(d, a, RoundMode.CAST_RINT, *arguments)  # fires

    words = ("Cast", "SetDeqScale")
    result = fires(kernel, "deq-scale-unset", product=product, instruction="Cast", words=words)
    scale = np.float32(result.before.deq_scale)  # what the register held
    assert result.values[0].tolist() == [np.float16(np.float32(i) * scale) for i in range(16)]


def test_scale_of_an_earlier_launch_does_not_count():
    def earlier(core):
        SetDeqScale(0.5)
        yield ()

    def kernel(core):
        a = core.alloc(int32_t, 16, range(16))
        d = core.alloc(half, 16)
        yield d
        Cast(d, a, RoundMode.CAST_NONE, 16)  # fires

    fires(kernel, "deq-scale-unset", after=earlier)


@pytest.mark.parametrize("product", ["ascend310p", "ascend910b", "ascend910_93", "ascend950"])
@pytest.mark.parametrize("scale", [0.5, 1.0, 0.25])
def test_scale_was_set(product, scale):
    def kernel(core):
        a = core.alloc(int32_t, 16, range(16))
        d = core.alloc(half, 16)
        yield d
        SetDeqScale(scale)
        Cast(d, a, RoundMode.CAST_NONE, 16)

    assert clean(kernel, product=product).values[0].tolist() == [scale * i for i in range(16)]


def test_310b_has_no_scale():
    def kernel(core):
        a = core.alloc(int32_t, 16, range(16))
        d = core.alloc(half, 16)
        yield d
        Cast(d, a, RoundMode.CAST_NONE, 16)

    assert clean(kernel, product="ascend310b").values[0].tolist() == list(range(16))


def test_other_conversions_need_no_scale():
    def kernel(core):
        a = core.alloc(int32_t, 16, range(16))
        d = core.alloc(float32, 16)
        yield d
        Cast(d, a, RoundMode.CAST_NONE, 16)

    clean(kernel)
