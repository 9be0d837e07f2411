"""Benchmarks: what the simulator costs beside numpy, measured in the same run.

Run it as `python bench/run.py`.

Each row is the best of several rounds. Ratios compare with numpy on the same data; the rows in microseconds are also
given as multiples of one `np.add` on 64 floats, the floor of any interpreter that calls numpy once an instruction,
because a busy machine slows both alike. Exit code 1 when a row misses its budget in both measures.
"""

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim import (
    NPU,
    PIPE_ALL,
    Add,
    Cast,
    DataCopy,
    GetBlockIdx,
    GlobalTensor,
    HardEvent,
    PipeBarrier,
    RoundMode,
    SetFlag,
    TPipe,
    TPosition,
    TQue,
    WaitFlag,
    float32,
    half,
    int32_t,
    kernel,
)
from ascend_sim.timing.model import timeline
from ascend_sim.trace.trace import Trace
from isa.numerics.cast import cast
from isa.numerics.rules import Rules
from isa.products import Arch

if TYPE_CHECKING:
    from ascend_sim.api.running.run import CoreRun
    from isa.dtypes import ElementType

FIVE = (
    RoundMode.CAST_RINT,
    RoundMode.CAST_FLOOR,
    RoundMode.CAST_CEIL,
    RoundMode.CAST_ROUND,
    RoundMode.CAST_TRUNC,
)
LANES = 1 << 20
TILE = 8192
FLOOR_US = 0.165  # np.add on 64 floats where the budgets were set


@attrs.frozen
class Row:
    """One benchmark: what it measures, the figure and the budget, both in `unit`.

    floor: microseconds of one `np.add` on 64 floats, measured in turns with the row where that is a matter of
    microseconds.
    """

    what: str
    figure: float
    budget: float
    unit: str
    detail: str
    floor: float = FLOOR_US

    def met(self) -> bool:
        """Within the budget, or within it once the machine's speed is taken out."""
        scale = max(self.floor / FLOOR_US, 1.0) if self.unit in ("us", "s") else 1.0
        return self.figure <= self.budget * scale


def best(function: Callable[[], object], calls: int = 1, rounds: int = 9) -> float:
    """Seconds of this process for one call: the best of `rounds` rounds of `calls` calls.

    Processor time, because other work on the machine should not count.
    """
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(calls):
            function()
        times.append(time.process_time() - start)
    return min(times) / calls


def compare(
    ours: Callable[[], object], theirs: Callable[[], object], calls: int = 1, rounds: int = 9
) -> tuple[float, float]:
    """Seconds of both, measured in turns, so that a slow spell of the machine meets both."""
    turns = [(best(ours, calls, 1), best(theirs, calls, 1)) for _ in range(rounds)]
    first, second = zip(*turns, strict=True)
    return min(first), min(second)


SMALL = tuple(np.ones(64, np.float32) for _ in range(3))


def small_add() -> None:
    """The floor of any interpreter that calls numpy once an instruction, 1,000 times."""
    for _ in range(1000):
        np.add(*SMALL)


