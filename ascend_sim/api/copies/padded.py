"""DataCopyPad both ways, SetPadValue, and the atomic modes of copies out."""

import operator
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from ascend_sim.api.calls.bind import written
from ascend_sim.api.calls.call import Call, parse_struct, refuse
from ascend_sim.api.calls.prepare import find_supported, recall
from ascend_sim.api.context import current_run
from ascend_sim.api.copies.plain import prototype_of
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor, Tensor
from ascend_sim.api.numbers import is_index, number
from ascend_sim.api.program import Program, transfer_program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.padding import Padding, bind_in, bind_out
from ascend_sim.machine.transfer import Combine
from ascend_sim.machine.walk import Bursts, Walk, cover_of_bursts
from isa.dtypes import ElementType, element_type
from isa.families import DST, SRC, Form, Pipe
from isa.numerics.formats import from_host
from isa.pad import (
    DATA_COPY_PAD,
    SET_ATOMIC_ADD,
    SET_ATOMIC_MAX,
    SET_ATOMIC_MIN,
    SET_ATOMIC_NONE,
    SET_PAD_VALUE,
)
from isa.params import DataCopyExtParams, DataCopyPadExtParams, DataCopyParams, values_of
from isa.products import BLOCK_BYTES

MAX_PADDING = BLOCK_BYTES  # bytes on either side


def DataCopyPad(dst: Tensor, src: Tensor, data_copy_params: Any, pad_params: Any = None) -> None:
    run, frame = current_run(), sys._getframe(1)
    machine = run.machine
    # repr: the values of a padding that compare equal may differ in their bits
    parts = (DATA_COPY_PAD, dst, src, data_copy_params, repr(pad_params), machine.pad_value, machine.atomic)
    program = recall(run, parts, lambda: _program(run, dst, src, data_copy_params, pad_params, frame))
    remote = src if isinstance(src, GlobalTensor) else dst
    assert isinstance(remote, GlobalTensor)
    run.play_copy(program, frame, remote)
    if pad_params is not None:
        is_pad, _, _, value = _pad_fields(pad_params)
        if is_pad:
            machine.pad_value = from_host([value], dst.dtype).tobytes()  # the register keeps it


