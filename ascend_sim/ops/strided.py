"""Copies between tensors with strides, in GM, by way of the Unified Buffer: what slices and views are lowered to."""

from collections.abc import Iterator, Sequence
from typing import Any

from ascend_sim.api.control.queue import TBuf, TPipe
from ascend_sim.api.control.sync import SetFlag, WaitFlag
from ascend_sim.api.copies.padded import DataCopyPad
from ascend_sim.api.copies.plain import DataCopy
from ascend_sim.api.launch.npu import NPU, GetBlockIdx, GetBlockNum
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor
from ascend_sim.api.running.report import Report
from ascend_sim.ops.copy_tasks import CODES, Copy, Task, tasks
from ascend_sim.ops.gathered import gather_kernel, gather_tasks
from ascend_sim.ops.machine import MAX_UNITS, align, named
from isa.params import DataCopyExtParams, DataCopyParams
from isa.positions import TPosition
from isa.products import BLOCK_BYTES, Product
from isa.sync import HardEvent

BYTES_PER_CORE = 8 * 1024  # less is not worth another core
RUN_BYTES = 32 * 1024  # of one burst, so that a tile has several


def run_copy(npu: NPU, copy: Copy, src: Any, dst: Any, name: str) -> Report:
    """Launch the copy between two flat byte arrays, as a kernel of this name."""
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
