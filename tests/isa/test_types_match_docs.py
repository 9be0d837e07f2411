"""The type tables against the documentation, both ways.

`tests/data/dtypes.csv` lists what each page supports: instruction, product, types, and whether the count form alone
has them. `tests/data/instructions.csv` says which chapter a page belongs to. Where a page cannot be taken literally
the difference is listed here, with the reason, and must really be one.
"""

import csv
from collections import Counter
from pathlib import Path

import pytest

import tests.isa.kernels  # noqa: F401  # fills TABLE
from isa.families import COUNT_ALONE, Form
from isa.model import ALIASES, TABLE
from isa.products import PRODUCTS

DATA = Path(__file__).resolve().parent.parent / "data"
CHAPTERS = {"基础算术", "逻辑计算", "复合计算", "数据填充"}
OUTSIDE = {  # instructions of these chapters that are declared elsewhere, or not yet
    "BilinearInterpolation",
    "CastDequant",
    "AddDeqRelu",
    "Brcb",
    "CreateVecIndex",
    "VectorPadding",
}
ROOT = "docs/zh/api/SIMD-API/"


def rows_of(name):
    with (DATA / name).open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


PAGES = {
    row["doc_path"]: row
    for row in rows_of("instructions.csv")
    if (row["doc_family"] in CHAPTERS or row["api"].startswith("Truncate")) and "ALIAS" not in row["notes"]
}


def plain_name(api):
    """The instruction of a page: "Mull(ISASI)" is Mull, and a flexible scalar position is the same instruction."""
    for bracket in ("(", "（"):  # noqa: RUF001  # pages use both widths
        api = api.partition(bracket)[0]
    return api


def element_name(text):
    return {"float": "float32"}.get(text.strip(), text.strip())


def source_types(text, count):
    """`src:half`, or `src0、src1:int16_t`, or `src0:half src1:half`; scalars are no tensors."""
    found = []
    for part in text.split():
        names, _, dtype = part.partition(":")
        if names != "scalarValue":
            found += [element_name(dtype)] * len(names.split("、"))
    return tuple(found * count if len(found) == 1 else found)


def documented():
    """(instruction, tensors or scalar page, product, types) -> count form alone."""
    table = {}
    for row in rows_of("dtypes.csv"):
        page = PAGES.get(row["doc"])
        name = plain_name(row["api"])
        if page is None or name in OUTSIDE:
            continue
        prototype = prototype_of(name, row["doc"])
        if prototype is None:
            table[name, row["doc"], row["product"], row["dst_dtype"]] = None  # reported below
            continue
        reads = sum(operand.role.name == "READ" for operand in prototype.family.operands)
        writes = len(prototype.family.operands) - reads
        sources = source_types(row["src_dtypes"], reads) or (element_name(row["dst_dtype"]),) * reads
        types = (element_name(row["dst_dtype"]),) * writes + sources
        table[name, len(types), row["product"], types] = row["count_form_only"] == "y"
    return table


def prototype_of(name, doc):
    """The prototype that a page describes; a page on the flexible scalar position describes the plain one."""
    if name not in TABLE:
        return None
    exact = [p for p in TABLE[name].prototypes if ROOT + p.doc == doc]
    return exact[0] if exact else TABLE[name]


def declared():
    table = {}
    for name, instruction in TABLE.items():
        for prototype in instruction.prototypes:
            if ROOT + prototype.doc not in PAGES or name in OUTSIDE or prototype.family.name == "fill from memory":
                continue
            count = len(prototype.family.operands)
            forms = prototype.forms or prototype.family.forms
            for product, row in prototype.types:
                types = tuple(str(t) for t in (row.types * count if len(row.types) == 1 else row.types))
                table[name, count, product.id, types] = row.count_only or forms == COUNT_ALONE
    return table


SIGNED = {f"uint{bits}_t": f"int{bits}_t" for bits in (8, 16, 32, 64)}
NOT_AS_PRINTED = {
    # documented row -> row that is declared, or None
    ("Duplicate", 1, "ascend950", ("bool",)): None,  # AscendC's bool is not an element type here
    ("ExpSub", 3, "ascend950", ("half",) * 3): ("float32", "half", "half"),  # dst is float: Reg page and library assert
} | {
    (name, 3, "ascend950", (unsigned,) * 3): (unsigned, unsigned, signed)
    for name in ("ShiftLeft", "ShiftRight")  # the shift is signed, says the page; the table lists what is shifted
    for unsigned, signed in SIGNED.items()
}
ONLY_COUNT_FORM = {"Neg", "Truncate", "Prelu", "Mull", "AbsSub", "ExpSub", "MulsCast"}


