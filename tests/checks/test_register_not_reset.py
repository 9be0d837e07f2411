"""`register-not-reset`: at the end of a launch the mode is not normal, or a SetVectorMask value is left."""

import pytest

from ascend_sim import Adds, Duplicate, ResetMask, SetMaskCount, SetMaskNorm, SetVectorMask, float32
from tests.helpers import ALL, clean, remarks, run
from tests.reference import ALL_ONES

WITH_MODE = tuple(product for product in ALL if product != "ascend910")  # 910 has neither SetMaskCount nor ResetMask


@pytest.mark.parametrize("product", WITH_MODE)
def test_mode_is_left(product):
    def kernel(core):
        yield ()
        SetMaskCount()  # fires

    remarks(kernel, "register-not-reset", "warning", product=product, words=("counter", "SetMaskNorm"))


@pytest.mark.parametrize("product", ALL)
def test_mask_is_left(product):
    def kernel(core):
        yield ()
        SetVectorMask(0, 128)  # fires

    remedy = "ResetMask" if product in WITH_MODE else "SetVectorMask("
    remarks(kernel, "register-not-reset", "warning", product=product, words=("mask", remedy))


def test_next_launch_starts_with_all_ones_in_normal_mode():
    def earlier(core):
        yield ()
        SetMaskCount()
        SetVectorMask(0, 128)

    def kernel(core):
        x = core.alloc(float32, 256, range(256))
        y = core.alloc(float32, 256)
        yield y
        Adds(y, x, 1, 0, 4, (1, 1, 8, 8), is_set_mask=False)

    result = clean(kernel, after=earlier)
    assert (result.before.mask, result.before.mode) == ((ALL_ONES, ALL_ONES), "NORMAL")
    assert result.values[0].tolist() == list(range(1, 257))


@pytest.mark.parametrize("kept", [True, False])
def test_registers_can_be_kept_from_launch_to_launch(kept):
    def earlier(core):
        yield ()
        SetMaskCount()
        SetVectorMask(0, 128)

    def kernel(core):
        x = core.alloc(float32, 256, range(256))
        y = core.alloc(float32, 256)
        yield y
        Adds(y, x, 1, 0, 4, (1, 1, 8, 8), is_set_mask=False)
        SetMaskNorm()
        ResetMask()

    result = run(kernel, "raise", after=earlier, keep_registers=kept)
    assert result.error is None
    assert (result.states[0] == "written").sum() == (128 if kept else 256)


@pytest.mark.parametrize("product", ALL)
def test_all_ones_are_the_default(product):
    def kernel(core):
        y = core.alloc(float32, 64)
        yield y
        SetVectorMask(0, 0b10100)
        Duplicate(y, 1.0, [0, 0], 1, 1, 8, is_set_mask=False)
        SetVectorMask(ALL_ONES, ALL_ONES)

    assert (clean(kernel, product=product).states[0] == "written").sum() == 2


@pytest.mark.parametrize("product", WITH_MODE)
def test_reset_at_the_end(product):
    def kernel(core):
        y = core.alloc(float32, 64)
        yield y
        SetMaskCount()
        SetVectorMask(0, 20)
        Duplicate(y, 1.0, [0, 0], 1, 1, 8, is_set_mask=False)
        SetMaskNorm()
        ResetMask()

    written = (clean(kernel, product=product).states[0] == "written").sum()
    assert written == (2 if product == "ascend310b" else 20)  # 310B reads the stored word as bits: 20 = 0b10100


@pytest.mark.parametrize("product", ALL)
def test_mask_of_a_tiled_call_is_nobodys_fault(product):
    def kernel(core):
        y = core.alloc(float32, 64)
        yield y
        Duplicate(y, 1.0, 20, 1, 1, 8)
        Duplicate(y, 1.0, [0b101, 0], 1, 1, 8)

    clean(kernel, product=product)


@pytest.mark.parametrize("product", ["ascend310p", "ascend910b", "ascend910_93"])
def test_count_form_resets_by_the_way(product):
    def kernel(core):
        y = core.alloc(float32, 64)
        yield y
        SetMaskCount()
        SetVectorMask(0, 20)
        Duplicate(y, 1.0, 64)

    clean(kernel, product=product)
