"""A call, made ready to run: its issues, what it breaks, and one function that executes it on one core.

Programs are cached, so everything that is the same each time is decided here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ascend_sim.api.lower import Lowered
from ascend_sim.checks import alignment, bounds, overlap, ranges
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.core import Core
from ascend_sim.machine.execute import Step, bind, quiet
from ascend_sim.machine.issue import Issue, Space
from ascend_sim.machine.memory import UnifiedBuffer
from ascend_sim.machine.registers import Control, Mask
from ascend_sim.machine.transfer import bind_transfer

NEVER = -1

Check = Callable[[Issue, UnifiedBuffer], Iterable[Violation]]


class Program:
    """version: the buffer version for which the program's reads were found clean (NEVER: check each time).

    step: executes; takes the run-time values of the call. mask, control: what the registers hold afterwards (None: as
    before). violations: what the call breaks whatever the data. operands: AscendC's names, in the order of the tensors.
    """

    __slots__ = (
        "control",
        "issues",
        "mask",
        "operands",
        "reads_gm",
        "room",
        "scalar",
        "step",
        "unit",
        "value_checks",
        "version",
        "violations",
    )

    def __init__(self, issues: Sequence[Issue], violations: Sequence[Violation], operands: Sequence[str]) -> None:
        self.issues = tuple(issues)
        self.violations = tuple(violations)
        self.operands = tuple(operands)
        self.version = NEVER
        self.step: Step = _nothing
        self.mask: Mask | None = None
        self.control: Control | None = None
        self.scalar: Callable[[Any], Any] | None = None
        self.value_checks: tuple[Check, ...] = ()
        self.unit = 1  # GM operand: its start is a multiple of this many bytes,
        self.room = 0  # and this many bytes from it are touched
        self.reads_gm = False

    @property
    def is_blocked(self) -> bool:
        """Executing would leave memory: under "record" the instruction does nothing."""
        return any(v.blocks for v in self.violations)


def _nothing(*_: Any) -> None:
    """Execution of a program that writes registers only, or that must not touch memory."""


def static_violations(issues: Sequence[Issue], core: Core) -> list[Violation]:
    """What the issues break whatever the data."""
    product = core.product
    found: list[Violation] = []
    for issue in issues:
        found += alignment.check(issue)
        found += ranges.check(issue, product)
        found += bounds.check(issue, core.ub.size)
        found += overlap.check(issue)
    return found


def vector_program(lowered: Lowered, extra: Sequence[Violation], core: Core) -> Program:
    """The program of a vector instruction: its register writes happen with it, its lanes are bound to the buffer."""
    issues = lowered.issues
    operands = [a.operand.name for i in issues[-1:] for a in i.accesses] or [
        a.operand.name for i in issues for a in i.accesses
    ]
    program = Program(issues, [*extra, *static_violations(issues, core)], dict.fromkeys(operands))
    program.mask, program.control = lowered.mask, lowered.control
    steps = [_bind(issue, core) for issue in issues if issue.lanes is not None]
    if steps and not program.is_blocked:
        program.step = quiet(steps[0] if len(steps) == 1 else _sequence(steps))
    return program


def _bind(issue: Issue, core: Core) -> Step:
    lanes = issue.instruction.lanes
    assert lanes is not None
    kernel = lanes(tuple(a.dtype for a in issue.accesses), issue.control.rules(core.product), **issue.arguments)
    return bind(issue, kernel, core.ub)


def _sequence(steps: Sequence[Step]) -> Step:
    def run(*values: Any) -> None:
        for step in steps:
            step(*values)

    return run


def transfer_program(issue: Issue, extra: Sequence[Violation], core: Core) -> Program:
    """The program of a copy. Its GM side is checked when it runs, because only then its address is known."""
    violations = [*extra, *alignment.check(issue), *bounds.check_bursts(issue, core.ub.size)]
    program = Program([issue], violations, [a.operand.name for a in issue.accesses])
    bursts = issue.bursts
    assert bursts is not None
    remote = [a for a in issue.accesses if a.space is Space.GM]
    if remote and not bursts.is_empty:
        (access,) = remote
        program.unit = access.dtype.size
        program.room = (bursts.count - 1) * access.walk.repeat_stride + bursts.length
        program.reads_gm = access.operand.is_read
    if not bursts.is_empty and not program.is_blocked:
        program.step = bind_transfer(issue, core.ub)
    return program


NO_GM = (np.empty(0, np.uint8), 0)
"""The run-time values of a copy that stays inside the Unified Buffer."""
