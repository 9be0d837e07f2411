"""Cycles: every constant of the timing model, with its source and how far to trust it.

Nothing here is read by execution. `ascend_sim.timing` combines these figures; docs/timing.md has the equations.

Sources, all public: MSKPP (Ascend/mskpp, per-instruction tables of a 910B1 and copy tables), BANK (asc-devkit sample
bank_conflict_ub, board), ADD (asc-devkit sample add_high_performance, board), COPY (asc-devkit sample data_copy,
board), PTO (pto-isa, board fits of a 910B3 in comments and formula_params.csv), TILESIM (triton-ascend, figures of a
910B1), HYBRID (a pto-isa mirror), VFSIM (pto-isa, parameters taken from the vendor's simulator of a 950), A5 (pto-isa
st_a5_fit, loop totals of a 950), DOC (CANN documentation). "ours" marks an inference of this project.
"""

import enum
from collections.abc import Mapping

import attrs

from isa.model import Timing
from isa.products import PRODUCTS, Arch


class Confidence(enum.Enum):
    """How far to trust a figure."""

    HIGH = "several independent board data sets agree"
    MEDIUM = "one source, or derived here"
    LOW = "a guess, or sources conflict"


HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW


@attrs.frozen
class Figure:
    """One constant."""

    value: float
    unit: str
    source: str
    confidence: Confidence


SCALAR_ISSUE = Figure(1, "cycle", "DOC: one instruction a cycle", MEDIUM)
QUEUE_DEPTH = Figure(
    32, "instruction", "DOC gives 32 for two cube pipes; the vector and copy queues are assumed alike", LOW
)
MIN_INTERVAL = Figure(3, "cycle", "MSKPP: 102 of 128 series at one to three repeats", HIGH)
LONG_INTERVAL = Figure(4, "cycle", "MSKPP: integer adds, maxs, mins with a scalar, and all shifts", HIGH)
DRAIN = Figure(11.5, "cycle", "PTO isolated fits less latency; BANK and TCOLSUM agree", HIGH)
REDUCE_DRAIN = Figure(17, "cycle", "PTO TROWSUM, TROWMAX: 24 + latency + 7 R", HIGH)
HARNESS = Figure(
    7, "cycle", "ours: PTO's isolated figures are 18.5 + latency + C, this model's are 11.5 + latency + C", MEDIUM
)
BARRIER = Figure(1, "cycle", "ours: TCOLSUM 19.5 a row is 11.5 + 6 + 1 + 1", HIGH)
EVENT = Figure(1, "cycle", "DOC: log fragment, a flag is seen one cycle after it is set", MEDIUM)
MASK_WRITE = Figure(
    3.5, "cycle", "BANK: 22 + C for Add against 18.5 + C without; ours: paid by SetVectorMask alone", MEDIUM
)
COUNTER_SETUP = Figure(
    17, "cycle", "PTO formula_params: all four pairs; ours: hidden while the pipe still works", MEDIUM
)
READ_TO_WRITE = Figure(17, "cycle", "ours: best of 464 arbiter variants on the eight BANK scenarios", MEDIUM)


@attrs.frozen(kw_only=True)
class VectorCost:
    """One timing class on the vector unit of 910B and its relatives. Cycles for `repeats` repeats of 256 bytes.

    narrow, wide: cycles for a repeat whose widest operand has up to 16, or 32 and more bits. packed: instead of `wide`
    when results are not 32 bytes apart. mixed: instead of `wide` when the sources are narrower. fixed: cycles once.
    group: so many repeats share a step that costs `group_cycles` from the second group on. partial: extra cycles when
    the last 32-byte block of packed bits is not full, and the same from PARTIAL_MANY repeats on.
    latency, latency_int: cycles from the last read to the result, for floats and integers, narrow and wide.
    banks: the bank arbiter applies. masked: the cycles of a repeat fall with its active lanes, down to this (HYBRID).
    interval_scalar_int: an integer form with a scalar has the long issue interval.
    """

    narrow: float = 1
    wide: float = 1
    packed: float | None = None
    mixed: float | None = None
    fixed: float = 0
    fixed_narrow: float = 0
    group: int = 0
    group_cycles: float = 0
    partial: tuple[float, float] = (0, 0)
    latency: tuple[float, float]
    latency_int: tuple[float, float] | None = None
    drain: Figure = DRAIN
    banks: bool = True
    masked: float | None = None
    interval: Figure = MIN_INTERVAL
    interval_scalar_int: Figure = MIN_INTERVAL
    source: str
    confidence: Confidence


