"""Softmax of each row: a repeat is a row, so each instruction handles all rows of a tile at once.

The copy pads a row of 50 floats to 7 blocks; the mask keeps the padding out. A reduction gives a value for each row,
Brcb spreads it over a block, and with block stride 0 all blocks of the row read that one.
"""

import numpy as np

from ascend_sim import (
    NPU,
    Brcb,
    DataCopyPad,
    Div,
    Exp,
    GetBlockIdx,
    GlobalTensor,
    ReduceOrder,
    Sub,
    TBuf,
    TPipe,
    TPosition,
    TQue,
    WholeReduceMax,
    WholeReduceSum,
    float32,
    kernel,
)

CORES, TILES, ROWS, COLS, BLOCKS = 4, 2, 16, 50, 7
ROW_BY_ROW = (1, 1, 0, BLOCKS, BLOCKS, 1)  # dst and src0 go from row to row, src1 from value to value


@kernel
def softmax(x, y) -> None:
    x_gm, y_gm = GlobalTensor(float32), GlobalTensor(float32)
    x_gm.SetGlobalBuffer(x + GetBlockIdx() * TILES * ROWS * COLS, TILES * ROWS * COLS)
    y_gm.SetGlobalBuffer(y + GetBlockIdx() * TILES * ROWS * COLS, TILES * ROWS * COLS)
    pipe, by_row, by_block = TPipe(), TBuf(), TBuf()
    x_queue, y_queue = TQue(TPosition.VECIN, 1), TQue(TPosition.VECOUT, 1)
    pipe.InitBuffer(x_queue, 2, ROWS * BLOCKS * 32)
    pipe.InitBuffer(y_queue, 2, ROWS * BLOCKS * 32)
    pipe.InitBuffer(by_row, ROWS * float32.size)
    pipe.InitBuffer(by_block, ROWS * 32)
    values, spread = by_row.Get(float32), by_block.Get(float32)
    bursts = (ROWS, COLS * float32.size, 0, 0, 0)

    for at in range(0, TILES * ROWS * COLS, ROWS * COLS):
        t = x_queue.AllocTensor(float32)
        DataCopyPad(t, x_gm[at:], bursts)
        x_queue.EnQue(t)
        t, out = x_queue.DeQue(float32), y_queue.AllocTensor(float32)
        WholeReduceMax(values, t, COLS, ROWS, 1, 1, BLOCKS, ReduceOrder.ORDER_ONLY_VALUE)
        Brcb(spread, values, ROWS // 8, (1, 8))
        Sub(out, t, spread, COLS, ROWS, ROW_BY_ROW)
        Exp(out, out, COLS, ROWS, (1, 1, BLOCKS, BLOCKS))
        WholeReduceSum(values, out, COLS, ROWS, 1, 1, BLOCKS)
        Brcb(spread, values, ROWS // 8, (1, 8))
        Div(out, out, spread, COLS, ROWS, ROW_BY_ROW)
        x_queue.FreeTensor(t)
        y_queue.EnQue(out)
        out = y_queue.DeQue(float32)
        DataCopyPad(y_gm[at:], out, bursts)
        y_queue.FreeTensor(out)


def run(npu: NPU) -> dict[str, np.ndarray]:
    """Launch on `npu`, compare with numpy, return the outputs."""
    x = np.random.default_rng(3).normal(0, 3, (CORES * TILES * ROWS, COLS)).astype(np.float32)
    y = np.zeros_like(x)
    npu.launch(softmax, CORES, x, y)
    np.testing.assert_allclose(y, np.exp(x) / np.exp(x).sum(1, keepdims=True), rtol=1e-5)
    return {"y": y}


def main() -> None:
    print(f"softmax of rows {run(NPU())['y'].shape}: equal to numpy")


if __name__ == "__main__":
    main()
