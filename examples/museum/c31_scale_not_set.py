"""C31: int32 to half is multiplied by a register.

Nothing has set the register in this launch: the result is scaled by whatever another kernel wanted.
"""

from _show import show

from ascend_sim import NPU, Cast, RoundMode, SetDeqScale, half, int32_t

CODE = "deq-scale-unset"


def broken(npu: NPU):
    return convert(npu, lambda: None)


def fixed(npu: NPU):
    return convert(npu, lambda: SetDeqScale(1.0))


def convert(npu: NPU, prepare):
    with npu.core() as core:
        src, dst = core.alloc(int32_t, 16, range(16)), core.alloc(half, 16)
        prepare()
        Cast(dst, src, RoundMode.CAST_NONE, 16)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
