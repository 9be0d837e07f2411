"""C02: a mask applies to every repeat, not to the last one.

100 floats are meant: a repeat of 64 and a tail of 36. The call handles 36 lanes of each repeat and leaves a hole.
"""

from _show import show

from ascend_sim import NPU, Adds, float32

CODE = "partial-mask-repeat"


def broken(npu: NPU):
    with npu.core() as core:
        src = core.alloc(float32, 128, range(128))
        dst = core.alloc(float32, 128, -1.0)
        Adds(dst, src, 0.5, 36, 2, (1, 1, 8, 8))
        Adds(src, dst, 0.0, 100)  # whoever reads 100 results
    return core


def fixed(npu: NPU):
    with npu.core() as core:
        src = core.alloc(float32, 128, range(128))
        dst = core.alloc(float32, 128, -1.0)
        Adds(dst, src, 0.5, 100)
        Adds(src, dst, 0.0, 100)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
