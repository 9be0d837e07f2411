"""Copy on ascend310b with is_set_mask=False: the last length of SetVectorMask is the number of elements in all.

Source: spec 01 sections 2.6 to 2.8 and 3.4; only the contiguous form, whatever the mode, and no other instruction.
"""

import pytest

from ascend_sim import (
    MASK_PLACEHOLDER,
    NPU,
    Adds,
    Copy,
    MaskMode,
    ResetMask,
    SetMaskCount,
    SetMaskNorm,
    SetVectorMask,
    half,
    int32_t,
)

STRIDES = (1, 1, 8, 8)


def moved(before, *, dtype=half, repeats=1, strides=STRIDES, product="ascend310b", mask=MASK_PLACEHOLDER):
    """Places of the destination that a Copy after `before()` writes."""
    with NPU(product=product).core() as core:
        x, y = core.alloc(dtype, 1024, range(1, 1025)), core.alloc(dtype, 1024, 0)
        before()
        Copy(y, x, mask, repeats, strides, is_set_mask=False)
        assert not core.findings
        SetMaskNorm()
        ResetMask()
        values = y.numpy().tolist()
        return [i for i, value in enumerate(values) if value], [value - 1 for value in values if value]


@pytest.mark.parametrize(("dtype", "per"), [(half, 128), (int32_t, 64)])
@pytest.mark.parametrize("count", [1, 50, 64, 128, 300])
@pytest.mark.parametrize("repeats", [1, 7])
def test_elements_in_all(dtype, per, count, repeats):
    def before():
        SetMaskCount()
        SetVectorMask(count, dtype=dtype, mode=MaskMode.COUNTER)

    assert moved(before, dtype=dtype, repeats=repeats) == (list(range(count)), list(range(count)))
    # every other 256 bytes of the source, side by side
    to, source = moved(before, dtype=dtype, repeats=repeats, strides=(1, 1, 8, 16))
    assert (to, source) == (list(range(count)), [i // per * 2 * per + i % per for i in range(count)])


def test_normal_mode_is_alike():
    assert moved(lambda: SetVectorMask(70))[0] == list(range(70))


def test_two_words_count_in_counter_mode_only():
    assert moved(lambda: SetVectorMask(0, 200, mode=MaskMode.COUNTER))[0] == list(range(200))

    def words_after_a_length():
        SetVectorMask(70)
        SetVectorMask(0, 3)

    assert moved(words_after_a_length)[0] == list(range(70))


def test_reset_clears_it():
    def before():
        SetVectorMask(70)
        ResetMask()

    with NPU(product="ascend310b").core() as core:
        x, y = core.alloc(half, 128, 1), core.alloc(half, 128, 0)
        before()
        Copy(y, x, MASK_PLACEHOLDER, 1, STRIDES, is_set_mask=False)
        assert not y.numpy().any()


def test_a_launch_begins_without_one():
    npu = NPU(product="ascend310b")
    with npu.core() as core:
        SetVectorMask(70)
        assert core.alloc(half, 16).length == 16
    with npu.core() as core:
        x, y = core.alloc(half, 128, 1), core.alloc(half, 128, 0)
        Copy(y, x, MASK_PLACEHOLDER, 1, STRIDES, is_set_mask=False)
        assert not y.numpy().any()


def test_bits_are_those_of_the_register():
    with NPU(product="ascend310b").core() as core:
        x, y = core.alloc(half, 128, 1), core.alloc(half, 128, 0)
        SetVectorMask(70)
        SetVectorMask(0, 0b101)
        Copy(y, x, [0, 0], 1, STRIDES, is_set_mask=False)
        ResetMask()
        assert y.numpy()[:4].tolist() == [1, 0, 1, 0]
        assert y.numpy().sum() == 2


def test_a_mask_argument_is_a_mask():
    with NPU(product="ascend310b").core() as core:
        x, y = core.alloc(half, 256, 1), core.alloc(half, 256, 0)
        SetVectorMask(70)
        Copy(y, x, 5, 2, STRIDES)
        ResetMask()
        assert y.numpy().sum() == 10


def test_no_other_instruction_reads_it():
    with NPU(product="ascend310b").core() as core:
        x, y = core.alloc(half, 128, 1), core.alloc(half, 128, 0)
        SetVectorMask(70)
        Adds(y, x, 0, MASK_PLACEHOLDER, 1, STRIDES, is_set_mask=False)
        ResetMask()
        assert not y.numpy().any()


@pytest.mark.parametrize("product", ["ascend910b", "ascend950"])
def test_no_other_product_has_it(product):
    def words_after_a_length():
        SetVectorMask(70)
        SetVectorMask(0, 3)

    assert moved(words_after_a_length, product=product)[0] == [0, 1]
