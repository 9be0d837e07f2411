"""`field-range`: a tuple in place of a parameter struct, with a value that the struct's field does not hold."""

import numpy as np
import pytest

from ascend_sim import NPU, Add, Adds, BinaryRepeatParams, DataCopy, GlobalTensor, UnaryRepeatParams, half
from isa.params import FieldError
from tests.helpers import clean, fires, run


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ((1, 1, 256 + 8, 8), "dst_rep_stride"),
        ((1, 1, 8, 256 + 8), "src_rep_stride"),
        ((65536 + 1, 1, 8, 8), "dst_blk_stride"),
        ((1, 65536 + 1, 8, 8), "src_blk_stride"),
    ],
)
def test_field_wraps(params, name):
    def kernel(core):
        x = core.alloc(half, 256, range(256))
        y = core.alloc(half, 256)
        yield y
        Adds(y, x, 1, 128, 2, params)  # fires

    words = ("Adds", name, str(max(params)))
    result = fires(kernel, "field-range", instruction="Adds", words=words)
    assert result.values[0].tolist() == list(range(1, 257))


def test_fields_of_a_binary_instruction_are_narrower():
    def kernel(core):
        x = core.alloc(half, 256, range(256))
        y = core.alloc(half, 256)
        yield y
        Add(y, x, x, 128, 2, (1, 1, 256 + 1, 8, 8, 8))  # fires

    result = fires(kernel, "field-range", instruction="Add", words=("src1_blk_stride", "257", "255"))
    assert result.values[0].tolist() == list(range(0, 512, 2))


def test_bursts_of_a_copy():
    gm = GlobalTensor(half)
    gm.SetGlobalBuffer(np.zeros(65536, np.float16))

    def kernel(core):
        x = core.alloc(half, 65536)
        yield x
        DataCopy(x, gm, (4096, 1, 0, 0))

    result = run(kernel, "raise")
    assert result.error is not None
    assert result.error.finding.code == "field-range"
    assert "block_count" in result.error.finding.message
    assert result.after == result.before


@pytest.mark.parametrize("check", ["raise", "record", "off"])
def test_a_struct_refuses_the_value_itself(check):
    with NPU(check=check).core() as core, pytest.raises(FieldError, match=r"dst_rep_stride=256 .*255"):
        UnaryRepeatParams(1, 1, 256, 8)
    assert core.findings == []


def test_limits_are_legal():
    def kernel(core):
        x = core.alloc(half, 16, range(16))
        y = core.alloc(half, 16)
        yield y
        Adds(y, x, 1, 16, 1, (65535, 65535, 255, 255))
        Add(y, x, x, 16, 1, BinaryRepeatParams(255, 255, 255, 255, 255, 255))

    clean(kernel)
