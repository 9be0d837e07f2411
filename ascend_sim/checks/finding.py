"""What a user sees of a broken rule."""

from collections.abc import Sequence

import attrs

from ascend_sim.checks.codes import Severity
from ascend_sim.machine.site import Site


@attrs.define(kw_only=True)
class Finding:
    """One reported rule violation or remark.

    code and severity: see `ascend_sim.checks.codes`; instruction: AscendC name; operand: AscendC's parameter name (dst,
    src0, ...); core, repeat, block, lane, address: where, as far as it applies (address in bytes of the Unified Buffer,
    or of the GM array); file, line: the user's call; related: the other sites; hint: what to do; alias: npuchk's name;
    count: how often the same code, lines and operand came up.
    """

    code: str
    severity: str
    message: str
    instruction: str | None = None
    operand: str | None = None
    core: int = 0
    repeat: int | None = None
    block: int | None = None
    lane: int | None = None
    address: int | None = None
    file: str | None = None
    line: int | None = None
    related: Sequence[Site] = ()
    hint: str = ""
    alias: str | None = None
    count: int = 1

    @property
    def is_error(self) -> bool:
        return self.severity == Severity.ERROR.value

    @property
    def key(self) -> tuple[object, ...]:
        """Findings with the same key are counted, not listed."""
        return (self.code, self.file, self.line, self.operand, tuple((s.file, s.line) for s in self.related))

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.file else ""
        alias = f" ({self.alias})" if self.alias else ""
        times = f" [{self.count} times]" if self.count > 1 else ""
        lines = [f"{where}{self.severity}: {self.code}{alias}: {self.message}{times}"]
        lines += [f"    see {site}" for site in self.related]
        return "\n".join(lines)


class KernelError(Exception):
    """An error finding under check="raise", or one that leaves no way to go on.

    finding: what happened; report: set by a launch, with everything that happened before.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding
        self.report: object | None = None
