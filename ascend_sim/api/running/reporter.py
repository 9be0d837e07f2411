"""From violations to findings: the user's names, file and line; what to report, what to raise, what to count."""

from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any, NoReturn

import attrs

from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.running.names import label
from ascend_sim.checks.codes import CODES, alias
from ascend_sim.checks.finding import Finding, KernelError
from ascend_sim.checks.suppress import is_suppressed
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Access, Issue
from ascend_sim.machine.site import Site, site_at
from ascend_sim.trace.provenance import writer_of
from ascend_sim.trace.trace import Trace

_READS_OF_OLD_BYTES = frozenset({"stale-read", "uninitialised-read", "pad-read"})


@attrs.frozen(kw_only=True)
class Policy:
    """What to do with findings. check: "raise" | "record" | "off"; suppress, enable: codes."""

    check: str = "raise"
    suppress: frozenset[str] = frozenset()
    enable: frozenset[str] = frozenset()

    def wants(self, code: str) -> bool:
        """A finding of this code is reported."""
        if self.check == "off" or code in self.suppress:
            return False
        return CODES[code].enabled or code in self.enable


class Reporter:
    """Findings of one block. history: traces, the running one first; tensors: those that may have a name."""

    def __init__(self, policy: Policy, core: int, history: Sequence[Trace], tensors: Sequence[LocalTensor]) -> None:
        self.policy = policy
        self.core = core
        self.findings: list[Finding] = []
        self._history = history
        self._tensors = tensors
        self._by_key: dict[object, Finding] = {}

    def report(
        self,
        violations: Sequence[Violation],
        instruction: str,
        issues: Sequence[Issue],
        frame: FrameType,
        values: Sequence[Any] = (),
    ) -> None:
        """Add findings for `violations` of a call; under check="raise" the first error raises."""
        site = site_at(frame.f_code, frame.f_lasti)
        accesses: Mapping[str, Access] = {a.operand.name: a for a in issues[0].accesses} if issues else {}
        counts = any(i.lanes is not None and i.control.counts for i in issues)
        for violation in violations:
            if not self.policy.wants(violation.code) or is_suppressed(site, violation.code):
                continue
            access = accesses.get(violation.operand or "")
            name = label(access, values, frame, self._tensors) if access is not None else ""
            finding = self.add(violation, instruction, name, site, counts=counts)
            if finding.is_error and self.policy.check == "raise":
                raise KernelError(finding)

    def warn(self, violation: Violation, instruction: str, site: Site) -> None:
        """Add a finding that is born at the end of a block or launch; it never raises."""
        if self.policy.wants(violation.code) and not is_suppressed(site, violation.code):
            self.add(violation, instruction, "", site)

    def refuse(self, violation: Violation, instruction: str, frame: FrameType) -> NoReturn:
        """Raise `violation` whatever the policy: there is no sensible way to go on."""
        raise self.error(violation, instruction, site_at(frame.f_code, frame.f_lasti))

    def error(self, violation: Violation, instruction: str, site: Site) -> KernelError:
        """The error to raise for `violation`, which is among the findings from now on."""
        return KernelError(self.add(violation, instruction, "", site))

    def add(self, violation: Violation, instruction: str, name: str, site: Site, *, counts: bool = False) -> Finding:
        """The finding of a violation, new or counted once more."""
        subject = " ".join(part for part in (instruction, violation.operand, name) if part)
        finding = Finding(
            code=violation.code,
            severity=CODES[violation.code].severity.value,
            message=f"{subject}: {violation.message}. {violation.hint}",
            instruction=instruction,
            operand=violation.operand,
            core=self.core,
            repeat=violation.repeat,
            block=violation.block,
            lane=violation.lane,
            address=violation.address,
            file=site.file,
            line=site.line,
            related=self._related(violation, counts=counts),
            hint=violation.hint,
            alias=alias(violation.code, writes=violation.writes),
        )
        known = self._by_key.setdefault(finding.key, finding)
        if known is finding:
            self.findings.append(finding)
        else:
            known.count += 1
        return known

    def _related(self, violation: Violation, *, counts: bool) -> tuple[Site, ...]:
        if violation.related is not None:
            return (violation.related,)
        if violation.code in _READS_OF_OLD_BYTES and violation.address is not None:
            write = writer_of(self._history, violation.address)
            if write is not None:
                return (attrs.evolve(write.entry.site, text=f"last written by {write.name} {write.operand}"),)
        if violation.code.startswith("out-of-bounds") and counts:
            for entry in reversed(list(self._history[0])):
                if entry.issue.mask is not None and not entry.accesses:
                    return (attrs.evolve(entry.site, text=f"mask set by {entry.name}"),)
        return ()
