"""DataCopy between GM and the Unified Buffer, and inside it: the count form and the form with DataCopyParams."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from ascend_sim.api.calls.bind import documentation
from ascend_sim.api.calls.call import Call, parse_count, parse_struct, refuse
from ascend_sim.api.calls.prepare import find_supported
from ascend_sim.api.context import RUNNING, current_run
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor, Tensor
from ascend_sim.api.numbers import is_index
from ascend_sim.api.program import NO_GM, Program, transfer_program
from ascend_sim.api.running.core_state import ProgramKey
from ascend_sim.api.running.run import CoreRun
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.walk import Bursts, Walk, cover_of_bursts
from isa.families import DST, SRC, Form, Operand, Pipe
from isa.model import Instruction
from isa.move import DATA_COPY
from isa.products import BLOCK_BYTES

LAYOUTS: dict[type, Callable[..., None]] = {}
"""Parameter types that choose a copy which rearranges, and what does it (`layouts`)."""


def DataCopy(dst: Tensor, src: Tensor, repeat_params: Any = None, *more: Any, count: int | None = None) -> None:
    run = RUNNING.get(None) or current_run()
    frame = sys._getframe(1)
    try:
        key: ProgramKey | None = (DATA_COPY, dst.key, src.key, repeat_params, count, run.machine.atomic)
        program = run.programs.get(key or ())
    except (TypeError, AttributeError):  # no tensor, or no key: _prepare explains
        key = program = None
    if program is None:
        if repeat_params.__class__ in LAYOUTS:
            LAYOUTS[repeat_params.__class__](run, dst, src, repeat_params, *more, frame=frame)
            return
        program = _prepare(run, key, dst, src, repeat_params, count, frame)
    remote: Any = src if program.reads_gm else dst
    if remote.__class__ is LocalTensor:
        run.play(program, frame, NO_GM)
    else:
        run.play_copy(program, frame, remote)


DataCopy.__doc__ = documentation(DATA_COPY)


def _prepare(
    run: CoreRun, key: ProgramKey | None, dst: Tensor, src: Tensor, params: Any, count: Any, frame: FrameType
) -> Program:
    instruction = prototype_of(DATA_COPY, dst, src)
    row = find_supported(run, instruction, (dst.dtype, src.dtype), frame)
    if is_index(params) and count is None:
        params, count = None, params
    if (params is None) is (count is None):
        raise refuse(instruction, "give either a count or a DataCopyParams")
    form = Form.COUNT if params is None else Form.BURSTS
    call = Call(instruction, run.product, (), row, form, {})
    if form is Form.COUNT:
        blocks, length, src_gap, dst_gap = _one_burst(call, dst, count)
    else:
        blocks, length, src_gap, dst_gap = parse_struct(call, params)
        if blocks == 0 or length == 0:
            call.report("zero-repeat", "nothing is copied: block_count or block_len is 0", "Guard the call.")
    bursts = Bursts(blocks, length * BLOCK_BYTES)
    accesses = (
        _access(DST, dst, (length + dst_gap) * BLOCK_BYTES, bursts),
        _access(SRC, src, (length + src_gap) * BLOCK_BYTES, bursts),
    )
    atomic = run.machine.atomic if isinstance(dst, GlobalTensor) else None
    arguments = {} if atomic is None else {"atomic": atomic.name}
    issue = Issue(instruction, form, _pipe(dst, src), accesses, None, bursts, arguments, control=run.machine.control)
    program = transfer_program(issue, call.violations, run.machine)
    if key is not None:
        run.remember(key, program)
    return program


def prototype_of(instruction: Instruction, dst: object, src: object) -> Instruction:
    """The prototype for these operands: one in GM and one in the Unified Buffer, or both there where that exists."""
    kinds = (type(dst), type(src))
    if kinds == (LocalTensor, LocalTensor) and instruction.variants:
        return instruction.variants[0]
    if sorted(k.__name__ for k in kinds) != ["GlobalTensor", "LocalTensor"]:
        names = " and ".join(k.__name__ for k in kinds)
        raise refuse(instruction, f"one operand is in the Unified Buffer and the other in GM, not {names}")
    return instruction


def _one_burst(call: Call, dst: Tensor, count: Any) -> tuple[int, int, int, int]:
    """The count form: one burst, its length rounded down to 32 bytes as the hardware does (spec 01 section 2.10)."""
    parse_count(call, count)
    nbytes = dst.dtype.bytes_for(call.count)
    if nbytes % BLOCK_BYTES:
        per_block = dst.dtype.per_block
        call.report(
            "copy-length",
            f"{call.count} elements of {dst.dtype} are {nbytes} bytes, not a multiple of {BLOCK_BYTES}: the hardware "
            f"copies {nbytes // BLOCK_BYTES * BLOCK_BYTES} bytes and drops the rest",
            f"Lengths that fit: {call.count // per_block * per_block} or {-(-call.count // per_block) * per_block} "
            f"elements; DataCopyPad copies any number of bytes.",
        )
    return 1, nbytes // BLOCK_BYTES, 0, 0


def _access(operand: Operand, tensor: Tensor, stride: int, bursts: Bursts) -> Access:
    if isinstance(tensor, LocalTensor):
        walk = Walk(tensor.address, BLOCK_BYTES, stride, 8)
        place = (Space.UB, tensor.dtype, tensor.address, tensor.nbytes, tensor.root.address)
    else:
        walk = Walk(0, BLOCK_BYTES, stride, 8)
        place = (Space.GM, tensor.dtype, 0, 0, 0)
    return Access(operand, *place, walk, bursts, cover_of_bursts(walk, bursts))


def _pipe(dst: Tensor, src: Tensor) -> Pipe:
    if isinstance(src, GlobalTensor):
        return Pipe.MTE2
    return Pipe.MTE3 if isinstance(dst, GlobalTensor) else Pipe.V
