"""The golden workflow: is a kernel's output what was expected, and if not, which lanes, blocks and repeats are wrong.

`compare` is stricter than the scripts of the samples in one point: they let a small share of the elements be wrong, so
one garbage lane in the last of many repeats passes. Here every mismatch fails unless `error_ratio` says otherwise, and
the report adds what the samples' script would have said.
"""

import os
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from ascend_sim.views.pattern import describe
from isa.dtypes import ElementType, Kind, bfloat16_t, double, float32, half, unpack_nibbles
from isa.numerics.formats import to_host
from isa.numerics.rules import Array

REPEAT_BYTES = 256
SHOWN = 10


@attrs.frozen(kw_only=True)
class Tolerance:
    """Elements match when abs(out - golden) <= atol + rtol * abs(golden), as in numpy.isclose.

    error_ratio: share of wrong elements that the samples' script lets pass; source: where the numbers come from.
    """

    rtol: float
    atol: float
    error_ratio: float
    source: str


EXACT = Tolerance(rtol=0.0, atol=0.0, error_ratio=0.0, source="the samples compare integers for equality")

TOLERANCES: dict[ElementType, Tolerance] = {
    half: Tolerance(
        rtol=1e-3,
        atol=1e-5,
        error_ratio=1e-3,
        source="asc-devkit examples, verify_result.py: constants marked 'for float16' (rtol in 70 files, atol in 26)",
    ),
    float32: Tolerance(
        rtol=1e-6,
        atol=1e-9,
        error_ratio=1e-4,
        source="asc-devkit examples, verify_result.py: the constants of 47 files",
    ),
    bfloat16_t: Tolerance(
        rtol=2.0**-8,
        atol=1e-5,
        error_ratio=1e-3,
        source="no sample among those counted; one step of the format, the rest as for half",
    ),
    double: Tolerance(rtol=1e-6, atol=1e-9, error_ratio=1e-4, source="no sample among those counted; as for float32"),
}
"""The samples' tolerances by element type. Types that are not here are compared for equality."""


def tolerance_of(dtype: ElementType) -> Tolerance:
    """The samples' tolerance; complex types have that of their parts."""
    if dtype.kind is Kind.COMPLEX:
        return TOLERANCES[half if dtype.bits == 32 else float32]
    if dtype.is_integer:
        return EXACT
    narrow = attrs.evolve(EXACT, source="no sample among those counted; formats of up to 8 bits are compared exactly")
    return TOLERANCES.get(dtype, narrow)


@attrs.frozen
class Mismatch:
    """One wrong element; the errors are None where a NaN or an infinity leaves no distance."""

    index: int
    value: Any
    golden: Any
    abs_error: float | None
    rel_error: float | None

    def __str__(self) -> str:
        line = f"[{self.index}] {self.value!s}, golden {self.golden!s}"
        if self.abs_error is None:
            return line
        relative = "" if self.rel_error is None else f", relative {self.rel_error:.3g}"
        return f"{line}: off by {self.abs_error:.6g}{relative}"


@attrs.frozen(kw_only=True)
class Comparison:
    """What came of it. `passed` is the verdict, `str()` the report.

    indices: all wrong elements; first: some of them; groups: sentences about where they lie; remarks: about sizes and
    NaN; both_nan: elements that are NaN on both sides, and count as equal.
    """

    dtype: ElementType
    lanes: int
    size: int
    golden_size: int
    rtol: float
    atol: float
    error_ratio: float
    indices: Array
    first: tuple[Mismatch, ...]
    groups: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    both_nan: int = 0

    @property
    def ratio(self) -> float:
        """Share of the compared elements that are wrong."""
        return self.indices.size / max(min(self.size, self.golden_size), 1)

    @property
    def passed(self) -> bool:
        return self.size == self.golden_size > 0 and self.ratio <= self.error_ratio

    def __str__(self) -> str:
        wrong, size = self.indices.size, min(self.size, self.golden_size)
        rule = "exactly" if self.rtol == self.atol == 0 else f"within rtol {self.rtol:g}, atol {self.atol:g}"
        lines = [f"{'equal' if self.passed else 'NOT equal'}: {size - wrong} of {size} {self.dtype} match {rule}"]
        lines += self.remarks
        if wrong:
            lines.append(f"{wrong} wrong (ratio {self.ratio:.3g}):")
            lines += [f"  {group}" for group in self.groups]
            lines.append("first ones:" if wrong > len(self.first) else "they are:")
            lines += [f"  {mismatch}" for mismatch in self.first]
            lines += self._verdict_of_samples()
        return "\n".join(lines)

    def _verdict_of_samples(self) -> list[str]:
        allowed = tolerance_of(self.dtype).error_ratio
        if self.passed:
            return [f"accepted: the ratio is at most {self.error_ratio:g}"]
        if self.size == self.golden_size and 0 < self.ratio <= allowed:
            return [f"the samples' verify_result.py would let this pass: it accepts a ratio up to {allowed:g}"]
        return []