PARTIAL_MANY = 7  # MSKPP vcmpvs: +6 up to six repeats, +7 beyond


def _same(value: float) -> tuple[float, float]:
    return value, value


VECTOR: Mapping[Timing, VectorCost] = {
    Timing.SIMPLE: VectorCost(
        latency=_same(6),
        latency_int=_same(4),
        interval_scalar_int=LONG_INTERVAL,
        source="MSKPP, BANK: 1 cycle a repeat without conflicts; latency PTO, HYBRID",
        confidence=HIGH,
    ),
    Timing.LOGIC: VectorCost(latency=_same(2), source="PTO vand, vor: 20 + C", confidence=MEDIUM),
    Timing.SHIFT: VectorCost(
        latency=_same(6),
        interval=LONG_INTERVAL,
        interval_scalar_int=LONG_INTERVAL,
        source="MSKPP; latency HYBRID",
        confidence=MEDIUM,
    ),
    Timing.EXTREMUM: VectorCost(
        latency=_same(4),
        latency_int=_same(5),
        interval_scalar_int=LONG_INTERVAL,
        source="MSKPP; latency PTO 23 + C",
        confidence=HIGH,
    ),
    Timing.MULTIPLY: VectorCost(
        latency=_same(7),
        latency_int=_same(5),
        source="MSKPP; latency PTO vmul 25, vmuls and vlrelu 26",
        confidence=HIGH,
    ),
    Timing.FUSED: VectorCost(
        narrow=6,
        wide=6,
        mixed=5,
        latency=_same(7),
        source="MSKPP vmadd, vmla, vmaddrelu; latency that of multiply",
        confidence=MEDIUM,
    ),
    Timing.ACCUMULATE: VectorCost(latency=_same(7), source="MSKPP vaxpy; latency HYBRID head 18", confidence=MEDIUM),
    Timing.DIVIDE: VectorCost(
        narrow=8,
        wide=4,
        fixed_narrow=4,
        masked=2,
        latency=_same(13),
        source="MSKPP, PTO; +4 for half in MSKPP only",
        confidence=HIGH,
    ),
    Timing.TRANSCENDENTAL: VectorCost(
        narrow=5, wide=3, latency=_same(18), source="ours: exponential and subtract", confidence=LOW
    ),
    Timing.EXPONENTIAL: VectorCost(narrow=4, wide=2, latency=_same(12), source="MSKPP; PTO 31 + C", confidence=HIGH),
    Timing.LOGARITHM: VectorCost(narrow=4, wide=2, latency=_same(14), source="MSKPP; PTO 33 + C", confidence=MEDIUM),
    Timing.ROOT: VectorCost(narrow=4, wide=2, latency=_same(13), source="MSKPP; PTO 31.1 + C", confidence=HIGH),
    Timing.RECIPROCAL: VectorCost(latency=_same(5), source="MSKPP; PYPTO", confidence=HIGH),
    Timing.INVERSE_ROOT: VectorCost(latency=_same(5), source="MSKPP; PTO vrsqrt 24 + C", confidence=HIGH),
    Timing.CONVERT: VectorCost(latency=_same(5), source="MSKPP; latency HYBRID, TILESIM", confidence=MEDIUM),
    Timing.FILL: VectorCost(latency=_same(1), source="MSKPP; latency solved from PTO TDIVS", confidence=MEDIUM),
    Timing.BROADCAST: VectorCost(latency=_same(5), banks=False, source="MSKPP; latency a guess", confidence=LOW),
    Timing.COPY: VectorCost(latency=_same(5.5), source="MSKPP vcopy; latency PTO 24 + C", confidence=MEDIUM),
    Timing.SELECT: VectorCost(latency=_same(2), source="MSKPP vsel; latency TILESIM", confidence=MEDIUM),
    Timing.COMPARE: VectorCost(
        narrow=2,
        wide=2,
        partial=(5, 5),
        latency=_same(10),
        banks=False,
        source="MSKPP vcmpv; latency TILESIM",
        confidence=MEDIUM,
    ),
    Timing.COMPARE_SCALAR: VectorCost(
        partial=(6, 7), latency=_same(10), banks=False, source="MSKPP vcmpvs; latency TILESIM", confidence=MEDIUM
    ),
    Timing.COMPARE_REGISTER: VectorCost(latency=_same(4), source="MSKPP vcmp; latency a guess", confidence=LOW),
    Timing.REDUCE_SUM: VectorCost(
        narrow=7,
        wide=3,
        packed=7,
        latency=(23, 20),
        drain=REDUCE_DRAIN,
        banks=False,
        source="MSKPP vcadd; packed results and latency PTO TROWSUM",
        confidence=HIGH,
    ),
    Timing.REDUCE_EXTREMUM: VectorCost(
        narrow=7, wide=7, latency=(9, 8), drain=REDUCE_DRAIN, banks=False, source="MSKPP; PTO TROWMAX", confidence=HIGH
    ),
    Timing.REDUCE_BLOCK: VectorCost(
        narrow=7, wide=1, latency=_same(12), banks=False, source="MSKPP vcgadd; latency TILESIM", confidence=MEDIUM
    ),
    Timing.REDUCE_PAIR: VectorCost(latency=_same(6), banks=False, source="MSKPP vcpadd", confidence=MEDIUM),
    Timing.GATHER: VectorCost(
        narrow=24,
        wide=12,
        fixed=3,
        latency=_same(8),
        banks=False,
        source="MSKPP vgather; PTO's 26 for one repeat contradicts; latency a guess",
        confidence=LOW,
    ),
    Timing.GATHER_BLOCK: VectorCost(
        fixed=10,
        group=8,
        group_cycles=8,
        latency=_same(8),
        banks=False,
        source="MSKPP vgatherb; latency a guess",
        confidence=MEDIUM,
    ),
    Timing.GATHER_MASK: VectorCost(
        narrow=14, wide=14, latency=_same(8), banks=False, source="MSKPP vreducev2; latency a guess", confidence=MEDIUM
    ),
    Timing.SORT: VectorCost(
        narrow=16, wide=16, latency=_same(8), banks=False, source="MSKPP constant 15.97", confidence=LOW
    ),
    Timing.MERGE_SORT: VectorCost(
        narrow=16,
        wide=16,
        fixed=6,
        latency=_same(8),
        banks=False,
        source="MSKPP vmrgsort; PTO's 78 R + 20 for one list contradicts",
        confidence=LOW,
    ),
    Timing.TRANSPOSE: VectorCost(
        narrow=2, wide=2, fixed=6, latency=_same(6), banks=False, source="PTO placeholder", confidence=LOW
    ),
    Timing.MOVE: VectorCost(
        latency=_same(5.5), banks=False, source="MSKPP UB to UB, 256 bytes a cycle", confidence=MEDIUM
    ),
}


