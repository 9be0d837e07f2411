"""Copies between tensors with strides, in GM, by way of the Unified Buffer: what slices and views are lowered to.

Axes that follow one another without a gap on both sides become one. What is left decides the way (spec 05 section 5.3):
runs of neighbours are moved; single elements at a short distance are read with what lies between and gathered; single
elements far apart are copied one block each.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ascend_sim.api.copy import DataCopy
from ascend_sim.api.copy_pad import DataCopyPad
from ascend_sim.api.npu import NPU, GetBlockIdx, GetBlockNum
from ascend_sim.api.queue import TBuf, TPipe
from ascend_sim.api.report import Report
from ascend_sim.api.sync import SetFlag, WaitFlag
from ascend_sim.api.tensor import GlobalTensor, LocalTensor
from ascend_sim.ops.machine import align, named
from isa.dtypes import uint8_t, uint16_t, uint32_t, uint64_t
from isa.params import DataCopyExtParams, DataCopyParams
from isa.positions import TPosition
from isa.products import BLOCK_BYTES, Product
from isa.sync import HardEvent

CODES = {1: uint8_t, 2: uint16_t, 4: uint32_t, 8: uint64_t}
"""Elements are moved as unsigned integers of their size: no bit is looked at."""
GATHER_BYTES = 256  # a distance up to which reading what lies between costs less than a block for each element
MAX_BURSTS, MAX_UNITS = 4095, 65535
BYTES_PER_CORE = 8 * 1024  # less is not worth another core
RUN_BYTES = 32 * 1024  # of one burst, so that a tile has several


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


def run_copy(npu: NPU, copy: Copy, src: Any, dst: Any, name: str) -> Report:
    """Launch the copy between two flat byte arrays, as a kernel of this name."""
    from ascend_sim.ops.gathered import gather_kernel, gather_tasks  # noqa: PLC0415  (it is built from this module)

    if copy.way == "gather":
        listed = list(gather_tasks(npu.product, copy))
        return npu.launch(named(name, gather_kernel), _blocks(npu.product, copy, listed), copy, tuple(listed), src, dst)
    listed = list(move_tasks(npu.product, copy))
    return npu.launch(named(name, move_kernel), _blocks(npu.product, copy, listed), copy, tuple(listed), src, dst)


def _blocks(product: Product, copy: Copy, listed: Sequence[Task]) -> int:
    """Cores: one for each task, as long as each has enough to move."""
    nbytes = sum(t.rows * t.cols for t in listed) * copy.size
    return max(1, min(product.vector_cores, len(listed), nbytes // BYTES_PER_CORE))


def move_tasks(product: Product, copy: Copy) -> Iterator[Task]:
    """Tasks for two buffers of half the Unified Buffer each."""
    cols = max(1, min(copy.run, RUN_BYTES // copy.size))
    return tasks(copy, product.ub_bytes // 2, align(cols * copy.size, BLOCK_BYTES), cols)


def move_buffers(copy: Copy, listed: Sequence[Task]) -> dict[str, int]:
    """Bytes of the buffers for these tasks."""
    room = max(t.rows * align(t.cols * copy.size, BLOCK_BYTES) for t in listed)
    return {f"buffer {i}": room for i in range(min(2, len(listed)))}


def move_kernel(copy: Copy, listed: Sequence[Task], src: Any, dst: Any) -> None:
    """In and out again through two buffers in turn; block b takes tasks b, b + blocks, ..."""
    dtype = CODES[copy.size]
    source, result = GlobalTensor(dtype), GlobalTensor(dtype)
    source.SetGlobalBuffer(src)
    result.SetGlobalBuffer(dst)
    mine = listed[GetBlockIdx() :: GetBlockNum()]
    if not mine:
        return
    pipe, buffers = TPipe(), []
    for nbytes in move_buffers(copy, mine).values():
        buffers.append(TBuf(TPosition.VECIN))
        pipe.InitBuffer(buffers[-1], nbytes)
    for number, task in enumerate(mine):
        which = number % 2
        tile = buffers[which].Get(dtype)
        if number >= 2:
            WaitFlag(HardEvent.MTE3_MTE2, which)
        rows_in(tile, source, task, copy.size)
        SetFlag(HardEvent.MTE2_MTE3, which)
        WaitFlag(HardEvent.MTE2_MTE3, which)
        rows_out(result, tile, task, copy.size)
        SetFlag(HardEvent.MTE3_MTE2, which)
    for which in range(len(buffers)):
        WaitFlag(HardEvent.MTE3_MTE2, which)


def rows_in(tile: LocalTensor, source: GlobalTensor, task: Task, size: int) -> None:
    """Rows of a task, each at the next block of 32 bytes."""
    nbytes = task.cols * size
    gap = max(0, task.src_step - task.cols) * size if task.rows > 1 else 0
    if _whole_blocks(nbytes, gap):
        DataCopy(tile, source[task.src :], DataCopyParams(task.rows, nbytes // BLOCK_BYTES, gap // BLOCK_BYTES, 0))
    else:
        DataCopyPad(tile, source[task.src :], DataCopyExtParams(task.rows, nbytes, gap, 0))


def rows_out(result: GlobalTensor, tile: LocalTensor, task: Task, size: int) -> None:
    nbytes = task.cols * size
    gap = max(0, task.dst_step - task.cols) * size if task.rows > 1 else 0
    if _whole_blocks(nbytes, gap):
        DataCopy(result[task.dst :], tile, DataCopyParams(task.rows, nbytes // BLOCK_BYTES, 0, gap // BLOCK_BYTES))
    else:
        DataCopyPad(result[task.dst :], tile, DataCopyExtParams(task.rows, nbytes, 0, gap))


def _whole_blocks(nbytes: int, gap: int) -> bool:
    """Everything is a multiple of 32 bytes and fits the fields of DataCopy."""
    return not (nbytes % BLOCK_BYTES or gap % BLOCK_BYTES) and max(nbytes, gap) // BLOCK_BYTES <= MAX_UNITS
