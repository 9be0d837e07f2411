"""`repeat-range`: the repeat field is 8 bits wide (spec 01 section 3.1)."""

import pytest

from ascend_sim import Adds, Duplicate, SetMaskCount, SetMaskNorm, half
from tests.helpers import ALL, clean, fires, run


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize(("repeats", "executed"), [(256, 0), (257, 1), (300, 44)])
def test_field_wraps(product, repeats, executed):
    def kernel(core):
        y = core.alloc(half, 128 * 300)
        yield y
        Duplicate(y, 1.0, 128, repeats, 1, 8)  # fires

    words = ("Duplicate", str(repeats), "255", str(executed))
    also = () if executed else ("zero-repeat",)
    result = fires(kernel, "repeat-range", product=product, instruction="Duplicate", words=words, also=also)
    assert (result.states[0] == "written").sum() == 128 * executed


@pytest.mark.parametrize(("repeats", "executed"), [(256, 0), (258, 2)])
def test_310b_does_not_test_the_mode_so_the_repeat_counts(repeats, executed):
    def kernel(core):
        y = core.alloc(half, 128 * 300)
        SetMaskCount()
        yield y
        Duplicate(y, 1.0, [5, 0], repeats, 1, 8)  # fires
        SetMaskNorm()

    also = () if executed else ("zero-repeat",)
    result = fires(kernel, "repeat-range", product="ascend310b", words=(str(repeats),), also=also)
    assert (result.states[0] == "written").sum() == 2 * executed  # 5 is 0b101


def test_negative():
    def kernel(core):
        y = core.alloc(half, 128)
        yield y
        Duplicate(y, 1.0, 128, -1, 1, 8)

    result = run(kernel, "raise")
    assert result.error is not None
    assert result.error.finding.code == "repeat-range"


@pytest.mark.parametrize("product", ALL)
def test_255_repeats_and_any_count_are_legal(product):
    def kernel(core):
        y = core.alloc(half, 128 * 300, [0] * (128 * 300))
        yield y
        Adds(y, y, 1, 128, 255, (1, 1, 8, 8))
        Adds(y, y, 1, 128 * 300)

    assert clean(kernel, product=product).values[0].tolist() == [2] * (128 * 255) + [1] * (128 * 45)
