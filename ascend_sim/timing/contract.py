"""What the timing model reads of a trace: no value ever, and nothing of how the trace is kept.

`ascend_sim.trace` fulfils these protocols; the two packages do not import each other.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import attrs

from ascend_sim.machine.issue import Issue
from ascend_sim.machine.site import Site
from isa.families import Pipe


class Entry(Protocol):
    """One issue of a trace. values: of a copy with GM, the array and the byte offset; only the offset is read.
    executed: False when it would have left memory, so that it did nothing.
    """

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
    def executed(self) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def pipe(self) -> Pipe: ...


class Program(Protocol):
    """The machine instructions of one call, shared by all calls alike. is_blocked: they were not executed."""

    @property
    def issues(self) -> tuple[Issue, ...]: ...
    @property
    def is_blocked(self) -> bool: ...


@runtime_checkable
class Joined(Protocol):
    """The traces of several blocks. The `records` of one are calls."""

    @property
    def traces(self) -> Sequence[Any]: ...


def block_traces(trace: Any) -> list[Any]:
    """The traces of the blocks of a launch, one each; a plain sequence of entries is one block."""
    return list(trace.traces) if isinstance(trace, Joined) else [trace]


Call = tuple[Program, Any, Any, tuple[Any, ...]]
"""A program, the place of the call (code and offset), its run-time values."""


@attrs.frozen(eq=False)
class _OneIssue:
    issues: tuple[Issue, ...]
    is_blocked: bool


def calls(trace: Any) -> list[Call]:
    """The calls of one block in order. Of a plain sequence of entries each is a call of its own."""
    records = getattr(trace, "records", None)
    if records is not None:
        return list(records)
    programs: dict[int, _OneIssue] = {}
    return [
        (programs.setdefault(id(e.issue), _OneIssue((e.issue,), is_blocked=not e.executed)), None, None, e.values)
        for e in list(trace)
    ]