def _program(run: CoreRun, dst: Tensor, src: Tensor, params: Any, pad_params: Any, frame: FrameType) -> Program:
    instruction = prototype_of(DATA_COPY_PAD, dst, src)
    row = find_supported(run, instruction, (dst.dtype, src.dtype), frame)
    call = Call(instruction, run.product, (), row, Form.BURSTS, {})
    count, length, src_stride, dst_stride, *_ = _bursts(call, params)
    if count == 0 or length == 0:
        call.report("zero-repeat", "nothing is copied: block_count or block_len is 0", "Guard the call.")
    if length % dst.dtype.size:
        call.report(
            "copy-length",
            f"block_len={length} bytes is no multiple of the {dst.dtype.size} bytes of one {dst.dtype}",
            "block_len counts bytes: multiply the number of elements by the size of one.",
        )
        length = length // dst.dtype.size * dst.dtype.size
    if isinstance(dst, LocalTensor):
        assert isinstance(src, GlobalTensor)
        padding = _padding(run, call, dst.dtype, length, pad_params)
        return move_in(
            run, call, dst, src, padding, count, padding.pitch + dst_stride * BLOCK_BYTES, length + src_stride
        )
    if pad_params is not None:
        raise refuse(instruction, "a copy out of the Unified Buffer has no padding")
    assert isinstance(src, LocalTensor)
    pitch = -(-length // BLOCK_BYTES) * BLOCK_BYTES
    return move_out(run, call, dst, src, Bursts(count, length), pitch + src_stride * BLOCK_BYTES, length + dst_stride)


written(DataCopyPad, DATA_COPY_PAD)


def _bursts(call: Call, given: Any) -> tuple[int, ...]:
    """Count, bytes and strides; DataCopyParams are taken too, with the same meaning and narrower fields."""
    if isinstance(given, DataCopyParams):
        return (*values_of(given), 0)
    if not isinstance(given, (DataCopyExtParams, tuple)):
        raise refuse(call.instruction, f"the bursts are a DataCopyExtParams or a tuple in its order, not {given!r}")
    return parse_struct(call, given)


def move_in(
    run: CoreRun,
    call: Call,
    dst: LocalTensor,
    src: GlobalTensor,
    padding: Padding,
    count: int,
    stride: int,
    gm_stride: int,
) -> Program:
    """`count` bursts into the buffer; strides in bytes, start to start."""
    walk, gm_walk = Walk(dst.address, BLOCK_BYTES, stride, 8), Walk(0, BLOCK_BYTES, gm_stride, 8)
    place, remote = Bursts(count, padding.pitch if padding.data else 0), Bursts(count, padding.data)
    origin = (dst.dtype, dst.address, dst.nbytes, dst.root.address)
    accesses = (
        Access(DST, Space.UB, *origin, walk, place, cover_of_bursts(walk, place)),
        Access(SRC, Space.GM, src.dtype, 0, 0, 0, gm_walk, remote, cover_of_bursts(gm_walk, remote)),
    )
    issue = Issue(call.instruction, call.form, Pipe.MTE2, accesses, bursts=remote, control=run.machine.control)
    program = transfer_program(
        issue,
        call.violations,
        run.machine,
        lambda: bind_in(padding, run.ub, dst.address, stride, count, gm_stride),
        any_start=True,
    )
    if not program.is_blocked:
        starts = [dst.address + burst * stride for burst in range(count)]
        program.marks = tuple((at + a, at + b, state) for at in starts for a, b, state in padding.states())
    return program


def move_out(
    run: CoreRun,
    call: Call,
    dst: GlobalTensor,
    src: LocalTensor,
    moved: Bursts,
    stride: int,
    gm_stride: int,
) -> Program:
    """Bursts out of the buffer; strides in bytes, start to start."""
    walk, gm_walk = Walk(src.address, BLOCK_BYTES, stride, 8), Walk(0, BLOCK_BYTES, gm_stride, 8)
    origin = (src.dtype, src.address, src.nbytes, src.root.address)
    accesses = (
        Access(DST, Space.GM, dst.dtype, 0, 0, 0, gm_walk, moved, cover_of_bursts(gm_walk, moved)),
        Access(SRC, Space.UB, *origin, walk, moved, cover_of_bursts(walk, moved)),
    )
    atomic = run.machine.atomic
    issue = Issue(
        call.instruction,
        call.form,
        Pipe.MTE3,
        accesses,
        bursts=moved,
        arguments={} if atomic is None else {"atomic": atomic.name},
        control=run.machine.control,
    )
    return transfer_program(
        issue,
        call.violations,
        run.machine,
        lambda: bind_out(run.ub, src.address, stride, moved.count, moved.length, gm_stride, atomic),
        any_start=True,
    )


def _padding(run: CoreRun, call: Call, dtype: ElementType, length: int, given: Any) -> Padding:
    """The filler of a burst (spec 01 section 3.3): its own value, the one set before, its first element, or nothing."""
    params = DataCopyPadExtParams() if given is None else given
    if not isinstance(params, (DataCopyPadExtParams, tuple)):
        raise refuse(call.instruction, f"the padding is a DataCopyPadExtParams or a tuple in its order, not {given!r}")
    is_pad, left, right, value = _pad_fields(params)
    number(value, "DataCopyPad: padding_value")
    for name, elements in (("left_padding", left), ("right_padding", right)):
        if not is_index(elements):
            raise refuse(call.instruction, f"{name} must be an integer, not {elements!r}")
        nbytes = operator.index(elements) * dtype.size
        if not 0 <= nbytes <= MAX_PADDING:
            call.report(
                "field-range",
                f"{name}={elements} elements of {dtype} are {nbytes} bytes, more than {MAX_PADDING}",
                "Padding on either side is at most one block.",
            )
    limit = MAX_PADDING // dtype.size
    left, right = min(max(int(left), 0), limit), min(max(int(right), 0), limit)
    fill = from_host([value], dtype).tobytes() if is_pad else run.machine.pad_value
    return Padding(left * dtype.size, length, right * dtype.size, dtype.size, fill, dummy_is_first=not (left or right))


def _pad_fields(params: "DataCopyPadExtParams | tuple[Any, ...]") -> tuple[Any, ...]:
    return values_of(params) if isinstance(params, DataCopyPadExtParams) else (*params, 0, 0, 0, 0)[:4]


def SetPadValue(padding_value: Any, *, dtype: ElementType) -> None:
    run, frame = current_run(), sys._getframe(1)
    element = element_type(dtype)
    find_supported(run, SET_PAD_VALUE, (element,), frame)
    run.machine.pad_value = from_host([padding_value], element).tobytes()
    issue = Issue(SET_PAD_VALUE, Form.CALL, Pipe.S, arguments={"value": padding_value}, control=run.machine.control)
    run.note(Program("SetPadValue", [issue], ()), frame)


written(SetPadValue, SET_PAD_VALUE)


def SetAtomicAdd(dtype: ElementType) -> None:
    """Copies out add to what GM holds, until SetAtomicNone."""
    _set_atomic(SET_ATOMIC_ADD, np.add, dtype)


def SetAtomicMax(dtype: ElementType) -> None:
    """Copies out keep the maximum of what GM holds and what comes, until SetAtomicNone."""
    _set_atomic(SET_ATOMIC_MAX, np.maximum, dtype)


def SetAtomicMin(dtype: ElementType) -> None:
    """Copies out keep the minimum of what GM holds and what comes, until SetAtomicNone."""
    _set_atomic(SET_ATOMIC_MIN, np.minimum, dtype)


def SetAtomicNone() -> None:
    """Copies out replace what GM holds."""
    _set_atomic(SET_ATOMIC_NONE, None, None)


def _set_atomic(instruction: Any, function: Callable[..., Any] | None, dtype: ElementType | None) -> None:
    run, frame = current_run(), sys._getframe(2)
    combine = None
    if function is not None and dtype is not None:
        element = element_type(dtype)
        find_supported(run, instruction, (element,), frame)
        combine = Combine(instruction.name, function, element.carrier)
    run.machine.atomic = combine
    issue = Issue(instruction, Form.CALL, Pipe.S, arguments={"dtype": dtype}, control=run.machine.control)
    run.note(Program(instruction.name, [issue], ()), frame)
