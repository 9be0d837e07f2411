"""The slow path of a call: parse and lower it (once for calls alike), place it on its tensors, make its program."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import FrameType
from typing import Any, NoReturn

import attrs

from ascend_sim.api.calls import shaped
from ascend_sim.api.calls.call import Call, form_of, parse_arguments, parse_count, parse_tiled, refuse
from ascend_sim.api.calls.lower import Lowered, lower, tiled_forms_count
from ascend_sim.api.calls.place import VectorStep, place, with_geometry
from ascend_sim.api.calls.support import check_choices, check_form, check_round_mode, find_row
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor
from ascend_sim.api.program import Check, Program, make_kernel, vector_program
from ascend_sim.api.running.core_state import ProgramKey
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks import masks, negatives
from ascend_sim.checks.values import value_checks
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.execute import quiet
from ascend_sim.machine.registers import ALL_LANES, Control, Mask
from isa.dtypes import ElementType
from isa.families import Form, Shape
from isa.model import Instruction, TypeRow, Types
from isa.numerics.formats import from_host
from isa.numerics.rules import Kernel
from isa.products import CountForm, Product


@attrs.frozen
class Plan:
    """Everything about a call but the place of its tensors: shared by all calls alike, wherever their operands are."""

    form: Form
    arguments: dict[str, Any]
    lowered: Lowered
    kernels: tuple[Kernel | None, ...]
    violations: tuple[Violation, ...]
    refusal: Violation | None = None
    value_checks: tuple[Check, ...] = ()
    scalar: Callable[[Any], Any] | None = None


def prepare(
    run: CoreRun,
    key: ProgramKey | None,
    instruction: Instruction,
    tensors: tuple[LocalTensor, ...],
    arguments: Mapping[str, Any],
    tiled: tuple[object, object, object],
    options: tuple[object, bool],
    frame: FrameType,
) -> Program:
    """A program for this call, kept under `key` for the next one alike (None: the call cannot be a key).

    tiled: (mask or count, repeat_time, strides); options: (count, is_set_mask).
    """
    for operand, tensor in zip(instruction.family.operands, tensors, strict=True):
        if tensor.__class__ is not LocalTensor or tensor.core is not run.machine:
            refuse_tensor(run, instruction, operand.name, tensor)
    types = tuple([t.dtype for t in tensors])
    machine = run.machine
    mask = None if options[1] else machine.mask
    make = plan if key is not None else plan.__wrapped__
    made = make(instruction, run.product, types, tuple(arguments.items()), tiled, options, mask, machine.control)
    if made.refusal is not None:
        run.reporter.refuse(made.refusal, instruction.name, frame)
    issues = [
        place(instruction, made.form, made.arguments, s, tensors) if isinstance(s, VectorStep) else s
        for s in made.lowered.steps
    ]
    program = vector_program(instruction.name, issues, made.kernels, made.violations, machine)
    program.mask, program.control = made.lowered.mask, made.lowered.control
    program.value_checks, program.scalar = made.value_checks, made.scalar
    if key is not None:
        run.remember(key, program)
    return program


@lru_cache(maxsize=4096)
def plan(
    instruction: Instruction,
    product: Product,
    types: Types,
    arguments: tuple[tuple[str, Any], ...],
    tiled: tuple[object, object, object],
    options: tuple[object, bool],
    register: Mask | None,
    control: Control,
) -> Plan:
    """Parse and lower a call. register: the mask register before it, as far as the call reads it (is_set_mask=False).

    Raises PrototypeError for arguments that fit no prototype; what the product refuses is in the plan.
    """
    mask, repeat, strides = tiled
    count, is_set_mask = options
    row = find_row(instruction, product, types)
    if isinstance(row, Violation):
        return Plan(Form.CALL, {}, Lowered([]), (), (), row)
    loose = instruction.family.loose_params
    given = (repeat, *strides) if loose and isinstance(strides, tuple) else (repeat, strides)
    form = form_of(instruction, mask, given, count)
    made_with = parse_arguments(instruction.family, instruction, dict(arguments))
    call = Call(instruction, product, types, row, form, made_with, is_set_mask=is_set_mask)
    refusal = check_form(instruction, product, row, form) or check_round_mode(product, row, made_with.get("round_mode"))
    refusal = refusal or check_choices(instruction, product, row, made_with)
    if refusal is None and "scalar_first" in dict(arguments):
        refusal = _scalar_first(call, first=bool(dict(arguments)["scalar_first"]))
    if refusal is not None:
        return Plan(form, {}, Lowered([]), (), (), refusal)
    _parse(call, control, mask if count is None else count, repeat, strides)
    lower_call = lower if instruction.family.shape is Shape.LANES else shaped.lower
    lowered = lower_call(call, register or ALL_LANES, control)
    lowered.steps = with_geometry(call, lowered.steps)
    kernels = tuple(
        make_kernel(instruction, types, product.arch, s.control, made_with) if isinstance(s, VectorStep) else None
        for s in lowered.steps
    )
    if lowered.control == control:
        lowered.control = None
    checks: tuple[Check, ...] = ()
    if "round_mode" in made_with and negatives.applies(types):
        checks = (negatives.check,)
    elif instruction.family.shape is not Shape.LANES:
        checks = value_checks(instruction)
    convert = scalar_converter(types[-1]) if instruction.family.has_scalar else None
    return Plan(form, made_with, lowered, kernels, tuple(call.violations), None, checks, convert)


def find_supported(run: CoreRun, instruction: Instruction, types: Types, frame: FrameType) -> TypeRow:
    """The row of the type table, or a KernelError that says what is supported."""
    row = find_row(instruction, run.product, types)
    if isinstance(row, Violation):
        run.reporter.refuse(row, instruction.name, frame)
    return row


def recall(run: CoreRun, parts: tuple[object, ...], make: Callable[[], Program]) -> Program:
    """The program of a call that has code of its own: one made before, or a new one.

    parts: the instruction and all that the program depends on, besides the control state. A tensor counts by its type
    and its place in the buffer; where it lies in global memory a program does not know.
    """
    key = tuple([(part.key,) if isinstance(part, (LocalTensor, GlobalTensor)) else part for part in parts])
    try:
        program = run.programs.get(key)
    except TypeError:  # something that cannot be a key: `make` explains
        return make()
    if program is None:
        program = make()
        run.remember(key, program)
    return program


def refuse_tensor(run: CoreRun, instruction: Instruction, operand: str, tensor: object) -> NoReturn:
    """Say why this is no operand."""
    if not isinstance(tensor, LocalTensor):
        raise refuse(instruction, f"{operand} must be a LocalTensor, not {type(tensor).__name__}")
    raise ValueError(
        f"{instruction.name} {operand}: {tensor!r} belongs to another core (or another NPU) than core {run.block}; "
        "each core has a Unified Buffer of its own"
    )


def _scalar_first(call: Call, *, first: bool) -> Violation | None:
    call.arguments["scalar_first"] = first
    if not first or call.instruction.scalar_may_lead(call.product):
        return None
    return Violation(
        code="unsupported-form",
        message=f"the scalar stands before the tensor, which {call.product.id} does not have",
        hint="Only ascend950 takes the scalar on either side: write the tensor first.",
    )


def _parse(call: Call, control: Control, mask: object, repeat: object, strides: object) -> None:
    if call.form is Form.COUNT:
        parse_count(call, mask)
    else:
        parse_tiled(call, mask, repeat, strides, counts=tiled_forms_count(call.product, control))
        if call.is_set_mask:
            call.violations += masks.check(call.form, call.mask, control, call.product, call.narrowest_bits)
    if not call.is_set_mask:
        _check_placeholder(call)
    odd = call.count if call.form is Form.COUNT else call.mask if isinstance(call.mask, int) else 0
    if odd % 2 and any(t.is_nibble for t in call.types):
        call.report(
            "count-range" if call.form is Form.COUNT else "mask-range",
            f"{odd} is odd, and two elements of a 4-bit type share a byte",
            "Use an even number.",
        )
    if call.row.uses_deq_scale and control.deq_scale is None and control.deq is None:
        call.report(
            "deq-scale-unset",
            "multiplies by the scale of SetDeqScale, which this launch has not set",
            "Call SetDeqScale first; a scale of 1 converts the integers as they are.",
        )


def _check_placeholder(call: Call) -> None:
    """is_set_mask=False where the product ignores it (spec 01 section 2.6)."""
    product = call.product
    if call.form is Form.COUNT:
        if product.count_form is CountForm.REGISTER_LOOP:
            call.report(
                "mask-mode",
                f"{product.id} ignores is_set_mask=False in the count form: count={call.count} decides",
                "Other products run one repeat under the stored mask instead: use a tiled form to be sure.",
            )
    elif call.mask is not None:
        call.report(
            "mask-mode",
            f"{product.id} ignores is_set_mask=False in this form: the mask argument {call.mask} selects the lanes",
            "Pass the mask as an argument.",
        )


def scalar_converter(dtype: ElementType) -> Callable[[Any], Any]:
    """A function that converts a Python or numpy number to an element of `dtype`, as C++ does implicitly.

    Floats round to nearest; a float given for an integer type loses its fraction. Raises ValueError when an integer
    does not fit.
    """
    if dtype.carrier != dtype.host:
        return partial(_encoded, dtype)
    kind = dtype.carrier.type

    def convert(value: Any) -> Any:
        try:
            return kind(value)
        except (OverflowError, ValueError):
            raise ValueError(f"the scalar {value!r} does not fit in {dtype}") from None

    return convert if dtype.is_integer else quiet(convert)  # above the largest half is infinity, without a warning


def _encoded(dtype: ElementType, value: Any) -> Any:
    return from_host([value], dtype)[0]
