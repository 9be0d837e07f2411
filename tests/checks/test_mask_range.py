"""`mask-range`: more lanes than a repeat has, fewer than none, and no lane where the product refuses that."""

import numpy as np
import pytest

from ascend_sim import Adds, Cast, Duplicate, KernelError, RoundMode, SetMaskCount, SetMaskNorm, float32, half, int32_t
from tests.helpers import ALL, clean, fires, run
from tests.reference import ALL_ONES, ones


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize(("dtype", "mask"), [(half, 129), (half, 256), (float32, 65), (float32, 100), (float32, 128)])
def test_too_many_lanes_act_as_all(product, dtype, mask):
    lanes = 2048 // dtype.bits

    def kernel(core):
        x = core.alloc(dtype, 512, [1] * 512)
        y = core.alloc(dtype, 4 * lanes, [0] * 4 * lanes)
        yield y
        Adds(y, x, 1, mask, 2, (1, 1, 16, 8))  # fires

    words = ("Adds", "mask", str(mask), str(lanes))
    result = fires(kernel, "mask-range", product=product, instruction="Adds", words=words)
    assert result.values[0].reshape(2, -1)[:, :lanes].all()
    assert not result.values[0].reshape(2, -1)[:, lanes:].any()


@pytest.mark.parametrize(("mask", "register"), [(65, (ALL_ONES, 1)), (100, (ALL_ONES, ones(36)))])
def test_register_holds_the_bits_of_the_table(mask, register):
    def kernel(core):
        y = core.alloc(float32, 64)
        yield y
        Duplicate(y, 1.0, mask, 1, 1, 8)  # fires

    assert fires(kernel, "mask-range").after.mask == register


def test_wider_type_of_a_conversion_decides():
    def kernel(core):
        x = core.alloc(half, 128, range(128))
        y = core.alloc(float32, 128)
        yield y
        Cast(y, x, RoundMode.CAST_NONE, 128, 1, (1, 1, 8, 4))  # fires

    result = fires(kernel, "mask-range", instruction="Cast", words=("128", "64"))
    assert (result.states[0] == "written").tolist() == [True] * 64 + [False] * 64


@pytest.mark.parametrize("mask", [-1, -64])
def test_negative_number_of_lanes(mask):
    def kernel(core):
        y = core.alloc(float32, 64)
        yield y
        Duplicate(y, 1.0, mask, 1, 1, 8)

    result = run(kernel, "raise")
    assert isinstance(result.error, KernelError)
    assert result.error.finding.code == "mask-range"
    assert result.after == result.before


@pytest.mark.parametrize("product", ["ascend910", "ascend310p"])
@pytest.mark.parametrize("mask", [0, [0, 0], [0, ALL_ONES]])
def test_no_lane_is_refused_by_older_products(product, mask):
    def kernel(core):
        x = core.alloc(half, 64, range(64))
        y = core.alloc(int32_t, 64)
        yield y
        Cast(y, x, RoundMode.CAST_CEIL, mask, 1, (1, 1, 8, 4))  # fires

    result = fires(kernel, "mask-range", product=product, instruction="Cast", words=("Cast",))
    assert (result.states[0] == "uninitialised").all()


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize(("dtype", "mask"), [(half, 128), (half, 1), (float32, 64), (half, [0, 1]), (float32, [1, 7])])
def test_limits_are_legal(product, dtype, mask):
    """The high word of a mask for 32-bit lanes is ignored."""

    def kernel(core):
        y = core.alloc(dtype, 128)
        yield y
        Duplicate(y, 1.0, mask, 1, 1, 8)

    clean(kernel, product=product)


def test_bitwise_mask_may_hold_a_count_in_counter_mode():
    def kernel(core):
        y = core.alloc(float32, 192, np.zeros(192))
        yield y
        SetMaskCount()
        Adds(y, y, 1, [130, 0], 1, (1, 1, 8, 8))
        SetMaskNorm()

    assert clean(kernel).values[0].tolist() == [1] * 130 + [0] * 62
