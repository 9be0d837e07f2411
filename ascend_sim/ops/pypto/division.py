"""floor_div: the quotient rounded down, as the tile library computes it (spec 05 section 2).

Each type has a sequence of its own on A2/A3 and on 950; this module has the checks, the choice and the float types,
`division_int` the integers.
"""

import numbers
from functools import partial
from typing import Any

import numpy as np

from ascend_sim.api.launch.npu import NPU
from ascend_sim.api.vector import Abs, Cast, Compares, Div, Divs, Duplicate, Muls, Select
from ascend_sim.ops.elementwise import Operator, Steps, Tile, mask_bytes, padded, run_elementwise
from ascend_sim.ops.geometry import Shape
from ascend_sim.ops.machine import operator_npu
from ascend_sim.ops.pypto import checks, division_int as integers
from ascend_sim.ops.pypto.dtypes import (
    DT_BF16,
    DT_FP16,
    DT_FP32,
    DT_INT8,
    DT_INT16,
    DT_INT32,
    DT_INT64,
    DT_UINT8,
    DT_UINT16,
    DataType,
)
from ascend_sim.ops.pypto.errors import bad_dtype, type_error
from ascend_sim.ops.pypto.tape import operation
from ascend_sim.ops.pypto.tensors import Tensor, as_tensor
from isa.dtypes import float32
from isa.params import CMPMODE, SELMODE, RoundMode
from isa.products import Arch, Product

NAME = "floor_div"
_CLIPPED = (DT_INT8, DT_INT16, DT_INT32, DT_INT64, DT_UINT8, DT_UINT16)
SLOTS = 6  # fp32-sized scratch slots for each padded element


def supported(product: Product) -> tuple[DataType, ...]:
    """Types of the operands."""
    wide = (DT_INT64,) if product.arch is Arch.A3510 else ()
    return (DT_FP16, DT_BF16, DT_FP32, DT_INT32, DT_INT8, DT_UINT8, *wide)


@operation
def floor_div(input: Any, other: Any) -> Tensor:  # noqa: A002  (the framework's parameter name)
    """`input` divided by `other`, rounded toward minus infinity.

    other: a tensor of the same type, broadcast; or a number, which for integer tensors is an integer.
    """
    npu = operator_npu()
    dividend = as_tensor(input, NAME, "input")
    divisor = other if isinstance(other, (numbers.Number, np.generic)) else as_tensor(other, NAME, "other")
    shapes = check(npu, dividend, divisor)
    if isinstance(divisor, Tensor):
        operator = operator_for(npu.product, dividend.dtype, None)
        operands = checks.valid_arrays((dividend, divisor), len(shapes[0]))
    else:
        operator = operator_for(npu.product, dividend.dtype, checked_scalar(dividend.dtype, divisor))
        operands = [dividend.data]
    result, report = run_elementwise(npu, operator, operands, checks.tile_for(NAME, len(shapes[0])))
    return Tensor.over(result, dividend.dtype, report=report, shape=checks.common_shape(shapes))


def check(npu: NPU, dividend: Tensor, divisor: Any) -> list[Shape]:
    """Everything that the operator refuses, in the framework's order; the shapes of the tensors, of equal rank."""
    checks.check_product(NAME, npu.product)
    tensors = [dividend, divisor] if isinstance(divisor, Tensor) else [dividend]
    if not isinstance(divisor, Tensor):
        checked_scalar(dividend.dtype, divisor)
    checks.check_format(NAME, *tensors)
    checks.check_dtype(NAME, supported(npu.product), *tensors)
    if len({t.dtype for t in tensors}) > 1:
        bad_dtype(f"{NAME}: the operands have different types, {dividend.dtype} and {divisor.dtype}.")
    checks.check_rank(NAME, *tensors)
    checks.check_size(NAME, *tensors)
    rank = max(t.dim for t in tensors)
    shapes = [padded(t.shape, rank) for t in tensors]
    full = checks.broadcast(NAME, *shapes)
    checks.check_element_count(NAME, full)
    checks.tile_for(NAME, rank)
    return shapes


def checked_scalar(dtype: DataType, other: Any) -> int | float:
    """The scalar as the kernel gets it: a float32 for the float types, an integer of the tensor's type otherwise.

    An integer out of range raises OverflowError: the framework hands it to the numpy type, which does not clip.
    """
    is_int = isinstance(other, (numbers.Integral, np.bool_))
    if not is_int and not dtype.is_float:
        type_error(f"{NAME}(): float scalar incompatible with integer tensor dtype {dtype}")
    if dtype.is_float:
        with np.errstate(over="ignore"):
            return float(np.float32(other))
    return int(dtype.host.type(int(other))) if dtype in _CLIPPED else int(other)


