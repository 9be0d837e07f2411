"""MrgSort, MrgSort4 and GetMrgSortResult: lists in a struct, or in a tuple in its order."""

import sys
from types import FrameType
from typing import Any

import attrs

from ascend_sim.api.calls.bind import written
from ascend_sim.api.calls.call import Call, refuse
from ascend_sim.api.calls.prepare import find_supported, recall, refuse_tensor
from ascend_sim.api.context import current_run
from ascend_sim.api.instructions.getters import check_supported
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.program import Program, vector_program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.merge import Layout, until_exhausted
from ascend_sim.machine.walk import Cover, Walk, cover_of_lanes, uniform_lanes
from isa.families import Form, Pipe
from isa.model import Instruction
from isa.params import MrgSort4Info
from isa.products import BLOCK_BYTES
from isa.sort import GET_MRG_SORT_RESULT, MRG_SORT, MRG_SORT4

_VALID = {0b11: 2, 0b111: 3, 0b1111: 4}


@attrs.define
class MrgSortSrcList:
    """The sorted lists of MrgSort and MrgSort4."""

    src1: LocalTensor
    src2: LocalTensor
    src3: LocalTensor | None = None
    src4: LocalTensor | None = None


def MrgSort(dst: LocalTensor, src: Any, params: Any) -> None:
    _call(MRG_SORT, dst, src, params)


def MrgSort4(dst: LocalTensor, src: Any, params: Any) -> None:
    _call(MRG_SORT4, dst, src, params)


def GetMrgSortResult() -> tuple[int, int, int, int]:
    return check_supported(GET_MRG_SORT_RESULT).machine.special.merged


for _function, _instruction in (
    (MrgSort, MRG_SORT),
    (MrgSort4, MRG_SORT4),
    (GetMrgSortResult, GET_MRG_SORT_RESULT),
):
    written(_function, _instruction)


def _call(instruction: Instruction, dst: LocalTensor, src: Any, params: Any) -> None:
    run, frame = current_run(), sys._getframe(2)
    if not isinstance(src, (MrgSortSrcList, tuple, list)):
        raise refuse(instruction, f"the lists are a MrgSortSrcList or a tuple of tensors, not {src!r}")
    given = (src.src1, src.src2, src.src3, src.src4) if isinstance(src, MrgSortSrcList) else tuple(src)
    if not isinstance(params, MrgSort4Info) and not (isinstance(params, tuple) and 1 <= len(params) <= 4):
        raise refuse(instruction, f"the parameters are a MrgSort4Info or a tuple in its order, not {params!r}")
    info = params if isinstance(params, MrgSort4Info) else MrgSort4Info(*params)
    parts = (instruction, dst, *given, info)
    run.play(recall(run, parts, lambda: _prepare(run, instruction, dst, given, info, frame)), frame)


def _prepare(
    run: CoreRun,
    instruction: Instruction,
    dst: LocalTensor,
    given: tuple[Any, ...],
    info: MrgSort4Info,
    frame: FrameType,
) -> Program:
    if info.valid_bit not in _VALID:
        raise refuse(instruction, f"valid_bit is 3, 7 or 15, not {info.valid_bit}")
    lists = given[: _VALID[info.valid_bit]]
    for name, tensor in (("dst", dst), *((f"src{i}", t) for i, t in enumerate(lists, 1))):
        if tensor.__class__ is not LocalTensor or tensor.core is not run.machine:
            refuse_tensor(run, instruction, name, tensor)
    if len(lists) < _VALID[info.valid_bit]:
        raise refuse(instruction, f"valid_bit={info.valid_bit} needs {_VALID[info.valid_bit]} lists, not {len(lists)}")
    types = tuple(t.dtype for t in (dst, *lists))
    row = find_supported(run, instruction, types, frame)
    size, of_records = dst.dtype.size, instruction is MRG_SORT
    stops = bool(info.if_exhausted_suspension)
    layout = Layout(8, 0, dst.dtype, stops) if of_records else Layout(8 * size, 4 * size, dst.dtype, stops)
    lengths = info.element_lengths[: len(lists)]
    call = Call(instruction, run.product, types, row, Form.REPEATS, {})
    repeats = _repeats(call, info, lists, lengths, layout)
    alignment = BLOCK_BYTES if of_records else layout.record
    total = sum(lengths) * layout.record
    lanes = uniform_lanes(total // size, repeats if total else 0, (1 << total // size) - 1)
    accesses = [_access(instruction, 0, dst, total, total, lanes.repeats, alignment)]
    for i, (tensor, length) in enumerate(zip(lists, lengths, strict=True), 1):
        nbytes = length * layout.record
        accesses.append(_access(instruction, i, tensor, nbytes, total, lanes.repeats, 8 if of_records else alignment))
    if stops and lanes.repeats:
        accesses[0] = until_exhausted(accesses[0], accesses[1:], layout, run.ub)
        accesses[0] = attrs.evolve(accesses[0], cover=Cover(dst.address, dst.address + total, solid=True))
    issue = Issue(
        instruction,
        Form.REPEATS,
        Pipe.V,
        tuple(accesses),
        lanes,
        None,
        {"layout": layout},
        mask=run.machine.mask,
        control=run.machine.control,
    )
    program = vector_program(instruction.name, [issue], [_nothing], call.violations, run.machine)
    program.value_checks = (_nothing_to_check,) if stops else ()
    return program


def _nothing_to_check(*_: Any) -> tuple[()]:
    """Its presence makes every call mark the bytes that this one writes."""
    return ()


def _nothing(*_: Any) -> None:
    """The executor of this shape needs no lane function."""


def _repeats(
    call: Call, info: MrgSort4Info, lists: tuple[LocalTensor, ...], lengths: tuple[int, ...], layout: Layout
) -> int:
    """Several repeats need four lists of one length, side by side, merged to the end (page of MrgSort)."""
    if info.repeat_times < 2:
        return info.repeat_times
    step = lengths[0] * layout.record
    side_by_side = all(t.address == lists[0].address + i * step for i, t in enumerate(lists))
    if len(lists) == 4 and len(set(lengths)) == 1 and side_by_side and not layout.stops:
        return info.repeat_times
    call.report(
        "repeat-range",
        f"repeat_times={info.repeat_times} takes effect only for four lists of one length, side by side, with "
        "valid_bit 15 and no suspension: one repeat is executed",
        "Call once for each group of lists.",
    )
    return 1


def _access(
    instruction: Instruction, at: int, tensor: LocalTensor, nbytes: int, step: int, repeats: int, alignment: int
) -> Access:
    dtype = tensor.dtype
    width = nbytes // dtype.size
    lanes = uniform_lanes(width, repeats, (1 << width) - 1)
    walk = Walk(tensor.address, BLOCK_BYTES, step, dtype.bits)
    return Access(
        instruction.family.operands[at],
        Space.UB,
        dtype,
        tensor.address,
        tensor.nbytes,
        tensor.root.address,
        walk,
        lanes,
        cover_of_lanes(walk, lanes),
        alignment,
    )
