"""The vector instructions, under their AscendC names. One export for each declaration in `isa`."""

from ascend_sim.api.bind import bind
from ascend_sim.api.compare import Compare, GetCmpMask, Select, SetCmpMask
from ascend_sim.api.dequant import AddDeqRelu, CastDeq, CastDequant
from ascend_sim.api.gather_mask import GatherMask
from ascend_sim.api.getters import (
    GetAccVal,
    GetReduceMaxMinCount,
    GetReduceRepeatMaxMinSpr,
    GetReduceRepeatSumSpr,
)
from ascend_sim.api.indices import CreateVecIndex
from ascend_sim.api.interpolate import BilinearInterpolation
from ascend_sim.api.merge import GetMrgSortResult, MrgSort, MrgSort4, MrgSortSrcList
from ascend_sim.api.rearrange import DeInterleave, Transpose
from ascend_sim.api.reductions import ReduceMax, ReduceMin, ReduceSum
from ascend_sim.api.signatures import (
    BinaryCall,
    ConvertCall,
    FillCall,
    RepeatsCall,
    ShiftRightCall,
    TwoResultsCall,
    UnaryCall,
    VectorScalarCall,
)
from ascend_sim.api.transpose import TransDataTo5HD
from isa import reduce
from isa.model import TABLE

# chapter "basic arithmetic"
Abs: UnaryCall = bind(TABLE["Abs"])
Neg: UnaryCall = bind(TABLE["Neg"])
Relu: UnaryCall = bind(TABLE["Relu"])
Exp: UnaryCall = bind(TABLE["Exp"])
Ln: UnaryCall = bind(TABLE["Ln"])
Sqrt: UnaryCall = bind(TABLE["Sqrt"])
Rsqrt: UnaryCall = bind(TABLE["Rsqrt"])
Reciprocal: UnaryCall = bind(TABLE["Reciprocal"])
Add: BinaryCall = bind(TABLE["Add"])
Sub: BinaryCall = bind(TABLE["Sub"])
Mul: BinaryCall = bind(TABLE["Mul"])
Div: BinaryCall = bind(TABLE["Div"])
Max: BinaryCall = bind(TABLE["Max"])
Min: BinaryCall = bind(TABLE["Min"])
Prelu: BinaryCall = bind(TABLE["Prelu"])
Mull: TwoResultsCall = bind(TABLE["Mull"])
Adds: VectorScalarCall = bind(TABLE["Adds"])
Subs: VectorScalarCall = bind(TABLE["Subs"])
Muls: VectorScalarCall = bind(TABLE["Muls"])
Divs: VectorScalarCall = bind(TABLE["Divs"])
Maxs: VectorScalarCall = bind(TABLE["Maxs"])
Mins: VectorScalarCall = bind(TABLE["Mins"])
LeakyRelu: VectorScalarCall = bind(TABLE["LeakyRelu"])

# chapter "logic"
Not: UnaryCall = bind(TABLE["Not"])
And: BinaryCall = bind(TABLE["And"])
Or: BinaryCall = bind(TABLE["Or"])
Ands: VectorScalarCall = bind(TABLE["Ands"])
Ors: VectorScalarCall = bind(TABLE["Ors"])
ShiftLeft: VectorScalarCall = bind(TABLE["ShiftLeft"])
ShiftRight: ShiftRightCall = bind(TABLE["ShiftRight"])

# chapter "compound"
AddRelu: BinaryCall = bind(TABLE["AddRelu"])
SubRelu: BinaryCall = bind(TABLE["SubRelu"])
AddReluCast: BinaryCall = bind(TABLE["AddReluCast"])
SubReluCast: BinaryCall = bind(TABLE["SubReluCast"])
MulCast: BinaryCall = bind(TABLE["MulCast"])
MulAddDst: BinaryCall = bind(TABLE["MulAddDst"])
FusedMulAdd: BinaryCall = bind(TABLE["FusedMulAdd"])
MulAddRelu: BinaryCall = bind(TABLE["MulAddRelu"])
Axpy: VectorScalarCall = bind(TABLE["Axpy"])
AbsSub: BinaryCall = bind(TABLE["AbsSub"])
ExpSub: BinaryCall = bind(TABLE["ExpSub"])
MulsCast: VectorScalarCall = bind(TABLE["MulsCast"])

# chapter "type conversion"
Cast: ConvertCall = bind(TABLE["Cast"])
Truncate: ConvertCall = bind(TABLE["Truncate"])

# chapter "fill"
Duplicate: FillCall = bind(TABLE["Duplicate"])

Brcb: RepeatsCall = bind(TABLE["Brcb"])
VectorPadding: RepeatsCall = bind(TABLE["VectorPadding"])

