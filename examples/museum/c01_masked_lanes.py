"""C01: a masked lane is not written.

Lanes 100 to 127 keep what an earlier launch left there, and the copy takes it out. On a card the result is right until
something else has run on the same core.
"""

import numpy as np
from _show import show

from ascend_sim import NPU, PIPE_ALL, Adds, DataCopy, Duplicate, GlobalTensor, PipeBarrier, half

CODE = "stale-read"


def broken(npu: NPU):
    return add_one(npu, mask=100)


def fixed(npu: NPU):
    return add_one(npu, mask=128)


def add_one(npu: NPU, mask: int):
    with npu.core() as core:  # an earlier kernel
        Duplicate(core.alloc(half, 128, addr=256), 7.0, 128)
    result = GlobalTensor(half)
    result.SetGlobalBuffer(np.zeros(128, np.float16))
    with npu.core() as core:
        src = core.alloc(half, 128, range(128))
        dst = core.alloc(half, 128)
        Adds(dst, src, 1.0, mask, 1, (1, 1, 8, 8))
        PipeBarrier(PIPE_ALL)
        DataCopy(result, dst, 128)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
