"""The elementwise operators that programs write with + - * / and by name: a few instructions each.

Their results are those of the instructions; unlike floor_div and pow they follow no published kernel step by step.
"""

import math
import numbers
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ascend_sim.api import vector
from ascend_sim.api.vector import Cast, Compare, Duplicate, Select
from ascend_sim.ops.elementwise import Operator, Steps, Tile, mask_bytes, padded, run_elementwise
from ascend_sim.ops.machine import operator_npu
from ascend_sim.ops.pypto import checks, powers
from ascend_sim.ops.pypto.dtypes import DT_BF16, DT_BOOL, DT_FP16, DT_FP32, DT_INT16, DT_INT32, DataType
from ascend_sim.ops.pypto.errors import bad_dtype
from ascend_sim.ops.pypto.tape import operation
from ascend_sim.ops.pypto.tensors import OPERATORS, Tensor, as_tensor
from isa.dtypes import ElementType, float32, half, uint8_t
from isa.params import CMPMODE, SELMODE, RoundMode

_FLOATS = (DT_FP16, DT_BF16, DT_FP32)
SUPPORTED = (*_FLOATS, DT_INT32, DT_INT16)
Body = Callable[[Any, list[Any], Any, int], Steps]
"""`body(out, operands, work, n)`: work is one more tensor of the working type."""


def _apply(name: str, body: Body, given: tuple[Any, ...], *, floats: bool = False, rounding: bool = False) -> Tensor:
    """An operator on tensors and numbers. floats: integers are computed as float32, and so is the result.

    rounding: the result returns to the type of the operands, rounded to nearest even.
    """
    npu = operator_npu()
    tensors = [as_tensor(g, name, "operand") for g in given if not isinstance(g, (numbers.Number, np.generic))]
    checks.check_product(name, npu.product)
    checks.check_format(name, *tensors)
    checks.check_dtype(name, SUPPORTED, *tensors)
    if len({t.dtype for t in tensors}) > 1:
        bad_dtype(f"{name}: the operands have different types, {' and '.join(str(t.dtype) for t in tensors)}.")
    checks.check_size(name, *tensors)
    rank = max(t.dim for t in tensors)
    shapes = [padded(t.shape, rank) for t in tensors]
    full = checks.broadcast(name, *shapes)
    dtype = tensors[0].dtype
    working = dtype.element if dtype in (DT_FP32, DT_INT32, DT_INT16) and not floats else float32
    result = DT_FP32 if floats and not dtype.is_float and not rounding else dtype
    return _launch(name, body, given, tensors, (working, result, rank, full))


def _launch(
    name: str,
    body: Body,
    given: tuple[Any, ...],
    tensors: list[Tensor],
    made: tuple[ElementType, DataType, int, tuple[int, ...]],
) -> Tensor:
    working, result, rank, full = made
    scalars = [None if not isinstance(g, (numbers.Number, np.generic)) else g for g in given]
    operator = Operator(
        name=name,
        result=result.element,
        operands=tuple(t.dtype.element for t in tensors),
        sequence=partial(_sequence, body=body, scalars=scalars, working=working),
        scratch=lambda count: (len(given) + 2) * 4 * count + mask_bytes(count),
    )
    arrays = checks.valid_arrays(tensors, rank)
    values, report = run_elementwise(operator_npu(), operator, arrays, checks.tile_for(name, rank))
    if result is DT_BOOL:
        values = values.view(np.bool_)
    return Tensor.over(values, result, report=report, shape=full)


