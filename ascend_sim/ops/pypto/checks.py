"""Checks that operators share, in the order in which the framework makes them (spec 05 sections 1.1 and 1.2)."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_sim.ops.elementwise import padded
from ascend_sim.ops.pypto import settings
from ascend_sim.ops.pypto.dtypes import DataType, TileOpFormat
from ascend_sim.ops.pypto.errors import bad_dtype, bad_rank, invalid
from ascend_sim.ops.pypto.tensors import Tensor
from isa.products import Arch, Product

MAX_ELEMENTS = (1 << 31) - 1
MAX_RANK = 4


def check_product(operator: str, product: Product) -> None:
    """The framework knows A2, A3 and 950."""
    if product.arch not in (Arch.C220, Arch.A3510):
        invalid(f"{operator}: {product.id} is not supported; the products are ascend910b, ascend910_93, ascend950.")


def check_format(operator: str, *tensors: Tensor) -> None:
    for t in tensors:
        if t.format is not TileOpFormat.TILEOP_ND:
            invalid(f"{operator}: format {t.format.name} is not supported; the format is TILEOP_ND.")


def check_dtype(operator: str, allowed: Iterable[DataType], *tensors: Tensor) -> None:
    listed = tuple(allowed)
    for t in tensors:
        if t.dtype not in listed:
            bad_dtype(f"{operator}: {t.dtype} is not supported; the types are {', '.join(map(str, listed))}.")


def check_rank(operator: str, *tensors: Tensor) -> None:
    for t in tensors:
        if not 1 <= t.dim <= MAX_RANK:
            bad_rank(f"{operator}: a tensor of {t.dim} axes is not supported; it has 1 to {MAX_RANK}.")


def check_size(operator: str, *tensors: Tensor) -> None:
    """No axis and no element count above INT32_MAX; empty tensors are refused, as the pages say."""
    for t in tensors:
        check_element_count(operator, t.shape)
        if 0 in t.shape:
            invalid(f"{operator}: an empty tensor {tuple(t.shape)} is not supported.")


def check_element_count(operator: str, shape: Sequence[int]) -> None:
    count = 1
    for extent in shape:
        count *= max(1, extent)
        if extent > MAX_ELEMENTS or count > MAX_ELEMENTS:
            invalid(f"{operator}: the shape {tuple(shape)} has more than {MAX_ELEMENTS} elements.")


def broadcast(operator: str, *shapes: Sequence[int]) -> tuple[int, ...]:
    """The common shape of some of equal rank; axes of size 1 stretch."""
    for dims in zip(*shapes, strict=True):
        if len(set(dims) - {1}) > 1:
            invalid(f"{operator}: shapes {' and '.join(str(tuple(s)) for s in shapes)} cannot be broadcast.")
    return common_shape(shapes)


def common_shape(shapes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """What shapes of equal rank are broadcast to."""
    return tuple(max(dims) for dims in zip(*shapes, strict=True))


def valid_arrays(tensors: Sequence[Tensor], rank: int) -> list[NDArray[Any]]:
    """The elements that count, as arrays of equal rank: no operand has more along an axis than another one."""
    shapes = [padded(t.shape, rank) for t in tensors]
    arrays = [t.data.reshape(padded(t.data.shape, rank)) for t in tensors]
    limits = [min([a.shape[k] for a, s in zip(arrays, shapes, strict=True) if s[k] != 1] or [1]) for k in range(rank)]
    return [
        np.ascontiguousarray(a[tuple(slice(None) if s[k] == 1 else slice(limits[k]) for k in range(rank))])
        for a, s in zip(arrays, shapes, strict=True)
    ]


def tile_for(operator: str, rank: int) -> tuple[int, ...] | None:
    """The tile shape that is set, which has as many axes as the result; None when none is set.

    In kernels and functions of the framework a longer one is taken from its end, as the framework's examples need it.
    """
    tile = settings.get_vec_tile_shapes()
    if not tile:
        return None
    if len(tile) > rank and settings.is_program():
        tile = tile[-rank:]
    if len(tile) != rank:
        invalid(f"{operator}: the tile shape {tile} has {len(tile)} axes, the result {rank}.")
    return tile
