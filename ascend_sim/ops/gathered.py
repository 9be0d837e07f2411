"""Strided elements picked in the Unified Buffer: GatherMask for steps 2 and 4, Gather with byte offsets otherwise.

A2 and A3 pick elements of 16 and 32 bits: bytes make an exact round trip through half, 64-bit elements are pairs.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ascend_sim.api.context import current_run
from ascend_sim.api.control.queue import TBuf, TPipe, TQue
from ascend_sim.api.control.sync import PIPE_V, PipeBarrier
from ascend_sim.api.copies.padded import DataCopyPad
from ascend_sim.api.instructions.gather_mask import GatherMask
from ascend_sim.api.instructions.indices import CreateVecIndex
from ascend_sim.api.launch.npu import GetBlockIdx, GetBlockNum
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor
from ascend_sim.api.vector import Add, Adds, Cast, Gather, Mins, Muls, ShiftRight
from ascend_sim.ops.copy_tasks import CODES, Copy, Task, tasks
from ascend_sim.ops.elementwise import Steps
from ascend_sim.ops.geometry import Rows, load
from ascend_sim.ops.machine import align
from isa.dtypes import half, int32_t, uint8_t, uint16_t, uint32_t
from isa.params import DataCopyExtParams, RoundMode
from isa.positions import TPosition
from isa.products import BLOCK_BYTES, Arch, Product

MASK_BYTES = 256  # rows from here on are picked by GatherMask where their step allows it
COLUMNS = 4096
GATHERED = 255 * 64  # elements of one Gather
REACH = 64 * 1024  # bytes that an offset of Gather reaches on 950, for bytes; twice as many for 16 bits
NONE = RoundMode.CAST_NONE


@attrs.frozen
class Widths:
    """How wide things are for one product and element size.

    size: of an element in GM; picked: of what Gather picks, and how many of these make an element.
    """

    size: int
    picked: int
    parts: int
    by_half: bool

    @staticmethod
    def of(product: Product, size: int) -> "Widths":
        if product.arch is Arch.A3510:
            return Widths(size, size, 1, by_half=False)
        return {
            1: Widths(1, 2, 1, by_half=True),
            8: Widths(8, 4, 2, by_half=False),
        }.get(size, Widths(size, size, 1, by_half=False))

    def pitch(self, cols: int) -> int:
        """Picked elements from row to row of the result: rows start at a block of it and of the offsets."""
        return align(cols * self.parts, max(8, BLOCK_BYTES // self.picked, BLOCK_BYTES if self.by_half else 1))


def takes_mask(widths: Widths, step: int, cols: int) -> bool:
    """GatherMask picks the row: it has patterns for every 2nd and every 4th element, and a row is one call."""
    return step in (2, 4) and widths.picked == widths.size < 8 and cols * widths.size >= MASK_BYTES


def buffers(widths: Widths, step: int, rows: int, cols: int) -> dict[str, int]:
    """Bytes of every buffer for a task."""
    span = align(((cols - 1) * step + 1) * widths.size, BLOCK_BYTES)
    count = rows * widths.pitch(cols)
    needs = {"src": rows * span, "dst": count * widths.picked if not widths.by_half else align(count, BLOCK_BYTES)}
    if takes_mask(widths, step, cols):
        return needs
    needs |= {"offsets": 4 * count, "work": 2 * 4 * widths.pitch(cols)}
    if widths.by_half:
        needs |= {"src as half": 2 * rows * span, "dst as half": 2 * count}
    return needs


def gather_tasks(product: Product, copy: Copy) -> Iterator[Task]:
    """Tasks whose buffers fit the Unified Buffer."""
    widths, inner = Widths.of(product, copy.size), copy.axes[-1]
    cols = min(inner.count, COLUMNS)
    reach = min(REACH * widths.size, product.ub_bytes) if product.arch is Arch.A3510 else product.ub_bytes
    while sum(buffers(widths, inner.src, 1, cols).values()) > reach:
        cols //= 2
    one, two = (sum(buffers(widths, inner.src, r, cols).values()) for r in (1, 2))
    return tasks(copy, reach - one + (two - one), two - one, cols, by_axis=True)


def gather_buffers(product: Product, copy: Copy, listed: Sequence[Task]) -> dict[str, int]:
    """Bytes of the buffers for these tasks."""
    rows, cols = max(t.rows for t in listed), max(t.cols for t in listed)
    return buffers(Widths.of(product, copy.size), copy.axes[-1].src, rows, cols)


def gather_kernel(copy: Copy, listed: Sequence[Task], src: Any, dst: Any) -> None:
    """Rows in with what lies between their elements, one pick for all of them, rows out."""
    mine = listed[GetBlockIdx() :: GetBlockNum()]
    if mine:
        picker = _Picker(copy, mine, src, dst)
        for task in mine:
            picker.run(task)


class _Picker:
    def __init__(self, copy: Copy, mine: Sequence[Task], src: Any, dst: Any) -> None:
        self.product = current_run().product
        self.widths = Widths.of(self.product, copy.size)
        self.step = copy.axes[-1].src
        self.dtype, self.picked = CODES[copy.size], CODES[self.widths.picked]
        self.source, self.result = GlobalTensor(self.dtype), GlobalTensor(self.dtype)
        self.source.SetGlobalBuffer(src)
        self.result.SetGlobalBuffer(dst)
        needs = gather_buffers(self.product, copy, mine)
        pipe = TPipe()
        self.ins, self.outs = TQue(TPosition.VECIN, 1), TQue(TPosition.VECOUT, 1)
        pipe.InitBuffer(self.ins, 1, needs.pop("src"))
        pipe.InitBuffer(self.outs, 1, needs.pop("dst"))
        self.by_mask = "offsets" not in needs
        self.buffers = {name: TBuf() for name in needs}
        for name, buffer in self.buffers.items():
            pipe.InitBuffer(buffer, needs[name])
        self.table_of = (0, 0)

    def run(self, task: Task) -> None:
        widths = self.widths
        span = (task.cols - 1) * self.step + 1
        pitch = align(span * widths.size, BLOCK_BYTES) // widths.size
        tile = self.ins.AllocTensor(self.dtype)
        load(tile, self.source, [Rows(task.src, task.rows, span, max(task.src_step, span))], pitch)
        self.ins.EnQue(tile)
        tile, out = self.ins.DeQue(self.dtype), self.outs.AllocTensor(self.dtype)
        self._steps(self._pick(out, tile, task, span, pitch))
        self.outs.EnQue(out)
        self.ins.FreeTensor(tile)
        out = self.outs.DeQue(self.dtype)
        nbytes = task.cols * widths.size
        row = widths.pitch(task.cols) * (1 if widths.by_half else widths.picked)  # bytes from row to row
        gap = max(0, task.dst_step - task.cols) * widths.size if task.rows > 1 else 0
        blocks = (row - align(nbytes, BLOCK_BYTES)) // BLOCK_BYTES
        DataCopyPad(self.result[task.dst :], out, DataCopyExtParams(task.rows, nbytes, blocks, gap))
        self.outs.FreeTensor(out)

    def _steps(self, steps: Steps) -> None:
        for _ in steps:
            if self.product.arch is not Arch.A3510:
                PipeBarrier(PIPE_V)

    def _pick(self, out: LocalTensor, tile: LocalTensor, task: Task, span: int, pitch: int) -> Steps:
        widths = self.widths
        row = widths.pitch(task.cols)
        if self.by_mask:
            for r in range(task.rows):
                pattern = 1 if self.step == 2 else 3
                GatherMask(out[r * row :], tile[r * pitch :], pattern, True, span, (1, 1, 8, 0))
                yield
            return
        yield from self._offsets(task, pitch * widths.size, row)
        table = self.buffers["offsets"].Get(uint32_t)
        count = task.rows * row
        if not widths.by_half:
            picked = self.picked
            yield from _gather(out.ReinterpretCast(picked), tile.ReinterpretCast(picked), table, count)
            return
        wide, thin = self.buffers["src as half"].Get(half), self.buffers["dst as half"].Get(half)
        yield Cast(wide, tile, NONE, task.rows * pitch)
        yield from _gather(thin.ReinterpretCast(uint16_t), wide.ReinterpretCast(uint16_t), table, count)
        yield Cast(out.ReinterpretCast(uint8_t), thin, NONE, count)

    def _offsets(self, task: Task, row_bytes: int, row: int) -> Steps:
        """Byte offsets of what is picked, row after row; those behind the last column repeat it."""
        widths = self.widths
        made_rows, made_cols = self.table_of
        if made_cols == task.cols and made_rows >= task.rows:
            return
        self.table_of = (task.rows, task.cols)
        scale = 2 if widths.by_half else 1
        table = self.buffers["offsets"].Get(int32_t)
        first, work = table[:row], self.buffers["work"].Get(int32_t)
        yield CreateVecIndex(first, 0, row)
        if widths.parts == 1:
            yield Muls(first, first, self.step * widths.size * scale, row)
        else:  # number // 2 elements on, and number % 2 halves of one
            yield ShiftRight(work, first, 1, row)
            yield Muls(work[row:], work, -2, row)
            yield Add(first, first, work[row:], row)
            yield Muls(first, first, widths.picked, row)
            yield Muls(work, work, self.step * widths.size, row)
            yield Add(first, first, work, row)
        last = (task.cols - 1) * self.step * widths.size * scale + (widths.parts - 1) * widths.picked
        yield Mins(first, first, last, row)
        for r in range(1, task.rows):
            yield Adds(table[r * row :], first, r * row_bytes * scale, row)


def _gather(dst: LocalTensor, src: LocalTensor, table: LocalTensor, count: int) -> Steps:
    """Gather in calls of at most 255 repeats: A2 and A3 keep 8 bits of their number."""
    for done in range(0, count, GATHERED):
        part = min(GATHERED, count - done)
        yield Gather(dst[done:], src, table[done:], 0, part)