def operator_for(product: Product, dtype: DataType, scalar: float | None) -> Operator:
    """The operator for operands of this type. scalar: None for a divisor tensor."""
    is_950 = product.arch is Arch.A3510
    sequence: Any
    if dtype is DT_FP32:
        sequence = _float32 if scalar is None else partial(_float32_by_scalar, scalar=scalar)
    elif dtype in (DT_FP16, DT_BF16):
        sequence = _narrow_float if scalar is None else partial(_narrow_float_by_scalar, scalar=scalar)
    else:
        sequence = integers.sequence(is_950, dtype, None if scalar is None else int(scalar))
    element = dtype.element
    operands = (element,) if scalar is not None else (element, element)
    slot = 8 if dtype is DT_INT64 else 4

    def scratch(count: int) -> int:
        if dtype is DT_FP32:
            return 2 * 4 * count + mask_bytes(count) if is_950 and scalar is not None else 0
        return (SLOTS if slot == 4 else 4) * slot * count

    return Operator(name=NAME, result=element, operands=operands, sequence=sequence, scratch=scratch)


def _float32(tile: Tile) -> Steps:
    dst, (a, b), n = tile.dst, tile.sources, tile.count
    yield Div(dst, a, b, n)
    yield Cast(dst, dst, RoundMode.CAST_FLOOR, n)


def _float32_by_scalar(tile: Tile, scalar: float) -> Steps:
    dst, (a,), n = tile.dst, tile.sources, tile.count
    if tile.is_register_arch:
        s0, s1 = tile.slot(0, float32), tile.slot(1, float32)
        yield from divide_by_scalar(dst, a, scalar, n, (s0, s1), tile.masks(0, 8 * n))
    else:  # dst is no source, so the library divides by a filled tensor
        yield Duplicate(dst, scalar, n)
        yield Div(dst, a, dst, n)
    yield Cast(dst, dst, RoundMode.CAST_FLOOR, n)


def _narrow_float(tile: Tile) -> Steps:
    dst, (a, b), n = tile.dst, tile.sources, tile.count
    t0, t1 = tile.slot(0, float32), tile.slot(1, float32)
    yield Cast(t0, a, RoundMode.CAST_NONE, n)
    yield Cast(t1, b, RoundMode.CAST_NONE, n)
    yield Div(t0, t0, t1, n)
    yield Cast(t0, t0, RoundMode.CAST_FLOOR, n)
    yield Cast(dst, t0, RoundMode.CAST_RINT, n)


def _narrow_float_by_scalar(tile: Tile, scalar: float) -> Steps:
    dst, (a,), n = tile.dst, tile.sources, tile.count
    t0 = tile.slot(0, float32)
    yield Cast(t0, a, RoundMode.CAST_NONE, n)
    yield from divide_in_place(tile, t0, scalar)
    yield Cast(t0, t0, RoundMode.CAST_FLOOR, n)
    yield Cast(dst, t0, RoundMode.CAST_RINT, n)


def divide_in_place(tile: Tile, values: Any, scalar: float) -> Steps:
    """values / scalar where the source is the destination: on A2 and A3 a product with the rounded reciprocal."""
    n = tile.count
    if tile.is_register_arch:
        work = tile.slot(2, float32), tile.slot(3, float32)
        yield from divide_by_scalar(tile.slot(1, float32), values, scalar, n, work, tile.masks(0, 16 * n))
        yield Muls(values, tile.slot(1, float32), 1.0, n)
    else:
        yield Muls(values, values, integers.reciprocal(scalar), n)


_TINY = 2.0**-126
_SHIFT = 100  # powers of two by which small numbers are scaled


def divide_by_scalar(dst: Any, a: Any, scalar: float, n: int, work: tuple[Any, Any], mask: Any) -> Steps:
    """IEEE division with subnormals, which the divide unit of 950 would flush: small dividends are scaled first.

    The library's longer routine does the same for the tensor-scalar form (spec 05 section 2.1). A quotient can be
    subnormal, or its dividend be, only below `limit`; there 2**100 times the dividend is divided.
    """
    scaled, magnitude = work
    is_tiny = 0 < abs(scalar) < _TINY
    limit = 4.0 if not abs(scalar) < 1 else 2.0**-_SHIFT
    divisor = scalar * 2.0**_SHIFT if is_tiny else scalar
    yield Abs(magnitude, a, n)
    yield Compares(mask, magnitude, limit, CMPMODE.LT, n)
    yield Muls(scaled, a, 2.0**_SHIFT, n)
    yield Select(scaled, mask, scaled, a, SELMODE.VSEL_TENSOR_TENSOR_MODE, n)
    yield Divs(scaled, scaled, divisor, n)
    if is_tiny:  # both are scaled: the quotients of small dividends are right, the others lack the factor
        yield Muls(dst, scaled, 2.0**_SHIFT, n)
        yield Select(dst, mask, scaled, dst, SELMODE.VSEL_TENSOR_TENSOR_MODE, n)
    else:
        yield Muls(dst, scaled, 2.0**-_SHIFT, n)
        yield Select(dst, mask, dst, scaled, SELMODE.VSEL_TENSOR_TENSOR_MODE, n)
