"""C40: the offsets of a gather count bytes.

Element indices go to the wrong places, and those that are no multiple of the element size are not even legal.
"""

from _show import show

from ascend_sim import NPU, Gather, float32, uint32_t

CODE = "gather-offset"


def broken(npu: NPU):
    return reverse(npu, unit=1)


def fixed(npu: NPU):
    return reverse(npu, unit=float32.size)


def reverse(npu: NPU, unit: int):
    with npu.core() as core:
        src, dst = core.alloc(float32, 64, range(64)), core.alloc(float32, 64)
        offsets = core.alloc(uint32_t, 64, [unit * i for i in reversed(range(64))])
        Gather(dst, src, offsets, 0, 64)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