@attrs.frozen
class LoopCost:
    """One timing class in a register loop of 950: latency and cycles a vector (of both units), wide then narrow."""

    latency: tuple[float, float]
    interval: tuple[float, float] = (1, 1)
    source: str = "VFSIM"
    confidence: Confidence = MEDIUM


LOOP_BASE = Figure(43, "cycle", "ours: A5 TADD less the latency of VFSIM; VFSIM has 23 + 12 + load and store", MEDIUM)
LOOP_VECTOR = Figure(1.08, "cycle", "A5 TMINS: slope of one load and one store", MEDIUM)
LOOP_ROW = Figure(5, "cycle", "A5 TADD, TMINS: each further turn of an outer loop", MEDIUM)
LOOP_PORT = Figure(1.03, "cycle", "A5 TADD: 2.06 cycles for two loads and a store, of the arbiter's 2", MEDIUM)
LOOP_OVERLAP = Figure(12, "cycle", "A5 TADD: loads run ahead of the stores by so much", MEDIUM)
LOOP_WINDOW = Figure(16, "access", "ours: how far loads run ahead; VFSIM has queues of 26 and 58", LOW)

_ALU = LoopCost((7, 7))
LOOP: Mapping[Timing, LoopCost] = {
    Timing.SIMPLE: _ALU,
    Timing.LOGIC: LoopCost((6, 6)),
    Timing.SHIFT: LoopCost((6, 6)),
    Timing.EXTREMUM: LoopCost((6, 6)),
    Timing.MULTIPLY: LoopCost((8, 8)),
    Timing.FUSED: LoopCost((8, 8)),
    Timing.ACCUMULATE: LoopCost((8, 8)),
    Timing.DIVIDE: LoopCost((17, 22), (2, 4)),
    Timing.TRANSCENDENTAL: LoopCost((23, 28), (2, 4), "ours: exponential and subtract", LOW),
    Timing.EXPONENTIAL: LoopCost((16, 21), (2, 4)),
    Timing.LOGARITHM: LoopCost((18, 23), (2, 4), "ours: like exponential", LOW),
    Timing.ROOT: LoopCost((17, 22), (2, 4), "VFSIM for division; A5 TSQRT has the same slope"),
    Timing.RECIPROCAL: LoopCost((17, 22), (2, 4), "VFSIM for division"),
    Timing.INVERSE_ROOT: LoopCost((33, 38), (4, 8), "A5 TRSQRT, base and slope", MEDIUM),
    Timing.CONVERT: LoopCost((7, 7)),
    Timing.FILL: LoopCost((6, 6)),
    Timing.SELECT: LoopCost((6, 6)),
    Timing.COMPARE: LoopCost((6, 6)),
    Timing.COMPARE_SCALAR: LoopCost((6, 6)),
    Timing.REDUCE_SUM: LoopCost((22, 24), (1, 1)),
    Timing.REDUCE_EXTREMUM: LoopCost((16, 17), (1, 1)),
    Timing.REDUCE_BLOCK: LoopCost((13, 14), (1, 1)),
}
LOOP_UNKNOWN = LoopCost((8, 8), (2, 2), "no public figure", LOW)


