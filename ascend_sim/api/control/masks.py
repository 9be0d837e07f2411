"""Writes of hidden vector state: mask register, mask mode, dequantisation scale (spec 01 section 2.7)."""

import sys
from collections.abc import Sequence
from types import FrameType

import attrs
import numpy as np

import isa
from ascend_sim.api.calls.bind import written
from ascend_sim.api.calls.support import find_row
from ascend_sim.api.context import current_run
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.numbers import is_index, number, whole
from ascend_sim.api.program import NEVER, Program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.registers import ALL_LANES, COUNT_BITS, WORD, Control, Mask, contiguous_mask
from isa.dtypes import ElementType, element_type, half
from isa.families import Form, Pipe
from isa.model import Instruction
from isa.numerics.dequant import stored_offset, stored_scale
from isa.params import MaskMode

MASK_PLACEHOLDER = 0
"""Stands for the mask in calls with is_set_mask=False."""


def SetVectorMask(
    mask_high: int,
    mask_low: int | None = None,
    *,
    dtype: ElementType = half,
    mode: MaskMode = MaskMode.NORMAL,
) -> None:
    run, frame = _begin(isa.SET_VECTOR_MASK)
    element = element_type(dtype)
    count: int | None = None
    if mask_low is not None:
        mask = Mask(_word(run, "mask_high", mask_high, WORD, frame), _word(run, "mask_low", mask_low, WORD, frame))
    elif mode is MaskMode.COUNTER:
        mask = Mask(0, _word(run, "length", mask_high, COUNT_BITS, frame))
    else:
        lanes = min(2048 // element.bits, 128)
        count = _length(run, mask_high, lanes, frame)
        mask = contiguous_mask(count, element.bits)
    if mode is MaskMode.COUNTER:
        count = mask.count
    write_register(run, isa.SET_VECTOR_MASK, frame, mask=mask, control=_with_count(run, count))
    run.note_setter("mask", frame)


def ResetMask() -> None:
    run, frame = _begin(isa.RESET_MASK)
    write_register(run, isa.RESET_MASK, frame, mask=ALL_LANES, control=_with_count(run, 0))
    run.note_setter("mask", frame)


def SetMaskCount() -> None:
    run, frame = _begin(isa.SET_MASK_COUNT)
    write_register(run, isa.SET_MASK_COUNT, frame, control=attrs.evolve(run.machine.control, mode=MaskMode.COUNTER))
    run.note_setter("mode", frame)


def SetMaskNorm() -> None:
    run, frame = _begin(isa.SET_MASK_NORM)
    write_register(run, isa.SET_MASK_NORM, frame, control=attrs.evolve(run.machine.control, mode=MaskMode.NORMAL))
    run.note_setter("mode", frame)


@attrs.frozen
class VdeqInfo:
    """Sixteen scales, offsets and sign modes, one for each lane of a block."""

    vdeq_scale: Sequence[float]
    vdeq_offset: Sequence[int]
    vdeq_sign_mode: Sequence[bool]

    def entries(self) -> tuple[tuple[float, int, bool], ...]:
        """As the registers hold them."""
        columns = zip(self.vdeq_scale, self.vdeq_offset, self.vdeq_sign_mode, strict=True)
        return tuple((stored_scale(s), stored_offset(o), bool(m)) for s, o, m in columns)


def SetDeqScale(
    scale: "float | LocalTensor", offset: "int | VdeqInfo | None" = None, sign_mode: bool | None = None
) -> None:
    run, frame = _begin(isa.SET_DEQ_SCALE)
    if isinstance(scale, LocalTensor):
        if not isinstance(offset, (VdeqInfo, tuple)):
            raise TypeError(f"SetDeqScale: with a tensor, the second argument is a VdeqInfo, not {offset!r}")
        info = offset if isinstance(offset, VdeqInfo) else VdeqInfo(*offset)  # a tuple in its order
        _store_entries(run, scale, info.entries(), frame)
        write_register(run, isa.SET_DEQ_SCALE, frame, control=attrs.evolve(run.machine.control, deq=info.entries()))
        return
    if offset is not None:
        assert not isinstance(offset, VdeqInfo)
        number(scale, "SetDeqScale: scale")
        entry = (stored_scale(float(scale)), stored_offset(whole(offset, "SetDeqScale: offset")), bool(sign_mode))
        write_register(run, isa.SET_DEQ_SCALE, frame, control=attrs.evolve(run.machine.control, deq=(entry,)))
        return
    with np.errstate(over="ignore"):
        rounded = float(half(float(number(scale, "SetDeqScale: scale"))))  # the register holds a half
    write_register(run, isa.SET_DEQ_SCALE, frame, control=attrs.evolve(run.machine.control, deq_scale=rounded))


for _function, _instruction in (
    (SetVectorMask, isa.SET_VECTOR_MASK),
    (ResetMask, isa.RESET_MASK),
    (SetMaskCount, isa.SET_MASK_COUNT),
    (SetMaskNorm, isa.SET_MASK_NORM),
    (SetDeqScale, isa.SET_DEQ_SCALE),
):
    written(_function, _instruction)


def _store_entries(
    run: CoreRun, table: LocalTensor, entries: tuple[tuple[float, int, bool], ...], frame: FrameType
) -> None:
    """The scalar unit fills the tensor: bits 31..0 the scale, 45..37 the offset, 46 the sign mode of an entry."""
    codes = [
        int(np.array([scale], np.float32).view(np.uint32)[0]) | (offset & 0x1FF) << 37 | int(signed) << 46
        for scale, offset, signed in entries
    ]
    raw = np.array(codes, np.uint64).view(np.uint8)
    if raw.size > table.nbytes:
        run.reporter.refuse(
            Violation(
                code="out-of-bounds-write",
                message=f"{len(entries)} entries of 8 bytes do not fit in a tensor of {table.nbytes} bytes",
                hint=f"Make the tensor {raw.size} bytes long.",
                operand="scale",
                address=table.address + table.nbytes,
                writes=True,
            ),
            "SetDeqScale",
            frame,
        )
    run.ub.data[table.address : table.address + raw.size] = raw
    run.ub.mark(table.address, table.address + raw.size)


def _with_count(run: CoreRun, count: int | None) -> Control | None:
    """On 310B the library also keeps the length (spec 01 section 2.7). None: two words in normal mode say none."""
    control = run.machine.control
    if count is None or count == control.mask_count or not run.product.mask_placeholder_is_mask:
        return None
    return attrs.evolve(control, mask_count=count)


def _begin(instruction: Instruction) -> tuple[CoreRun, FrameType]:
    run = current_run()
    frame = sys._getframe(2)
    refuse_elsewhere(run, instruction, frame)
    return run, frame


def refuse_elsewhere(run: CoreRun, instruction: Instruction, frame: FrameType) -> None:
    """Raise `unsupported-api` when the product does not have the instruction."""
    if run.product not in instruction.types.products():
        problem = find_row(instruction, run.product, ())
        assert isinstance(problem, Violation)
        run.reporter.refuse(problem, instruction.name, frame)


def write_register(
    run: CoreRun,
    instruction: Instruction,
    frame: FrameType,
    *,
    mask: Mask | None = None,
    control: Control | None = None,
) -> None:
    """Execute a register write: one issue on the scalar pipe."""
    issue = Issue(instruction, Form.CALL, Pipe.S, mask=mask, control=control or run.machine.control)
    program = Program(instruction.name, [issue], ())
    program.mask, program.control, program.version = mask, control, NEVER
    run.play(program, frame)


def _word(run: CoreRun, name: str, value: int, high: int, frame: FrameType) -> int:
    return _in_range(run, name, value, high, frame) & high


def _length(run: CoreRun, value: int, lanes: int, frame: FrameType) -> int:
    return max(_in_range(run, "length", value, lanes, frame), 0)


def _in_range(run: CoreRun, name: str, value: int, high: int, frame: FrameType) -> int:
    if not is_index(value):
        raise TypeError(f"SetVectorMask: {name} must be an integer, not {value!r}")
    number = int(value.__index__())
    if not 0 <= number <= high:
        violation = Violation(
            code="mask-range",
            message=f"{name}={number} is outside 0..{high}",
            hint="Words are (high, low): lanes 64..127 first. A length counts lanes, or elements in MaskMode.COUNTER.",
        )
        run.reporter.report([violation], "SetVectorMask", (), frame)
    return number
