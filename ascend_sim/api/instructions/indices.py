"""CreateVecIndex: one instruction on ascend310b and ascend950; before, scalar stores and a chain of Adds.

The chain is the library's, with what follows from it (spec 01 section 8, cases 15 and 28): a contiguous mask of less
than a block makes it read the block before the destination, and repeat_time 0 still writes the first repeat.
"""

import sys
from types import FrameType
from typing import Any

import numpy as np

from ascend_sim.api.calls.bind import bind, documentation
from ascend_sim.api.calls.call import Call, form_of, parse_count, parse_tiled
from ascend_sim.api.calls.composite import Sequence, view
from ascend_sim.api.calls.prepare import find_supported, recall, refuse_tensor, scalar_converter
from ascend_sim.api.context import current_run
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.numbers import number
from ascend_sim.api.program import Program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.machine.registers import Mask, contiguous_mask
from isa.arithmetic import ADDS
from isa.families import Form
from isa.fill import CREATE_VEC_INDEX
from isa.numerics.rules import Kernel
from isa.products import BLOCK_BYTES, CountForm

_native = bind(CREATE_VEC_INDEX, 2)


def CreateVecIndex(
    dst: LocalTensor,
    first_value: Any,
    mask: Any = None,
    repeat_time: Any = None,
    dst_blk_stride: Any = None,
    dst_rep_stride: Any = None,
    *,
    count: int | None = None,
) -> None:
    run, frame = current_run(), sys._getframe(1)
    if run.product.count_form is CountForm.REGISTER_LOOP:
        _native(dst, first_value, mask, repeat_time, dst_blk_stride, dst_rep_stride, count=count)
        return
    mask = tuple(mask) if isinstance(mask, list) else mask
    form = (mask, repeat_time, (dst_blk_stride, dst_rep_stride), count)
    parts = (CREATE_VEC_INDEX, dst, repr(first_value), *form, run.mask)  # repr tells 0.0, -0.0 and 0 apart
    run.play(recall(run, parts, lambda: _program(run, dst, first_value, *form, frame)), frame)


def _program(
    run: CoreRun, dst: LocalTensor, first_value: Any, mask: Any, repeat: Any, strides: Any, count: Any, frame: FrameType
) -> Program:
    if dst.__class__ is not LocalTensor or dst.core is not run.machine:
        refuse_tensor(run, CREATE_VEC_INDEX, "dst", dst)
    row = find_supported(run, CREATE_VEC_INDEX, (dst.dtype,), frame)
    form = form_of(CREATE_VEC_INDEX, mask, (repeat, *strides), count)
    call = Call(CREATE_VEC_INDEX, run.product, (dst.dtype,), row, form, {})
    steps = Sequence(run, "CreateVecIndex", form, {"dst": dst})
    first = scalar_converter(dst.dtype)(number(first_value, "CreateVecIndex: first_value"))
    chain = _Chain(steps, dst, first)
    if form is Form.COUNT:
        parse_count(call, mask if count is None else count)
        room = (run.ub.size - dst.address) // dst.dtype.size
        chain.count(min(call.count, room + chain.width))  # a runaway count is refused by its first step past memory
    else:
        parse_tiled(call, mask, repeat, strides, counts=False)
        chain.tiled(call)
    steps.violations += call.violations
    return steps.program()


CreateVecIndex.__doc__ = documentation(CREATE_VEC_INDEX)
CreateVecIndex.__module__ = "ascend_sim"


class _Chain:
    """Scalar stores, then Adds of what stands before."""

    def __init__(self, steps: Sequence, dst: LocalTensor, first: Any) -> None:
        self.steps, self.dst, self.first = steps, dst, first
        self.block = BLOCK_BYTES // dst.dtype.size
        self.width = 256 // dst.dtype.size

    def _stores(self, numbers: "np.ndarray[Any, Any]", places: "np.ndarray[Any, Any]") -> None:
        """The scalar unit stores first + number at these elements."""
        carrier = self.dst.dtype.carrier
        wide = np.dtype(np.int64 if carrier.kind in "iu" else np.float64)
        with np.errstate(over="ignore"):
            values = (numbers.astype(wide) + wide.type(self.first)).astype(carrier)  # integers wrap as in C++

        def kernel(_special: Any, out: Any) -> None:
            out[...] = values

        if numbers.size:
            start = int(places[0])
            self.steps.scalar(kernel, view(self.dst, start), numbers.size)

    def _adds(self, to: int, source: int, step: int, mask: "Mask | int", stride: int = 1) -> None:
        dtype = self.dst.dtype
        self.steps.set_mask(mask if isinstance(mask, Mask) else contiguous_mask(mask, dtype.bits))
        dst, src = view(self.dst, to), _behind(self.dst, source)
        added = dtype.carrier.type(step)
        self.steps.vector(ADDS, (dst, src), 1, (stride, stride, 8, 8), {"scalar_first": False})
        kernel = self.steps.kernels[-1]
        assert kernel is not None
        self.steps.kernels[-1] = _with_scalar(kernel, added)

    def count(self, count: int) -> None:
        block, width = self.block, self.width
        head = min(count, block)
        self._stores(np.arange(head), np.arange(head))
        if count <= block:
            return
        whole = 7 if count >= width else count // block - 1
        for i in range(whole):
            self._adds((i + 1) * block, i * block, block, block)
        rest = count % block if count < width else 0
        if rest:
            at = count // block * block
            self._adds(at, at - block, block, rest)
        for i in range(count // width - 1 if count > width else 0):
            self._adds((i + 1) * width, i * width, width, width)
        if count > width and count % width:
            at = count // width * width
            self._adds(at, at - width, width, count % width)

    def tiled(self, call: Call) -> None:
        blk, rep = call.strides
        block = self.block
        if isinstance(call.mask, int):
            head = min(call.mask, block)
            self._stores(np.arange(head), np.arange(head))
            for i in range(call.mask // block - 1):
                self._adds((i + 1) * blk * block, i * blk * block, block, block)
            if call.mask % block:
                at = call.mask // block * block * blk
                self._adds(at, at - block * blk, block, call.mask % block, blk)
            mask: Mask | int = call.mask
        else:
            assert call.mask is not None
            mask = Mask(call.mask[1], call.mask[0])
            lanes = np.flatnonzero([mask.bits >> k & 1 for k in range(self.width)])
            for run in np.split(lanes, np.flatnonzero(np.diff(lanes) != 1) + 1) if lanes.size else ():
                for part in np.split(run, np.flatnonzero(run % block == 0)):
                    if part.size:
                        self._stores(part, part // block * block * blk + part % block)
        for i in range(call.repeat - 1):
            self._adds((i + 1) * rep * block, i * rep * block, self.width, mask, blk)


def _with_scalar(kernel: Kernel, scalar: Any) -> Kernel:
    return lambda source, out: kernel(source, scalar, out)


def _behind(tensor: LocalTensor, offset: int) -> LocalTensor:
    """A view that may start before the tensor, where the library's arithmetic goes."""
    if offset >= 0:
        return view(tensor, offset)
    address = max(tensor.address + offset * tensor.dtype.size, 0)
    part = LocalTensor(tensor.dtype, tensor.position, address, tensor.length - offset, core=tensor.core)
    part.root = tensor.root  # a slice, made without the bounds check of `tensor[offset:]`
    return part
