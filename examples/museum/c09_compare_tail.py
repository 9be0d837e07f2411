"""C09: a comparison works on whole repeats of 256 bytes.

Of 100 floats 64 are compared; the flags of the other 36 are what was in memory.
"""

from _show import show

from ascend_sim import CMPMODE, NPU, Compares, float32, uint8_t

CODE = "compare-length"


def broken(npu: NPU):
    return flags_of(npu, count=100)


def fixed(npu: NPU):
    return flags_of(npu, count=128)


def flags_of(npu: NPU, count: int):
    with npu.core() as core:
        values = core.alloc(float32, 128, range(128))
        flags = core.alloc(uint8_t, 32)
        Compares(flags, values, 64.0, CMPMODE.GE, count)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
