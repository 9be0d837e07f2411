"""aclnnSlice: every row of its golden table, random slices against numpy, tensors larger than the Unified Buffer."""

import ast

import numpy as np
import pytest

from ascend_sim import NPU, KernelError, aclnn
from ascend_sim.ops.copy_tasks import plan
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
@pytest.mark.parametrize(
    ("product", "count"), [("ascend910", 1000), ("ascend910b", 3000), ("ascend910_93", 3000), ("ascend950", 3000)]
)
def test_many_random_slices(product, count):
    rng = np.random.default_rng(18)
    for _ in range(count):
        one_case(rng, product)


LARGE = [
    ("fp32", (1 << 18,), 0, 1, 1 << 18, 2),
    ("fp16", (1 << 18,), 0, 3, 1 << 18, 4),
    ("int8", (1 << 19,), 0, 0, 1 << 19, 3),
    ("int64", (1 << 16,), 0, 5, 1 << 16, 7),
    ("fp32", (600, 700), 0, 7, 590, 2),
    ("bf16", (600, 701), 1, 3, 700, 5),
    ("int32", (3, 90_000), 1, 100, 90_000, 1),
    ("uint8", (40, 5000, 3), 1, 1, 5000, 2),
    ("fp32", (64, 4096), 1, 0, 4096, 200),
]


@pytest.mark.parametrize("product", ["ascend910b", "ascend950"])
@pytest.mark.parametrize("case", LARGE, ids=lambda c: f"{c[0]}-{'x'.join(map(str, c[1]))}-step{c[-1]}")
def test_tensors_larger_than_the_buffer(case, product):
    kind, shape, dim, start, end, step = case
    x = filled(np.random.default_rng(5), shape, kind)
    expected = x[(slice(None),) * dim + (slice(start, end, step),)]
    out = np.empty(expected.shape, x.dtype)
    with NPU(product):
        run(x, dim, start, end, step, out)
    assert out.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("kind", "step", "expected"),
    [
        ("fp32", 1, {"DataCopy"}),
        ("fp16", 2, {"GatherMask"}),
        ("fp32", 4, {"GatherMask"}),
        ("fp32", 3, {"Gather", "Mins"}),
        ("int64", 3, {"Gather", "ShiftRight"}),
        ("int8", 2, {"Gather", "Cast"}),
        ("fp32", 100, {"DataCopyPad"}),
    ],
)
def test_the_way_it_is_lowered(kind, step, expected):
    x = filled(np.random.default_rng(5), (4, 1024), kind)
    out = np.empty((4, -(-1024 // step)), x.dtype)
    if step == 1:
        out = np.empty((2, 1024), x.dtype)
    with NPU():
        executor = run(x, 0 if step == 1 else 1, 2 if step == 1 else 0, 1024, step, out)
    names = {entry.name for entry in executor.report.trace}
    assert expected <= names
    assert step != 100 or not names & {"Gather", "GatherMask"}


def test_the_same_axes_become_one():
    copy = plan((2, 3, 4, 5), 4, (0, (60, 20, 5, 1)), (0, (60, 20, 5, 1)))
    assert (copy.run, copy.axes, copy.way) == (120, (), "move")


# Phases


def phases(x=None, out=None):
    x = np.arange(24, dtype=np.float32).reshape(6, 4) if x is None else x
    out = np.zeros((3, 4), np.float32) if out is None else out
    return out, aclnn.aclnnSliceGetWorkspaceSize(x, 0, 0, 3, 1, out)


def test_an_executor_runs_once():
    out, (status, size, executor) = phases()
    assert (status, size) == (0, 0)
    assert aclnn.aclnnSlice(None, size, executor, None) == 0
    assert 561000 <= aclnn.aclnnSlice(None, size, executor, None) < 562000
    assert out[2, 3] == 11


def test_no_executor_is_a_null_pointer():
    assert aclnn.aclnnSlice(None, 0, None, None) == 161001


def test_copies_of_what_is_not_contiguous_need_workspace():
    x = np.asfortranarray(np.arange(24, dtype=np.float32).reshape(6, 4))
    out = np.zeros((3, 8), np.float32)[:, ::2]
    _, (status, size, executor) = phases(x, out)
    assert (status, size) == (0, 1024)
    assert aclnn.aclnnSlice(None, size, executor, None) == 161001
    assert aclnn.aclnnSlice(np.empty(100, np.uint8), 100, executor, None) == 161002
    assert aclnn.aclnnSlice(np.empty(size, np.uint8), size, executor, None) == 0
    assert len(executor.reports) == 3
    assert np.array_equal(out, x[:3])


@pytest.mark.parametrize("product", ["ascend310p", "ascend310b"])
def test_products_without_the_operator(product):
    with NPU(product), pytest.raises(KernelError) as caught:
        phases()
    assert caught.value.finding.code == "unsupported-api"
    assert caught.value.finding.file == __file__


@pytest.mark.parametrize("dma", ["eager", "late"])
@pytest.mark.parametrize("auto_sync", [True, False])
def test_kernels_order_their_pipes_themselves(dma, auto_sync):
    for product in PRODUCTS:
        for shape, kind, step in (((7, 33), "fp32", 2), ((3, 700), "int8", 3), ((5, 9), "int64", 1)):
            x = filled(np.random.default_rng(1), shape, kind)
            out = np.empty((shape[0], -(-shape[1] // step)), x.dtype)
            with NPU(product, dma=dma, auto_sync=auto_sync):
                run(x, 1, 0, shape[1], step, out)
            assert out.tobytes() == x[:, ::step].tobytes()
