"""The active elements of an operand, one by one: for questions that need every address, not for execution."""

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.issue import Access, Issue


@attrs.frozen
class Touched:
    """The active elements of one operand: byte address, repeat and lane of each, flat, in the order of execution."""

    address: NDArray[np.int64]
    repeat: NDArray[np.int64]
    lane: NDArray[np.int64]

    def of(self, picked: "NDArray[np.bool_]") -> "Touched":
        return Touched(self.address[picked], self.repeat[picked], self.lane[picked])


def touched(issue: Issue, access: Access) -> Touched:
    """Every active element of an operand in the Unified Buffer."""
    walk = access.walk
    if issue.bursts is not None:
        count, lanes = issue.bursts.count, issue.bursts.length * 8 // access.dtype.bits
        address = walk.offsets(count, issue.bursts.length)[:, :: access.dtype.size]
        repeat, lane = np.divmod(np.arange(address.size), max(lanes, 1))
        return Touched(address.ravel(), repeat, lane)
    assert issue.lanes is not None
    repeat, lane = np.nonzero(issue.lanes.active())
    return Touched(walk.offsets(issue.lanes.repeats, issue.lanes.width)[repeat, lane], repeat, lane)
