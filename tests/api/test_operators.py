"""The whole-tensor operator form: one instruction, no temporary."""

import numpy as np
import pytest

from ascend_sim import NPU, float32, uint8_t, uint16_t


@pytest.fixture
def core():
    with NPU().core() as running:
        yield running


def test_whole_tensor_operators_are_one_instruction(core):
    x, y, d = core.alloc(float32, 64, range(64)), core.alloc(float32, 64, 2), core.alloc(float32, 64)
    for expression, wanted in (
        (lambda: x + y, np.arange(64) + 2),
        (lambda: x - y, np.arange(64) - 2),
        (lambda: x * y, np.arange(64) * 2),
        (lambda: x / y, np.arange(64) / 2),
    ):
        d[:] = expression()
        assert (d.numpy() == wanted).all()
    assert [e.name for e in core.trace if e.accesses] == ["Add", "Sub", "Mul", "Div"]
    a, b, c = (core.alloc(uint16_t, 64, v) for v in (12, 10, 0))
    c[:] = a & b
    assert c.numpy()[0] == 8
    c[:] = a | b
    assert c.numpy()[0] == 14


def test_comparison_operators_pack_bits(core):
    x, y, d = core.alloc(float32, 64, range(64)), core.alloc(float32, 64, 32), core.alloc(uint8_t, 8)
    for expression, wanted in (
        (lambda: x < y, 32),
        (lambda: x > y, 31),
        (lambda: x == y, 1),
        (lambda: x <= y, 33),
        (lambda: x >= y, 32),
        (lambda: x != y, 63),
    ):
        d[:] = expression()
        assert np.unpackbits(d.numpy()).sum() == wanted


def test_operators_have_no_value_of_their_own(core):
    x, y = core.alloc(float32, 64, 1), core.alloc(float32, 64, 2)
    with pytest.raises(TypeError, match="dst\\[:\\] = src0 < src1"):
        bool(x < y)
    with pytest.raises(TypeError, match="SetValue"):
        x[0] = 3
    with pytest.raises(TypeError):
        x + 1
