"""Small programs, built from issues by hand, that stand for what published measurements ran.

They name vector instructions as the hardware does (VADD); each is mapped to the AscendC instruction that emits it,
whose declaration supplies the timing class.
"""

from collections.abc import Sequence

import attrs

import isa  # noqa: F401  (fills the table)
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.registers import ALL_LANES, Control
from ascend_sim.machine.site import Site
from ascend_sim.machine.walk import Bursts, Lanes, Walk, cover_of_bursts, cover_of_lanes, uniform_lanes
from isa.dtypes import (
    ElementType,
    bfloat16_t,
    float32,
    half,
    int4b_t,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)
from isa.families import BINARY, DST, DST_BOTH, SRC, SRC0, SRC1, VECTOR_SCALAR, Form, Operand, Pipe
from isa.mask import SET_MASK_COUNT, SET_VECTOR_MASK
from isa.model import TABLE, Instruction, Timing, TypeTable
from isa.move import DATA_COPY
from isa.params import MaskMode
from isa.products import BLOCK_BYTES, REPEAT_BYTES
from isa.sync import PIPE_BARRIER

DTYPES: dict[str, ElementType] = {
    "FP16": half, "FP32": float32, "BF16": bfloat16_t, "INT4": int4b_t, "INT8": int8_t, "UINT8": uint8_t,
    "INT16": int16_t, "UINT16": uint16_t, "INT32": int32_t, "UINT32": uint32_t, "INT64": int64_t, "UINT64": uint64_t,
    "half": half, "float": float32, "fp16": half, "fp32": float32, "int16_t": int16_t, "int32_t": int32_t,
    "int16": int16_t, "int32": int32_t, "uint16": uint16_t, "uint32": uint32_t, "uint8": uint8_t,
}  # fmt: skip

CONFLICT = (0x8000, 0x0, 0x4000)
"""dst, src0, src1 of the layout whose sources share their bank groups; PTO's tests have it (spec 04 section 0)."""
STREAM = (0x10000, 0x0, 0x4000)
"""The same with a destination that meets neither source: scenario 2 of the vendor's bank sample."""
FREE = (0x20000, 0x0, 0x10100)
"""The layout without conflicts: scenario 1 of the vendor's bank sample."""


@attrs.frozen
class Intrinsic:
    """A vector instruction of the hardware: the AscendC name, its class where none is declared yet, its sources.

    scalar: it takes a number beside its tensors; accumulates: dst is read too.
    """

    ascendc: str
    timing: Timing
    sources: int = 1
    scalar: bool = False
    accumulates: bool = False

    @property
    def instruction(self) -> Instruction:
        """A stand-in with the timing class of the declared instruction."""
        declared = TABLE.get(self.ascendc)
        return _stand_in(self.ascendc, declared.timing if declared is not None else self.timing, self.scalar)


def _stand_in(name: str, timing: Timing, scalar: bool) -> Instruction:
    family = VECTOR_SCALAR if scalar else BINARY
    return Instruction(name=name, family=family, types=TypeTable({}), timing=timing, doc="", summary="")


def _scalar(name: str, timing: Timing) -> Intrinsic:
    return Intrinsic(name, timing, scalar=True)


_T = Timing
INTRINSICS: dict[str, Intrinsic] = {
    "VADD": Intrinsic("Add", _T.SIMPLE, 2), "VSUB": Intrinsic("Sub", _T.SIMPLE, 2),
    "VMUL": Intrinsic("Mul", _T.MULTIPLY, 2), "VDIV": Intrinsic("Div", _T.DIVIDE, 2),
    "VMAX": Intrinsic("Max", _T.EXTREMUM, 2), "VMIN": Intrinsic("Min", _T.EXTREMUM, 2),
    "VAND": Intrinsic("And", _T.LOGIC, 2), "VOR": Intrinsic("Or", _T.LOGIC, 2), "VNOT": Intrinsic("Not", _T.LOGIC),
    "VABS": Intrinsic("Abs", _T.EXTREMUM), "VRELU": Intrinsic("Relu", _T.EXTREMUM),
    "VEXP": Intrinsic("Exp", _T.EXPONENTIAL), "VLN": Intrinsic("Ln", _T.LOGARITHM), "VSQRT": Intrinsic("Sqrt", _T.ROOT),
    "VRSQRT": Intrinsic("Rsqrt", _T.INVERSE_ROOT), "VREC": Intrinsic("Reciprocal", _T.RECIPROCAL),
    "VADDS": _scalar("Adds", _T.SIMPLE), "VMULS": _scalar("Muls", _T.MULTIPLY), "VMAXS": _scalar("Maxs", _T.EXTREMUM),
    "VMINS": _scalar("Mins", _T.EXTREMUM), "VLRELU": _scalar("LeakyRelu", _T.MULTIPLY),
    "VSHL": _scalar("ShiftLeft", _T.SHIFT), "VSHR": _scalar("ShiftRight", _T.SHIFT),
    "VAXPY": Intrinsic("Axpy", _T.ACCUMULATE, scalar=True, accumulates=True),
    "VADDRELU": Intrinsic("AddRelu", _T.SIMPLE, 2), "VSUBRELU": Intrinsic("SubRelu", _T.SIMPLE, 2),
    "VADDRELUCONV": Intrinsic("AddReluCast", _T.CONVERT, 2), "VSUBRELUCONV": Intrinsic("SubReluCast", _T.CONVERT, 2),
    "VMULCONV": Intrinsic("MulCast", _T.CONVERT, 2), "VMADD": Intrinsic("FusedMulAdd", _T.FUSED, 2, accumulates=True),
    "VMADDRELU": Intrinsic("MulAddRelu", _T.FUSED, 2, accumulates=True),
    "VMLA": Intrinsic("MulAddDst", _T.FUSED, 2, accumulates=True),
    "VCONV": Intrinsic("Cast", _T.CONVERT), "VCONVDEQ": Intrinsic("CastDequant", _T.CONVERT),
    "VECTORDUP": Intrinsic("Duplicate", _T.FILL, 0), "VBRCB": Intrinsic("Brcb", _T.BROADCAST),
    "VCOPY": Intrinsic("Copy", _T.COPY), "VSEL": Intrinsic("Select", _T.SELECT, 2),
    "VCMP": Intrinsic("CompareRegister", _T.COMPARE_REGISTER, 2), "VCMPV": Intrinsic("Compare", _T.COMPARE, 2),
    "VCMPVS": Intrinsic("Compares", _T.COMPARE_SCALAR), "VCADD": Intrinsic("WholeReduceSum", _T.REDUCE_SUM),
    "VCMAX": Intrinsic("WholeReduceMax", _T.REDUCE_EXTREMUM), "VCMIN": Intrinsic("WholeReduceMin", _T.REDUCE_EXTREMUM),
    "VCGADD": Intrinsic("BlockReduceSum", _T.REDUCE_BLOCK), "VCGMAX": Intrinsic("BlockReduceMax", _T.REDUCE_BLOCK),
    "VCGMIN": Intrinsic("BlockReduceMin", _T.REDUCE_BLOCK), "VCPADD": Intrinsic("PairReduceSum", _T.REDUCE_PAIR),
    "VGATHER": Intrinsic("Gather", _T.GATHER), "VGATHERB": Intrinsic("Gatherb", _T.GATHER_BLOCK),
    "VREDUCEV2": Intrinsic("GatherMask", _T.GATHER_MASK, 2), "VMRGSORT": Intrinsic("MrgSort", _T.MERGE_SORT),
    "VBITSORT": Intrinsic("Sort32", _T.SORT),
}  # fmt: skip


