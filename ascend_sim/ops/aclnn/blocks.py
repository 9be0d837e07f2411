"""Copies on ascend910, which moves whole blocks of 32 bytes only.

Its device memory is allocated in blocks, with one to spare, so a copy may read past a row; what a copy out writes past
a row is written again by the next one, or is read from the result before, where neighbours must be kept.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_sim.api.control.queue import TBuf, TPipe
from ascend_sim.api.control.sync import EVENT_ID0, SetFlag, WaitFlag
from ascend_sim.api.copies.plain import DataCopy
from ascend_sim.api.launch.npu import NPU
from ascend_sim.api.memory.tensor import GlobalTensor
from ascend_sim.api.running.report import Report
from ascend_sim.ops.copy_tasks import CODES, Copy, Task, tasks
from ascend_sim.ops.machine import align, named
from isa.products import BLOCK_BYTES
from isa.sync import HardEvent

PIECE_BYTES = 32 * 1024


def run_in_blocks(npu: NPU, copy: Copy, src: NDArray[Any], dst: NDArray[Any], name: str) -> Report:
    """Launch the copy on one core; the tensors stand in device memory while it runs."""
    source, result = on_device(src), on_device(dst)
    report = npu.launch(named(name, block_kernel), 1, copy, tuple(block_tasks(copy)), source, result)
    dst[:] = result[: dst.size]
    return report


def on_device(host: NDArray[Any]) -> NDArray[Any]:
    """The bytes in memory that is allocated in blocks, with one more behind."""
    device = np.zeros(align(host.size, BLOCK_BYTES) + BLOCK_BYTES, np.uint8)
    device[: host.size] = host
    return device


def block_tasks(copy: Copy) -> Iterator[Task]:
    """One task for each row, or piece of a row; single elements where the innermost axis has a step."""
    return tasks(copy, 1, 2, _columns(copy))


def _columns(copy: Copy) -> int:
    return max(1, min(copy.run, PIECE_BYTES // copy.size))


def block_buffers(copy: Copy) -> dict[str, int]:
    """Bytes of the buffers: of a row, and of the block at its end."""
    return {"row": align(_columns(copy) * copy.size, BLOCK_BYTES), "end": BLOCK_BYTES}


def block_kernel(copy: Copy, listed: Sequence[Task], src: Any, dst: Any) -> None:
    """Row by row in the order of the result."""
    dtype, per = CODES[copy.size], BLOCK_BYTES // copy.size
    source, result = GlobalTensor(dtype), GlobalTensor(dtype)
    source.SetGlobalBuffer(src)
    result.SetGlobalBuffer(dst)
    pipe, moved, kept = TPipe(), TBuf(), TBuf()
    for buffer, nbytes in zip((moved, kept), block_buffers(copy).values(), strict=True):
        pipe.InitBuffer(buffer, nbytes)
    order = [t.dst for t in listed]
    is_dense = all(b == a + t.cols for a, b, t in zip(order, order[1:], listed, strict=False))
    for task in listed:
        count = align(task.cols, per)
        tile = moved.Get(dtype)
        DataCopy(tile, source[task.src :], count)
        if is_dense:
            _then(HardEvent.MTE2_MTE3)
            DataCopy(result[task.dst :], tile, count)
        else:
            _keep_neighbours(result, tile, kept.Get(dtype), task, per)
        _then(HardEvent.MTE3_MTE2)


def _keep_neighbours(result: GlobalTensor, tile: Any, kept: Any, task: Task, per: int) -> None:
    """Whole blocks, then the rest of the row put into the block that stands there."""
    whole = task.cols // per * per
    _then(HardEvent.MTE2_MTE3)
    if whole:
        DataCopy(result[task.dst :], tile, whole)
        _then(HardEvent.MTE3_MTE2)
    if whole == task.cols:
        return
    DataCopy(kept, result[task.dst + whole :], per)
    _then(HardEvent.MTE2_S)
    for i in range(whole, task.cols):
        kept.SetValue(i - whole, tile.GetValue(i))
    _then(HardEvent.S_MTE3)
    DataCopy(result[task.dst + whole :], kept, per)


def _then(event: HardEvent) -> None:
    """What follows on the second pipe waits for the first."""
    SetFlag(event, EVENT_ID0)
    WaitFlag(event, EVENT_ID0)
