"""A sum over all cores: each adds up its part, then all add their result to the same float with an atomic copy out.

The pipes are ordered by explicit flags here, with two buffers that take turns: flag MTE2_V says that a buffer is full,
V_MTE2 that it may be filled again.
"""

import numpy as np

from ascend_sim import (
    NPU,
    Add,
    DataCopy,
    DataCopyExtParams,
    DataCopyPad,
    Duplicate,
    GetBlockIdx,
    GlobalTensor,
    HardEvent,
    LocalMemAllocator,
    SetAtomicAdd,
    SetAtomicNone,
    SetFlag,
    WaitFlag,
    WholeReduceSum,
    float32,
    kernel,
)

CORES, TILES, TILE = 8, 6, 512


@kernel
def total(x, result) -> None:
    x_gm, result_gm = GlobalTensor(float32), GlobalTensor(float32)
    x_gm.SetGlobalBuffer(x + GetBlockIdx() * TILES * TILE, TILES * TILE)
    result_gm.SetGlobalBuffer(result)
    memory = LocalMemAllocator()
    buffers = [memory.Alloc(float32, TILE), memory.Alloc(float32, TILE)]
    sums, lanes, one = memory.Alloc(float32, TILE), memory.Alloc(float32, 8), memory.Alloc(float32, 8)

    Duplicate(sums, 0.0, TILE)
    SetFlag(HardEvent.V_MTE2, 0)
    SetFlag(HardEvent.V_MTE2, 1)
    for tile in range(TILES):
        turn = tile % 2
        WaitFlag(HardEvent.V_MTE2, turn)
        DataCopy(buffers[turn], x_gm[tile * TILE :], TILE)
        SetFlag(HardEvent.MTE2_V, turn)
        WaitFlag(HardEvent.MTE2_V, turn)
        Add(sums, sums, buffers[turn], TILE)
        SetFlag(HardEvent.V_MTE2, turn)
    WaitFlag(HardEvent.V_MTE2, 0)
    WaitFlag(HardEvent.V_MTE2, 1)

    WholeReduceSum(lanes, sums, 64, TILE // 64, 1, 1, 8)
    WholeReduceSum(one, lanes, TILE // 64, 1, 1, 1, 8)
    SetFlag(HardEvent.V_MTE3, 0)
    WaitFlag(HardEvent.V_MTE3, 0)
    SetAtomicAdd(float32)
    DataCopyPad(result_gm, one, DataCopyExtParams(1, float32.size, 0, 0, 0))
    SetAtomicNone()


def run(npu: NPU) -> dict[str, np.ndarray]:
    """Launch on `npu`, compare with numpy, return the outputs."""
    x = np.random.default_rng(4).standard_normal(CORES * TILES * TILE).astype(np.float32)
    result = np.zeros(1, np.float32)
    npu.launch(total, CORES, x, result)
    np.testing.assert_allclose(result[0], x.astype(np.float64).sum(), rtol=1e-5)
    return {"result": result}


def main() -> None:
    result = run(NPU("ascend910b"))["result"]
    print(f"sum of {CORES * TILES * TILE} floats on {CORES} cores: {result[0]:.3f}, as numpy has it")


if __name__ == "__main__":
    main()
