"""CastDequant has two prototypes that differ by the type of dst; AddDeqRelu is a program on A2 and A3.

There the sum, its product with the scale in float32 steps of 2**-17 and 2**17, and the conversion use the library's
scratch at the end of the Unified Buffer, and overwrite both sources (the library does).
"""

import sys
from types import FrameType
from typing import Any

import numpy as np

from ascend_sim.api.calls.bind import bind, documentation
from ascend_sim.api.calls.call import Call, form_of, parse_count, parse_tiled
from ascend_sim.api.calls.composite import Sequence, view
from ascend_sim.api.calls.prepare import find_supported, recall, refuse_tensor
from ascend_sim.api.context import current_run
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.program import Program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.machine.registers import ALL_LANES, Mask, contiguous_mask
from isa.arithmetic import ADD as PLUS, MAX, MULS
from isa.convert import CAST
from isa.dequant import ADD_DEQ_RELU, CAST_DEQUANT
from isa.dtypes import float32, half, int32_t
from isa.families import Form
from isa.fill import DUPLICATE
from isa.numerics.rules import Kernel
from isa.params import MaskMode, RoundMode
from isa.positions import TPosition
from isa.products import Arch

_to_bytes = bind(CAST_DEQUANT, 2)
_to_half = bind(CAST_DEQUANT.variants[0], 2)
_native = bind(ADD_DEQ_RELU, 2)
SHIFT = 17
LANES = 64


def CastDequant(dst: LocalTensor, src: LocalTensor, *form: Any, **options: Any) -> None:
    if getattr(dst, "dtype", None) is half:
        for unused in ("is_vec_deq", "half_block"):
            options.pop(unused, None)
        _to_half(dst, src, *form, **options)
        return
    _to_bytes(dst, src, *form, **options)


def AddDeqRelu(
    dst: LocalTensor,
    src0: LocalTensor,
    src1: LocalTensor,
    mask: Any = None,
    repeat_time: Any = None,
    repeat_params: Any = None,
    *,
    count: int | None = None,
    is_set_mask: bool = True,
) -> None:
    run, frame = current_run(), sys._getframe(1)
    if run.product.arch is not Arch.C220:
        _native(dst, src0, src1, mask, repeat_time, repeat_params, count=count, is_set_mask=is_set_mask)
        return
    mask = tuple(mask) if isinstance(mask, list) else mask
    tensors, form = (dst, src0, src1), (mask, repeat_time, repeat_params, count, is_set_mask)
    run.play(
        recall(run, (ADD_DEQ_RELU, *tensors, *form, run.mask), lambda: _program(run, tensors, *form, frame)), frame
    )


