"""`ascend-sim trace`: run a kernel script and say how long its launches take, pipe by pipe."""

import argparse
from pathlib import Path

from ascend_sim.commands.common import EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, Subparsers, complain
from ascend_sim.commands.run import run_script
from ascend_sim.timing.export import FORMATS
from ascend_sim.timing.summary import summary
from ascend_sim.views.timeline import timeline_svg

DESCRIPTION = """\
Run a Python file that launches kernels, and print a summary of each launch in time: cycles, how busy each pipe was and
what it waited for, bank conflicts and the move of a tensor that removes them. --output writes the last launch as a
trace for MindStudio Insight or chrome://tracing, or for ui.perfetto.dev."""

EPILOG = """\
exit codes: 0 the launches were timed; 1 an error finding stopped the script, and the last launch is timed as far as it
came; 2 the script failed, launched nothing, or the call was wrong."""


def declare(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "trace", help="time the launches of a kernel script", description=DESCRIPTION, epilog=EPILOG
    )
    parser.add_argument("file", type=Path, help="the script")
    parser.add_argument("arguments", nargs="*", help="arguments of the script; those with a dash come after --")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the trace of the last launch there")
    parser.add_argument("--format", choices=FORMATS, default="msprof", help="of that trace (default: msprof)")
    parser.add_argument("--csv", type=Path, metavar="FOLDER", help="write cycles per instruction and per line there")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write a picture of the last launch there")
    parser.set_defaults(call=call)


def call(given: argparse.Namespace) -> int:
    """Run the script, print the summaries, write the files; return the exit code."""
    if not given.file.is_file():
        return complain(f"{given.file} is not a file")
    run = run_script(given.file, given.arguments)
    timed = [report for report in run.reports if report.runs and len(report.trace)]
    for report in timed:
        print("\n" + summary(report.timeline, report.name))
    if not timed:
        return complain(f"{given.file} launched nothing that can be timed")
    last = timed[-1]
    try:
        if given.output is not None:
            last.save(given.output, given.format)
        if given.csv is not None:
            last.save(given.csv, "csv")
        if given.svg is not None:
            given.svg.write_text(timeline_svg(last.timeline, last.name), encoding="utf-8")
    except OSError as problem:
        return complain(f"cannot write {problem.filename}: {problem.strerror}")
    if run.failure:
        return EXIT_USAGE
    if run.stopped:
        print("\nThe last launch is timed as far as it came: an error finding stopped it.")
    return EXIT_FINDINGS if run.stopped else EXIT_CLEAN
