"""Lane functions of the reduction chapter (spec 03 D12 and section 6, spec 01 section 3.9).

A sum is a balanced binary tree over neighbours, rounded and clamped at every node; a lane that is switched off counts
as +0. A maximum or minimum takes the lowest index of equals, -0 is below +0, any NaN wins, and the result alone is
clamped. Kernels get (repeats, lanes) arrays: `kernel(source, active, out)`.
"""

from typing import Any

import numpy as np

from isa.dtypes import ElementType, half
from isa.numerics import real
from isa.numerics.arithmetic import Types
from isa.numerics.rules import Array, Kernel, Rules
from isa.numerics.saturation import clamp_half
from isa.params import ReduceOrder, ReduceType
from isa.products import BLOCKS_PER_REPEAT, Arch

LANES_MODEL = "a lane that is switched off counts as +0 in a sum (assumed); the index of a NaN is that of the first one"
_NO_LANE = -1


def tree_sum(values: Array, dtype: ElementType, rules: Rules) -> Array:
    """The sum along the last axis, whose length is a power of two, by pairs of neighbours."""
    add = real.elementwise(np.add, dtype, rules)
    while values.shape[-1] > 1:
        total = np.empty((*values.shape[:-1], values.shape[-1] // 2), values.dtype)
        add(values[..., 0::2], values[..., 1::2], total)
        values = total
    if dtype is half and rules.float_saturates:  # a single lane passes no node
        values = np.array(values)
        clamp_half(values)
    return values[..., 0]


def _sum(types: Types, rules: Rules) -> Kernel:
    """The tree over the last axis of a source of any shape."""
    dst = types[0]

    def total(source: Array, active: Array) -> Array:
        return tree_sum(np.where(active, source, source.dtype.type(0)).astype(dst.carrier), dst, rules)

    return total


def order_keys(values: Array, dtype: ElementType) -> Array:
    """Integers in the order of the values, -0 below +0; NaN above everything."""
    if dtype.is_integer:
        # 64-bit types are reduced in the count form alone, which compares them as they are
        return values.astype(np.int64) if dtype.bits < 64 else values
    code = np.ascontiguousarray(values).view(f"i{dtype.size}").astype(np.int64)
    keys = np.where(code < 0, -1 - (code & ((1 << dtype.bits - 1) - 1)), code)
    return np.where(np.isnan(values), np.int64(1) << 40, keys)


def _extreme(types: Types, rules: Rules, kind: ReduceType) -> Any:
    """`find(source, active)`: value and index along the last axis; index -1 where no lane is active."""
    dtype = types[1]
    identity = _identity(dtype, rules, kind)

    def find(source: Array, active: Array) -> tuple[Array, Array]:
        keys = order_keys(source, dtype)
        if kind is ReduceType.MIN:
            nan = keys == np.int64(1) << 40
            keys = np.where(nan, keys, -1 - keys)
        keys = np.where(active, keys, np.int64(-1) << 41)
        index = keys.argmax(axis=-1)
        value = np.array(np.take_along_axis(source, index[..., None], axis=-1)[..., 0])
        none = ~np.broadcast_to(active, source.shape).any(axis=-1)
        if dtype is half and rules.float_saturates:
            clamp_half(value)
        value[none] = identity
        return value, np.where(none, _NO_LANE, index)

    return find


def _identity(dtype: ElementType, rules: Rules, kind: ReduceType) -> Any:
    """What 310B and 950 store for a result without an active lane (spec 01 section 3.9)."""
    carrier = dtype.carrier.type
    if dtype.is_integer:
        limits = np.iinfo(dtype.carrier)
        return carrier(limits.min if kind is ReduceType.MAX else limits.max)
    bound = 65504.0 if dtype is half and rules.arch is Arch.M300 else np.inf
    return carrier(-bound if kind is ReduceType.MAX else bound)


def reduce_repeat(
    types: Types, rules: Rules, *, reduce_type: ReduceType, order: ReduceOrder = ReduceOrder.ORDER_ONLY_VALUE
) -> Kernel:
    """One result for each repeat, and what the result register keeps: `kernel(source, active, special, out)`."""
    if reduce_type is ReduceType.SUM:
        total = _sum(types, rules)

        def summed(source: Array, active: Array, special: Any, out: Array) -> None:
            out[:, 0] = total(source, active)

        return summed
    find = _extreme(types, rules, reduce_type)
    source_type = types[1]
    index_code = np.dtype(f"u{source_type.size}")

    def kernel(source: Array, active: Array, special: Any, out: Array) -> None:
        value, index = find(source, active)
        _remember(special, value, index, source_type, reduce_type)
        if order is ReduceOrder.ORDER_ONLY_INDEX:
            out[:, 0] = index.astype(np.uint32)
            return
        if order is ReduceOrder.ORDER_ONLY_VALUE:
            out[:, 0] = value
            return
        at = 0 if order is ReduceOrder.ORDER_VALUE_INDEX else 1
        out[:, at] = value
        out[:, 1 - at] = index.astype(index_code).view(out.dtype)

    return kernel


def _remember(special: Any, value: Array, index: Array, dtype: ElementType, kind: ReduceType) -> None:
    """The extreme over all repeats of the instruction, and its place in its repeat."""
    keys = order_keys(value, dtype)
    if kind is ReduceType.MIN:
        keys = np.where(keys == np.int64(1) << 40, keys, -1 - keys)
    best = int(np.where(index == _NO_LANE, np.int64(-1) << 41, keys).argmax())
    special.extreme = (value[best : best + 1].view(dtype.code)[0], max(int(index[best]), 0))


def reduce_block(types: Types, rules: Rules, *, reduce_type: ReduceType) -> Kernel:
    """One result for each block of 32 bytes: `kernel(source, active, out)`."""
    if reduce_type is ReduceType.SUM:
        total = _sum(types, rules)
    else:
        find = _extreme(types, rules, reduce_type)

        def total(source: Array, active: Array) -> Array:
            value: Array = find(source, active)[0]
            return value

    def kernel(source: Array, active: Array, out: Array) -> None:
        blocks = (source.shape[0], BLOCKS_PER_REPEAT, -1)
        out[...] = total(source.reshape(blocks), active.reshape(blocks))

    return kernel


def reduce_pair(types: Types, rules: Rules, *, reduce_type: ReduceType) -> Kernel:
    """The sum of neighbours: `kernel(source, active, out)`."""
    total = _sum(types, rules)

    def kernel(source: Array, active: Array, out: Array) -> None:
        pairs = (source.shape[0], -1, 2)
        out[...] = total(source.reshape(pairs), active.reshape(pairs))

    return kernel


def accumulate(types: Types, rules: Rules) -> Kernel:
    """The tree sums of the repeats, added in order into the accumulator: `kernel(source, active, special)`."""
    dtype = types[0]
    total = _sum((dtype, dtype), rules)

    def kernel(source: Array, active: Array, special: Any) -> None:
        sums = total(source, active)
        special.total = int(added_in_order(sums, dtype, rules).view(dtype.code)[0])

    return kernel


def added_in_order(sums: Array, dtype: ElementType, rules: Rules) -> Array:
    """One element: the sums added from the first to the last, rounded and clamped each time."""
    add = real.elementwise(np.add, dtype, rules)
    result = np.array(sums[:1])
    for k in range(1, sums.size):
        add(result, sums[k : k + 1], result)
    return result


def sum_tensor(types: Types, rules: Rules, **_: Any) -> Kernel:
    """All elements, on ascend950: repeats of at most 1024 bytes in all, and 64-bit types, are added lane by lane first;
    the sums of more repeats are summed by the same tree, again and again.
    """
    dtype = types[1]
    lanes = 2048 // dtype.bits
    add = real.elementwise(np.add, dtype, rules)

    def kernel(source: Array, _unused: Array, active: Array, special: Any, out: Array) -> None:
        values = np.where(active, source, source.dtype.type(0))
        few = 256 <= np.count_nonzero(active) * dtype.size <= 1024
        if dtype.bits == 64 or few:
            merged = np.array(values[0])
            for row in values[1:]:
                add(merged, row, merged)
            sums = tree_sum(merged[None], dtype, rules)
        else:
            sums = tree_sum(values, dtype, rules)
            while sums.size > 1:
                padded = np.zeros(-(-sums.size // lanes) * lanes, sums.dtype)
                padded[: sums.size] = sums
                sums = tree_sum(padded.reshape(-1, lanes), dtype, rules)
        special.total = int(sums.view(dtype.code)[0])
        out[:, 0] = sums[0]

    return kernel


def reduce_tensor(kind: ReduceType) -> Any:
    """Maximum or minimum of all elements, on ascend950; the index counts elements of the source's repeats."""

    def lanes(types: Types, rules: Rules, *, cal_index: bool = False) -> Kernel:
        dtype = types[1]
        find = _extreme(types, rules, kind)

        def kernel(source: Array, _unused: Array, active: Array, _special: Any, out: Array) -> None:
            value, index = find(source, active)
            best, at = find(value[None], (index != _NO_LANE)[None])
            out[:, 0] = best[0]
            if cal_index:
                place = int(at[0]) * source.shape[-1] + int(index[int(at[0])])
                out[:, 1] = np.array([place], np.uint64).astype(dtype.code).view(dtype.carrier)[0]

        return kernel

    return lanes
