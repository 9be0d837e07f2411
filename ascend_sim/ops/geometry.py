"""Tiles of a tensor of up to four axes, and how their rows move between GM and the Unified Buffer."""

import itertools
from collections.abc import Iterator, Sequence

import attrs

from ascend_sim.api.copies.padded import DataCopyPad
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor
from ascend_sim.ops.machine import MAX_BURSTS, align
from isa.dtypes import ElementType
from isa.params import DataCopyExtParams, DataCopyPadExtParams
from isa.products import BLOCK_BYTES

Shape = tuple[int, ...]


@attrs.frozen
class Piece:
    """One tile: where it starts and how long it is along each axis."""

    offsets: Shape
    extents: Shape

    def of(self, shape: Sequence[int]) -> "Piece":
        """The part of an operand of this shape that belongs to the tile: axes of size 1 stay at 0."""
        return Piece(
            tuple(0 if d == 1 else o for o, d in zip(self.offsets, shape, strict=True)),
            tuple(1 if d == 1 else e for e, d in zip(self.extents, shape, strict=True)),
        )

    @property
    def rows(self) -> int:
        rows = 1
        for extent in self.extents[:-1]:
            rows *= extent
        return rows


def pieces(shape: Sequence[int], tile: Sequence[int]) -> Iterator[Piece]:
    """All tiles in row-major order: offsets 0, t, 2t, ... and what is left at the end of an axis."""
    axes = [range(0, d, t) for d, t in zip(shape, tile, strict=True)]
    for offsets in itertools.product(*axes):
        yield Piece(offsets, tuple(min(t, d - o) for o, d, t in zip(offsets, shape, tile, strict=True)))


@attrs.frozen
class Rows:
    """Rows at equal distances in GM, counted in elements: `count` of `length`, `step` from start to start."""

    start: int
    count: int
    length: int
    step: int


def rows_of(piece: Piece, shape: Sequence[int]) -> list[Rows]:
    """The rows of a piece of a dense tensor, as few groups as there are.

    Neighbouring axes become one where the inner of the two is taken whole.
    """
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    start = sum(o * s for o, s in zip(piece.offsets, strides, strict=True))
    axes: list[tuple[int, int]] = []  # (count, step), outermost first
    for count, step, extent in zip(piece.extents[:-1], strides[:-1], shape[:-1], strict=True):
        if axes and count == extent and axes[-1][1] == step * extent:
            axes[-1] = (axes[-1][0] * count, step)
        else:
            axes.append((count, step))
    count, step = axes.pop() if axes else (1, piece.extents[-1])
    groups = []
    for index in itertools.product(*(range(c) for c, _ in axes)):
        outer = sum(i * s for i, (_, s) in zip(index, axes, strict=True))
        groups += [
            Rows(start + outer + done * step, min(MAX_BURSTS, count - done), piece.extents[-1], step)
            for done in range(0, count, MAX_BURSTS)
        ]
    return groups


def pitch_of(cols: int, smallest: int) -> int:
    """Elements from row to row in the Unified Buffer: rows start at a block of the narrowest type, `smallest`."""
    return align(cols, BLOCK_BYTES // smallest)


def load(tile: LocalTensor, gm: GlobalTensor, groups: Sequence[Rows], pitch: int) -> None:
    """Copy rows in, one every `pitch` elements. What is missing to a whole block is filled with ones."""
    size = tile.dtype.size
    done = 0
    for rows in groups:
        nbytes = rows.length * size
        room = align(nbytes, BLOCK_BYTES)
        bursts = DataCopyExtParams(
            rows.count, nbytes, (rows.step - rows.length) * size, (pitch * size - room) // BLOCK_BYTES
        )
        filler = (room - nbytes) // size
        DataCopyPad(tile[done * pitch :], gm[rows.start :], bursts, DataCopyPadExtParams(filler > 0, 0, filler, 1))
        done += rows.count


def store(gm: GlobalTensor, tile: LocalTensor, groups: Sequence[Rows], pitch: int) -> None:
    """Copy rows out."""
    size = tile.dtype.size
    done = 0
    for rows in groups:
        nbytes = rows.length * size
        gap = (pitch * size - align(nbytes, BLOCK_BYTES)) // BLOCK_BYTES
        bursts = DataCopyExtParams(rows.count, nbytes, gap, (rows.step - rows.length) * size)
        DataCopyPad(gm[rows.start :], tile[done * pitch :], bursts)
        done += rows.count


def narrowest(*dtypes: ElementType) -> int:
    """Bytes of the smallest of these types."""
    return min(d.size for d in dtypes)
