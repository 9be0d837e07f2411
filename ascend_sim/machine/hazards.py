"""When do repeats depend on each other? Decides the order of execution, and is what the overlap check reports."""

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.issue import Access
from ascend_sim.machine.touched import touched
from ascend_sim.machine.walk import Lanes


@attrs.frozen
class Conflict:
    """Bytes that a source shares with the destination in a way the hardware does not support (spec 01 section 5.1).

    writer is the repeat that writes them, reader the one that reads them: equal for a partial overlap inside one
    repeat, writer < reader when a later repeat reads what an earlier one wrote.
    """

    writer: int
    reader: int
    lane: int
    first: int
    last: int


def may_depend(dst: Access, src: Access) -> bool:
    """A repeat could read what another one wrote. Conservative and cheap: False is certain, True is not."""
    if dst.cover.high <= src.cover.low or src.cover.high <= dst.cover.low:
        return False
    return dst.walk != src.walk or overwrites_itself(dst)


def overwrites_itself(dst: Access) -> bool:
    """Two repeats may write the same byte, so their order shows. Conservative."""
    lanes = dst.lanes
    if not isinstance(lanes, Lanes):
        return True
    return lanes.repeats > 1 and dst.walk.repeat_stride < dst.walk.span(lanes.reach)


def forwarding(dst: Access, src: Access) -> Conflict | None:
    """The first repeat that reads what an earlier one wrote, or None. Exact, on the active lanes."""
    return _forwarding(*_cells(dst, src)) if may_depend(dst, src) else None


def partial_overlap(dst: Access, src: Access) -> Conflict | None:
    """The first repeat in which dst and src share bytes without being the same lanes, or None. Exact."""
    if dst.walk == src.walk or not may_depend(dst, src):
        return None
    return _inside_a_repeat(*_cells(dst, src))


def _cells(dst: Access, src: Access) -> "tuple[_Cells, _Cells]":
    written, read = _Cells.of(dst), _Cells.of(src)
    unit = min(written.size, read.size)
    return written.split(unit), read.split(unit)


@attrs.frozen
class _Cells:
    """Active elements of a walk as flat arrays: address, repeat and lane of each, all `size` bytes long."""

    address: NDArray[np.int64]
    repeat: NDArray[np.int64]
    lane: NDArray[np.int64]
    size: int

    @classmethod
    def of(cls, access: Access) -> "_Cells":
        where = touched(access)
        return cls(where.address, where.repeat, where.lane, access.dtype.size)

    def split(self, unit: int) -> "_Cells":
        parts = self.size // unit
        if parts == 1:
            return self
        address = (self.address[:, None] + np.arange(parts) * unit).ravel()
        return _Cells(address, np.repeat(self.repeat, parts), np.repeat(self.lane, parts), unit)


def _forwarding(written: _Cells, read: _Cells) -> Conflict | None:
    low = int(min(written.address.min(), read.address.min()))
    high = int(max(written.address.max(), read.address.max())) + written.size
    never = np.iinfo(np.int64).max
    first_writer = np.full(high - low, never)
    np.minimum.at(first_writer, written.address - low, written.repeat)
    return _conflict(first_writer[read.address - low], first_writer[read.address - low] < read.repeat, read)


def _inside_a_repeat(written: _Cells, read: _Cells) -> Conflict | None:
    """A repeat whose bytes of dst and src are neither the same nor apart."""
    reach = int(max(written.address.max(), read.address.max())) + 1
    keys = [np.unique(c.repeat * reach + c.address) for c in (written, read)]
    common = np.intersect1d(keys[0], keys[1], assume_unique=True)
    repeats = int(max(written.repeat.max(), read.repeat.max())) + 1
    counts = [np.bincount(k // reach, minlength=repeats) for k in (*keys, common)]
    partial = (counts[2] > 0) & ((counts[2] != counts[0]) | (counts[2] != counts[1]))
    bad = partial[read.repeat] & np.isin(read.repeat * reach + read.address, common)
    return _conflict(read.repeat, bad, read)


def _conflict(writer: NDArray[np.int64], bad: NDArray[np.bool_], read: _Cells) -> Conflict | None:
    if not bad.any():
        return None
    at = int(bad.argmax())
    same = bad & (read.repeat == read.repeat[at])
    first, last = int(read.address[same].min()), int(read.address[same].max()) + read.size - 1
    return Conflict(int(writer[at]), int(read.repeat[at]), int(read.lane[at]), first, last)
