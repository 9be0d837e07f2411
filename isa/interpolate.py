"""BilinearInterpolation: gather blocks, multiply by weights, add the terms of each row."""

from isa.dtypes import half, uint32_t
from isa.families import TILED, Argument, ArgumentKind, Family, Operand, Role, Shape
from isa.model import Timing, TypeRow, TypeTable, declare
from isa.patterns import Follows, Pattern, tile
from isa.products import ASCEND310P, ASCEND910_93, ASCEND910B, ASCEND950

BILINEAR_INTERPOLATION = declare(
    "BilinearInterpolation",
    Family(
        "interpolation",
        Shape.INTERPOLATE,
        (
            Operand("dst", Role.WRITTEN, Pattern(block=1, repeat=8)),
            Operand("src0", Role.READ, Pattern(follows=Follows.TABLE, block=1, repeat=0)),
            Operand("src0_offset", Role.READ, tile(8, bits=32)),
            Operand("src1", Role.READ, tile(1)),
        ),
        (
            Argument("h_repeat", ArgumentKind.NUMBER),
            Argument("repeat_mode", ArgumentKind.FLAG),
            Argument("dst_blk_stride", ArgumentKind.NUMBER),
            Argument("v_r_offset", ArgumentKind.NUMBER),
            Argument("v_repeat", ArgumentKind.NUMBER),
        ),
        forms=TILED,
        takes_is_set_mask=False,
        disjoint=True,
    ),
    types=TypeTable({(ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND950): (TypeRow((half, half, uint32_t, half)),)}),
    model="one instruction on every product, as on ascend310p; A2 and A3 build it from Gatherb, Brcb, Mul and Add",
    timing=Timing.GATHER_BLOCK,
    doc="基础API/Memory矢量计算/基础算术/BilinearInterpolation(ISASI).md",
    summary="dst row v = sum over h of 8 gathered blocks of src0 times a weight of src1, one a repeat or one a block",
)
