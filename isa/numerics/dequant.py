"""Dequantisation: int16_t to 8 bits by scale, offset and sign mode; sums of int32_t to half (spec 03 section 5)."""

import numpy as np

from isa.dtypes import half, int32_t
from isa.numerics.arithmetic import Types, relu
from isa.numerics.cast import cast
from isa.numerics.rules import Array, Kernel, Rules
from isa.numerics.saturation import integer
from isa.params import RoundMode
from isa.products import BLOCK_BYTES

HALF_BLOCK = BLOCK_BYTES // 2
_OFFSET_BITS = 9
Entry = tuple[float, int, bool]
"""Scale, offset, sign mode."""


def stored_scale(scale: float) -> float:
    """The register keeps 10 bits of mantissa: the lower 13 are dropped."""
    code = np.array([scale], np.float32).view(np.uint32) & np.uint32(0xFFFF_E000)
    return float(code.view(np.float32)[0])


def stored_offset(offset: int) -> int:
    """Nine bits, signed as documented."""
    low = offset & ((1 << _OFFSET_BITS) - 1)
    return low - (1 << _OFFSET_BITS) if low >> (_OFFSET_BITS - 1) else low


def _quantised(source: Array, scale: Array, offset: Array, signed: Array) -> Array:
    """8-bit codes of int16 values; the parameters broadcast over the lanes."""
    product = np.rint(source.astype(np.float32) * scale)
    product = np.nan_to_num(product, nan=0.0, posinf=32767, neginf=-32768)
    whole = np.clip(product, -256, 255).astype(np.int32) + offset
    low, high = np.where(signed, -128, 0), np.where(signed, 127, 255)
    return (np.clip(whole, low, high) & 0xFF).astype(np.uint8)


def to_half_blocks(types: Types, rules: Rules, *, is_vec_deq: bool, half_block: bool) -> Kernel:
    """16 results of a block of 16 values fill one half of a block: `kernel(source, out)`."""
    entries: tuple[Entry, ...] = rules.deq or ((1.0, 0, types[0].carrier.kind == "i"),)
    repeated = (entries * 16)[:16] if is_vec_deq else (entries[:1] * 16)
    scale = np.array([e[0] for e in repeated], np.float32)
    offset = np.array([e[1] for e in repeated], np.int32)
    signed = np.array([e[2] for e in repeated])

    def kernel(source: Array, out: Array) -> None:
        blocks = source.reshape(source.shape[0], -1, HALF_BLOCK)
        made = np.zeros((*blocks.shape[:2], BLOCK_BYTES), np.uint8)
        at = HALF_BLOCK if half_block else 0
        made[..., at : at + HALF_BLOCK] = _quantised(blocks, scale, offset, signed)
        out[...] = made.reshape(out.shape).view(out.dtype)

    return kernel


def scaled_half(types: Types, rules: Rules) -> Kernel:
    """int32_t to half by the scale of SetDeqScale."""
    return cast(types[1], types[0], RoundMode.CAST_NONE, rules)


def add_scaled_relu(types: Types, rules: Rules) -> Kernel:
    """max(0, half((src0 + src1) * scale))."""
    add = integer(np.add, int32_t, rules)
    convert, rectify = scaled_half((half, int32_t), rules), relu((half,), rules)

    def kernel(a: Array, b: Array, out: Array) -> None:
        total = np.empty(out.shape, np.int32)
        add(a, b, total)
        convert(total, out)
        rectify(out, out)

    return kernel
