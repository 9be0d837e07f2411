"""The pipes of one running core: who waits for whom, and copies that happen as late as they may.

Vector and scalar instructions take effect in program order. With dma="late" a copy takes effect when a wait on a later
flag of its pipe, a barrier or the end demands it, in order within its pipe; with dma="eager" at once.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import attrs

import isa
from ascend_sim.api.program import Program, barrier_issue
from ascend_sim.checks.race import race, vector_race
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.ordering import MTE2, MTE3, NUMBER, Clock, Flag, Ordering
from ascend_sim.machine.registers import Control
from ascend_sim.machine.vector_order import VectorOrder
from ascend_sim.machine.work import GmRange, Work
from isa.families import Form, Pipe
from isa.products import Arch, Product
from isa.sync import HardEvent

# architectures whose vector pipe starts an instruction before the one before it has finished (DESIGN: auto_sync)
_OVERLAPPING = frozenset({Arch.C100, Arch.M200, Arch.C220})


@attrs.frozen
class _Waiting:
    pipe: int
    span: int
    effect: Callable[[], None]


Flags = dict[tuple[HardEvent, int], Flag]


def orders_vector(product: Product, *, auto_sync: bool) -> bool:
    """Dependent vector instructions need a barrier between them: one that is inserted, or one that a race asks for."""
    return product.arch in _OVERLAPPING and (auto_sync or product.arch is Arch.C220)


class Pipes:
    """Order and delay for one block.

    auto_sync: barriers between dependent vector instructions are inserted. left: flags that an earlier launch left set.
    """

    def __init__(self, order: VectorOrder, *, auto_sync: bool, late: bool, left: Flags) -> None:
        self.auto_sync = auto_sync
        self.late = late
        self.ordering = Ordering(order, keeps_spans=late)
        self.ordering.flags.update(left)
        self._left = left
        self._waiting: list[_Waiting] = []

    # Copies.

    def races(self, program: Program, gm: GmRange | None = None, unordered: Work | None = None) -> Iterator[Violation]:
        """What the program races with, as violations. unordered: vector work that it depends on, with no barrier."""
        if unordered is not None:
            yield vector_race(unordered, self.ordering.place_of(unordered), program)
        for found in self.ordering.races(program.pipe, program, gm, gm_written=not program.reads_gm):
            yield race(found)

    def postpone(self, program: Program, values: tuple[Any, ...]) -> None:
        """The effect of a copy comes later. Vector and scalar work cannot wait: its effect comes now."""
        if program.pipe in (MTE2, MTE3):
            effect = partial(program.step, *values)
            self._waiting.append(_Waiting(program.pipe, self.ordering.span_of(program.pipe), effect))
        else:
            program.step(*values)

    def _take_effect(self, is_due: Callable[[_Waiting], bool]) -> None:
        due = [w for w in self._waiting if is_due(w)]
        self._waiting = [w for w in self._waiting if not is_due(w)]
        for waiting in due:
            waiting.effect()

    # Flags and barriers.

    def release(self, clock: Clock) -> None:
        """Copies take effect that somebody knows to be done: those before span `clock[pipe]` of their pipe."""
        self._take_effect(lambda w: w.span < clock[w.pipe])

    def barrier(self, pipe: Pipe) -> None:
        """Everything before it on the pipe (on all of them) is done."""
        if pipe is Pipe.ALL:
            if self.late:
                self._take_effect(lambda _: True)
            self.ordering.barrier_all()
        elif pipe is Pipe.V:
            self.ordering.vector_barrier()
        else:
            number = NUMBER[pipe]
            self._take_effect(lambda w: w.pipe == number)

    def finish(self) -> list[tuple[HardEvent, int, Flag]]:
        """The block ends: copies that still wait take effect; flags that the user set and nobody waited for remain."""
        self._take_effect(lambda _: True)
        flags = self.ordering.flags.items()
        return [(*key, flag) for key, flag in flags if not flag[2] and self._left.get(key) is not flag]

    def flags_left(self) -> Flags:
        """The user's flags that are set, as the next launch finds them: they say nothing about its own work."""
        return {key: ([0] * len(flag[0]), flag[1], False) for key, flag in self.ordering.flags.items() if not flag[2]}

    def free_number(self, event: HardEvent, limit: int) -> int | None:
        """The lowest event number that is not set, for flags that queues set by themselves."""
        flags = self.ordering.flags
        for number in range(limit):
            if (event, number) not in flags:
                return number
        return None


def barrier_program(pipe: Pipe, control: Control) -> Program:
    """The program of a PipeBarrier that the user wrote."""
    return Program("PipeBarrier", [barrier_issue(pipe, control, automatic=False)], ())


def flag_program(instruction: isa.Instruction, event: HardEvent, number: int, control: Control) -> Program:
    """The program of SetFlag (on the source pipe) or WaitFlag (on the target pipe)."""
    pipe = event.source if instruction is isa.sync.SET_FLAG else event.target
    arguments = {"event": event, "event_id": number}
    return Program(instruction.name, [Issue(instruction, Form.CALL, pipe, arguments=arguments, control=control)], ())
