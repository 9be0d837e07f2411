"""Bank conflicts of the Unified Buffer of 950: 8 groups of 2 banks of 16 KiB, interleaved from the low address bits.

A group serves two reads of different banks, or one read and one write of different banks, in a cycle; there are two
load ports and one store port (spec 04 sections (b) and (c)). The register loop runs out of order, so loads of later
turns fill holes: each cycle takes the oldest access of a window that fits, and a store takes what the loads leave.
Equal start addresses are one read. In place is not free here.

Of the vendor's board figures only ratios are usable; this model reproduces them to about 15 % (spec 04
section (c)).
"""

from collections import Counter, deque
from functools import lru_cache

from ascend_sim.timing.banks import Stream, extended
from isa.products import BLOCK_BYTES
from isa.timings import LOOP_WINDOW

GROUPS = 8
LOADS = 2
_WINDOW = int(LOOP_WINDOW.value)


@lru_cache(maxsize=16384)
def accesses(first: int, stride: int, blocks: int) -> tuple[int, ...]:
    """Passes of one vector, as sets of banks (bit 8 * bank + group): different rows of one bank take turns."""
    passes: list[int] = []
    seen: Counter[int] = Counter()
    for block in dict.fromkeys(first + i * stride for i in range(blocks)):
        address = block * BLOCK_BYTES
        bit = 1 << ((address >> 8 & 1) * GROUPS + (address >> 5 & GROUPS - 1))
        if seen[bit] == len(passes):
            passes.append(0)
        passes[seen[bit]] |= bit
        seen[bit] += 1
    return tuple(passes)


def bank_cycles(sources: tuple[Stream, ...], target: Stream | None, repeats: int) -> float:
    """Cycles that the loads and stores of `repeats` turns of a loop need. One turn enters a cycle."""
    return extended(_arbitrate, sources, target, repeats)


@lru_cache(maxsize=4096)
def _arbitrate(sources: tuple[Stream, ...], target: Stream | None, repeats: int) -> int:
    waiting: list[tuple[int, int]] = []  # (turn, banks) of loads, oldest first
    left: dict[int, int] = {}  # loads of a turn that are still to come
    stores: deque[int] = deque()
    entered = now = 0
    while entered < repeats or waiting or stores:
        if entered < repeats and len(waiting) < _WINDOW:
            places = dict.fromkeys((s.first + entered * s.repeat_stride, s.block_stride, s.blocks) for s in sources)
            loads = [(entered, bits) for place in places for bits in accesses(*place)]
            waiting += loads
            left[entered] = len(loads)
            if not loads:
                _store(stores, target, entered)
            entered += 1
        ready = stores[0] if stores else 0
        taken = picked = 0
        for load in list(waiting):
            if not taken & load[1]:
                taken |= load[1]
                picked += 1
                waiting.remove(load)
                left[load[0]] -= 1
                if not left[load[0]]:
                    _store(stores, target, load[0])
                if picked == LOADS:
                    break
        if ready and picked < LOADS and not taken & ready:  # two reads of a group leave no room for a write
            stores.popleft()
        now += 1
    return now


def _store(stores: "deque[int]", target: Stream | None, turn: int) -> None:
    if target is not None:
        first = target.first + turn * target.repeat_stride
        stores.extend(accesses(first, target.block_stride, target.blocks))
