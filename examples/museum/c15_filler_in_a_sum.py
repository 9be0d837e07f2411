"""C15: the filler of DataCopyPad takes part in a sum.

11 halves leave room for 5 in their block. With no padding asked for, the room is filled with the first element: the sum
of 16 is 71 where 66 is right. It is right for every length that happens to be a multiple of 16.
"""

import numpy as np
from _show import show

from ascend_sim import NPU, PIPE_ALL, DataCopyPad, GlobalTensor, PipeBarrier, ReduceSum, half

CODE = "pad-read"


def broken(npu: NPU):
    return total(npu, count=16)


def fixed(npu: NPU):
    return total(npu, count=11)


def total(npu: NPU, count: int):
    gm = GlobalTensor(half)
    gm.SetGlobalBuffer(np.arange(1, 12, dtype=np.float16))
    with npu.core() as core:
        x, result, work = core.alloc(half, 16), core.alloc(half, 16), core.alloc(half, 128)
        DataCopyPad(x, gm, (1, 11 * half.size, 0, 0, 0))
        PipeBarrier(PIPE_ALL)
        ReduceSum(result, x, work, count)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
