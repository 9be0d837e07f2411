"""Copies between tensors with strides, described: axes, the way to go, tasks that fit the Unified Buffer.

Axes that follow one another without a gap on both sides become one. What is left decides the way (spec 05 section 5.3):
runs of neighbours are moved; single elements at a short distance are read with what lies between and gathered; single
elements far apart are copied one block each.
"""

import itertools
from collections.abc import Iterator, Sequence

import attrs

from ascend_sim.ops.machine import MAX_BURSTS
from isa.dtypes import uint8_t, uint16_t, uint32_t, uint64_t

CODES = {1: uint8_t, 2: uint16_t, 4: uint32_t, 8: uint64_t}
"""Elements are moved as unsigned integers of their size: no bit is looked at."""
GATHER_BYTES = 256  # a distance up to which reading what lies between costs less than a block for each element


@attrs.frozen
class Axis:
    """Elements of an axis, and the distance of neighbours in the source and in the destination, in elements."""

    count: int
    src: int
    dst: int


@attrs.frozen
class Copy:
    """A copy: element size, first elements, axes from the outermost to the innermost.

    run: neighbours that are moved together; they are no axis.
    """

    size: int
    src: int
    dst: int
    run: int
    axes: tuple[Axis, ...]

    @property
    def way(self) -> str:
        """One of "move", "gather" and "elements"."""
        inner = self.axes[-1] if self.axes else None
        if self.run > 1 or inner is None:
            return "move"
        return "gather" if inner.dst == 1 and 1 < inner.src <= GATHER_BYTES // self.size else "elements"


def plan(shape: Sequence[int], size: int, src: tuple[int, Sequence[int]], dst: tuple[int, Sequence[int]]) -> Copy:
    """The copy of a tensor of this shape; src, dst: first element and strides."""
    axes: list[Axis] = []
    for count, s, d in zip(shape, src[1], dst[1], strict=True):
        if count == 1:
            continue
        if axes and axes[-1].src == count * s and axes[-1].dst == count * d:
            axes[-1] = Axis(axes[-1].count * count, s, d)
        else:
            axes.append(Axis(count, s, d))
    run = 1
    if axes and axes[-1].src == 1 and axes[-1].dst == 1:
        run = axes.pop().count
    return Copy(size, src[0], dst[0], run, tuple(axes))


@attrs.frozen
class Task:
    """Rows of a copy that go through the Unified Buffer together: `rows` of `cols` elements, and the steps from row to
    row.
    """

    src: int
    dst: int
    rows: int
    cols: int
    src_step: int
    dst_step: int


def tasks(copy: Copy, room: int, row_bytes: int, cols: int, *, by_axis: bool = False) -> Iterator[Task]:
    """The copy cut into tasks of at most `cols` columns, and of rows that take `room` bytes, `row_bytes` each.

    The columns are the run or, `by_axis`, the elements of the innermost axis.
    """
    outer = list(copy.axes)
    inner = outer.pop() if by_axis else Axis(copy.run, 1, 1)
    step_src, step_dst, total = inner.src, inner.dst, inner.count
    rows = outer.pop() if outer else Axis(1, 0, 0)
    reach = (min(cols, total) - 1) * step_src + 1  # bursts do not go back, so rows must not overlap
    most = min(MAX_BURSTS, room // row_bytes) if rows.src >= reach and rows.dst >= min(cols, total) else 1
    most = max(1, most)
    for place in itertools.product(*(range(a.count) for a in outer)):
        src = copy.src + sum(i * a.src for i, a in zip(place, outer, strict=True))
        dst = copy.dst + sum(i * a.dst for i, a in zip(place, outer, strict=True))
        for row in range(0, rows.count, most):
            count = min(most, rows.count - row)
            for col in range(0, total, cols):
                yield Task(
                    src + row * rows.src + col * step_src,
                    dst + row * rows.dst + col * step_dst,
                    count,
                    min(cols, total - col),
                    rows.src,
                    rows.dst,
                )
