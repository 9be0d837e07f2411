"""What the blocks of one launch know of each other, and who of them wrote which bytes of global memory last."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import NamedTuple

import attrs

from ascend_sim.machine.gm_ranges import gm_bursts
from ascend_sim.machine.work import GmRange, Place, Work

Clock = tuple[int, ...]
"""For each block, how many of its releases are known; of the block itself, how many there were. A release is a flag
that it sets, or its coming to SyncAll."""


class Writer(NamedTuple):
    """A copy to global memory, and what its block knew. is_atomic: it adds to what is there, or the like."""

    block: int
    clock: Clock
    is_atomic: bool
    work: Work
    place: Place

    def comes_after(self, other: "Writer") -> bool:
        """The other block has released something since its copy, and this one knows."""
        return self.clock[other.block] > other.clock[other.block]


class Writers:
    """Disjoint ranges of host addresses, ascending, each with its last writer."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []
        self._writers: list[Writer] = []

    def of(self, start: int, stop: int) -> list[tuple[int, int, Writer]]:
        """Who wrote start..stop-1: (first byte, one past the last one, the writer) of each part that somebody did."""
        first, behind = bisect_right(self._stops, start), bisect_left(self._starts, stop)
        parts = zip(self._starts[first:behind], self._stops[first:behind], self._writers[first:behind], strict=True)
        return [(max(low, start), min(high, stop), writer) for low, high, writer in parts]

    def write(self, start: int, stop: int, writer: Writer) -> None:
        """`writer` writes start..stop-1."""
        first, behind = bisect_right(self._stops, start), bisect_left(self._starts, stop)
        kept = [(start, stop, writer)]
        if first < behind and self._starts[first] < start:
            kept.insert(0, (self._starts[first], start, self._writers[first]))
        if first < behind and self._stops[behind - 1] > stop:
            kept.append((stop, self._stops[behind - 1], self._writers[behind - 1]))
        if first and self._stops[first - 1] == start and self._writers[first - 1] == writer:
            first -= 1
            kept[0] = self._starts[first], stop, writer
        self._starts[first:behind], self._stops[first:behind], self._writers[first:behind] = zip(*kept, strict=True)


@attrs.define
class Met:
    """A copy to global memory meets an earlier one of another block, and nothing orders the two.

    low, high: host addresses of the first bytes that they share, side by side; stop: one past the last one.
    """

    low: int
    high: int
    stop: int
    earlier: Writer


class Meeting:
    """What each block released: how often it has come to SyncAll, and set each flag."""

    def __init__(self, blocks: int) -> None:
        self.blocks = blocks
        self.arrivals: list[list[Clock]] = [[] for _ in range(blocks)]
        self.sets: dict[tuple[int, int], list[Clock]] = {}  # by flag and block
        self.waited: dict[tuple[int, int], int] = {}  # by block and flag
        self.clocks: list[Clock] = [(0,) * blocks] * blocks
        self.writers = Writers(), Writers()  # those that copy, and those that add or the like

    def copies_out(self, writer: Writer, gm: GmRange, *, executes: bool) -> list[Met]:
        """Whom a copy meets, one `Met` for each line of another block. It is noted if it executes."""
        start, stop, array, data = gm
        plain, atomic = self.writers
        own, others = (atomic, (plain,)) if writer.is_atomic else (plain, (plain, atomic))
        found: dict[tuple[int, Place], Met] = {}
        bursts = gm_bursts(start, min(stop, array + data.nbytes), writer.work)
        for low, high in zip(*(b.tolist() for b in bursts), strict=True):
            if low >= high:
                continue
            for first, behind, earlier in (part for other in others for part in other.of(low, high)):
                if earlier.block != writer.block and not writer.comes_after(earlier):
                    found.setdefault((earlier.block, earlier.place), Met(first, behind, behind, earlier)).stop = behind
            if executes:
                own.write(low, high, writer)
        return list(found.values())

    def release(self, block: int) -> Clock:
        """The block lets others know what it has done and knows."""
        clock = self.clocks[block]
        self.clocks[block] = clock = (*clock[:block], clock[block] + 1, *clock[block + 1 :])
        return clock

    def learn(self, block: int, clocks: Iterable[Clock]) -> None:
        """The block knows what these say."""
        self.clocks[block] = tuple(map(max, self.clocks[block], *clocks))

    def is_set(self, flag: int, times: int) -> bool:
        """Every block has set the flag so often."""
        return all(len(self.sets.get((flag, block), ())) >= times for block in range(self.blocks))
