"""GatherMask: its pattern is a number or a tensor, its mask argument a number of elements, and it returns a count."""

import sys
from types import FrameType
from typing import Any

import attrs

from ascend_sim.api.calls.bind import written
from ascend_sim.api.calls.call import Call, parse_struct, refuse
from ascend_sim.api.calls.lower import set_vector_mask
from ascend_sim.api.calls.prepare import find_supported, recall, refuse_tensor
from ascend_sim.api.context import current_run
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.numbers import is_index
from ascend_sim.api.program import Program, vector_program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.tables import compress_checks
from ascend_sim.machine.compress import with_pattern
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.registers import WORD, Control, Mask
from ascend_sim.machine.walk import Cover, Lanes, Walk, cover_of_lanes, first_lanes, uniform_lanes
from isa.dtypes import uint8_t
from isa.families import Form, Operand, Pipe
from isa.gather import GATHER_MASK
from isa.mask import SET_MASK_COUNT, SET_MASK_NORM
from isa.params import MaskMode
from isa.products import BLOCK_BYTES, MAX_REPEAT, Arch, MaskArgument

_STEP = {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3), 7: (1, 0)}
"""Built-in patterns: every n-th element of a repeat, from the k-th on."""
_COUNT_LIMIT = 0xFFFF_FFFF


def GatherMask(
    dst: LocalTensor,
    src0: LocalTensor,
    src1_pattern: "int | LocalTensor",
    reduce_mode: bool,
    mask: int,
    gather_mask_params: Any,
) -> int:
    run, frame = current_run(), sys._getframe(1)
    given = (dst, src0, src1_pattern, bool(reduce_mode), mask, gather_mask_params)
    run.play(recall(run, (GATHER_MASK, *given, run.mask), lambda: _prepare(run, *given, frame)), frame)
    return run.machine.special.kept


for _instruction in GATHER_MASK.prototypes:
    written(GatherMask, _instruction, more="\n\nReturns rsvdCnt, the number of elements kept.")


def _prepare(
    run: CoreRun,
    dst: LocalTensor,
    src: LocalTensor,
    pattern: Any,
    counts: bool,
    mask: Any,
    params: Any,
    frame: FrameType,
) -> Program:
    by_table = isinstance(pattern, LocalTensor)
    instruction = GATHER_MASK if by_table else GATHER_MASK.variants[0]
    tensors = (dst, src, pattern) if by_table else (dst, src)
    for operand, tensor in zip(instruction.family.operands, tensors, strict=True):
        if tensor.__class__ is not LocalTensor or tensor.core is not run.machine:
            refuse_tensor(run, instruction, operand.name, tensor)
    types = tuple(t.dtype for t in tensors)
    row = find_supported(run, instruction, types, frame)
    call = Call(instruction, run.product, types, row, Form.REPEATS, {})
    block, repeats, step, pattern_step = parse_struct(call, params)
    if not is_index(mask):
        raise refuse(instruction, f"mask must be an integer, not {mask!r}")
    count = int(mask.__index__())
    if not 0 <= count <= _COUNT_LIMIT:
        call.report("mask-range", f"mask={count} is outside 0..{_COUNT_LIMIT}", "It is a number of elements.")
        count &= _COUNT_LIMIT
    if repeats > MAX_REPEAT:
        call.report(
            "repeat-range",
            f"repeat_times={repeats} is outside 0..{MAX_REPEAT}: the field would hold {repeats & 0xFF}",
            "Split the call.",
        )
        repeats &= 0xFF
    room = run.ub.size // dst.dtype.size + 1  # more leave memory, which the check of bounds says soon enough
    lanes = _lanes(run, dst.dtype.size, counts, min(count, room), repeats)
    if not by_table:
        _check_number(call, pattern)
    accesses = _accesses(instruction.family.operands, tensors, lanes, (block, step, pattern_step), pattern)
    if by_table:
        picked = with_pattern(accesses[0], accesses[1], accesses[2], lanes, run.ub)
        accesses = (*picked, accesses[2])
    arguments = {"reduce_mode": counts} if by_table else {"src1_pattern": pattern, "reduce_mode": counts}
    before, after, control, left = _registers(run, counts, count, by_table, pattern, dst.dtype.bits)
    issue = Issue(
        instruction,
        Form.REPEATS,
        Pipe.V,
        accesses,
        lanes,
        None,
        arguments,
        mask=left or run.machine.mask,
        control=control,
    )
    issues = [*before, issue, *after]
    kernels = [_nothing if i is issue else None for i in issues]
    program = vector_program("GatherMask", issues, kernels, call.violations, run.machine)
    program.mask = left
    final = after[-1].control if after else None
    program.control = final if final is not None and final != run.machine.control else None
    program.value_checks = (compress_checks,)
    return program


