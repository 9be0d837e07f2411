"""Who wrote this byte: a query over traces, not state kept while running."""

from collections.abc import Iterable

import attrs
import numpy as np

from ascend_sim.machine.issue import Access, Space
from ascend_sim.machine.touched import touched
from ascend_sim.trace.trace import Entry, Trace
from isa.products import BLOCK_BYTES


@attrs.frozen
class Write:
    """The lane that wrote a byte: its trace entry, repeat and lane."""

    entry: Entry
    operand: str
    repeat: int
    lane: int
    block: int

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def site(self) -> object:
        return self.entry.site

    def __str__(self) -> str:
        return (
            f"{self.name} {self.operand} repeat {self.repeat} block {self.block} lane {self.lane} at {self.entry.site}"
        )


def writer_of(traces: Iterable[Trace], address: int, before: Entry | None = None) -> Write | None:
    """The last write of the byte at `address` of the Unified Buffer, or None when no issue wrote it.

    traces: latest first. before: look only at what ran before this entry of the first trace.
    """
    for trace in traces:
        entries = list(trace)
        if before is not None:
            entries, before = entries[: before.index], None
        for entry in reversed(entries):
            for access in entry.issue.writes if entry.executed else ():
                found = _lane_at(access, address)
                if found is not None:
                    repeat, lane = found
                    block = lane * access.dtype.bits // 8 // BLOCK_BYTES
                    return Write(entry, access.operand.name, repeat, lane, block)
    return None


def _lane_at(access: Access, address: int) -> tuple[int, int] | None:
    if access.space is Space.GM or not access.walk.base <= address < access.address + access.nbytes:
        return None
    where = touched(access)
    hit = np.flatnonzero((where.address <= address) & (address < where.address + access.dtype.size))
    return (int(where.repeat[hit[-1]]), int(where.lane[hit[-1]])) if hit.size else None
