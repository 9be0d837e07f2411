"""The control register: what its bits switch, which ones a product lets a kernel write, what it holds at the start."""

import numpy as np
import pytest

from ascend_sim import (
    NPU,
    Add,
    Cast,
    GetCtrlSpr,
    GetSaturationFlag,
    KernelError,
    ResetCtrlSpr,
    RoundMode,
    SaturationFlagMode,
    SetCtrlSpr,
    SetSaturationFlag,
    float32,
    half,
    int16_t,
)

CAST, FLOAT = SaturationFlagMode.CAST, SaturationFlagMode.FLOAT


def add_halves(core):
    x = core.alloc(half, 16, 60000)
    Add(x, x, x, 16)
    return float(x.numpy()[0])


def cast_to_int16(core):
    src, dst = core.alloc(float32, 8, 70000), core.alloc(int16_t, 16)
    Cast(dst, src, RoundMode.CAST_RINT, 8)
    return int(dst.numpy()[0])


def test_bit_48_is_the_float_mode():
    with NPU().core() as core:
        assert add_halves(core) == 65504
        SetCtrlSpr(48, 48, 1)
        assert GetCtrlSpr(48, 48) == 1
        assert add_halves(core) == np.inf
        SetCtrlSpr(48, 48, 0)
        assert add_halves(core) == 65504


def test_the_saturation_flag_is_the_same_bit_the_other_way_round():
    with NPU("ascend910_93").core() as core:
        assert GetSaturationFlag(FLOAT)
        SetSaturationFlag(FLOAT, False)
        assert core.ctrl >> 48 & 1 == 1
        assert not GetSaturationFlag(FLOAT)
        assert add_halves(core) == np.inf


def test_conversions_have_a_flag_of_their_own():
    with NPU().core() as core:
        assert cast_to_int16(core) == 32767
        SetSaturationFlag(CAST, False)
        assert cast_to_int16(core) == 70000 - 65536


def test_integers_wrap_until_bit_53_is_set():
    with NPU("ascend950").core() as core:
        results = []
        for bit in (0, 1):
            SetCtrlSpr(53, 53, bit)
            x = core.alloc(int16_t, 16, -32768)
            Add(x, x, x, 16)
            results.append(int(x.numpy()[0]))
    assert results == [0, -32768]


def test_reset_gives_the_bits_of_the_start():
    with NPU("ascend950", float_mode="inf_nan").core() as core:
        start = core.ctrl
        assert start >> 48 & 1 == 1
        assert start >> 60 & 1 == 1
        SetCtrlSpr(48, 48, 0)
        ResetCtrlSpr(48, 48)
        assert core.ctrl == start


@pytest.mark.parametrize(
    ("options", "half_sum"),
    [({}, 65504), ({"float_mode": "saturate"}, 65504), ({"float_mode": "inf_nan"}, np.inf)],
)
def test_float_mode_is_the_initial_bit(options, half_sum):
    with NPU(**options).core() as core:
        assert add_halves(core) == half_sum


def test_the_first_generation_only_saturates():
    with NPU("ascend910", float_mode="inf_nan").core() as core:
        assert add_halves(core) == 65504


@pytest.mark.parametrize(
    ("product", "call", "code", "words"),
    [
        ("ascend910b", lambda: SetCtrlSpr(53, 53, 1), "unsupported-form", "bit 53 .* not writable on ascend910b"),
        ("ascend910b", lambda: SetCtrlSpr(50, 48, 1), "unsupported-form", "no range"),
        ("ascend910b", lambda: ResetCtrlSpr(48, 48), "unsupported-api", "ascend950"),
        ("ascend950", lambda: SetSaturationFlag(FLOAT, True), "unsupported-api", "ascend910b, ascend910_93"),
        ("ascend910b", lambda: SetSaturationFlag(SaturationFlagMode.INT, True), "unsupported-form", "CAST, FLOAT"),
        ("ascend910", lambda: GetCtrlSpr(48, 48), "unsupported-api", "does not have"),
    ],
)
def test_what_a_product_does_not_have_is_refused(product, call, code, words):
    with NPU(product, check="off").core() as core:
        before = core.ctrl
        with pytest.raises(KernelError, match=words) as caught:
            call()
        assert caught.value.finding.code == code
        assert core.ctrl == before


def test_registers_are_reset_for_the_next_launch():
    npu = NPU()
    with npu.core():
        SetCtrlSpr(48, 48, 1)
    with npu.core() as core:
        assert add_halves(core) == 65504
