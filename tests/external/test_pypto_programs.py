"""Programs of the framework's own repository, unmodified, on the simulated NPU.

Run them from a checkout: ASCEND_SIM_PYPTO=<path> pytest tests/external, with torch for the CPU installed. What stands
in for the device is set up here: `pypto` is `ascend_sim.pypto`, `torch_npu` and `tensor.npu()` do nothing.
"""

import functools
import importlib.util
import os
import sys
import types
from pathlib import Path

import pytest

from ascend_sim import NPU, pypto

CHECKOUT = os.environ.get("ASCEND_SIM_PYPTO")
A2, A5 = "ascend910b", "ascend950"
VECTOR = "python/tests/st/operation/vector"

PROGRAMS = [  # number in the list of programs, file, functions, product
    (1, f"{VECTOR}/test_floordiv.py", ["test_floor_div"], A2),
    (1, f"{VECTOR}/test_floordiv.py", ["test_floor_div"], A5),
    (2, f"{VECTOR}/test_vector_operation_1d.py", ["test_vector_operation_1d_floor_div"], A2),
    (3, f"{VECTOR}/test_pow_onboard.py", ["test_pow_onboard"], A2),
    (3, f"{VECTOR}/test_pow_onboard.py", ["test_pow_onboard"], A5),
    (4, f"{VECTOR}/test_vector_operation_pows.py", ["test_tensor_pows"], A2),
    (5, f"{VECTOR}/test_deinterleave_onboard.py", ["test_tensor_deinterleave"], A5),
    (6, f"{VECTOR}/test_deinterleave_onboard.py", ["test_tensor_deinterleave_single_input"], A5),
    (7, f"{VECTOR}/test_interleave_onboard.py", None, A5),
    (8, f"{VECTOR}/test_tensor_operators.py", ["test_tensor_floordiv"], A2),
    (9, f"{VECTOR}/test_tensor_operators.py", ["test_tensor_pow"], A2),
    (10, f"{VECTOR}/test_tensor_operators.py", None, A2),
    (10, f"{VECTOR}/test_tensor_operators.py", None, A5),
    (11, "examples/01_beginner/compute/elementwise_ops.py", None, A2),
    (12, "python/tests/st/test_tensor_slice.py", None, A2),
    (13, "python/tests/st/test_tensor_slice_assemble.py", None, A2),
    (14, "python/tests/st/test_view.py", None, A2),
    (15, "python/tests/st/test_assemble.py", None, A2),
    (16, "examples/01_beginner/transform/add_scalar_loop_view_assemble.py", None, A2),
    (17, "examples/00_hello_world/hello_world.py", ["main"], A2),
    (18, "python/tests/st/test_loop_unroll.py", ["__main__"], A2),
    (19, f"{VECTOR}/test_ceildiv.py", None, A2),
    (20, f"{VECTOR}/test_adds_onboard.py", None, A2),
    (20, f"{VECTOR}/test_muls_onboard.py", None, A2),
    (20, f"{VECTOR}/test_divs_onboard.py", None, A2),
    (20, f"{VECTOR}/test_subs_onboard.py", None, A2),
    (20, f"{VECTOR}/test_maximum_minimum.py", None, A2),
]


@pytest.fixture
def device(monkeypatch, request):
    """torch as the programs expect it, its device being the host's memory."""
    if not CHECKOUT:
        pytest.skip("ASCEND_SIM_PYPTO does not name a checkout of the framework")
    torch = pytest.importorskip("torch", reason="torch is not installed")
    request.config.addinivalue_line("markers", "soc(name): of the framework's tests, the product that they are for")
    nothing = types.SimpleNamespace(
        set_device=lambda *_: None,
        synchronize=lambda *_: None,
        is_available=lambda: True,
        current_device=lambda: 0,
        empty_cache=lambda: None,
    )
    monkeypatch.setattr(torch, "npu", nothing, raising=False)
    monkeypatch.setattr(torch.Tensor, "npu", lambda self, *_: self, raising=False)
    for name in ("empty", "zeros", "ones", "full", "rand", "randn", "randint", "tensor", "arange"):
        monkeypatch.setattr(torch, name, on_host(getattr(torch, name)))
    monkeypatch.setattr(torch.Tensor, "to", on_host(torch.Tensor.to))
    stand_in = types.ModuleType("torch_npu")
    stand_in.npu = nothing
    monkeypatch.setitem(sys.modules, "torch_npu", stand_in)
    monkeypatch.setitem(sys.modules, "pypto", pypto)
    monkeypatch.setitem(sys.modules, "pypto.frontend", pypto.frontend)
    monkeypatch.setitem(sys.modules, "pypto.runtime", pypto.runtime)
    monkeypatch.setitem(sys.modules, "pypto.error", pypto.error)
    monkeypatch.setattr(sys, "argv", ["program"])
    torch.manual_seed(0)
    with pypto.scope():
        yield


def on_host(function):
    @functools.wraps(function)
    def call(*args, **options):
        if str(options.get("device", "")).startswith("npu"):
            options["device"] = "cpu"
        args = ["cpu" if isinstance(a, str) and a.startswith("npu") else a for a in args]
        return function(*args, **options)

    return call


def loaded(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: f"{p[0]}-{Path(p[1]).stem}-{p[3]}")
def test_program(program, device, monkeypatch):
    _, relative, names, product = program
    path = Path(CHECKOUT) / relative
    monkeypatch.syspath_prepend(str(path.parent))
    with NPU(product):
        if names == ["__main__"]:
            loaded(path, "__main__")
            return
        module = loaded(path, path.stem)
        for name in names or [n for n in vars(module) if n.startswith("test_")]:
            getattr(module, name)()
