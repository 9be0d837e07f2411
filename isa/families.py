"""Operand shapes shared by many instructions: who reads, who writes, which forms and which strides.

Prototypes, checks, messages and standard tests come from here, so an instruction cannot forget them.
Family numbers are those of spec 02 section 2.
"""

from typing import TYPE_CHECKING, Any

import attrs

from isa.choice import Choice
from isa.params import BinaryRepeatParams, DataCopyExtParams, DataCopyParams, DuplicateStrides, UnaryRepeatParams

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from isa.patterns import Pattern


class Form(Choice):
    """The prototypes of an instruction."""

    COUNT = "first n elements"
    CONTIGUOUS = "mask as a number of lanes"
    BITWISE = "mask as bits, one for each lane"
    REPEATS = "a number of repeats, no mask"
    BURSTS = "bursts of a parameter struct"
    CALL = "plain call"


class Role(Choice):
    """What an instruction does to an operand."""

    WRITTEN = "written"
    READ = "read"
    BOTH = "read and written"


class ArgumentKind(Choice):
    """What stands between the tensors and the form in a prototype."""

    SCALAR = "a number, converted to the source's element type; known only when the call runs"
    ROUND_MODE = "a RoundMode"
    FLAG = "a bool"
    CHOICE = "a member of an enum"
    NUMBER = "an integer that is known when the call is made"
    VALUE = "an argument of a plain call"


class Shape(Choice):
    """How the machine executes it."""

    LANES = "repeats of lanes under a mask"
    REPEATS = "repeats whose operands touch different elements: one result a repeat, packed bits, tiles"
    GATHER = "elements or blocks whose source addresses stand in memory"
    SCATTER = "elements whose destination addresses stand in memory"
    INTERPOLATE = "gathered blocks times weights, added up"
    MERGE = "sorted lists into one"
    COMPRESS = "the elements that a pattern picks, side by side"
    BURSTS = "bursts of bytes, no mask"
    REGISTER = "a write of hidden state"


class Pipe(Choice):
    """The queue that executes an instruction; the order of the members is the order of the msprof lanes."""

    S = "scalar"
    V = "vector"
    MTE2 = "copies into the Unified Buffer"
    MTE3 = "copies out of the Unified Buffer"
    ALL = "every pipe, in a barrier"


@attrs.frozen
class Operand:
    """One tensor operand; `name` is AscendC's parameter name.

    pattern: which of its elements a repeat touches, where these are not the active lanes; a function of the arguments
    where it depends on them.
    """

    name: str
    role: Role
    pattern: "Pattern | Callable[[Mapping[str, Any]], Pattern] | None" = None
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
    """One argument that is not a tensor. A `trailing` one follows the form and is optional (roundEn of ShiftRight); a
    `keyword` one is a template argument. choices: the enum of a CHOICE, a Limit of a NUMBER.
    """

    name: str
    kind: ArgumentKind
    trailing: bool = False
    default: object = None
    keyword: bool = False
    choices: Any = None


TILED = frozenset({Form.CONTIGUOUS, Form.BITWISE})
ALL_FORMS = TILED | {Form.COUNT}
COUNT_ALONE = frozenset({Form.COUNT})
REPEATS_ALONE = frozenset({Form.REPEATS})


class CountRule(Choice):
    """How the count form becomes machine instructions on the products without register loops (spec 01 section 2.10)."""

    PRODUCT = "as the product does it for elementwise instructions"
    WHOLE_REPEATS = "unmasked instructions of at most 252 repeats; what is less than a repeat is dropped"
    TILED = "one instruction of whole repeats, their number kept in 8 bits, and one for the tail"
    AT_ONCE = "one instruction over all elements, no mask"


@attrs.frozen(eq=False)
class Family:
    """A family of instructions.

    params: stride struct of the tiled forms; its first fields are the block strides of the operands in order, the next
    ones their repeat strides. loose_params: the tiled forms take the fields as plain arguments, not as a struct.
    count_takes_is_set_mask: the count form has the isSetMask template argument (spec 02 section 4).
    either_side: the scalar may also stand before the tensor (950's flexible scalar position).
    repeat_first: the repeat count stands before the mask (BlockReduceSum and other old names).
    takes_is_set_mask: the tiled forms have the isSetMask template argument.
    needs_mask: the lane function gets the active lanes after the sources. ignores_mask: the mask argument has no
    effect on products whose masks live in the register (Compare on A2). own_mask: on 310B the bitwise form reads its
    argument whatever isSetMask says and leaves the register alone. stores_count: on 950 the bitwise form stores its
    words in counter mode too (spec 01 section 2.9). resets_mask: A2 sets the mask to all ones first (Brcb, Gatherb).
    special: the lane function gets the special registers after the sources. stores_contiguous: on 950 the contiguous
    form stores its mask in the register (Gather).
    max_lanes: of a repeat. any_repeat: the repeat count is not a hardware field. counts_per_repeat: in
    counter mode the register holds the elements of each repeat (Copy).
    once: the prototype has no repeat count: one repeat. knows_address: the lane function also gets, by the name
    `address`, where its first source starts (Select with sel_mask, which leaves it in the compare register).
    in_place: dst may start where a source does, because a result lands on bytes that are consumed.
    disjoint: dst and source may not share memory at all (spec 01 section 5.2).
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
    repeat_first: bool = False
    takes_is_set_mask: bool = True
    count_rule: CountRule = CountRule.PRODUCT
    needs_mask: bool = False
    ignores_mask: bool = False
    own_mask: bool = False
    stores_count: bool = False
    resets_mask: bool = False
    special: bool = False
    stores_contiguous: bool = False
    max_lanes: int = 256
    any_repeat: bool = False
    counts_per_repeat: bool = False
    once: bool = False
    knows_address: bool = False
    in_place: bool = False
    disjoint: bool = False
    has_scalar: bool = attrs.field(init=False)

    @has_scalar.default
    def _takes_a_scalar(self) -> bool:
        return any(a.kind is ArgumentKind.SCALAR for a in self.arguments)

    def __repr__(self) -> str:
        return f"<family {self.name}>"

    def repeats_before_mask(self) -> "Family":
        """The same family in the argument order of its old names."""
        return attrs.evolve(self, repeat_first=True)


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
MOVE_PAD = Family(  # F13
    "padded move", Shape.BURSTS, (DST, SRC), forms=frozenset({Form.BURSTS}), params=DataCopyExtParams
)
STATE = Family("state", Shape.REGISTER, forms=frozenset({Form.CALL}))  # F14
SCALAR_ACCESS = Family("scalar access", Shape.REGISTER, (SRC,), forms=frozenset({Form.CALL}))
