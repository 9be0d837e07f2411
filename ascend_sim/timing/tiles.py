"""PTO's tile operations on A2 and A3, as sequences of vector instructions (spec 04, section (b) and label notes)."""

import math
import re

from ascend_sim.machine.issue import Issue
from ascend_sim.timing.model import timeline
from ascend_sim.timing.programs import DTYPES, barrier, program, vector
from isa.products import ASCEND910B, REPEAT_BYTES
from isa.timings import DRAIN, HARNESS

_BINARY = {"TAdd": "VADD", "TSub": "VSUB", "TMul": "VMUL", "TDiv": "VDIV"}
_UNARY = {"TExp": "VEXP", "TSqrt": "VSQRT", "TAbs": "VABS"}
_SCALAR = {"TAddS": "VADDS", "TMulS": "VMULS", "TMins": "VMINS"}
_REDUCTIONS = {"TRowSum": "VCADD", "TRowMax": "VCMAX", "TRowMin": "VCMIN"}
_ALL = {**_BINARY, **_UNARY, **_SCALAR, **_REDUCTIONS}
_UPPER = {name.upper(): name for name in _ALL}

FITS_NOTHING = {
    ("TRowSum", "half_16x256"), ("TRowMax", "float_16x256"), ("TRowMax", "half_16x256"), ("TRowMin", "float_16x256"),
    ("TRowMin", "half_16x256"), ("TRowMin", "half_64x128"), ("TExp", "float_32x16"), ("TSqrt", "float_64x64_inplace"),
    ("TSqrt", "half_64x64_inplace"), ("TExp", "half_64x64"), ("TExp", "half_32x32"),
}  # fmt: skip
"""Values that spec 04 names as fitting no regime and contradicting formulas of the same repository."""
STREAMED = {("TAbs", "float_64x64"), ("TAbs", "half_16x256"), ("TMins", "int32_64x64"), ("TMins", "int16_64x64")}
"""Values that are of the streaming regime (label notes): latency + C."""

Found = tuple[str, bool, float, float, str]
"""(row, chosen, measured, predicted, what)."""


def total(issues: list[Issue]) -> float:
    """Cycles from an empty pipe to a drained one, as PTO's harness counts them."""
    return timeline(program(issues), ASCEND910B).cycles - 1 + HARNESS.value


def _repeats(name: str, dtype: str, rows: int, cols: int, *, by_row: bool = False) -> tuple[int, bool]:
    """Repeats of an elementwise tile operation, and whether it runs in counter mode (spec 04 section (b)).

    by_row: the tile's valid part is known at run time only, so PTO repeats over rows, column by column of repeats.
    """
    lanes = REPEAT_BYTES * 8 // DTYPES[dtype].bits
    if by_row:
        return rows * math.ceil(cols / lanes), False
    if cols < lanes and name in _BINARY:  # one repeat a row, partly filled
        return rows, True
    return math.ceil(rows * cols / lanes), cols > lanes and cols % lanes != 0


