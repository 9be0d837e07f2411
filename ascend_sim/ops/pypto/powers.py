"""pow: which of its lowerings applies, and the ones that are a few instructions (spec 05 section 3.1).

`powers_float` has x**y of float32 tensors, `powers_int` that of integers.
"""

import numbers
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ascend_sim.api.launch.npu import NPU
from ascend_sim.api.vector import Cast, Div, Duplicate, Mul, Sqrt
from ascend_sim.ops.elementwise import Operator, Steps, Tile, run_elementwise
from ascend_sim.ops.machine import operator_npu
from ascend_sim.ops.pypto import checks, powers_int
from ascend_sim.ops.pypto.dtypes import (
    DT_BF16,
    DT_FP16,
    DT_FP32,
    DT_INT8,
    DT_INT16,
    DT_INT32,
    DT_UINT8,
    DataType,
)
from ascend_sim.ops.pypto.errors import bad_dtype, bad_rank, type_error
from ascend_sim.ops.pypto.powers_float import scratch_of_power, sequence_of_power
from ascend_sim.ops.pypto.tape import operation
from ascend_sim.ops.pypto.tensors import Tensor, as_tensor
from isa.choice import Choice
from isa.dtypes import ElementType, float32, half
from isa.params import RoundMode
from isa.products import Arch, Product

NAME = "pow"
HEADS = 3  # float32 buffers for base, exponent and result of other types
EPSILON = 1e-9  # how near a scalar must come to a special one
_FLOATS = (DT_FP16, DT_BF16, DT_FP32)
_SMALL = (DT_INT16, DT_INT8, DT_UINT8)
SUPPORTED = (*_FLOATS, DT_INT32, *_SMALL)


class PrecisionType(Choice):
    """How 950 computes powers of floats; A2 and A3 ignore it. Pages call it PowAlgorithm."""

    INTRINSIC = 0
    HIGH_PRECISION = 1


PowAlgorithm = PrecisionType


def result_type(base: DataType, exponent: DataType) -> DataType:
    """The type of a power of two tensors, as the framework's code has it; FC0001 where it refuses.

    The pages document float32, float16, bfloat16 and int32. The other pairs follow the code, oddities included: a
    bfloat16 and an 8- or 16-bit integer give the integer type.
    """
    pair = {base, exponent}
    if len(pair) == 1:
        return base
    integers = [d for d in (base, exponent) if not d.is_float]
    if len(integers) == 2:
        bad_dtype(f"{NAME}: {base} and {exponent} are integers of different types.")
    if not integers:
        return DT_FP32
    (integer,) = integers
    (other,) = pair - {integer}
    if integer is DT_INT32 or other is DT_FP32:
        return other
    return integer if other is DT_BF16 else DT_FP32


@operation
def pow(  # noqa: A001  (the framework's name)
    input: Any,  # noqa: A002  (the framework's parameter name)
    other: Any,
    precision_type: PrecisionType = PrecisionType.HIGH_PRECISION,
) -> Tensor:
    """`input` to the power `other`: a tensor of the same rank, broadcast, or a number.

    precision_type: of float powers on 950.
    """
    npu = operator_npu()
    base = as_tensor(input, NAME, "input")
    shapes = [tuple(base.shape)]
    if isinstance(other, (numbers.Real, np.generic)):
        operator, result = scalar_operator(npu.product, base.dtype, checked_scalar(npu, base, other), precision_type)
        operands = [base.data]
    else:
        if isinstance(other, (str, bytes, complex, list, tuple, type(None))):
            type_error(f"{NAME}(): other must be Tensor, int or float, not {type(other).__name__}")
        exponent = as_tensor(other, NAME, "other")
        result = check(npu, base, exponent)
        operator = tensor_operator(npu.product, base.dtype, exponent.dtype, result, precision_type)
        operands = checks.valid_arrays((base, exponent), base.dim)
        shapes.append(tuple(exponent.shape))
    values, report = run_elementwise(npu, operator, operands, checks.tile_for(NAME, base.dim))
    return Tensor.over(values, result, report=report, shape=checks.common_shape(shapes))


