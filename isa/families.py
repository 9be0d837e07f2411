"""Operand shapes shared by many instructions: who reads, who writes, which forms and which strides.

Prototypes, checks, messages and standard tests come from here, so an instruction cannot forget them.
Family numbers are those of spec 02 section 2.
"""

import enum

import attrs

from isa.params import BinaryRepeatParams, DataCopyParams, DuplicateStrides, UnaryRepeatParams


class Form(enum.Enum):
    """The prototypes of an instruction."""

    COUNT = "first n elements"
    CONTIGUOUS = "mask as a number of lanes"
    BITWISE = "mask as bits, one for each lane"
    BURSTS = "bursts of a parameter struct"
    CALL = "plain call"

    __hash__ = object.__hash__


class Role(enum.Enum):
    """What an instruction does to an operand."""

    WRITTEN = "written"
    READ = "read"
    BOTH = "read and written"

    __hash__ = object.__hash__


class ArgumentKind(enum.Enum):
    """What stands between the tensors and the form in a prototype."""

    SCALAR = "a number, converted to the source's element type; known only when the call runs"
    ROUND_MODE = "a RoundMode"
    FLAG = "a bool"
    VALUE = "an argument of a plain call"

    __hash__ = object.__hash__


class Shape(enum.Enum):
    """How the machine executes it."""

    LANES = "repeats of lanes under a mask"
    BURSTS = "bursts of bytes, no mask"
    REGISTER = "a write of hidden state"

    __hash__ = object.__hash__


class Pipe(enum.Enum):
    """The queue that executes an instruction; the order of the members is the order of the msprof lanes."""

    S = "scalar"
    V = "vector"
    MTE2 = "copies into the Unified Buffer"
    MTE3 = "copies out of the Unified Buffer"

    __hash__ = object.__hash__


@attrs.frozen
class Operand:
    """One tensor operand; `name` is AscendC's parameter name."""

    name: str
    role: Role
    is_read: bool = attrs.field(init=False)
    is_written: bool = attrs.field(init=False)

    @is_read.default
    def _reads(self) -> bool:
        return self.role is not Role.WRITTEN

    @is_written.default
    def _writes(self) -> bool:
        return self.role is not Role.READ


@attrs.frozen
class Argument:
    """One argument that is not a tensor. A `trailing` one follows the form and is optional (roundEn of ShiftRight)."""

    name: str
    kind: ArgumentKind
    trailing: bool = False
    default: object = None


TILED = frozenset({Form.CONTIGUOUS, Form.BITWISE})
ALL_FORMS = TILED | {Form.COUNT}
COUNT_ALONE = frozenset({Form.COUNT})


@attrs.frozen(eq=False)
class Family:
    """A family of instructions.

    params: stride struct of the tiled forms; its first fields are the block strides of the operands in order, the next
    ones their repeat strides. loose_params: the tiled forms take the fields as plain arguments, not as a struct.
    count_takes_is_set_mask: the count form has the isSetMask template argument (spec 02 section 4).
    either_side: the scalar may also stand before the tensor (950's flexible scalar position).
    """

    name: str
    shape: Shape
    operands: tuple[Operand, ...] = ()
    arguments: tuple[Argument, ...] = ()
    forms: frozenset[Form] = ALL_FORMS
    params: type | None = None
    loose_params: bool = False
    count_takes_is_set_mask: bool = False
    either_side: bool = False

    def __repr__(self) -> str:
        return f"<family {self.name}>"

    @property
    def has_scalar(self) -> bool:
        return any(a.kind is ArgumentKind.SCALAR for a in self.arguments)


DST = Operand("dst", Role.WRITTEN)
DST_BOTH = Operand("dst", Role.BOTH)
SRC = Operand("src", Role.READ)
SRC0 = Operand("src0", Role.READ)
SRC1 = Operand("src1", Role.READ)
SCALAR = Argument("scalar_value", ArgumentKind.SCALAR)
ROUND_MODE = Argument("round_mode", ArgumentKind.ROUND_MODE)

UNARY = Family("unary", Shape.LANES, (DST, SRC), params=UnaryRepeatParams)  # F1
BINARY = Family("binary", Shape.LANES, (DST, SRC0, SRC1), params=BinaryRepeatParams)  # F2
TERNARY = Family("ternary", Shape.LANES, (DST_BOTH, SRC0, SRC1), params=BinaryRepeatParams)  # F3
TWO_RESULTS = Family(  # F2, Mull
    "two results",
    Shape.LANES,
    (Operand("dst0", Role.WRITTEN), Operand("dst1", Role.WRITTEN), SRC0, SRC1),
    forms=COUNT_ALONE,
)
VECTOR_SCALAR = Family(  # F4
    "vector-scalar", Shape.LANES, (DST, SRC), (SCALAR,), params=UnaryRepeatParams, count_takes_is_set_mask=True
)
ACCUMULATE_SCALAR = Family("accumulate", Shape.LANES, (DST_BOTH, SRC), (SCALAR,), params=UnaryRepeatParams)  # F3, Axpy
EITHER_SCALAR = attrs.evolve(VECTOR_SCALAR, name="vector-scalar, either side", either_side=True)  # F4 on 950
SHIFT_RIGHT = attrs.evolve(
    VECTOR_SCALAR,
    name="shift right",
    arguments=(SCALAR, Argument("round_en", ArgumentKind.FLAG, trailing=True, default=False)),
)
CONVERT = Family("conversion", Shape.LANES, (DST, SRC), (ROUND_MODE,), params=UnaryRepeatParams)  # F5
CONVERT_TWO = Family("two-operand conversion", Shape.LANES, (DST, SRC0, SRC1), params=BinaryRepeatParams)  # F5
FILL = Family("fill", Shape.LANES, (DST,), (SCALAR,), params=DuplicateStrides, loose_params=True)  # F8
MOVE = Family(  # F13
    "move", Shape.BURSTS, (DST, SRC), forms=frozenset({Form.COUNT, Form.BURSTS}), params=DataCopyParams
)
STATE = Family("state", Shape.REGISTER, forms=frozenset({Form.CALL}))  # F14
