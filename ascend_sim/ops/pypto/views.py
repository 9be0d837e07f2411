"""Parts of tensors: view, assemble, slices, move. They say where data is and where it goes; they compute nothing."""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from ascend_sim.ops.pypto.dtypes import DataType
from ascend_sim.ops.pypto.errors import FeError
from ascend_sim.ops.pypto.tape import operation
from ascend_sim.ops.pypto.tensors import OPERATORS, Tensor


def _refuse(text: str) -> NoReturn:
    raise FeError(ValueError(text))


@operation
def view(
    x: Tensor,
    shape: Sequence[int] | None = None,
    offsets: Sequence[int] | None = None,
    *,
    valid_shape: Sequence[int] | None = None,
    dtype: DataType | None = None,
) -> Tensor:
    """The part of `x` that begins at `offsets`. What lies beyond `x` or beyond `valid_shape` is padding.

    dtype: the same bits as elements of another type.
    """
    data, nominal, result = x.data, list(x.shape), x.dtype
    if dtype is not None:
        data, result = np.ascontiguousarray(data).view(dtype.host), dtype
        nominal[-1] = nominal[-1] * x.dtype.element.size // dtype.element.size
    if shape is None:
        return Tensor.over(data.copy(), result, shape=nominal)
    start = [0] * len(shape) if offsets is None else [int(o) for o in offsets]
    if len(shape) != data.ndim or len(start) != data.ndim:
        _refuse(f"view(): a tensor of {data.ndim} axes, a shape of {len(shape)}, offsets of {len(start)}")
    wanted = [int(n) for n in (shape if valid_shape is None else valid_shape)]
    part = data[tuple(slice(o, o + min(w, int(n))) for o, w, n in zip(start, wanted, shape, strict=True))]
    return Tensor.over(np.array(part, order="C"), result, shape=[int(n) for n in shape])


@operation
def assemble(*given: Any, parallel: bool = False) -> None:
    """`assemble(src, offsets, dst)` or `assemble([(src, offsets), ...], dst)`: src at its place in dst."""
    del parallel
    if len(given) == 2:
        parts, dst = given
    else:
        source, place, dst = given
        parts = [(source, place)]
    for source, place in parts:
        _put(source, [int(o) for o in place], dst)


def _put(source: Tensor, start: Sequence[int], dst: Tensor) -> None:
    data = source.data
    if data.ndim != dst.data.ndim or len(start) != data.ndim:
        _refuse(f"assemble(): a source of {data.ndim} axes, {len(start)} offsets, a result of {dst.data.ndim} axes")
    target = dst.data[tuple(slice(o, o + n) for o, n in zip(start, data.shape, strict=True))]
    target[...] = data[tuple(slice(n) for n in target.shape)]


@operation
def move(tensor: Tensor, other: Tensor) -> None:
    """`tensor` becomes `other`; an output parameter takes its elements."""
    if not isinstance(other, Tensor):
        raise FeError(TypeError(f"move() takes a Tensor, not {type(other).__name__}"))
    tensor.become(Tensor.over(other.data.copy(), other.dtype, report=other.report, shape=other.shape))


def _places(key: Any, shape: Sequence[int]) -> list[slice | int]:
    """One entry for each axis, all of them counted from the front."""
    keys = list(key) if isinstance(key, tuple) else [key]
    given = sum(k is not Ellipsis for k in keys)
    if given > len(shape) or sum(k is Ellipsis for k in keys) > 1:
        _refuse(f"a tensor of {len(shape)} axes has no part {key!r}")
    if Ellipsis not in keys:
        keys.append(Ellipsis)
    at = keys.index(Ellipsis)
    keys[at : at + 1] = [slice(None)] * (len(shape) - given)
    places: list[slice | int] = []
    for k, n in zip(keys, shape, strict=True):
        if isinstance(k, slice):
            if k.step not in (None, 1):
                _refuse(f"a slice of a tensor has step 1, not {k.step}")
            start, stop, _ = k.indices(n)
            places.append(slice(start, max(start, stop)))
        elif not hasattr(k, "__index__") or not -n <= int(k) < n:
            raise FeError(IndexError(f"index {k!r} is outside an axis of {n}"))
        else:
            places.append(int(k) % n)
    return places


@operation
def getitem(x: Tensor, key: Any) -> Tensor:
    """`x[key]`: integers drop their axis."""
    places = _places(key, x.shape)
    return Tensor.over(np.array(x.numpy()[tuple(places)], order="C"), x.dtype)


@operation
def setitem(x: Tensor, key: Any, value: Tensor) -> None:
    """`x[key] = value`: assembled at the first element of `key`. `x[:] = value` is a move."""
    if isinstance(key, slice) and key == slice(None):
        move(x, value)
        return
    places = _places(key, x.shape)
    start = [p.start if isinstance(p, slice) else p for p in places]
    extents = iter(value.data.shape)
    shape = [next(extents, 1) if isinstance(p, slice) else 1 for p in places]
    _put(Tensor.over(value.data.reshape(shape), value.dtype), start, x)


OPERATORS.update(view=view, assemble=assemble, move=move, getitem=getitem, setitem=setitem)