@attrs.frozen(eq=False)
class CopyCost:
    """Copies of one direction and one core: latency = max(B / plateau, setup + B / near), in bytes and ns.

    streamed: bytes per ns of copies that follow each other; floor: cycles between copies, however small.
    """

    setup: Figure
    near: Figure
    plateau: Figure
    streamed: Figure
    floor: Figure
    shares: Mapping[int, float]  # active cores -> bytes per ns of each, straight lines between


GIB = 1.073741824  # bytes per ns of 1 GiB/s

_TILESIM = "TILESIM, seven of its points; the others are predicted by straight lines"
READ_SHARES = {8: 68.9 * GIB, 16: 73.3 * GIB, 24: 65.1 * GIB, 32: 53.3 * GIB, 40: 41.6 * GIB, 48: 33.7 * GIB}
WRITE_SHARES = {8: 115 * GIB, 16: 100 * GIB, 24: 76.7 * GIB, 32: 55.9 * GIB, 40: 42.6 * GIB, 48: 34.3 * GIB}
FLOOR_2201 = Figure(20.6, "cycle", "COPY: a loop of 128-byte copies, 11.15 ns each", HIGH)
STREAMED = Figure(43, "byte/ns", "ours: ADD case 1, two 8-KiB copies back to back", MEDIUM)
UNALIGNED = Figure(0.8, "ratio", "DOC: down to 0.7; COPY: 0.81 for a pitch of 12287 half", MEDIUM)
ALIGNMENT = {Arch.C220: 512}
"""GM alignment in bytes below which copies slow down (DOC, COPY; on 950 the same pitch costs 1.8 %)."""
REQUESTS = (128, 256, 512)
"""Sizes in bytes that a burst is split into, rounding up (DOC)."""

