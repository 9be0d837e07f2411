"""One call as the user wrote it: which form, which mask, which strides; everything that is out of range is noted.

Values are kept as the hardware field would hold them (spec 01 sections 2.2 and 3), so that a run that only records
findings continues as the hardware does.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from ascend_sim.api.numbers import is_index
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.geometry import lane_types
from ascend_sim.machine.registers import WORD
from isa.dtypes import ElementType
from isa.families import ArgumentKind, Family, Form, Shape
from isa.model import Instruction, TypeRow, Types
from isa.params import FieldError, RoundMode, limits, required, values_of
from isa.products import MAX_REPEAT, Arch, Product

COUNT_LIMIT = (1 << 31) - 1  # count is an int32_t
REPEAT_BITS = 0xFF


@attrs.define
class Call:
    """A parsed call; it knows the types of its operands, not where they are, so calls alike share it.

    mask: int (contiguous) or words (bitwise), None when is_set_mask is False or in the count form; strides: block
    strides of the operands in order, then their repeat strides, in blocks; violations: what the arguments break.
    """

    instruction: Instruction
    product: Product
    types: Types
    row: TypeRow
    form: Form
    arguments: dict[str, Any]
    is_set_mask: bool = True
    count: int = 0
    mask: "int | tuple[int, ...] | None" = None
    repeat: int = 1
    strides: tuple[int, ...] = ()
    violations: list[Violation] = attrs.Factory(list)

    @property
    def lane_types(self) -> Types:
        """Types of the operands that have an element for each lane."""
        family = self.instruction.family
        return self.types if family.shape is Shape.LANES else lane_types(family, self.types, self.arguments)

    @property
    def width(self) -> int:
        """Lanes in a repeat: the widest operand decides (spec 01 section 1.2)."""
        return min(2048 // self.widest.bits, self.instruction.family.max_lanes)

    @property
    def widest(self) -> ElementType:
        """The operand type that decides the lanes of a repeat."""
        return max(self.lane_types, key=lambda t: t.bits)

    @property
    def narrowest_bits(self) -> int:
        """Width of the type that the library hands to SetMask (spec 01 section 2.2)."""
        return min(t.bits for t in self.lane_types)

    @property
    def reads_own_mask(self) -> bool:
        """On 310B the bitwise form reads its argument whatever isSetMask says, and leaves the register alone."""
        return self.row.round_modes is not None or self.instruction.family.own_mask

    @property
    def reads_mask_count(self) -> bool:
        """On 310B the contiguous form of Copy with is_set_mask=False takes the last length of SetVectorMask as its
        number of elements and ignores mask and repeat_time (spec 01 sections 2.8 and 3.4).
        """
        return (
            self.instruction.family.counts_per_repeat
            and self.product.mask_placeholder_is_mask
            and self.form is Form.CONTIGUOUS
            and not self.is_set_mask
        )

    def report(self, code: str, message: str, hint: str, **place: Any) -> None:
        """Note a broken rule of the call itself."""
        self.violations.append(Violation(code=code, message=message, hint=hint, **place))


class PrototypeError(TypeError):
    """The arguments fit no prototype of the instruction."""


WRITTEN: "dict[Instruction, Callable[..., Any] | str]" = {}
"""Instructions whose family does not tell their parameters: the function that was written for them, or its prototype.
"""


def prototypes(instruction: Instruction) -> list[str]:
    """The prototypes in Python spelling, for messages and pages."""
    written = WRITTEN.get(instruction)
    if written is not None:
        return [written if isinstance(written, str) else instruction.name + _parameters_of(written)]
    family = instruction.family
    arguments = [a for a in family.arguments if a.name not in instruction.fixed]
    head = [o.name for o in family.operands]
    head += [a.name for a in arguments if not a.trailing and not a.keyword]
    tail = [a.name for a in arguments if a.trailing]
    options = ["is_set_mask=True"] if family.takes_is_set_mask else []
    template = [a.name for a in arguments if a.keyword]
    strides = ["repeat_params"] if family.params else []
    if family.params and family.loose_params:
        strides = list(limits(family.params))
    shown = []
    if instruction.has_form(Form.COUNT):
        counted = ["is_set_mask=True"] if family.count_takes_is_set_mask else []
        shown.append(", ".join([*head, "count", *counted, *template]))
    if instruction.has_form(Form.CONTIGUOUS):
        form = ["repeat_time", "mask"] if family.repeat_first else ["mask", "repeat_time"]
        shown.append(", ".join([*head, *form, *strides, *tail, *options, *template]))
    if instruction.has_form(Form.REPEATS):
        times = [] if family.once else ["repeat_time"]
        shown.append(", ".join([*head, *times, *strides, *tail]))
    if instruction.has_form(Form.BURSTS):
        shown.append(", ".join([*head, "repeat_params"]))
    return [f"{instruction.name}({text})" for text in shown]


def _parameters_of(function: Callable[..., Any]) -> str:
    """The parameters of a function, without their types."""
    found = inspect.signature(function)
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in found.parameters.values()]
    return str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def refuse(instruction: Instruction, problem: str) -> PrototypeError:
    """A TypeError that shows the prototypes."""
    return PrototypeError(f"{instruction.name}: {problem}; write {' or '.join(prototypes(instruction))}")


def form_of(instruction: Instruction, mask: object, tiled: Sequence[object], count: object) -> Form:
    """Which prototype was called: `mask` is the argument after the operands, `tiled` what only tiled forms have."""
    if Form.REPEATS in instruction.family.forms:
        return Form.REPEATS
    if count is not None:
        if mask is not None or any(t is not None for t in tiled):
            raise refuse(instruction, "count stands alone: mask, repeat_time and strides belong to the tiled forms")
        return Form.COUNT
    if all(t is None for t in tiled):
        if mask is None:
            raise refuse(instruction, "neither a count nor a mask is given")
        if not is_index(mask):
            raise refuse(instruction, "a bitwise mask needs repeat_time and strides")
        return Form.COUNT
    if mask is None or is_index(mask):
        return Form.CONTIGUOUS
    return Form.BITWISE


def parse_count(call: Call, count: object) -> None:
    """The count form: an int32_t that is not negative."""
    if not is_index(count):
        raise refuse(call.instruction, f"count must be an integer, not {count!r}")
    call.count = int(count.__index__())
    if not 0 <= call.count <= COUNT_LIMIT:
        call.report(
            "count-range",
            f"count={call.count} is outside 0..{COUNT_LIMIT}",
            "count is an int32_t: a negative one moves nothing here and is undefined on hardware.",
        )
        call.count = 0


def parse_tiled(call: Call, mask: object, repeat: object, strides: object, *, counts: bool) -> None:
    """The tiled forms: mask, repeat count, strides. `counts`: the core is in counter mode, repeat_time is ignored."""
    if call.form is not Form.REPEATS:
        _parse_mask(call, mask, counts=counts)
    if not is_index(repeat):
        raise refuse(call.instruction, f"repeat_time must be an integer, not {repeat!r}")
    call.repeat = int(repeat.__index__())
    if call.instruction.family.any_repeat:
        call.repeat = max(call.repeat, 0)
    elif (not counts or call.form is Form.REPEATS) and not 0 <= call.repeat <= MAX_REPEAT:
        wrapped = call.repeat & REPEAT_BITS
        call.report(
            "repeat-range",
            f"repeat_time={call.repeat} is outside 0..{MAX_REPEAT}: the field has 8 bits and would hold {wrapped}",
            f"Split the call into parts of at most {MAX_REPEAT} repeats, or use the count form.",
        )
        call.repeat = wrapped
    if call.instruction.family.params is not None:
        call.strides = parse_struct(call, strides)


def _parse_mask(call: Call, mask: object, *, counts: bool) -> None:
    # 310B reads the argument whatever is_set_mask says: in contiguous forms, and in the bitwise form of some
    reads_anyway = call.product.mask_placeholder_is_mask and (call.form is Form.CONTIGUOUS or call.reads_own_mask)
    if not call.is_set_mask and (call.reads_mask_count or not reads_anyway):
        return
    if call.form is Form.CONTIGUOUS:
        if mask is None:
            mask = 0 if not call.is_set_mask else None
        if mask is None or not is_index(mask):
            raise refuse(call.instruction, f"mask must be a number of lanes or two 64-bit words, not {mask!r}")
        call.mask = _contiguous(call, int(mask.__index__()), counts=counts)
        return
    if not isinstance(mask, Sequence):
        raise refuse(call.instruction, f"mask must be a number of lanes or two 64-bit words, not {mask!r}")
    call.mask = _words(call, mask)


def max_lanes(call: Call) -> int:
    """Lanes that a contiguous mask can name: the register has 128 bits; 950 needs no register (spec 01 section 2.3)."""
    return call.width if call.product.arch is Arch.A3510 else min(call.width, 128)


def _contiguous(call: Call, mask: int, *, counts: bool) -> int:
    high = (1 << 32) - 1 if counts else max_lanes(call)
    if not 0 <= mask <= high:
        call.report(
            "mask-range",
            f"mask={mask} is outside 1..{high}: a repeat of {call.widest} has {call.width} lanes"
            if not counts
            else f"mask={mask} is outside 0..{high}: in counter mode it is a number of elements",
            f"Use mask={high} for all lanes; more elements need more repeats.",
        )
    return max(mask, 0)


def _words(call: Call, words: Sequence[object]) -> tuple[int, ...]:
    wanted = 4 if call.product.arch is Arch.A3510 and call.width == 256 else 2
    if len(words) != wanted:
        raise refuse(call.instruction, f"a bitwise mask has {wanted} words here, not {len(words)}")
    for word in words:
        if not is_index(word):
            raise refuse(call.instruction, f"a bitwise mask has integers as words, not {word!r}")
    values = tuple(int(w) for w in words)  # type: ignore[call-overload]  # looked at above
    for i, word in enumerate(values):
        if not 0 <= word <= WORD:
            call.report(
                "mask-range",
                f"mask[{i}]={word} does not fit in 64 bits",
                "mask[0] holds lanes 0..63, mask[1] lanes 64..127.",
            )
    return tuple(w & WORD for w in values)


def parse_struct(call: Call, given: object) -> tuple[int, ...]:
    """Fields of a parameter struct, of a tuple in its order, or of loose stride arguments; wrapped to their width."""
    params = call.instruction.family.params
    assert params is not None
    fields = limits(params)
    if isinstance(given, params):
        return values_of(given)
    if not isinstance(given, tuple):
        raise refuse(call.instruction, f"the strides are a {params.__name__} or a tuple in its order, not {given!r}")
    if not required(params) <= len(given) <= len(fields):
        raise refuse(call.instruction, f"{params.__name__} has {len(fields)} fields, the tuple {len(given)}")
    loose = call.instruction.family.loose_params
    values = list(values_of(params()))
    for i, ((name, limit), value) in enumerate(zip(fields.items(), given, strict=False)):
        if value is None:
            continue
        if not is_index(value):
            raise refuse(call.instruction, f"{name} must be an integer, not {value!r}")
        number = int(value.__index__())
        if not limit.holds(number):
            call.report(
                "stride-range" if loose else "field-range",
                f"{name}={number} is outside {limit.low}..{limit.high}: the field has {limit.width} bits and would "
                f"hold {number & ((1 << limit.width) - 1)}",
                "Strides count 32-byte blocks." if "stride" in name else "Split the copy.",
            )
            number &= (1 << limit.width) - 1
        values[i] = number
    return tuple(values)


def parse_arguments(family: Family, instruction: Instruction, given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments that the lane function is made with; scalars are known only when the call runs."""
    made: dict[str, Any] = {}
    for argument in family.arguments:
        value = given.get(argument.name, argument.default)
        if argument.kind is ArgumentKind.ROUND_MODE:
            if not isinstance(value, RoundMode):
                raise refuse(instruction, f"{argument.name} must be a RoundMode, not {value!r}")
            made[argument.name] = value
        elif argument.kind is ArgumentKind.FLAG:
            made[argument.name] = bool(value)
        elif argument.kind is ArgumentKind.CHOICE and argument.name not in instruction.fixed:
            if not isinstance(value, argument.choices):
                raise refuse(instruction, f"{argument.name} must be a {argument.choices.__name__}, not {value!r}")
            made[argument.name] = value
        elif argument.kind is ArgumentKind.NUMBER:
            if not is_index(value):
                raise refuse(instruction, f"{argument.name} must be an integer, not {value!r}")
            made[argument.name] = number = int(value.__index__())
            if not -(1 << 31) <= number < 1 << 32:
                raise FieldError(f"{instruction.name}: {argument.name}={number} does not fit in 32 bits")
    return made | dict(instruction.fixed)
