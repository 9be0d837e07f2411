"""TransDataTo5HD: two lists of 16 tensors, of 16 addresses, or two tensors of addresses."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ascend_sim.api.calls.bind import written
from ascend_sim.api.calls.call import Call, parse_struct, refuse
from ascend_sim.api.calls.prepare import find_supported, recall, refuse_tensor
from ascend_sim.api.context import current_run
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.program import make_kernel, vector_program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.walk import Walk, cover_of_lanes, uniform_lanes
from isa.dtypes import ElementType, element_type, half
from isa.families import Form, Pipe
from isa.positions import TPosition
from isa.products import BLOCK_BYTES
from isa.transpose import ROWS, TRANS_DATA_TO_5HD


def TransDataTo5HD(dst_list: Any, src_list: Any, nchwconv_params: Any, *, dtype: ElementType = half) -> None:
    run, frame = current_run(), sys._getframe(1)
    lists = [_tensors(run, given, dtype) for given in (dst_list, src_list)]
    parts = (TRANS_DATA_TO_5HD, *lists[0], None, *lists[1], nchwconv_params)
    run.play(recall(run, parts, lambda: _prepare(run, lists[0], lists[1], nchwconv_params, frame)), frame)


written(TransDataTo5HD, TRANS_DATA_TO_5HD)
TransDataTo5HD.__module__ = "ascend_sim"


def _tensors(run: CoreRun, given: Any, dtype: ElementType) -> list[LocalTensor]:
    """Sixteen blocks. Addresses carry no type: `dtype` says it, as the template argument does."""
    if isinstance(given, LocalTensor):
        given = [int(a) for a in given.codes()[:ROWS]]
    if not isinstance(given, Sequence | np.ndarray) or len(given) != ROWS:
        raise refuse(TRANS_DATA_TO_5HD, f"each list has {ROWS} tensors or addresses")
    found = []
    for i, one in enumerate(given):
        if isinstance(one, LocalTensor):
            if one.core is not run.machine:
                refuse_tensor(run, TRANS_DATA_TO_5HD, f"list[{i}]", one)
            found.append(one)
        else:
            found.append(_block(run, int(one), element_type(dtype)))
    return found


def _block(run: CoreRun, address: int, dtype: ElementType) -> LocalTensor:
    """The rest of the buffer from an address on: an address says nothing of a length."""
    left = max(run.ub.size - address, 0)
    return LocalTensor(dtype, TPosition.VECCALC, address, left * 8 // dtype.bits, core=run.machine)


def _prepare(run: CoreRun, dst: list[LocalTensor], src: list[LocalTensor], params: Any, frame: Any) -> Any:
    instruction = TRANS_DATA_TO_5HD
    dtypes = {t.dtype for t in (*dst, *src)}
    types = (dst[0].dtype,) if len(dtypes) == 1 else tuple(t.dtype for t in (*dst, *src))
    row = find_supported(run, instruction, types, frame)
    call = Call(instruction, run.product, types, row, Form.REPEATS, {})
    dst_half, src_half, repeats, dst_step, src_step = parse_struct(call, params)
    if repeats == 0:
        call.report("zero-repeat", "repeat_times=0: the instruction does nothing", "Guard the call.")
    dtype, narrow = dst[0].dtype, dst[0].dtype.size == 1
    accesses = []
    for i, (tensor, operand) in enumerate(zip((*dst, *src), instruction.family.operands, strict=True)):
        step, high = (dst_step, dst_half) if i < ROWS else (src_step, src_half)
        # with one repeat the start is shifted by the stride (spec 01 section 3.10)
        start = tensor.address + (step * BLOCK_BYTES if repeats == 1 else 0)
        per = BLOCK_BYTES // dtype.size
        if narrow:
            start, per = start + 16 * high, 16
        walk = Walk(start, BLOCK_BYTES, step * BLOCK_BYTES, dtype.bits)
        lanes = uniform_lanes(per, repeats, (1 << per) - 1)
        place = (tensor.address, tensor.nbytes, tensor.root.address)
        accesses.append(Access(operand, Space.UB, dtype, *place, walk, lanes, cover_of_lanes(walk, lanes)))
    width = ROWS * (16 if narrow else BLOCK_BYTES // dtype.size)
    issue = Issue(
        instruction,
        Form.REPEATS,
        Pipe.V,
        tuple(accesses),
        uniform_lanes(width, repeats, (1 << width) - 1),
        mask=run.machine.mask,
        control=run.machine.control,
    )
    kernel = make_kernel(instruction, types, run.product.arch, run.machine.control, {})
    return vector_program(instruction.name, [issue], [kernel], call.violations, run.machine)
