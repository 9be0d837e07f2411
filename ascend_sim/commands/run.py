"""`ascend-sim run`: run a kernel script and report what its launches found, to people or to machines."""

import argparse
import contextlib
import runpy
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from ascend_sim.api.launch.overrides import overridden
from ascend_sim.api.running.report import OBSERVERS, Report
from ascend_sim.checks.codes import CODES, Severity
from ascend_sim.checks.finding import KernelError
from ascend_sim.commands.common import EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, Subparsers, complain, write
from ascend_sim.views.reports import FORMATS, ScriptRun, as_text

DESCRIPTION = """\
Run a Python file that launches kernels, and print every finding and a summary line. What the script prints comes
first; with a format for machines and no --output it goes to stderr, so that stdout holds the document alone."""

EPILOG = """\
exit codes: 0 no error finding; 1 a launch has an error finding, or the script stopped at one; 2 the script failed
otherwise, or the call was wrong; other codes are the script's own. Warnings and notes never count. A comment
`# ascend-sim: ignore` or `# ascend-sim: ignore[stale-read, race]` on a line of the script silences what it names."""


def declare(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "run", help="run a kernel script and print its findings", description=DESCRIPTION, epilog=EPILOG
    )
    parser.add_argument("file", type=Path, help="the script")
    parser.add_argument("arguments", nargs="*", help="arguments of the script; those with a dash come after --")
    parser.add_argument("--listing", action="store_true", help="the instruction sequence of each launch too")
    parser.add_argument("--format", choices=FORMATS, default="text", help="of the report (default: text)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the report there, and the text to stdout")
    for option, does in (("--suppress", "leave findings of this code out"), ("--enable", "switch this code on")):
        parser.add_argument(
            option, action="append", default=[], type=_code, metavar="CODE", help=f"{does}, in every NPU; repeatable"
        )
    parser.add_argument(
        "--max-errors", type=_number, metavar="N", help="text shows the first N errors; all are counted"
    )
    parser.set_defaults(call=call)


def _code(name: str) -> str:
    if name not in CODES:
        raise argparse.ArgumentTypeError(f"{name!r} is no finding code; the codes are {', '.join(CODES)}")
    return name


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of errors")
    return int(text)


def call(given: argparse.Namespace) -> int:
    """Run the script; print or write its report; return the exit code."""
    if not given.file.is_file():
        return complain(f"{given.file} is not a file")
    speaks_to_machine = given.format != "text" and given.output is None
    aside: contextlib.AbstractContextManager[object] = contextlib.nullcontext()
    if speaks_to_machine:
        aside = contextlib.redirect_stdout(sys.stderr)
    with aside, overridden(suppress=given.suppress, enable=given.enable):
        run = run_script(given.file, given.arguments)
    document = FORMATS[given.format](run, given.listing)
    text = as_text(run, listing=given.listing, max_errors=given.max_errors)
    print(document if speaks_to_machine else text, end="")
    if given.output is not None:
        try:
            write(given.output, document)
        except OSError as problem:
            return complain(f"cannot write {given.output}: {problem.strerror}")
    return run.exit_code


def run_script(file: Path, arguments: Sequence[str] = ()) -> ScriptRun:
    """Run a script as `python file` would, and keep the reports of its launches."""
    reports: list[Report] = []
    failure, status, stopped = "", EXIT_CLEAN, False
    with _as_main(file, arguments), _observing(reports):
        try:
            runpy.run_path(str(file), run_name="__main__")
        except KernelError as error:
            print(f"stopped: {error}", file=sys.stderr)
            status, stopped = EXIT_FINDINGS, True
        except SystemExit as stop:
            status = _status(stop)
            failure = f"the script ended with exit code {status}" if status else ""
        except Exception as error:  # noqa: BLE001  (the user's script may raise anything)
            traceback.print_exc()
            failure = "".join(traceback.format_exception_only(error)).strip()
            status = EXIT_USAGE
    has_errors = any(r.count(Severity.ERROR) for r in reports)
    return ScriptRun(
        script=str(file),
        arguments=tuple(arguments),
        reports=tuple(reports),
        exit_code=status or (EXIT_FINDINGS if has_errors else EXIT_CLEAN),
        failure=failure,
        stopped=stopped,
    )


def _status(stop: SystemExit) -> int:
    """The exit code of `sys.exit(...)`; like Python, a text goes to stderr."""
    if stop.code is None or isinstance(stop.code, int):
        return stop.code or EXIT_CLEAN
    print(stop.code, file=sys.stderr)
    return EXIT_USAGE


@contextlib.contextmanager
def _as_main(file: Path, arguments: Sequence[str]) -> Iterator[None]:
    before = sys.argv, sys.path[:]
    sys.argv, sys.path[0:0] = [str(file), *arguments], [str(file.resolve().parent)]
    try:
        yield
    finally:
        sys.argv, sys.path[:] = before


@contextlib.contextmanager
def _observing(reports: list[Report]) -> Iterator[None]:
    observer = reports.append
    OBSERVERS.append(observer)
    try:
        yield
    finally:
        OBSERVERS.remove(observer)
