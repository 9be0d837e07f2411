"""The control register: SetCtrlSpr and its kin, SetSaturationFlag. C++ template arguments come first."""

import sys
from types import FrameType

import attrs

from ascend_sim.api.calls.bind import written
from ascend_sim.api.context import current_run
from ascend_sim.api.control.masks import refuse_elsewhere, write_register
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.violation import Violation
from isa.control import (
    FLAG_MODES,
    GET_CTRL_SPR,
    GET_SATURATION_FLAG,
    RESET_CTRL_SPR,
    SET_CTRL_SPR,
    SET_SATURATION_FLAG,
    WRITABLE_BITS,
    SaturationFlagMode,
)
from isa.model import Instruction


def SetCtrlSpr(start_bit: int, end_bit: int, value: int) -> None:
    run, frame = _begin(SET_CTRL_SPR)
    _check_bits(run, SET_CTRL_SPR, start_bit, end_bit, frame, written=True)
    _write(run, SET_CTRL_SPR, start_bit, end_bit, value, frame)


def GetCtrlSpr(start_bit: int, end_bit: int) -> int:
    run, frame = _begin(GET_CTRL_SPR)
    _check_bits(run, GET_CTRL_SPR, start_bit, end_bit, frame, written=False)
    return run.ctrl >> start_bit & _ones(start_bit, end_bit)


def ResetCtrlSpr(start_bit: int, end_bit: int) -> None:
    run, frame = _begin(RESET_CTRL_SPR)
    _check_bits(run, RESET_CTRL_SPR, start_bit, end_bit, frame, written=True)
    _write(run, RESET_CTRL_SPR, start_bit, end_bit, run.machine.reset_control.ctrl >> start_bit, frame)


def SetSaturationFlag(mode: SaturationFlagMode, enable_sat: bool) -> None:
    run, frame = _begin(SET_SATURATION_FLAG)
    bit, on = _flag(run, SET_SATURATION_FLAG, mode, frame)
    _write(run, SET_SATURATION_FLAG, bit, bit, on if enable_sat else 1 - on, frame)


def GetSaturationFlag(mode: SaturationFlagMode) -> bool:
    run, frame = _begin(GET_SATURATION_FLAG)
    bit, on = _flag(run, GET_SATURATION_FLAG, mode, frame)
    return (run.ctrl >> bit & 1) == on


for _function, _instruction in (
    (SetCtrlSpr, SET_CTRL_SPR),
    (GetCtrlSpr, GET_CTRL_SPR),
    (ResetCtrlSpr, RESET_CTRL_SPR),
    (SetSaturationFlag, SET_SATURATION_FLAG),
    (GetSaturationFlag, GET_SATURATION_FLAG),
):
    written(_function, _instruction)


def _begin(instruction: Instruction) -> tuple[CoreRun, FrameType]:
    run, frame = current_run(), sys._getframe(2)
    refuse_elsewhere(run, instruction, frame)
    return run, frame


def _ones(start: int, end: int) -> int:
    return (1 << (end - start + 1)) - 1


def _check_bits(
    run: CoreRun, instruction: Instruction, start: int, end: int, frame: FrameType, *, written: bool
) -> None:
    if not 0 <= start <= end <= 63:
        _refuse(run, instruction, f"bits {start}..{end} are no range inside 0..63", "Give the lower bit first.", frame)
    legal = WRITABLE_BITS.get(run.product.arch, frozenset())
    other = [bit for bit in range(start, end + 1) if bit not in legal]
    if written and other:
        shown = ", ".join(map(str, sorted(legal)))
        _refuse(run, instruction, f"bit {other[0]} of the control register is not writable on {run.product.id}",
                f"Writable there: {shown}.", frame)  # fmt: skip


def _flag(run: CoreRun, instruction: Instruction, mode: SaturationFlagMode, frame: FrameType) -> tuple[int, int]:
    if not isinstance(mode, SaturationFlagMode):
        raise TypeError(f"{instruction.name} takes a SaturationFlagMode first, not {mode!r}")
    legal = FLAG_MODES.get(run.product.arch, frozenset())
    if mode not in legal:
        shown = ", ".join(sorted(m.name for m in legal))
        _refuse(
            run, instruction, f"{mode.name} is not documented for {run.product.id}", f"Modes there: {shown}.", frame
        )
    return mode.value


def _refuse(run: CoreRun, instruction: Instruction, message: str, hint: str, frame: FrameType) -> None:
    run.reporter.refuse(Violation(code="unsupported-form", message=message, hint=hint), instruction.name, frame)


def _write(run: CoreRun, instruction: Instruction, start: int, end: int, value: int, frame: FrameType) -> None:
    field = _ones(start, end) << start
    ctrl = run.ctrl & ~field | (int(value) << start & field)
    write_register(run, instruction, frame, control=attrs.evolve(run.machine.control, ctrl=ctrl))
