"""Register loops of 950: totals of PTO's fitted cases and of a row-looped benchmark (spec 04 section (b))."""

import math
import re

from ascend_sim.timing import banks_950
from ascend_sim.timing.banks import Stream
from ascend_sim.timing.cost import loop_cycles
from isa.model import Timing
from isa.products import REPEAT_BYTES

_BITS = {
    "float": 32, "half": 16, "int8": 8, "uint8": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32,
    "bfloat16": 16, "hfloat8": 8,
}  # fmt: skip
_CLASSES = {
    "TADD": ("SIMPLE", 2), "TSUB": ("SIMPLE", 2), "TMUL": ("MULTIPLY", 2), "TMINS": ("EXTREMUM", 1),
    "TNEG": ("MULTIPLY", 1), "TDIVS": ("DIVIDE", 1), "TRECIP": ("RECIPROCAL", 1), "TEXP": ("EXPONENTIAL", 1),
    "TSQRT": ("ROOT", 1), "TRSQRT": ("INVERSE_ROOT", 1), "TABS": ("EXTREMUM", 1), "TADDS": ("SIMPLE", 1),
    "TAND": ("LOGIC", 2), "TAXPY": ("ACCUMULATE", 2), "TCVT": ("CONVERT", 1),
    "TCOLEXPANDADD": ("SIMPLE", 2), "TCOLEXPANDSUB": ("SIMPLE", 2), "TCOLEXPANDDIV": ("DIVIDE", 2),
}  # fmt: skip
_CHOSEN = {"TADD", "TMINS", "TRSQRT"}
"""Their points gave LOOP_BASE, LOOP_VECTOR, LOOP_ROW, LOOP_PORT and the one slope; all others are predicted."""


def loop_total(timing: str, dtype: str, rows: int, vectors: int, sources: int) -> float:
    """Cycles of a loop over dense operands that start in different banks."""
    streams = [Stream(i * 2048 + 8 * (i % 2), 1, 8, 8) for i in range(sources + 1)]
    banks = banks_950.bank_cycles(tuple(streams[:sources]), streams[-1], rows * vectors)
    return loop_cycles(Timing[timing], _BITS.get(dtype, 32) > 16, rows, vectors, banks)


def simulated_loop(operation: str, dtype: str, config: str) -> tuple[str, bool, float] | str:
    """(row, chosen, predicted) of one point."""
    if operation not in _CLASSES:
        return f"{operation} on 950: its steps are not published"
    if "high_precision" in config:
        return "high-precision reciprocal: the instruction has no such option here"
    timing, sources = _CLASSES[operation]
    benchmark = re.match(r"(\d+)x(\d+)", config)
    names = [d.lower() for d in re.split(r"->(?!\d)", dtype)]
    names[0] = re.sub(r"->\d+$", "", names[0])
    if operation == "TCVT" and not all(n in ("float", "half", "bfloat16", "hfloat8") for n in names):
        return "conversions of 950 to and from 8- and 4-bit floats by several steps: not published"
    if operation == "TCVT" and "hfloat8" in names and names[0] != "half":
        return "conversions of 950 to and from 8- and 4-bit floats by several steps: not published"
    bits = max(_BITS[n] for n in names)
    if benchmark:
        rows, cols = map(int, benchmark.groups())
    elif found := re.search(r"rows=(\d+) cols=(\d+)", config):
        rows, cols = map(int, found.groups())
    else:
        dims = re.search(r"dims=(\d+)(?:,(\d+),(\d+))?", config)
        assert dims is not None
        rows, cols = (int(dims[2]), int(dims[3])) if dims[2] else (1, int(dims[1]))
    vectors = math.ceil(cols * bits / (8 * REPEAT_BYTES))
    if benchmark:
        return (
            "loops of 950, row-looped tiles",
            False,
            loop_total(timing, "float" if bits > 16 else "half", rows, vectors, sources),
        )
    if vectors == 1:  # the inner loop is folded away
        rows, vectors = 1, rows
    kind = "float" if bits > 16 else "half"
    row = "loops of 950, conversions" if operation == "TCVT" else "loops of 950"
    return row, operation in _CHOSEN, loop_total(timing, kind, rows, vectors, sources)
