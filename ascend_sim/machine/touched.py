"""The active elements of an operand, one by one: for questions that need every address, not for execution."""

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.issue import Access
from ascend_sim.machine.walk import Bursts, Indexed


@attrs.frozen
class Touched:
    """The active elements of one operand: byte address, repeat and lane of each, flat, in the order of execution."""

    address: NDArray[np.int64]
    repeat: NDArray[np.int64]
    lane: NDArray[np.int64]

    def of(self, picked: "NDArray[np.bool_]") -> "Touched":
        return Touched(self.address[picked], self.repeat[picked], self.lane[picked])


def touched(access: Access) -> Touched:
    """Every active element of an operand in the Unified Buffer."""
    walk, lanes = access.walk, access.lanes
    if isinstance(lanes, Indexed):
        return Touched(*lanes.resolve())
    if isinstance(lanes, Bursts):
        per_burst = lanes.length * 8 // access.dtype.bits
        address = walk.offsets(lanes.count, lanes.length)[:, :: access.dtype.size]
        repeat, lane = np.divmod(np.arange(address.size), max(per_burst, 1))
        return Touched(address.ravel(), repeat, lane)
    repeat, lane = np.nonzero(lanes.active())
    return Touched(walk.offsets(lanes.repeats, lanes.width)[repeat, lane], repeat, lane)
