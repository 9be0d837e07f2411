"""Lane functions of the logic chapter: bits and shifts (spec 03 section 6)."""

from typing import Any

import numpy as np

from isa.dtypes import Kind
from isa.numerics.arithmetic import Types
from isa.numerics.rules import Array, Kernel, Rules
from isa.products import Arch


def bit_and(types: Types, rules: Rules) -> Kernel:
    return np.bitwise_and


def bit_or(types: Types, rules: Rules) -> Kernel:
    return np.bitwise_or


def bit_not(types: Types, rules: Rules) -> Kernel:
    """The complement of the bit pattern, of floats too: no arithmetic, so nothing saturates."""
    code = types[0].code
    if types[0].is_integer:
        return np.invert
    return lambda source, out: np.invert(source.view(code), out.view(code))


def shift_left(types: Types, rules: Rules) -> Kernel:
    """Unsigned: zeros come in. Signed: the sign bit stays and the bit below it is dropped, once for each position.

    A shift by the width or more gives 0 for every type: the scalar page and both Reg pages of ascend950 say so, the
    page of the tensor form (-1 for negatives) repeats the text of ShiftRight. Negative shifts, undefined in the
    documentation, count as wide ones. The shift may be a tensor; of the width of src, and of its own sign.
    """
    width, code = types[0].bits, types[0].code

    def unsigned(source: Array, shift: Any, out: Array) -> None:
        np.left_shift(source, shift.view(code), out)

    if types[0].kind is Kind.UNSIGNED:
        return unsigned
    sign_bit = code.type(1 << width - 1)
    value_bits = code.type((1 << width - 1) - 1)

    def signed(source: Array, shift: Any, out: Array) -> None:
        codes, amount, result = source.view(code), shift.view(code), out.view(code)
        sign = np.bitwise_and(codes, np.multiply(np.less(amount, width), sign_bit))
        np.left_shift(codes, amount, result)
        np.bitwise_and(result, value_bits, result)
        np.bitwise_or(result, sign, result)

    return signed


def shift_right(types: Types, rules: Rules, *, round_en: bool = False) -> Kernel:
    """Arithmetic for signed, logical for unsigned types; a wide shift leaves 0, or -1 of a negative signed value.

    `round_en` adds the highest bit that was dropped: int16 and int32 on A2 and A3 only; elsewhere it has no effect.
    """
    dtype, code = types[0], types[0].code
    if round_en and rules.arch is Arch.C220 and dtype.kind is Kind.SIGNED:
        return _shift_right_rounding
    if dtype.kind is Kind.SIGNED:
        return np.right_shift
    return lambda source, shift, out: np.right_shift(source, shift.view(code), out)


def _shift_right_rounding(source: Array, shift: Any, out: Array) -> None:
    if shift == 0:
        np.copyto(out, source)
        return
    dropped = np.bitwise_and(np.right_shift(source, shift - 1), 1)
    np.right_shift(source, shift, out)
    np.add(out, dropped, out)
