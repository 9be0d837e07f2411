"""The type tables of the families of repeats, and of moves, against the documentation, both ways.

Rows are compared as (destination, sources), without selectors, offsets and temporary tensors, which pages leave out.
"""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

import isa  # noqa: F401  # fills TABLE
from isa.families import COUNT_ALONE
from isa.model import TABLE
from isa.products import PRODUCTS

DATA = Path(__file__).resolve().parent.parent / "data"
ROOT = "docs/zh/api/SIMD-API/"


def rows_of(name):
    with (DATA / name).open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def plain_name(api):
    for bracket in ("(", "（"):  # noqa: RUF001  # pages use both widths
        api = api.partition(bracket)[0]
    return api.strip()


def element(text):
    return {"float": "float32", "int4x2_t": "int4b_t"}.get(text.strip(), text.strip())


SAME, FIRST, LAST = "every operand alike", "dst and the first source", "dst and the last source"
HOW = {
    # instruction -> which declared operands its page lists
    "Compare": LAST,
    "Compares": LAST,
    "Select": LAST,
    "ReduceRepeat": FIRST,
    "ReduceDataBlock": FIRST,
    "ReducePairElem": FIRST,
    "ReduceMax": FIRST,
    "ReduceMin": FIRST,
    "ReduceSum": FIRST,
    "Brcb": FIRST,
    "CreateVecIndex": SAME,
    "VectorPadding": FIRST,
    "Gather": FIRST,
    "Gatherb": FIRST,
    "Scatter": FIRST,
    "Interleave": FIRST,
    "DeInterleave": FIRST,
    "Copy": FIRST,
    "MrgSort": FIRST,
    "MrgSort4": FIRST,
    "RpSort16": FIRST,
    "ProposalConcat": FIRST,
    "ProposalExtract": FIRST,
    "TransDataTo5HD": FIRST,
    "Transpose": FIRST,
    "CastDequant": FIRST,
    "AddDeqRelu": FIRST,
    "BilinearInterpolation": FIRST,
    "Sort32": FIRST,
    "GatherMask": FIRST,
}
ELSEWHERE = {  # compared in other tests, or without typed operands
    "GetCmpMask": "the page says b8, b16 and b32",
    "SetCmpMask": "the page says b8, b16, b32 and b64",
    "GetReduceRepeatMaxMinSpr": "a getter; its types are those of a scalar",
    "GetReduceRepeatSumSpr": "a getter; its types are those of a scalar",
    "SetPadValue": "a register",
}
DIFFERENT = {
    ("CreateVecIndex", "ascend310p"): "the page lists the product and gives it no types (spec 02 section 7)",
}


def documented():
    """(instruction, product) -> {(dst, source): count form alone}."""
    table = defaultdict(dict)
    for row in rows_of("dtypes.csv"):
        name = plain_name(row["api"])
        if name not in HOW or row["api"].startswith("Reg") or "CmpMask" in row["dst_dtype"]:
            continue
        sources = [element(part.partition(":")[2]) for part in row["src_dtypes"].split()]
        for dst in row["dst_dtype"].split("|"):
            key = element(dst), sources[0]
            alone = row["count_form_only"] == "y"
            table[name, row["product"]][key] = table[name, row["product"]].get(key, True) and alone
    return dict(table)


def declared():
    table = defaultdict(dict)
    for name, how in HOW.items():
        for prototype in TABLE[name].prototypes:
            if prototype.family.name in ("comparison into the register", "selection by the register"):
                continue
            for product, row in prototype.types:
                types = [str(t) for t in row.types]
                source = types[-1] if how == LAST else types[min(1, len(types) - 1)]
                alone = row.count_only and (prototype.forms or prototype.family.forms) != COUNT_ALONE
                table[name, product.id][types[0], source] = alone
    return dict(table)


COUNT_PAGES = {("Interleave", "ascend950"), ("DeInterleave", "ascend950")}


def test_every_documented_row_is_declared_and_no_other():
    wanted, found = documented(), declared()
    for key, reason in DIFFERENT.items():
        assert key in found, reason
        assert key not in wanted, reason
        del found[key]
    assert found.keys() == wanted.keys()
    for key in sorted(wanted):
        assert found[key].keys() == wanted[key].keys(), key
        assert {k for k, alone in found[key].items() if alone} == {k for k, alone in wanted[key].items() if alone}, key


def test_rows_are_really_compared():
    rows = sum(map(len, documented().values()))
    print(f"{rows} documented rows of {len(HOW)} instructions")  # noqa: T201  # shown with -s
    assert rows > 400


def test_every_instruction_with_tensors_is_compared_somewhere():
    compared = set(HOW) | set(ELSEWHERE)
    chapters = {"基础算术", "逻辑计算", "复合计算", "数据填充", "类型转换"}
    pages = [r for r in rows_of("instructions.csv") if "ALIAS" not in r["notes"] and "Memory" in r["doc_path"]]
    names = {plain_name(r["api"]) for r in pages if r["doc_family"] not in chapters}
    others = {n for n in names if TABLE.get(n) is not None and TABLE[n].family.operands} - compared
    assert others <= {"DataCopy", "DataCopyPad"}


def test_kinds_of_transposition():
    """transpose_type by product and type, which the rows above do not tell apart."""
    wanted, found = set(), set()
    for row in rows_of("dtypes.csv"):
        if row["api"] == "Transpose" and "TRANSPOSE_" in row["extra"]:
            kinds = row["extra"].partition("=")[2].split("|")
            wanted |= {(row["product"], element(row["dst_dtype"]), kind) for kind in kinds}
    (variant,) = TABLE["Transpose"].variants
    for product, row in variant.types:
        _, allowed = variant.choices[product]
        kinds = set(allowed) & set(row.only[1] if row.only else allowed)
        found |= {(product.id, str(row.types[0]), kind.name) for kind in kinds if kind.value}
    assert len(wanted) == 89
    assert found == wanted


@pytest.mark.parametrize("name", sorted(HOW))
def test_products(name):
    """The yes and no columns of the instruction list, over all pages of one name."""
    pages = [r for r in rows_of("instructions.csv") if plain_name(r["api"]) == name and "ALIAS" not in r["notes"]]
    yes = {product for product in PRODUCTS for row in pages if row[product] == "yes"}
    assert {p.id for prototype in TABLE[name].prototypes for p in prototype.types.products()} == yes
