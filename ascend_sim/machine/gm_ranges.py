"""Bytes of global memory that copies touch, exactly: what lies in the gaps of a copy belongs to others.

Addresses are the host's, so that arrays which are views of one another share their bytes here as they do there.
"""

import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.issue import Access
from ascend_sim.machine.walk import Bursts
from ascend_sim.machine.work import GmRange, Work


def gm_access(work: Work) -> Access:
    """The operand of a copy that lies in global memory."""
    remote = work.issues[0].remote
    assert remote is not None
    return remote


def is_dense(work: Work) -> bool:
    """The copy leaves no gap in global memory."""
    return gm_access(work).cover.solid


def shared_in_gm(start: int, stop: int, work: Work, gm: GmRange, other: Work) -> tuple[int, int] | None:
    """First and last byte, counted in the array of `gm`, that two copies both touch; None when there are none.

    start, stop: host addresses of the first one. They may be further apart than its own bytes: then they stand for
    several dense copies, one behind the other.
    """
    low, high, array = max(start, gm[0]), min(stop, gm[1]), gm[2]
    if low >= high:
        return None
    if is_dense(work) and is_dense(other):
        return low - array, high - 1 - array
    starts, stops = gm_bursts(start, stop, work)
    other_starts, other_stops = gm_bursts(gm[0], gm[1], other)
    # of each burst: the first of the other ones that ends behind its start, and the first that starts behind its end
    first, behind = np.searchsorted(other_stops, starts, "right"), np.searchsorted(other_starts, stops, "left")
    (met,) = np.nonzero(behind > first)
    if not met.size:
        return None
    low = max(starts[met[0]], other_starts[first[met[0]]])
    high = min(stops[met[-1]], other_stops[behind[met[-1]] - 1])
    return int(low) - array, int(high) - 1 - array


def gm_bursts(start: int, stop: int, work: Work) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the bursts of a copy start and stop, in ascending order."""
    access = gm_access(work)
    if access.cover.solid:
        return np.array([start]), np.array([stop])
    assert isinstance(access.lanes, Bursts)
    starts = start + np.arange(access.lanes.count) * access.walk.repeat_stride
    return starts, starts + access.lanes.length
