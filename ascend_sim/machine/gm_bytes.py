"""Bytes of global memory that copies touch, exactly: what lies in the gaps of a copy belongs to others.

Addresses are the host's, so that arrays which are views of one another share their bytes here as they do there.
"""

import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.issue import Access, Space
from ascend_sim.machine.walk import Bursts
from ascend_sim.machine.work import Range, Work


def gm_access(work: Work) -> Access:
    """The operand of a copy that lies in global memory."""
    return next(a for issue in work.issues for a in issue.accesses if a.space is Space.GM)


def is_dense(work: Work) -> bool:
    """The copy leaves no gap in global memory."""
    return gm_access(work).cover.solid


def shared_in_gm(one: Range, work: Work, other: Range, other_work: Work) -> tuple[int, int] | None:
    """First and last byte, counted in the array of `other`, that two copies both touch; None when there are none.

    A range longer than its copy stands for several dense copies, one behind the other.
    """
    low, high, array = max(one[0], other[0]), min(one[1], other[1]), other[2]
    if low >= high:
        return None
    if is_dense(work) and is_dense(other_work):
        return low - array, high - 1 - array
    starts, stops = _bursts(one, work)
    other_starts, other_stops = _bursts(other, other_work)
    # of each burst: the first of the other ones that ends behind its start, and the first that starts behind its end
    first, behind = np.searchsorted(other_stops, starts, "right"), np.searchsorted(other_starts, stops, "left")
    (met,) = np.nonzero(behind > first)
    if not met.size:
        return None
    low = max(starts[met[0]], other_starts[first[met[0]]])
    high = min(stops[met[-1]], other_stops[behind[met[-1]] - 1])
    return int(low) - array, int(high) - 1 - array


def _bursts(gm: Range, work: Work) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the bursts of a copy start and stop, in ascending order."""
    start, stop, _ = gm
    access = gm_access(work)
    if access.cover.solid:
        return np.array([start]), np.array([stop])
    assert isinstance(access.lanes, Bursts)
    starts = start + np.arange(access.lanes.count) * access.walk.repeat_stride
    return starts, starts + access.lanes.length
