"""`stride-range`: a loose stride argument that its field does not hold."""

import pytest

from ascend_sim import Duplicate, half
from tests.helpers import clean, fires


@pytest.mark.parametrize(("block", "repeat", "name"), [(1, 256 + 9, "repeat"), (65536 + 2, 16, "block")])
def test_field_wraps(block, repeat, name):
    def kernel(core):
        y = core.alloc(half, 512)
        yield y
        Duplicate(y, 1.0, 128, 2, block, repeat)  # fires

    bad = max(block, repeat)
    words = ("Duplicate", f"dst_{name}_stride", str(bad), {"repeat": "255", "block": "65535"}[name])
    result = fires(kernel, "stride-range", instruction="Duplicate", words=words)
    rows = [32 * ((block & 0xFFFF) * b + (repeat & 0xFF) * r) // 2 for r in range(2) for b in range(8)]
    expected = sorted({row + i for row in rows for i in range(16)})
    assert (result.states[0] == "written").nonzero()[0].tolist() == expected


@pytest.mark.parametrize(("block", "repeat"), [(1, 256), (65536, 8), (-1, 8), (1, -1)])
def test_first_value_outside(block, repeat):
    def kernel(core):
        y = core.alloc(half, 128)
        yield y
        Duplicate(y, 1.0, 16, 1, block, repeat)  # fires

    fires(kernel, "stride-range", instruction="Duplicate")


def test_limits_are_legal():
    def kernel(core):
        y = core.alloc(half, 128)
        yield y
        Duplicate(y, 1.0, 16, 1, 65535, 255)
        Duplicate(y, 1.0, 128, 1, dst_block_stride=1, dst_repeat_stride=8)

    clean(kernel)
