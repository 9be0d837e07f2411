"""What the blocks of one launch know of each other: who waits for whom, and who wrote what to global memory."""

from bisect import bisect_right

import attrs

from ascend_sim.machine.work import Place, Range, Work


@attrs.define(eq=False)
class CopyOut:
    """A copy to global memory. phase: how often its block had waited for the others; gm: the bytes from its first to
    its last, gaps included; before, after: what they held, of a copy to bytes that another block wrote.
    """

    block: int
    phase: int
    work: Work
    place: Place
    data: memoryview
    gm: Range
    before: bytes | None
    after: bytes | None = None


class CopiesOut:
    """All copies to global memory, in the order in which they were issued."""

    def __init__(self) -> None:
        self.all: list[CopyOut] = []
        self._published = 0
        # the bytes that blocks wrote before the running one had its turn: disjoint ranges, ascending host addresses
        self._starts: list[int] = []
        self._stops: list[int] = []

    def note(self, block: int, phase: int, work: Work, place: Place, data: memoryview, gm: Range) -> CopyOut:
        """The block issues a copy, which has not taken effect yet."""
        if self.all and self.all[-1].block != block:
            self._publish()
        start, stop, array = gm
        before = bytes(data[start - array : stop - array]) if self._is_written(start, stop) else None
        copy = CopyOut(block, phase, work, place, data, gm, before)
        self.all.append(copy)
        return copy

    def _is_written(self, start: int, stop: int) -> bool:
        at = bisect_right(self._starts, start)
        return (at > 0 and self._stops[at - 1] > start) or (at < len(self._starts) and self._starts[at] < stop)

    def _publish(self) -> None:
        fresh = [c.gm[:2] for c in self.all[self._published :]]
        self._published = len(self.all)
        ranges = sorted([*zip(self._starts, self._stops, strict=True), *fresh])
        self._starts.clear()
        self._stops.clear()
        for start, stop in ranges:
            if self._stops and start <= self._stops[-1]:
                self._stops[-1] = max(stop, self._stops[-1])
            else:
                self._starts.append(start)
                self._stops.append(stop)


class Meeting:
    """How often each block has come to SyncAll, set each flag, and waited for it; what the blocks copied out."""

    def __init__(self, blocks: int) -> None:
        self.arrived = [0] * blocks
        self.flags: dict[int, list[int]] = {}
        self.waited: dict[tuple[int, int], int] = {}
        self.blocks = blocks
        self.copies_out = CopiesOut()

    def phase(self, block: int) -> int:
        """How often the block has waited for the others: what one did in an earlier phase is done."""
        return self.arrived[block] + sum(times for (one, _), times in self.waited.items() if one == block)
