"""explain: the lowering of an operator for a shape and a type, without data of one's own."""

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ascend_sim.api.launch.npu import NPU
from ascend_sim.ops.elementwise import Operator, choose_tile, run_elementwise
from ascend_sim.ops.lowering import Lowering, lowering_of
from ascend_sim.ops.machine import operator_npu
from ascend_sim.ops.pypto import dealing, division, powers, settings
from ascend_sim.ops.pypto.dtypes import DataType
from ascend_sim.ops.pypto.tensors import Tensor

OPERATORS = ("floor_div", "pow", "interleave", "deinterleave")


def explain(
    operator: Any,
    shape: Sequence[int],
    dtype: DataType,
    other: Any = None,
    *,
    precision_type: powers.PrecisionType = powers.PrecisionType.HIGH_PRECISION,
) -> Lowering:
    """The instructions per tile, their number and the buffers of `operator` on the active NPU, with the tile shape set.

    operator: the function or its name. other: a number, the (shape, type) of a tensor, or None for a tensor like the
    first one (for deinterleave, the form with one source). Raises what the operator itself would raise.

        print(pypto.explain(pypto.floor_div, (64, 64), pypto.DT_INT32, 3))
    """
    name = operator if isinstance(operator, str) else getattr(operator, "__name__", str(operator))
    if name not in OPERATORS:
        raise ValueError(f"explain() knows {', '.join(OPERATORS)}, not {name!r}")
    npu = operator_npu()
    given = _given(name, shape, dtype, other)
    probe = NPU(npu.product.id, check="record")
    tile = settings.get_vec_tile_shapes() or None
    second = "" if given[1:] == () else f", {_shown(given[1])}"
    title = f"{name}({_shown(given[0])}{second})"
    if name in ("interleave", "deinterleave"):
        return _explain_dealing(probe, name, given, title)
    made = _operator(npu, name, given, precision_type)
    shapes = [tuple(t.shape) for t in given if isinstance(t, Tensor)]
    rank = max(map(len, shapes))
    shapes = [(1,) * (rank - len(s)) + s for s in shapes]
    full = tuple(max(dims) for dims in zip(*shapes, strict=True))
    chosen = choose_tile(npu, made, shapes, tile)
    small = [tuple(min(t, d) for t, d in zip(chosen, s, strict=True)) for s in shapes]
    operands = [np.ones(s, d.carrier) for s, d in zip(small, made.operands, strict=True)]
    _, report = run_elementwise(probe, made, operands, chosen)
    assert report is not None
    return lowering_of(
        report,
        title=title,
        product=npu.product,
        tile=chosen,
        tiles=_tiles(full, chosen),
        buffers=made.buffers(shapes, chosen),
    )


def _given(name: str, shape: Sequence[int], dtype: DataType, other: Any) -> tuple[Any, ...]:
    """The operands: tensors that take no memory, and numbers."""
    first = _empty(shape, dtype)
    if isinstance(other, numbers.Number):
        return (first, other)
    if other is None:
        return (first,) if name == "deinterleave" else (first, _empty(shape, dtype))
    other_shape, other_dtype = other
    return (first, _empty(other_shape, other_dtype))


def _empty(shape: Sequence[int], dtype: DataType) -> Tensor:
    """A tensor of any shape that takes no memory."""
    return Tensor.over(np.broadcast_to(dtype.host.type(1), tuple(shape)), dtype)


def _shown(operand: Any) -> str:
    return f"{tuple(operand.shape)} {operand.dtype}" if isinstance(operand, Tensor) else repr(operand)


def _tiles(shape: Sequence[int], tile: Sequence[int]) -> int:
    return math.prod(-(-d // t) for d, t in zip(shape, tile, strict=True))


def _operator(npu: NPU, name: str, given: tuple[Any, ...], precision: powers.PrecisionType) -> Operator:
    first, other = given
    if name == "floor_div":
        division.check(npu, first, other)
        scalar = None if isinstance(other, Tensor) else division.checked_scalar(first.dtype, other)
        return division.operator_for(npu.product, first.dtype, scalar)
    if not isinstance(other, Tensor):
        return powers.scalar_operator(npu.product, first.dtype, powers.checked_scalar(npu, first, other), precision)[0]
    result = powers.check(npu, first, other)
    return powers.tensor_operator(npu.product, first.dtype, other.dtype, result, precision)


def _explain_dealing(npu: NPU, name: str, given: tuple[Any, ...], title: str) -> Lowering:
    form = dealing.INTERLEAVE if name == "interleave" else dealing.DEINTERLEAVE
    if len(given) == 1:
        form = dealing.DEINTERLEAVE_ONE
    dealing.check(npu, form, given)
    first = given[0]
    element = first.dtype.element
    tile = dealing.choose_tile(npu, form, element, first.shape, settings.get_vec_tile_shapes())
    small = [Tensor.over(np.ones(tile, element.carrier), first.dtype) for _ in given]
    _, report = dealing.run_dealing(npu, form, element, small, tile)
    buffers: Mapping[str, int] = form.buffers(element, tile)
    assert report is not None
    return lowering_of(
        report, title=title, product=npu.product, tile=tile, tiles=_tiles(first.shape, tile), buffers=buffers
    )
