"""Compare and Select have prototypes that differ by their tensors; the compare register is read and written here."""

from typing import Any

import numpy as np

import isa
from ascend_sim.api.calls.bind import bind, documentation
from ascend_sim.api.calls.call import WRITTEN
from ascend_sim.api.context import current_run
from ascend_sim.api.memory.tensor import LocalTensor
from isa.dtypes import uint8_t
from isa.params import CMPMODE, SELMODE
from isa.positions import TPosition

_compare = bind(isa.compare.COMPARE, 2)
_compare_register = bind(isa.compare.COMPARE.variants[0], 2)
_select = bind(isa.compare.SELECT, 2)
_select_handed_over = bind(isa.compare.SELECT_HANDED_OVER, 2)
_select_register = bind(isa.compare.SELECT_BY_REGISTER, 2)
_get = bind(isa.compare.GET_CMP_MASK, 2)
_set = bind(isa.compare.SET_CMP_MASK, 2)


def Compare(*operands: Any, **options: Any) -> None:
    if len(operands) > 2 and isinstance(operands[2], CMPMODE):
        given = operands if len(operands) > 3 else (*operands, options.pop("mask", None))
        src0, src1, mode, mask, *rest = given
        params = rest[0] if rest else options.pop("repeat_params", None)
        _compare_register(src0, src1, mode, mask, 1, params, **options)
        return
    _compare(*operands, **options)


def Select(*operands: Any, **options: Any) -> None:
    if any(isinstance(o, SELMODE) for o in operands):
        _select(*operands, **options)
        return
    # without a mask argument: the bits, their address or the scalar stand in the compare register
    if len(operands) < 3:
        raise TypeError("Select takes dst, src0 and src1, and a SELMODE when the bits are in a tensor")
    dst, first, second, *rest = operands
    third = rest.pop(0) if rest and isinstance(rest[0], LocalTensor) else None
    repeat = rest.pop(0) if rest else options.pop("repeat_time", None)
    params = rest.pop(0) if rest else options.pop("repeat_params", None)
    if repeat is None or params is None:
        raise TypeError(
            "Select without a SELMODE takes repeat_time and repeat_params: the compare register has the bits"
        )
    if third is not None:
        raise TypeError("Select: with sel_mask, src0 and src1 the call needs a SELMODE")
    mode = options.pop("sel_mode", None)
    if mode is None:
        mode = SELMODE.VSEL_CMPMASK_SPR if first.dtype is dst.dtype else SELMODE.VSEL_TENSOR_SCALAR_MODE
    register = current_run().machine.special.cmp_mask
    if mode is SELMODE.VSEL_CMPMASK_SPR:
        _select_register(dst, first, second, mode, None, repeat, params, is_set_mask=False)
    elif mode is SELMODE.VSEL_TENSOR_SCALAR_MODE:
        scalar = register[: dst.dtype.size].view(dst.dtype.host)[0]
        _select_handed_over(dst, first, second, scalar, mode, None, repeat, params, is_set_mask=False)
    else:
        address = int(register[:4].view(np.uint32)[0])
        bits = LocalTensor(uint8_t, TPosition.VECCALC, address, 256 // dst.dtype.bits * repeat)
        _select_handed_over(dst, bits, first, second, mode, None, repeat, params, is_set_mask=False)


def GetCmpMask(dst: LocalTensor) -> None:
    _get(dst, 1)


def SetCmpMask(src: LocalTensor) -> None:
    _set(src, 1)


for _function, _instruction in (
    (Compare, isa.compare.COMPARE),
    (Select, isa.compare.SELECT),
    (GetCmpMask, isa.compare.GET_CMP_MASK),
    (SetCmpMask, isa.compare.SET_CMP_MASK),
):
    _function.__doc__ = documentation(_instruction)
    _function.__module__ = "ascend_sim"

WRITTEN[isa.compare.COMPARE.variants[0]] = "Compare(src0, src1, cmp_mode, mask, repeat_params, is_set_mask=True)"
WRITTEN[isa.compare.SELECT_BY_REGISTER] = "Select(dst, src0, src1, repeat_time, repeat_params, sel_mode=None)"
