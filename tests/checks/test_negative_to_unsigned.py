"""`negative-to-unsigned`: a Cast turns a negative lane into an unsigned type; saturation gives 0."""

import pytest

from ascend_sim import Cast, RoundMode, half, int8_t, uint8_t
from tests.helpers import ALL, clean, remarks

VALUES = [5.0] * 40 + [-3.0] + [7.0] * 87


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize("arguments", [(128,), (128, 1, (1, 1, 4, 8))], ids=["count", "tiled"])
def test_active_lane(product, arguments):
    def kernel(core):
        x = core.alloc(half, 128, VALUES)
        y = core.alloc(uint8_t, 128)
        yield y
        Cast(y, x, RoundMode.CAST_TRUNC, *arguments)  # fires

    where = {"instruction": "Cast", "operand": "src", "repeat": 0, "block": 2, "lane": 40, "address": 80}
    words = ("Cast", "negative", "uint8_t")
    result = remarks(kernel, "negative-to-unsigned", "warning", product=product, **where, words=words)
    assert result.values[0].tolist() == [5] * 40 + [0] + [7] * 87


def test_second_repeat():
    def kernel(core):
        x = core.alloc(half, 256, [1] * 250 + [-1] * 6)
        y = core.alloc(uint8_t, 256)
        yield y
        Cast(y, x, RoundMode.CAST_TRUNC, 128, 2, (1, 1, 4, 8))  # fires

    remarks(kernel, "negative-to-unsigned", "warning", repeat=1, block=7, lane=122, address=500)


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize("mask", [40, [((1 << 64) - 1) ^ 1 << 40, 0]])
def test_lane_that_is_masked_off(product, mask):
    def kernel(core):
        x = core.alloc(half, 128, VALUES)
        y = core.alloc(uint8_t, 128)
        yield y
        Cast(y, x, RoundMode.CAST_TRUNC, mask, 1, (1, 1, 4, 8))

    clean(kernel, product=product)


@pytest.mark.parametrize("product", ALL)
def test_signed_destination(product):
    def kernel(core):
        x = core.alloc(half, 128, VALUES)
        y = core.alloc(int8_t, 128)
        yield y
        Cast(y, x, RoundMode.CAST_TRUNC, 128)

    assert clean(kernel, product=product).values[0][40] == -3


def test_zero_has_no_sign_that_matters():
    def kernel(core):
        x = core.alloc(half, 128, [0.0, -0.0] * 64)
        y = core.alloc(uint8_t, 128)
        yield y
        Cast(y, x, RoundMode.CAST_TRUNC, 128)

    clean(kernel)
