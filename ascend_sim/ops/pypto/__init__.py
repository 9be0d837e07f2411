"""Operators of the PyPTO framework, as its tile library builds them: `from ascend_sim import pypto`.

    pypto.set_vec_tile_shapes(4, 16)
    out = pypto.floor_div(pypto.from_numpy(a), pypto.from_numpy(b))
    out.numpy(), out.report.cycles

    @pypto.jit
    def kernel(x: pypto.Tensor[...], out: pypto.Tensor[...]): ...

They run at once on the active NPU (`with NPU(...)`, else one of A2).
"""

from ascend_sim.ops.pypto import errors as error
from ascend_sim.ops.pypto.arithmetic import absolute as abs  # noqa: A004  (the framework's names, here and below)
from ascend_sim.ops.pypto.arithmetic import (
    add,
    ceil,
    ceil_div,
    clip,
    div,
    eq,
    exp,
    floor,
    ge,
    gt,
    le,
    log,
    lt,
    maximum,
    minimum,
    mul,
    ne,
    neg,
    reciprocal,
    relu,
    remainder,
    rsqrt,
    sqrt,
    sub,
    trunc,
)
from ascend_sim.ops.pypto.arithmetic import rounded as round  # noqa: A004
from ascend_sim.ops.pypto.dtypes import (
    DT_BF16,
    DT_BOOL,
    DT_DOUBLE,
    DT_FP16,
    DT_FP32,
    DT_INT8,
    DT_INT16,
    DT_INT32,
    DT_INT64,
    DT_UINT8,
    DT_UINT16,
    DT_UINT32,
    DT_UINT64,
    DataType,
    TileOpFormat,
)
from ascend_sim.ops.pypto.errors import CheckError, ErrorCode, FeError, PyptoError, PyptoGeneralError, PyptoRtError
from ascend_sim.ops.pypto.explain import explain
from ascend_sim.ops.pypto.floor_div import floor_div
from ascend_sim.ops.pypto.frontend import RunMode, frontend, jit, options
from ascend_sim.ops.pypto.interleave import deinterleave, interleave
from ascend_sim.ops.pypto.platform import platform
from ascend_sim.ops.pypto.pow import PowAlgorithm, PrecisionType, pow  # noqa: A004  (the framework's name)
from ascend_sim.ops.pypto.recording import function, runtime
from ascend_sim.ops.pypto.scope import (
    get_vec_tile_shapes,
    reset_vec_tile_shapes,
    scope,
    set_cube_tile_shapes,
    set_vec_tile_shapes,
    set_verify_golden_data,
)
from ascend_sim.ops.pypto.symbolic import (
    SymbolicScalar,
    SymInt,
    ceildiv,
    cond,
    is_loop_begin,
    is_loop_end,
    loop,
    loop_unroll,
    symbolic_scalar,
)
from ascend_sim.ops.pypto.symbolic import larger as max  # noqa: A004
from ascend_sim.ops.pypto.symbolic import smaller as min  # noqa: A004
from ascend_sim.ops.pypto.tensor import DYNAMIC, STATIC, Tensor, from_numpy, from_torch, tensor
from ascend_sim.ops.pypto.views import assemble, view

__all__ = [
    "DT_BF16",
    "DT_BOOL",
    "DT_DOUBLE",
    "DT_FP16",
    "DT_FP32",
    "DT_INT8",
    "DT_INT16",
    "DT_INT32",
    "DT_INT64",
    "DT_UINT8",
    "DT_UINT16",
    "DT_UINT32",
    "DT_UINT64",
    "DYNAMIC",
    "STATIC",
    "CheckError",
    "DataType",
    "ErrorCode",
    "FeError",
    "PowAlgorithm",
    "PrecisionType",
    "PyptoError",
    "PyptoGeneralError",
    "PyptoRtError",
    "RunMode",
    "SymInt",
    "SymbolicScalar",
    "Tensor",
    "TileOpFormat",
    "abs",
    "add",
    "assemble",
    "ceil",
    "ceil_div",
    "ceildiv",
    "clip",
    "cond",
    "deinterleave",
    "div",
    "eq",
    "error",
    "exp",
    "explain",
    "floor",
    "floor_div",
    "from_numpy",
    "from_torch",
    "frontend",
    "function",
    "ge",
    "get_vec_tile_shapes",
    "gt",
    "interleave",
    "is_loop_begin",
    "is_loop_end",
    "jit",
    "le",
    "log",
    "loop",
    "loop_unroll",
    "lt",
    "max",
    "maximum",
    "min",
    "minimum",
    "mul",
    "ne",
    "neg",
    "options",
    "pow",
    "reciprocal",
    "relu",
    "remainder",
    "reset_vec_tile_shapes",
    "round",
    "rsqrt",
    "runtime",
    "scope",
    "set_cube_tile_shapes",
    "set_vec_tile_shapes",
    "set_verify_golden_data",
    "sqrt",
    "sub",
    "symbolic_scalar",
    "tensor",
    "trunc",
    "view",
    "platform",
]
