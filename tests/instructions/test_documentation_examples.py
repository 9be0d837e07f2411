"""The numeric examples of the documentation, reproduced: 65 agree, 8 differ for a stated reason, 1 has no data."""

import csv
from pathlib import Path

import pytest

from ascend_sim import NPU
from tests.instructions.doc_examples import EXAMPLES, agree
from tests.instructions.doc_table import CASES, DIFFERENT

TABLE = Path(__file__).resolve().parent.parent / "data" / "examples_verify.csv"
with TABLE.open(newline="", encoding="utf-8") as lines:
    CHECKS = {(row["id"], row["check"]): row["status"] for row in csv.DictReader(lines)}
WITHOUT_DATA = {key for key, status in CHECKS.items() if status == "skip"}


def outcome(key):
    """Whether everything that the example prints came out."""
    product, case = CASES[key]
    with NPU(product=product).core() as core:
        results = list(case(core, EXAMPLES[key[0]]))
        assert not [f for f in core.findings if f.severity == "error"]
    return all(agree(*result) for result in results)


def test_every_check_of_the_table_has_a_case():
    assert len(CHECKS) == 74
    assert CASES.keys() == CHECKS.keys() - WITHOUT_DATA
    assert DIFFERENT.keys() == {key for key, status in CHECKS.items() if status == "DIFF"}


@pytest.mark.parametrize("key", sorted(CASES.keys() - DIFFERENT.keys()), ids=" ".join)
def test_reproduces(key):
    assert outcome(key)


@pytest.mark.parametrize("key", sorted(DIFFERENT), ids=" ".join)
def test_differs_as_explained(key):
    assert not outcome(key), DIFFERENT[key]