def compare(
    out: Any,
    golden: Any,
    dtype: ElementType = half,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    error_ratio: float = 0.0,
    lanes: int | None = None,
    shown: int = SHOWN,
) -> Comparison:
    """Compare an output with what was expected, element by element, in their flat order.

    out, golden: arrays, anything with a numpy() method, or raw bytes as a .bin file holds them. rtol, atol: default to
    the samples' for the element type (TOLERANCES); NaN equals NaN. error_ratio: share of wrong elements to accept.
    lanes: elements in a repeat, for the grouping; default 256 bytes of `dtype`. shown: mismatches to list.
    """
    if lanes is not None and lanes < 1:
        raise ValueError(f"a repeat has at least one lane, not {lanes}")
    lanes = REPEAT_BYTES * 8 // dtype.bits if lanes is None else lanes
    usual = tolerance_of(dtype)
    rtol = usual.rtol if rtol is None else rtol
    atol = usual.atol if atol is None else atol
    mine, theirs = values_of(out, dtype), values_of(golden, dtype)
    remarks = [*_about_sizes(out, golden, mine.size, theirs.size, dtype)]
    size = min(mine.size, theirs.size)
    mine_part, theirs_part = _wide(mine[:size]), _wide(theirs[:size])
    with np.errstate(all="ignore"):
        both_nan = np.isnan(mine_part) & np.isnan(theirs_part)
        equal = (mine_part == theirs_part) | both_nan
        if rtol or atol:
            equal |= np.isclose(mine_part, theirs_part, rtol=rtol, atol=atol)
    indices = np.flatnonzero(~equal)
    if both_nan.any():
        remarks.append(
            f"{int(both_nan.sum())} elements are NaN on both sides and count as equal, the first at "
            f"{int(both_nan.argmax())}: a poisoned lane would not show there"
        )
    return Comparison(
        dtype=dtype,
        lanes=lanes,
        size=mine.size,
        golden_size=theirs.size,
        rtol=rtol,
        atol=atol,
        error_ratio=error_ratio,
        indices=indices,
        first=tuple(_mismatch(int(i), mine[i], theirs[i]) for i in indices[:shown]),
        groups=describe(indices, size, lanes=lanes, per_block=dtype.per_block, values=mine_part, golden=theirs_part),
        remarks=tuple(remarks),
        both_nan=int(both_nan.sum()),
    )


def values_of(source: Any, dtype: ElementType) -> Array:
    """The elements in flat order. Bytes that do not fill an element are left out; `compare` says so."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        raw = np.frombuffer(source, np.uint8)
        whole = raw[: raw.size // dtype.size * dtype.size]
        return to_host(unpack_nibbles(whole) if dtype.is_nibble else whole.view(dtype.carrier), dtype)
    if isinstance(source, (str, os.PathLike)):
        raise TypeError(f"{source!r} is a path: compare its bytes, for example Path(...).read_bytes()")
    if not isinstance(source, np.ndarray) and hasattr(source, "numpy"):
        source = source.numpy()
    return np.asarray(source).reshape(-1)


def _about_sizes(out: Any, golden: Any, mine: int, theirs: int, dtype: ElementType) -> Iterator[str]:
    for name, source in (("output", out), ("golden", golden)):
        if isinstance(source, (bytes, bytearray, memoryview)) and len(source) % dtype.size:
            yield f"the {name} has {len(source)} bytes, no whole number of {dtype} ({dtype.size} bytes each)"
    if mine != theirs:
        which = "fewer" if mine < theirs else "more"
        yield (
            f"sizes differ: the output has {mine} elements of {dtype}, {abs(mine - theirs)} {which} than the golden "
            f"with {theirs}; the first {min(mine, theirs)} are compared{_guess(mine, theirs)}"
        )
    elif not mine:
        yield "both are empty: nothing was compared"


def _guess(mine: int, theirs: int) -> str:
    low, high = sorted((mine, theirs))
    if low and high in (2 * low, 4 * low, 8 * low):
        return f" (one is {high // low} times the other: another element type?)"
    return ""


def _wide(values: Array) -> Array:
    """In a type whose comparisons are exact and whose differences do not overflow."""
    if values.dtype.kind in "biuc":
        return values
    return values.astype(np.float64)


def _mismatch(index: int, value: Any, golden: Any) -> Mismatch:
    one, other = _python(value), _python(golden)
    difference = abs(one - other)
    if not difference < float("inf"):  # NaN too
        return Mismatch(index, value, golden, None, None)
    return Mismatch(index, value, golden, float(difference), float(difference / abs(other)) if other else None)


def _python(value: Any) -> Any:
    """A Python number: its differences neither overflow nor round more than they must."""
    kind = np.asarray(value).dtype.kind
    return complex(value) if kind == "c" else int(value) if kind in "biu" else float(value)


def read_tolerance(text: str) -> tuple[float, float]:
    """The two numbers of `rtol,atol`; ValueError with the form to write."""
    try:
        rtol, atol = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"{text!r}: write two numbers, rtol,atol, for example 1e-3,1e-5") from None
    if not (0 <= rtol < float("inf") and 0 <= atol < float("inf")):
        raise ValueError(f"{text!r}: tolerances are finite and not negative")
    return rtol, atol
