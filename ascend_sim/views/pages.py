"""Pages about instructions, made from their declarations: the table of all, and one of each."""

from collections.abc import Iterable, Sequence

from ascend_sim.api.calls.call import prototypes
from isa.catalogue import pages, without_meaning
from isa.families import Family, Form, Operand
from isa.machine_notes import CONSTRAINTS
from isa.model import ALIASES, RENAMED, TABLE, Instruction, TypeRow
from isa.params import DataCopyExtParams, limits
from isa.patterns import DENSE, Pattern, Unit
from isa.products import PRODUCTS


def summary() -> str:
    """Supported APIs for each product, and those that no instruction here stands for."""
    everything = pages()
    rows = [("product", "APIs", "of", "with instruction here")]
    for product in PRODUCTS.values():
        supported = [p for p in everything if product in p.products]
        here = sum(bool(p.instruction) for p in supported)
        rows.append((product.id, str(len(supported)), str(len(everything)), str(here)))
    lines = [_table(rows), "", "No counterpart here:"]
    lines += [f"  {page.title}: {page.reason}" for page in without_meaning()]
    return "\n".join(lines)


def table() -> str:
    """Every instruction with the products that have it."""
    rows = [("instruction", *PRODUCTS, "what it does")]
    for name, instruction in sorted(TABLE.items()):
        have = {p.id for prototype in instruction.prototypes for p in prototype.types.products()}
        rows.append((name, *("yes" if p in have else "-" for p in PRODUCTS), instruction.summary))
    lines = [_table(rows), "", "Old names:"]
    lines += [f"  {old} -> {new}" for old, new in sorted(ALIASES.items())]
    return "\n".join(lines)


def document() -> str:
    """All of it as one Markdown file: `docs/instructions.md`."""
    parts = [
        "# Instructions",
        "Made from the declarations by `ascend-sim isa --markdown`; `ascend-sim isa NAME` prints one of the pages.",
        f"```text\n{summary()}\n```",
        f"```text\n{table()}\n```",
        *(f"## {name}\n\n```text\n{page(name)}\n```" for name in sorted(TABLE)),
    ]
    return "\n\n".join(parts) + "\n"


def page(name: str) -> str:
    """One instruction: prototypes, operands, types on each product, stride units, constraints, source.

    Raises KeyError for a name that no instruction has.
    """
    current = ALIASES.get(name, name)
    instruction = TABLE[current]
    old = sorted(o for o, n in ALIASES.items() if n == current)
    lines = [current, "=" * len(current), instruction.summary]
    if old:
        lines.append(f"Old names: {', '.join(old)}")
    for prototype in instruction.prototypes:
        lines += _prototype(prototype)
    renamed = [RENAMED[other] for other in old if other in RENAMED]
    if renamed:
        lines += ["", "Prototypes of old names", *(f"  {text}" for one in renamed for text in prototypes(one))]
    notes = [*CONSTRAINTS.get(current, ())]
    if instruction.model:
        notes.append(f"Model: {instruction.model}.")
    if notes:
        lines += ["", "Notes", *(f"  {note}" for note in notes)]
    lines += ["", "Sources", *(f"  {doc}" for doc in _sources(instruction))]
    return "\n".join(lines)


def _sources(instruction: Instruction) -> Iterable[str]:
    """Pages that describe it, its own first."""
    others = [page.doc for page in pages() if page.instruction == instruction.name]
    return dict.fromkeys([*(p.doc for p in instruction.prototypes), *others])


def _prototype(instruction: Instruction) -> list[str]:
    family = instruction.family
    lines = ["", "Prototypes", *(f"  {text}" for text in prototypes(instruction))]
    if family.operands and len(family.operands) <= 8:
        rows: list[tuple[str, ...]] = [("operand", "", "elements of a repeat", "strides", "alignment")]
        rows += [_operand(family, i, operand) for i, operand in enumerate(family.operands)]
        lines += ["", "Operands", _indented(_table(rows))]
    types = [(p.id, _types(instruction.types.rows(p))) for p in instruction.types.products()]
    if any(text for _, text in types):
        rows2 = [("product", "types (destination first)"), *types]
        lines += ["", "Types", _indented(_table(_merged(rows2)))]
    else:
        lines += ["", f"Products: {', '.join(product for product, _ in types)}"]
    return lines


def _operand(family: Family, at: int, operand: Operand) -> tuple[str, ...]:
    role = operand.role.value
    if operand.pattern is None:
        blocks = "32-byte blocks" if family.params is not None else "none"
        if Form.BURSTS in family.forms:
            gaps, start = "gaps in 32-byte blocks", "one element"
            if family.params is DataCopyExtParams:
                gaps, start = "gaps in 32-byte blocks in UB, in bytes in GM", "any byte"
            return operand.name, role, "bursts", gaps, f"32 bytes in UB, {start} in GM"
        return operand.name, role, "active lanes", blocks, "32 bytes"
    if not isinstance(operand.pattern, Pattern):
        return operand.name, role, "depends on the arguments", "see the source", "depends on the arguments"
    pattern = operand.pattern
    count = (
        str(pattern.fixed) if pattern.fixed else "one for each lane" if pattern.per == 1 else f"lanes / {pattern.per}"
    )
    if pattern.bits:
        count += f" of {pattern.bits} bits"
    unit = "32-byte blocks" if pattern.unit is Unit.BLOCK else "results of a repeat"
    repeat = "dense" if pattern.repeat == DENSE else f"{pattern.repeat or _field(family, at)} in {unit}"
    alignment = {0: "one result", -1: "one element"}.get(pattern.alignment, f"{pattern.alignment} bytes")
    return operand.name, role, f"{count}; {pattern.follows.value}", f"repeat: {repeat}", alignment


def _field(family: Family, at: int) -> str:
    names = list(limits(family.params)) if family.params is not None else []
    place = len(family.operands) + at
    return names[place] if place < len(names) else "none"


def _types(rows: Sequence[TypeRow]) -> str:
    return "; ".join(dict.fromkeys(_row(row) for row in rows))


def _row(row: TypeRow) -> str:
    text = " ".join(map(str, row.types))
    if row.round_modes:
        text += f" ({' '.join(m.name for m in row.round_modes)})"
    if row.only is not None:
        name, values = row.only
        text += f" ({name} {' '.join(v.name for v in values)} only)"
    if row.count_only:
        text += " (count form only)"
    if row.tiled_only:
        text += " (no count form)"
    return text


def _merged(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Products with the same types share a line."""
    merged: dict[str, list[str]] = {}
    for product, text in rows[1:]:
        merged.setdefault(text, []).append(product)
    return [tuple(rows[0]), *((", ".join(products), text) for text, products in merged.items())]


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
