"""What the timing model reads of a trace: no value ever, and nothing of how the trace is kept.

`ascend_sim.trace` fulfils these protocols; the two packages do not import each other.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from ascend_sim.machine.issue import Issue
from ascend_sim.machine.site import Site
from isa.families import Pipe


class Entry(Protocol):
    """One issue of a trace. values: of a copy with GM, the array and the byte offset; only the offset is read."""

    @property
    def index(self) -> int: ...
    @property
    def core(self) -> int: ...
    @property
    def issue(self) -> Issue: ...
    @property
    def site(self) -> Site: ...
    @property
    def values(self) -> tuple[Any, ...]: ...
    @property
    def name(self) -> str: ...
    @property
    def pipe(self) -> Pipe: ...


class Program(Protocol):
    """The machine instructions of one call, shared by all calls alike."""

    @property
    def issues(self) -> tuple[Issue, ...]: ...


@runtime_checkable
class Joined(Protocol):
    """The traces of several blocks. The `records` of one: of each call, its program first, its run-time values last."""

    @property
    def traces(self) -> Sequence[Any]: ...


def block_traces(trace: Any) -> list[Any]:
    """The traces of the blocks of a launch, one each; a plain sequence of entries is one block."""
    return list(trace.traces) if isinstance(trace, Joined) else [trace]


Call = tuple[Sequence[Issue], tuple[Any, ...]]
"""Issues of one call and its run-time values."""


def calls(trace: Any) -> list[Call]:
    """The calls of one block in order. Of a plain sequence of entries each is a call of its own."""
    records = getattr(trace, "records", None)
    if records is not None:
        return [(record[0].issues, record[-1]) for record in records]
    return [((entry.issue,), entry.values) for entry in trace]
