"""The report of a script as text, JSON, SARIF and JUnit."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from ascend_sim import NPU, Adds, Report, half
from ascend_sim.api.running.report import OBSERVERS
from ascend_sim.checks.codes import CODES, Severity
from ascend_sim.checks.finding import Finding
from ascend_sim.checks.meanings import MEANINGS
from ascend_sim.machine.site import Site
from ascend_sim.views.reports import FORMATS, ScriptRun, as_junit, as_text
from ascend_sim.views.sarif import as_sarif


def launch(use, **options) -> Report:
    reports: list[Report] = []
    OBSERVERS.append(reports.append)
    try:
        with NPU(check="record", **options).core() as core:
            use(core)
    finally:
        OBSERVERS.pop()
    return reports[0]


def clean(core):
    x = core.alloc(half, 16, 1)
    Adds(x, x, 1, 16)


def broken(core):
    x, y, z = core.alloc(half, 64, 1), core.alloc(half, 64), core.alloc(half, 64)
    for _ in range(3):
        Adds(y, x[1:], 1, 16)
    Adds(x, x, 1, 0, 1, (1, 1, 8, 8))
    Adds(y, z, 1, 16)


ALIGNMENT_LINE = broken.__code__.co_firstlineno + 3


@pytest.fixture(scope="module")
def run() -> ScriptRun:
    reports = (launch(clean), launch(broken))
    return ScriptRun(script="kernels/add.py", arguments=("8",), reports=reports, exit_code=1)


FAILED = ScriptRun(script="add.py", reports=(), exit_code=2, failure="ZeroDivisionError: <division> & \x00 zero")


# Text


def test_text_lists_findings_then_the_summary(run):
    lines = as_text(run).splitlines()
    assert lines[0:2] == ["", "Findings"]
    assert f"test_reports.py:{ALIGNMENT_LINE}: error: alignment (ErrorRead4): Adds src 'x[1:]'" in lines[2]
    assert lines[2].endswith("[3 times]")
    assert lines[-1] == f"2 launches, {run.issues} issues: 2 errors, 0 warnings, 1 note"


def test_text_of_a_clean_run_is_the_summary():
    run = ScriptRun(script="add.py", reports=(launch(clean),), exit_code=0)
    assert as_text(run) == f"\n1 launch, {run.issues} issues: 0 errors, 0 warnings, 0 notes\n"


def test_text_shows_as_many_errors_as_wanted_and_counts_all(run):
    text = as_text(run, max_errors=1)
    assert text.count(": error: ") == 1
    assert ": note: " in text
    assert "... 1 error more\n" in text
    assert text.endswith("2 errors, 0 warnings, 1 note\n")
    assert as_text(run, max_errors=2) == as_text(run)
    assert "... 2 errors more" in as_text(run, max_errors=0)


# JSON


def test_json_has_every_field_of_every_finding(run):
    document = json.loads(FORMATS["json"](run, False))
    assert (document["schema"], document["version"]) == ("ascend-sim/report", 1)
    assert (document["script"], document["arguments"]) == ("kernels/add.py", ["8"])
    assert (document["exit_code"], document["failure"]) == (1, None)
    assert document["summary"] == {"launches": 2, "issues": run.issues, "errors": 2, "warnings": 0, "notes": 1}
    first, second = document["launches"]
    assert first == {
        "name": "core",
        "product": "ascend910b",
        "blocks": 1,
        "issues": len(run.reports[0].trace),
        "clean": True,
        "findings": [],
    }
    assert second["clean"] is False
    for shown, finding in zip(second["findings"], run.findings, strict=True):
        assert set(shown) == {field for field in Finding.__slots__ if not field.startswith("__")}
        assert {k: v for k, v in shown.items() if k != "related"} == {
            k: getattr(finding, k) for k in shown if k != "related"
        }
    error = second["findings"][0]
    assert (error["code"], error["line"], error["count"], error["alias"]) == (
        "alignment",
        ALIGNMENT_LINE,
        3,
        "ErrorRead4",
    )


def test_json_is_described_in_the_documentation(run):
    text = (Path(__file__).parents[2] / "docs" / "findings.md").read_text()
    document = json.loads(FORMATS["json"](run, True))
    names = {*document, *document["summary"], *document["launches"][1], *document["launches"][1]["findings"][0]}
    assert {name for name in names if f"`{name}`" not in text} == set()


def test_json_has_the_listing_when_asked(run):
    document = json.loads(FORMATS["json"](run, True))
    assert document["launches"][0]["listing"] == str(run.reports[0].trace)


def test_json_of_a_script_that_failed():
    document = json.loads(FORMATS["json"](FAILED, False))
    assert (document["exit_code"], document["launches"]) == (2, [])
    assert document["failure"].startswith("ZeroDivisionError")


# SARIF: the parts of the 2.1.0 schema that readers depend on


def sarif(run: ScriptRun) -> dict:
    log = json.loads(FORMATS["sarif"](run, False))
    assert_valid_sarif(log)
    return log["runs"][0]


def assert_valid_sarif(log: dict) -> None:
    assert log["version"] == "2.1.0"
    assert re.fullmatch(r"https://.*sarif.*2\.1\.0.*\.json", log["$schema"])
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        assert driver["name"]
        ids = [rule["id"] for rule in driver["rules"]]
        assert len(set(ids)) == len(ids)
        for rule in driver["rules"]:
            assert rule["shortDescription"]["text"].endswith(".")
            assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
            assert isinstance(rule["defaultConfiguration"]["enabled"], bool)
        for invocation in run["invocations"]:
            assert isinstance(invocation["executionSuccessful"], bool)
            assert isinstance(invocation["exitCode"], int)
        for result in run["results"]:
            assert ids[result["ruleIndex"]] == result["ruleId"]
            assert result["level"] in ("none", "note", "warning", "error")
            assert result["message"]["text"]
            assert result["occurrenceCount"] >= 1
            related = result.get("relatedLocations", [])
            assert len({place["id"] for place in related}) == len(related)
            for place in [*result.get("locations", []), *related]:
                assert_valid_location(place, run)


def assert_valid_location(place: dict, run: dict) -> None:
    physical = place["physicalLocation"]
    artifact = physical["artifactLocation"]
    assert " " not in artifact["uri"]
    if "uriBaseId" in artifact:
        assert not re.match(r"/|[a-z]+:", artifact["uri"])
        assert run["originalUriBaseIds"][artifact["uriBaseId"]]["uri"].endswith("/")
    assert physical["region"]["startLine"] >= 1
    assert "text" in place.get("message", {"text": ""})


def test_sarif_rules_are_the_codes(run):
    rules = sarif(run)["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CODES)
    by_id = {rule["id"]: rule for rule in rules}
    assert by_id["alignment"]["shortDescription"]["text"] == MEANINGS["alignment"]
    assert by_id["stale-read"]["defaultConfiguration"] == {"level": "warning", "enabled": True}
    assert by_id["event-shared-source"]["defaultConfiguration"]["enabled"] is False


def test_sarif_results_are_the_findings_at_their_lines(run):
    results = sarif(run)["results"]
    assert [r["ruleId"] for r in results] == [f.code for f in run.findings]
    assert [r["level"] for r in results] == [f.severity for f in run.findings]
    first = results[0]
    assert first["message"]["text"] == run.findings[0].message
    assert first["occurrenceCount"] == 3
    (place,) = first["locations"]
    assert place["physicalLocation"]["region"] == {"startLine": ALIGNMENT_LINE}
    assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("tests/views/test_reports.py")
    assert first["properties"]["operand"] == "src"


def test_sarif_paths_are_relative_below_the_root_and_absolute_elsewhere(tmp_path):
    inside, outside = tmp_path / "a b" / "k.py", tmp_path.parent / "other.py"
    found = [
        Finding(
            code="race",
            severity="error",
            message="x",
            file=str(inside),
            line=3,
            related=[Site(str(outside), 7, "the copy"), Site(str(inside), 8)],
        ),
        Finding(code="alignment", severity="error", message="no place"),
    ]
    log = json.loads(as_sarif(found, script="k.py", exit_code=1, root=tmp_path))
    assert_valid_sarif(log)
    first, second = log["runs"][0]["results"]
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b/k.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3},
    }
    copy, other = first["relatedLocations"]
    assert copy["physicalLocation"]["artifactLocation"] == {"uri": outside.as_uri()}
    assert (copy["id"], copy["message"]) == (1, {"text": "the copy"})
    assert "message" not in other
    assert "locations" not in second


def test_sarif_of_a_script_that_failed():
    (invocation,) = sarif(FAILED)["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    (notice,) = invocation["toolExecutionNotifications"]
    assert notice["level"] == "error"
    assert notice["message"]["text"].startswith("ZeroDivisionError")


# JUnit


def suite(run: ScriptRun, *, listing: bool = False) -> ET.Element:
    top = ET.fromstring(as_junit(run, listing))  # what it reads was written a line above
    assert top.tag == "testsuites"
    (only,) = top
    cases = only.findall("testcase")
    assert int(only.get("tests")) == len(cases)
    assert int(only.get("failures")) == len(only.findall("testcase/failure"))
    assert int(only.get("errors")) == len(only.findall("testcase/error"))
    return only


def test_junit_has_a_testcase_for_each_launch(run):
    first, second = suite(run).findall("testcase")
    assert (first.get("classname"), first.get("name")) == ("kernels/add.py", "1 core")
    assert first.find("failure") is None
    assert second.get("name") == "2 core"
    failure = second.find("failure")
    assert failure.get("message") == "2 errors: alignment, uninitialised-read"
    assert failure.get("type") == "alignment"
    assert failure.text.count(": error: ") == 2
    out = second.find("system-out").text
    assert ": note: empty-mask" in out
    assert run.reports[1].summary() in out


def test_junit_has_the_listing_when_asked(run):
    assert str(run.reports[0].trace).splitlines()[0] in suite(run, listing=True).find("testcase/system-out").text


def test_junit_of_a_script_that_failed_and_of_text_that_xml_cannot_hold():
    error = suite(FAILED).find("testcase/error")
    assert error.text == error.get("message") == "ZeroDivisionError: <division> & ? zero"


@pytest.mark.parametrize("form", ["json", "sarif", "junit"])
def test_documents_are_ascii_whatever_the_script_is_called(form):
    run = ScriptRun(script="核\udc80.py", reports=(), exit_code=2, failure="坏")
    assert FORMATS[form](run, False).isascii()


def test_severities_are_the_levels_of_sarif():
    assert {s.value for s in Severity} == {"error", "warning", "note"}
