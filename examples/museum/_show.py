"""Shared by the scripts of this folder: run a kernel with its fault and without, and print what is found."""

from collections.abc import Callable
from typing import Any

from ascend_sim import NPU, Finding, KernelError

Exhibit = Callable[[NPU], Any]
"""Runs something on an NPU and returns what has `findings`: a core or a report."""


def findings_of(exhibit: Exhibit, **options: Any) -> list[Finding]:
    """What a run finds, under check="record": it goes on as the hardware would."""
    try:
        return list(exhibit(NPU(check="record", **options)).findings)
    except KernelError as error:  # there is no way to go on
        return list(error.report.findings)


def show(broken: Exhibit, fixed: Exhibit, code: str, **options: Any) -> None:
    """Print the lesson and both runs; exit code 1 unless `broken` gives `code` and `fixed` nothing."""
    print(broken.__globals__["__doc__"])
    codes = []
    for exhibit in (broken, fixed):
        print(f"{exhibit.__name__}:")
        found = findings_of(exhibit, **options)
        for line in "\n".join(map(str, found)).splitlines() or ["no findings"]:
            print(f"  {line}")
        codes.append({finding.code for finding in found})
    if code not in codes[0] or codes[1]:
        raise SystemExit(f"expected {code} from the broken kernel and nothing from the fixed one, not {codes}")
