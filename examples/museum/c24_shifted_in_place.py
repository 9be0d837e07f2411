"""C24: a tensor is shifted by a block in place.

Repeat 1 reads a block that repeat 0 has just written, so some elements go through the instruction twice.
"""

from _show import show

from ascend_sim import NPU, Adds, float32

CODE = "overlap"


def broken(npu: NPU):
    with npu.core() as core:
        b = core.alloc(float32, 200, range(200))
        Adds(b[8:], b, 1.0, 64, 2, (1, 1, 8, 8))
    return core


def fixed(npu: NPU):
    with npu.core() as core:
        b = core.alloc(float32, 200, range(200))
        copy = core.alloc(float32, 128)
        Adds(copy, b, 1.0, 64, 2, (1, 1, 8, 8))
        Adds(b[8:], copy, 0.0, 64, 2, (1, 1, 8, 8))
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
