"""A call, made ready to run: its issues, what it breaks, and one function that executes it on one core.

Programs are cached, so everything that is the same each time is decided here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import isa
from ascend_sim.checks import alignment, bounds, gm, overlap, ranges
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.compress import bind_compress
from ascend_sim.machine.core import Core
from ascend_sim.machine.execute import Step, bind, quiet
from ascend_sim.machine.footprint import NOWHERE, Footprint
from ascend_sim.machine.indexed import bind_gather, bind_scatter
from ascend_sim.machine.interpolate import bind_interpolation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.memory import ByteState, UnifiedBuffer
from ascend_sim.machine.merge import bind_merge
from ascend_sim.machine.ordering import NUMBER
from ascend_sim.machine.registers import Control, Mask
from ascend_sim.machine.repeats import bind_repeats
from ascend_sim.machine.transfer import Transfer, bind_transfer
from isa.families import Form, Pipe, Shape
from isa.model import Instruction, Types
from isa.numerics.rules import Kernel
from isa.products import Arch

NEVER = -1
NO_PIPE = -1

Check = Callable[[Issue, UnifiedBuffer], Iterable[Violation]]


class Program:
    """version: the buffer version for which the program's reads were found clean (NEVER: check each time).

    step: executes; takes the run-time values of the call. mask, control: what the registers hold afterwards (None: as
    before). pipe: number of the pipe whose work it is. violations: what the call breaks whatever the data. is_blocked:
    executing would leave memory, so that the instruction does nothing under "record".
    """

    __slots__ = (
        "_fenced",
        "_footprint",
        "control",
        "is_blocked",
        "issues",
        "marks",
        "mask",
        "name",
        "pipe",
        "reads_gm",
        "room",
        "scalar",
        "step",
        "unit",
        "value_checks",
        "version",
        "violations",
    )

    def __init__(self, name: str, issues: Sequence[Issue], violations: Sequence[Violation]) -> None:
        self.name = name
        self.issues = tuple(issues)
        self.violations = tuple(violations)
        self.is_blocked = bool(violations) and any(v.blocks for v in violations)
        self.version = NEVER
        self.step: Step = _nothing
        self.mask: Mask | None = None
        self.control: Control | None = None
        self.scalar: Callable[[Any], Any] | None = None
        self.value_checks: tuple[Check, ...] = ()
        self.unit = 1  # GM operand: its start is a multiple of this many bytes,
        self.room = 0  # and this many bytes from it are touched
        self.reads_gm = False
        self.marks: tuple[tuple[int, int, ByteState], ...] = ()  # of a padded copy: states of the bytes afterwards
        self._footprint: Footprint | None = None
        self._fenced: Fenced | None = None
        touching = [i for i in self.issues if i.accesses]
        self.pipe = NUMBER[touching[0].pipe] if touching else NO_PIPE

    # Many programs are never asked for these. (A __getattr__ would slow down every other attribute.)

    @property
    def footprint(self) -> Footprint:
        """The stretches of the buffer that it touches."""
        if self._footprint is None:
            self._footprint = NOWHERE if self.is_blocked else Footprint.of(self.issues)
        return self._footprint

    @property
    def fenced(self) -> "Fenced":
        """Itself behind a barrier, for the trace."""
        if self._fenced is None:
            self._fenced = Fenced(self)
        return self._fenced


class Fenced:
    """A vector program and the barrier that was inserted before it: one record of the trace."""

    def __init__(self, program: Program) -> None:
        self.issues = (barrier_issue(Pipe.V, program.issues[0].control, automatic=True), *program.issues)
        self.is_blocked = program.is_blocked


def barrier_issue(pipe: Pipe, control: Control, *, automatic: bool) -> Issue:
    """The issue of a PipeBarrier: written by the user, or inserted before a dependent vector instruction."""
    where = Pipe.S if pipe is Pipe.ALL else pipe
    return Issue(
        isa.sync.PIPE_BARRIER,
        Form.CALL,
        where,
        arguments={"pipe": pipe, "automatic": automatic},
        control=control,
    )


def _nothing(*_: Any) -> None:
    """Execution of a program that writes registers only, or that must not touch memory."""


def vector_program(
    name: str, issues: Sequence[Issue], kernels: Sequence[Kernel | None], extra: Sequence[Violation], core: Core
) -> Program:
    """The program of a vector instruction: its register writes happen with it, its lanes are bound to the buffer.

    extra: violations of the call itself; those of its issues are added.
    """
    violations = list(extra)
    steps: list[Step] = []
    for issue in issues:
        if issue.accesses:
            violations += alignment.check(issue)
            violations += ranges.check(issue, core.product)
            outside = list(bounds.check(issue, core.ub.size))
            violations += outside
            if not (outside and any(v.blocks for v in outside)):  # a runaway count would make this a very long look
                violations += overlap.check(issue)
    program = Program(name, issues, violations)
    if not program.is_blocked:
        steps = [execution(i, k, core) for i, k in zip(issues, kernels, strict=True) if k is not None]
        if steps:
            program.step = quiet(steps[0] if len(steps) == 1 else _sequence(steps))
    return program


def execution(issue: Issue, kernel: Kernel, core: Core) -> Step:
    """The function that executes a vector instruction: the family says which kind."""
    shape = issue.instruction.family.shape
    if shape is Shape.LANES:
        return bind(issue, kernel, core.ub)
    move = _MOVES.get(shape)
    return bind_repeats(issue, kernel, core) if move is None else move(issue, core)


_MOVES: dict[Shape, Callable[[Issue, Core], Step]] = {
    Shape.GATHER: bind_gather,
    Shape.SCATTER: bind_scatter,
    Shape.INTERPOLATE: bind_interpolation,
    Shape.MERGE: bind_merge,
    Shape.COMPRESS: bind_compress,
}


def make_kernel(
    instruction: Instruction, types: Types, arch: Arch, control: Control, arguments: Mapping[str, Any]
) -> Kernel:
    """The lane function of an instruction, resolved for these types and control bits."""
    if instruction.lanes is None:
        return _nothing  # a move: its executor needs no lane function
    return instruction.lanes(types, control.rules(arch), **arguments)


def _sequence(steps: Sequence[Step]) -> Step:
    def run(*values: Any) -> None:
        for step in steps:
            step(*values)

    return run


def transfer_program(
    issue: Issue,
    extra: Sequence[Violation],
    core: Core,
    bind: Callable[[], Transfer] | None = None,
    *,
    any_start: bool = False,
) -> Program:
    """The program of a copy. Its GM side is checked when it runs, because only then its address is known.

    bind: makes the effect; left out, a plain copy, under the atomic mode of the core. any_start: in GM it may start at
    any byte, not only at a whole element.
    """
    violations = [*extra, *alignment.check(issue), *bounds.check_bursts(issue, core.ub.size)]
    if issue.pipe is Pipe.MTE3:
        violations += gm.whole_elements(issue, core.atomic)
    program = Program(issue.name, [issue], violations)
    bursts = issue.bursts
    assert bursts is not None
    access = issue.remote
    if access is not None:
        program.unit = 1 if any_start or bursts.is_empty else access.dtype.size
        program.room = access.cover.high
        program.reads_gm = access.operand.is_read
    if not bursts.is_empty and not program.is_blocked:
        program.step = bind() if bind is not None else bind_transfer(issue, core.ub, core.atomic)
    return program


NO_GM = (memoryview(bytearray()), 0)
"""The run-time values of a copy that stays inside the Unified Buffer."""
