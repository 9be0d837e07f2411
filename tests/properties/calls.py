"""Calls with arguments that nobody would write: most of a plausible call stays, some of it is replaced by anything."""

import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import ascend_sim as asc
from ascend_sim import (
    CMPMODE,
    NPU,
    SELMODE,
    GlobalTensor,
    HardEvent,
    LocalTensor,
    MaskMode,
    RoundMode,
    TPosition,
    float32,
    half,
    int32_t,
    uint8_t,
    uint32_t,
)

LENGTH = 256
ARRAY = 200


class Workbench:
    """A core with tensors to work on, every byte of them written, and arrays of global memory."""

    def __init__(self, core: Any) -> None:
        self.core = core
        self.half = [core.alloc(half, LENGTH, np.arange(LENGTH) % 50) for _ in range(2)]
        self.float = [core.alloc(float32, LENGTH, np.arange(LENGTH) % 50) for _ in range(3)]
        self.int = [core.alloc(int32_t, LENGTH, range(LENGTH)) for _ in range(2)]
        self.offsets = core.alloc(uint32_t, LENGTH, [4 * (i % 64) for i in range(LENGTH)])
        self.bits = core.alloc(uint8_t, LENGTH, 0x5A)
        self.work = core.alloc(float32, LENGTH, 0.0)
        self.array = np.arange(ARRAY, dtype=np.float32)
        self.gm = GlobalTensor(float32)
        self.gm.SetGlobalBuffer(self.array)
        self.pipe, self.queue = asc.TPipe(), asc.TQue(TPosition.VECIN, 1)
        asc.PipeBarrier(asc.PIPE_ALL)


