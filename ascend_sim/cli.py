"""The `ascend-sim` command."""

import argparse
import runpy
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from ascend_sim.api.report import OBSERVERS, Report
from ascend_sim.checks.codes import Severity
from ascend_sim.checks.finding import Finding, KernelError

EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 0 without errors, 1 with error findings, 2 for a script that failed."""
    parser = argparse.ArgumentParser(
        prog="ascend-sim", description="AscendC vector kernels on a simulated Ascend vector core."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser(
        "run",
        help="run a kernel script and print its findings",
        description="Run a Python file that launches kernels; print every finding and a summary line. "
        "Exit code 1 when a launch has an error finding.",
    )
    run.add_argument("file", type=Path, help="the script")
    run.add_argument("arguments", nargs="*", help="arguments of the script")
    run.add_argument("--listing", action="store_true", help="print the instruction sequence of each launch")
    given = parser.parse_args(arguments)
    return run_file(given.file, given.arguments, listing=given.listing)


def run_file(file: Path, arguments: Sequence[str] = (), *, listing: bool = False) -> int:
    """Run a script as `python file` would, and report on its launches."""
    if not file.is_file():
        print(f"ascend-sim: {file} is not a file", file=sys.stderr)
        return EXIT_USAGE
    reports: list[Report] = []
    OBSERVERS.append(reports.append)
    before = sys.argv, sys.path[:]
    sys.argv, sys.path[0:0] = [str(file), *arguments], [str(file.resolve().parent)]
    status = EXIT_CLEAN
    try:
        runpy.run_path(str(file), run_name="__main__")
    except KernelError as error:
        print(f"stopped: {error}", file=sys.stderr)
        status = EXIT_FINDINGS
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else EXIT_CLEAN if stop.code is None else EXIT_USAGE
    except Exception:  # noqa: BLE001  (the user's script may raise anything)
        traceback.print_exc()
        status = EXIT_USAGE
    finally:
        OBSERVERS.remove(reports.append)
        sys.argv, sys.path[:] = before
    _print(reports, listing=listing)
    errors = sum(r.count(Severity.ERROR) for r in reports)
    return status or (EXIT_FINDINGS if errors else EXIT_CLEAN)


def _print(reports: Sequence[Report], *, listing: bool) -> None:
    findings: list[Finding] = []
    for report in reports:
        if listing:
            print(f"\n{report.name}\n{report.trace}")
        findings += report.findings
    if findings:
        print("\nFindings")
        for finding in findings:
            print(finding)
    counts = [(s, sum(r.count(s) for r in reports)) for s in Severity]
    shown = ", ".join(f"{n} {s.value}{'s' if n != 1 else ''}" for s, n in counts)
    launches = f"{len(reports)} launch{'es' if len(reports) != 1 else ''}"
    print(f"\n{launches}, {sum(len(r.trace) for r in reports)} issues: {shown}")
