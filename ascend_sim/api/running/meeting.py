"""What the blocks of one launch know of each other, and who of them touched which bytes of global memory last."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import attrs

from ascend_sim.machine.gm_ranges import gm_bursts, is_dense
from ascend_sim.machine.work import GmRange, Place, Work

Clock = tuple[int, ...]
"""For each block, how many of its releases are known; of the block itself, how many there were. A release is a flag
that it sets, or its coming to SyncAll."""


class Copy(NamedTuple):
    """A copy to or from global memory, and what its block knew. is_atomic: it adds to what is there, or the like."""

    block: int
    clock: Clock
    is_atomic: bool
    work: Work
    place: Place

    def comes_after(self, other: "Copy") -> bool:
        """The other block has released something since its copy, and this one knows."""
        return self.clock[other.block] > other.clock[other.block]


class LastCopies:
    """Disjoint ranges of host addresses, ascending, each with the last copy that touched it."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []
        self._copies: list[Copy] = []

    def of(self, start: int, stop: int) -> list[tuple[int, int, Copy]]:
        """Who touched start..stop-1: (first byte, one past the last one, the copy) of each part that somebody did."""
        first, behind = bisect_right(self._stops, start), bisect_left(self._starts, stop)
        parts = zip(self._starts[first:behind], self._stops[first:behind], self._copies[first:behind], strict=True)
        return [(max(low, start), min(high, stop), copy) for low, high, copy in parts]

    def put(self, start: int, stop: int, copy: Copy) -> None:
        """`copy` touches start..stop-1."""
        first, behind = bisect_right(self._stops, start), bisect_left(self._starts, stop)
        kept = [(start, stop, copy)]
        if first < behind and self._starts[first] < start:
            kept.insert(0, (self._starts[first], start, self._copies[first]))
        if first < behind and self._stops[behind - 1] > stop:
            kept.append((stop, self._stops[behind - 1], self._copies[behind - 1]))
        if first and self._stops[first - 1] == start and self._copies[first - 1] == copy:
            first -= 1
            kept[0] = self._starts[first], stop, copy
        self._starts[first:behind], self._stops[first:behind], self._copies[first:behind] = zip(*kept, strict=True)


@attrs.define
class Met:
    """A copy to global memory meets an earlier one of another block, and nothing orders the two.

    low, high: host addresses of the first bytes that they share, side by side; stop: one past the last one.
    """

    low: int
    high: int
    stop: int
    earlier: Copy


class Meeting:
    """What each block released, by coming to SyncAll and setting flags, and what the blocks copied."""

    def __init__(self, blocks: int) -> None:
        self.blocks = blocks
        self.arrivals: list[list[Clock]] = [[] for _ in range(blocks)]
        self.sets: dict[tuple[int, int], list[Clock]] = {}  # by flag and block
        self.waited: dict[tuple[int, int], int] = {}  # by block and flag
        self.clocks: list[Clock] = [(0,) * blocks] * blocks
        self.written = LastCopies(), LastCopies()  # by plain copies, and by those that add or the like
        self.read: dict[int, dict[int, LastCopies]] = {}  # by array and block

    def copies_out(self, copy: Copy, gm: GmRange, *, executes: bool) -> list[Met]:
        """Which copies out of other blocks a copy out meets. It is noted if it executes."""
        plain, atomic = self.written
        own, others = (atomic, (plain,)) if copy.is_atomic else (plain, (plain, atomic))
        found = _met(copy, gm, others)
        if executes:
            _note(copy, gm, own)
        return found

    def reads(self, copy: Copy, gm: GmRange) -> list[Met]:
        """Which copies out of other blocks a copy in meets."""
        return _met(copy, gm, self.written)

    def readers(self, copy: Copy, gm: GmRange) -> list[Met]:
        """Which copies in of other blocks, from the same array, a copy out meets."""
        return _met(copy, gm, [last for block, last in self.read.get(gm[2], {}).items() if block != copy.block])

    def note_read(self, copy: Copy, gm: GmRange) -> None:
        """A copy in."""
        _note(copy, gm, self.read.setdefault(gm[2], {}).setdefault(copy.block, LastCopies()))

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


def _met(copy: Copy, gm: GmRange, others: Sequence[LastCopies]) -> list[Met]:
    """One `Met` for each line of another block that a copy meets, in no order with it."""
    found: dict[tuple[int, int, int], Met] = {}  # by block and line
    for low, high in _bursts(copy, gm) if others else ():
        for first, behind, earlier in (part for other in others for part in other.of(low, high)):
            if earlier.block != copy.block and not copy.comes_after(earlier):
                line = (earlier.block, id(earlier.place[0]), earlier.place[1])
                found.setdefault(line, Met(first, behind, behind, earlier)).stop = behind
    return list(found.values())


def _note(copy: Copy, gm: GmRange, last: LastCopies) -> None:
    for low, high in _bursts(copy, gm):
        last.put(low, high, copy)


def _bursts(copy: Copy, gm: GmRange) -> Iterator[tuple[int, int]]:
    """Host addresses of the bursts of a copy, as far as the array goes."""
    start, stop, array, data = gm
    stop = min(stop, array + data.nbytes)
    if is_dense(copy.work):
        bursts: Iterable[tuple[int, int]] = ((start, stop),)
    else:
        bursts = zip(*(b.tolist() for b in gm_bursts(start, stop, copy.work)), strict=True)
    return ((low, high) for low, high in bursts if low < high)
