"""The vector instructions, under their AscendC names. One export for each declaration in `isa`: a name and its type.

The function is compiled when somebody asks for it, because doing that for all of them would be a fifth of the import.
"""

import sys
from typing import Any

from ascend_sim.api.calls.bind import bind
from ascend_sim.api.calls.repeat_signatures import (
    BroadcastCall,
    CompareScalarCall,
    CopyCall,
    GatherBlocksCall,
    GatherCall,
    OldReduceCall,
    PaddingCall,
    ProposalCall,
    ProposalSortCall,
    ReduceByTypeCall,
    ReduceCall,
    ReduceRepeatCall,
    ReduceWithIndexCall,
    RepeatReduceSumCall,
    ScatterCall,
    SortCall,
)
from ascend_sim.api.calls.signatures import (
    AccumulateScalarCall,
    BinaryCall,
    BinaryCountCall,
    ConvertCall,
    ConvertCountCall,
    FillCall,
    ScalarCountCall,
    ShiftRightCall,
    TwoResultsCall,
    UnaryCall,
    UnaryCountCall,
    VectorScalarCall,
)
from ascend_sim.api.instructions.compare import (
    Compare as Compare,
    GetCmpMask as GetCmpMask,
    Select as Select,
    SetCmpMask as SetCmpMask,
)
from ascend_sim.api.instructions.dequant import AddDeqRelu as AddDeqRelu, CastDeq as CastDeq, CastDequant as CastDequant
from ascend_sim.api.instructions.gather_mask import GatherMask as GatherMask
from ascend_sim.api.instructions.getters import (
    GetAccVal as GetAccVal,
    GetReduceMaxMinCount as GetReduceMaxMinCount,
    GetReduceRepeatMaxMinSpr as GetReduceRepeatMaxMinSpr,
    GetReduceRepeatSumSpr as GetReduceRepeatSumSpr,
)
from ascend_sim.api.instructions.indices import CreateVecIndex as CreateVecIndex
from ascend_sim.api.instructions.interpolate import BilinearInterpolation as BilinearInterpolation
from ascend_sim.api.instructions.merge import (
    GetMrgSortResult as GetMrgSortResult,
    MrgSort as MrgSort,
    MrgSort4 as MrgSort4,
    MrgSortSrcList as MrgSortSrcList,
)
from ascend_sim.api.instructions.rearrange import DeInterleave as DeInterleave, Transpose as Transpose
from ascend_sim.api.instructions.reductions import (
    ReduceMax as ReduceMax,
    ReduceMin as ReduceMin,
    ReduceSum as ReduceSum,
)
from ascend_sim.api.instructions.transpose import TransDataTo5HD as TransDataTo5HD
from isa import reduce
from isa.model import TABLE, Instruction

# chapter "basic arithmetic"
Abs: UnaryCall
Neg: UnaryCountCall
Relu: UnaryCall
Exp: UnaryCall
Ln: UnaryCall
Sqrt: UnaryCall
Rsqrt: UnaryCall
Reciprocal: UnaryCall
Add: BinaryCall
Sub: BinaryCall
Mul: BinaryCall
Div: BinaryCall
Max: BinaryCall
Min: BinaryCall
Prelu: BinaryCountCall
Mull: TwoResultsCall
Adds: VectorScalarCall
Subs: VectorScalarCall
Muls: VectorScalarCall
Divs: VectorScalarCall
Maxs: VectorScalarCall
Mins: VectorScalarCall
LeakyRelu: VectorScalarCall

# chapter "logic"
Not: UnaryCall
And: BinaryCall
Or: BinaryCall
Ands: VectorScalarCall
Ors: VectorScalarCall
ShiftLeft: VectorScalarCall
ShiftRight: ShiftRightCall

# chapter "compound"
AddRelu: BinaryCall
SubRelu: BinaryCall
AddReluCast: BinaryCall
SubReluCast: BinaryCall
MulCast: BinaryCall
MulAddDst: BinaryCall
FusedMulAdd: BinaryCall
MulAddRelu: BinaryCall
Axpy: AccumulateScalarCall
AbsSub: BinaryCountCall
ExpSub: BinaryCountCall
MulsCast: ScalarCountCall

