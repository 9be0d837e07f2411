"""The golden table of conversions: product, types, mode, source code, expected code."""

import csv
from pathlib import Path

from isa import dtypes


def _read() -> list[dict[str, str]]:
    with (Path(__file__).parent / "data" / "golden_cast.csv").open() as file:
        return list(csv.DictReader(file))


ROWS = _read()


def element_type(name: str) -> dtypes.ElementType:
    """The type of a row; the table has the documentation's `float`."""
    return dtypes.ALL["float32" if name == "float" else name]
