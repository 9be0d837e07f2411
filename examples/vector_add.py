"""Vector add on 8 cores with double buffering: while one tile is added, the next is on its way in.

Every queue has two buffers. The three pipes (copy in, vector, copy out) work at once; EnQue and DeQue are all that
orders them.
"""

import numpy as np

from ascend_sim import (
    NPU,
    Add,
    DataCopy,
    GetBlockIdx,
    GetBlockNum,
    GlobalTensor,
    TPipe,
    TPosition,
    TQue,
    half,
    kernel,
)

CORES, TILES, TILE = 8, 4, 1024
TOTAL = CORES * TILES * TILE


@kernel
def add_custom(x, y, z, total) -> None:
    length = total // GetBlockNum()
    start = GetBlockIdx() * length
    x_gm, y_gm, z_gm = GlobalTensor(half), GlobalTensor(half), GlobalTensor(half)
    x_gm.SetGlobalBuffer(x + start, length)
    y_gm.SetGlobalBuffer(y + start, length)
    z_gm.SetGlobalBuffer(z + start, length)

    pipe = TPipe()
    x_queue, y_queue, z_queue = TQue(TPosition.VECIN, 2), TQue(TPosition.VECIN, 2), TQue(TPosition.VECOUT, 2)
    for queue in (x_queue, y_queue, z_queue):
        pipe.InitBuffer(queue, 2, TILE * half.size)

    for at in range(0, length, TILE):
        x_tile, y_tile = x_queue.AllocTensor(half), y_queue.AllocTensor(half)
        DataCopy(x_tile, x_gm[at:], TILE)
        DataCopy(y_tile, y_gm[at:], TILE)
        x_queue.EnQue(x_tile)
        y_queue.EnQue(y_tile)

        x_tile, y_tile, z_tile = x_queue.DeQue(half), y_queue.DeQue(half), z_queue.AllocTensor(half)
        Add(z_tile, x_tile, y_tile, TILE)
        z_queue.EnQue(z_tile)
        x_queue.FreeTensor(x_tile)
        y_queue.FreeTensor(y_tile)

        z_tile = z_queue.DeQue(half)
        DataCopy(z_gm[at:], z_tile, TILE)
        z_queue.FreeTensor(z_tile)


def run(npu: NPU) -> dict[str, np.ndarray]:
    """Launch on `npu`, compare with numpy, return the outputs."""
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((2, TOTAL)).astype(np.float16)
    z = np.zeros(TOTAL, np.float16)
    npu.launch(add_custom, CORES, x, y, z, TOTAL)
    np.testing.assert_array_equal(z, x + y)
    return {"z": z}


def main() -> None:
    z = run(NPU("ascend910b"))["z"]
    print(f"{z.size} halves added on {CORES} cores in tiles of {TILE}: equal to numpy")


if __name__ == "__main__":
    main()
