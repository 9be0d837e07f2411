"""`ascend-sim isa`: counts, the table, one page; the catalogue against the list of the documentation's pages."""

import csv
from pathlib import Path

import pytest

from ascend_sim.cli import main
from ascend_sim.views import pages
from isa.catalogue import pages as catalogue, without_meaning
from isa.model import ALIASES, TABLE
from isa.products import PRODUCTS

ROOT = "docs/zh/api/SIMD-API/"
with (Path(__file__).resolve().parent.parent / "data" / "instructions.csv").open(newline="", encoding="utf-8") as lines:
    ROWS = [row for row in csv.DictReader(lines) if "ALIAS" not in row["notes"]]
COUNTS = {
    "ascend910": 43,
    "ascend310p": 76,
    "ascend910b": 85,
    "ascend910_93": 85,
    "ascend310b": 65,
    "ascend950": 116,
}


def printed(capsys, *arguments):
    assert main(["isa", *arguments]) == 0
    return capsys.readouterr().out


def test_summary_counts_the_supported_apis(capsys):
    text = printed(capsys, "--summary")
    rows = {parts[0]: int(parts[1]) for parts in map(str.split, text.splitlines()) if parts and parts[0] in PRODUCTS}
    assert rows == COUNTS


def test_summary_names_what_has_no_counterpart(capsys):
    text = printed(capsys, "--summary")
    for page in without_meaning():
        assert f"{page.title}: {page.reason}" in text
        assert page.reason


def test_catalogue_is_the_list_of_the_documentation():
    """Pages and the products of each, 124 rows compared."""
    found = {page.doc: {p.id for p in page.products} for page in catalogue()}
    wanted = {row["doc_path"].removeprefix(ROOT): {p for p in PRODUCTS if row[p] == "yes"} for row in ROWS}
    print(f"{len(wanted)} rows compared")  # noqa: T201  # shown with -s
    assert len(wanted) == 124
    assert found == wanted


def test_pages_without_an_instruction_are_the_listed_ones():
    assert {page.doc for page in catalogue() if not page.instruction} == {page.doc for page in without_meaning()}
    assert {page.instruction for page in catalogue()} - {""} <= TABLE.keys()


def test_table_has_every_instruction(capsys):
    names = {line.split()[0] for line in printed(capsys).splitlines() if line}
    assert names >= TABLE.keys()


@pytest.mark.parametrize("name", [*TABLE, *ALIASES])
def test_every_instruction_has_a_page(name):
    text = pages.page(name)
    instruction = TABLE[ALIASES.get(name, name)]
    assert text.splitlines()[0] == instruction.name
    assert instruction.doc in text
    assert instruction.summary in text


def test_page_of_cast(capsys):
    text = printed(capsys, "Cast")
    for part in ("Cast(dst, src, round_mode, count)", "32-byte blocks", "half float32 (CAST_RINT", "Cast.md"):
        assert part in text


def test_page_of_an_old_name(capsys):
    text = printed(capsys, "WholeReduceMax")
    assert text.startswith("ReduceRepeat\n")
    assert "results of a repeat" in pages.page("ReduceDataBlock")


def test_unknown_name(capsys):
    assert main(["isa", "Foo"]) == 2
    assert "Foo" in capsys.readouterr().err


def test_document_is_what_the_declarations_give(capsys):
    """Regenerate with `ascend-sim isa --markdown > docs/instructions.md`."""
    stored = Path(__file__).resolve().parents[2] / "docs" / "instructions.md"
    assert stored.read_text(encoding="utf-8") == printed(capsys, "--markdown")
