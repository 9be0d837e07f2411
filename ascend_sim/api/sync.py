"""SetFlag, WaitFlag, PipeBarrier: what orders one pipe after another, and a pipe after itself."""

import sys
from functools import lru_cache
from types import FrameType

from ascend_sim.api.bind import documentation
from ascend_sim.api.context import current_run
from ascend_sim.api.pipes import barrier_program, flag_program
from ascend_sim.api.program import Program
from ascend_sim.api.run import CoreRun
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.registers import Control
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
    run, frame = current_run(), sys._getframe(1)  # noqa: SLF001  (the only way to a caller's line)
    _check(run, SET_FLAG, event, event_id, frame)
    set_flag(run, event, event_id, frame)


def WaitFlag(event: HardEvent, event_id: int) -> None:
    run, frame = current_run(), sys._getframe(1)  # noqa: SLF001  (the only way to a caller's line)
    _check(run, WAIT_FLAG, event, event_id, frame)
    wait_flag(run, event, event_id, frame)


def PipeBarrier(pipe: Pipe) -> None:
    run, frame = current_run(), sys._getframe(1)  # noqa: SLF001  (the only way to a caller's line)
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
    run.pipes.barrier(pipe)
    run.note(_barrier(pipe, run.machine.control), frame)


for _function, _instruction in ((SetFlag, SET_FLAG), (WaitFlag, WAIT_FLAG), (PipeBarrier, PIPE_BARRIER)):
    _function.__doc__ = documentation(_instruction)


def set_flag(run: CoreRun, event: HardEvent, number: int, frame: FrameType, *, by_queue: bool = False) -> None:
    """Set a flag, of the user or of a queue, and record it. A flag that is set already stays as it was."""
    earlier = run.pipes.ordering.flags.get((event, number))
    if earlier is not None:
        site = site_at(*earlier.place)
        violation = Violation(
            code="event-duplicate",
            message=f"flag {event.name} {number} is set already and nothing has waited for it",
            hint="Wait for it first, or use another event id.",
            related=Site(site.file, site.line, "set first"),
        )
        run.reporter.report([violation], "SetFlag", (), frame)
    else:
        _check_shared_source(run, event, number, frame)
    run.pipes.set_flag(event, number, (frame.f_code, frame.f_lasti), by_queue=by_queue)
    run.note(_flag(SET_FLAG, event, number, run.machine.control), frame)


def wait_flag(run: CoreRun, event: HardEvent, number: int, frame: FrameType) -> None:
    """Wait for a flag and record it; one that nothing has set is a deadlock at once."""
    if not run.pipes.wait_flag(event, number):
        pending = ", ".join(f"{e.name} {n}" for e, n in run.pipes.ordering.flags)
        violation = Violation(
            code="deadlock",
            message=f"pipe {event.target.name} waits for flag {event.name} {number}, which nothing before it has set; "
            f"flags that are set: {pending or 'none'}",
            hint=f"SetFlag(HardEvent.{event.name}, {number}) must come before it in program order.",
        )
        run.reporter.refuse(violation, "WaitFlag", frame)
    run.note(_flag(WAIT_FLAG, event, number, run.machine.control), frame)


def _check(run: CoreRun, instruction: Instruction, event: HardEvent, number: int, frame: FrameType) -> None:
    if not isinstance(event, HardEvent):
        raise TypeError(f"{instruction.name} takes a HardEvent such as HardEvent.MTE2_V first, not {event!r}")
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"{instruction.name} takes an event id such as EVENT_ID0, not {number!r}")
    limit = event_limit(run.product)
    if not 0 <= number < limit:
        violation = Violation(
            code="field-range",
            message=f"event id {number} is outside 0..{limit - 1}, the ids of {run.product.id}",
            hint="Use EVENT_ID0 and up.",
        )
        run.reporter.report([violation], instruction.name, (), frame)


def _check_shared_source(run: CoreRun, event: HardEvent, number: int, frame: FrameType) -> None:
    for (other, other_number), flag in run.pipes.ordering.flags.items():
        if other_number == number and other is not event and other.source is event.source:
            site = site_at(*flag.place)
            violation = Violation(
                code="event-shared-source",
                message=f"flags {other.name} {number} and {event.name} {number} are pending together and share pipe "
                f"{event.source.name}",
                hint="Use another event id.",
                related=Site(site.file, site.line, "the other one"),
            )
            run.reporter.report([violation], "SetFlag", (), frame)


@lru_cache(maxsize=512)
def _flag(instruction: Instruction, event: HardEvent, number: int, control: Control) -> Program:
    return flag_program(instruction, event, number, control)


@lru_cache(maxsize=64)
def _barrier(pipe: Pipe, control: Control) -> Program:
    return barrier_program(pipe, control, automatic=False)
