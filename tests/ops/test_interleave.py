"""interleave and deinterleave: every row of the golden table, the documentation's example, round trips, refusals."""

import ast

import numpy as np
import pytest

from ascend_sim import NPU, pypto
from tests.ops.tables import rows

A2, A5 = "ascend910b", "ascend950"
ROWS = rows("interleave")
GOOD = [r for r in ROWS if r["status"] == "ok"]
BAD = [r for r in ROWS if r["status"] != "ok"]
TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "float16", "float32", "bfloat16"]


@pytest.fixture(autouse=True)
def own_scope():
    with pypto.scope():
        yield


def call(op, first, second):
    if op == "interleave":
        return pypto.interleave(first, second)
    return pypto.deinterleave(first) if op == "deinterleave1" else pypto.deinterleave(first, second)


def test_the_table_has_thirty_value_rows_and_nine_refusals():
    assert (len(GOOD), len(BAD)) == (30, 9)


@pytest.mark.parametrize("row", GOOD, ids=lambda r: r["id"])
def test_values(row):
    shape = ast.literal_eval(row["in_shape"])
    first = np.array(ast.literal_eval(row["input"]), np.int32).reshape(shape)
    second = np.array(ast.literal_eval(row["other"]), np.int32).reshape(shape) if row["other"] else None
    with NPU(A5):
        outs = call(row["op"], first, second)
    assert isinstance(outs, list)
    for out, name in zip(outs, ("out0", "out1"), strict=True):
        assert out.shape == ast.literal_eval(row["out_shape"])
        assert out.numpy().reshape(-1).tolist() == ast.literal_eval(row[name])
        assert out.report.is_clean


@pytest.mark.parametrize("row", BAD, ids=lambda r: r["id"])
def test_refusals(row):
    status = row["status"]
    shape = ast.literal_eval(row["in_shape"])
    first, second = (pypto.from_numpy(np.zeros(shape, np.float32)) for _ in range(2))
    if "tile" in status:
        tile = ast.literal_eval(status[status.index("(") : status.index(")") + 1])
        pypto.set_vec_tile_shapes(*tile)
    if "NZ" in status:
        first.format = pypto.TileOpFormat.TILEOP_NZ
    with (
        NPU(A2 if "DAV_2201" in status else A5),
        pytest.raises(RuntimeError, match=r"CHECK FAILED: ErrCode: FC0000! Enum: ERR_PARAM_INVALID"),
    ):
        call(row["op"], first, second)


def test_example_of_the_page():
    first = np.array([[0, 10, 1, 11], [4, 14, 5, 15]], np.float32)
    second = np.array([[2, 12, 3, 13], [6, 16, 7, 17]], np.float32)
    pypto.set_vec_tile_shapes(4, 4)
    with NPU(A5):
        out0, out1 = pypto.deinterleave(first, second)
        joined = pypto.deinterleave(np.concatenate([first, second], axis=1))
    assert out0.numpy().tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert out1.numpy().tolist() == [[10, 11, 12, 13], [14, 15, 16, 17]]
    assert [o.numpy().tolist() for o in joined] == [out0.numpy().tolist(), out1.numpy().tolist()]


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize(
    ("shape", "tile"), [((6,), (6,)), ((3, 10), (2, 10)), ((2, 2, 8, 64), (1, 1, 2, 64)), ((5, 38), None)]
)
def test_round_trip_keeps_every_bit(name, shape, tile):
    dtype = pypto.DataType[
        "DT_" + {"float16": "FP16", "float32": "FP32", "bfloat16": "BF16"}.get(name, name.upper())
    ].host
    rng = np.random.default_rng(3)
    first, second = (
        rng.integers(0, 256, (*shape[:-1], shape[-1] * dtype.itemsize), np.uint8).view(dtype) for _ in range(2)
    )
    if tile:
        pypto.set_vec_tile_shapes(*tile)
    with NPU(A5):
        dealt = pypto.interleave(first, second)
        back = pypto.deinterleave(*dealt)
    assert [b.numpy().tobytes() for b in back] == [first.tobytes(), second.tobytes()]
    mixed = np.stack([first, second], axis=-1).reshape(*shape[:-1], -1)
    assert np.concatenate([d.numpy() for d in dealt], axis=-1).tobytes() == mixed.tobytes()


@pytest.mark.parametrize("width", [2, 6, 8, 14, 32])
def test_one_source_may_be_cut_along_the_last_axis(width):
    source = np.arange(3 * 32, dtype=np.int16).reshape(3, 32)
    pypto.set_vec_tile_shapes(2, width)
    with NPU(A5):
        even, odd = pypto.deinterleave(source)
    assert np.array_equal(even.numpy(), source[:, 0::2])
    assert np.array_equal(odd.numpy(), source[:, 1::2])
    assert even.report.is_clean


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (np.zeros((2, 4), np.float32), np.zeros((2, 4), np.int32), "FC0001"),
        (np.zeros((2, 4), np.int64), np.zeros((2, 4), np.int64), "FC0001"),
        (np.zeros((2, 4), np.int8), np.zeros((2, 6), np.int8), "FC0000"),
        (np.zeros((2, 4), np.int8), np.zeros((1, 2, 4), np.int8), "FC0002"),
        (np.zeros((1, 1, 1, 2, 4), np.int8), np.zeros((1, 1, 1, 2, 4), np.int8), "FC0002"),
        (np.zeros((0, 4), np.int8), np.zeros((0, 4), np.int8), "FC0000"),
    ],
)
def test_operands_that_do_not_match(first, second, code):
    with NPU(A5), pytest.raises(RuntimeError, match=code):
        pypto.interleave(first, second)
