"""What a launch leaves behind."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.codes import Severity
from ascend_sim.checks.finding import Finding
from ascend_sim.trace.trace import JoinedTrace

if TYPE_CHECKING:  # the model is loaded when somebody asks for time: most runs never do
    from ascend_sim.timing.timeline import Timeline


class Report:
    """Findings and trace of one launch, over all its blocks. `str(report)` is a summary with every finding."""

    def __init__(self, name: str, runs: Sequence[CoreRun]) -> None:
        self.name = name
        self.runs = tuple(runs)
        self.trace = JoinedTrace([run.trace for run in runs])

    @property
    def findings(self) -> list[Finding]:
        """Findings of all blocks, in block order."""
        return [finding for run in self.runs for finding in run.findings]

    @property
    def is_clean(self) -> bool:
        """No error and no warning; notes do not count."""
        return all(f.severity == Severity.NOTE.value for f in self.findings)

    @cached_property
    def timeline(self) -> "Timeline":
        """When each issue ran, by the model of docs/timing.md. Of a bounded trace, only what it kept."""
        from ascend_sim.timing.model import timeline  # noqa: PLC0415  (see above)

        if not self.runs:
            raise ValueError(f"{self.name}: no block ran, so there is no timeline")
        return timeline(self.trace, self.runs[0].product)

    @property
    def cycles(self) -> float:
        """Core cycles from the first issue to the last completion on the slowest core; no launch overhead."""
        return self.timeline.cycles

    @property
    def microseconds(self) -> float:
        """`cycles` at the product's clock; `timeline.note` says when that figure is not public."""
        return self.timeline.microseconds

    def save(self, path: str | Path, format: str = "msprof") -> None:  # noqa: A002  (the word users look for)
        """Write the timeline for a trace viewer.

        format: "msprof" (trace.json of the vendor's simulator, for MindStudio Insight and chrome://tracing), "perfetto"
        (ui.perfetto.dev), or "csv" (two tables for each core, into the folder `path`).
        """
        from ascend_sim.timing.export import save  # noqa: PLC0415  (see above)

        save(self.timeline, path, format)

    def count(self, severity: Severity) -> int:
        """How many different findings of one severity there are."""
        return sum(f.severity == severity.value for f in self.findings)

    def summary(self) -> str:
        """One line: blocks, issues, findings by severity."""
        kinds = ", ".join(f"{n} {s.value}{'s' if n != 1 else ''}" for s in Severity if (n := self.count(s)))
        blocks = len(self.runs)
        of_blocks = f"{blocks} block{'s' if blocks != 1 else ''}"
        return f"{self.name}: {of_blocks}, {len(self.trace)} issues, {kinds or 'no findings'}"

    def __str__(self) -> str:
        return "\n".join([*map(str, self.findings), self.summary()])

    def __repr__(self) -> str:
        return f"<Report {self.summary()}>"


Observer = Any
"""Called with each Report as a launch ends; the command line collects them."""

OBSERVERS: list[Any] = []
