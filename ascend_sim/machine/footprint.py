"""Which stretches of 256 bytes of the Unified Buffer a program touches, as the bits of an int: and-ing two of them asks
in a tenth of a microsecond whether two programs could meet. What they really share is asked byte by byte, and only
then.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.touched import touched
from ascend_sim.machine.walk import Bursts

STRETCH = 256


class Footprint(NamedTuple):
    """Bit k is set when stretch k is read, or written."""

    read: int
    written: int

    @classmethod
    def of(cls, issues: Iterable[Issue]) -> "Footprint":
        """All stretches that the issues touch."""
        read = written = 0
        for issue in issues:
            for access in issue.accesses:
                if access.space is _UB:
                    stretches = _stretches(access)
                    if access.operand.is_read:
                        read |= stretches
                    if access.operand.is_written:
                        written |= stretches
        return cls(read, written)

    def may_meet(self, read: int, written: int) -> int:
        """Not 0 when work that touches these stretches may share a byte with this, which one of the two writes."""
        return self.read & written or self.written & (read | written)


NOWHERE = Footprint(0, 0)
_UB = Space.UB  # members of an enum are slow to look up


def _stretches(access: Access) -> int:
    low, high = access.cover.low, access.cover.high
    if low == high:
        return 0
    first, last = low // STRETCH, (high - 1) // STRETCH
    if access.cover.solid:
        return ((1 << (last - first + 1)) - 1) << first
    hit = np.zeros(last - first + 1, np.bool_)
    hit[bytes_of(access) // STRETCH - first] = True
    return int.from_bytes(np.packbits(hit, bitorder="little").tobytes(), "little") << first


def bytes_of(access: Access) -> NDArray[np.int64]:
    """Address of every byte that an operand in the Unified Buffer touches, in ascending order."""
    if access.cover.solid:
        return np.arange(access.cover.low, access.cover.high)
    start = touched(access).address
    width = 1 if isinstance(access.lanes, Bursts) and access.dtype.is_nibble else access.dtype.size
    return np.unique((start[:, None] + np.arange(width)).ravel())


def shared_bytes(one: Access, other: Access) -> tuple[int, int] | None:
    """First and last byte that two operands in the Unified Buffer both touch; None when there are none."""
    if one.space is not _UB or other.space is not _UB:
        return None
    low, high = max(one.cover.low, other.cover.low), min(one.cover.high, other.cover.high)
    if low >= high:
        return None
    if one.cover.solid and other.cover.solid:
        return low, high - 1
    common = np.intersect1d(bytes_of(one), bytes_of(other), assume_unique=True)
    return (int(common[0]), int(common[-1])) if common.size else None
