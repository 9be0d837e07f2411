"""`ascend-sim validate`: how well the timing model agrees with published measurements."""

import argparse
from pathlib import Path

from ascend_sim.commands.common import EXIT_CLEAN, EXIT_FINDINGS, Subparsers, complain
from ascend_sim.timing.validate import validate

DESCRIPTION = """\
Run the timing model on published measurements and print, for each source and regime, how far off it is. Points that
helped to choose the constants stand apart from predicted ones; points without a program are counted by reason."""

EPILOG = "exit codes: 0 it ran; 1 with --strict, when a threshold is missed; 2 the call was wrong."


def declare(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "validate", help="compare the timing model with measurements", description=DESCRIPTION, epilog=EPILOG
    )
    parser.add_argument("--points", type=Path, metavar="FILE", help="a file with the columns of the shipped points.csv")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a threshold is missed")
    parser.set_defaults(call=call)


def call(given: argparse.Namespace) -> int:
    """Print the table; return the exit code."""
    try:
        found = validate(given.points)
    except (OSError, KeyError, UnicodeDecodeError) as problem:
        return complain(f"cannot read points from {given.points}: {problem}")
    print(found)
    return EXIT_FINDINGS if given.strict and not found.is_met else EXIT_CLEAN
