"""C22: counter mode outlives its call.

A helper switches to counter mode for 4096 elements and does not switch back. The next call that trusts the stored mask
covers 4096 elements of a tensor that has 64.
"""

from _show import show

from ascend_sim import (
    MASK_PLACEHOLDER,
    NPU,
    Cast,
    ResetMask,
    RoundMode,
    SetMaskCount,
    SetMaskNorm,
    SetVectorMask,
    float32,
    int32_t,
)

CODE = "out-of-bounds-write"


def broken(npu: NPU):
    return convert(npu, lambda: None)


def fixed(npu: NPU):
    return convert(npu, lambda: (SetMaskNorm(), ResetMask()))


def convert(npu: NPU, switch_back):
    with npu.core() as core:
        dst, src = core.alloc(float32, 64), core.alloc(int32_t, 4096, range(4096), addr=0x8000)
        SetMaskCount()
        SetVectorMask(0, 4096)
        switch_back()
        Cast(dst, src, RoundMode.CAST_NONE, MASK_PLACEHOLDER, 1, (1, 1, 8, 8), is_set_mask=False)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
