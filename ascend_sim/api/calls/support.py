"""Does the product have it? Refusals name what is supported instead; they raise in every mode."""

from collections.abc import Iterable, Mapping
from typing import Any

from ascend_sim.checks.violation import Violation
from isa.families import Form
from isa.model import Instruction, TypeRow, Types
from isa.params import ReduceType, RoundMode
from isa.products import Product


def find_row(instruction: Instruction, product: Product, types: Types) -> "TypeRow | Violation":
    """The row of the type table for these operands, or what is wrong with them."""
    table = instruction.types
    products = table.products()
    if product not in products:
        return Violation(
            code="unsupported-api",
            message=f"{product.id} does not have this instruction",
            hint=f"Products that have it: {_list(p.id for p in products)}.",
        )
    row = table.find(product, types)
    if row is not None:
        return row
    shown = [_types(r.types) + (" (count form only)" if r.count_only else "") for r in table.rows(product)]
    return Violation(
        code="unsupported-dtype",
        message=f"{_types(types)} is not supported on {product.id}",
        hint=f"Supported there ({_direction(types)}): {_list(shown)}.",
    )


def check_form(instruction: Instruction, product: Product, row: TypeRow, form: Form) -> Violation | None:
    """The form exists, and for these types."""
    if not instruction.has_form(form):
        forms = instruction.family.forms if instruction.forms is None else instruction.forms
        return Violation(
            code="unsupported-form",
            message=f"there is no prototype with {form.value}",
            hint=f"Its forms: {_list(sorted(f.value for f in forms))}.",
        )
    if row.count_only and form is not Form.COUNT:
        return Violation(
            code="unsupported-form",
            message=f"{_types(row.types)} has the count form only on {product.id}",
            hint="Call it with a count.",
        )
    if row.tiled_only and form is Form.COUNT:
        return Violation(
            code="unsupported-form",
            message=f"{product.id} has no count form of this instruction",
            hint="Call it with a mask, a repeat count and strides.",
        )
    return None


def check_round_mode(product: Product, row: TypeRow, mode: RoundMode | None) -> Violation | None:
    """The conversion has this rounding mode. A row without modes ignores the argument."""
    if mode is None or not row.round_modes or mode in row.round_modes:
        return None
    return Violation(
        code="unsupported-round-mode",
        message=f"{_types(row.types)} has no {mode.name} on {product.id}",
        hint=f"Its modes: {_list(m.name for m in row.round_modes)}.",
    )


def check_choices(
    instruction: Instruction, product: Product, row: TypeRow, arguments: Mapping[str, Any]
) -> Violation | None:
    """Arguments that are members of an enum: the product has this one, and these types do."""
    name, allowed = instruction.choices.get(product, ("", ()))
    if name and arguments.get(name) not in allowed and not _is_unused(name, arguments):
        return Violation(
            code="unsupported-form",
            message=f"{name}={arguments[name]!r} is not supported on {product.id}",
            hint=f"Supported there: {_list(map(repr, allowed))}.",
        )
    name, allowed = row.only or ("", ())
    if name and arguments.get(name) not in allowed:
        return Violation(
            code="unsupported-dtype",
            message=f"{_types(row.types)} with {name}={arguments[name]!r} is not supported on {product.id}",
            hint=f"These types have {name} {_list(map(repr, allowed))} only.",
        )
    return None


def _is_unused(name: str, arguments: Mapping[str, Any]) -> bool:
    """A sum has no index, so its order says nothing."""
    return name == "order" and arguments.get("reduce_type") is ReduceType.SUM


def _types(types: Types) -> str:
    if len(set(types)) == 1:
        return str(types[0])
    dst, *sources = types
    return f"{', '.join(map(str, sources))} -> {dst}"


def _direction(types: Types) -> str:
    return "source -> destination" if len(set(types)) > 1 else "all operands alike unless shown"


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
