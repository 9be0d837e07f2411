"""Repeat stride: how far the start of a repeat lies behind the start of the one before, in 32-byte blocks.

Repeats of 64 floats are 8 blocks. Stride 8 is dense; 10 leaves 2 blocks of hole; 4 lets repeats share half their
blocks; 0 keeps a source on the same blocks, so every repeat adds the same row.
"""

import numpy as np

from ascend_sim import NPU, Add, Adds, Duplicate, float32, lane_map

LANES, REPEATS = 64, 3


def main() -> None:
    with NPU("ascend910b").core() as core:
        src = core.alloc(float32, LANES * REPEATS, np.arange(LANES * REPEATS), name="src")
        holes = core.alloc(float32, 80 * REPEATS, name="holes")
        Duplicate(holes, -1, 80 * REPEATS)
        Adds(holes, src, 0.0, LANES, REPEATS, (1, 1, 10, 8))
        show("dst repeat stride 10: two blocks (16 floats) of hole behind each repeat", core)
        rows = holes.numpy().reshape(REPEATS, 80)
        np.testing.assert_array_equal(rows[:, :LANES].ravel(), src.numpy())
        np.testing.assert_array_equal(rows[:, LANES:], -1)

        shared = core.alloc(float32, LANES * REPEATS, name="shared")
        Adds(shared, src, 0.0, LANES, REPEATS, (1, 1, 8, 4))
        show("src repeat stride 4: repeat r starts at element 32 r, neighbours share 32 elements", core)
        np.testing.assert_array_equal(shared.numpy().reshape(REPEATS, LANES)[:, 0], [0, 32, 64])

        bias = core.alloc(float32, LANES, 1000.0, name="bias")
        Add(shared, src, bias, LANES, REPEATS, (1, 1, 1, 8, 8, 0))
        show("src1 repeat stride 0: the same 64 floats are added to every repeat", core)
        np.testing.assert_array_equal(shared.numpy(), src.numpy() + 1000)


def show(title, core) -> None:
    print(title)
    print(lane_map(core.trace[-1], core.ub), end="\n\n")


if __name__ == "__main__":
    main()