# chapter "type conversion"
Cast: ConvertCall
Truncate: ConvertCountCall

# chapter "fill"
Duplicate: FillCall

Brcb: BroadcastCall
VectorPadding: PaddingCall

# chapter "compare and select"
Compares: CompareScalarCall
CompareScalar: CompareScalarCall

# chapter "reduction"
ReduceRepeat: ReduceRepeatCall
WholeReduceMax: ReduceWithIndexCall
WholeReduceMin: ReduceWithIndexCall
WholeReduceSum: ReduceCall
RepeatReduceSum: RepeatReduceSumCall
ReduceDataBlock: ReduceByTypeCall
BlockReduceSum: OldReduceCall
BlockReduceMax: OldReduceCall
BlockReduceMin: OldReduceCall
ReducePairElem: ReduceByTypeCall
PairReduceSum: OldReduceCall

# chapters "gather and scatter", "rearrangement"
Gather: GatherCall
Gatherb: GatherBlocksCall
Scatter: ScatterCall
Interleave: TwoResultsCall

# chapter "data movement"
Copy: CopyCall

# chapter "sort"
Sort32: SortCall
RpSort16: ProposalSortCall
ProposalConcat: ProposalCall
ProposalExtract: ProposalCall

# names that AscendC has renamed
FusedMulAddRelu: BinaryCall
FusedAbsSub: BinaryCountCall
FusedExpSub: BinaryCountCall
FusedMulsCast: ScalarCountCall

_RENAMED = {
    "CompareScalar": "Compares",
    "FusedMulAddRelu": "MulAddRelu",
    "FusedAbsSub": "AbsSub",
    "FusedExpSub": "ExpSub",
    "FusedMulsCast": "MulsCast",
}

_OLDER: dict[str, Instruction] = {  # names that stand for one choice of a newer instruction
    "WholeReduceMax": reduce.WHOLE_REDUCE_MAX,
    "WholeReduceMin": reduce.WHOLE_REDUCE_MIN,
    "WholeReduceSum": reduce.WHOLE_REDUCE_SUM_INSTRUCTION,
    "RepeatReduceSum": reduce.REPEAT_REDUCE_SUM,
    "BlockReduceSum": reduce.BLOCK_REDUCE_SUM,
    "BlockReduceMax": reduce.BLOCK_REDUCE_MAX,
    "BlockReduceMin": reduce.BLOCK_REDUCE_MIN,
    "PairReduceSum": reduce.PAIR_REDUCE_SUM,
}


_WRITTEN = (  # by hand: programs over other instructions, and registers
    "Compare",
    "GetCmpMask",
    "Select",
    "SetCmpMask",
    "AddDeqRelu",
    "CastDeq",
    "CastDequant",
    "GatherMask",
    "GetAccVal",
    "GetReduceMaxMinCount",
    "GetReduceRepeatMaxMinSpr",
    "GetReduceRepeatSumSpr",
    "CreateVecIndex",
    "BilinearInterpolation",
    "GetMrgSortResult",
    "MrgSort",
    "MrgSort4",
    "MrgSortSrcList",
    "DeInterleave",
    "Transpose",
    "ReduceMax",
    "ReduceMin",
    "ReduceSum",
    "TransDataTo5HD",
)


def __getattr__(name: str) -> Any:
    """The function of an instruction that is annotated above."""
    if name not in _annotated():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _RENAMED:
        function = getattr(sys.modules[__name__], _RENAMED[name])
    else:
        function = bind(_OLDER.get(name) or TABLE[name])
    globals()[name] = function
    return function


def exported() -> list[str]:
    """Names of all vector instructions, in alphabetical order."""
    return sorted([*_annotated(), *_WRITTEN])


def _annotated() -> list[str]:
    return [name for name in sys.modules[__name__].__annotations__ if not name.startswith("_")]
