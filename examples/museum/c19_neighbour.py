"""C19: a tail that is rounded up tramples the neighbour.

Two cores have 10 floats each and copy 16, to make whole blocks: core 0 writes into the part of core 1.
"""

import numpy as np
from _show import show

from ascend_sim import (
    NPU,
    PIPE_ALL,
    DataCopyPad,
    Duplicate,
    GetBlockIdx,
    GlobalTensor,
    PipeBarrier,
    TBuf,
    TPipe,
    float32,
)

CODE = "multicore-overlap"


def number_my_part(z, count) -> None:
    part, pipe, buffer = GlobalTensor(float32), TPipe(), TBuf()
    part.SetGlobalBuffer(z + 10 * GetBlockIdx())
    pipe.InitBuffer(buffer, 64)
    y = buffer.Get(float32)
    Duplicate(y, GetBlockIdx() + 1.0, 16)
    PipeBarrier(PIPE_ALL)
    DataCopyPad(part, y, (1, count * float32.size, 0, 0, 0))


def broken(npu: NPU):
    return npu.launch(number_my_part, 2, np.zeros(32, np.float32), 16)


def fixed(npu: NPU):
    return npu.launch(number_my_part, 2, np.zeros(32, np.float32), 10)


if __name__ == "__main__":
    show(broken, fixed, CODE)
