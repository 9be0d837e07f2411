"""Published measurements, each mapped to a program of ours and to what the model says about it.

A mapping returns cases, or the reason why there is none; a reason is counted and shown, never dropped.
"""

import csv
import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import attrs

from ascend_sim.machine.issue import Issue
from ascend_sim.timing.copies import bandwidth, copy_cycles
from ascend_sim.timing.loop_points import loop_total, simulated_loop
from ascend_sim.timing.model import timeline
from ascend_sim.timing.programs import (
    CONFLICT,
    DTYPES,
    FREE,
    INTRINSICS,
    STREAM,
    barrier,
    mask_write,
    mode_write,
    program,
    vector,
)
from ascend_sim.timing.tiles import tile_formula, tile_total
from isa.products import ASCEND910B, ASCEND950, Product
from isa.timings import GIB, HARNESS, MACHINE_910B3, MACHINES, READ_SHARES, WRITE_SHARES, Machine

BOARD_MHZ = 1800.8  # of the bank sample: solved from its scenarios 1 and 2 (spec 04 section (c))


@attrs.frozen
class Point:
    """One row of a points file."""

    product: str
    instruction: str
    dtype: str
    config: str
    metric: str
    value: str
    unit: str
    source: str
    notes: str

    @property
    def number(self) -> float:
        return float(self.value)


@attrs.frozen
class Case:
    """The model beside one measurement. row: line of the report; chosen: the point helped to choose a constant."""

    row: str
    chosen: bool
    measured: float
    predicted: float
    what: str

    @property
    def error(self) -> float:
        """Relative error of the prediction."""
        return self.predicted / self.measured - 1


Mapped = list[Case] | str


def load(path: Path | None = None) -> list[Point]:
    """The points of a file with the columns of the shipped one, which is the default."""
    text = path.read_text() if path else (files(__package__) / "points.csv").read_text()
    return [
        Point(
            r["product"],
            r["instruction_or_kernel"],
            r["dtype"],
            r["config"],
            r["metric"],
            r["value"],
            r["unit"],
            r["source"],
            r.get("notes", ""),
        )
        for r in csv.DictReader(text.splitlines())
    ]


def map_point(point: Point) -> Mapped:
    """The cases of a point."""
    for pattern, mapping in _MAPPINGS:
        if re.search(pattern, f"{point.source}|{point.metric}"):
            return mapping(point)
    return "no program stands for it"


# Steady states and totals.


def per_turn(
    body: Sequence[Issue], product: Product = ASCEND910B, turns: int = 8, machine: Machine | None = None
) -> float:
    """Cycles that one more turn of a loop over `body` costs."""
    few = timeline(program([*body] * turns), product, machine=machine).cycles
    many = timeline(program([*body] * 2 * turns), product, machine=machine).cycles
    return (many - few) / turns


@lru_cache(maxsize=4096)
def isolated(name: str, dtype: str, repeats: int, *, counter: bool = False, packed: bool = False) -> float:
    """Cycles from an empty pipe to a drained one, as PTO's harness counts them (spec 04 section (g))."""
    issue = vector(name, [DTYPES[dtype]] * 3, repeats, counter=counter, packed=packed)
    return timeline(program([issue]), ASCEND910B).cycles - 1 + HARNESS.value


# MSKPP, streaming instructions.

_WITHOUT_API = {
    "VREDUCE": "vreduce: no AscendC instruction of A2 emits it",
    "VCONVVDEQ": "vconv_vdeq: CastDequant with a vector of scales is not modelled",
}


def _streaming(point: Point) -> Mapped:
    if "OUTLIER" in point.notes:
        return "marked as an outlier in the source"
    if point.instruction in _WITHOUT_API:
        return _WITHOUT_API[point.instruction]
    if point.instruction not in INTRINSICS:
        return f"unknown instruction {point.instruction}"
    repeats = int(re.search(r"repeat=(\d+)", point.config)[1])  # type: ignore[index]  # the format of the series
    if "half repeats" in point.notes:
        repeats = math.ceil(repeats / 2)
    *sources, dst = point.dtype.split("_")
    types = [DTYPES[d] for d in (dst, *sources)]
    layout = FREE if "conflict-free" in point.notes else STREAM
    scale = 1.85 / 1.80 if "1.80/1.85" in point.notes else 1.0
    issue = vector(point.instruction, types, repeats, layout)
    return [
        Case("streaming", True, point.number * scale, per_turn([issue]), f"{point.instruction} {point.dtype} {repeats}")
    ]


