"""The 5 largest of 512 scores and where they stand, by sorting.

Sort32 sorts 32 scores with their indices into records of 8 bytes; MrgSort merges 4 sorted lists at a time. After two
rounds one list is left; GatherMask takes scores (even words) and indices (odd words) out of its first records. Nothing
overlaps in this kernel, so barriers over all pipes will do.
"""

import numpy as np

from ascend_sim import (
    NPU,
    PIPE_ALL,
    CreateVecIndex,
    DataCopy,
    DataCopyPad,
    GatherMask,
    GlobalTensor,
    LocalMemAllocator,
    MrgSort,
    PipeBarrier,
    Sort32,
    float32,
    int32_t,
    kernel,
    uint32_t,
)

K, LENGTH, RUN = 5, 512, 32
RECORD = 2  # words: score, index


@kernel
def top_k(scores, values, indices) -> None:
    scores_gm, values_gm, indices_gm = GlobalTensor(float32), GlobalTensor(float32), GlobalTensor(uint32_t)
    scores_gm.SetGlobalBuffer(scores)
    values_gm.SetGlobalBuffer(values)
    indices_gm.SetGlobalBuffer(indices)
    memory = LocalMemAllocator()
    x, index = memory.Alloc(float32, LENGTH), memory.Alloc(int32_t, LENGTH)
    records, merged = memory.Alloc(float32, RECORD * LENGTH), memory.Alloc(float32, RECORD * LENGTH)

    DataCopy(x, scores_gm, LENGTH)
    CreateVecIndex(index, 0, LENGTH)
    PipeBarrier(PIPE_ALL)
    Sort32(records, x, index.ReinterpretCast(uint32_t), LENGTH // RUN)
    length = RUN
    while length < LENGTH:
        for at in range(0, RECORD * LENGTH, RECORD * 4 * length):
            lists = [records[at + RECORD * part * length :] for part in range(4)]
            MrgSort(merged[at:], lists, ([length] * 4, False, 0b1111, 1))
        records, merged, length = merged, records, 4 * length
    best, where = merged, x.ReinterpretCast(uint32_t)
    GatherMask(best, records, 1, True, RECORD * K, (1, 1, 8, 8))
    GatherMask(where, records.ReinterpretCast(uint32_t), 2, True, RECORD * K, (1, 1, 8, 8))
    PipeBarrier(PIPE_ALL)
    DataCopyPad(values_gm, best, (1, K * float32.size, 0, 0, 0))
    DataCopyPad(indices_gm, where, (1, K * uint32_t.size, 0, 0, 0))


def run(npu: NPU) -> dict[str, np.ndarray]:
    """Launch on `npu`, compare with numpy, return the outputs."""
    scores = np.random.default_rng(6).standard_normal(LENGTH).astype(np.float32)
    values, indices = np.zeros(K, np.float32), np.zeros(K, np.uint32)
    npu.launch(top_k, 1, scores, values, indices)
    expected = np.argsort(-scores, kind="stable")[:K]
    np.testing.assert_array_equal(indices, expected)
    np.testing.assert_array_equal(values, scores[expected])
    return {"values": values, "indices": indices}


def main() -> None:
    best = run(NPU())
    print(f"top {K} of {LENGTH}:", *(f"{v:.3f} at {i}" for v, i in zip(*best.values(), strict=True)), sep="  ")


if __name__ == "__main__":
    main()
