"""What the subcommands share."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import argparse

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001  (argparse has no other)

EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE = 0, 1, 2


def complain(problem: str) -> int:
    """Say on stderr what was wrong with the call; returns the exit code."""
    print(f"ascend-sim: {problem}", file=sys.stderr)
    return EXIT_USAGE


def write(path: Path, text: str) -> None:
    """Write a document whole, its folder too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
