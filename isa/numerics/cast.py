"""Cast: one kernel for each pair of element types, rounding mode and state of the control register.

Types of at most 16 bits are converted by table: every code is converted once, by the kernel for float32, which holds
all of their values. So the arithmetic is written for float32, double and the integers of 16 bits and more only.
"""

from functools import cache, lru_cache
from math import isfinite

import numpy as np

from isa.dtypes import (
    ElementType,
    Kind,
    bfloat16_t,
    complex32,
    complex64,
    double,
    float32,
    fp4x2_e1m2_t,
    fp4x2_e2m1_t,
    fp8_e4m3fn_t,
    fp8_e5m2_t,
    half,
    hifloat8_t,
    int4b_t,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
)
from isa.numerics import hif8, narrow
from isa.numerics.formats import COMPLEX32, all_codes, to_host
from isa.numerics.integers import float_to_int, int_to_float, int_to_int
from isa.numerics.layouts import F32, F64, U32
from isa.numerics.rounding import INTEGRAL, Rounding, Shift, rounding_of, shift_right
from isa.numerics.rules import Array, Kernel, Rules
from isa.numerics.tiles import assign, tiled
from isa.params import RoundMode
from isa.products import Arch

TARGETS: dict[ElementType, tuple[ElementType, ...]] = {
    half: (float32, bfloat16_t, int32_t, int16_t, int8_t, uint8_t, int4b_t, hifloat8_t),
    float32: (float32, half, bfloat16_t, hifloat8_t, fp8_e4m3fn_t, fp8_e5m2_t, int64_t, int32_t, int16_t),
    double: (float32, bfloat16_t, int64_t, int32_t),
    bfloat16_t: (float32, half, int32_t, fp4x2_e2m1_t, fp4x2_e1m2_t),
    hifloat8_t: (float32, half),
    fp8_e4m3fn_t: (float32,),
    fp8_e5m2_t: (float32,),
    fp4x2_e2m1_t: (bfloat16_t,),
    fp4x2_e1m2_t: (bfloat16_t,),
    int4b_t: (half, bfloat16_t, int16_t),
    int8_t: (half, int16_t, int32_t),
    uint8_t: (half, uint16_t, uint32_t),
    int16_t: (half, float32, int32_t, uint32_t, uint8_t, int4b_t),
    uint16_t: (uint32_t, uint8_t),
    int32_t: (float32, half, int64_t, int16_t, uint16_t, uint8_t),
    uint32_t: (uint16_t, int16_t, uint8_t),
    int64_t: (float32, double, int32_t),
    complex64: (complex64, complex32),
    complex32: (complex64,),
}
"""What some product converts to what. Which product does, and in which modes, is declared with the instruction."""


def cast(src: ElementType, dst: ElementType, mode: RoundMode, rules: Rules) -> Kernel:
    """`kernel(source, out)` that converts carrier arrays of one shape, of any strides, from `src` to `dst`.

    `source` and `out` may be the same memory if they are the same view. The same arguments give the same kernel.
    Pairs that lose nothing ignore `mode`. Raises ValueError for a pair that no product converts and for a mode that
    has no meaning for the pair; modes that merely are not offered follow the general rule.
    """
    if (src, dst) == (int32_t, half) and rules.arch is not Arch.M300:
        return _dequantizer(_half_bits(rules.deq_scale), rules.float_saturates)
    return _cast(src, dst, mode, rules)


@lru_cache(maxsize=256)
def round_to_integral(dtype: ElementType, mode: RoundMode, rules: Rules) -> Kernel:
    """`kernel(source, out)`: float32, half or bfloat16_t rounded to integral values of the same type (Truncate).

    Infinities and NaN pass.
    """
    kernel = _integral_kernel(mode, rules.arch)
    if dtype is float32:
        return tiled(kernel)
    if dtype not in (half, bfloat16_t):
        raise ValueError(f"{dtype} cannot be rounded to integral values; float32, half and bfloat16_t can")
    return tiled(_by_table(dtype, dtype, _then_narrow(kernel)))