# BANK, scenarios of the bank sample.


def _scenario(point: Point) -> Mapped:
    where = {
        k: int(v, 0) for k, v in re.findall(r"(src0|src1|dst|blkStride|repStride)=(0x[0-9A-Fa-f]+|\d+)", point.config)
    }
    addresses = (where["dst"], where["src0"], where["src1"])
    blocks = (1, where.get("blkStride", 1), 1)
    repeats = (8, where.get("repStride", 8), 8)
    types = [DTYPES["FP32"]] * 3
    add = vector("VADD", types, 64, addresses, block_strides=blocks, repeat_strides=repeats)
    cycles = point.number * 20e-3 * BOARD_MHZ / 1000
    return [Case("bank scenarios", True, cycles, per_turn([mask_write(), add, barrier()]), point.config[26:])]


# ADD, DataCopy and other copies.


def _add_kernel(point: Point) -> Mapped:
    a2 = point.product.startswith("A2")
    tiles = 8192 * 8192 // 4096
    blocks = int(re.search(r"(\d+) AIV", point.config)[1])  # type: ignore[index]  # the format of the series
    case0 = "case 0" in point.config
    if point.metric == "aiv_vec_time" and not case0:
        if not a2:
            ns = loop_total("SIMPLE", "half", 1, 32, 2) / 1.65
            return [Case("Add kernel, vector time (950)", False, point.number, ns * tiles / 1000, point.config)]
        add = vector("VADD", [DTYPES["half"]] * 3, 32, CONFLICT, counter=True)
        cycles = per_turn([mode_write(), mask_write(), add, mode_write(), mask_write(), barrier()])
        return [Case("Add kernel, vector time (A2)", False, point.number, cycles / 1.85 * tiles / 1000, point.config)]
    if a2 and point.metric in ("aiv_mte2_time", "aiv_mte3_time"):
        reads = point.metric == "aiv_mte2_time"
        busy, _ = copy_cycles(1, 8192, 0, MACHINES["ascend910b"], ASCEND910B, blocks, reads=reads, aligned=True)
        copies = tiles // blocks * (2 if reads else 1)
        return [
            Case(
                "copies in kernels (A2)",
                reads and blocks == 1,
                point.number,
                busy / 1.85 * copies / 1000,
                f"{point.metric} {point.config}",
            )
        ]
    return "whole task or scalar time: launch and scalar code are not modelled"


def _data_copy(point: Point) -> Mapped:
    if point.metric != "aiv_mte2_time":
        return "whole task, cube core, ratio or cache counter"
    number = int(re.search(r"scenario (\d+)", point.instruction)[1])  # type: ignore[index]  # the format of the series
    if number > 4:
        return "reads that hit the L2, or of one address by all cores: not modelled"
    product = ASCEND950 if point.product.startswith("950") else ASCEND910B
    machine = MACHINES[product.id]
    cores = int(re.search(r"Block Num=(\d+)", point.config)[1])  # type: ignore[index]  # the format of the series
    rows, columns = map(int, re.search(r"Tile=\[(\d+),(\d+)\]", point.config).groups())  # type: ignore[union-attr]  # it matches
    pitch = 12287 * 2 if number == 4 else 12288 * 2
    busy, _ = copy_cycles(rows, columns * 2, pitch, machine, product, cores, reads=True, aligned=True)
    us = busy / machine.clock_mhz.value * 12288 * 12288 / (rows * columns * cores)
    row = "copies in kernels (A2)" if product is ASCEND910B else "copies in kernels (950)"
    return [Case(row, number == 1, point.number, us, f"{point.instruction} {point.product}")]


_PATHS = {"GM_TO_UB": True, "UB_TO_GM": False}


