"""The vector instructions, under their AscendC names. One export for each declaration in `isa`."""

from ascend_sim.api.bind import bind
from ascend_sim.api.signatures import (
    BinaryCall,
    ConvertCall,
    FillCall,
    ShiftRightCall,
    TwoResultsCall,
    UnaryCall,
    VectorScalarCall,
)
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

# names that AscendC has renamed
FusedMulAddRelu = MulAddRelu
FusedAbsSub = AbsSub
FusedExpSub = ExpSub
FusedMulsCast = MulsCast

__all__ = [
    "Abs",
    "AbsSub",
    "Add",
    "AddRelu",
    "AddReluCast",
    "Adds",
    "And",
    "Ands",
    "Axpy",
    "Cast",
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
    "LeakyRelu",
    "Ln",
    "Max",
    "Maxs",
    "Min",
    "Mins",
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
    "Prelu",
    "Reciprocal",
    "Relu",
    "Rsqrt",
    "ShiftLeft",
    "ShiftRight",
    "Sqrt",
    "Sub",
    "SubRelu",
    "SubReluCast",
    "Subs",
    "Truncate",
]
