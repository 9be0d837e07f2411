"""C34: a vector instruction does not wait for a copy.

The addition may start before its input is there: with NPU(dma="late") it does, and the results show it.
"""

import numpy as np
from _show import show

from ascend_sim import EVENT_ID0, NPU, Adds, DataCopy, GlobalTensor, HardEvent, SetFlag, WaitFlag, float32

CODE = "race"


def broken(npu: NPU):
    return add_one(npu, lambda: None)


def fixed(npu: NPU):
    return add_one(npu, lambda: (SetFlag(HardEvent.MTE2_V, EVENT_ID0), WaitFlag(HardEvent.MTE2_V, EVENT_ID0)))


def add_one(npu: NPU, wait):
    gm = GlobalTensor(float32)
    gm.SetGlobalBuffer(np.arange(64, dtype=np.float32))
    with npu.core() as core:
        x, y = core.alloc(float32, 64, 99.0), core.alloc(float32, 64)
        DataCopy(x, gm, 64)
        wait()
        Adds(y, x, 1.0, 64)
    print(f"  y starts with {y.numpy()[:3]}")
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE, dma="late")