def _sequence(tile: Tile, body: Body, scalars: list[Any], working: ElementType) -> Steps:
    """Operands in the working type, the body, and the result in its own."""
    n, sources = tile.count, iter(tile.sources)
    operands = []
    for i, scalar in enumerate(scalars):
        slot = tile.slot(i, working)
        if scalar is not None:
            yield Duplicate(slot, scalar, n)
            operands.append(slot)
            continue
        source = next(sources)
        if source.dtype is working:
            operands.append(source)
        else:
            yield Cast(slot, source, RoundMode.CAST_NONE if source.dtype.is_float else RoundMode.CAST_RINT, n)
            operands.append(slot)
    out, work = tile.dst, tile.slot(len(scalars), working)
    if tile.dst.dtype is uint8_t:
        out = tile.masks(0, (len(scalars) + 2) * 4 * n)
        yield from body(out, operands, work, n)
        ones = tile.slot(len(scalars), half)
        yield Duplicate(ones, 1.0, n)
        yield Select(ones, out, ones, 0.0, SELMODE.VSEL_TENSOR_SCALAR_MODE, n)
        yield Cast(tile.dst, ones, RoundMode.CAST_RINT, n)
        return
    if tile.dst.dtype is not working:
        out = tile.slot(len(scalars) + 1, working)
    yield from body(out, operands, work, n)
    if out is not tile.dst:
        yield Cast(tile.dst, out, RoundMode.CAST_RINT, n)


def _one(instruction: Any) -> Body:
    """One instruction."""

    def body(out: Any, operands: list[Any], work: Any, n: int) -> Steps:  # noqa: ARG001  (one signature for all)
        yield instruction(out, *operands, n)

    return body


def _rounded(mode: RoundMode) -> Body:
    def body(out: Any, operands: list[Any], work: Any, n: int) -> Steps:  # noqa: ARG001  (as above)
        yield Cast(out, operands[0], mode, n)

    return body


def _compared(mode: CMPMODE) -> Body:
    def body(out: Any, operands: list[Any], work: Any, n: int) -> Steps:  # noqa: ARG001  (as above)
        yield Compare(out, operands[0], operands[1], mode, n)

    return body


def _inverse_root(out: Any, operands: list[Any], work: Any, n: int) -> Steps:
    yield vector.Sqrt(work, operands[0], n)
    yield Duplicate(out, 1.0, n)
    yield vector.Div(out, out, work, n)


def _remainder(out: Any, operands: list[Any], work: Any, n: int) -> Steps:
    x, y = operands
    yield vector.Div(work, x, y, n)
    yield Cast(work, work, RoundMode.CAST_FLOOR, n)
    yield vector.Mul(work, work, y, n)
    yield vector.Sub(out, x, work, n)


def _ceiling_of_quotient(out: Any, operands: list[Any], work: Any, n: int) -> Steps:
    x, y = operands
    yield vector.Div(work, x, y, n)
    yield Cast(out, work, RoundMode.CAST_CEIL, n)


def _clipped(out: Any, operands: list[Any], work: Any, n: int) -> Steps:
    x, low, high = operands
    yield vector.Max(work, x, low, n)
    yield vector.Min(out, work, high, n)


def _power_of_two(out: Any, operands: list[Any], work: Any, n: int) -> Steps:
    yield vector.Muls(work, operands[0], math.log(2), n)
    yield vector.Exp(out, work, n)


def _less_one(out: Any, operands: list[Any], work: Any, n: int) -> Steps:
    yield vector.Exp(work, operands[0], n)
    yield vector.Adds(out, work, -1.0, n)


def _relu(out: Any, operands: list[Any], work: Any, n: int) -> Steps:
    yield Duplicate(work, 0, n)
    yield vector.Max(out, operands[0], work, n)


def _named(name: str, function: Callable[..., Any], doc: str) -> Callable[..., Any]:
    function.__name__, function.__qualname__, function.__doc__ = name, name, doc
    made: Callable[..., Any] = operation(function)
    OPERATORS[name] = made
    return made


def _binary(name: str, body: Body, doc: str, **how: bool) -> Callable[..., Any]:
    return _named(name, lambda input, other: _apply(name, body, (input, other), **how), doc)  # noqa: A006  (its name there)


def _unary(name: str, body: Body, doc: str, **how: bool) -> Callable[..., Any]:
    return _named(name, lambda input: _apply(name, body, (input,), **how), doc)  # noqa: A006  (the framework's word)


