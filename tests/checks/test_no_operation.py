"""`empty-mask` and `zero-repeat`: notes about a call that does nothing."""

import pytest

from ascend_sim import Adds, Cast, Duplicate, RoundMode, SetMaskCount, SetMaskNorm, float32, half, int32_t
from tests.helpers import clean, remarks
from tests.reference import ALL_ONES

NEWER = ("ascend910b", "ascend910_93", "ascend310b", "ascend950")


@pytest.mark.parametrize("product", NEWER)
@pytest.mark.parametrize("mask", [0, [0, 0], [0, ALL_ONES]])
def test_empty_mask_of_32_bit_lanes(product, mask):
    def kernel(core):
        x = core.alloc(half, 64, range(64))
        y = core.alloc(int32_t, 64)
        yield y
        Cast(y, x, RoundMode.CAST_CEIL, mask, 1, (1, 1, 8, 4))  # fires

    result = remarks(kernel, "empty-mask", "note", product=product, instruction="Cast", words=("Cast", "mask"))
    assert (result.states[0] == "uninitialised").all()


@pytest.mark.parametrize("product", NEWER)
def test_high_word_holds_lanes_of_16_bits(product):
    def kernel(core):
        x = core.alloc(half, 128, range(128))
        y = core.alloc(half, 128)
        yield y
        Adds(y, x, 1, [0, ALL_ONES], 1, (1, 1, 8, 8))

    assert (clean(kernel, product=product).states[0] == "written").tolist() == [False] * 64 + [True] * 64


@pytest.mark.parametrize("product", NEWER)
def test_one_lane_is_enough(product):
    def kernel(core):
        y = core.alloc(float32, 64)
        yield y
        Duplicate(y, 1.0, [1 << 63, 0], 1, 1, 8)

    assert (clean(kernel, product=product).states[0] == "written").tolist() == [False] * 63 + [True]


@pytest.mark.parametrize("product", NEWER)
@pytest.mark.parametrize("mask", [128, [ALL_ONES, ALL_ONES]])
def test_zero_repeat(product, mask):
    def kernel(core):
        dst = core.alloc(half, 256, [3.0] * 256)
        yield dst
        Duplicate(dst, 9.0, mask, 0, 1, 8)  # fires

    result = remarks(kernel, "zero-repeat", "note", product=product, instruction="Duplicate", words=("Duplicate",))
    assert result.values[0].tolist() == [3] * 256


@pytest.mark.parametrize("product", ["ascend310p", "ascend910b", "ascend950"])
def test_counter_mode_does_not_use_the_repeat(product):
    def kernel(core):
        dst = core.alloc(half, 256, [3.0] * 256)
        yield dst
        SetMaskCount()
        Duplicate(dst, 9.0, [130, 0], 0, 1, 8)
        SetMaskNorm()

    assert clean(kernel, product=product).values[0].tolist() == [9] * 130 + [3] * 126
