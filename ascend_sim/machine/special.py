"""Special registers of the vector core that results are left in: compare bits, reduction results, merge counts."""

import numpy as np

CMPMASK_BYTES = 16


class Special:
    """cmp_mask: the 128 compare bits, lane 0 in bit 0 of byte 0; extreme: value and index codes of the last maximum or
    minimum; total: bytes of the last accumulated sum; merged: elements that the last merge took from each list; kept:
    elements that the last GatherMask kept.
    """

    def __init__(self) -> None:
        self.cmp_mask = np.zeros(CMPMASK_BYTES, np.uint8)
        self.extreme = (0, 0)
        self.total = 0
        self.merged = (0, 0, 0, 0)
        self.kept = 0

    def reset(self) -> None:
        """A block of a launch begins."""
        self.cmp_mask[:] = 0
        self.extreme, self.total, self.merged, self.kept = (0, 0), 0, (0, 0, 0, 0), 0
