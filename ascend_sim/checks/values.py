"""Which checks of an instruction need the values in memory."""

from collections.abc import Callable, Iterable

from ascend_sim.checks import accumulation
from ascend_sim.checks.tables import gather_checks, scatter_checks
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.memory import UnifiedBuffer
from isa.families import Shape
from isa.model import Instruction, Timing

_SUMS = frozenset({Timing.REDUCE_SUM, Timing.REDUCE_EXTREMUM, Timing.REDUCE_BLOCK})
Check = Callable[[Issue, UnifiedBuffer], Iterable[Violation]]


def value_checks(instruction: Instruction) -> tuple[Check, ...]:
    """The checks that run before each execution."""
    match instruction.family.shape:
        case Shape.GATHER:
            return (gather_checks,)
        case Shape.SCATTER:
            return (scatter_checks,)
        case Shape.REPEATS if instruction.timing in _SUMS:
            return (accumulation.check,)
        case _:
            return ()
