"""docs/testing.md states the tolerances that the code has."""

from ascend_sim.views.compare import tolerance_of
from isa.dtypes import ALL, int32_t
from tests.guards import ROOT


def test_the_table_of_tolerances():
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs" / "testing.md").read_text().splitlines()
        if line.startswith("| ") and "rtol" not in line
    ]
    stated = {name: row[1:] for row in rows for name in row[0].split(", ")}
    other = stated.pop("integers")
    assert stated.pop("types of up to 8 bits") == other
    for dtype in ALL.values():
        tolerance = tolerance_of(dtype)
        numbers = [f"{number:.9g}" for number in (tolerance.rtol, tolerance.atol, tolerance.error_ratio)]
        assert numbers == stated.get(dtype.name, other), dtype
    assert int32_t.name not in stated
