"""C14: DataCopy moves whole blocks of 32 bytes.

20 halves are 40 bytes: 16 elements arrive, and nothing is said. DataCopyPad moves any number of elements.
"""

import numpy as np
from _show import show

from ascend_sim import NPU, DataCopy, DataCopyPad, GlobalTensor, half

CODE = "copy-length"


def broken(npu: NPU):
    with npu.core() as core:
        DataCopy(core.alloc(half, 32), source(), 20)
    return core


def fixed(npu: NPU):
    with npu.core() as core:
        DataCopyPad(core.alloc(half, 32), source(), (1, 20 * half.size, 0, 0, 0))
    return core


def source() -> GlobalTensor:
    gm = GlobalTensor(half)
    gm.SetGlobalBuffer(np.arange(32, dtype=np.float16))
    return gm


if __name__ == "__main__":
    show(broken, fixed, CODE)
