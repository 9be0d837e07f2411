"""C37: a loop waits for a flag that only its own end sets.

The first round never gets past its first line: on a card the kernel hangs. One SetFlag before the loop and one WaitFlag
behind it make the rounds fit together.
"""

import numpy as np
from _show import show

from ascend_sim import EVENT_ID0, NPU, PIPE_ALL, DataCopy, GlobalTensor, HardEvent, PipeBarrier, SetFlag, WaitFlag, half

CODE = "deadlock"
FREE = HardEvent.MTE3_MTE2


def broken(npu: NPU):
    return copy_twice(npu, starts_free=False)


def fixed(npu: NPU):
    return copy_twice(npu, starts_free=True)


def copy_twice(npu: NPU, starts_free: bool):
    gm = GlobalTensor(half)
    gm.SetGlobalBuffer(np.arange(256, dtype=np.float16))
    with npu.core() as core:
        x = core.alloc(half, 64)
        if starts_free:
            SetFlag(FREE, EVENT_ID0)
        for at in (0, 64):
            WaitFlag(FREE, EVENT_ID0)
            DataCopy(x, gm[at:], 64)
            PipeBarrier(PIPE_ALL)
            DataCopy(gm[128 + at :], x, 64)
            SetFlag(FREE, EVENT_ID0)
        WaitFlag(FREE, EVENT_ID0)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
