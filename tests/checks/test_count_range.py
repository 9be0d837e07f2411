"""`count-range`: a negative count."""

import numpy as np
import pytest

from ascend_sim import Adds, Cast, Duplicate, RoundMode, float32, half
from tests.helpers import ALL, clean, fires, run


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize("name", ["Adds", "Cast", "Duplicate"])
def test_negative_count_does_nothing(product, name):
    def kernel(core):
        x = core.alloc(float32, 64, range(64))
        y = core.alloc(half, 64)
        yield y
        calls = {
            "Adds": lambda: Adds(x, x, 1, -1),
            "Cast": lambda: Cast(y, x, RoundMode.CAST_NONE, -1),
            "Duplicate": lambda: Duplicate(x, 1.0, -1),
        }
        calls[name]()

    strict = run(kernel, "raise", product=product)
    assert strict.error is not None
    assert strict.error.finding.code == "count-range"
    assert strict.error.finding.instruction == name
    recorded = run(kernel, "record", product=product)
    assert recorded.codes == ["count-range"]
    for result in (strict, recorded, run(kernel, "off", product=product)):
        assert (result.after.ub, result.after.written) == (result.before.ub, result.before.written)


def test_line_and_message():
    def kernel(core):
        y = core.alloc(float32, 64)
        yield y
        Duplicate(y, 1.0, -5)  # fires

    fires(kernel, "count-range", instruction="Duplicate", words=("Duplicate", "count", "-5"))


@pytest.mark.parametrize("product", ALL)
def test_zero_writes_nothing_and_is_no_error(product):
    def kernel(core):
        y = core.alloc(float32, 64, np.zeros(64))
        yield y
        Duplicate(y, 1.0, 0)

    result = run(kernel, "raise", product=product)
    assert result.error is None
    assert not result.values[0].any()


@pytest.mark.parametrize("product", ALL)
def test_one_is_legal(product):
    def kernel(core):
        y = core.alloc(float32, 64)
        yield y
        Duplicate(y, 1.0, 1)

    assert (clean(kernel, product=product).states[0] == "written").tolist() == [True] + [False] * 63