def _program(
    run: CoreRun,
    tensors: tuple[LocalTensor, LocalTensor, LocalTensor],
    mask: Any,
    repeat: Any,
    params: Any,
    count: Any,
    is_set_mask: bool,
    frame: FrameType,
) -> Program:
    for operand, tensor in zip(ADD_DEQ_RELU.family.operands, tensors, strict=True):
        if tensor.__class__ is not LocalTensor or tensor.core is not run.machine:
            refuse_tensor(run, ADD_DEQ_RELU, operand.name, tensor)
    types = tuple(t.dtype for t in tensors)
    row = find_supported(run, ADD_DEQ_RELU, types, frame)
    form = form_of(ADD_DEQ_RELU, mask, (repeat, params), count)
    call = Call(ADD_DEQ_RELU, run.product, types, row, form, {}, is_set_mask=is_set_mask)
    if form is Form.COUNT:
        parse_count(call, mask if count is None else count)
    else:
        parse_tiled(call, mask, repeat, params, counts=run.machine.control.counts)
    room = run.product.ub_reserved
    scratch = LocalTensor(int32_t, TPosition.VECCALC, run.ub.size - room, room // 4, core=run.machine)
    inner = {"scratch": scratch}
    steps = Sequence(run, "AddDeqRelu", form, inner)
    steps.violations += call.violations
    if run.machine.control.deq_scale is None:
        steps.report(
            "deq-scale-unset",
            "multiplies by the scale of SetDeqScale, which this launch has not set",
            "Call SetDeqScale first; a scale of 1 converts the integers as they are.",
        )
    scale = run.deq_scale
    if form is Form.COUNT:
        for done in range(0, call.count, scratch.length):
            part = min(scratch.length, call.count - done)
            steps.set_mode(MaskMode.COUNTER)
            steps.set_mask(Mask(0, part))
            views = tuple(view(t, done) for t in tensors)
            _steps(steps, views, scratch, scale, 1, (1, 1, 1, 4, 8, 8), 4)
            steps.set_mode(MaskMode.NORMAL)
            steps.set_mask(ALL_LANES)
    elif call.repeat:
        if call.mask is not None:
            bits = call.narrowest_bits
            steps.set_mask(
                contiguous_mask(call.mask, bits) if isinstance(call.mask, int) else Mask(call.mask[1], call.mask[0])
            )
        most = scratch.length // LANES
        for done in range(0, call.repeat, most):
            part = min(most, call.repeat - done)
            rep = call.strides[3:]
            views = tuple(view(t, done * r * t.dtype.per_block) for t, r in zip(tensors, rep, strict=True))
            _steps(steps, views, scratch, scale, part, call.strides, 4)
    return steps.program()


for _function, _instruction in ((CastDequant, CAST_DEQUANT), (AddDeqRelu, ADD_DEQ_RELU)):
    _function.__doc__ = documentation(_instruction)
    _function.__module__ = "ascend_sim"
CastDeq = CastDequant


def _steps(
    steps: Sequence,
    tensors: tuple[LocalTensor, ...],
    scratch: LocalTensor,
    scale: float,
    repeats: int,
    strides: tuple[int, ...],
    narrow: int,
) -> None:
    """Add, convert, three products, convert, zeros, maximum: all under the registers as they are."""
    dst, src0, src1 = tensors
    blk, blk0, blk1, rep, rep0, rep1 = strides
    floats = src0.ReinterpretCast(float32)
    halves = scratch.ReinterpretCast(half)
    steps.vector(PLUS, (scratch, src0, src1), repeats, (1, blk0, blk1, 8, rep0, rep1))
    outer = steps.inner
    steps.inner = {**outer, "src0": src0, "src1": src1}
    steps.vector(CAST, (floats, scratch), repeats, (1, 1, 8, 8), {"round_mode": RoundMode.CAST_NONE})
    for factor in (2.0**-SHIFT, scale, 2.0**SHIFT):
        steps.vector(MULS, (floats, floats), repeats, (1, 1, 8, 8), {"scalar_first": False})
        steps.kernels[-1] = _with_scalar(steps.kernels[-1], np.float32(factor))
    wide = src1.ReinterpretCast(half)
    steps.vector(CAST, (wide, floats), repeats, (1, 1, narrow, 8), {"round_mode": RoundMode.CAST_NONE})
    if steps.control.counts:  # halves have 128 lanes a repeat, side by side
        strides = (1, 1, 1, 8, 8, 8)
        steps.vector(DUPLICATE, (halves,), 1, (1, 8))
    else:
        strides = (blk, 1, 1, rep, 0, narrow)
        steps.vector(DUPLICATE, (halves,), 1, (1, 8))
    steps.kernels[-1] = _filled(steps.kernels[-1])
    steps.vector(MAX, (dst, halves, wide), repeats, strides)
    steps.inner = outer


def _with_scalar(kernel: Kernel | None, scalar: Any) -> Kernel:
    assert kernel is not None
    return lambda source, out: kernel(source, scalar, out)


def _filled(kernel: Kernel | None) -> Kernel:
    assert kernel is not None
    return lambda out: kernel(np.float16(0), out)
