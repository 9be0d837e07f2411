"""What an instruction is: one declaration, plain data and one lane function. `TABLE` holds them all."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs

from isa.choice import Choice
from isa.dtypes import ElementType
from isa.families import Family, Form
from isa.numerics.rules import Kernel
from isa.params import RoundMode
from isa.products import PRODUCTS, Arch, Product

Types = tuple[ElementType, ...]
"""Element types of the tensor operands, dst first. One entry alone means: every operand has this type."""

LaneFunction = Callable[..., Kernel]
"""`lanes(types, rules, **arguments) -> Kernel`: `types` has one entry for each tensor operand."""


class Timing(Choice):
    """Timing class: which row of `timings.py` an instruction reads. Never derived from its name."""

    SIMPLE = "add, subtract"
    LOGIC = "and, or, not"
    SHIFT = "shift"
    EXTREMUM = "maximum, minimum, absolute value, Relu"
    MULTIPLY = "multiply"
    FUSED = "multiply-add of three tensors"
    ACCUMULATE = "multiply by a scalar and add to the destination"
    DIVIDE = "divide"
    TRANSCENDENTAL = "several of the next five in one"
    EXPONENTIAL = "exponential"
    LOGARITHM = "logarithm"
    ROOT = "square root"
    RECIPROCAL = "reciprocal"
    INVERSE_ROOT = "reciprocal square root"
    CONVERT = "conversion"
    FILL = "broadcast of a scalar"
    BROADCAST = "one element spread over a block"
    COPY = "copy of lanes inside the Unified Buffer"
    SELECT = "choice of two sources by a mask"
    COMPARE = "comparison of two tensors into packed bits"
    COMPARE_SCALAR = "comparison with a scalar into packed bits"
    COMPARE_REGISTER = "comparison into the compare register"
    REDUCE_SUM = "sum of each repeat"
    REDUCE_EXTREMUM = "maximum or minimum of each repeat"
    REDUCE_BLOCK = "result for each block of 32 bytes"
    REDUCE_PAIR = "sum of neighbours"
    GATHER = "elements picked by an offset tensor"
    GATHER_BLOCK = "blocks picked by an offset tensor"
    GATHER_MASK = "elements picked by a bit pattern, packed"
    SORT = "sort of groups of 32"
    MERGE_SORT = "merge of sorted lists"
    TRANSPOSE = "transposition"
    MOVE = "copy by the transfer engines"
    STATE = "register write"


@attrs.frozen
class TypeRow:
    """One legal combination of element types.

    count_only: the tiled forms refuse it. round_modes: legal modes of a conversion, in the order of the documentation
    (empty: the mode is ignored); None for everything else. uses_deq_scale: multiplies by the scale of SetDeqScale.
    tiled_only: the count form refuses it. only: an argument and the values that these types allow, as cmp_mode EQ for a
    comparison of integers.
    """

    types: Types
    count_only: bool = False
    round_modes: tuple[RoundMode, ...] | None = None
    uses_deq_scale: bool = False
    tiled_only: bool = False
    only: tuple[str, tuple[Any, ...]] | None = None


class TypeTable:
    """Which element types each product accepts: product -> types -> row."""

    def __init__(self, rows: Mapping[Product | tuple[Product, ...], Iterable[TypeRow]]) -> None:
        self._rows: dict[str, dict[Types, TypeRow]] = {}
        for products, entries in rows.items():
            listed = tuple(entries)
            for one in products if isinstance(products, tuple) else (products,):
                table = self._rows.setdefault(one.id, {})
                for row in listed:
                    if row.types in table:
                        raise ValueError(f"{one.id}: {row.types} is declared twice")
                    table[row.types] = row

    def find(self, product: Product, types: Types) -> TypeRow | None:
        """The row for these operand types, or None when the product does not have it."""
        table = self._rows.get(product.id, {})
        if len(set(types)) == 1 and types[:1] in table:
            return table[types[:1]]
        return table.get(types)

    def rows(self, product: Product) -> tuple[TypeRow, ...]:
        return tuple(self._rows.get(product.id, {}).values())

    def products(self) -> tuple[Product, ...]:
        """The products that have the instruction, in the order of the documentation."""
        return tuple(p for p in PRODUCTS.values() if p.id in self._rows)

    def __iter__(self) -> Iterator[tuple[Product, TypeRow]]:
        return ((p, row) for p in self.products() for row in self.rows(p))


def same(*dtypes: ElementType) -> tuple[TypeRow, ...]:
    """Every tensor operand has the same type, one of these."""
    return tuple(TypeRow((d,)) for d in dtypes)


def count_only(*dtypes: ElementType) -> tuple[TypeRow, ...]:
    """As `same`, in the count form alone."""
    return tuple(TypeRow((d,), count_only=True) for d in dtypes)


def anything(*products: Product) -> TypeTable:
    """For instructions without typed operands: the products that have them."""
    return TypeTable({products: ()})


@attrs.frozen(kw_only=True, eq=False)
class Instruction:
    """One AscendC instruction.

    accumulates: types for which dst may overlap the last source across repeats when one of the two has repeat stride 0
    (spec 01 section 5.1, rule 4). model: what the lane function stands for where the hardware's bits are not published,
    with its bound. doc: page in the AscendC documentation, below "docs/zh/api/SIMD-API".

    fixed: arguments that the name decides, as WholeReduceMax decides the reduce_type of ReduceRepeat. choices: an
    argument and its values on a product, for products that do not have all of them.
    variants: prototypes of the same name with other operands, as ShiftLeft, whose shift is a scalar or a tensor. The
    prototype of a call is the first of `prototypes` that has as many tensor operands as the call has tensors.
    """

    name: str
    family: Family
    types: TypeTable
    timing: Timing
    doc: str
    summary: str
    lanes: LaneFunction | None = None
    forms: frozenset[Form] | None = None
    accumulates: frozenset[ElementType] = frozenset()
    model: str | None = None
    fixed: Mapping[str, Any] = attrs.Factory(dict)
    choices: Mapping[Product, tuple[str, tuple[Any, ...]]] = attrs.Factory(dict)
    variants: "tuple[Instruction, ...]" = ()

    def __repr__(self) -> str:
        return f"<instruction {self.name}>"

    def has_form(self, form: Form) -> bool:
        return form in (self.family.forms if self.forms is None else self.forms)

    @property
    def prototypes(self) -> "tuple[Instruction, ...]":
        return (self, *self.variants)

    def scalar_may_lead(self, product: Product) -> bool:
        """The scalar may stand before the tensor: the "flexible scalar position" pages, which are ascend950's alone."""
        return self.family.either_side and product.arch is Arch.A3510


TABLE: dict[str, Instruction] = {}
ALIASES: dict[str, str] = {}
"""Old name -> current name, for renamed instructions."""


RENAMED: dict[str, Instruction] = {}
"""Old names with a prototype of their own."""


def declare(name: str, family: Family, *, old_names: tuple[str, ...] = (), **fields: Any) -> Instruction:
    """Add one instruction to `TABLE`. A name can be declared once."""
    for each in (name, *old_names):
        if each in TABLE or each in ALIASES:
            raise ValueError(f"instruction {each!r} is declared twice")
    TABLE[name] = made = Instruction(name=name, family=family, **fields)
    ALIASES.update(dict.fromkeys(old_names, name))
    return made


def renamed(instruction: Instruction, name: str, **changes: Any) -> Instruction:
    """An old name that has a prototype of its own: another order of arguments, or some of them decided by the name."""
    if name in TABLE or name in ALIASES:
        raise ValueError(f"instruction {name!r} is declared twice")
    ALIASES[name] = ALIASES.get(instruction.name, instruction.name)
    RENAMED[name] = made = attrs.evolve(instruction, name=name, **changes)
    return made
