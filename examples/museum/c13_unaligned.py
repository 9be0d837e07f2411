"""C13: operands in the Unified Buffer start at a multiple of 32 bytes.

Element 1 of a tensor of floats does not. The card prints registers and "UB address not aligned", nothing more.
"""

from _show import show

from ascend_sim import NPU, Adds, float32

CODE = "alignment"


def broken(npu: NPU):
    return add_from(npu, first=1)


def fixed(npu: NPU):
    return add_from(npu, first=8)


def add_from(npu: NPU, first: int):
    with npu.core() as core:
        x = core.alloc(float32, 64, range(64))
        y = core.alloc(float32, 64)
        Adds(y, x[first:], 1.0, 8)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
