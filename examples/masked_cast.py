"""The masked Cast of the documentation, reproduced value for value: 256 results and 256 leftovers.

The page converts 512 halves to int32 with mask 32 of 64 lanes and 8 repeats, and prints 512 results. Every second half
repeat of them is garbage: those lanes were masked off, so the destination kept what an earlier kernel had left there.

What that kernel was is nowhere said. This is a reconstruction: read as halves, the garbage of repeats 0-3 lies between
14 and 9936, that of repeats 4-7 between 5 and 9.2, as natural logarithms of numbers below 10^4 do. So a first launch
copies numbers in and takes logarithms of some; its inputs are chosen so that the printed bytes come out.
"""

import csv
from pathlib import Path

import numpy as np

from ascend_sim import (
    EVENT_ID0,
    NPU,
    Cast,
    DataCopy,
    GlobalTensor,
    HardEvent,
    Ln,
    LocalTensor,
    RoundMode,
    SetFlag,
    TPosition,
    WaitFlag,
    half,
    int32_t,
    kernel,
    lane_map,
)

LENGTH, MASK, REPEATS = 512, 32, 8
X_ADDR, Y_ADDR = 0x0000, 0x0400  # 1024 bytes of half, then 2048 bytes of int32


def documentation() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Input, printed output, and which lanes were active, from the table of the Cast page."""
    with Path(__file__).with_suffix(".csv").open() as table:
        rows = list(csv.DictReader(table))
    source = np.array([float(r["src_half"]) for r in rows], np.float16)
    printed = np.array([int(r["dst_int32"]) for r in rows], np.int32)
    return source, printed, np.array([r["active"] == "1" for r in rows])


def order(event):
    """The second pipe of `event` starts when the first has finished."""
    SetFlag(event, EVENT_ID0)
    WaitFlag(event, EVENT_ID0)


@kernel
def earlier(numbers, total) -> None:
    """Leaves halves where the second kernel puts its int32 results: numbers first, then logarithms."""
    gm = GlobalTensor(half)
    gm.SetGlobalBuffer(numbers)
    left = LocalTensor(half, TPosition.VECCALC, Y_ADDR, total)
    DataCopy(left, gm, total)
    order(HardEvent.MTE2_V)
    Ln(left[total // 2 :], left[total // 2 :], total // 2)


@kernel
def masked_cast(x_gm, y_gm) -> None:
    """The documented call: mask 32, 8 repeats, block strides 1, repeat strides 8 (int32) and 4 (half)."""
    source, result = GlobalTensor(half), GlobalTensor(int32_t)
    source.SetGlobalBuffer(x_gm)
    result.SetGlobalBuffer(y_gm)
    x = LocalTensor(half, TPosition.VECIN, X_ADDR, LENGTH)
    y = LocalTensor(int32_t, TPosition.VECOUT, Y_ADDR, LENGTH)
    DataCopy(x, source, LENGTH)
    order(HardEvent.MTE2_V)
    Cast(y, x, RoundMode.CAST_CEIL, MASK, REPEATS, (1, 1, 8, 4))
    order(HardEvent.V_MTE3)
    DataCopy(result, y, LENGTH)


def before_logarithm(leftovers: np.ndarray) -> np.ndarray:
    """Halves whose logarithm, rounded to half, is each of `leftovers`."""
    candidates = np.arange(1, 0x7C00, dtype=np.uint16).view(np.float16)  # every positive half
    with NPU().core() as core:
        logarithms = []
        for part in np.array_split(candidates, 4):
            tensor = core.alloc(half, part.size, part, addr=0)
            Ln(tensor, tensor, part.size)
            logarithms.append(tensor.numpy())
    table = np.concatenate(logarithms)
    at = np.searchsorted(table, leftovers)
    if not np.array_equal(table[at], leftovers):
        raise ValueError("a leftover is the logarithm of no half")
    return candidates[at]


def history(printed: np.ndarray, active: np.ndarray) -> np.ndarray:
    """GM contents of the first launch: 1024 halves, of which every second run of 64 must leave the printed bytes."""
    leftovers = printed.view(np.float16).copy()
    kept = np.repeat(~active, 2)
    leftovers[~kept] = leftovers[kept]  # under the active lanes nobody can see what was there: more of the same
    middle = leftovers.size // 2
    return np.concatenate([leftovers[:middle], before_logarithm(leftovers[middle:])])


def main() -> None:
    source, printed, active = documentation()
    npu = NPU("ascend910b")
    npu.launch(earlier, 1, history(printed, active), printed.size * 2)
    y = np.zeros(LENGTH, np.int32)
    report = npu.launch(masked_cast, 1, source, y)

    core = report.runs[0]
    cast = next(entry for entry in core.trace if entry.name == "Cast")
    print(lane_map(cast, core.ub), end="\n\n")
    print(report, end="\n\n")
    show_garbage(core, y, active)
    print(f"{np.count_nonzero(y == printed)} of {LENGTH} values equal the documentation")
    if not np.array_equal(y, printed):
        raise SystemExit(1)


def show_garbage(core, y: np.ndarray, active: np.ndarray) -> None:
    """What the lanes that Cast left alone hold, and who wrote it."""
    tensor = LocalTensor(int32_t, TPosition.VECOUT, Y_ADDR, LENGTH, core=core.machine)
    print("Garbage: lanes that the mask switched off. The bytes are halves of an earlier launch.")
    for repeat in range(REPEATS):
        first = repeat * 64 + MASK
        halves = y[first : first + 64 - MASK].view(np.float16).astype(float)
        write = core.who_wrote(tensor, first)
        print(
            f"  repeat {repeat} blocks 4-7 lanes {MASK}-63: {y[first]} ... as halves "
            f"{halves.min():.4g} to {halves.max():.4g}, left by {write.name} (line {write.site.line})"
        )
    states = {str(s) for s in tensor.lane_states()[~active]}
    print(f"  state of these lanes: {', '.join(sorted(states))}\n")


if __name__ == "__main__":
    main()
