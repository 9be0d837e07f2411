"""explain: how a slice is lowered, for a shape and a type."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ascend_sim.api.launch.npu import NPU
from ascend_sim.ops.aclnn.blocks import block_buffers, block_kernel, block_tasks, on_device
from ascend_sim.ops.aclnn.slice import aclnnSliceGetWorkspaceSize, copies
from ascend_sim.ops.aclnn.tensors import DTYPES
from ascend_sim.ops.copy_tasks import Copy, Task
from ascend_sim.ops.gathered import gather_buffers, gather_kernel, gather_tasks
from ascend_sim.ops.lowering import Lowering, lowering_of
from ascend_sim.ops.machine import operator_npu
from ascend_sim.ops.strided import move_buffers, move_kernel, move_tasks
from isa.products import ASCEND910, Product


def explain(shape: Sequence[int], dtype: Any, dim: int, start: int, end: int, step: int) -> Lowering:
    """The instructions for one tile of a contiguous tensor, their number and the buffers, on the active NPU.

    dtype: a name such as "FLOAT16", or a numpy type. A tile is (rows, columns) of what goes through the Unified Buffer
    together. Raises ValueError with the status where the slice itself is refused.
    """
    npu = operator_npu()
    element = DTYPES.get(dtype) if isinstance(dtype, str) else None
    element = np.dtype(dtype) if element is None else element
    x = np.zeros(tuple(shape), element)
    sliced = x[(slice(None),) * (dim % max(x.ndim, 1)) + (slice(start, end, step),)] if step > 0 and x.ndim else x
    out = np.zeros(sliced.shape, element)
    status, _, executor = aclnnSliceGetWorkspaceSize(x, dim, start, end, step, out)
    if executor is None:
        raise ValueError(f"aclnnSlice refuses this with status {status}")
    ((_, copy, source, result),) = copies(executor, None)
    probe = NPU(npu.product.id, check="record")
    title = f"aclnnSlice({tuple(shape)} {element}, dim {dim}, {start}:{end}:{step})"
    if not out.size:
        return Lowering(
            title=title, product=npu.product, tile=(0, 0), tiles=0, steps=(), counts={}, buffers={}, cores=1
        )
    tasks, buffers = _tasks(npu.product, copy)
    first = max(tasks, key=lambda t: t.rows * t.cols)
    if npu.product is ASCEND910:
        report = probe.launch(block_kernel, 1, copy, (first,), on_device(source.memory), on_device(result.memory))
    else:
        kernel = gather_kernel if copy.way == "gather" else move_kernel
        report = probe.launch(kernel, 1, copy, (first,), source.memory, result.memory)
    return lowering_of(
        report,
        title=f"{title}, {copy.way}",
        product=npu.product,
        tile=(first.rows, first.cols),
        tiles=len(tasks),
        buffers=buffers,
        cores=1 if npu.product is ASCEND910 else None,
    )


def _tasks(product: Product, copy: Copy) -> "tuple[list[Task], dict[str, int]]":
    if product is ASCEND910:
        return list(block_tasks(copy)), block_buffers(copy)
    if copy.way == "gather":
        tasks = list(gather_tasks(product, copy))
        return tasks, gather_buffers(product, copy, tasks)
    tasks = list(move_tasks(product, copy))
    return tasks, move_buffers(copy, tasks)
