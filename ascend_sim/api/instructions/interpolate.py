"""BilinearInterpolation: its strides and repeats are plain arguments of its own."""

import sys
from types import FrameType
from typing import Any

from ascend_sim.api.calls.bind import written
from ascend_sim.api.calls.call import Call, form_of, parse_tiled, refuse
from ascend_sim.api.calls.lower import tiled
from ascend_sim.api.calls.prepare import find_supported, recall, refuse_tensor
from ascend_sim.api.context import current_run
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.numbers import is_index
from ascend_sim.api.program import Program, vector_program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.tables import gather_checks
from ascend_sim.machine.indexed import block_lanes
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.walk import Cover, Lanes, Walk, cover_of_lanes, uniform_lanes
from isa.families import Pipe
from isa.interpolate import BILINEAR_INTERPOLATION as INSTRUCTION
from isa.products import BLOCK_BYTES, BLOCKS_PER_REPEAT, CountForm


def BilinearInterpolation(
    dst: LocalTensor,
    src0: LocalTensor,
    src0_offset: LocalTensor,
    src1: LocalTensor,
    mask: Any,
    h_repeat: int,
    repeat_mode: bool,
    dst_blk_stride: int,
    v_r_offset: int,
    v_repeat: int,
    shared_tmp_buffer: LocalTensor,
) -> None:
    run, frame = current_run(), sys._getframe(1)
    mask = tuple(mask) if isinstance(mask, list) else mask
    tensors, repeats = (dst, src0, src0_offset, src1, shared_tmp_buffer), (h_repeat, bool(repeat_mode), v_repeat)
    parts = (INSTRUCTION, *tensors, mask, *repeats, dst_blk_stride, v_r_offset, run.mask)
    run.play(
        recall(run, parts, lambda: _program(run, tensors, mask, repeats, dst_blk_stride, v_r_offset, frame)), frame
    )


def _program(
    run: CoreRun,
    given: tuple[LocalTensor, LocalTensor, LocalTensor, LocalTensor, LocalTensor],
    mask: Any,
    repeats: tuple[int, bool, int],
    dst_blk_stride: int,
    v_r_offset: int,
    frame: FrameType,
) -> Program:
    (dst, src0, src0_offset, src1, shared_tmp_buffer), (h_repeat, repeat_mode, v_repeat) = given, repeats
    tensors = (dst, src0, src0_offset, src1)
    names = [o.name for o in INSTRUCTION.family.operands]
    for name, tensor in zip((*names, "shared_tmp_buffer"), (*tensors, shared_tmp_buffer), strict=True):
        if tensor.__class__ is not LocalTensor or tensor.core is not run.machine:
            refuse_tensor(run, INSTRUCTION, name, tensor)
    types = tuple(t.dtype for t in tensors)
    row = find_supported(run, INSTRUCTION, types, frame)
    arguments = {"h_repeat": h_repeat, "repeat_mode": repeat_mode}
    form = form_of(INSTRUCTION, mask, (v_repeat,), None)
    call = Call(INSTRUCTION, run.product, types, row, form, arguments)
    parse_tiled(call, mask, v_repeat, None, counts=run.machine.control.counts)
    for name, value, low, high in (("h_repeat", h_repeat, 1, 255), ("v_r_offset", v_r_offset, 128, 65534)):
        if not is_index(value):
            raise refuse(INSTRUCTION, f"{name} must be an integer, not {value!r}")
        if not low <= value <= high:
            call.report("field-range", f"{name}={value} is outside {low}..{high}", "See the page of the instruction.")
    lowered = tiled(call, run.machine.mask, run.machine.control)
    lanes = lowered.steps[-1].lanes
    assert lanes is not None
    terms, rows = max(int(h_repeat), 1), lanes.repeats
    weights = rows * terms * (BLOCKS_PER_REPEAT if repeat_mode else 1)
    _check_scratch(call, shared_tmp_buffer, src0, src1, src0_offset)
    shapes: tuple[tuple[LocalTensor, Walk, Lanes], ...] = (
        (dst, Walk(dst.address, dst_blk_stride * BLOCK_BYTES, v_r_offset * dst.dtype.size, 16), lanes),
        (src0_offset, Walk(src0_offset.address, BLOCK_BYTES, BLOCK_BYTES, 32), _dense(BLOCKS_PER_REPEAT, rows * terms)),
        (src1, Walk(src1.address, BLOCK_BYTES, weights * 2, 16), _dense(weights, 1)),
    )
    operands = INSTRUCTION.family.operands
    made = [
        Access(
            operand,
            Space.UB,
            t.dtype,
            t.address,
            t.nbytes,
            t.root.address,
            walk,
            touched,
            cover_of_lanes(walk, touched),
        )
        for operand, (t, walk, touched) in zip((operands[0], operands[2], operands[3]), shapes, strict=True)
    ]
    whole = Walk(src0.address, BLOCK_BYTES, 0, 16)
    place = (src0.address, src0.nbytes, src0.root.address)
    cover = Cover(src0.address, src0.address + src0.nbytes, solid=True)
    source = Access(operands[1], Space.UB, src0.dtype, *place, whole, _dense(0, 0), cover)
    source = block_lanes(source, made[1], run.ub)
    accesses = (made[0], source, made[1], made[2])
    step = lowered.steps[-1]
    issue = Issue(INSTRUCTION, form, Pipe.V, accesses, lanes, None, arguments, mask=step.mask, control=step.control)
    issues = [s for s in lowered.steps if isinstance(s, Issue)]
    kernels = [None] * len(issues)
    program = vector_program(INSTRUCTION.name, [*issues, issue], [*kernels, _nothing], call.violations, run.machine)
    program.mask = lowered.mask
    program.value_checks = (gather_checks,)
    return program


written(BilinearInterpolation, INSTRUCTION)
BilinearInterpolation.__module__ = "ascend_sim"


def _dense(width: int, repeats: int) -> Lanes:
    return uniform_lanes(width, repeats, (1 << width) - 1)


def _nothing(*_: Any) -> None:
    """The executor of this shape needs no lane function."""


def _check_scratch(call: Call, tmp: LocalTensor, src0: LocalTensor, src1: LocalTensor, table: LocalTensor) -> None:
    """The sizes that the page asks for."""
    if call.product.count_form is CountForm.REGISTER_LOOP:
        return
    needed = table.nbytes if call.product.id == "ascend310p" else 32 * (src0.length + src1.length)
    if tmp.nbytes < needed:
        call.report(
            "temporary-size",
            f"shared_tmp_buffer has {tmp.nbytes} bytes, {call.product.id} needs {needed}",
            "Make it as long as the page of the instruction says.",
            operand="shared_tmp_buffer",
            blocks=True,
        )