@lru_cache(maxsize=1024)
def _cast(src: ElementType, dst: ElementType, mode: RoundMode, rules: Rules) -> Kernel:
    targets = TARGETS.get(src, ())
    if dst not in targets:
        known = ", ".join(target.name for target in targets) or "nothing"
        raise ValueError(f"no product converts {src} to {dst}; {src} converts to {known}")
    kernel = _kernel(src, dst, mode, rules)
    return kernel if kernel is assign else tiled(kernel)


def _kernel(src: ElementType, dst: ElementType, mode: RoundMode, rules: Rules) -> Kernel:
    if src.kind is Kind.COMPLEX:
        return _complex(src, dst, mode, rules)
    if src is double:
        return _from_double(dst, mode, rules)
    if src.is_integer and not src.is_nibble and (dst.is_integer or dst.bits > 16 or src.bits > 16):
        return _from_integer(src, dst, mode, rules)
    if src is float32:
        return _integral_kernel(mode, rules.arch) if dst is float32 else _from_float32(src, dst, mode, rules)
    if (src, dst) == (bfloat16_t, float32):
        return assign  # ten times faster than a table
    return _by_table(src, dst, _from_float32(src, dst, mode, rules))


def _from_double(dst: ElementType, mode: RoundMode, rules: Rules) -> Kernel:
    rounding = rounding_of(mode, rules.arch)
    if dst.is_integer:
        return float_to_int(dst, rounding, rules.cast_saturates, F64)
    return narrow.double_encoder(dst, rounding)


def _from_integer(src: ElementType, dst: ElementType, mode: RoundMode, rules: Rules) -> Kernel:
    if dst.is_integer:
        return int_to_int(src, dst, rules.cast_saturates)
    if dst is half:
        return _int32_to_half(rules.float_saturates)
    return int_to_float(src, dst, rounding_of(mode, rules.arch))


def _from_float32(src: ElementType, dst: ElementType, mode: RoundMode, rules: Rules) -> Kernel:
    """float32, which may be the values of a narrower `src`, to `dst`.

    Two conflicts of the documents are decided here by not making an exception. half to bfloat16_t saturates like
    every narrow target, so infinity becomes the largest value and NaN 0 (C5); half to int16_t keeps the low bits
    when it does not saturate, like every integer target (C4).
    """
    if dst is float32:
        return assign
    if dst is hifloat8_t:
        return _to_hifloat8(src, mode, rules)
    rounding = rounding_of(mode, rules.arch)
    if dst.is_integer:
        return float_to_int(dst, rounding, rules.cast_saturates, F32)
    if dst in (fp8_e4m3fn_t, fp8_e5m2_t):
        return _folded(dst, narrow.encoder(dst, rounding, rules.float_saturates, rules.keeps_fp8_nan))
    return narrow.encoder(dst, rounding, rules.float_saturates)


def _to_hifloat8(src: ElementType, mode: RoundMode, rules: Rules) -> Kernel:
    if mode is RoundMode.CAST_HYBRID:
        return hif8.encoder(hif8.hybrid(rules.hybrid_policy, src is half), rules.float_saturates)
    if mode is RoundMode.CAST_ROUND:
        direct = hif8.encoder(hif8.half_away, rules.float_saturates)
        return _folded(hifloat8_t, direct) if src is float32 else direct
    raise ValueError(f"{mode.name} does not convert to hifloat8_t; CAST_ROUND and CAST_HYBRID do")


# ------------------------------------------------------------------------------------------------- tables


@cache
def _table(src: ElementType, dst: ElementType, kernel: Kernel) -> Array:
    """What `kernel`, which takes float32, makes of every code of `src`."""
    values = to_host(all_codes(src), src).astype(F32)
    table = np.empty(values.shape, dst.carrier)
    kernel(values, table)
    table.flags.writeable = False
    return table


@cache
def _by_table(src: ElementType, dst: ElementType, kernel: Kernel) -> Kernel:
    take = _table(src, dst, kernel).take
    if src.carrier == src.code:

        def from_codes(source: Array, out: Array) -> None:
            out[...] = take(source, mode="clip")

        return from_codes
    code = src.code

    def from_values(source: Array, out: Array) -> None:
        out[...] = take(source.view(code), mode="clip")

    return from_values


_DROP_TO_BFLOAT16 = Shift.of(16, U32)


