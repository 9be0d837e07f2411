"""`ascend-sim isa`: which product has which instruction, and one page about each."""

import argparse

from ascend_sim.commands.common import EXIT_CLEAN, Subparsers, complain
from ascend_sim.views import pages


def declare(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "isa",
        help="the instruction set: support per product, or one instruction",
        description="The table of instructions with the products that have them; with a name, that instruction's page: "
        "prototypes, operands, types, strides, constraints, source. Exit code 2 for an unknown name.",
    )
    parser.add_argument("name", nargs="?", help="an instruction, old names too")
    parser.add_argument("--summary", action="store_true", help="count the supported APIs of each product instead")
    parser.add_argument("--markdown", action="store_true", help="everything as one Markdown document instead")
    parser.set_defaults(call=show)


def show(given: argparse.Namespace) -> int:
    """Print what was asked for."""
    if given.summary:
        print(pages.summary())
    elif given.markdown:
        print(pages.document(), end="")
    elif given.name is None:
        print(pages.table())
    else:
        try:
            print(pages.page(given.name))
        except KeyError:
            return complain(f"no instruction is called {given.name!r}; `ascend-sim isa` lists them")
    return EXIT_CLEAN
