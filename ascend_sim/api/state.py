"""Writes of hidden vector state: mask register, mask mode, dequantisation scale (spec 01 section 2.7)."""

import sys
from types import FrameType

import attrs

import isa
from ascend_sim.api.bind import documentation
from ascend_sim.api.context import current_run
from ascend_sim.api.program import NEVER, Program
from ascend_sim.api.run import CoreRun
from ascend_sim.api.support import find_row
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.registers import ALL_LANES, COUNT_BITS, WORD, Control, Mask, contiguous_mask
from isa.dtypes import ElementType, element_type, half
from isa.families import Form, Pipe
from isa.model import Instruction
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
    if mask_low is not None:
        mask = Mask(_word(run, "mask_high", mask_high, WORD, frame), _word(run, "mask_low", mask_low, WORD, frame))
    elif mode is MaskMode.COUNTER:
        mask = Mask(0, _word(run, "length", mask_high, COUNT_BITS, frame))
    else:
        lanes = min(2048 // element.bits, 128)
        mask = contiguous_mask(_length(run, mask_high, lanes, frame), element.bits)
    _write(run, isa.SET_VECTOR_MASK, frame, mask=mask)
    run.note_setter("mask", frame)


def ResetMask() -> None:
    run, frame = _begin(isa.RESET_MASK)
    _write(run, isa.RESET_MASK, frame, mask=ALL_LANES)
    run.note_setter("mask", frame)


def SetMaskCount() -> None:
    run, frame = _begin(isa.SET_MASK_COUNT)
    _write(run, isa.SET_MASK_COUNT, frame, control=attrs.evolve(run.machine.control, mode=MaskMode.COUNTER))
    run.note_setter("mode", frame)


def SetMaskNorm() -> None:
    run, frame = _begin(isa.SET_MASK_NORM)
    _write(run, isa.SET_MASK_NORM, frame, control=attrs.evolve(run.machine.control, mode=MaskMode.NORMAL))
    run.note_setter("mode", frame)


def SetDeqScale(scale: float) -> None:
    run, frame = _begin(isa.SET_DEQ_SCALE)
    rounded = float(half(float(scale)))  # the register holds a half
    _write(run, isa.SET_DEQ_SCALE, frame, control=attrs.evolve(run.machine.control, deq_scale=rounded))


for _function, _instruction in (
    (SetVectorMask, isa.SET_VECTOR_MASK),
    (ResetMask, isa.RESET_MASK),
    (SetMaskCount, isa.SET_MASK_COUNT),
    (SetMaskNorm, isa.SET_MASK_NORM),
    (SetDeqScale, isa.SET_DEQ_SCALE),
):
    _function.__doc__ = documentation(_instruction)


def _begin(instruction: Instruction) -> tuple[CoreRun, FrameType]:
    run = current_run()
    frame = sys._getframe(2)  # noqa: SLF001  (the only way to a caller's line)
    if run.product not in instruction.types.products():
        problem = find_row(instruction, run.product, ())
        assert isinstance(problem, Violation)
        run.reporter.refuse(problem, instruction.name, frame)
    return run, frame


def _write(
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
    if not hasattr(value, "__index__"):
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