@cache
def _folded(dst: ElementType, kernel: Kernel) -> Kernel:
    """`kernel`, which takes float32 to a type of 8 bits, by a table of the 65,536 upper halves.

    The lower half of the source is folded into one sticky bit (rounding to odd): with 8 significant bits, the targets
    having at most 4, that changes no rounding. It also keeps every NaN a NaN.
    """
    table = _table(bfloat16_t, dst, kernel)
    fold = shift_right[Rounding.ODD]

    def folded(source: Array, out: Array) -> None:
        bits = source.view(U32)
        out[...] = table.take(fold(bits, bits, _DROP_TO_BFLOAT16), mode="clip")

    return folded


# ------------------------------------------------------------------------------------------------- kernels


def _integral_kernel(mode: RoundMode, arch: Arch) -> Kernel:
    """float32 to integral float32. A zero keeps the sign of the source, except on A2 and A3, which give no -0.

    It is printed for -0; taken to hold for every zero there (spec 03 section 1c); for other products unknown U7.
    """
    return _integral(rounding_of(mode, arch), arch is Arch.C220)


@cache
def _integral(rounding: Rounding, drops_minus_zero: bool) -> Kernel:
    to_integral = INTEGRAL[rounding]
    zero = np.array(0, F32)

    def kernel(source: Array, out: Array) -> None:
        with np.errstate(invalid="ignore"):  # a signalling NaN
            to_integral(source, out=out)
        if drops_minus_zero:
            np.add(out, zero, out)

    return kernel


@cache
def _then_narrow(kernel: Kernel) -> Kernel:
    """`kernel`, whose float32 results the type of `out` holds exactly."""

    def narrowed(source: Array, out: Array) -> None:
        wide = np.empty(source.shape, F32)
        kernel(source, wide)
        out[...] = wide

    return narrowed


@cache
def _int32_to_half(saturates: bool) -> Kernel:
    """int32 to half as 310B does it: without a scale, one rounding to nearest even.

    Clamping first to what overflows in any case leaves integers that float32 holds exactly.
    """
    to_half = narrow.encoder(half, Rounding.EVEN, saturates)
    low, high = np.array(-(1 << 16), np.int32), np.array(1 << 16, np.int32)

    def kernel(source: Array, out: Array) -> None:
        clamped = np.maximum(source, low)
        np.minimum(clamped, high, out=clamped)
        to_half(clamped.astype(F32), out)

    return kernel


def _half_bits(scale: float | None) -> int:
    """Code of the scale as half. Unset it is 1.0, which the 950 writes at kernel start; others are undocumented."""
    with np.errstate(over="ignore"):
        return int(np.float16(1.0 if scale is None else scale).view(np.uint16))


@lru_cache(maxsize=256)
def _dequantizer(scale_code: int, saturates: bool) -> Kernel:
    """int32 to half by the scale of SetDeqScale, each step float32, nearest even (spec 03 section 5.1).

    The library also multiplies by 2**-17 before the scale and by 2**17 after it. With a half for a scale no value on
    the way leaves the normal range of float32, so these two change nothing and are left out. The scale is keyed by
    its code because -0.0 and 0.0 would be one key.
    """
    scale = np.array(scale_code, np.uint16).view(np.float16).astype(F32)
    finite = isfinite(scale)
    to_half = narrow.encoder(half, Rounding.EVEN, saturates)

    def kernel(source: Array, out: Array) -> None:
        scaled = source.astype(F32)
        if finite:
            np.multiply(scaled, scale, scaled)
        else:
            with np.errstate(invalid="ignore"):  # 0 times infinity
                np.multiply(scaled, scale, scaled)
        to_half(scaled, out)

    return tiled(kernel)


_COMPLEX64 = np.dtype([("real", F32), ("imag", F32)])


def _complex(src: ElementType, dst: ElementType, mode: RoundMode, rules: Rules) -> Kernel:
    """Real and imaginary parts each on their own."""
    component = {complex32: half, complex64: float32}
    parts_of = {complex32: COMPLEX32, complex64: _COMPLEX64}
    convert = _cast(component[src], component[dst], mode, rules)
    as_source, as_out = parts_of[src], parts_of[dst]

    def kernel(source: Array, out: Array) -> None:
        parts, results = source.view(as_source), out.view(as_out)
        for name in ("real", "imag"):
            convert(parts[name], results[name])

    return kernel
