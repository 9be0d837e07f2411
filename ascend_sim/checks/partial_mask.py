"""A contiguous mask below the full repeat, with several repeats: the mask holds in *each* repeat, not in the last one.

That is legal, so it is only worth a remark when somebody later reads the lanes that were left out in between.
"""

from collections.abc import Iterator

import numpy as np

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.site import Site
from ascend_sim.machine.touched import touched
from isa.families import Form
from isa.products import BLOCK_BYTES


class PartialMasks:
    """Which bytes of the Unified Buffer were skipped by such an instruction, and by which. One for each block run."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._skipped_by: np.ndarray[tuple[int], np.dtype[np.uint16]] | None = None
        self.is_tracking = False
        self._makers: list[tuple[Site, str, int, int]] = []

    def executed(self, issue: Issue, site: Site) -> bool:
        """Note what an issue wrote and what it skipped. True when bytes are skipped that were not before."""
        if self._skipped_by is not None:
            for access in issue.writes:
                if access.space is Space.UB:
                    self._forget(access)
        if not _leaves_holes(issue):
            return False
        return self._remember(issue, site)

    def written(self, start: int, stop: int) -> None:
        """The host wrote these bytes."""
        if self._skipped_by is not None:
            self._skipped_by[start:stop] = 0

    def check(self, issue: Issue) -> Iterator[Violation]:
        """A remark for each operand that reads skipped bytes."""
        if self._skipped_by is None:
            return
        for access in issue.reads:
            if access.space is Space.GM or not self._skipped_by[access.cover.low : access.cover.high].any():
                continue
            where = touched(access)
            maker = self._skipped_by[where.address]
            if maker.any():
                at = int(maker.argmax())
                site, name, mask, width = self._makers[int(maker[at]) - 1]
                lane = int(where.lane[at])
                yield Violation(
                    code="partial-mask-repeat",
                    message=f"reads {int(np.count_nonzero(maker))} elements that {name} with mask={mask} left out: the "
                    f"mask holds in every repeat, so lanes {mask}..{width - 1} of each keep what they held",
                    hint="Issue full repeats with all lanes and the tail as its own call, or use the count form.",
                    operand=access.operand.name,
                    repeat=int(where.repeat[at]),
                    block=lane * access.dtype.bits // 8 // BLOCK_BYTES,
                    lane=lane,
                    address=int(where.address[at]),
                    related=Site(site.file, site.line, f"{name} with mask={mask}"),
                )

    def _forget(self, access: Access) -> None:
        assert self._skipped_by is not None
        if not self._skipped_by[access.cover.low : access.cover.high].any():
            return
        address = touched(access).address
        for byte in range(access.dtype.size):
            self._skipped_by[address + byte] = 0

    def _remember(self, issue: Issue, site: Site) -> bool:
        assert issue.lanes is not None
        if self._skipped_by is None:
            self._skipped_by = np.zeros(self._size, np.uint16)
            self.is_tracking = True
        maker = (site, issue.name, issue.lanes.mask.bit_length(), issue.lanes.width)
        if maker not in self._makers:
            self._makers.append(maker)
        number = self._makers.index(maker) + 1
        new = False
        for access in issue.writes:
            # the tail of the last repeat is not in between, so it is left alone
            offsets = access.walk.offsets(issue.lanes.repeats - 1, issue.lanes.width)
            start = offsets[:, issue.lanes.mask.bit_length() :].ravel()
            start = start[start + access.dtype.size <= self._size]
            new = new or bool((self._skipped_by[start] != number).any())
            for byte in range(access.dtype.size):
                self._skipped_by[start + byte] = number
        return new


def _leaves_holes(issue: Issue) -> bool:
    lanes = issue.lanes
    if issue.form is not Form.CONTIGUOUS or lanes is None or issue.control.counts or lanes.repeats < 2:
        return False
    if not 0 < lanes.mask < (1 << lanes.width) - 1:
        return False
    return all(
        a.walk.block_stride == BLOCK_BYTES and a.walk.repeat_stride * 8 == lanes.width * a.dtype.bits
        for a in issue.writes
    )
