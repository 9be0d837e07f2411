"""Bytes written through one tensor, overwritten through another, then read through the first.

Tensors made from one another by slicing or ReinterpretCast are one here: what tells tensors apart is where the one that
they were made from starts. Nothing is tracked before two tensors overlap, which most kernels never do.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.footprint import bytes_of
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.site import Site
from isa.products import BLOCK_BYTES

_NOBODY = -1


class Aliases:
    """Which tensor wrote each byte last, and which bytes each tensor has written. One for each block run."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._ends: dict[int, int] = {}
        self._given: list[tuple[int, int, int]] = []
        self._owner: NDArray[np.int32] | None = None
        self.is_tracking = False
        self._wrote: dict[int, NDArray[np.bool_]] = {}
        self._last: dict[int, Site] = {}

    def given(self, origin: int, start: int, stop: int) -> None:
        """The host wrote start..stop-1 through the tensor that starts at `origin`."""
        self._given.append((origin, start, stop))
        self._ends[origin] = max(self._ends.get(origin, 0), stop)
        if self._owner is not None:
            self._write(origin, np.arange(start, stop))

    def overlaps_now(self, issue: Issue) -> bool:
        """The first issue that uses a tensor which overlaps another one: tracking has to begin."""
        if self._owner is not None:
            return False
        found = False
        for access in issue.accesses:
            end = access.address + access.nbytes
            if access.space is Space.UB and self._ends.get(access.origin, 0) < end:
                self._ends[access.origin] = end
                found = found or any(
                    other != access.origin and other < end and access.origin < stop
                    for other, stop in self._ends.items()
                )
        return found

    def begin(self, before: Iterable[tuple[Issue, Site]]) -> None:
        """Start tracking; `before` is what ran so far."""
        self._owner = np.full(self._size, _NOBODY, np.int32)
        self.is_tracking = True
        for origin, start, stop in self._given:
            self._write(origin, np.arange(start, stop))
        for issue, site in before:
            self.executed(issue, site)

    def executed(self, issue: Issue, site: Site) -> bool:
        """Note what an issue wrote. True when bytes went from one tensor to another."""
        if self._owner is None:
            return False
        moved = False
        for access in issue.writes:
            if access.space is Space.UB:
                moved = self._write(access.origin, bytes_of(access)) or moved
                self._last[access.origin] = Site(site.file, site.line, f"overwritten by {issue.name}")
        return moved

    def _write(self, origin: int, addresses: NDArray[np.int64]) -> bool:
        assert self._owner is not None
        before = self._owner[addresses]
        self._owner[addresses] = origin
        self._wrote.setdefault(origin, np.zeros(self._size, np.bool_))[addresses] = True
        return bool(((before != origin) & (before != _NOBODY)).any())

    def check(self, issue: Issue) -> Iterator[Violation]:
        """A violation for each operand that reads bytes which another tensor has overwritten."""
        if self._owner is None:
            return
        for access in issue.reads:
            if access.space is Space.GM or access.origin not in self._wrote:
                continue
            addresses = bytes_of(access)
            owner = self._owner[addresses]
            bad = (owner != access.origin) & (owner != _NOBODY) & self._wrote[access.origin][addresses]
            if bad.any():
                yield self._violation(access, addresses[bad], int(owner[bad][0]))

    def _violation(self, access: Access, addresses: NDArray[np.int64], owner: int) -> Violation:
        first, last = int(addresses[0]), int(addresses[-1])
        lane = (first - access.address) * 8 // access.dtype.bits
        return Violation(
            code="aliased-tensors",
            message=f"reads {addresses.size} bytes, 0x{first:04X}..0x{last:04X}, that it wrote and that the tensor at "
            f"0x{owner:04X} has overwritten since (bytes {first - access.origin}..{last - access.origin} of its own)",
            hint="Place the tensors apart, or write what is read here again.",
            operand=access.operand.name,
            block=lane * access.dtype.bits // 8 // BLOCK_BYTES,
            lane=lane,
            address=first,
            related=self._last.get(owner),
        )
