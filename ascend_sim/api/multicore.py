"""GM bytes that two cores of a launch wrote without atomics: the result depends on which of them comes last."""

from collections.abc import Iterator, Sequence

import attrs

from ascend_sim.api.run import CoreRun
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.site import Site, site_at
from ascend_sim.machine.walk import Bursts
from ascend_sim.machine.work import Place
from isa.families import Pipe


@attrs.frozen
class _Written:
    """Bytes low..high-1 of a GM array, by whom."""

    array: int
    low: int
    high: int
    run: CoreRun
    issue: Issue
    place: Place


def report_overlaps(runs: Sequence[CoreRun]) -> None:
    """Add a `multicore-overlap` warning for each pair of lines whose copies out meet, at the later core's line."""
    if len(runs) == 1:
        return
    written = sorted((w for run in runs for w in _writes(run)), key=lambda w: (w.array, w.low, w.run.block))
    open_: list[_Written] = []
    for one in written:
        open_ = [w for w in open_ if w.array == one.array and w.high > one.low]
        for other in open_:
            if other.run.block != one.run.block:
                _report(*sorted((other, one), key=lambda w: w.run.block))
        open_.append(one)


def _writes(run: CoreRun) -> Iterator[_Written]:
    for program, place, values in (*run.trace.records, *run.refused.records):
        issue = program.issues[0]
        if issue.pipe is not Pipe.MTE3 or "atomic" in issue.arguments or not values:
            continue
        data, offset = values
        array = data.__array_interface__["data"][0]
        for access in issue.writes:
            lanes, stride = access.lanes, access.walk.repeat_stride
            if isinstance(lanes, Bursts) and not lanes.is_empty:
                dense = stride == lanes.length or lanes.count == 1
                bursts = 1 if dense else lanes.count
                length = lanes.length * lanes.count if dense else lanes.length
                for burst in range(bursts):
                    low = offset + burst * stride
                    yield _Written(array, low, low + length, run, issue, place)


def _report(first: _Written, second: _Written) -> None:
    low, high = max(first.low, second.low), min(first.high, second.high)
    site = site_at(*first.place)
    violation = Violation(
        code="multicore-overlap",
        message=f"GM bytes {low}..{high - 1} of the array were written by core {first.run.block} too; what stays "
        "depends on which comes last",
        hint="Let each core write bytes of its own (DataCopyPad for odd tails), or use SetAtomicAdd.",
        operand="dst",
        address=low,
        writes=True,
        related=Site(site.file, site.line, f"core {first.run.block}: {first.issue.name}"),
    )
    second.run.reporter.warn(violation, second.issue.name, site_at(*second.place))
