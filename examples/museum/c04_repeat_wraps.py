"""C04: the number of repeats has 8 bits.

300 repeats are 44: the first elements are right and the rest is untouched, for large shapes only.
"""

from _show import show

from ascend_sim import NPU, Duplicate, half

CODE = "repeat-range"


def broken(npu: NPU):
    with npu.core() as core:
        Duplicate(core.alloc(half, 128 * 300), 1.0, 128, 300, 1, 8)
    return core


def fixed(npu: NPU):
    with npu.core() as core:
        Duplicate(core.alloc(half, 128 * 300), 1.0, 128 * 300)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
