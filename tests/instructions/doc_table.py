"""Which call reproduces which example, on which product, and why some examples differ."""

from ascend_sim import CMPMODE, SELMODE, RoundMode, float32, half, int8_t, int32_t
from tests.instructions.doc_examples import (
    add_deq_relu,
    add_strided,
    cast,
    cast_dequant,
    cast_masked,
    cast_whole,
    compare_eight,
    compare_first,
    compare_masked,
    compare_register,
    compare_scalar,
    gatherb,
    get_mrg_sort_result,
    invert,
    mrg_sort4,
    mull,
    multiply_add,
    pair_sum,
    prelu,
    proposal_concat,
    proposal_extract,
    reduce_whole,
    repeat_extremes,
    repeat_sums,
    rp_sort16,
    select,
    sort32,
    trans_data,
    transpose,
    unary,
)

_CASTS = dict(zip(("CEIL", "RINT", "FLOOR", "ROUND", "TRUNC"), range(5), strict=True))
MODES = {name: RoundMode[f"CAST_{name}"] for name in _CASTS}
_A2, _950, _310P = "ascend910b", "ascend950", "ascend310p"
SCALAR, TENSOR, REGISTER = (
    SELMODE.VSEL_TENSOR_SCALAR_MODE,
    SELMODE.VSEL_TENSOR_TENSOR_MODE,
    SELMODE.VSEL_CMPMASK_SPR,
)

CASES = {
    # (example, check of the table) -> product, case
    ("H011", "half nearest vs page"): (_A2, unary("Exp", half, 1e-3)),
    ("H013", "half nearest vs page"): (_A2, unary("Ln", half, 1e-3)),
    ("H021", "64-bit product split"): (_950, mull),
    ("H025", "prelu"): (_950, prelu),
    ("B243", "prelu"): (_950, prelu),
    ("H026", "half nearest vs page"): (_A2, unary("Reciprocal", half, 1e-4)),
    ("H028", "half nearest vs page"): (_A2, unary("Rsqrt", half, 1e-4)),
    ("H029", "half nearest vs page"): (_A2, unary("Sqrt", half, 1e-3)),
    **dict.fromkeys(
        [(e, "src0RepStride=16") for e in ("H034", "A215", "B252")], (_A2, add_strided((1, 1, 1, 8, 16, 8), 1152))
    ),
    **dict.fromkeys(
        [(e, "src0BlkStride=2,src0RepStride=16 strides") for e in ("H035", "A216", "B253")],
        (_A2, add_strided((1, 2, 1, 8, 16, 8), 1264)),
    ),
    ("H037", "scale 0.1 as half"): (_A2, add_deq_relu),
    **dict.fromkeys(
        [(e, "halfBlock=true: 16 results in the high half of each 32 B block") for e in ("H041", "A139")],
        (_A2, cast_dequant),
    ),
    ("H043", "half fused vs unfused"): (_A2, multiply_add("FusedMulAdd", half, 0)),
    ("H044", "half*half exact in float + dst"): (_A2, multiply_add("MulAddDst", float32, 2e-4)),
    ("H045", "half fused vs unfused"): (_A2, multiply_add("MulAddRelu", half, 0)),
    ("A153", "half fused vs unfused"): (_A2, multiply_add("FusedMulAddRelu", half, 0)),
    ("H063", "scores descending"): (_A2, get_mrg_sort_result),
    ("H064", "non-zero scores descending"): (_310P, mrg_sort4),
    ("A163", "non-zero scores descending"): (_310P, mrg_sort4),
    ("H065", "field 4"): (_310P, proposal_extract),
    ("A172", "field 4"): (_310P, proposal_extract),
    ("A171", "field 4 of each proposal"): (_310P, proposal_concat),
    ("H066", "score field sorted per 16"): (_310P, rp_sort16),
    ("A185", "score field sorted per 16"): (_310P, rp_sort16),
    ("H071", "int8 srcHighHalf/dstHighHalf"): (_A2, trans_data(int8_t, 512, halves=True)),
    ("H072", "b16 16x16"): (_A2, trans_data(half, 256)),
    ("H073", "b32 16x8 -> 8x16"): (_A2, trans_data(int32_t, 128)),
    ("H074", "16x16"): (_A2, transpose),
    ("H083", "LT 64"): (_A2, compare_first),
    **{
        ("H083", f"{mode} 8 elements"): (_A2, compare_eight(CMPMODE[mode], at))
        for mode, at in (("GT", 2), ("GE", 3), ("LE", 4), ("EQ", 5), ("NE", 6))
    },
    ("H084", "LE with masks 0x33333333"): (_950, compare_masked((0x33333333, 0))),
    ("H085", "LE with mask 28"): (_950, compare_masked(28)),
    ("H086", "LT scalar"): (_A2, compare_scalar("Compares")),
    ("A140", "LT scalar"): (_A2, compare_scalar("CompareScalar")),
    ("H087", "LT bits LSB first"): (_A2, compare_register),
    ("H092", "select"): (_A2, select(TENSOR)),
    ("H093", "select"): (_A2, select(SCALAR)),
    ("H094", "select"): (_A2, select(REGISTER)),
    ("H096", "blocks (first 32 and last 16 values)"): (_A2, gatherb),
    **{
        (f"{page}{number}", f"CAST_{name}"): (_A2, cast(MODES[name]))
        for page, first in (("H", 98), ("S", 327))
        for name, offset in _CASTS.items()
        for number in [f"{first + offset:03}"]
    },
    **{(e, "ceil on the 256 active lanes"): (_A2, cast_masked) for e in ("H103", "A138", "S332")},
    ("A137", "ceil 512"): (_A2, cast_whole),
    ("H107", "~x"): (_A2, invert),
    ("A170", "pair sum half"): (_A2, pair_sum),
    **{
        (e, "value+index over all"): (_A2, reduce_whole(name, length))
        for e, name, length in (
            ("A175", "ReduceMax", 512),
            ("A176", "ReduceMax", 288),
            ("A178", "ReduceMin", 512),
            ("A179", "ReduceMin", 288),
        )
    },
    ("A184", "sum per 128"): (_A2, repeat_sums("RepeatReduceSum")),
    ("A208", "sum per 128"): (_A2, repeat_sums("WholeReduceSum")),
    ("A206", "value+index per 128"): (_A2, repeat_extremes("WholeReduceMax")),
    ("A207", "value+index per 128"): (_A2, repeat_extremes("WholeReduceMin")),
    ("A195", "scores descending per 32"): (_A2, sort32),
}

DIFFERENT = {
    ("H025", "prelu"): "the page's third value is -1545 with a digit wrong",
    ("B243", "prelu"): "as H025, and 1024 for 1028",
    ("H026", "half nearest vs page"): "an approximate instruction: the page shows an error of up to 2.5e-3",
    ("H028", "half nearest vs page"): "an approximate instruction: the page shows an error of up to 2.5e-3",
    ("H083", "LT 64"): "the page prints 127 for bytes of eight ones",
    ("H083", "NE 8 elements"): "the page prints 126 beside the bits of 254",
    ("H085", "LE with mask 28"): "the page prints 127 and 16 for bytes of eight and of four ones",
    ("H103", "ceil on the 256 active lanes"): "input 414 is printed 2., where the first page has 91.",
}
"""Checks on which the page itself is wrong or shows an approximation (spec 02 sections 6 and 7)."""
