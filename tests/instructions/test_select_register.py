"""Select and the compare register: what a call with sel_mask leaves there, and calls that take it from there.

Source: spec 01 section 3.8; before the register loops the library hands the bits, the scalar or the address of the bits
to the instruction through this register.
"""

import numpy as np
import pytest

from ascend_sim import (
    NPU,
    SELMODE,
    GetCmpMask,
    MaskMode,
    ResetMask,
    Select,
    SetCmpMask,
    SetMaskCount,
    SetMaskNorm,
    SetVectorMask,
    float32,
    half,
    uint8_t,
    uint32_t,
)

SCALAR, TENSOR = SELMODE.VSEL_TENSOR_SCALAR_MODE, SELMODE.VSEL_TENSOR_TENSOR_MODE
STRIDES = (1, 1, 1, 8, 8, 8)
BEFORE_LOOPS = ("ascend310p", "ascend910b", "ascend910_93")


def on(product):
    return NPU(product=product).core()


def register(core):
    out = core.alloc(uint8_t, 128, 0)
    GetCmpMask(out)
    return out.numpy()[:16]


@pytest.mark.parametrize("product", BEFORE_LOOPS)
@pytest.mark.parametrize("form", ["count", "tiled"])
@pytest.mark.parametrize("dtype", [half, float32])
def test_a_scalar_stays(product, form, dtype):
    with on(product) as core:
        x, y, m = core.alloc(dtype, 128, 1), core.alloc(dtype, 128), core.alloc(uint8_t, 32, 0x55)
        tail = (128,) if form == "count" else (256 // dtype.size, 1, STRIDES)
        Select(y, m, x, 2.5, SCALAR, *tail)
        assert (register(core).view(dtype.host) == 2.5).all()
        assert y.numpy()[:4].tolist() == [1, 2.5, 1, 2.5]


@pytest.mark.parametrize("product", BEFORE_LOOPS)
@pytest.mark.parametrize("form", ["count", "tiled"])
def test_the_address_stays(product, form):
    with on(product) as core:
        x, z, y = core.alloc(half, 256, 1), core.alloc(half, 256, 2), core.alloc(half, 256)
        m = core.alloc(uint8_t, 32, 0x55)
        Select(y, m, x, z, TENSOR, *((256,) if form == "count" else (128, 2, STRIDES)))
        assert register(core).view(np.uint32).tolist() == [m.address] * 4
        assert y.numpy().tolist() == [1, 2] * 128


@pytest.mark.parametrize("mode", [SCALAR, TENSOR])
def test_the_register_loop_leaves_it_alone(mode):
    with on("ascend950") as core:
        x, y, m = core.alloc(half, 128, 1), core.alloc(half, 128), core.alloc(uint8_t, 32, 0x55)
        SetCmpMask(core.alloc(uint8_t, 32, 7))
        Select(y, m, x, 2.5 if mode is SCALAR else x, mode, 128)
        assert register(core).tolist() == [7] * 16


@pytest.mark.parametrize("dtype", [half, float32])
def test_a_scalar_in_the_register(dtype):
    """Mode 1 without a mask argument: the register has the scalar, and keeps what else it has."""
    with on("ascend910b") as core:
        x, y, m = core.alloc(dtype, 64, range(64)), core.alloc(dtype, 64), core.alloc(uint8_t, 32, 0x0F)
        SetCmpMask(core.alloc(dtype, 16, range(100, 116)))
        SetVectorMask(0, (1 << 64) - 1)
        Select(y, m, x, 1, STRIDES, sel_mode=SCALAR)
        ResetMask()
        assert y.numpy()[:10].tolist() == [0, 1, 2, 3, 100, 100, 100, 100, 8, 9]
        assert register(core).view(dtype.host)[:3].tolist() == [100, 101, 102]


def chosen(bits, a, b):
    """The slow reference: one lane after the other."""
    return [a[i] if bits[i // 8] >> i % 8 & 1 else b[i] for i in range(len(a))]


@pytest.mark.parametrize("product", ["ascend910b", "ascend910_93"])
@pytest.mark.parametrize("dtype", [half, float32])
def test_tensors_by_an_address_in_the_register(product, dtype):
    """Mode 2 without a mask argument: the register has the address of the bits, which go on from repeat to repeat."""
    repeats = 3
    count = repeats * 256 // dtype.size
    bits = np.random.default_rng(1).integers(0, 256, count // 8, np.uint8)
    with on(product) as core:
        x, z = core.alloc(dtype, count, range(count)), core.alloc(dtype, count, range(1000, 1000 + count))
        y, m = core.alloc(dtype, count), core.alloc(uint8_t, count // 8, bits)
        SetCmpMask(core.alloc(uint32_t, 8, [m.address] * 8))
        Select(y, x, z, repeats, STRIDES, sel_mode=TENSOR)
        assert y.numpy().tolist() == chosen(bits, x.numpy(), z.numpy())
        assert register(core).view(np.uint32)[0] == m.address


def test_the_address_that_a_call_leaves_serves_the_next():
    bits = np.random.default_rng(2).integers(0, 256, 16, np.uint8)
    with on("ascend910b") as core:
        x, z, y = core.alloc(half, 128, range(128)), core.alloc(half, 128, 500), core.alloc(half, 128)
        m, w = core.alloc(uint8_t, 32, [*bits, *bits]), core.alloc(half, 128)
        Select(y, m, x, z, TENSOR, 128, 1, STRIDES)
        Select(w, x, z, 1, STRIDES, sel_mode=TENSOR)
        assert w.numpy().tolist() == y.numpy().tolist() == chosen(bits, x.numpy(), z.numpy())


def test_lanes_of_the_stored_mask():
    with on("ascend910b") as core:
        x, z, y = core.alloc(half, 128, 1), core.alloc(half, 128, 2), core.alloc(half, 128, 7)
        m = core.alloc(uint8_t, 32, 0x55)
        SetCmpMask(core.alloc(uint32_t, 8, [m.address] * 8))
        SetVectorMask(0, 0xF)
        Select(y, x, z, 1, STRIDES, sel_mode=TENSOR)
        assert y.numpy()[:6].tolist() == [1, 2, 1, 2, 7, 7]
        ResetMask()


@pytest.mark.parametrize("mode", [MaskMode.NORMAL, MaskMode.COUNTER])
def test_it_takes_the_mode_of_the_core(mode):
    with on("ascend910b") as core:
        x, z, y = core.alloc(half, 128, 1), core.alloc(half, 128, 2), core.alloc(half, 128, 7)
        m = core.alloc(uint8_t, 32, 0x55)
        SetCmpMask(core.alloc(uint32_t, 8, [m.address] * 8))
        if mode is MaskMode.COUNTER:
            SetMaskCount()
            SetVectorMask(3, mode=MaskMode.COUNTER)
        else:
            SetVectorMask(3)
        Select(y, x, z, 1, STRIDES, sel_mode=TENSOR)
        SetMaskNorm()
        ResetMask()
        assert y.numpy()[:5].tolist() == [1, 2, 1, 7, 7]