def _copies(point: Point) -> Mapped:
    if point.instruction == "UB_TO_UB":
        return "copies inside the Unified Buffer: rate only, no size of a burst"
    if point.instruction not in _PATHS:
        return "cube core buffers"
    nbytes = int(re.match(r"(\d+) KB", point.config)[1]) << 10  # type: ignore[index]  # the format of the series
    if point.product.startswith("950"):
        machine, product, row = MACHINES["ascend950"], ASCEND950, "copies, one core (950)"
    else:
        b3 = point.product.startswith("910B3")
        machine, product, row = MACHINE_910B3 if b3 else MACHINES["ascend910b"], ASCEND910B, "copies, one core (A2)"
    reads = _PATHS[point.instruction]
    _, cycles = copy_cycles(1, nbytes, 0, machine, product, 1, reads=reads, aligned=True)
    ns = nbytes / (point.number * GIB)
    return [
        Case(
            row,
            True,
            ns,
            cycles / machine.clock_mhz.value * 1000,
            f"{point.product} {point.instruction} {point.config}",
        )
    ]


def _shares(point: Point) -> Mapped:
    active = re.match(r"(\d+) active AIV", point.config)
    if not active:
        return "bandwidth of a path without a size"
    cores = int(active[1])
    machine = MACHINES["ascend910b"]
    cost, table = (machine.read, READ_SHARES) if point.instruction.startswith("GM") else (machine.write, WRITE_SHARES)
    ns = [1 / (point.number * GIB), 1 / bandwidth(cost, cores)]
    return [Case("copies, many cores", cores in table, ns[0], ns[1], f"{point.instruction} {cores} cores")]


# PTO, isolated fits and tiles.


def _fit(point: Point) -> Mapped:
    if point.instruction not in INTRINSICS:
        return "sort and gather: the source's unit of a repeat contradicts MSKPP"
    if point.metric != "fixed head+tail":
        return "slope of a line that its other row already stands for"
    slope, fixed = map(float, re.search(r"fit: ([\d.]+)\*rep\+(\d+)", point.config).groups())  # type: ignore[union-attr]  # it matches
    cases = []
    for repeats in (1, 4, 16, 64):
        predicted = isolated(point.instruction, point.dtype, repeats)
        cases.append(Case("isolated, fits", True, slope * repeats + fixed, predicted, f"{point.instruction} {repeats}"))
    return cases


def _tile_formula(point: Point) -> Mapped:
    found = tile_formula(point.instruction, point.dtype, point.config, point.value)
    if isinstance(found, str):
        return found
    return [
        Case(row, chosen, measured, predicted, f"{point.instruction} {point.dtype} {what}")
        for row, chosen, measured, predicted, what in found
    ]


def _tile(point: Point) -> Mapped:
    found = tile_total(point.instruction, point.dtype, point.config)
    if isinstance(found, str):
        return found
    return [Case("PTO tiles", False, point.number, found, f"{point.instruction} {point.config.split(' ')[0]}")]


# 950, loops.


def _loop(point: Point) -> Mapped:
    found = simulated_loop(point.instruction, point.dtype, point.config)
    if isinstance(found, str):
        return found
    row, chosen, predicted = found
    return [Case(row, chosen, point.number, predicted, f"{point.instruction} {point.dtype} {point.config}")]


def _sort(point: Point) -> Mapped:
    issue = vector("VBITSORT", [DTYPES["FP32"]] * 2, 1)
    return [Case("streaming", True, point.number, per_turn([issue]), point.instruction)]


def _because(reason: str) -> Callable[[Point], Mapped]:
    return lambda _: reason


_MAPPINGS: Iterable[tuple[str, Callable[[Point], Mapped]]] = (
    ("g_vecTypeMap", _streaming),
    ("bank_conflict_ub", _scenario),
    ("add_high_performance", _add_kernel),
    ("data_copy/README", _data_copy),
    ("g_movTypeMap", _copies),
    ("ascend_910b.json", _shares),
    ("cce_costmodel_vector_compute", _fit),
    ("formula_params", _tile_formula),
    ("pto instr total", _tile),
    ("st_a5_fit|a5_benchmark", _loop),
    ("vector_binary_instr_prof", _sort),
    ("bank_conflict_3510", _because("absolute ticks contradict every other source of 950 (spec 04 section (c))")),
    ("bank_conflict_nd2nz", _because("tile shapes of the kernel are not published")),
    (
        "VfSimulator|02_reg_compute|_high_performance",
        _because("fused register code: the register API is not simulated yet"),
    ),
    ("whole-kernel ticks", _because("whole kernels with an unknown launch overhead")),
    ("time for 100 loops", _because("loop overhead not published; two of the three figures exclude any fixed cost")),
    ("peak;K", _because("another model's curve, its own error is 30 %")),
    ("relative bandwidth|slowdown|scalar/issue|delta", _because("one figure without a program")),
)
