"""C06: strides count blocks of 32 bytes, not elements.

64 floats from row to row are 8 blocks. A stride of 64 walks 2048 bytes for each repeat.
"""

from _show import show

from ascend_sim import NPU, Adds, float32

CODE = "out-of-bounds-write"


def broken(npu: NPU):
    return add_one(npu, stride=64)


def fixed(npu: NPU):
    return add_one(npu, stride=8)


def add_one(npu: NPU, stride: int):
    with npu.core() as core:
        src = core.alloc(float32, 2048, range(2048))
        dst = core.alloc(float32, 256)
        Adds(dst, src, 1.0, 64, 4, (1, 1, stride, stride))
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