def _nothing(*_: Any) -> None:
    """The executor of this shape needs no lane function."""


def _lanes(run: CoreRun, size: int, counts: bool, count: int, repeats: int) -> Lanes:
    """Elements of src0 that are looked at: all of each repeat, or `count` of each; ascend310p counts them in all."""
    width = 256 // size
    if not counts:
        return uniform_lanes(width, repeats, (1 << width) - 1)
    if run.product.arch is Arch.M200:
        return first_lanes(width, count)
    return uniform_lanes(count, repeats if count else 0, (1 << count) - 1)


def _check_number(call: Call, pattern: Any) -> None:
    highest = 6 if call.product.arch is Arch.M200 else 7
    if not is_index(pattern) or int(pattern) not in _STEP or int(pattern) > highest:
        raise refuse(
            call.instruction, f"src1_pattern is a tensor, or 1..{highest} on {call.product.id}, not {pattern!r}"
        )


def _accesses(
    operands: tuple[Operand, ...],
    tensors: tuple[LocalTensor, ...],
    lanes: Lanes,
    strides: tuple[int, int, int],
    pattern: Any,
) -> tuple[Access, ...]:
    dst, src = tensors[:2]
    block, step, pattern_step = strides
    size = dst.dtype.size
    made = []
    if len(tensors) == 2:
        every, first = _STEP[int(pattern)]
        bits = sum(1 << k for k in range(first, lanes.width, every)) if every > 1 else (1 << lanes.width) - 1
        read = Lanes(lanes.width, lanes.repeats, lanes.mask & bits, lanes.last_mask & bits)
        written = first_lanes(256 // size, read.active_count)
    else:
        read, written = lanes, lanes
    walks = [
        (dst, Walk(dst.address, BLOCK_BYTES, 256, dst.dtype.bits), written, dst.dtype),
        (src, Walk(src.address, block * BLOCK_BYTES, step * BLOCK_BYTES, src.dtype.bits), read, src.dtype),
    ]
    if len(tensors) > 2:
        width = -(-lanes.width // 8)
        bits_lanes = uniform_lanes(width, lanes.repeats, (1 << width) - 1)
        table = tensors[2]
        walks.append((table, Walk(table.address, BLOCK_BYTES, pattern_step * BLOCK_BYTES, 8), bits_lanes, uint8_t))
    for i, (tensor, walk, touched, dtype) in enumerate(walks):
        cover = cover_of_lanes(walk, touched)
        if len(tensors) > 2 and i < 2:
            cover = Cover(
                tensor.address,
                max(cover.high, tensor.address + tensor.nbytes) if i else tensor.address + tensor.nbytes,
                solid=True,
            )
        made.append(
            Access(
                operands[i], Space.UB, dtype, tensor.address, tensor.nbytes, tensor.root.address, walk, touched, cover
            )
        )
    return tuple(made)


def _registers(
    run: CoreRun, counts: bool, count: int, by_table: bool, pattern: Any, bits: int
) -> tuple[list[Issue], list[Issue], Control, Mask | None]:
    """Register writes before and after, the control state of the instruction, the mask left (spec 01 section 2.9)."""
    control = run.machine.control
    product = run.product
    if product.mask_argument is MaskArgument.BITS_ONLY:
        left = None
        if product.arch is Arch.A3510 and not by_table and int(pattern) < 7 and bits in (16, 32):
            every, first = _STEP[int(pattern)]
            word = sum(1 << k for k in range(first, 64, every))
            left = Mask(word if bits == 16 else 0, word & WORD)
        return [], [], control, left
    mode = MaskMode.COUNTER if counts else MaskMode.NORMAL
    inside = attrs.evolve(control, mode=mode)
    normal = attrs.evolve(control, mode=MaskMode.NORMAL)
    left = Mask(0, count)
    before = [set_vector_mask(left, inside)]
    after = []
    if counts:
        before.insert(0, Issue(SET_MASK_COUNT, Form.CALL, Pipe.S, control=inside))
    if counts or control.counts:
        after.append(Issue(SET_MASK_NORM, Form.CALL, Pipe.S, control=normal))
    return before, after, inside, left
