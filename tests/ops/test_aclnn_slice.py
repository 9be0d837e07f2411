"""aclnnSlice: every row of its golden table, random slices against numpy, tensors larger than the Unified Buffer."""

import ast

import numpy as np
import pytest

from ascend_sim import NPU, KernelError, aclnn
from ascend_sim.ops.strided import plan
from tests.ops.tables import TYPES, rows

ROWS = rows("aclnn_slice")
PRODUCTS = ["ascend910", "ascend910b", "ascend910_93", "ascend950"]
KINDS = ["fp32", "fp16", "int32", "int64", "int8", "uint8", "bool", "bf16"]


def run(x, dim, start, end, step, out):
    status, size, executor = aclnn.aclnnSliceGetWorkspaceSize(x, dim, start, end, step, out)
    assert status == 0
    workspace = np.empty(size, np.uint8) if size else None
    assert aclnn.aclnnSlice(workspace, size, executor, None) == 0
    assert all(r.is_clean for r in executor.reports), str(executor.reports[0])
    return executor


def filled(rng, shape, kind):
    dtype = np.dtype(TYPES[kind])
    if kind == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    count = int(np.prod(shape))
    return rng.integers(0, 256, count * dtype.itemsize, np.uint8).view(dtype).reshape(shape)


def test_the_table_has_43_rows():
    assert len(ROWS) == 43
    assert sum(r["status"] == "0" for r in ROWS) == 32


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("row", ROWS, ids=lambda r: r["id"])
def test_golden(row, product):
    """All rows on all four products; row 41 is about the one without bfloat16."""
    shape, strides, offset = (ast.literal_eval(row[c]) for c in ("shape", "strides", "offset"))
    dtype = np.dtype(TYPES[row["dtype"]])
    room = offset + 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if n)
    storage = np.arange(max(room, 1)).astype(dtype)
    x = np.ndarray(shape, dtype, storage, offset * dtype.itemsize, [s * dtype.itemsize for s in strides])
    dim, start, end, step = (int(row[c]) for c in ("dim", "start", "end", "step"))
    out_shape = ast.literal_eval(row["out_shape"]) if row["out_shape"] else [3, 4]
    if row["out_given"] != "auto":
        out_shape = ast.literal_eval(row["out_given"])
    out = np.zeros(out_shape, dtype)
    if "dtype mismatch" in row["note"]:
        out = out.astype(np.float16)
    expected = int(row["status"])
    if row["id"] == "41" and product != "ascend910":
        expected = 0
    with NPU(product):
        if "null" in row["note"]:
            for given in ((None, out), (x, None)):
                assert aclnn.aclnnSliceGetWorkspaceSize(given[0], dim, start, end, step, given[1])[0] == expected
            return
        if expected:
            assert aclnn.aclnnSliceGetWorkspaceSize(x, dim, start, end, step, out) == (expected, 0, None)
            return
        run(x, dim, start, end, step, out)
    if row["storage_indices"]:
        assert np.array_equal(out.reshape(-1), storage[ast.literal_eval(row["storage_indices"])])
    assert np.array_equal(out, x[(slice(None),) * (dim % x.ndim) + (slice(start, end, step),)])


def one_case(rng, product):
    ndim = int(rng.integers(1, 9 if rng.random() < 0.1 else 5))
    shape = [int(rng.integers(1, 4 if ndim > 4 else 9)) for _ in range(ndim)]
    if rng.random() < 0.3:
        shape[-1] = int(rng.integers(1, 400))
    kind = KINDS[rng.integers(len(KINDS) - (product == "ascend910"))]
    x = filled(rng, shape, kind)
    if rng.random() < 0.3:
        x = x.transpose(rng.permutation(ndim))
    dim = int(rng.integers(-ndim, ndim))
    n = x.shape[dim]
    start, end = (int(rng.integers(-n - 3, n + 4)) for _ in range(2))
    step = int(rng.integers(1, n + 3)) if rng.random() < 0.5 else int(rng.integers(1, 5))
    expected = x[(slice(None),) * (dim % ndim) + (slice(start, end, step),)]
    out = np.zeros(expected.shape, x.dtype)
    if rng.random() < 0.3 and out.size:
        room = np.zeros([2 * d for d in expected.shape], x.dtype)
        out = room[tuple(slice(0, 2 * d, 2) for d in expected.shape)]
    with NPU(product):
        executor = run(x, dim, start, end, step, out)
    assert out.tobytes() == expected.tobytes(), (x.shape, x.strides, dim, start, end, step, kind)
    if not out.flags.c_contiguous:
        assert np.count_nonzero(room.view(np.uint8)) == np.count_nonzero(expected.copy().view(np.uint8))
    return executor


@pytest.mark.parametrize("product", PRODUCTS)
def test_random_slices(product):
    rng = np.random.default_rng(17)
    for _ in range(75):
        one_case(rng, product)


@pytest.mark.exhaustive
@pytest.mark.parametrize("product", PRODUCTS)
def test_many_random_slices(product):
    rng = np.random.default_rng(18)
    for _ in range(2500):
        one_case(rng, product)