def tile_formula(operation: str, dtype: str, config: str, value: str) -> list[Found] | str:
    """A line of formula_params.csv at 1, 4, 16 and 64 rows; column reductions by their slope."""
    slope, bias = map(float, value.split(";"))
    if dtype == "any":
        name = _UPPER[operation]
        return [
            (
                "isolated, tiles",
                True,
                slope * 64 * r + bias,
                total([vector(_ALL[name], [DTYPES["fp32"]] * 2, r)]),
                f"R={r}",
            )
            for r in (1, 4, 16, 64)
        ]
    cols = int(re.search(r"cols=(\d+)", config)[1])  # type: ignore[index]  # the format of the file
    lanes = REPEAT_BYTES * 8 // DTYPES[dtype].bits
    if operation in ("TCOLSUM", "TCOLMAX"):
        return _column(operation, dtype, cols, slope)
    found: list[Found] = []
    for rows in (1, 4, 16, 64):
        if operation == "TDIVS":
            n, counter = _repeats("TDivS", dtype, rows, cols)
            types = [DTYPES[dtype]] * 3
            issues = [
                vector("VECTORDUP", types, n, counter=counter),
                barrier(),
                vector("VDIV", types, n, (0x8000, 0, 0x10100)),
            ]
            row, chosen = "isolated, tiles", True
        elif operation in _UPPER and _UPPER[operation] in _REDUCTIONS:
            if cols > lanes:
                return "reductions of rows of several repeats: the order of their steps is not published"
            issues = [vector(_REDUCTIONS[_UPPER[operation]], [DTYPES[dtype]] * 2, rows, packed=True)]
            row, chosen = "isolated, reductions", True
            if cols < lanes:
                return "reductions of rows below a repeat: mask set-up is not published"
        elif operation in _UPPER:
            name = _UPPER[operation]
            n, counter = _repeats(name, dtype, rows, cols)
            issues = [vector(_ALL[name], [DTYPES[dtype]] * 3, n, counter=counter)]
            row, chosen = "isolated, tiles", True
        else:
            return f"{operation}: reads a scalar for each row"
        found.append((row, chosen, slope * rows + bias, total(issues), f"cols={cols} rows={rows}"))
    return found


def _column(operation: str, dtype: str, cols: int, slope: float) -> list[Found]:
    """Cycles of one more row: an instruction and a barrier. TCOLMAX takes a second instruction for a partial repeat."""
    lanes = REPEAT_BYTES * 8 // DTYPES[dtype].bits
    name = "VADD" if operation == "TCOLSUM" else "VMAX"
    whole, rest = divmod(cols, lanes)
    parts = [whole + bool(rest)] if name == "VADD" else [*([whole] if whole else []), *([1] if rest else [])]
    types = [DTYPES[dtype]] * 3
    body = [i for n in parts for i in (vector(name, types, n, (0x8000, 0, 0x10100)), barrier())]
    few, many = (timeline(program(body * n), ASCEND910B).cycles for n in (8, 24))
    single = len(parts) == 1 and parts[0] == 1
    row = "serialized, one repeat" if single else "serialized, more repeats"
    return [(row, single and cols == lanes, slope, (many - few) / 16, f"cols={cols}")]


def tile_total(operation: str, dtype: str, config: str) -> float | str:
    """The cycles of one case of PTO's tests."""
    case = config.partition(" ")[0]
    if (operation, case) in FITS_NOTHING:
        return "fits no regime and contradicts a formula of the same repository (spec 04, label notes)"
    if operation == "TCvt":
        return total([vector("VCONV", [DTYPES["half"], DTYPES["float"]], 4)])
    if operation not in _ALL and operation != "TDivS":
        return f"{operation}: not one of the tile operations that are one or two vector instructions"
    if operation == "TDivS" and dtype == "int16_t":
        return "TDivS of int16_t: a scalar loop"
    return _vector_tile(operation, dtype, case, by_row=config.count(",") == 4)


def _vector_tile(operation: str, dtype: str, case: str, *, by_row: bool) -> float:
    rows, cols = map(int, re.findall(r"(\d+)x(\d+)", case)[0])
    types = [DTYPES[dtype]] * 3
    if operation in _REDUCTIONS:
        return total([vector(_REDUCTIONS[operation], types[:2], rows, packed=True)])
    n, counter = _repeats(operation, dtype, rows, cols, by_row=by_row)
    active = cols if n == rows and cols < REPEAT_BYTES * 8 // DTYPES[dtype].bits else None
    if dtype == "int16_t" and cols == 64:  # 64 half-filled repeats (label notes)
        n = rows
    if operation == "TDivS":
        fill = vector("VECTORDUP", types, n, lanes_active=active)
        return total([fill, barrier(), vector("VDIV", types, n, (0x8000, 0, 0x10100), lanes_active=active)])
    cycles = total([vector(_ALL[operation], types, n, counter=counter, lanes_active=active)])
    return cycles - HARNESS.value - DRAIN.value if (operation, case) in STREAMED else cycles
