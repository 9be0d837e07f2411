"""Lengths that are no multiple of a block: 1003 floats, cut into 3 parts, in tiles of 256.

DataCopyPad moves whole elements, not whole blocks: no core reads past the array and none writes into its neighbour's
part. Inside the buffer the count form of an instruction stops at the last element, so the filler is never used.
"""

import numpy as np

from ascend_sim import (
    NPU,
    Adds,
    DataCopyExtParams,
    DataCopyPad,
    DataCopyPadExtParams,
    GetBlockIdx,
    GetBlockNum,
    GlobalTensor,
    Muls,
    TPipe,
    TPosition,
    TQue,
    float32,
    kernel,
)

CORES, TOTAL, TILE = 3, 1003, 256


@kernel
def scale_and_shift(x, y, total, scale, shift) -> None:
    """Write x * scale + shift to y."""
    share = -(-total // GetBlockNum())
    start = GetBlockIdx() * share
    length = min(share, total - start)
    x_gm, y_gm = GlobalTensor(float32), GlobalTensor(float32)
    x_gm.SetGlobalBuffer(x + start, length)
    y_gm.SetGlobalBuffer(y + start, length)

    pipe = TPipe()
    x_queue, y_queue = TQue(TPosition.VECIN, 2), TQue(TPosition.VECOUT, 2)
    pipe.InitBuffer(x_queue, 2, TILE * float32.size)
    pipe.InitBuffer(y_queue, 2, TILE * float32.size)

    for at in range(0, length, TILE):
        count = min(TILE, length - at)
        burst = DataCopyExtParams(1, count * float32.size, 0, 0, 0)
        x_tile = x_queue.AllocTensor(float32)
        DataCopyPad(x_tile, x_gm[at:], burst, DataCopyPadExtParams(False, 0, 0, 0))
        x_queue.EnQue(x_tile)

        x_tile, y_tile = x_queue.DeQue(float32), y_queue.AllocTensor(float32)
        Muls(y_tile, x_tile, scale, count)
        Adds(y_tile, y_tile, shift, count)
        y_queue.EnQue(y_tile)
        x_queue.FreeTensor(x_tile)

        y_tile = y_queue.DeQue(float32)
        DataCopyPad(y_gm[at:], y_tile, burst)
        y_queue.FreeTensor(y_tile)


def run(npu: NPU) -> dict[str, np.ndarray]:
    """Launch on `npu`, compare with numpy, return the outputs."""
    x = np.random.default_rng(2).standard_normal(TOTAL).astype(np.float32)
    y = np.full(TOTAL, np.nan, np.float32)
    npu.launch(scale_and_shift, CORES, x, y, TOTAL, 3.0, -0.5)
    np.testing.assert_array_equal(y, x * np.float32(3) + np.float32(-0.5))
    return {"y": y}


def main() -> None:
    y = run(NPU("ascend910b"))["y"]
    print(f"{y.size} floats on {CORES} cores, no multiple of a block anywhere: equal to numpy")


if __name__ == "__main__":
    main()
