"""`ascend-sim verify`: is a kernel's output file what was expected, and where is it not."""

import argparse
from pathlib import Path

from ascend_sim.commands.common import EXIT_CLEAN, EXIT_FINDINGS, Subparsers, complain
from ascend_sim.views.compare import SHOWN, compare, read_tolerance
from isa.dtypes import ALL, ElementType

DESCRIPTION = """\
Compare two raw little-endian files element by element, as verify_result.py of the AscendC samples does, with the
samples' tolerances, and say where wrong elements lie: lane, block, repeat, tail. Unlike those scripts it accepts no
wrong element unless --error-ratio says so."""

EPILOG = "exit codes: 0 equal within the tolerance; 1 not, or the sizes differ; 2 the call was wrong."

_BY_NAME = {
    **{kind.host.name: kind for kind in reversed(ALL.values()) if kind.host.name not in ALL},
    **{kind.cpp: kind for kind in ALL.values()},
    **ALL,
}


def declare(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "verify", help="compare an output file with a golden file", description=DESCRIPTION, epilog=EPILOG
    )
    parser.add_argument("out", type=Path, metavar="OUT.bin", help="what the kernel wrote")
    parser.add_argument("golden", type=Path, metavar="GOLDEN.bin", help="what was expected")
    parser.add_argument(
        "--dtype",
        type=_dtype,
        default="half",
        help=f"element type (default: half): {', '.join(ALL)}; numpy's names too",
    )
    parser.add_argument("--tolerance", type=_tolerance, metavar="RTOL,ATOL", help="default: the samples' for the type")
    parser.add_argument(
        "--error-ratio", type=_ratio, default=0.0, metavar="R", help="share of wrong elements to accept"
    )
    parser.add_argument("--lanes", type=_positive, metavar="N", help="elements of a repeat (default: 256 bytes)")
    parser.add_argument("--show", type=_positive, default=SHOWN, metavar="N", help=f"mismatches to list ({SHOWN})")
    parser.set_defaults(call=call)


def _dtype(name: str) -> ElementType:
    if name not in _BY_NAME:
        raise argparse.ArgumentTypeError(f"{name!r} is no element type; the element types are {', '.join(ALL)}")
    return _BY_NAME[name]


def _tolerance(text: str) -> tuple[float, float]:
    try:
        return read_tolerance(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _ratio(text: str) -> float:
    try:
        ratio = float(text)
    except ValueError:
        ratio = -1
    if not 0 <= ratio <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share between 0 and 1")
    return ratio


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number")
    return int(text)


def call(given: argparse.Namespace) -> int:
    """Print the comparison; return the exit code."""
    try:
        out, golden = given.out.read_bytes(), given.golden.read_bytes()
    except OSError as problem:
        return complain(f"cannot read {problem.filename}: {problem.strerror}")
    rtol, atol = given.tolerance or (None, None)
    comparison = compare(
        out,
        golden,
        given.dtype,
        rtol=rtol,
        atol=atol,
        error_ratio=given.error_ratio,
        lanes=given.lanes,
        shown=given.show,
    )
    print(comparison)
    return EXIT_CLEAN if comparison.passed else EXIT_FINDINGS
