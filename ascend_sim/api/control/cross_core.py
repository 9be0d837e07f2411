"""Synchronisation between the blocks of a launch: SyncAll, and flags between cores."""

import sys
from collections.abc import Callable
from types import FrameType

from ascend_sim.api.context import current_run
from ascend_sim.api.numbers import whole
from ascend_sim.api.program import Program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.api.running.tasks import CURRENT
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.site import site_at
from isa.cross_core import CROSS_CORE_SET_FLAG, CROSS_CORE_WAIT_FLAG, SYNC_ALL
from isa.families import Form, Pipe
from isa.model import Instruction

MAX_FLAG = 10  # flag ids 0..10 are the user's


def SyncAll() -> None:
    """Every block of the launch waits until all of them have come here; all pipes finish first."""
    run, frame = current_run(), sys._getframe(1)
    _note(run, SYNC_ALL, {}, frame)
    run.pipes.barrier(Pipe.ALL)
    meeting, block = run.meeting, run.block
    arrivals = meeting.arrivals
    arrivals[block].append(meeting.release(block))
    round_ = len(arrivals[block])
    run.waits_at, run.waits_in = "SyncAll", site_at(frame.f_code, frame.f_lasti)
    _wait(run, lambda: min(map(len, arrivals)) >= round_, frame)
    meeting.learn(block, [clocks[round_ - 1] for clocks in arrivals])


def CrossCoreSetFlag(flag_id: int, *, mode: int = 0, pipe: Pipe = Pipe.MTE3) -> None:
    """Say that this block has come here on `pipe`. mode 0: between the vector cores of a launch, the one modelled."""
    run, frame = current_run(), sys._getframe(1)
    _check(run, CROSS_CORE_SET_FLAG, flag_id, mode, frame)
    run.pipes.barrier(pipe)
    run.meeting.sets.setdefault((flag_id, run.block), []).append(run.meeting.release(run.block))
    _note(run, CROSS_CORE_SET_FLAG, {"flag_id": flag_id}, frame)


def CrossCoreWaitFlag(flag_id: int, *, mode: int = 0) -> None:
    """Wait until every block of the launch has set this flag as often as this one has waited for it."""
    run, frame = current_run(), sys._getframe(1)
    _check(run, CROSS_CORE_WAIT_FLAG, flag_id, mode, frame)
    meeting, block = run.meeting, run.block
    wanted = meeting.waited.get((block, flag_id), 0) + 1
    run.waits_at, run.waits_in = f"CrossCoreWaitFlag({flag_id})", site_at(frame.f_code, frame.f_lasti)
    _note(run, CROSS_CORE_WAIT_FLAG, {"flag_id": flag_id}, frame)
    _wait(run, lambda: meeting.is_set(flag_id, wanted), frame)
    meeting.waited[block, flag_id] = wanted
    meeting.learn(block, [meeting.sets[flag_id, other][wanted - 1] for other in range(run.blocks)])


def _wait(run: CoreRun, condition: Callable[[], bool], frame: FrameType) -> None:
    task = CURRENT.get(None)
    if task is not None:
        task.wait_until(condition)
    elif not condition():
        run.reporter.refuse(never(run.waits_at), "SyncAll", frame)


def never(waits_at: str) -> Violation:
    """The finding for a block that waits for others which will not come."""
    return Violation(
        code="deadlock",
        message=f"the block waits at {waits_at}, and no block that it waits for can run on",
        hint="Every block of the launch must come to each SyncAll, and set each flag that another one waits for.",
    )


def _check(run: CoreRun, instruction: Instruction, flag_id: int, mode: int, frame: FrameType) -> None:
    whole(flag_id, f"{instruction.name}: flag_id")
    if mode != 0:
        run.reporter.refuse(
            Violation(
                code="unsupported-form",
                message=f"mode {mode} synchronises with cube cores or inside a group, which is not modelled",
                hint="Mode 0 synchronises the vector cores of the launch.",
            ),
            instruction.name,
            frame,
        )
    if not 0 <= flag_id <= MAX_FLAG:
        violation = Violation(
            code="field-range", message=f"flag id {flag_id} is outside 0..{MAX_FLAG}", hint="Use a smaller id."
        )
        run.reporter.report([violation], instruction.name, (), frame)


def _note(run: CoreRun, instruction: Instruction, arguments: dict[str, int], frame: FrameType) -> None:
    issue = Issue(instruction, Form.CALL, Pipe.S, arguments=arguments, control=run.machine.control)
    run.note(Program(instruction.name, [issue], ()), frame)