# chapter "compare and select"
Compares: RepeatsCall = bind(TABLE["Compares"])
CompareScalar = Compares

# chapter "reduction"
ReduceRepeat: RepeatsCall = bind(TABLE["ReduceRepeat"])
WholeReduceMax: RepeatsCall = bind(reduce.WHOLE_REDUCE_MAX)
WholeReduceMin: RepeatsCall = bind(reduce.WHOLE_REDUCE_MIN)
WholeReduceSum: RepeatsCall = bind(reduce.WHOLE_REDUCE_SUM_INSTRUCTION)
RepeatReduceSum: RepeatsCall = bind(reduce.REPEAT_REDUCE_SUM)
ReduceDataBlock: RepeatsCall = bind(TABLE["ReduceDataBlock"])
BlockReduceSum: RepeatsCall = bind(reduce.BLOCK_REDUCE_SUM)
BlockReduceMax: RepeatsCall = bind(reduce.BLOCK_REDUCE_MAX)
BlockReduceMin: RepeatsCall = bind(reduce.BLOCK_REDUCE_MIN)
ReducePairElem: RepeatsCall = bind(TABLE["ReducePairElem"])
PairReduceSum: RepeatsCall = bind(reduce.PAIR_REDUCE_SUM)

# chapters "gather and scatter", "rearrangement"
Gather: RepeatsCall = bind(TABLE["Gather"])
Gatherb: RepeatsCall = bind(TABLE["Gatherb"])
Scatter: RepeatsCall = bind(TABLE["Scatter"])
Interleave: RepeatsCall = bind(TABLE["Interleave"])

# chapter "data movement"
Copy: RepeatsCall = bind(TABLE["Copy"])

# chapter "sort"
Sort32: RepeatsCall = bind(TABLE["Sort32"])
RpSort16: RepeatsCall = bind(TABLE["RpSort16"])
ProposalConcat: RepeatsCall = bind(TABLE["ProposalConcat"])
ProposalExtract: RepeatsCall = bind(TABLE["ProposalExtract"])

# names that AscendC has renamed
FusedMulAddRelu = MulAddRelu
FusedAbsSub = AbsSub
FusedExpSub = ExpSub
FusedMulsCast = MulsCast

__all__ = [
    "Abs",
    "AbsSub",
    "Add",
    "AddDeqRelu",
    "AddRelu",
    "AddReluCast",
    "Adds",
    "And",
    "Ands",
    "Axpy",
    "BilinearInterpolation",
    "BlockReduceMax",
    "BlockReduceMin",
    "BlockReduceSum",
    "Brcb",
    "Cast",
    "CastDeq",
    "CastDequant",
    "Compare",
    "CompareScalar",
    "Compares",
    "Copy",
    "CreateVecIndex",
    "DeInterleave",
    "Div",
    "Divs",
    "Duplicate",
    "Exp",
    "ExpSub",
    "FusedAbsSub",
    "FusedExpSub",
    "FusedMulAdd",
    "FusedMulAddRelu",
    "FusedMulsCast",
    "Gather",
    "GatherMask",
    "Gatherb",
    "GetAccVal",
    "GetCmpMask",
    "GetMrgSortResult",
    "GetReduceMaxMinCount",
    "GetReduceRepeatMaxMinSpr",
    "GetReduceRepeatSumSpr",
    "Interleave",
    "LeakyRelu",
    "Ln",
    "Max",
    "Maxs",
    "Min",
    "Mins",
    "MrgSort",
    "MrgSort4",
    "MrgSortSrcList",
    "Mul",
    "MulAddDst",
    "MulAddRelu",
    "MulCast",
    "Mull",
    "Muls",
    "MulsCast",
    "Neg",
    "Not",
    "Or",
    "Ors",
    "PairReduceSum",
    "Prelu",
    "ProposalConcat",
    "ProposalExtract",
    "Reciprocal",
    "ReduceDataBlock",
    "ReduceMax",
    "ReduceMin",
    "ReducePairElem",
    "ReduceRepeat",
    "ReduceSum",
    "Relu",
    "RepeatReduceSum",
    "RpSort16",
    "Rsqrt",
    "Scatter",
    "Select",
    "SetCmpMask",
    "ShiftLeft",
    "ShiftRight",
    "Sort32",
    "Sqrt",
    "Sub",
    "SubRelu",
    "SubReluCast",
    "Subs",
    "TransDataTo5HD",
    "Transpose",
    "Truncate",
    "VectorPadding",
    "WholeReduceMax",
    "WholeReduceMin",
    "WholeReduceSum",
]
