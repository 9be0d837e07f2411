"""Powers of integers, modulo 2**bits (spec 05 section 3.1): a vector loop on 950, the scalar unit on A2 and A3."""

from collections.abc import Callable
from functools import partial

from ascend_sim.api.control.sync import EVENT_ID0, SetFlag, WaitFlag
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.vector import Adds, And, Cast, Compares, Duplicate, Mul, Or, Select, ShiftRight
from ascend_sim.ops.elementwise import WHOLE, Steps, Tile, mask_bytes
from ascend_sim.ops.pypto.division_int import mask_words, words
from ascend_sim.ops.pypto.dtypes import DataType
from isa.dtypes import ElementType, Kind, int8_t, int16_t, int32_t, uint8_t, uint16_t
from isa.params import CMPMODE, SELMODE, RoundMode
from isa.products import Arch, Product
from isa.sync import HardEvent

NONE = RoundMode.CAST_NONE
BOTH, ONE = SELMODE.VSEL_TENSOR_TENSOR_MODE, SELMODE.VSEL_TENSOR_SCALAR_MODE
CHUNK = 2048  # elements that the vector loop holds at a time
_SLOTS, _MASKS = 7, 2
_WORK = {int8_t: int16_t, uint8_t: uint16_t}


def sequence(product: Product, dtype: DataType, scalar: int | None) -> Callable[[Tile], Steps]:
    """The sequence for a type; scalar: None for a tensor of exponents, else the exponent as an int32.

    The kernel converts it to the type of the tensor, so for int8 it counts modulo 256.
    """
    exponent = None if scalar is None else wrapped(scalar, dtype.element)
    loop = _by_vectors if product.arch is Arch.A3510 else _by_the_scalar_unit
    return partial(loop, scalar=exponent)


def scratch(product: Product, count: int) -> int:
    """Bytes of the vector loop, whatever the tile; the scalar loop needs none."""
    if product.arch is not Arch.A3510:
        return 0
    chunk = min(CHUNK, count)
    return _SLOTS * 4 * chunk + _MASKS * mask_bytes(chunk)


def wrapped(value: int, dtype: ElementType) -> int:
    """The low bits of a number as an integer of the type."""
    value %= 1 << dtype.bits
    return value - (1 << dtype.bits) if dtype.kind is Kind.SIGNED and value >> (dtype.bits - 1) else value


def power(base: int, exponent: int, bits: int) -> int:
    """What one element is: 0 for a negative exponent unless the base is 1 or -1."""
    if exponent >= 0:
        return builtin_pow(base, exponent, 1 << bits)
    return 1 if base == 1 else (1 if exponent % 2 == 0 else -1) if base == -1 else 0


builtin_pow = pow


def _by_the_scalar_unit(tile: Tile, scalar: int | None) -> Steps:
    """One element after the other, between a flag that waits for the operands and one that releases the result."""
    dst, x = tile.dst, tile.sources[0]
    SetFlag(HardEvent.V_S, EVENT_ID0)
    WaitFlag(HardEvent.V_S, EVENT_ID0)
    SetFlag(HardEvent.MTE2_S, EVENT_ID0)
    WaitFlag(HardEvent.MTE2_S, EVENT_ID0)
    for i in range(tile.count):
        exponent = tile.sources[1].GetValue(i) if scalar is None else scalar
        dst.SetValue(i, wrapped(power(x.GetValue(i), exponent, dst.dtype.bits), dst.dtype))
    SetFlag(HardEvent.S_V, EVENT_ID0)
    WaitFlag(HardEvent.S_V, EVENT_ID0)
    yield


def _by_vectors(tile: Tile, scalar: int | None) -> Steps:
    """Square and multiply over all bits of the exponent, chunk by chunk; bytes are widened to 16 bits."""
    dtype = tile.dst.dtype
    work = _WORK.get(dtype, dtype)
    chunk = min(CHUNK, tile.count)
    slots = [
        tile.scratch[i * 4 * chunk : i * 4 * chunk + chunk * work.size].ReinterpretCast(work) for i in range(_SLOTS)
    ]
    masks = [tile.scratch[_SLOTS * 4 * chunk + i * mask_bytes(chunk) :] for i in range(_MASKS)]
    for start in range(0, tile.count, chunk):
        n = min(chunk, tile.count - start)
        x, y, base, exponent, bit, one, product = (s[:n] for s in slots)
        result = tile.dst[start : start + n] if work is dtype else product
        m0, m1 = (m[: mask_bytes(n)] for m in masks)
        source = tile.sources[0][start : start + n]
        if work is dtype:
            yield Adds(x, source, 0, n)
        else:
            yield Cast(x, source, NONE, n)
        if scalar is not None:
            yield Duplicate(y, scalar, n)
        elif work is dtype:
            yield Adds(y, tile.sources[1][start : start + n], 0, n)
        else:
            yield Cast(y, tile.sources[1][start : start + n], NONE, n)
        yield from _square_and_multiply(result, (x, y, base, exponent, bit, one), m0, n)
        yield from _fix_up(result, x, y, m0, m1, n)
        if work is not dtype:
            yield Duplicate(bit, 0xFF, n)
            yield And(result, result, bit, n)
            yield Cast(tile.dst[start : start + n].ReinterpretCast(uint8_t), result, NONE, n)


def _square_and_multiply(result: LocalTensor, slots: tuple[LocalTensor, ...], mask: LocalTensor, n: int) -> Steps:
    x, y, base, exponent, bit, one = slots
    yield Duplicate(result, 1, n)
    yield Duplicate(one, 1, n)
    yield Adds(base, x, 0, n) if _has_adds(x) else Mul(base, x, result, n)
    yield Adds(exponent, y, 0, n) if _has_adds(y) else Mul(exponent, y, result, n)
    for _ in range(result.dtype.bits):
        yield And(bit, exponent, one, n)
        yield Compares(mask, bit, 1, CMPMODE.EQ, n)
        yield Mul(bit, result, base, n)
        yield Select(result, mask, bit, result, BOTH, n)
        yield Mul(base, base, base, n)
        yield ShiftRight(exponent, exponent, 1, n)


def _has_adds(tensor: LocalTensor) -> bool:
    return tensor.dtype in (int16_t, int32_t)


def _fix_up(result: LocalTensor, x: LocalTensor, y: LocalTensor, m0: LocalTensor, m1: LocalTensor, n: int) -> Steps:
    """0 for negative exponents of bases other than -1; then 1 for exponent 0 and for base 1."""
    if result.dtype.kind is Kind.SIGNED:
        yield Compares(m0, y, 0, CMPMODE.GE, n)
        yield Compares(m1, x, -1, CMPMODE.EQ, n)
        yield Or(words(m0), words(m0), words(m1), mask_words(n))
        yield Select(result, m0, result, 0, ONE, n)
    yield Compares(m0, y, 0, CMPMODE.NE, n)
    yield Compares(m1, x, 1, CMPMODE.NE, n)
    yield And(words(m0), words(m0), words(m1), mask_words(n))
    yield Select(result, m0, result, 1, ONE, n)


assert CHUNK % WHOLE == 0