def expectation():
    """The documented table with the listed differences; pages with a count form alone do not repeat it in rows."""
    table = {}
    for (name, count, product, types), alone in documented().items():
        replaced = NOT_AS_PRINTED.get((name, count, product, types), types)
        if replaced is not None:
            tensor_shift = name in ("ShiftLeft", "ShiftRight") and count == 3
            table[name, count, product, replaced] = alone or name in ONLY_COUNT_FORM or tensor_shift
    return table


def test_every_documented_row_is_declared_and_no_other():
    wanted, found = expectation(), declared()
    assert wanted.keys() - found.keys() == set(), "documented, not declared"
    assert found.keys() - wanted.keys() == set(), "declared, not documented"
    assert {key: (found[key], alone) for key, alone in wanted.items() if found[key] != alone} == {}, "count form alone"


def test_rows_are_really_compared():
    rows = documented()
    counts = Counter(key[0] for key in rows)
    print(f"{len(rows)} documented rows of {len(counts)} instructions")  # noqa: T201  # shown with -s
    assert (len(rows), len(counts)) == (738, 44)
    assert None not in rows.values()


def test_listed_differences_are_documented():
    assert NOT_AS_PRINTED.keys() <= documented().keys()


def test_exceptions_of_scope_exist():
    assert {plain_name(row["api"]) for row in PAGES.values()} >= OUTSIDE


@pytest.mark.parametrize("name", sorted({plain_name(row["api"]) for row in PAGES.values()} - OUTSIDE))
def test_support_by_product(name):
    """The yes and no columns of the instruction list, over all pages of one name."""
    pages = [row for row in PAGES.values() if plain_name(row["api"]) == name]
    yes = {product for product in PRODUCTS for row in pages if row[product] == "yes"}
    found = {product.id for prototype in TABLE[name].prototypes for product in prototype.types.products()}
    assert found == yes


@pytest.mark.parametrize("name", sorted({plain_name(row["api"]) for row in PAGES.values()} - OUTSIDE))
def test_forms_by_instruction(name):
    pages = {ROOT + p.doc: p for p in reversed(TABLE[name].prototypes)}
    for doc, prototype in pages.items():
        forms = PAGES[doc]["forms"]
        documented_forms = {
            form
            for form, word in ((Form.COUNT, "count"), (Form.BITWISE, "bitmask"), (Form.CONTIGUOUS, "contiguous_mask"))
            if word in [each.strip() for each in forms.split(";")]
        }
        assert (prototype.forms or prototype.family.forms) == documented_forms


def test_old_names():
    old = {row["api"]: row["doc_path"] for row in rows_of("instructions.csv") if "ALIAS" in row["notes"]}
    mine = {api: doc for api, doc in old.items() if doc in PAGES and plain_name(PAGES[doc]["api"]) not in OUTSIDE}
    assert mine
    assert {api: ALIASES.get(api) for api in mine} == {api: plain_name(PAGES[doc]["api"]) for api, doc in mine.items()}


def test_a_shift_by_a_tensor_is_another_prototype_of_the_same_name():
    for name in ("ShiftLeft", "ShiftRight"):
        by_scalar, by_tensor = TABLE[name].prototypes
        assert (by_scalar.name, by_tensor.name) == (name, name)
        assert (len(by_scalar.family.operands), len(by_tensor.family.operands)) == (2, 3)


def test_the_scalar_may_lead_on_ascend950_alone():
    leading = {
        name: [product.id for product in PRODUCTS.values() if instruction.scalar_may_lead(product)]
        for name, instruction in TABLE.items()
    }
    flexible = {"Adds", "Subs", "Muls", "Divs", "Maxs", "Mins", "Ands", "Ors", "MulsCast"}
    assert {name for name in leading if leading[name]} >= flexible
    assert {tuple(leading[name]) for name in flexible} == {("ascend950",)}
    assert leading["LeakyRelu"] == leading["ShiftLeft"] == []
