"""The boundary values that the vendor prints for A2 and A3 (AMEM-n) and for ascend950 (AREG-n), 3,798 rows.

`tests/data/boundary_values.csv` holds the tables as printed, one line for each combination that a cell stands for.
Tables of AREG whose minus signs were lost in print (18..20, 22..24) and the garbled 27 and 28 are left out, and a
printed int32 maximum of 2147483648 is read as 2147483647. What else is misprinted is listed below, with the reason.
"""

import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from isa.dtypes import ALL
from isa.model import TABLE
from isa.products import PRODUCTS
from tests.isa.kernels import rules_for, run

DATA = Path(__file__).resolve().parent.parent / "data" / "boundary_values.csv"

with DATA.open(newline="") as lines:
    ROWS = tuple(csv.DictReader(lines))

# The printed operands (src0 src1 dst) in the order in which the kernel takes them.
ORDER = {"MulAddDst": (2, 0, 1), "FusedMulAdd": (1, 0, 2), "MulAddRelu": (1, 0, 2), "Axpy": (2, 0, 1)}
MULTIPLY_ADD = ("AMEM-20", "AMEM-21", "AMEM-22", "AMEM-23")
POSITIVE_ZERO = {"0 0", "-0 -0", "0 MAX", "-0 MIN"}  # products
NEGATIVE_ZERO = {"0 -0", "0 MIN", "-0 MAX"}


@dataclass(frozen=True)
class Cell:
    table: str
    dtype: str
    operands: str
    column: str
    printed: str

    @property
    def half_saturates(self):
        return self.dtype == "half" and self.column == "saturating"

    @property
    def product(self):
        return self.operands.rpartition(" ")[0]

    @property
    def last(self):
        return self.operands.rpartition(" ")[2]

    def is_(self, table, operands, printed):
        return (self.table, self.operands, self.printed) == (table, operands, printed)


MISPRINTS = {
    "+0 + -0 is +0 in every mode; the column next to it says so": lambda cell: (
        cell.table in MULTIPLY_ADD
        and cell.half_saturates
        and cell.product in POSITIVE_ZERO
        and cell.last == cell.printed == "-0"
    ),
    "an infinite result in the saturating column": lambda cell: (
        cell.table in MULTIPLY_ADD
        and cell.half_saturates
        and cell.product in NEGATIVE_ZERO
        and cell.printed in ("inf", "-inf")
    ),
    "MAX + MAX is infinite; MIN + MIN on the same page is": lambda cell: (
        cell.table in MULTIPLY_ADD and not cell.half_saturates and (cell.operands, cell.printed) == ("MAX 1 MAX", "MAX")
    ),
    "float32 never saturates": lambda cell: (
        cell.dtype == "float32"
        and (
            cell.is_("AMEM-4", "nan", "0")
            or any(cell.is_("AREG-10", f"-0 {slope}", "0") for slope in ("inf", "-inf", "nan"))
        )
    ),
    "MAX and MIN are exchanged": lambda cell: (
        cell.half_saturates and (cell.is_("AMEM-19", "MIN inf", "MAX") or cell.is_("AMEM-19", "MIN -inf", "MIN"))
    ),
    "the pair stands among the negative sums, with a sign wrong": lambda cell: (
        cell.is_("AMEM-24", "-0 inf", "0") or cell.is_("AMEM-25", "0 -inf", "0")
    ),
    "the pair stands among the negative differences and, rightly, among those that are NaN": lambda cell: (
        cell.is_("AMEM-25", "-inf -inf", "0") and not cell.half_saturates
    ),
    "-0 - -0 is +0; AMEM-10 prints it": lambda cell: cell.is_("AREG-14", "-0 -0", "-0"),
    "a magnitude is not negative": lambda cell: cell.is_("AREG-26", "-0 -inf", "-inf") and cell.dtype == "float32",
    "the sign of the zero was lost": lambda cell: (
        cell.table == "AREG-29" and cell.product in NEGATIVE_ZERO and (cell.last, cell.printed) == ("-0", "0")
    ),
    "the pair stands among the negative products": lambda cell: (
        cell.table == "AREG-29" and cell.product == "-inf -inf" and cell.printed in ("-inf", "MIN")
    ),
}


def misprint(row, column):
    """Why a printed cell cannot be right, or None."""
    cell = Cell(row["table"], row["dtype"], row["operands"], column, row[column])
    return next((reason for reason, holds in MISPRINTS.items() if holds(cell)), None)


def value(text, dtype):
    named = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}
    if dtype.is_float:
        largest = np.finfo(dtype.carrier).max
        named |= {"MAX": largest, "MIN": -largest, "-0": -0.0}
        return dtype.carrier.type(named[text] if text in named else float(text))
    limits = np.iinfo(dtype.carrier)
    named |= {"MAX": limits.max, "MIN": limits.min}
    return dtype.carrier.type(named[text] if text in named else int(text))


def agrees(got, wanted):
    """Bit for bit, except that most decimals are printed with few digits."""
    if np.isnan(wanted):
        return np.isnan(got)
    if wanted == 0 or np.isinf(wanted):
        return got == wanted and np.signbit(got) == np.signbit(wanted)
    return got == wanted or abs(float(got) - float(wanted)) <= 0.02 * abs(float(wanted))


@pytest.mark.parametrize("column", ["inf_nan", "saturating"])
@pytest.mark.parametrize("table", sorted({row["table"] for row in ROWS}))
def test_printed_boundary_values(table, column):
    wrong = []
    rows = [row for row in ROWS if row["table"] == table]
    for row in rows:
        instruction, dtype = TABLE[row["instruction"]], ALL[row["dtype"]]
        operands = [value(text, dtype) for text in row["operands"].split()]
        order = ORDER.get(row["instruction"], range(len(operands)))
        scalars = 1 if instruction.family.has_scalar else 0
        sources = [operands[i] for i in order]
        arrays = [np.full(3, source) for source in sources[: len(sources) - scalars]]
        rules = rules_for(PRODUCTS[row["product"]].arch, saturates=column == "saturating")
        types = (dtype,) * len(instruction.family.operands)
        got = run(instruction, types, arrays + sources[len(sources) - scalars :], rules)
        fits = all(agrees(lane, value(row[column], dtype)) for lane in got)
        reason = misprint(row, column)
        assert reason is None or not fits, f"{row} agrees after all: {reason}"
        if reason is None and not fits:
            wrong.append((row["instruction"], row["dtype"], row["operands"], row[column], got[0]))
    assert wrong == []


def test_all_rows_are_read():
    assert len(ROWS) == 3798


def test_few_cells_are_misprinted():
    """And each reason is needed."""
    reasons = Counter(misprint(row, column) for row in ROWS for column in ("inf_nan", "saturating"))
    del reasons[None]
    assert reasons.keys() == MISPRINTS.keys()
    assert reasons.total() == 97