def check(npu: NPU, base: Tensor, exponent: Tensor) -> DataType:
    """Everything that the form with two tensors refuses, in the framework's order; the type of the result."""
    checks.check_product(NAME, npu.product)
    checks.check_format(NAME, base, exponent)
    checks.check_dtype(NAME, SUPPORTED, base, exponent)
    result = result_type(base.dtype, exponent.dtype)
    checks.check_rank(NAME, base, exponent)
    checks.check_size(NAME, base, exponent)
    if base.dim != exponent.dim:
        bad_rank(f"{NAME}: the operands have {base.dim} and {exponent.dim} axes; give them equally many.")
    checks.check_element_count(NAME, checks.broadcast(NAME, base.shape, exponent.shape))
    checks.tile_for(NAME, base.dim)
    return result


def checked_scalar(npu: NPU, base: Tensor, other: Any) -> int | float:
    """The exponent, after everything that the form with a scalar refuses."""
    checks.check_product(NAME, npu.product)
    checks.check_format(NAME, base)
    checks.check_dtype(NAME, SUPPORTED, base)
    checks.check_rank(NAME, base)
    checks.check_size(NAME, base)
    checks.tile_for(NAME, base.dim)
    return int(other) if isinstance(other, (numbers.Integral, np.bool_)) else float(other)


def tensor_operator(
    product: Product, base: DataType, exponent: DataType, result: DataType, precision: PrecisionType
) -> Operator:
    """The operator for two tensors."""
    operands = (base.element, exponent.element)
    if not base.is_float and not exponent.is_float:
        return Operator(
            name=NAME,
            result=result.element,
            operands=operands,
            sequence=powers_int.sequence(product, base, None),
            scratch=partial(powers_int.scratch, product),
        )
    is_950 = product.arch is Arch.A3510
    return Operator(
        name=NAME,
        result=result.element,
        operands=operands,
        sequence=partial(_tensor_power, precise=precision is PrecisionType.HIGH_PRECISION),
        scratch=partial(_scratch, is_950, (result.element, *operands)),
    )


def scalar_operator(
    product: Product, base: DataType, exponent: float, precision: PrecisionType
) -> tuple[Operator, DataType]:
    """The operator for a scalar exponent and the type of its result."""
    is_int = isinstance(exponent, int)
    if not is_int and base in _SMALL:
        bad_dtype(f"{NAME}: a float exponent does not go with {base}.")
    if is_int and not base.is_float:
        made = Operator(
            name=NAME,
            result=base.element,
            operands=(base.element,),
            sequence=powers_int.sequence(product, base, int(exponent)),
            scratch=partial(powers_int.scratch, product),
        )
        return made, base
    result = base if base.is_float or _is(exponent, 0.0) else DT_FP32  # int32 ** 0.0 stays int32
    is_950 = product.arch is Arch.A3510
    made = Operator(
        name=NAME,
        result=result.element,
        operands=(base.element,),
        sequence=partial(_scalar_power, exponent=float(exponent), precise=precision is PrecisionType.HIGH_PRECISION),
        scratch=partial(_scratch, is_950, (result.element, base.element)),
    )
    return made, result


def _is(exponent: float, special: float) -> bool:
    return abs(exponent - special) < EPSILON


def _scalar_power(tile: Tile, exponent: float, *, precise: bool) -> Steps:
    """The first special exponent that is near enough; a tensor of the exponent otherwise."""
    n = tile.count
    if _is(exponent, 0.0):
        yield Duplicate(tile.dst, 1, n)
        return
    x, work, out = _heads(tile)
    yield from _to_float32(x, tile.sources[0], out, n)
    short = next((made for special, made in _SPECIAL.items() if _is(exponent, special)), None)
    if short is not None:
        yield from short(out, x, work, n)
    else:
        yield Duplicate(work, float(np.float32(exponent)), n)
        yield from sequence_of_power(tile, (out, x, work), HEADS * 4 * n, precise=precise)
    yield from _from_float32(tile.dst, out, x, n)


