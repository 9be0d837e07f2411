"""Findings as SARIF 2.1.0, which code hosts and editors show at the lines they belong to."""

import json
import os
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ascend_sim.checks.codes import CODES
from ascend_sim.checks.finding import Finding
from ascend_sim.checks.meanings import meaning

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"
"""Paths below the working directory are relative to it, under SARIF's usual name for the checkout."""

_PLACES = ("instruction", "operand", "core", "repeat", "block", "lane", "address", "alias")


def as_sarif(
    findings: Sequence[Finding], *, script: str, exit_code: int, failure: str = "", root: Path | None = None
) -> str:
    """A SARIF log of one run. root: what relative paths are relative to, the working directory unless given."""
    root = Path.cwd() if root is None else root
    codes = list(CODES)
    invocation: dict[str, Any] = {"executionSuccessful": not failure, "exitCode": exit_code}
    if failure:
        where = {"physicalLocation": {"artifactLocation": _artifact(script, root)}}
        notice = {"level": "error", "message": {"text": failure}, "locations": [where]}
        invocation["toolExecutionNotifications"] = [notice]
    run = {
        "tool": {"driver": {"name": "ascend-sim", "version": _version(), "rules": [_rule(c) for c in codes]}},
        "invocations": [invocation],
        "originalUriBaseIds": {ROOT: {"uri": root.resolve().as_uri().rstrip("/") + "/"}},
        "results": [_result(f, codes.index(f.code), root) for f in findings],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _version() -> str:
    try:
        return version("ascend-sim")
    except PackageNotFoundError:  # a checkout on the path, not installed
        return "0"


def _rule(code: str) -> dict[str, Any]:
    kind = CODES[code]
    return {
        "id": code,
        "shortDescription": {"text": meaning(code)},
        "defaultConfiguration": {"level": kind.severity.value, "enabled": kind.enabled},
        "properties": {"tags": [kind.alias] if kind.alias else []},
    }


def _result(finding: Finding, rule: int, root: Path) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": finding.message},
        "occurrenceCount": finding.count,
        "properties": {name: v for name in _PLACES if (v := getattr(finding, name)) is not None},
    }
    if finding.file is not None:
        result["locations"] = [_location(finding.file, finding.line, root)]
    if finding.related:
        result["relatedLocations"] = [
            {"id": i, **_location(s.file, s.line, root), **({"message": {"text": s.text}} if s.text else {})}
            for i, s in enumerate(finding.related, 1)
        ]
    return result


def _location(file: str, line: int | None, root: Path) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(file, root)}
    if line:
        physical["region"] = {"startLine": line}
    return {"physicalLocation": physical}


def _artifact(file: str, root: Path) -> dict[str, str]:
    if file.startswith("<"):  # a notebook cell, standard input
        return {"uri": quote(file)}
    path, top = Path(file).resolve(), root.resolve()
    if path.is_relative_to(top):
        return {"uri": quote(os.fsencode(path.relative_to(top).as_posix())), "uriBaseId": ROOT}
    return {"uri": path.as_uri()}
