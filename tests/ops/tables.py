"""The golden tables of operators: one row a line, bits as they stand there."""

import csv
from pathlib import Path

import ml_dtypes
import numpy as np

FOLDER = Path(__file__).parents[1] / "data" / "golden_ops"
TYPES = {
    "fp32": np.float32,
    "fp16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "int64": np.int64,
    "int32": np.int32,
    "int16": np.int16,
    "int8": np.int8,
    "uint8": np.uint8,
    "bool": np.bool_,
}


def rows(name: str) -> list[dict[str, str]]:
    """The rows of one table."""
    with (FOLDER / f"{name}.csv").open() as table:
        return list(csv.DictReader(table))


def from_bits(codes, dtype) -> np.ndarray:
    """Values of a float type from its bit patterns."""
    dtype = np.dtype(dtype)
    return np.array([int(c, 16) for c in codes], f"u{dtype.itemsize}").view(dtype)


def same(a, b) -> np.ndarray:
    """Equal as values and in the sign of zeros; any NaN equals any."""
    a, b = np.asarray(a).astype(np.float64), np.asarray(b).astype(np.float64)
    return (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)
