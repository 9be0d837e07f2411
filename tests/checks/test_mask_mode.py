"""`mask-mode`: a contiguous mask given in counter mode, and is_set_mask=False where the product does not look at it.

Spec 01 section 2.6.
"""

import pytest

from ascend_sim import (
    MASK_PLACEHOLDER,
    Adds,
    Cast,
    RoundMode,
    SetMaskCount,
    SetMaskNorm,
    SetVectorMask,
    float32,
    half,
    int32_t,
)
from tests.helpers import clean, remarks, run
from tests.reference import ones


@pytest.mark.parametrize(
    ("product", "mask", "written"),
    [
        ("ascend310p", 3, 7),
        ("ascend910b", 3, 7),
        ("ascend910_93", 10, 1023),
        ("ascend950", 3, 3),
        ("ascend950", 300, 300),
        ("ascend310b", 3, 3),
    ],
)
def test_contiguous_mask_in_counter_mode(product, mask, written):
    """Stored as bits and read as a count; a count of its own on 950; 310B does not test the mode."""

    def kernel(core):
        dst = core.alloc(half, 1024)
        src = core.alloc(half, 1024, [1] * 1024)
        SetMaskCount()
        yield dst
        Adds(dst, src, 1.0, mask, 1, (1, 1, 8, 8))  # fires
        SetMaskNorm()

    words = ("Adds", "mask", "counter")
    result = remarks(kernel, "mask-mode", "warning", product=product, instruction="Adds", words=words)
    assert (result.states[0] == "written").sum() == written
    assert (result.values[0][:written] == 2).all()


@pytest.mark.parametrize("product", ["ascend310p", "ascend910b", "ascend910_93", "ascend950"])
def test_bitwise_mask_in_counter_mode_is_the_count(product):
    def kernel(core):
        dst = core.alloc(half, 1024)
        src = core.alloc(half, 1024, [1] * 1024)
        yield dst
        SetMaskCount()
        Adds(dst, src, 1.0, [130, 0], 1, (2, 2, 16, 16))
        SetMaskNorm()

    states = clean(kernel, product=product).states[0] == "written"
    rows = [*range(0, 256, 32)]
    assert states.nonzero()[0].tolist() == [row + i for row in rows for i in range(16)] + [256, 257]


def test_contiguous_form_of_310b_always_uses_its_argument():
    def kernel(core):
        dst = core.alloc(float32, 64)
        src = core.alloc(float32, 64, [1] * 64)
        yield dst
        Adds(dst, src, 1.0, 5, 1, (1, 1, 8, 8), is_set_mask=False)  # fires

    result = remarks(kernel, "mask-mode", "warning", product="ascend310b", words=("Adds", "is_set_mask"))
    assert (result.states[0] == "written").sum() == 5


def test_placeholder_on_310b_selects_no_lane():
    def kernel(core):
        dst = core.alloc(float32, 64)
        src = core.alloc(float32, 64, [1] * 64)
        yield dst
        Adds(dst, src, 1.0, MASK_PLACEHOLDER, 1, (1, 1, 8, 8), is_set_mask=False)

    result = run(kernel, "raise", product="ascend310b")
    assert "mask-mode" in result.codes
    assert set(result.codes) <= {"mask-mode", "empty-mask"}
    assert (result.states[0] == "uninitialised").all()


def test_bitwise_cast_of_310b_always_uses_its_argument():
    def kernel(core):
        dst = core.alloc(int32_t, 64)
        src = core.alloc(half, 64, [1] * 64)
        SetVectorMask(0, ones(20))
        yield dst
        Cast(dst, src, RoundMode.CAST_RINT, [ones(5), 0], 1, (1, 1, 8, 4), is_set_mask=False)  # fires
        SetVectorMask((1 << 64) - 1, (1 << 64) - 1)

    result = remarks(kernel, "mask-mode", "warning", product="ascend310b", words=("Cast", "is_set_mask"))
    assert (result.states[0] == "written").sum() == 5


@pytest.mark.parametrize("product", ["ascend310b", "ascend950"])
def test_count_form_of_the_register_loop_always_uses_its_count(product):
    def kernel(core):
        dst = core.alloc(float32, 64)
        src = core.alloc(float32, 64, [1] * 64)
        yield dst
        Adds(dst, src, 1.0, 10, is_set_mask=False)  # fires

    result = remarks(kernel, "mask-mode", "warning", product=product, words=("Adds", "is_set_mask"))
    assert (result.states[0] == "written").sum() == 10


@pytest.mark.parametrize("product", ["ascend910", "ascend310p", "ascend910b", "ascend910_93", "ascend950"])
def test_stored_mask_is_used(product):
    def kernel(core):
        dst = core.alloc(float32, 64)
        src = core.alloc(float32, 64, [1] * 64)
        yield dst
        SetVectorMask(0, ones(20))
        Adds(dst, src, 1.0, MASK_PLACEHOLDER, 1, (1, 1, 8, 8), is_set_mask=False)
        SetVectorMask((1 << 64) - 1, (1 << 64) - 1)

    assert (clean(kernel, product=product).states[0] == "written").sum() == 20


def test_bitwise_form_of_310b_uses_the_stored_mask():
    def kernel(core):
        dst = core.alloc(float32, 64)
        src = core.alloc(float32, 64, [1] * 64)
        yield dst
        SetVectorMask(0, ones(20))
        Adds(dst, src, 1.0, [0, 0], 1, (1, 1, 8, 8), is_set_mask=False)
        SetVectorMask((1 << 64) - 1, (1 << 64) - 1)

    assert (clean(kernel, product="ascend310b").states[0] == "written").sum() == 20
