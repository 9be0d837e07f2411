"""Bits that a comparison packed, read as one number for each element: the usual way to misuse a mask."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.footprint import bytes_of
from ascend_sim.machine.issue import Issue, Space
from isa.families import Shape
from isa.model import Timing

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BITWISE = frozenset({Timing.LOGIC, Timing.SHIFT, Timing.COPY, Timing.MOVE, Timing.FILL})
_COMPARES = frozenset({Timing.COMPARE, Timing.COMPARE_SCALAR})


class PackedFlags:
    """Which bytes of the Unified Buffer hold packed bits. One for each block run."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._packed: NDArray[np.bool_] | None = None
        self.is_tracking = False

    def executed(self, issue: Issue) -> None:
        """Note what an issue writes."""
        compares = issue.instruction.timing in _COMPARES
        if self._packed is None:
            if not compares:
                return
            self._packed = np.zeros(self._size, np.bool_)
            self.is_tracking = True
        for access in issue.writes:
            if access.space is Space.UB:
                self._packed[bytes_of(access)] = compares

    def written(self, start: int, stop: int) -> None:
        """The host wrote these bytes."""
        if self._packed is not None:
            self._packed[start:stop] = False

    def check(self, issue: Issue) -> Iterator[Violation]:
        """A warning for each operand of an arithmetic instruction or a conversion that reads such bytes."""
        instruction = issue.instruction
        if self._packed is None or instruction.family.shape is not Shape.LANES or instruction.timing in _BITWISE:
            return
        for access in issue.reads:
            if access.space is not Space.UB or not self._packed[access.cover.low : access.cover.high].any():
                continue
            where = bytes_of(access)
            packed = where[self._packed[where]]
            if packed.size:
                yield Violation(
                    code="packed-mask-read",
                    message=f"reads {packed.size} bytes from UB address 0x{packed[0]:04X} on as elements of "
                    f"{access.dtype}, and a comparison packed them: each bit there is the answer for one element",
                    hint="Give them to Select as its sel_mask; it makes one element of each bit.",
                    operand=access.operand.name,
                    address=int(packed[0]),
                )
