"""Operators of the PyPTO framework, as its tile library builds them: `from ascend_sim import pypto`.

    pypto.set_vec_tile_shapes(4, 16)
    out = pypto.floor_div(pypto.from_numpy(a), pypto.from_numpy(b))
    out.numpy(), out.report.cycles

They run at once on the active NPU (`with NPU(...)`, else one of A2).
"""

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
from ascend_sim.ops.pypto.interleave import deinterleave, interleave
from ascend_sim.ops.pypto.pow import PowAlgorithm, PrecisionType, pow  # noqa: A004  (the framework's name)
from ascend_sim.ops.pypto.scope import get_vec_tile_shapes, reset_vec_tile_shapes, scope, set_vec_tile_shapes
from ascend_sim.ops.pypto.tensor import Tensor, from_numpy, from_torch, tensor

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
    "CheckError",
    "DataType",
    "ErrorCode",
    "FeError",
    "PowAlgorithm",
    "PrecisionType",
    "PyptoError",
    "PyptoGeneralError",
    "PyptoRtError",
    "Tensor",
    "TileOpFormat",
    "deinterleave",
    "explain",
    "floor_div",
    "from_numpy",
    "from_torch",
    "get_vec_tile_shapes",
    "interleave",
    "pow",
    "reset_vec_tile_shapes",
    "scope",
    "set_vec_tile_shapes",
    "tensor",
]
