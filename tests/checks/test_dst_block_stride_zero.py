"""`dst-block-stride-zero`: several blocks of a repeat would land on one (spec 01 section 3.1)."""

import pytest

from ascend_sim import Adds, Cast, Duplicate, RoundMode, float32, half, int32_t
from tests.helpers import ALL, clean, fires


@pytest.mark.parametrize("product", ALL)
def test_highest_block_wins(product):
    def kernel(core):
        a = core.alloc(float32, 64, range(64))
        d = core.alloc(float32, 16)
        yield d
        Adds(d, a, 1, 64, 1, (0, 1, 8, 8))  # fires

    words = ("Adds", "dst", "block stride")
    result = fires(kernel, "dst-block-stride-zero", product=product, instruction="Adds", operand="dst", words=words)
    assert result.values[0][:8].tolist() == list(range(57, 65))
    assert (result.states[0] == "written").tolist() == [True] * 8 + [False] * 8


def test_highest_active_lane_wins():
    def kernel(core):
        a = core.alloc(float32, 64, range(64))
        d = core.alloc(float32, 8, [-1] * 8)
        yield d
        Adds(d, a, 1, [0x0F_0F0F_FFFF, 0], 1, (0, 1, 8, 8))  # fires

    result = fires(kernel, "dst-block-stride-zero")
    assert result.values[0].tolist() == [33, 34, 35, 36, 13, 14, 15, 16]  # blocks 4 and 1


def test_fill():
    def kernel(core):
        d = core.alloc(half, 128)
        yield d
        Duplicate(d, 1.0, 128, 1, 0, 8)  # fires

    fires(kernel, "dst-block-stride-zero", instruction="Duplicate", operand="dst")


def test_conversion_counts_blocks_of_the_destination():
    def kernel(core):
        x = core.alloc(half, 64, range(64))
        d = core.alloc(int32_t, 64)
        yield d
        Cast(d, x, RoundMode.CAST_RINT, 16, 1, (0, 1, 8, 4))  # fires

    assert fires(kernel, "dst-block-stride-zero", instruction="Cast").values[0][:8].tolist() == list(range(8, 16))


@pytest.mark.parametrize(
    ("mask", "params"),
    [(8, (0, 1, 8, 8)), ([0xFF00, 0], (0, 1, 8, 8)), (64, (1, 0, 8, 8)), (64, (1, 1, 0, 8))],
    ids=["first block", "second block", "source", "repeat stride"],
)
def test_one_block_or_another_stride_is_legal(mask, params):
    def kernel(core):
        a = core.alloc(float32, 64, range(64))
        d = core.alloc(float32, 64)
        yield d
        Adds(d, a, 1, mask, 1, params)

    clean(kernel)