def aligned(length: int) -> NDArray[np.float32]:
    """An array of ones that starts on a cache line."""
    raw = np.ones(length + 16, np.float32)
    return raw[-raw.ctypes.data % 64 // 4 :][:length]


def wall(command: list[str]) -> float:
    """Seconds of a command, by the clock: the best of seven, after one that leaves the compiled files behind."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times = []
    with tempfile.TemporaryDirectory() as compiled:
        environment["PYTHONPYCACHEPREFIX"] = compiled
        for _ in range(8):
            start = time.perf_counter()
            subprocess.run(command, check=True, env=environment)
            times.append(time.perf_counter() - start)
    return min(times[1:])


def import_time() -> Row:
    """A fresh interpreter that imports the package, less one that imports nothing."""
    bare, full, numpy = (
        wall([sys.executable, "-c", text]) for text in ("pass", "import ascend_sim", "import numpy, ml_dtypes")
    )
    detail = f"numpy and ml_dtypes alone {numpy - bare:.3f} s"
    return Row("import ascend_sim", full - bare, 0.25, "s", detail, best(small_add) * 1e3)


def one_repeat() -> list[Row]:
    """One instruction of one repeat: with its plan cached, and with operands at a new place each time."""
    with NPU(trace=1000).core() as core:
        a, b = (core.alloc(float32, 64, 1.0) for _ in range(2))
        c = core.alloc(float32, 32000, 0.0)
        strides = (1, 1, 1, 8, 8, 8)

        def again() -> None:
            for _ in range(1000):
                Add(c, a, b, 64, 1, strides)

        hit, floor = (seconds * 1000 for seconds in compare(again, small_add, 10))  # of one, in microseconds
        places = [c[64 * i :] for i in range(500)]

        def fresh() -> None:
            core.state.caches[core.machine.control].clear()
            for place in places:
                Add(place, a, b, 64, 1, strides)

        miss, floor2 = compare(fresh, small_add)
    miss *= 1e6 / len(places)
    return [
        Row("one repeat, plan cached", hit, 3, "us", "Add, 64 floats", floor),
        Row("one repeat, plan not cached", miss, 25, "us", "the same, 500 new places", floor2 * 1e3),
    ]


def many_repeats() -> Row:
    """128 repeats of float32 Add against one np.add on the same lanes."""
    x, y, z = (aligned(TILE) for _ in range(3))  # as in the Unified Buffer: numpy is slower on other addresses
    with NPU(trace=1000).core() as core:
        a, b, c = (core.alloc(float32, TILE, 1.0) for _ in range(3))
        strides = (1, 1, 1, 8, 8, 8)
        ours, numpy = compare(lambda: Add(c, a, b, 64, 128, strides), lambda: np.add(x, y, z), 1000)
    return Row("128 repeats of Add", ours / numpy, 2, "x", f"{ours * 1e6:.2f} us, np.add {numpy * 1e6:.2f} us")


def cycles_of(core: "CoreRun", calls: int, simulated: Callable[[], None]) -> Row:
    """What asking for the cycles of a run adds. calls: API calls in it, the last of the trace."""
    records = list(core.trace.records)[-calls:]
    part = Trace()
    part.records.extend(records)
    timeline(part, core.product)  # loads the model
    seconds, more = compare(simulated, lambda: timeline(part, core.product).cycles)
    return Row("  its cycles, asked for", 1 + more / seconds, 1.3, "x", f"{more * 1e3:.2f} ms for {calls} calls")


def staged_add() -> list[Row]:
    """Copy in, add, copy out of 1 Mi floats in tiles, against the same staged copies in bare numpy."""
    x, y, z = (np.random.default_rng(i).standard_normal(LANES).astype(np.float32) for i in range(3))
    with NPU(trace=2000).core() as core:
        gx, gy, gz = (GlobalTensor(float32) for _ in range(3))
        for tensor, array in ((gx, x), (gy, y), (gz, z)):
            tensor.SetGlobalBuffer(array)
        a, b, c = (core.alloc(float32, TILE) for _ in range(3))

        def simulated() -> None:
            for at in range(0, LANES, TILE):
                DataCopy(a, gx[at:], TILE)
                DataCopy(b, gy[at:], TILE)
                SetFlag(HardEvent.MTE2_V, 0)
                WaitFlag(HardEvent.MTE2_V, 0)
                Add(c, a, b, TILE)
                SetFlag(HardEvent.V_MTE3, 0)
                WaitFlag(HardEvent.V_MTE3, 0)
                DataCopy(gz[at:], c, TILE)
                PipeBarrier(PIPE_ALL)

        simulated()
        np.testing.assert_array_equal(z, x + y)
        ta, tb, tc = (np.empty(TILE, np.float32) for _ in range(3))

        def staged() -> None:
            for at in range(0, LANES, TILE):
                ta[:] = x[at : at + TILE]
                tb[:] = y[at : at + TILE]
                np.add(ta, tb, tc)
                z[at : at + TILE] = tc

        ours, numpy = compare(simulated, staged)
        asked = cycles_of(core, LANES // TILE * 9, simulated)
    return [
        Row("staged add of 1 Mi floats", ours / numpy, 3, "x", f"{ours * 1e3:.2f} ms, numpy {numpy * 1e3:.2f} ms"),
        asked,
    ]


def masked_cast() -> list[Row]:
    """Cast half to int32, mask 32 of 64, over 1 Mi lanes in tiles, against one call each of numpy."""
    values = (np.random.default_rng(0).standard_normal(LANES) * 100).astype(np.float16)
    with NPU(trace=2000).core() as core:
        source = GlobalTensor(half)
        source.SetGlobalBuffer(values)
        x, y = core.alloc(half, TILE), core.alloc(int32_t, TILE, 0)

        def simulated() -> None:
            for at in range(0, LANES, TILE):
                DataCopy(x, source[at:], TILE)
                SetFlag(HardEvent.MTE2_V, 0)
                WaitFlag(HardEvent.MTE2_V, 0)
                Cast(y, x, RoundMode.CAST_CEIL, 32, 128, (1, 1, 8, 4))
                SetFlag(HardEvent.V_MTE2, 0)
                WaitFlag(HardEvent.V_MTE2, 0)

        active = values.reshape(-1, 64)[:, :32]
        wide, out = np.empty(active.shape, np.float32), np.zeros((LANES // 64, 64), np.int32)

        def one_call() -> None:
            np.copyto(wide, active)
            np.ceil(wide, out=wide)
            np.copyto(out[:, :32], wide, casting="unsafe")

        ours, numpy = compare(simulated, one_call)
        np.testing.assert_array_equal(y.numpy().reshape(-1, 64)[:, :32], out[-TILE // 64 :, :32])
        asked = cycles_of(core, LANES // TILE * 6, simulated)
    return [
        Row("masked Cast of 1 Mi lanes", ours / numpy, 3, "x", f"{ours * 1e3:.2f} ms, numpy {numpy * 1e3:.2f} ms"),
        asked,
    ]


@kernel
def add_halves(x: object, y: object, z: object, length: int) -> None:
    """One block adds `length` halves, in tiles, with two buffers in every queue."""
    gx, gy, gz = (GlobalTensor(half) for _ in range(3))
    for tensor, address in ((gx, x), (gy, y), (gz, z)):
        tensor.SetGlobalBuffer(address + GetBlockIdx() * length, length)
    pipe = TPipe()
    qx, qy, qz = TQue(TPosition.VECIN, 2), TQue(TPosition.VECIN, 2), TQue(TPosition.VECOUT, 2)
    for queue in (qx, qy, qz):
        pipe.InitBuffer(queue, 2, TILE * half.size)
    for at in range(0, length, TILE):
        for queue, source in ((qx, gx), (qy, gy)):
            tile = queue.AllocTensor(half)
            DataCopy(tile, source[at:], TILE)
            queue.EnQue(tile)
        a, b, c = qx.DeQue(half), qy.DeQue(half), qz.AllocTensor(half)
        Add(c, a, b, TILE)
        qz.EnQue(c)
        qx.FreeTensor(a)
        qy.FreeTensor(b)
        c = qz.DeQue(half)
        DataCopy(gz[at:], c, TILE)
        qz.FreeTensor(c)


def eight_cores() -> Row:
    """Add 1 Mi halves on 8 cores, with queues and the race detector. Reported, no budget."""
    x, y = np.random.default_rng(0).standard_normal((2, LANES)).astype(np.float16)
    z = np.zeros(LANES, np.float16)
    npu = NPU()

    def launch() -> None:
        npu.launch(add_halves, 8, x, y, z, LANES // 8)

    ours, numpy = compare(launch, lambda: np.add(x, y, z), rounds=5)
    np.testing.assert_array_equal(z, x + y)
    detail = f"{ours * 1e3:.2f} ms, np.add {numpy * 1e3:.2f} ms"
    return Row("8 cores add 1 Mi halves", ours / numpy, math.inf, "x", detail)


def conversions() -> None:
    """Elements a second of the conversion kernels themselves, in tiles of 32 Ki; the floors are of a desktop core."""
    rng = np.random.default_rng(0)
    tile = 32 * 1024
    rules = Rules(Arch.C220)
    floats = rng.standard_normal(tile).astype(np.float32) * 100
    halves, narrow, whole = floats.astype(np.float16), np.empty(tile, np.float16), np.empty(tile, np.int32)
    pairs: list[tuple[ElementType, ElementType, RoundMode, Any, Any, int]] = [
        (float32, half, mode, floats, narrow, 150) for mode in (*FIVE, RoundMode.CAST_ODD)
    ]
    pairs += [(half, int32_t, mode, halves, whole, 500) for mode in FIVE]
    print("\nconversions, million elements a second (32 Ki elements)")
    for src, dst, mode, values, out, floor in pairs:
        kernel = cast(src, dst, mode, rules)
        kernel(values, out)
        rate = tile / best(lambda kernel=kernel, values=values, out=out: kernel(values, out), 20) / 1e6
        print(f"  {src} -> {dst} {mode.name:<11} {rate:7.0f}   wanted {floor}")


def main() -> int:
    """Print the table; 1 when a budget is missed."""
    rows = [import_time(), *one_repeat(), many_repeats(), *staged_add(), *masked_cast(), eight_cores()]
    floor = best(small_add) * 1e3
    print(f"np.add on 64 floats: {floor:.3f} us here, {FLOOR_US} us where the budgets were set\n")
    print(f"{'what':<30} {'figure':>9} {'budget':>8}       x np.add   detail")
    for row in rows:
        multiple = f"{row.figure / row.floor:8.1f}" if row.unit == "us" else " " * 8
        verdict = "ok" if row.met() else "MISSED"
        print(f"{row.what:<30} {row.figure:9.3f} {row.budget:8.2f} {row.unit:<3} {multiple}   {row.detail}  {verdict}")
    conversions()
    return 0 if all(row.met() for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
