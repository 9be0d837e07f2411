"""Lane functions that move elements without computing: broadcasts, rearrangements, tiles, sorts.

Kernels get (repeats, elements) arrays, as everything in families of repeats.
"""

from typing import Any

import numpy as np

from isa.dtypes import ElementType
from isa.numerics.arithmetic import Types
from isa.numerics.rules import Array, Kernel, Rules
from isa.products import BLOCK_BYTES, BLOCKS_PER_REPEAT

_SCORE = 4  # the field of a proposal by which it is sorted
_FIELDS = 8


def broadcast_blocks(types: Types, rules: Rules) -> Kernel:
    """Element j of a repeat fills block j."""

    def kernel(source: Array, out: Array) -> None:
        out[...] = np.repeat(source, out.shape[-1] // BLOCKS_PER_REPEAT, axis=-1)

    return kernel


def spread(types: Types, rules: Rules) -> Kernel:
    """One element in every lane."""
    code = types[0].code
    return lambda source, out: np.copyto(out.view(code), source.view(code))


def index(types: Types, rules: Rules) -> Kernel:
    """first + number of the element: `kernel(first, out)`."""
    dtype = types[0]

    def kernel(first: Any, out: Array) -> None:
        numbers = np.arange(out.size).reshape(out.shape)
        out[...] = numbers.astype(dtype.carrier) + first if dtype.is_integer else (numbers + np.float64(first))

    return kernel


def interleave(types: Types, rules: Rules) -> Kernel:
    """Alternating elements of the two sources; the first half of them in dst0, the second in dst1."""

    def kernel(a: Array, b: Array, low: Array, high: Array) -> None:
        mixed = np.stack((a, b), axis=-1).reshape(a.shape[0], -1)
        low[...], high[...] = mixed[:, : low.shape[-1]], mixed[:, low.shape[-1] :]

    return kernel


def deinterleave(types: Types, rules: Rules) -> Kernel:
    """The elements at even places of the sources in dst0, those at odd places in dst1."""

    def kernel(*operands: Array) -> None:
        *sources, even, odd = operands
        joined = np.concatenate(sources, axis=-1)
        even[...], odd[...] = joined[:, 0::2], joined[:, 1::2]

    return kernel


def transpose(types: Types, rules: Rules) -> Kernel:
    """16 x 16 elements, rows and columns exchanged."""

    def kernel(source: Array, out: Array) -> None:
        out[...] = source.reshape(-1, 16, 16).swapaxes(1, 2).reshape(out.shape)

    return kernel


def exchange_axes(types: Types, rules: Rules, *, rows: int, columns: int) -> Kernel:
    """Each repeat is a matrix of rows x columns elements; what follows `out` is scratch, left at zero."""

    def kernel(source: Array, out: Array, *scratch: Array) -> None:
        out[...] = source.reshape(-1, rows, columns).swapaxes(1, 2).reshape(out.shape)
        for one in scratch:
            one[...] = 0

    return kernel


def pad_blocks(types: Types, rules: Rules, *, pad_mode: int, pad_side: bool) -> Kernel:
    """The block that stands beside the source's: its edge repeated (0), mirrored (1), mirrored without the edge (2)."""
    per_block = BLOCK_BYTES // types[0].size

    def kernel(source: Array, out: Array) -> None:
        blocks = source.reshape(source.shape[0], -1, per_block)
        if pad_mode == 0:
            made = np.broadcast_to(blocks[..., -1:] if pad_side else blocks[..., :1], blocks.shape)
        else:
            made = np.array(blocks[..., ::-1])
            if pad_mode == 2:
                rest = made[..., 1:] if pad_side else made[..., :-1]
                made = np.zeros_like(blocks)
                made[..., slice(None, -1) if pad_side else slice(1, None)] = rest
        out[...] = made.reshape(out.shape)

    return kernel


def descending(scores: Array) -> Array:
    """Places in descending order of the scores, along the last axis; equal scores keep their order, NaN comes first."""
    keys = np.where(np.isnan(scores), np.inf, scores.astype(np.float64))
    keys = np.where(np.isnan(scores), np.finfo(np.float64).max, np.where(np.isinf(keys), np.sign(keys) * 1e300, keys))
    return np.argsort(-keys, axis=-1, kind="stable")


RECORD = 8
"""Bytes of a sorted record: the score in the low word (a half in its low half), the index in the high word."""


def records(scores: Array, indices: Array, dtype: ElementType) -> Array:
    """Pairs of words."""
    made = np.zeros((*scores.shape, 2), np.uint32)
    made[..., 0] = np.ascontiguousarray(scores).view(dtype.code)
    made[..., 1] = indices
    return made


def sort_32(types: Types, rules: Rules) -> Kernel:
    """32 scores and their indices, as records in descending order: `kernel(scores, indices, words)`."""

    def kernel(scores: Array, indices: Array, out: Array) -> None:
        place = descending(scores)
        sorted_ = np.take_along_axis(scores, place, -1), np.take_along_axis(indices, place, -1)
        out[...] = records(*sorted_, types[1]).reshape(out.shape)

    return kernel


def sort_proposals(types: Types, rules: Rules) -> Kernel:
    """16 proposals of 8 fields, in descending order of the score, field 4."""

    def kernel(source: Array, out: Array) -> None:
        proposals = source.reshape(source.shape[0], -1, _FIELDS)
        place = descending(proposals[..., _SCORE])
        out[...] = np.take_along_axis(proposals, place[..., None], 1).reshape(out.shape)

    return kernel


def to_proposals(types: Types, rules: Rules, *, mode_number: int) -> Kernel:
    """16 elements into one field of 16 proposals; the other fields are not written."""

    def kernel(source: Array, out: Array) -> None:
        out[...] = 0
        out.reshape(source.shape[0], -1, _FIELDS)[..., mode_number] = source

    return kernel


def from_proposals(types: Types, rules: Rules, *, mode_number: int) -> Kernel:
    """One field of 16 proposals."""

    def kernel(source: Array, out: Array) -> None:
        out[...] = source.reshape(source.shape[0], -1, _FIELDS)[..., mode_number]

    return kernel


def copy(types: Types, rules: Rules) -> Kernel:
    """The same bits."""
    code = types[0].code
    return lambda source, out: np.copyto(out.view(code), source.view(code))


def blocks_transposed(types: Types, rules: Rules) -> Kernel:
    """16 source blocks and 16 destination blocks of one repeat, as `kernel(*16 sources, *16 outs)`.

    Wide types: dst block i holds column i of the source rows; a 32-bit type has eight columns, and each fills two
    blocks. 8-bit types: halves of blocks, 16 bytes each.
    """

    def kernel(*blocks: Array) -> None:
        sources, outs = blocks[:16], blocks[16:]
        rows = np.stack(sources, axis=-2)  # (repeats, 16, columns)
        columns = np.ascontiguousarray(rows.swapaxes(-1, -2)).reshape(rows.shape[0], 16, -1)
        for i, out in enumerate(outs):
            out[...] = columns[:, i]

    return kernel