READ_910B1 = CopyCost(
    Figure(127, "ns", "MSKPP 910B1", HIGH),
    Figure(165, "byte/ns", "MSKPP 910B1", HIGH),
    Figure(84.1, "byte/ns", "MSKPP 910B1", HIGH),
    STREAMED,
    FLOOR_2201,
    READ_SHARES,
)
WRITE_910B1 = CopyCost(
    Figure(79, "ns", "MSKPP 910B1", HIGH),
    Figure(165, "byte/ns", "MSKPP 910B1", HIGH),
    Figure(118, "byte/ns", "MSKPP 910B1", HIGH),
    STREAMED,
    FLOOR_2201,
    WRITE_SHARES,
)
READ_910B3 = attrs.evolve(
    READ_910B1,
    setup=Figure(114, "ns", "MSKPP 910B3", MEDIUM),
    near=Figure(237, "byte/ns", "MSKPP 910B3", MEDIUM),
    plateau=Figure(215, "byte/ns", "MSKPP 910B3: like reads that hit the L2", MEDIUM),
)
_SHARES_950 = {64: 1600 / 64}
READ_950 = CopyCost(
    Figure(131, "ns", "MSKPP 950 table, which looks simulated", LOW),
    Figure(10_000, "byte/ns", "MSKPP 950: flat", LOW),
    Figure(94 * GIB, "byte/ns", "MSKPP 950", LOW),
    Figure(43, "byte/ns", "as on 910B", LOW),
    Figure(39.4, "cycle", "COPY: a loop of 128-byte copies, 23.9 ns each", HIGH),
    _SHARES_950,
)
WRITE_950 = attrs.evolve(READ_950, setup=Figure(168, "ns", "MSKPP 950", LOW))


@attrs.frozen(kw_only=True, eq=False)
class Machine:
    """What the model needs to know about one chip. note: what is not public, shown in every report."""

    product: str
    clock_mhz: Figure
    read: CopyCost
    write: CopyCost
    registers: bool = False  # vector instructions are register loops
    note: str = ""


_LIKE_910B = "no public measurement: figures of ascend910b at an assumed clock of 1000 MHz, order of magnitude only"
_ASSUMED = Figure(1000, "MHz", "no public figure", LOW)
_CLOCK_910B = Figure(1850, "MHz", "configuration files and ADD; boards measured 1800 to 1846", HIGH)

MACHINES: Mapping[str, Machine] = {
    m.product: m
    for m in (
        Machine(product="ascend910", clock_mhz=_ASSUMED, read=READ_910B1, write=WRITE_910B1, note=_LIKE_910B),
        Machine(product="ascend310p", clock_mhz=_ASSUMED, read=READ_910B1, write=WRITE_910B1, note=_LIKE_910B),
        Machine(product="ascend910b", clock_mhz=_CLOCK_910B, read=READ_910B1, write=WRITE_910B1),
        Machine(
            product="ascend910_93",
            clock_mhz=_CLOCK_910B,
            read=READ_910B1,
            write=WRITE_910B1,
            note="figures of ascend910b: one die is taken to be the same",
        ),
        Machine(
            product="ascend310b",
            clock_mhz=_ASSUMED,
            read=READ_950,
            write=WRITE_950,
            registers=True,
            note="no public measurement: figures of ascend950 at an assumed clock of 1000 MHz, order of magnitude only",
        ),
        Machine(
            product="ascend950",
            clock_mhz=Figure(1650, "MHz", "COPY, ADD", HIGH),
            read=READ_950,
            write=WRITE_950,
            registers=True,
            note="loops and copies rest on the vendor's simulator and few board figures; kernels were not validated",
        ),
    )
}
MACHINE_910B3 = attrs.evolve(MACHINES["ascend910b"], read=READ_910B3)
"""The 910B3 for comparison with its own tables: it reads like a chip whose data is in the L2."""


def figures() -> dict[str, Figure]:
    """Every single constant by name, for the docs and for tests."""
    return {name: value for name, value in globals().items() if isinstance(value, Figure) and not name.startswith("_")}


assert MACHINES.keys() == PRODUCTS.keys()
