"""The declaration of Cast against tables 4..9 of its page, row by row."""

import csv
from pathlib import Path

import isa.convert
from isa.dtypes import ALL
from isa.products import PRODUCTS

ROWS = list(csv.DictReader((Path(__file__).parents[1] / "data" / "cast_table.csv").read_text().splitlines()))
NAMES = {t.cpp: t for t in ALL.values()}


def test_every_row_of_the_documentation_is_declared_with_its_modes():
    assert len(ROWS) == 160
    for row in ROWS:
        product, dst, src = PRODUCTS[row["product"]], NAMES[row["dst"]], NAMES[row["src"]]
        declared = isa.convert.CAST.types.find(product, (dst, src))
        assert declared is not None, row
        modes = [m.name for m in declared.round_modes or ()]
        assert modes == [m for m in row["round_modes"].split("/") if m], row
        assert declared.uses_deq_scale == row["special"].startswith("roundMode ignored"), row


def test_nothing_else_is_declared():
    assert sum(1 for _ in isa.convert.CAST.types) == len(ROWS)
