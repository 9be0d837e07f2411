"""floor_div: tiles, broadcasting, pipes, capacity, and everything that it refuses."""

import numpy as np
import pytest

from ascend_sim import NPU, KernelError, pypto
from tests.ops.tables import TYPES

A2, A5 = "ascend910b", "ascend950"


# Tiles, broadcasting, scratch


@pytest.mark.parametrize("product", [A2, A5])
@pytest.mark.parametrize("kind", ["fp32", "fp16", "bf16", "int32", "int8", "uint8"])
@pytest.mark.parametrize(
    ("first", "second", "tile"),
    [
        ((5, 7), (5, 1), (4, 16)),
        ((5, 7), (1, 7), (2, 3)),
        ((7,), (5, 7), (4, 4)),
        ((2, 3, 4, 5), (3, 1, 5), (1, 2, 4, 5)),
        ((4, 1), (1, 40), (3, 33)),
        ((130, 70), (130, 70), (64, 64)),
    ],
)
def test_tiles_and_broadcasting(first, second, tile, kind, product):
    rng = np.random.default_rng(2)
    a, b = rng.integers(1, 120, first).astype(TYPES[kind]), rng.integers(1, 12, second).astype(TYPES[kind])
    with NPU(product), pypto.scope(tile):
        out = pypto.floor_div(a, b)
    assert out.report.is_clean, out.report
    assert np.array_equal(out.numpy().astype(np.float64), np.floor_divide(a.astype(np.float64), b.astype(np.float64)))


@pytest.mark.parametrize("dma", ["eager", "late"])
@pytest.mark.parametrize("auto_sync", [True, False])
@pytest.mark.parametrize("product", [A2, A5])
def test_the_kernel_orders_its_pipes_itself(dma, auto_sync, product):
    a, b = np.arange(1, 200, dtype=np.int32).reshape(199, 1), np.arange(1, 30, dtype=np.int32).reshape(1, 29)
    with NPU(product, dma=dma, auto_sync=auto_sync), pypto.scope((50, 13)):
        outs = [pypto.floor_div(a, b), pypto.floor_div(a, 7)]
    assert all(o.report.is_clean for o in outs)
    assert np.array_equal(outs[0].numpy(), a // b)
    assert np.array_equal(outs[1].numpy(), a // 7)


def test_a_tile_that_is_too_large_names_the_largest_that_fits():
    a = np.ones((256, 256), np.int32)
    with NPU(A2), pypto.scope((128, 128)):
        with pytest.raises(KernelError) as caught:
            pypto.floor_div(a, a)
        assert caught.value.finding.code == "ub-capacity"
        assert caught.value.finding.file == __file__
        assert "The largest tile that fits: (42, 128)" in str(caught.value)
        pypto.set_vec_tile_shapes(42, 128)
        assert (pypto.floor_div(a, a).numpy() == 1).all()
        pypto.set_vec_tile_shapes(43, 128)
        with pytest.raises(KernelError):
            pypto.floor_div(a, a)


def test_scratch_of_the_documented_tile():
    """Six float32 slots for each element."""
    with NPU(A2), pypto.scope((64, 64)):
        shown = pypto.explain(pypto.floor_div, (1024, 128), pypto.DT_INT32)
    assert shown.buffers == {"src0": 16384, "src1": 16384, "dst": 16384, "scratch": 98304}
    assert shown.tiles == 32


# Refusals, in the framework's order


def zeros(shape, kind="int32", layout=pypto.TileOpFormat.TILEOP_ND):
    made = pypto.from_numpy(np.ones(shape, TYPES[kind]))
    made.format = layout
    return made


NZ = pypto.TileOpFormat.TILEOP_NZ


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (zeros((2, 2), layout=NZ), zeros((2, 2), "int16"), "FC0000"),
        (zeros((2, 2)), zeros((2, 2), layout=NZ), "FC0000"),
        (zeros((2, 2), "int16"), zeros((2, 2), "int16"), "FC0001"),
        (zeros((2, 2), "int64"), zeros((2, 2), "int64"), "FC0001"),
        (zeros((2, 2)), zeros((2, 2), "fp32"), "FC0001"),
        (zeros((1,) * 5), zeros((2, 2)), "FC0002"),
        (zeros(()), zeros((2, 2)), "FC0002"),
        (zeros((2, 0)), zeros((2, 0)), "FC0000"),
        (zeros((2, 3)), zeros((2, 2)), "FC0000"),
        (zeros((2, 3), "int16"), 3, "FC0001"),
    ],
)
def test_refusals(first, second, code):
    with NPU(A2), pytest.raises(RuntimeError, match=f"CHECK FAILED: ErrCode: {code}! Enum: ERR_PARAM_"):
        pypto.floor_div(first, second)


def test_a_tile_of_another_rank_is_refused():
    with pypto.scope((4, 4)), pytest.raises(RuntimeError, match="FC0000"):
        pypto.floor_div(np.ones(4, np.int32), 2)


def test_too_many_elements_are_refused_before_anything_runs():
    huge = pypto.Tensor.over(np.broadcast_to(np.int8(1), (1 << 16, 1 << 16)), pypto.DT_INT8)
    with pytest.raises(RuntimeError, match="FC0000"):
        pypto.floor_div(huge, 2)


@pytest.mark.parametrize("product", ["ascend910", "ascend310p", "ascend310b"])
def test_products_without_the_framework(product):
    with NPU(product), pytest.raises(RuntimeError, match="FC0000"):
        pypto.floor_div(np.ones(4, np.int32), 2)


def test_a_float_scalar_does_not_go_with_integers():
    text = r"ErrCode: F00001, TypeError: floor_div\(\): float scalar incompatible with integer tensor dtype DT_INT32"
    with pytest.raises(pypto.PyptoError, match=text) as caught:
        pypto.floor_div(np.ones(4, np.int32), 2.0)
    assert not isinstance(caught.value, TypeError)
    assert caught.value.code == 0xF00001


@pytest.mark.parametrize(("kind", "scalar"), [("int8", 300), ("uint8", -1), ("int32", 1 << 31)])
def test_an_integer_that_does_not_fit_overflows(kind, scalar):
    with pytest.raises(OverflowError):
        pypto.floor_div(np.ones(4, TYPES[kind]), scalar)


def test_a_bool_counts_as_an_integer():
    assert pypto.floor_div(np.array([5], np.int32), True).numpy().tolist() == [5]
