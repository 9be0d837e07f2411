"""Lane functions of the compare and select chapter: eight answers a byte, lane 0 in its lowest bit (spec 03 section 6).

Comparisons with NaN are false, except NE on the products whose library uses the register comparison: on A2 and A3, and
assumed for ascend910 and ascend310p, NE is false too. +0 equals -0.
"""

from typing import Any

import numpy as np

from isa.numerics.arithmetic import Types
from isa.numerics.rules import Array, Kernel, Rules
from isa.params import CMPMODE, SELMODE
from isa.products import Arch

COMPARE_MODEL = "NE with a NaN operand: 1 on ascend310b and ascend950, else 0 (published for A2, A3 and ascend950)"

_UFUNCS = {
    CMPMODE.LT: np.less,
    CMPMODE.GT: np.greater,
    CMPMODE.EQ: np.equal,
    CMPMODE.LE: np.less_equal,
    CMPMODE.GE: np.greater_equal,
    CMPMODE.NE: np.not_equal,
}


def _flags(types: Types, rules: Rules, mode: CMPMODE) -> Kernel:
    """`flags(a, b)`: one bool for each lane."""
    ufunc = _UFUNCS[mode]
    if mode is not CMPMODE.NE or not types[-1].is_float or rules.arch in (Arch.M300, Arch.A3510):
        return ufunc

    def ordered_and_different(a: Any, b: Any) -> Any:
        return np.less(a, b) | np.greater(a, b)

    return ordered_and_different


def _packed(flags: Array, active: Array) -> Array:
    return np.packbits(flags & active, axis=-1, bitorder="little")


def compare(types: Types, rules: Rules, *, cmp_mode: CMPMODE, scalar_first: bool = False) -> Kernel:
    """Packed bits; those of inactive lanes are 0. `kernel(src0, src1, active, out)`, or with a scalar before `out`."""
    flags = _flags(types, rules, cmp_mode)

    def kernel(a: Array, second: Any, third: Any, out: Array) -> None:
        if second.dtype == np.bool_ and second.ndim:
            active, b = second, third  # a scalar follows the mask
        else:
            active, b = third, second
        out[...] = _packed(flags(b, a) if scalar_first else flags(a, b), active).view(out.dtype)

    return kernel


def compare_into_register(types: Types, rules: Rules, *, cmp_mode: CMPMODE) -> Kernel:
    """`kernel(src0, src1, active, special)`: the bits of the repeat go to the low end of the compare register."""
    flags = _flags(types, rules, cmp_mode)

    def kernel(a: Array, b: Array, active: Array, special: Any) -> None:
        bits = _packed(flags(a, b), active)[-1]
        special.cmp_mask[:] = 0
        special.cmp_mask[: bits.size] = bits

    return kernel


def _chosen(selectors: Array, lanes: int) -> Array:
    return np.unpackbits(selectors, axis=-1, bitorder="little")[..., :lanes].astype(np.bool_)


def select(types: Types, rules: Rules, *, sel_mode: SELMODE, scalar_first: bool = False) -> Kernel:
    """src0 where the bit is 1, else src1: `kernel(selectors, src0, src1, special, out)`, or `kernel(selectors, src0,
    special, scalar, out)`. Before the register loops the compare register is left with what the library hands to the
    instruction through it (spec 01 section 3.8): the bits, copies of the scalar, or copies of `address`, the 32-bit
    one of the bits. None: the call has taken these from the register.
    """
    keeps_register = rules.arch in (Arch.M300, Arch.A3510)

    def kernel(selectors: Array, a: Array, third: Any, fourth: Any, out: Array, *, address: int | None = None) -> None:
        b, special = (third, fourth) if isinstance(third, np.ndarray) else (fourth, third)
        chosen = _chosen(selectors, out.shape[-1])
        np.copyto(out, b if not scalar_first else a)
        np.copyto(out, a if not scalar_first else b, where=chosen)
        if not keeps_register and address is not None and len(selectors):
            if sel_mode is SELMODE.VSEL_CMPMASK_SPR:
                special.cmp_mask[:] = 0
                special.cmp_mask[: selectors.shape[-1]] = selectors[-1]
            elif sel_mode is SELMODE.VSEL_TENSOR_TENSOR_MODE:
                special.cmp_mask[:] = np.full(4, address, np.uint32).view(np.uint8)
            else:
                special.cmp_mask[:] = np.full(16 // out.itemsize, b, out.dtype).view(np.uint8)

    return kernel


def select_by_register(types: Types, rules: Rules, *, sel_mode: SELMODE) -> Kernel:
    """`kernel(src0, src1, special, out)`: the bits of the compare register, the same for every repeat."""

    def kernel(a: Array, b: Array, special: Any, out: Array) -> None:
        chosen = _chosen(special.cmp_mask, out.shape[-1])
        np.copyto(out, b)
        np.copyto(out, a, where=chosen)

    return kernel


def register_to_memory(types: Types, rules: Rules) -> Kernel:
    """`kernel(special, out)`."""
    return lambda special, out: np.copyto(out, special.cmp_mask)


def memory_to_register(types: Types, rules: Rules) -> Kernel:
    """`kernel(src, special)`."""
    return lambda source, special: np.copyto(special.cmp_mask, source[-1])
