"""The scalar unit's own accesses: GetValue and SetValue. They are not ordered with the vector or copy pipes."""

from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from ascend_sim.api.context import current_run, user_frame
from ascend_sim.api.numbers import number, whole
from ascend_sim.api.program import Program
from ascend_sim.checks.bounds import check as check_bounds
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.memory import UnifiedBuffer
from ascend_sim.machine.walk import Lanes, Walk, cover_of_lanes, uniform_lanes
from isa.dtypes import ElementType, bfloat16_t, half
from isa.families import DST, SRC, Form, Operand, Pipe
from isa.model import Instruction
from isa.numerics.formats import from_host, to_host
from isa.products import BLOCK_BYTES
from isa.scalar import GET_VALUE, SET_VALUE


class HalfScalar:
    """A half or bfloat16_t in the scalar unit, which cannot compute with it. `float(x)` converts it."""

    __slots__ = ("_dtype", "_value")

    def __init__(self, value: float, dtype: ElementType) -> None:
        self._value = value
        self._dtype = dtype

    def __float__(self) -> float:
        return self._value

    def __repr__(self) -> str:
        return f"{self._dtype}({self._value!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HalfScalar) and (self._dtype, self._value) == (other._dtype, other._value)

    def __hash__(self) -> int:
        return hash((self._dtype.name, self._value))

    def _refuse(self, *_: object) -> NoReturn:
        violation = Violation(
            code="scalar-half",
            message=f"arithmetic or comparison on a {self._dtype} scalar, which the scalar unit does not have",
            hint="Convert it first: float(x).",
        )
        run = current_run()
        run.reporter.refuse(violation, f"{self._dtype} scalar", user_frame())

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _refuse
    __neg__ = __pos__ = __abs__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse


def scalar_value(code: Any, dtype: ElementType) -> Any:
    """An element as the scalar unit has it: an int, a float32, or something that must be converted first."""
    value = to_host(code, dtype)[0]
    if dtype in (half, bfloat16_t):
        return HalfScalar(float(value), dtype)
    return int(value) if dtype.is_integer else value


def get_value(
    ub: UnifiedBuffer, dtype: ElementType, place: "tuple[int, int, int]", index: int, frame: FrameType
) -> Any:
    """Read element `index` of a tensor; place: its address, bytes and the start of what it is a slice of."""
    index = _index("GetValue", index)
    program = _program(GET_VALUE, SRC, ub, dtype, place, index)
    current_run().play(program, frame)
    at = program.issues[0].accesses[0].walk.base
    raw = np.zeros(dtype.size, np.uint8) if program.is_blocked else ub.data[at : at + dtype.size]
    return scalar_value(raw >> index % 2 * 4 & 15 if dtype.is_nibble else raw.copy().view(dtype.carrier), dtype)


def set_value(
    ub: UnifiedBuffer, dtype: ElementType, place: "tuple[int, int, int]", index: int, value: Any, frame: FrameType
) -> None:
    """Write element `index` of a tensor."""
    number(value, "SetValue: value")
    code = from_host([float(value) if isinstance(value, HalfScalar) else value], dtype)
    index = _index("SetValue", index)
    program = _program(SET_VALUE, DST, ub, dtype, place, index)
    current_run().play(program, frame, (code,))


def _program(
    instruction: Instruction,
    operand: Operand,
    ub: UnifiedBuffer,
    dtype: ElementType,
    place: "tuple[int, int, int]",
    index: int,
) -> Program:
    """The program of an access, kept for the next one to the same element."""
    run = current_run()
    key = (instruction, ub, dtype, place, index)
    program = run.programs.get(key)
    if program is None:
        access = _access(operand, dtype, place, index)
        issue = Issue(instruction, Form.CALL, Pipe.S, (access,), control=run.machine.control)
        program = Program(instruction.name, [issue], list(check_bounds(issue, ub.size)))
        if operand.is_written and not program.is_blocked:
            program.step = _store_at(ub, dtype, access.walk.base, index)
        run.remember(key, program)
    return program


def _store_at(ub: UnifiedBuffer, dtype: ElementType, at: int, index: int) -> Callable[[Any], None]:
    def store(code: Any) -> None:
        if dtype.is_nibble:
            keep, shift = (0x0F, 4) if index % 2 else (0xF0, 0)
            ub.data[at] = ub.data[at] & keep | code[0] << shift
        else:
            ub.data[at : at + dtype.size] = np.ascontiguousarray(code).view(np.uint8)

    return store


def _index(call: str, index: Any) -> int:
    """An index of the scalar unit, which counts from 0 and has 32 bits."""
    found = whole(index, f"{call}: index")
    if not 0 <= found < _INDEX_LIMIT:
        raise IndexError(f"{call}: index {found} is outside 0..{_INDEX_LIMIT - 1}; elements are counted from 0")
    return found


_INDEX_LIMIT = 1 << 31
_ONE: Lanes = uniform_lanes(1, 1, 1)
_PAIR: Lanes = uniform_lanes(2, 1, 0b11)


def _access(operand: Operand, dtype: ElementType, place: "tuple[int, int, int]", index: int) -> Access:
    address, nbytes, origin = place
    walk = Walk(address + index * dtype.bits // 8, BLOCK_BYTES, 0, dtype.bits)
    lanes = _PAIR if dtype.is_nibble else _ONE
    cover = cover_of_lanes(walk, lanes)
    skipped = walk.base - address
    return Access(operand, Space.UB, dtype, walk.base, nbytes - skipped, origin, walk, lanes, cover)
