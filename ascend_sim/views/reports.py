"""The report of a script in four forms: text for people, JSON, SARIF and JUnit for machines.

Each form is a pure function of a ScriptRun. The JSON document is described in docs/findings.md; its version goes up
when a member changes its meaning or disappears, not when one is added.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import attrs

from ascend_sim.api.running.report import Report
from ascend_sim.checks.codes import Severity
from ascend_sim.checks.finding import Finding
from ascend_sim.machine.site import Site
from ascend_sim.views.sarif import as_sarif

SCHEMA, VERSION = "ascend-sim/report", 1


@attrs.frozen(kw_only=True)
class ScriptRun:
    """A script that ran, and what its launches found.

    script, arguments: as given; exit_code: of the command; failure: why the script stopped, other than at a
    finding; stopped: at a finding.
    """

    script: str
    arguments: tuple[str, ...] = ()
    reports: tuple[Report, ...]
    exit_code: int
    failure: str = ""
    stopped: bool = False

    @property
    def findings(self) -> list[Finding]:
        """Of all launches, in their order."""
        return [finding for report in self.reports for finding in report.findings]

    @property
    def issues(self) -> int:
        return sum(len(report.trace) for report in self.reports)

    def count(self, severity: Severity) -> int:
        return sum(report.count(severity) for report in self.reports)


# Text


def as_text(run: ScriptRun, *, listing: bool = False, max_errors: int | None = None) -> str:
    """Findings and a summary line. listing: each launch's instructions first; max_errors: show so many errors only."""
    lines = [f"\n{report.name}\n{report.trace}" for report in run.reports if listing]
    shown, hidden = _first_errors(run.findings, max_errors)
    if shown or hidden:
        lines += ["\nFindings", *map(str, shown)]
    if hidden:
        lines.append(f"... {_number(hidden, 'error')} more")
    counts = ", ".join(_number(run.count(s), s.value) for s in Severity)
    launches = _number(len(run.reports), "launch", "launches")
    lines.append(f"\n{launches}, {run.issues} issues: {counts}")
    return "\n".join(lines) + "\n"


def _first_errors(findings: Sequence[Finding], limit: int | None) -> tuple[list[Finding], int]:
    shown, errors = [], 0
    for finding in findings:
        errors += finding.is_error
        if limit is None or not finding.is_error or errors <= limit:
            shown.append(finding)
    return shown, len(findings) - len(shown)


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


# JSON


def as_json(run: ScriptRun, listing: bool = False) -> str:
    """One object, described in docs/findings.md."""
    document = {
        "schema": SCHEMA,
        "version": VERSION,
        "script": run.script,
        "arguments": list(run.arguments),
        "exit_code": run.exit_code,
        "failure": run.failure or None,
        "summary": {
            "launches": len(run.reports),
            "issues": run.issues,
            **{f"{s.value}s": run.count(s) for s in Severity},
        },
        "launches": [_launch(report, listing) for report in run.reports],
    }
    return json.dumps(document, indent=2) + "\n"


def _launch(report: Report, listing: bool) -> dict[str, Any]:
    launch: dict[str, Any] = {
        "name": report.name,
        "product": report.runs[0].product.id if report.runs else None,
        "blocks": len(report.runs),
        "issues": len(report.trace),
        "clean": report.is_clean,
        "findings": [_finding(f) for f in report.findings],
    }
    return {**launch, "listing": str(report.trace)} if listing else launch


def _finding(finding: Finding) -> dict[str, Any]:
    plain = {name: getattr(finding, name) for name in attrs.fields_dict(Finding) if name != "related"}
    return {**plain, "related": [_site(site) for site in finding.related]}


def _site(site: Site) -> dict[str, Any]:
    return {"file": site.file, "line": site.line, "text": site.text}


# JUnit


def as_junit(run: ScriptRun, listing: bool = False) -> str:
    """One testcase for each launch: errors are its failure, the rest is its output. A script that broke is an error."""
    cases = [case for number, report in enumerate(run.reports, 1) for case in _case(run, report, number, listing)]
    tests, failures = len(run.reports), sum(r.count(Severity.ERROR) > 0 for r in run.reports)
    broken = 1 if run.failure else 0
    if run.failure:
        cases += [
            f'    <testcase classname={_attribute(run.script)} name="script">',
            f"      <error message={_attribute(run.failure)}>{_xml(run.failure)}</error>",
            "    </testcase>",
        ]
    totals = f'tests="{tests + broken}" failures="{failures}" errors="{broken}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="ascend-sim" {totals}>',
        f"  <testsuite name={_attribute(run.script)} {totals}>",
        *cases,
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode("ascii") + "\n"


def _case(run: ScriptRun, report: Report, number: int, listing: bool) -> Iterator[str]:
    yield f"    <testcase classname={_attribute(run.script)} name={_attribute(f'{number} {report.name}')}>"
    errors = [f for f in report.findings if f.is_error]
    if errors:
        codes = ", ".join(dict.fromkeys(f.code for f in errors))
        message = _attribute(f"{_number(len(errors), 'error')}: {codes}")
        text = _xml("\n".join(map(str, errors)))
        yield f"      <failure message={message} type={_attribute(errors[0].code)}>{text}</failure>"
    rest = [*(str(f) for f in report.findings if not f.is_error), *([str(report.trace)] if listing else [])]
    out = "\n".join([*rest, report.summary()])
    yield f"      <system-out>{_xml(out)}</system-out>"
    yield "    </testcase>"


def _printable(text: str) -> str:
    """XML 1.0 has no way to write most control characters."""
    return "".join(
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "?" for c in text
    )


def _xml(text: str) -> str:
    return escape(_printable(text))


def _attribute(text: str) -> str:
    return quoteattr(_printable(text))


def _text(run: ScriptRun, listing: bool = False) -> str:
    return as_text(run, listing=listing)


def _sarif(run: ScriptRun, listing: bool = False) -> str:  # noqa: ARG001  (SARIF has no place for a listing)
    return as_sarif(run.findings, script=run.script, exit_code=run.exit_code, failure=run.failure)


FORMATS: dict[str, Callable[[ScriptRun, bool], str]] = {
    "text": _text,
    "json": as_json,
    "sarif": _sarif,
    "junit": as_junit,
}
"""By the name that `ascend-sim run --format` takes; the bool asks for each launch's listing."""
