"""Block stride: how far apart the 32-byte blocks of one repeat lie.

One Adds on half, one repeat of 128 lanes, so 8 blocks of 16. With block stride 2 the destination takes every second
block and leaves a hole of 16 elements behind each; with block stride 0 the source repeats its first block 8 times.
"""

import numpy as np

from ascend_sim import NPU, Adds, Duplicate, half, lane_map

LANES = 128


def main() -> None:
    with NPU("ascend910b").core() as core:
        src = core.alloc(half, LANES, np.arange(LANES), name="src")
        spread = core.alloc(half, 2 * LANES, name="spread")
        Duplicate(spread, -1, 2 * LANES)
        Adds(spread, src, 0.5, LANES, 1, (2, 1, 16, 8))
        show("dst block stride 2: blocks 0, 2, 4, ... are written, -1 stays in between", core, spread)
        expected = np.full((8, 2, 16), -1.0)
        expected[:, 0] = np.arange(LANES).reshape(8, 16) + 0.5
        np.testing.assert_array_equal(spread.numpy(), expected.ravel())

        copies = core.alloc(half, LANES, name="copies")
        Adds(copies, src, 0, LANES, 1, (1, 0, 8, 8))
        show("src block stride 0: every block reads elements 0..15", core, copies)
        np.testing.assert_array_equal(copies.numpy(), np.tile(np.arange(16), 8))


def show(title, core, tensor) -> None:
    print(title)
    print(lane_map(core.trace[-1], core.ub))
    blocks = tensor.numpy().reshape(-1, 16)
    print("\n".join(f"  block {i:<2} {row[0]:5} .. {row[-1]:5}" for i, row in enumerate(blocks)), end="\n\n")


if __name__ == "__main__":
    main()