add = _binary("add", _one(vector.Add), "input + other")
sub = _binary("sub", _one(vector.Sub), "input - other")
mul = _binary("mul", _one(vector.Mul), "input * other")
div = _binary("div", _one(vector.Div), "input / other; of integers, in float32", floats=True)
maximum = _binary("maximum", _one(vector.Max), "the larger of both")
minimum = _binary("minimum", _one(vector.Min), "the smaller of both")
remainder = _binary("remainder", _remainder, "input - floor(input / other) * other", floats=True, rounding=True)
ceil_div = _binary("ceil_div", _ceiling_of_quotient, "the float32 quotient, rounded up", floats=True, rounding=True)
absolute = _unary("abs", _one(vector.Abs), "the magnitude")
exp = _unary("exp", _one(vector.Exp), "e ** input", floats=True)
exp2 = _unary("exp2", _power_of_two, "2 ** input", floats=True)
expm1 = _unary("expm1", _less_one, "e ** input - 1", floats=True)
log = _unary("log", _one(vector.Ln), "the natural logarithm", floats=True)
sqrt = _unary("sqrt", _one(vector.Sqrt), "the square root", floats=True)
rsqrt = _unary("rsqrt", _inverse_root, "1 / the square root", floats=True)
relu = _unary("relu", _relu, "what is positive, else 0")
floor = _unary("floor", _rounded(RoundMode.CAST_FLOOR), "rounded down", floats=True)
ceil = _unary("ceil", _rounded(RoundMode.CAST_CEIL), "rounded up", floats=True)
trunc = _unary("trunc", _rounded(RoundMode.CAST_TRUNC), "rounded toward 0", floats=True)
OPERATORS["rsub"] = operation(lambda x, other: _apply("sub", _one(vector.Sub), (other, x)))
OPERATORS["rdiv"] = operation(lambda x, other: _apply("div", _one(vector.Div), (other, x), floats=True))
OPERATORS["pow"] = powers.pow
neg = _named("neg", lambda input: _apply("neg", _one(vector.Sub), (0, input)), "-input")  # noqa: A006  (as above)
reciprocal = _named(
    "reciprocal",
    lambda input: _apply("reciprocal", _one(vector.Div), (1.0, input), floats=True),  # noqa: A006  (as above)
    "1 / input",
)


@operation
def rounded(input: Any, decimals: int = 0) -> Tensor:  # noqa: A002  (the framework's parameter name)
    """Rounded to nearest even, at so many decimals: `pypto.round`."""
    if not decimals:
        return _apply("round", _rounded(RoundMode.CAST_RINT), (input,), floats=True)
    scaled = _apply("round", _one(vector.Mul), (input, 10.0**decimals), floats=True)
    whole = _apply("round", _rounded(RoundMode.CAST_RINT), (scaled,), floats=True)
    return _apply("round", _one(vector.Div), (whole, 10.0**decimals), floats=True)


@operation
def clip(input: Any, min: Any = None, max: Any = None) -> Tensor:  # noqa: A002  (the framework's parameter names)
    """No less than `min`, no more than `max`."""
    if min is None or max is None:
        if min is None and max is None:
            return as_tensor(input, "clip", "input")
        bound, body = (max, _one(vector.Min)) if min is None else (min, _one(vector.Max))
        return _apply("clip", body, (input, bound))
    return _apply("clip", _clipped, (input, min, max))


def _comparison(mode: CMPMODE) -> Callable[..., Any]:
    def compare(input: Any, other: Any) -> Tensor:  # noqa: A002  (the framework's parameter name)
        npu, name = operator_npu(), mode.name.lower()
        given = (input, other)
        tensors = [as_tensor(g, name, "operand") for g in given if not isinstance(g, (numbers.Number, np.generic))]
        checks.check_product(name, npu.product)
        checks.check_dtype(name, SUPPORTED, *tensors)
        checks.check_size(name, *tensors)
        rank = max(t.dim for t in tensors)
        shapes = [padded(t.shape, rank) for t in tensors]
        full = checks.broadcast(name, *shapes)
        return _launch(name, _compared(mode), given, tensors, (float32, DT_BOOL, rank, full))

    return _named(mode.name.lower(), compare, f"True where input {mode.name} other; integers are compared as float32")


lt, gt, eq, le, ge, ne = (_comparison(mode) for mode in CMPMODE)