def _square_root(out: Any, x: Any, work: Any, n: int) -> Steps:  # noqa: ARG001  (one signature for all)
    yield Sqrt(out, x, n)


def _inverse_root(out: Any, x: Any, work: Any, n: int) -> Steps:
    yield Sqrt(out, x, n)
    yield Duplicate(work, 1.0, n)
    yield Div(out, work, out, n)


def _cube(out: Any, x: Any, work: Any, n: int) -> Steps:
    yield Mul(work, x, x, n)
    yield Mul(out, work, x, n)


def _square(out: Any, x: Any, work: Any, n: int) -> Steps:  # noqa: ARG001  (one signature for all)
    yield Mul(out, x, x, n)


def _inverse_square(out: Any, x: Any, work: Any, n: int) -> Steps:
    yield Mul(out, x, x, n)
    yield Duplicate(work, 1.0, n)
    yield Div(out, work, out, n)


def _inverse(out: Any, x: Any, work: Any, n: int) -> Steps:
    yield Duplicate(work, 1.0, n)
    yield Div(out, work, x, n)


_SPECIAL: dict[float, Callable[[Any, Any, Any, int], Steps]] = {
    0.5: _square_root,
    -0.5: _inverse_root,
    3.0: _cube,
    2.0: _square,
    -2.0: _inverse_square,
    -1.0: _inverse,
}


def _tensor_power(tile: Tile, *, precise: bool) -> Steps:
    x, y, out = _heads(tile)
    n = tile.count
    yield from _to_float32(x, tile.sources[0], out, n)
    yield from _to_float32(y, tile.sources[1], out, n)
    heads = HEADS if _has_heads((tile.dst.dtype, *(s.dtype for s in tile.sources))) else 0
    yield from sequence_of_power(tile, (out, x, y), heads * 4 * n, precise=precise)
    yield from _from_float32(tile.dst, out, x, n)


def _has_heads(types: tuple[ElementType, ...]) -> bool:
    """Some operand is converted to float32, or the exponent is a scalar: buffers stand before those of the power."""
    return len(types) < 3 or any(t is not float32 for t in types)


def _heads(tile: Tile) -> tuple[Any, Any, Any]:
    """Base, exponent and result as float32: the operands themselves where they are that, scratch otherwise."""
    sources = (*tile.sources, None)
    given = (sources[0], sources[1], tile.dst)
    return tuple(  # type: ignore[return-value]  # three of them
        t if t is not None and t.dtype is float32 else tile.slot(i, float32) for i, t in enumerate(given)
    )


def _to_float32(dst: Any, source: Any, work: Any, n: int) -> Steps:
    """The operand as float32; int32 is rounded to nearest even, bytes go by way of half."""
    dtype: ElementType = source.dtype
    if dtype is float32:
        return
    if dtype.size == 1:
        h = work.ReinterpretCast(half)[:n]
        yield Cast(h, source, RoundMode.CAST_NONE, n)
        yield Cast(dst, h, RoundMode.CAST_NONE, n)
    else:
        yield Cast(dst, source, RoundMode.CAST_RINT if dtype.size == 4 else RoundMode.CAST_NONE, n)


def _from_float32(dst: Any, source: Any, work: Any, n: int) -> Steps:
    """The result in its type: floats to nearest even, integers toward zero, bytes by way of half."""
    dtype: ElementType = dst.dtype
    if dtype is float32:
        return
    if dtype.is_float:
        yield Cast(dst, source, RoundMode.CAST_RINT, n)
    elif dtype.size == 1:
        h = work.ReinterpretCast(half)[:n]
        yield Cast(source, source, RoundMode.CAST_TRUNC, n)
        yield Cast(h, source, RoundMode.CAST_RINT, n)
        yield Cast(dst, h, RoundMode.CAST_TRUNC, n)
    else:
        yield Cast(dst, source, RoundMode.CAST_TRUNC, n)


def _scratch(is_950: bool, types: tuple[ElementType, ...], count: int) -> int:
    heads = HEADS if _has_heads(types) else 0
    return heads * 4 * count + scratch_of_power(is_950, count)