class Call(NamedTuple):
    """What is called, with what."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


UNARY, BINARY = (1, 1, 8, 8), (1, 1, 1, 8, 8, 8)

PLAUSIBLE: dict[str, Callable[[Workbench], tuple[Any, ...]]] = {
    "Adds": lambda w: (w.float[0], w.float[1], 1.5, 64, 4, UNARY),
    "Adds ": lambda w: (w.half[0], w.half[1], 1.5, [5, 6], 2, UNARY),
    "Adds  ": lambda w: (w.float[0], w.float[1], 1.5, 100),
    "Add": lambda w: (w.float[0], w.float[1], w.float[2], 60, 3, BINARY),
    "Add ": lambda w: (w.int[0], w.int[1], w.int[1], 77),
    "Exp": lambda w: (w.half[0], w.half[1], 128, 2, UNARY),
    "Cast": lambda w: (w.int[0], w.half[0], RoundMode.CAST_RINT, 64, 4, (1, 1, 8, 4)),
    "Cast ": lambda w: (w.half[0], w.float[0], RoundMode.CAST_NONE, 99),
    "Duplicate": lambda w: (w.half[0], 2.0, 100, 2, 1, 8),
    "Duplicate ": lambda w: (w.float[0], 2.0, 33),
    "Gather": lambda w: (w.float[0], w.float[1], w.offsets, 0, 64),
    "Gather ": lambda w: (w.float[0], w.float[1], w.offsets, 0, 64, 2, 8),
    "Brcb": lambda w: (w.float[0], w.float[1], 2, (1, 8)),
    "WholeReduceSum": lambda w: (w.float[0], w.float[1], 50, 4, 1, 1, 8),
    "WholeReduceMax": lambda w: (w.half[0], w.half[1], 100, 2, 1, 1, 8),
    "BlockReduceSum": lambda w: (w.float[0], w.float[1], 2, 64, 1, 1, 8),
    "ReduceSum": lambda w: (w.float[0], w.float[1], w.work, 200),
    "ReduceMax": lambda w: (w.half[0], w.half[1], w.work.ReinterpretCast(half), 200),
    "Compare": lambda w: (w.bits, w.float[0], w.float[1], CMPMODE.LT, 128),
    "CompareScalar": lambda w: (w.bits, w.half[0], 3.0, CMPMODE.GE, 128),
    "Select": lambda w: (w.half[0], w.bits, w.half[1], w.half[1], SELMODE.VSEL_TENSOR_TENSOR_MODE, 128),
    "GatherMask": lambda w: (w.float[0], w.float[1], 1, True, 64, (1, 2, 8, 8)),
    "Sort32": lambda w: (w.float[0], w.float[1], w.offsets, 4),
    "MrgSort": lambda w: (w.float[0], [w.float[1], w.float[2]], ([16, 16], False, 3, 1)),
    "Transpose": lambda w: (w.half[0], w.half[1]),
    "CreateVecIndex": lambda w: (w.int[0], 5, 100),
    "Copy": lambda w: (w.float[0], w.float[1], 64, 2, (1, 1, 8, 8)),
    "DataCopy": lambda w: (w.float[0], w.gm[8:], 64),
    "DataCopy ": lambda w: (w.gm, w.float[0], 64),
    "DataCopy  ": lambda w: (w.float[0], w.gm, (2, 4, 1, 1)),
    "DataCopy   ": lambda w: (w.float[0], w.float[1], (2, 4, 1, 1)),
    "DataCopyPad": lambda w: (w.float[0], w.gm[3:], (3, 40, 8, 1, 0), (True, 2, 3, 7)),
    "DataCopyPad ": lambda w: (w.gm[5:], w.float[0], (3, 40, 0, 8, 0)),
    "SetFlag": lambda w: (HardEvent.MTE2_V, 1),
    "WaitFlag": lambda w: (HardEvent.MTE2_V, 1),
    "PipeBarrier": lambda w: (asc.PIPE_V,),
    "SetDeqScale": lambda w: (0.5,),
    "SetVectorMask": lambda w: (1, 2),
    "SetPadValue": lambda w: (5,),
    "SetAtomicAdd": lambda w: (float32,),
    "CrossCoreSetFlag": lambda w: (3,),
    "CrossCoreWaitFlag": lambda w: (3,),
    "GetValue": lambda w: (w.float[0].GetValue, 5),
    "SetValue": lambda w: (w.half[0].SetValue, 5, 2.0),
    "SetSize": lambda w: (w.float[0].SetSize, 100),
    "ReinterpretCast": lambda w: (w.float[0].ReinterpretCast, half),
    "slice": lambda w: (w.float[0].__getitem__, 8),
    "slice of GM": lambda w: (w.gm.__getitem__, slice(8, 16)),
    "LocalTensor": lambda w: (LocalTensor, float32, TPosition.VECCALC, 64, 16),
    "alloc": lambda w: (w.core.alloc, float32, 64, 1.0),
    "SetGlobalBuffer": lambda w: (w.gm.SetGlobalBuffer, w.array, 16),
    "InitBuffer": lambda w: (w.pipe.InitBuffer, w.queue, 2, 1000),
    "AllocTensor": lambda w: (w.queue.AllocTensor, half),
    "EnQue": lambda w: (w.queue.EnQue, w.half[0]),
    "DeQue": lambda w: (w.queue.DeQue, half),
    "FreeTensor": lambda w: (w.queue.FreeTensor, w.half[0]),
}
"""Arguments that work. What does not begin with a function is a call of the public name, spaces tell forms apart."""

STRUCTS = (
    asc.UnaryRepeatParams,
    asc.BinaryRepeatParams,
    asc.BrcbRepeatParams,
    asc.CopyRepeatParams,
    asc.DataCopyParams,
    asc.DataCopyExtParams,
    asc.DataCopyPadExtParams,
    asc.GatherMaskParams,
    asc.GatherRepeatParams,
)

EDGES = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 254, 255, 256, 257, 300, 4095, 4096]
EDGES += [65535, 65536, 196607, 196608, 2**21 - 1, 2**21, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 2**64]

integers = st.one_of(
    st.sampled_from(EDGES),
    st.sampled_from([-e for e in EDGES]),
    st.integers(-300, 300),
    st.binary(min_size=4, max_size=4).map(lambda raw: struct.unpack("<i", raw)[0]),
    st.binary(min_size=8, max_size=8).map(lambda raw: struct.unpack("<Q", raw)[0]),
)
numbers = st.one_of(
    integers,
    integers.map(float),
    st.sampled_from([1.5, math.nan, math.inf, -math.inf, 1e300]),
    st.integers(-128, 127).map(np.int8),
    st.integers(0, 255).map(np.uint8),
    st.floats(width=16).map(np.float16),
)
oddities = st.sampled_from([None, True, False, "8", b"\x08", object(), float32, half, int, float, HardEvent.V_S])
oddities |= st.sampled_from([MaskMode.COUNTER, RoundMode.CAST_FLOOR, CMPMODE.EQ, [], (), {}, {"mask": 8}, slice(1)])
sequences = st.one_of(
    st.lists(integers, max_size=6), st.lists(integers, max_size=6).map(tuple), st.lists(numbers, max_size=3).map(tuple)
)
slices = st.builds(slice, st.none() | integers, st.none() | integers, st.none() | st.integers(-2, 2))


@st.composite
def anything(draw: Any, bench: Workbench, was: Any) -> Any:
    """A value in place of `was`: of its kind more often than not."""
    if isinstance(was, (tuple, list)) and was and draw(st.booleans()):
        fields = list(was)
        fields[draw(st.integers(0, len(fields) - 1))] = draw(integers | integers | integers | numbers | oddities)
        return type(was)(fields)
    if isinstance(was, int) and draw(st.integers(0, 3)):
        return draw(integers)
    if isinstance(was, float) and draw(st.integers(0, 3)):
        return draw(numbers)
    if isinstance(was, LocalTensor) and draw(st.integers(0, 3)):
        view = was[draw(st.integers(0, was.length)) :]
        return view.ReinterpretCast(draw(st.sampled_from([was.dtype] * 3 + [half, float32, int32_t, uint8_t])))
    tensors = [*bench.half, *bench.float, *bench.int, bench.bits, bench.gm, bench.array]
    return draw(st.one_of(integers, numbers, sequences, slices, oddities, st.sampled_from(tensors)))


@st.composite
def calls(draw: Any, bench: Workbench) -> Call:
    """One call, with up to three of its arguments replaced, and now and then one too many or too few."""
    name = draw(st.sampled_from(list(PLAUSIBLE)))
    function, *arguments = (
        PLAUSIBLE[name](bench) if name[0].islower() or _is_method(name) else (None, *PLAUSIBLE[name](bench))
    )
    function = function or getattr(asc, name.strip())
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        if arguments:
            at = draw(st.integers(0, len(arguments) - 1))
            arguments[at] = draw(anything(bench, arguments[at]))
    if draw(st.integers(0, 19)) == 0:
        arguments = draw(st.sampled_from([arguments[:-1], [*arguments, 1]]))
    return Call(name.strip(), function, tuple(arguments))


def _is_method(name: str) -> bool:
    return not hasattr(asc, name.strip()) or name == "LocalTensor"


def npu(check: str, product: str = "ascend910b") -> NPU:
    return NPU(product, check=check, ub_fill="zero")
