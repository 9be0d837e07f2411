"""The slow path of a call: parse it, check it, lower it, make its program. Runs once for each different call."""

from collections.abc import Callable, Mapping
from functools import partial
from types import FrameType
from typing import Any

from ascend_sim.api.call import Call, form_of, parse_arguments, parse_count, parse_tiled, refuse
from ascend_sim.api.lower import lower
from ascend_sim.api.program import Program, vector_program
from ascend_sim.api.run import CACHE_LIMIT, CoreRun, ProgramKey
from ascend_sim.api.support import check_form, check_round_mode, find_row
from ascend_sim.api.tensor import LocalTensor
from ascend_sim.checks import masks, negatives
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.execute import quiet
from isa.dtypes import ElementType
from isa.families import Form
from isa.model import Instruction, TypeRow, Types
from isa.numerics.formats import from_host


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
    mask, repeat, strides = tiled
    count, is_set_mask = options
    for operand, tensor in zip(instruction.family.operands, tensors, strict=True):
        _check_tensor(run, instruction, operand.name, tensor)
    row = find_supported(run, instruction, tuple(t.dtype for t in tensors), frame)
    loose = instruction.family.loose_params and isinstance(strides, tuple)
    form = form_of(instruction, mask, (repeat, *strides) if loose else (repeat, strides), count)
    call = Call(
        instruction,
        run.product,
        tensors,
        row,
        form,
        parse_arguments(instruction.family, instruction, arguments),
        is_set_mask=is_set_mask,
    )
    if arguments.get("scalar_first"):
        _check_scalar_first(run, call, frame)
    _refuse_unsupported(run, call, frame)
    _parse(call, run, mask if count is None else count, repeat, strides)
    lowered = lower(call, run.machine.mask, run.machine.control)
    program = vector_program(lowered, call.violations, run.machine)
    if program.control == run.machine.control:
        program.control = None
    if instruction.family.has_scalar:
        program.scalar = scalar_converter(tensors[-1].dtype)
    if any(negatives.applies(i) for i in program.issues if i.accesses):
        program.value_checks = (negatives.check,)
    if key is not None:
        remember(run, key, program)
    return program


def remember(run: CoreRun, key: ProgramKey, program: Program) -> None:
    """Put a program in the cache; the oldest quarter goes when it is full."""
    cache = run.programs
    if len(cache) >= CACHE_LIMIT:
        for old in list(cache)[: CACHE_LIMIT // 4]:
            del cache[old]
    cache[key] = program


def _check_tensor(run: CoreRun, instruction: Instruction, operand: str, tensor: object) -> None:
    if not isinstance(tensor, LocalTensor):
        raise refuse(instruction, f"{operand} must be a LocalTensor, not {type(tensor).__name__}")
    if tensor.core is not run.machine:
        raise ValueError(
            f"{instruction.name} {operand}: {tensor!r} belongs to another core (or another NPU); "
            "each core has a Unified Buffer of its own"
        )


def find_supported(run: CoreRun, instruction: Instruction, types: Types, frame: FrameType) -> TypeRow:
    """The row of the type table, or a KernelError that says what is supported."""
    row = find_row(instruction, run.product, types)
    if isinstance(row, Violation):
        run.refuse(row, instruction.name, frame)
    return row


def _check_scalar_first(run: CoreRun, call: Call, frame: FrameType) -> None:
    if not call.instruction.scalar_may_lead(call.product):
        run.refuse(
            Violation(
                code="unsupported-form",
                message=f"the scalar stands before the tensor, which {call.product.id} does not have",
                hint="Only ascend950 takes the scalar on either side: write the tensor first.",
            ),
            call.instruction.name,
            frame,
        )
    call.arguments["scalar_first"] = True


def _refuse_unsupported(run: CoreRun, call: Call, frame: FrameType) -> None:
    problem = check_form(call.instruction, call.product, call.row, call.form) or check_round_mode(
        call.product, call.row, call.arguments.get("round_mode")
    )
    if problem is not None:
        run.refuse(problem, call.instruction.name, frame)


def _parse(call: Call, run: CoreRun, mask: object, repeat: object, strides: object) -> None:
    control = run.machine.control
    if call.form is Form.COUNT:
        parse_count(call, mask)
    else:
        parse_tiled(call, mask, repeat, strides, counts=control.counts)
        bits = min(t.dtype.bits for t in call.tensors)
        call.violations += masks.check(
            call.form, call.mask, control, call.product, is_set_mask=call.is_set_mask, bits=bits
        )
    nibbles = any(t.dtype.is_nibble for t in call.tensors)
    odd = call.count if call.form is Form.COUNT else call.mask if isinstance(call.mask, int) else 0
    if nibbles and odd % 2:
        call.report(
            "count-range" if call.form is Form.COUNT else "mask-range",
            f"{odd} is odd, and two elements of a 4-bit type share a byte",
            "Use an even number.",
        )
    if call.row.uses_deq_scale and control.deq_scale is None:
        call.report(
            "deq-scale-unset",
            "multiplies by the scale of SetDeqScale, which this launch has not set",
            "Call SetDeqScale first; a scale of 1 converts the integers as they are.",
        )


def scalar_converter(dtype: ElementType) -> Callable[[Any], Any]:
    """A function that converts a Python or numpy number to an element of `dtype`, as C++ does implicitly.

    Floats round to nearest; a float given for an integer type loses its fraction. Raises OverflowError when an integer
    does not fit.
    """
    if dtype.carrier == dtype.host:
        if dtype.is_integer:
            return dtype.carrier.type
        return quiet(dtype.carrier.type)  # a value above the largest half becomes infinity without a warning
    return partial(_encoded, dtype)


def _encoded(dtype: ElementType, value: Any) -> Any:
    return from_host([value], dtype)[0]
