"""AscendC vector kernels on a simulated Ascend vector core: exact lane by lane, checked, explained.

from ascend_sim import NPU, Cast, RoundMode, half, int32_t

with NPU().core() as core:
    src = core.alloc(half, 512, values)
    dst = core.alloc(int32_t, 512)
    Cast(dst, src, RoundMode.CAST_CEIL, 32, 8, (1, 1, 8, 4))
    print(dst.numpy(), dst.lane_states(), core.trace)
"""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING, Any as _Any

import isa as _isa

if not hasattr(_isa, "TABLE"):  # a folder or module of the same name stands before ours on the path
    raise ImportError(
        f"ascend_sim needs its own package `isa`, but {getattr(_isa, '__file__', None) or _isa.__path__} comes first "
        "on the import path; rename it or run from another folder"
    )

from ascend_sim.api import vector as _vector
from ascend_sim.api.control.cross_core import CrossCoreSetFlag, CrossCoreWaitFlag, SyncAll
from ascend_sim.api.control.debug import PRINTF, DumpTensor, printf
from ascend_sim.api.control.masks import (
    MASK_PLACEHOLDER,
    ResetMask,
    SetDeqScale,
    SetMaskCount,
    SetMaskNorm,
    SetVectorMask,
    VdeqInfo,
)
from ascend_sim.api.control.queue import LocalMemAllocator, TBuf, TBufPool, TPipe, TQue
from ascend_sim.api.control.spr import (
    GetCtrlSpr,
    GetSaturationFlag,
    ResetCtrlSpr,
    SetCtrlSpr,
    SetSaturationFlag,
)
from ascend_sim.api.control.sync import (
    EVENT_ID0,
    EVENT_ID1,
    EVENT_ID2,
    EVENT_ID3,
    EVENT_ID4,
    EVENT_ID5,
    EVENT_ID6,
    EVENT_ID7,
    PIPE_ALL,
    PIPE_MTE2,
    PIPE_MTE3,
    PIPE_S,
    PIPE_V,
    PipeBarrier,
    SetFlag,
    WaitFlag,
)
from ascend_sim.api.control.system_cycle import GetSystemCycle
from ascend_sim.api.copies import layouts as _layouts  # noqa: F401  (registers the layouts of DataCopy)
from ascend_sim.api.copies.padded import (
    DataCopyPad,
    SetAtomicAdd,
    SetAtomicMax,
    SetAtomicMin,
    SetAtomicNone,
    SetPadValue,
)
from ascend_sim.api.copies.plain import DataCopy
from ascend_sim.api.launch.kernel import Kernel, kernel
from ascend_sim.api.launch.npu import NPU, GetBlockIdx, GetBlockNum
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor
from ascend_sim.api.running.report import Report
from ascend_sim.checks.finding import Finding, KernelError
from isa.control import SaturationFlagMode
from isa.dtypes import (
    bfloat16_t,
    complex32,
    complex64,
    double,
    float32,
    fp4x2_e1m2_t,
    fp4x2_e2m1_t,
    fp8_e4m3fn_t,
    fp8_e5m2_t,
    fp8_e8m0_t,
    half,
    hifloat8_t,
    int4b_t,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)
from isa.params import (
    CMPMODE,
    SELMODE,
    BinaryRepeatParams,
    BrcbRepeatParams,
    CopyRepeatParams,
    DataCopyExtParams,
    DataCopyPadExtParams,
    DataCopyPadParams,
    DataCopyParams,
    FieldError,
    GatherMaskParams,
    GatherRepeatParams,
    MaskMode,
    MrgSort4Info,
    Nd2NzParams,
    Nz2NdParamsFull,
    ReduceOrder,
    ReduceType,
    RoundMode,
    SliceInfo,
    TransDataTo5HDParams,
    TransposeParamsExt,
    UnaryRepeatParams,
)
from isa.positions import TPosition
from isa.sync import HardEvent
from isa.transpose_type import TransposeType

__version__ = "0.1.0"

if _TYPE_CHECKING:  # when it runs, `__getattr__` below has them
    from ascend_sim.api.vector import *  # noqa: F403  (for type checkers)
    from ascend_sim.views import Explanation, LaneMap, explain, lane_map

__all__ = [  # noqa: PLE0604  (the instructions are a list of their own)
    "EVENT_ID0",
    "EVENT_ID1",
    "EVENT_ID2",
    "EVENT_ID3",
    "EVENT_ID4",
    "EVENT_ID5",
    "EVENT_ID6",
    "EVENT_ID7",
    "PIPE_ALL",
    "PIPE_MTE2",
    "PIPE_MTE3",
    "PIPE_S",
    "PIPE_V",
    "PipeBarrier",
    "SetFlag",
    "WaitFlag",
    "HardEvent",
    "CMPMODE",
    "MASK_PLACEHOLDER",
    "NPU",
    "SELMODE",
    "BinaryRepeatParams",
    "BrcbRepeatParams",
    "CopyRepeatParams",
    "DataCopy",
    "CrossCoreSetFlag",
    "CrossCoreWaitFlag",
    "SyncAll",
    "DumpTensor",
    "PRINTF",
    "printf",
    "GetCtrlSpr",
    "GetSaturationFlag",
    "ResetCtrlSpr",
    "SaturationFlagMode",
    "SetCtrlSpr",
    "SetSaturationFlag",
    "DataCopyParams",
    "Nd2NzParams",
    "Nz2NdParamsFull",
    "SliceInfo",
    "DataCopyExtParams",
    "DataCopyPadExtParams",
    "DataCopyPadParams",
    "DataCopyPad",
    "SetAtomicAdd",
    "SetAtomicMax",
    "SetAtomicMin",
    "SetAtomicNone",
    "SetPadValue",
    "Explanation",
    "FieldError",
    "Finding",
    "GatherMaskParams",
    "GatherRepeatParams",
    "GetBlockIdx",
    "GetBlockNum",
    "GetSystemCycle",
    "GlobalTensor",
    "Kernel",
    "KernelError",
    "LaneMap",
    "LocalTensor",
    "LocalMemAllocator",
    "TBuf",
    "TBufPool",
    "TPipe",
    "TQue",
    "MaskMode",
    "MrgSort4Info",
    "ReduceOrder",
    "VdeqInfo",
    "ReduceType",
    "Report",
    "ResetMask",
    "RoundMode",
    "SetDeqScale",
    "SetMaskCount",
    "SetMaskNorm",
    "SetVectorMask",
    "TPosition",
    "TransDataTo5HDParams",
    "TransposeParamsExt",
    "TransposeType",
    "UnaryRepeatParams",
    "bfloat16_t",
    "complex32",
    "complex64",
    "double",
    "explain",
    "float32",
    "fp4x2_e1m2_t",
    "fp4x2_e2m1_t",
    "fp8_e4m3fn_t",
    "fp8_e5m2_t",
    "fp8_e8m0_t",
    "half",
    "hifloat8_t",
    "int4b_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "kernel",
    "lane_map",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    *_vector.exported(),
]


_VIEWS = frozenset({"Explanation", "LaneMap", "explain", "lane_map"})


def __getattr__(name: str) -> _Any:
    """Instructions, views and operators are made when somebody uses them: importing the package costs no more."""
    if name in ("aclnn", "pypto"):
        return _importlib.import_module(f"ascend_sim.{name}")
    if name in __all__:
        home = _importlib.import_module("ascend_sim.views") if name in _VIEWS else _vector
        value = globals()[name] = getattr(home, name)
        return value
    raise AttributeError(f"module 'ascend_sim' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
