"""What a pipe is given to do, and where two pieces of work meet in the buffer."""

from collections.abc import Iterator
from types import CodeType
from typing import Any, Protocol

from ascend_sim.machine.footprint import Footprint, shared_bytes
from ascend_sim.machine.issue import Access, Issue

Place = tuple[CodeType, int]
"""The user's call: code and bytecode offset."""

Call = tuple[Any, CodeType, int, Any]
"""A call as the trace records it; [1:3] is its place."""

GmRange = tuple[int, int, int, memoryview]
"""GM bytes, by host address: (the first one, one past the last one, where the array begins that counts them, the array,
held so that no other one takes its addresses)."""

Meeting = tuple[Access, Access, tuple[int, int]]
"""Two operands, the earlier first, and the first and last byte that they share."""


class Work(Protocol):
    """What a pipe executes: a program."""

    @property
    def issues(self) -> tuple[Issue, ...]:
        """Its machine instructions."""

    @property
    def footprint(self) -> Footprint:
        """The stretches of the buffer that it touches."""


def meetings(earlier: Work, later: Work) -> Iterator[Meeting]:
    """Pairs of operands that share a byte which one of them writes."""
    for theirs in (a for issue in earlier.issues for a in issue.accesses):
        for ours in (a for issue in later.issues for a in issue.accesses):
            if theirs.operand.is_written or ours.operand.is_written:
                shared = shared_bytes(theirs, ours)
                if shared is not None:
                    yield theirs, ours, shared


class Meetings:
    """`meetings`, remembered, because programs come again and again."""

    def __init__(self) -> None:
        self._known: dict[tuple[Work, Work], tuple[Meeting, ...]] = {}

    def of(self, earlier: Work, later: Work) -> tuple[Meeting, ...]:
        """Where two pieces of work meet."""
        pair = (earlier, later)
        known = self._known.get(pair)
        if known is None:
            if len(self._known) >= _LIMIT:
                self._known.clear()
            known = self._known[pair] = tuple(meetings(earlier, later))
        return known


_LIMIT = 1 << 14
