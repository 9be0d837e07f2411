"""Layer norm of rows of 300 floats: mean and variance of a row go through the scalar unit.

ReduceSum leaves its result in memory. Flag V_S lets the scalar unit read it, S_V lets the next row overwrite it.
"""

import numpy as np

from ascend_sim import (
    NPU,
    Add,
    Adds,
    DataCopyPad,
    GetBlockIdx,
    GlobalTensor,
    HardEvent,
    LocalMemAllocator,
    Mul,
    Muls,
    ReduceSum,
    SetFlag,
    WaitFlag,
    float32,
    kernel,
)

CORES, ROWS, COLS, PITCH, EPSILON = 4, 3, 300, 304, np.float32(1e-5)


def order(event) -> None:
    SetFlag(event, 0)
    WaitFlag(event, 0)


@kernel
def layer_norm(x, gamma_beta, y) -> None:
    x_gm, gamma_beta_gm, y_gm = GlobalTensor(float32), GlobalTensor(float32), GlobalTensor(float32)
    x_gm.SetGlobalBuffer(x + GetBlockIdx() * ROWS * COLS, ROWS * COLS)
    gamma_beta_gm.SetGlobalBuffer(gamma_beta)
    y_gm.SetGlobalBuffer(y + GetBlockIdx() * ROWS * COLS, ROWS * COLS)
    memory = LocalMemAllocator()
    rows, gamma_beta = memory.Alloc(float32, ROWS * PITCH), memory.Alloc(float32, 2 * PITCH)
    squares, work, total = memory.Alloc(float32, PITCH), memory.Alloc(float32, PITCH), memory.Alloc(float32, 8)
    DataCopyPad(gamma_beta, gamma_beta_gm, (2, COLS * float32.size, 0, 0, 0))
    DataCopyPad(rows, x_gm, (ROWS, COLS * float32.size, 0, 0, 0))
    order(HardEvent.MTE2_V)

    for at in range(0, ROWS * PITCH, PITCH):
        row = rows[at : at + PITCH]
        ReduceSum(total, row, work, COLS)
        order(HardEvent.V_S)
        Adds(row, row, -total.GetValue(0) / COLS, COLS)
        order(HardEvent.S_V)
        Mul(squares, row, row, COLS)
        ReduceSum(total, squares, work, COLS)
        order(HardEvent.V_S)
        Muls(row, row, 1 / np.sqrt(total.GetValue(0) / COLS + EPSILON), COLS)
        order(HardEvent.S_V)
        Mul(row, row, gamma_beta, COLS)
        Add(row, row, gamma_beta[PITCH:], COLS)
    order(HardEvent.V_MTE3)
    DataCopyPad(y_gm, rows, (ROWS, COLS * float32.size, 0, 0, 0))


def run(npu: NPU) -> dict[str, np.ndarray]:
    """Launch on `npu`, compare with numpy, return the outputs."""
    rng = np.random.default_rng(5)
    x, y = rng.normal(2, 3, (2, CORES * ROWS, COLS)).astype(np.float32)
    gamma, beta = gamma_beta = rng.standard_normal((2, COLS)).astype(np.float32)
    npu.launch(layer_norm, CORES, x, gamma_beta, y)
    expected = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + EPSILON) * gamma + beta
    np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-5)
    return {"y": y}


def main() -> None:
    print(f"layer norm of rows {run(NPU())['y'].shape}: equal to numpy")


if __name__ == "__main__":
    main()
