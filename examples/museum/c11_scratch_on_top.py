"""C11: scratch memory over a tile of flags.

A row of flags has 8 bytes, but rows lie 32 bytes apart: 32 rows reach to byte 1024. Scratch at byte 128 wipes out
rows 4 and up, so the selection takes its second source there.
"""

from _show import show

from ascend_sim import CMPMODE, NPU, SELMODE, Compare, Duplicate, Select, float32, uint8_t, uint16_t

CODE = "aliased-tensors"
ROWS = 32


def broken(npu: NPU):
    return select_rows(npu, scratch_at=128)


def fixed(npu: NPU):
    return select_rows(npu, scratch_at=32 * ROWS)


def select_rows(npu: NPU, scratch_at: int):
    with npu.core() as core:
        flags = core.alloc(uint8_t, 32 * ROWS, addr=0)
        scratch = core.alloc(uint16_t, 2048, addr=scratch_at)
        x, y = core.alloc(float32, 64, range(64), addr=0x4000), core.alloc(float32, 64, -1.0)
        dst = core.alloc(float32, 64 * ROWS)
        for row in range(ROWS):
            Compare(flags[32 * row :], x, x, CMPMODE.EQ, 64)
        Duplicate(scratch, 0, 2048)
        for row in range(ROWS):
            Select(dst[64 * row :], flags[32 * row :], x, y, SELMODE.VSEL_TENSOR_TENSOR_MODE, 64)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
