"""DeInterleave has a prototype with one source; Transpose is one repeat."""

from typing import Any

import isa
from ascend_sim.api.bind import bind, documentation
from ascend_sim.api.tensor import LocalTensor

_deal = bind(isa.gather.DEINTERLEAVE.variants[0], 2)
_deinterleave = bind(isa.gather.DEINTERLEAVE, 2)
_transpose = bind(isa.tiles.TRANSPOSE, 2)


def DeInterleave(dst0: LocalTensor, dst1: LocalTensor, src0: LocalTensor, *rest: Any, **options: Any) -> None:
    if rest and isinstance(rest[0], LocalTensor):
        _deinterleave(dst0, dst1, src0, *rest, **options)
        return
    if "src_count" in options:
        options["count"] = options.pop("src_count")
    _deal(dst0, dst1, src0, *rest, **options)


def Transpose(dst: LocalTensor, src: LocalTensor) -> None:
    _transpose(dst, src, 1)


for _function, _instruction in ((DeInterleave, isa.gather.DEINTERLEAVE), (Transpose, isa.tiles.TRANSPOSE)):
    _function.__doc__ = documentation(_instruction)
    _function.__module__ = "ascend_sim"
