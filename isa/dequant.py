"""Dequantising instructions of the chapter "compound"."""

import attrs

from isa.dtypes import half, int8_t, int16_t, int32_t, uint8_t
from isa.families import BINARY, UNARY, Argument, ArgumentKind, Operand, Role, Shape
from isa.model import Instruction, Timing, TypeRow, TypeTable, declare
from isa.numerics import dequant as lane
from isa.patterns import Follows, Pattern
from isa.products import ASCEND310P, ASCEND910_93, ASCEND910B, ASCEND950

_PAGES = "基础API/Memory矢量计算/复合计算"
_PRODUCTS = (ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND950)


def _half_blocks(arguments: object) -> Pattern:
    return Pattern(
        fixed=256,
        follows=Follows.HALF_BLOCKS,
        block="dst_blk_stride",
        repeat="dst_rep_stride",
        first=lane.HALF_BLOCK if arguments["half_block"] else 0,  # type: ignore[index]  # patterns get the arguments
    )


_TO_BYTES = attrs.evolve(
    UNARY,
    name="dequantisation to half blocks",
    shape=Shape.REPEATS,
    operands=(
        Operand("dst", Role.WRITTEN, _half_blocks),
        Operand("src", Role.READ, Pattern(block="src_blk_stride", repeat="src_rep_stride")),
    ),
    arguments=(
        Argument("is_vec_deq", ArgumentKind.FLAG, keyword=True, default=True),
        Argument("half_block", ArgumentKind.FLAG, keyword=True, default=True),
    ),
    stores_count=True,
)

CAST_DEQUANT = declare(
    "CastDequant",
    _TO_BYTES,
    old_names=("CastDeq",),
    lanes=lane.to_half_blocks,
    types=TypeTable(
        {_PRODUCTS: (TypeRow((int8_t, int16_t), uses_deq_scale=True), TypeRow((uint8_t, int16_t), uses_deq_scale=True))}
    ),
    timing=Timing.CONVERT,
    doc=f"{_PAGES}/CastDequant.md",
    summary="dst = src * scale + offset in 8 bits, in one half of each block; or src * scale in half",
    variants=(
        Instruction(
            name="CastDequant",
            family=attrs.evolve(UNARY, name="dequantisation to half", stores_count=True),
            lanes=lane.scaled_half,
            types=TypeTable({(ASCEND910B, ASCEND910_93, ASCEND950): (TypeRow((half, int32_t), uses_deq_scale=True),)}),
            timing=Timing.CONVERT,
            doc=f"{_PAGES}/CastDequant.md",
            summary="dst = src * scale in half",
        ),
    ),
)

ADD_DEQ_RELU = declare(
    "AddDeqRelu",
    attrs.evolve(BINARY, name="dequantised sum"),
    lanes=lane.add_scaled_relu,
    types=TypeTable({_PRODUCTS: (TypeRow((half, int32_t, int32_t), uses_deq_scale=True),)}),
    timing=Timing.CONVERT,
    doc=f"{_PAGES}/AddDeqRelu.md",
    summary="dst = max(0, half((src0 + src1) * scale)), the scale of SetDeqScale",
)