_NOWHERE = Site("program", 0)


@attrs.frozen
class Step:
    """An entry of a hand-made trace."""

    index: int
    issue: Issue
    core: int = 0
    site: Site = _NOWHERE
    values: tuple[object, ...] = ()
    executed: bool = True

    @property
    def name(self) -> str:
        return self.issue.name

    @property
    def pipe(self) -> Pipe:
        return self.issue.pipe


def program(issues: Sequence[Issue]) -> list[Step]:
    """A trace of these issues."""
    return [Step(i, issue) for i, issue in enumerate(issues)]


def vector(
    name: str,
    types: Sequence[ElementType],
    repeats: int,
    addresses: Sequence[int] = CONFLICT,
    *,
    counter: bool = False,
    block_strides: Sequence[int] = (1, 1, 1),
    repeat_strides: Sequence[int] | None = None,
    packed: bool = False,
    lanes_active: int | None = None,
) -> Issue:
    """One vector instruction; types: dst, then its sources. packed: results of a reduction lie side by side."""
    made = INTRINSICS[name]
    width = REPEAT_BYTES * 8 // max(t.bits for t in types)
    lanes = uniform_lanes(width, repeats, (1 << (lanes_active or width)) - 1)
    operands = [DST_BOTH if made.accumulates else DST, *([SRC] if made.sources == 1 else [SRC0, SRC1][: made.sources])]
    accesses = []
    for i, operand in enumerate(operands):
        dtype = types[min(i, len(types) - 1)]
        step = width * dtype.bits // 8 if repeat_strides is None else repeat_strides[i] * BLOCK_BYTES
        if operand.is_written and packed:
            step = dtype.size
        walk = Walk(addresses[i], block_strides[i] * BLOCK_BYTES, step, dtype.bits)
        accesses.append(_access(operand, dtype, walk, lanes))
    control = Control(mode=MaskMode.COUNTER if counter else MaskMode.NORMAL)
    return Issue(made.instruction, Form.CONTIGUOUS, Pipe.V, tuple(accesses), lanes, mask=ALL_LANES, control=control)


def _access(operand: Operand, dtype: ElementType, walk: Walk, lanes: Lanes) -> Access:
    return Access(operand, Space.UB, dtype, walk.base, 0, walk.base, walk, lanes, cover_of_lanes(walk, lanes))


def copy(count: int, length: int, gap: int = 0, *, reads: bool = True) -> Issue:
    """A copy of bursts between GM and the Unified Buffer; gap: bytes between the bursts in GM."""
    bursts = Bursts(count, length)
    local, remote = Walk(0, BLOCK_BYTES, length, 8), Walk(0, BLOCK_BYTES, length + gap, 8)
    ub = (Space.UB, half, 0, 0, 0, local, bursts, cover_of_bursts(local, bursts))
    gm = (Space.GM, half, 0, 0, 0, remote, bursts, cover_of_bursts(remote, bursts))
    accesses = (Access(DST, *(ub if reads else gm)), Access(SRC, *(gm if reads else ub)))
    pipe = Pipe.MTE2 if reads else Pipe.MTE3
    return Issue(DATA_COPY, Form.BURSTS, pipe, accesses, bursts=bursts)


def barrier(pipe: Pipe = Pipe.V) -> Issue:
    """PipeBarrier."""
    return Issue(PIPE_BARRIER, Form.CALL, pipe, arguments={"pipe": pipe})


def mask_write() -> Issue:
    """SetVectorMask, as the library emits it before a masked call."""
    return Issue(SET_VECTOR_MASK, Form.CALL, Pipe.S, mask=ALL_LANES)


def mode_write() -> Issue:
    """SetMaskCount or SetMaskNorm."""
    return Issue(SET_MASK_COUNT, Form.CALL, Pipe.S)
