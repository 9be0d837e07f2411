"""The `ascend-sim` command: a table of subcommands, each a module of `ascend_sim.commands`."""

import argparse
from collections.abc import Sequence

from ascend_sim.commands import isa, run, trace, validate, verify

COMMANDS = (run, verify, trace, validate, isa)
"""In the order of the help. Each has `declare(commands)`, which adds its parser and sets its function as `call`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code, whose meaning the help of each subcommand states."""
    parser = argparse.ArgumentParser(
        prog="ascend-sim", description="AscendC vector kernels on a simulated Ascend vector core."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for command in COMMANDS:
        command.declare(commands)
    given = parser.parse_args(arguments)
    code: int = given.call(given)
    return code
