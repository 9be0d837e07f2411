"""SetFlag, WaitFlag, PipeBarrier: what orders one pipe after another, and a pipe after itself."""

import sys
from types import FrameType
from typing import NoReturn

from ascend_sim.api.calls.bind import written
from ascend_sim.api.context import RUNNING, current_run
from ascend_sim.api.numbers import whole
from ascend_sim.api.program import Program
from ascend_sim.api.running.pipes import barrier_program, flag_program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.site import Site, site_at
from isa.families import Pipe
from isa.model import Instruction
from isa.products import Arch, Product
from isa.sync import PIPE_BARRIER, SET_FLAG, WAIT_FLAG, HardEvent

PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3, PIPE_ALL = Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3, Pipe.ALL
EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 = range(8)


def event_limit(product: Product) -> int:
    """Event ids of each direction: 8, and 4 on the first generation."""
    return 4 if product.arch is Arch.C100 else 8


def SetFlag(event: HardEvent, event_id: int) -> None:
    run = RUNNING.get(None) or current_run()
    set_flag(run, event, event_id, sys._getframe(1))


def WaitFlag(event: HardEvent, event_id: int) -> None:
    run = RUNNING.get(None) or current_run()
    wait_flag(run, event, event_id, sys._getframe(1))


def PipeBarrier(pipe: Pipe) -> None:
    run = RUNNING.get(None) or current_run()
    frame = sys._getframe(1)
    program = run.programs.get((PIPE_BARRIER, pipe)) if pipe.__class__ is Pipe else None
    program = program or _make_barrier(run, pipe, frame)
    run.pipes.barrier(pipe)
    run.record((program, frame.f_code, frame.f_lasti, ()))


for _function, _instruction in ((SetFlag, SET_FLAG), (WaitFlag, WAIT_FLAG), (PipeBarrier, PIPE_BARRIER)):
    written(_function, _instruction)


def set_flag(run: CoreRun, event: HardEvent, number: int, frame: FrameType, *, by_queue: bool = False) -> None:
    """Set a flag, of the user or of a queue, and record it. A flag that is set already stays as it was."""
    key = (SET_FLAG, event, number)
    program = run.programs.get(key) if event.__class__ is HardEvent else None
    if program is None or number.__class__ is not int:
        program = _make(run, key, frame)
    ordering = run.ordering
    if run.reports_shared_source and ordering.flags:
        _report_shared_source(run, event, number, frame)
    call = (program, frame.f_code, frame.f_lasti, ())
    if not ordering.set_flag(event, number, call, by_queue=by_queue):
        _report_duplicate(run, event, number, frame)
    run.record(call)


def wait_flag(run: CoreRun, event: HardEvent, number: int, frame: FrameType) -> None:
    """Wait for a flag and record it; one that nothing has set is a deadlock at once."""
    key = (WAIT_FLAG, event, number)
    program = run.programs.get(key) if event.__class__ is HardEvent else None
    if program is None or number.__class__ is not int:
        program = _make(run, key, frame)
    clock = run.ordering.wait_flag(event, number)
    if clock is None:
        _refuse_deadlock(run, event, number, frame)
    if run.is_late:
        run.pipes.release(clock)
    run.record((program, frame.f_code, frame.f_lasti, ()))


def _make_barrier(run: CoreRun, pipe: Pipe, frame: FrameType) -> Program:
    if not isinstance(pipe, Pipe):
        raise TypeError(f"PipeBarrier takes a pipe such as PIPE_V or PIPE_ALL, not {pipe!r}")
    if pipe is Pipe.V and run.product.arch is Arch.A3510:
        run.reporter.refuse(
            Violation(
                code="unsupported-api",
                message=f"PipeBarrier(PIPE_V) does not exist on {run.product.id}, whose vector pipe is in order",
                hint="Leave it out.",
            ),
            "PipeBarrier",
            frame,
        )
    program = barrier_program(pipe, run.machine.control)
    run.remember((PIPE_BARRIER, pipe), program)
    return program


def _refuse_deadlock(run: CoreRun, event: HardEvent, number: int, frame: FrameType) -> NoReturn:
    pending = ", ".join(f"{e.name} {n}" for e, n in run.ordering.flags)
    place = frame.f_code, frame.f_lasti
    earlier = sum(record[1:3] == place for record in run.trace.records)
    violation = Violation(
        code="deadlock",
        message=f"pipe {event.target.name} waits for flag {event.name} {number}, which nothing before it has set; this "
        f"line has waited {earlier} times before; flags that are set: {pending or 'none'}",
        hint=f"SetFlag(HardEvent.{event.name}, {number}) must come before it in program order.",
    )
    run.reporter.refuse(violation, "WaitFlag", frame)


def _report_duplicate(run: CoreRun, event: HardEvent, number: int, frame: FrameType) -> None:
    site = site_at(*run.ordering.flags[event, number][1][1:3])
    violation = Violation(
        code="event-duplicate",
        message=f"flag {event.name} {number} is set already and nothing has waited for it",
        hint="Wait for it first, or use another event id.",
        related=Site(site.file, site.line, "set first"),
    )
    run.reporter.report([violation], "SetFlag", (), frame)


def _make(run: CoreRun, key: tuple[Instruction, HardEvent, int], frame: FrameType) -> Program:
    """The program of a flag, kept when its arguments are legal."""
    instruction, event, number = key
    is_legal = _check(run, instruction, event, number, frame)
    program = flag_program(instruction, event, number, run.machine.control)
    if is_legal:
        run.remember(key, program)
    return program


def _check(run: CoreRun, instruction: Instruction, event: object, number: object, frame: FrameType) -> bool:
    if not isinstance(event, HardEvent):
        raise TypeError(f"{instruction.name} takes a HardEvent such as HardEvent.MTE2_V first, not {event!r}")
    limit = event_limit(run.product)
    is_legal = 0 <= whole(number, f"{instruction.name}: event_id, such as EVENT_ID0,") < limit
    if not is_legal:
        violation = Violation(
            code="field-range",
            message=f"event id {number} is outside 0..{limit - 1}, the ids of {run.product.id}",
            hint="Use EVENT_ID0 and up.",
        )
        run.reporter.report([violation], instruction.name, (), frame)
    return is_legal


def _report_shared_source(run: CoreRun, event: HardEvent, number: int, frame: FrameType) -> None:
    for (other, other_number), flag in run.ordering.flags.items():
        if other_number == number and other is not event and other.source is event.source:
            site = site_at(*flag[1][1:3])
            violation = Violation(
                code="event-shared-source",
                message=f"flags {other.name} {number} and {event.name} {number} are pending together and share pipe "
                f"{event.source.name}",
                hint="Use another event id.",
                related=Site(site.file, site.line, "the other one"),
            )
            run.reporter.report([violation], "SetFlag", (), frame)
