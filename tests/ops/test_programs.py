"""The framework's programming model: kernels, recorded functions, loops, views, slices, operators of tensors."""

import subprocess
import sys

import numpy as np
import pytest

from ascend_sim import NPU, pypto

A2, A5 = "ascend910b", "ascend950"


def f32(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-10, 10, shape).astype(np.float32)


# Kernels


@pypto.frontend.jit(runtime_options={"run_mode": pypto.RunMode.SIM})
def divide(
    x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_INT32),
    y: pypto.Tensor([], pypto.DT_INT32),
    out: pypto.Tensor(),
    view_shape,
):
    rows, cols = x.shape
    pypto.set_vec_tile_shapes(16, 32)
    for i in pypto.loop(pypto.ceildiv(rows, view_shape[0])):
        for j in pypto.loop(0, pypto.ceildiv(cols, view_shape[1]), 1, name="columns"):
            at = [i * view_shape[0], j * view_shape[1]]
            result = pypto.floor_div(pypto.view(x, view_shape, at), pypto.view(y, view_shape, at))
            pypto.assemble(result, at, out)


@pytest.mark.parametrize("product", [A2, A5])
def test_a_kernel_changes_its_outputs_in_place(product):
    rng = np.random.default_rng(1)
    x, y = rng.integers(-100, 100, (40, 70)).astype(np.int32), rng.integers(1, 9, (40, 70)).astype(np.int32)
    out = np.zeros_like(x)
    with NPU(product):
        assert divide(x, y, out, [32, 32]) is None
    assert np.array_equal(out, x // y)


def test_what_a_kernel_sets_ends_with_it():
    before = pypto.get_vec_tile_shapes()
    x = np.ones((4, 4), np.int32)
    divide(x, x, np.zeros_like(x), [4, 4])
    assert pypto.get_vec_tile_shapes() == before


def test_a_moved_output_is_copied_to_the_callers_memory():
    @pypto.jit
    def kernel(x: pypto.Tensor[...], out: pypto.Tensor[...]):
        pypto.set_vec_tile_shapes(2, 8)
        out[:] = x + 1.0

    x, out = f32(3), np.zeros(3, np.float32)
    kernel(x, out)
    assert np.array_equal(out, x + np.float32(1))


def test_annotations_are_checked():
    x = np.ones((4, 4), np.float32)
    with pytest.raises(pypto.FeError, match=r"F00001, TypeError: .*x is DT_FP32, the kernel takes DT_INT32"):
        divide(x, x, x, [4, 4])
    with pytest.raises(pypto.FeError, match="F00002, ValueError"):
        divide(np.ones((2, 2, 2), np.int32), np.ones(2, np.int32), np.ones(2, np.int32), [4, 4])
    with pytest.raises(pypto.FeError, match="F00001, TypeError: jit"):
        pypto.jit(3)


# Recorded functions


def test_a_function_is_recorded_and_gets_its_data_later():
    a, b, c = (pypto.tensor((20,), pypto.DT_INT32, name) for name in "abc")
    with pypto.function("MAIN", a, b, c):
        for i in pypto.loop(3):
            valid = [(pypto.symbolic_scalar(20) - i * 8).min(pypto.symbolic_scalar(8))]
            part_a, part_b = (pypto.view(t, (8,), [i * 8], valid_shape=valid) for t in (a, b))
            pypto.set_vec_tile_shapes(4)
            part_a.move(pypto.floor_div(part_a, part_b))
            pypto.assemble(part_a, [i * 8], c)
    assert isinstance(c, pypto.tensor)
    for seed in (1, 2):  # the same function, twice
        rng = np.random.default_rng(seed)
        x, y = rng.integers(-99, 99, 20).astype(np.int32), rng.integers(1, 9, 20).astype(np.int32)
        out = np.zeros(20, np.int32)
        pypto.runtime._device_run_once_data_from_host(*map(pypto.from_numpy, (x, y, out)))
        assert np.array_equal(out, x // y)


def test_nothing_runs_while_a_function_is_recorded():
    huge = pypto.tensor((1 << 14, 1 << 10), pypto.DT_INT8)
    with pypto.function("MAIN", huge):
        out = pypto.floor_div(huge, 3)
        with pytest.raises(pypto.FeError, match="RuntimeError"), pypto.function("INNER"):
            pass
    assert out.shape == [1 << 14, 1 << 10]
    assert out.report is None


def test_data_of_a_function_is_checked():
    a = pypto.tensor((4,), pypto.DT_FP32)
    with pypto.function("MAIN", a):
        pass
    with pytest.raises(pypto.PyptoRtError, match="TypeError"):
        pypto.runtime._device_run_once_data_from_host(np.zeros(4, np.float32))
    with pytest.raises(pypto.PyptoRtError, match="ValueError"):
        pypto.runtime._device_run_once_data_from_host()
    pypto.runtime._device_fini()
    with pytest.raises(pypto.PyptoRtError, match="no function"):
        pypto.runtime._device_run_once_data_from_host()


# Loops and sizes


def test_loops():
    assert list(pypto.loop(3)) == [0, 1, 2]
    assert list(pypto.loop(1, 7, 3, idx_name="i")) == [1, 4]
    marks = [(pypto.is_loop_begin(i), pypto.is_loop_end(i)) for i in pypto.loop(3)]
    assert marks == [(True, False), (False, False), (False, True)]
    with pytest.raises(pypto.FeError, match="TypeError"):
        pypto.loop()
    with pytest.raises(pypto.FeError, match="TypeError"):
        pypto.loop(1.5)


@pytest.mark.parametrize(
    ("count", "factors", "expected"),
    [
        (11, [4, 2, 1], [(0, 4), (4, 4), (8, 2), (10, 1)]),
        (3, [2], [(0, 2), (2, 1)]),
        (2, [1], [(0, 1), (1, 1)]),
        (0, [4], []),
    ],
)
def test_unrolled_loops(count, factors, expected):
    assert list(pypto.loop_unroll(count, unroll_list=factors)) == expected


def test_symbolic_scalars_are_integers():
    n = pypto.symbolic_scalar(10)
    assert (n - 3).min(n // 2) == 5
    assert (2 * n + 1).max(3) == 21
    assert (30 - n).concrete() == 20
    assert pypto.min(n, 4) == 4
    assert pypto.max(n, 4) == 10
    assert pypto.ceildiv(n, 4) == 3
    assert pypto.cond(n % 2 == 0) is True


# Parts of tensors


def test_a_view_beyond_its_tensor_is_padding():
    x = pypto.from_numpy(f32(4, 4))
    part = pypto.view(x, [4, 4], [2, 1], valid_shape=[2, 3])
    assert part.shape == [4, 4]
    whole = part.numpy()
    assert np.array_equal(whole[:2, :3], x.numpy()[2:, 1:])
    assert not whole[2:].any()
    assert not whole[:, 3:].any()
    doubled = part * 2.0
    out = pypto.tensor((4, 4), pypto.DT_FP32)
    out.assemble(doubled, [0, 0])
    assert np.array_equal(out.numpy()[:2, :3], 2 * x.numpy()[2:, 1:])
    assert not out.numpy()[2:].any()


def test_a_view_reinterprets_bits():
    x = pypto.from_numpy(np.array([[1.0, -2.0]], np.float32))
    assert x.view(dtype=pypto.DT_INT32).numpy().tolist() == [[0x3F800000, 0xC0000000 - (1 << 32)]]


@pytest.mark.parametrize(
    "key", [1, (1, 2), (-1, slice(1, 3)), (Ellipsis, 2), (slice(-3, -1), Ellipsis, slice(2, None))]
)
def test_slices_are_those_of_numpy(key):
    x = f32(4, 5, 6)
    assert np.array_equal(pypto.from_numpy(x)[key].numpy(), x[key])
    target = pypto.from_numpy(np.zeros((4, 5, 6), np.float32))
    target[key] = pypto.from_numpy(np.array(x[key]))
    expected = np.zeros_like(x)
    expected[key] = x[key]
    assert np.array_equal(target.numpy(), expected)


def test_a_slice_assignment_begins_at_its_starts_and_is_as_long_as_its_value():
    out = pypto.from_numpy(np.zeros((2, 8), np.float32))
    out[0:, 3:] = pypto.from_numpy(np.ones((2, 2), np.float32))
    assert out.numpy().tolist() == [[0, 0, 0, 1, 1, 0, 0, 0]] * 2


def test_wrong_parts_are_refused():
    x = pypto.from_numpy(f32(4, 4))
    for wrong in (lambda: x[::2], lambda: x[0, 0, 0], lambda: x[9], lambda: pypto.view(x, [4], [0])):
        with pytest.raises(pypto.FeError):
            wrong()
    with pytest.raises(pypto.FeError, match="TypeError"):
        x.move(3)


# Operators of tensors


@pytest.mark.parametrize("product", [A2, A5])
@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x + y,
        lambda x, y: x - y,
        lambda x, y: x * y,
        lambda x, y: x + 3.0,
        lambda x, y: 3.0 - x,
        lambda x, y: 2.5 * x,
        lambda x, y: -x,
        lambda x, y: x**2.0,
        lambda x, y: x < y,
        lambda x, y: x >= 0.5,
        lambda x, y: x + 0.0 == x,
        lambda x, y: x != y,
    ],
)
def test_operators_are_exact(function, product):
    x, y = f32(5, 33), f32(5, 33, seed=1)
    with NPU(product):
        out = function(pypto.from_numpy(x), pypto.from_numpy(y))
    assert out.report.is_clean
    expected = function(x, y)
    assert out.numpy().dtype == expected.dtype
    assert np.array_equal(out.numpy(), expected)


@pytest.mark.parametrize("product", [A2, A5])
def test_operators_that_round(product):
    x, y = f32(4, 20), f32(4, 20, seed=1)
    a, b = pypto.from_numpy(x), pypto.from_numpy(y)
    with NPU(product):
        pairs = [
            (a / b, x / y),
            (100.0 / b, 100 / y),
            (a // 3.0, np.floor(x / 3)),
            (a % 7.0, x % 7),
            (pypto.exp(a), np.exp(x)),
            (pypto.exp2(a), np.exp2(x)),
            (pypto.log(pypto.abs(a)), np.log(np.abs(x))),
            (pypto.rsqrt(pypto.abs(a)), 1 / np.sqrt(np.abs(x))),
            (pypto.clip(a, -1.0, 2.0), np.clip(x, -1, 2)),
            (pypto.round(a, 1), np.round(x, 1)),
            (pypto.ceil(a), np.ceil(x)),
            (pypto.trunc(a), np.trunc(x)),
            (pypto.maximum(a, b), np.maximum(x, y)),
            (pypto.relu(a), np.maximum(x, 0)),
            (pypto.reciprocal(a), 1 / x),
        ]
    for out, expected in pairs:
        np.testing.assert_allclose(out.numpy(), expected, rtol=2e-5, atol=2e-5)


def test_the_floor_operator_is_no_floor_div():
    """x // y of integers is the float32 floor of a quotient."""
    x = pypto.from_numpy(np.array([7, -7, 16777217], np.int32))
    out = x // 1
    assert out.dtype is pypto.DT_FP32
    assert out.numpy().tolist() == [7, -7, 16777216]
    assert pypto.floor_div(x, 1).numpy().tolist() == [7, -7, 16777217]


# Tensors


def test_from_numpy_shares_memory_where_it_can():
    x = np.zeros((2, 3), np.float32)
    assert pypto.from_numpy(x).numpy() is x
    assert pypto.from_numpy(x.T).numpy().flags.c_contiguous
    with pytest.raises(pypto.FeError, match="TypeError"):
        pypto.from_numpy([1, 2])
    with pytest.raises(pypto.FeError, match="no DT_"):
        pypto.from_numpy(np.zeros(3, np.complex64))


def test_torch_tensors():
    torch = pytest.importorskip("torch", reason="torch is optional and not installed")
    x = torch.tensor([[7, -7]], dtype=torch.int32)
    assert pypto.floor_div(x, 2).torch().tolist() == [[3, -4]]
    half = torch.tensor([10.0], dtype=torch.bfloat16)
    assert pypto.floor_div(half, 3).torch().dtype == torch.bfloat16
    with pytest.raises(pypto.FeError, match="RuntimeError"):
        pypto.from_torch(torch.zeros(4, 4).T)


def test_importing_the_package_does_not_load_the_operators():
    code = "import sys, ascend_sim; print([m for m in sys.modules if m.startswith('ascend_sim.ops')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_unknown_attributes_are_refused():
    import ascend_sim  # noqa: PLC0415

    with pytest.raises(AttributeError, match="no attribute 'pyptoo'"):
        ascend_sim.pyptoo  # noqa: B018


def test_the_platform_names_its_architecture():
    for product, name in ((A2, "DAV_2201"), (A5, "DAV_3510")):
        with NPU(product):
            assert pypto.platform.npuarch == name


def test_options_are_a_decorator_and_a_context():
    @pypto.options(pass_options={"enable_slice": True}, vec_tile_shapes=(2, 2))
    def inside():
        return pypto.get_vec_tile_shapes()

    assert inside() == (2, 2)
    with pypto.options(vec_tile_shapes=(3,)):
        assert pypto.get_vec_tile_shapes() == (3,)


@pytest.mark.parametrize("shape", [(), (0,), (4, -1), (2.5,)])
def test_tile_shapes_are_positive_integers(shape):
    with pytest.raises(pypto.FeError):
        pypto.set_vec_tile_shapes(*shape)
