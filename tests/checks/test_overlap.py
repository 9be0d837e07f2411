"""`overlap`: source and destination of a repeat coincide or are apart, and no repeat reads what an earlier one wrote.

Spec 01 section 5; Cast in place: sections 5.2 and 5.4.
"""

import numpy as np
import pytest

from ascend_sim import Add, Adds, Cast, RoundMode, float32, half, int16_t, int32_t
from tests.helpers import ALL, clean, fires


@pytest.mark.parametrize("product", ALL)
def test_partial_overlap_within_one_repeat(product):
    def kernel(core):
        b = core.alloc(float32, 72, range(72))
        yield b
        Adds(b[8:], b, 1, 64, 1, (1, 1, 8, 8))  # fires

    result = fires(kernel, "overlap", product=product, instruction="Adds", operand="src", words=("Adds", "src", "dst"))
    assert result.values[0].tolist() == [*range(8), *range(1, 65)]  # all reads of a repeat come first


def test_later_repeat_reads_what_an_earlier_one_wrote():
    def kernel(core):
        b = core.alloc(float32, 192, range(192))
        yield b
        Adds(b[64:], b, 1000, 64, 2, (1, 1, 8, 8))  # fires

    result = fires(kernel, "overlap", operand="src", repeat=1, block=0, lane=0, address=256)
    assert result.values[0].tolist() == [*range(64), *range(1000, 1064), *range(2000, 2064)]


@pytest.mark.parametrize("form", ["tiled", "count"])
def test_second_source(form):
    arguments = {"tiled": (64, 2, (1, 1, 1, 8, 8, 8)), "count": (128,)}[form]

    def kernel(core):
        b = core.alloc(float32, 192, range(192))
        x = core.alloc(float32, 128, range(128))
        yield b
        Add(b[64:], x, b, *arguments)  # fires

    result = fires(kernel, "overlap", instruction="Add", operand="src1", repeat=1, address=256)
    assert result.values[0][128:].tolist() == [64 + 3 * i for i in range(64)]


def test_accumulation_on_the_first_source():
    def kernel(core):
        total = core.alloc(float32, 64, np.ones(64))
        x = core.alloc(float32, 256, range(256))
        yield total
        Add(total, total, x, 64, 4, (1, 1, 1, 0, 0, 8))  # fires

    result = fires(kernel, "overlap", operand="src0", repeat=1, lane=0, address=0)
    assert result.values[0].tolist() == [1 + 4 * k + 64 * 6 for k in range(64)]


def test_accumulation_in_another_type():
    def kernel(core):
        total = core.alloc(int16_t, 128, [1] * 128)
        x = core.alloc(int16_t, 256, range(256))
        yield total
        Add(total, x, total, 128, 2, (1, 1, 1, 0, 8, 0))  # fires

    fires(kernel, "overlap", operand="src1", repeat=1)


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize("dtype", [half, float32, int32_t])
def test_accumulation_on_the_second_source_is_legal(product, dtype):
    lanes = 2048 // dtype.bits

    def kernel(core):
        total = core.alloc(dtype, lanes, [5] * lanes)
        x = core.alloc(dtype, 3 * lanes, [*range(lanes)] * 3)
        yield total
        Add(total, x, total, lanes, 3, (1, 1, 1, 0, 8, 0))

    assert clean(kernel, product=product).values[0].tolist() == [5 + 3 * k for k in range(lanes)]


@pytest.mark.parametrize("product", ALL)
def test_in_place_is_legal(product):
    def kernel(core):
        b = core.alloc(float32, 256, range(256))
        yield b
        Adds(b, b, 1, 64, 4, (1, 1, 8, 8))
        Add(b, b, b, 256)

    assert clean(kernel, product=product).values[0].tolist() == [2 * (i + 1) for i in range(256)]


def test_rows_may_be_moved_together_in_place():
    """Repeat 0 lies on itself, every later one reads behind all that was written: rows of 16 floats, once 64 apart."""

    def kernel(core):
        b = core.alloc(float32, 256, range(256))
        yield b
        Adds(b, b, 0, 16, 4, (1, 1, 2, 8))

    values = clean(kernel).values[0]
    assert values[:64].tolist() == [64 * row + i for row in range(4) for i in range(16)]


@pytest.mark.parametrize("strides", [(1, 3, 8, 8), (2, 1, 8, 4), (1, 0, 0, 8)])
def test_strides_that_are_not_used_do_not_matter(strides):
    def kernel(core):
        b = core.alloc(float32, 64, range(64))
        yield b
        Adds(b, b, 1, 8, 1, strides)

    assert clean(kernel).values[0].tolist() == [*range(1, 9), *range(8, 64)]


def test_interleaved_blocks_are_apart():
    def kernel(core):
        b = core.alloc(float32, 256, range(256))
        yield b
        Adds(b, b[8:], 1, 64, 2, (2, 2, 16, 16))

    values = clean(kernel).values[0]
    assert values[:16].tolist() == [*range(9, 17), *range(8, 16)]


def test_lanes_that_are_masked_off_do_not_overlap():
    def kernel(core):
        b = core.alloc(float32, 72, range(72))
        yield b
        Adds(b[8:], b, 1, 8, 1, (1, 1, 8, 8))

    clean(kernel)


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize("arguments", [(256,), (64, 4, (1, 1, 4, 8))])
def test_narrowing_in_place_is_legal(product, arguments):
    def kernel(core):
        x = core.alloc(float32, 256, range(256))
        y = x.ReinterpretCast(half)
        yield y
        Cast(y, x, RoundMode.CAST_NONE, *arguments)

    assert clean(kernel, product=product).values[0][:256].tolist() == list(range(256))


@pytest.mark.parametrize("arguments", [(128,), (64, 2, (1, 1, 8, 4))])
def test_widening_in_place_reads_what_it_wrote(arguments):
    def kernel(core):
        y = core.alloc(float32, 128, np.zeros(128))
        x = y.ReinterpretCast(half)
        yield y
        Cast(y, x, RoundMode.CAST_NONE, *arguments)  # fires

    fires(kernel, "overlap", instruction="Cast", operand="src")


def test_widening_from_the_tail_of_the_destination_is_legal():
    """The example of spec 01 section 5.4: 1024 halves at byte 2048 become floats at byte 0."""

    def kernel(core):
        y = core.alloc(float32, 1024, np.zeros(1024))
        x = core.alloc(half, 1024, range(1024), addr=2048)
        yield y
        Cast(y, x, RoundMode.CAST_NONE, 1024)

    assert clean(kernel).values[0].tolist() == list(range(1024))
