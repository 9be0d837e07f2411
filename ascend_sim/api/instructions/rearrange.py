"""DeInterleave has a prototype with one source; Transpose is one repeat, or has a struct that says what it is."""

import sys
from typing import Any

import isa
from ascend_sim.api.calls.bind import bind, documentation
from ascend_sim.api.calls.call import refuse
from ascend_sim.api.context import current_run
from ascend_sim.api.instructions.transpose_layout import layout_program
from ascend_sim.api.memory.tensor import LocalTensor

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


def Transpose(
    dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor | None = None, transpose_params: Any = None
) -> None:
    if shared_tmp_buffer is None and transpose_params is None:
        _transpose(dst, src, 1)
        return
    if shared_tmp_buffer is None or transpose_params is None:
        raise refuse(isa.tiles.TRANSPOSE_LAYOUT, "shared_tmp_buffer and transpose_params go together")
    run, frame = current_run(), sys._getframe(1)
    tensors = (dst, src, shared_tmp_buffer)
    try:
        key: tuple[object, ...] | None = (isa.tiles.TRANSPOSE_LAYOUT, *(t.key for t in tensors), transpose_params)
        program = run.programs.get(key or ())
    except (TypeError, AttributeError):  # no tensor, or no key: layout_program explains
        key = program = None
    if program is None:
        program = layout_program(run, tensors, transpose_params, frame)
        if program is None:
            _transpose(dst, src, 1)
            return
        if key is not None:
            run.remember(key, program)
    run.play(program, frame)


for _function, _instruction in ((DeInterleave, isa.gather.DEINTERLEAVE), (Transpose, isa.tiles.TRANSPOSE)):
    _function.__doc__ = documentation(_instruction)
    _function.__module__ = "ascend_sim"
