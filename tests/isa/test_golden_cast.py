"""Every row of the golden table of conversions, bit for bit."""

from collections import Counter

import numpy as np
import pytest

from isa.numerics.cast import TARGETS, cast
from isa.numerics.rules import Rules
from isa.params import RoundMode
from isa.products import PRODUCTS
from tests import oracle
from tests.golden import ROWS, element_type


def test_the_table_is_complete():
    assert len(ROWS) == 3146
    assert len({(row["product"], row["src_dtype"], row["dst_dtype"], row["mode"]) for row in ROWS}) == 492
    assert Counter(row["sat"] for row in ROWS) == {"sat": 2714, "nosat": 432}


def test_cast_knows_the_pairs_of_the_table_and_no_others():
    listed = {(element_type(row["src_dtype"]), element_type(row["dst_dtype"])) for row in ROWS}
    assert {(src, dst) for src, targets in TARGETS.items() for dst in targets} == listed


@pytest.mark.parametrize("product", PRODUCTS)
def test_rows_bit_for_bit(product):
    wrong, seen = [], 0
    for row in ROWS:
        if row["product"] != product:
            continue
        src, dst = element_type(row["src_dtype"]), element_type(row["dst_dtype"])
        scale = row["deq_scale_hex"]
        rules = Rules(
            PRODUCTS[product].arch,
            float_saturates=row["sat"] == "sat",
            cast_saturates=row["sat"] == "sat",
            deq_scale=float(np.array(int(scale, 16), np.uint16).view(np.float16)) if scale else None,
        )
        source = np.array([int(row["src_hex"], 16)], src.code).view(src.carrier)
        out = np.full(1, 0xA5, np.uint8).repeat(dst.size).view(dst.carrier)
        cast(src, dst, RoundMode[row["mode"]], rules)(source, out)
        got = int(out.view(dst.code)[0])
        if not oracle.same(dst.name, got, int(row["dst_hex"], 16)):
            wrong.append((row, hex(got)))
        seen += 1
    assert seen == sum(row["product"] == product for row in ROWS) > 0
    assert wrong == []
