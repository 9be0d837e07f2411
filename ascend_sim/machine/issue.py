"""One machine instruction, resolved: the contract between those who write kernels and those who run or check them.

An issue never depends on how it was written: every front end builds the same ones.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from ascend_sim.machine.record import record
from ascend_sim.machine.registers import Control, Mask
from ascend_sim.machine.walk import Bursts, Cover, Indexed, Lanes, Walk
from isa.choice import Choice
from isa.dtypes import ElementType
from isa.families import Form, Operand, Pipe
from isa.model import Instruction
from isa.products import BLOCK_BYTES


class Space(Choice):
    """Where an operand lives."""

    UB = "UB"
    GM = "GM"


@record(eq=False)
class Access:
    """One tensor operand of an issue: the tensor it came from and the walk over it.

    address, nbytes: where the tensor starts and how long it is; origin: where the tensor that it is a slice of starts;
    lanes: which of the walk's elements the issue touches (an elementwise instruction has the same for all operands);
    cover: the bytes that these are. An operand in GM starts at byte 0 of nowhere: its address is known when the
    issue runs. alignment: bytes that the start must be a multiple of. is_checked: False for an intermediate result,
    which an earlier issue of the same call writes.
    """

    operand: Operand
    space: Space
    dtype: ElementType
    address: int
    nbytes: int
    origin: int
    walk: Walk
    lanes: Lanes | Bursts | Indexed
    cover: Cover
    alignment: int = BLOCK_BYTES
    is_checked: bool = True


@record(eq=False)
class Issue:
    """One resolved machine instruction.

    lanes: lanes that a vector instruction computes, as the mask says; bursts: what a copy moves; both None for a
    register write.
    mask, control: the registers it runs under; of a register write, what it leaves in them. mask is None where the
    instruction neither reads nor writes the mask register.
    """

    instruction: Instruction
    form: Form
    pipe: Pipe
    accesses: tuple[Access, ...] = ()
    lanes: Lanes | None = None
    bursts: Bursts | None = None
    arguments: Mapping[str, Any] = attrs.Factory(dict)
    mask: Mask | None = None
    control: Control = Control()

    reads: tuple[Access, ...] = attrs.field(init=False)
    writes: tuple[Access, ...] = attrs.field(init=False)

    @reads.default
    def _reads(self) -> tuple[Access, ...]:
        return tuple([a for a in self.accesses if a.operand.is_read])

    @writes.default
    def _writes(self) -> tuple[Access, ...]:
        return tuple([a for a in self.accesses if a.operand.is_written])

    @property
    def name(self) -> str:
        return self.instruction.name

    @property
    def remote(self) -> Access | None:
        """The operand that lies in global memory, if one does."""
        return next((a for a in self.accesses if a.space is Space.GM), None)
