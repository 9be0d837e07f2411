"""The other blocks of the launch, as one of them sees them: whether they use the same bytes of global memory."""

from collections.abc import Iterator

from ascend_sim.api.program import Program
from ascend_sim.api.running.meeting import Copy, Meeting, Met
from ascend_sim.api.running.reporter import Reporter
from ascend_sim.checks.multicore import overlap, read_race
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.gm_ranges import gm_access
from ascend_sim.machine.site import site_at
from ascend_sim.machine.work import GmRange, Place


class Neighbours:
    """Copies of one block, compared with those of the others that nothing orders before them."""

    def __init__(self, meeting: Meeting, block: int, reporter: Reporter) -> None:
        self._meeting = meeting
        self._block = block
        self._reporter = reporter
        self._met: list[tuple[Copy, Met, bytes]] = []  # by a copy out under way, and what the shared bytes held

    def copy(self, program: Program, place: Place) -> Copy:
        """A copy of this block, with what the block knows now."""
        is_atomic = "atomic" in program.issues[0].arguments
        return Copy(self._block, self._meeting.clocks[self._block], is_atomic, program, place)

    def races(self, copy: Copy, gm: GmRange) -> Iterator[Violation]:
        """One of two blocks reads what the other one writes."""
        access = gm_access(copy.work)
        for one in self._meeting.reads(copy, gm) if access.operand.is_read else self._meeting.readers(copy, gm):
            cores = (one.earlier.block, self._block)
            yield read_race(one.low - gm[2], one.stop - gm[2], access, cores, _told(one.earlier))

    def begin(self, copy: Copy, gm: GmRange, *, executes: bool) -> None:
        """A copy is about to take effect (executes: unless it does not)."""
        if gm_access(copy.work).operand.is_written:
            self._met = [(copy, m, _held(m, gm)) for m in self._meeting.copies_out(copy, gm, executes=executes)]
        elif executes:
            self._meeting.note_read(copy, gm)

    def done(self, gm: GmRange, *, written: bool) -> None:
        """It has (written), or not yet: warn of the copies out of other blocks that a copy out met."""
        for copy, one, before in self._met:
            earlier = one.earlier
            values = (before, _held(one, gm)) if written and not (earlier.is_atomic or copy.is_atomic) else None
            dtype, cores = gm_access(copy.work).dtype, (earlier.block, self._block)
            found = overlap(one.low - gm[2], one.stop - gm[2], dtype, cores, _told(earlier), values)
            self._reporter.warn(found, copy.work.issues[0].name, site_at(*copy.place))
        self._met.clear()


def _held(met: Met, gm: GmRange) -> bytes:
    array, data = gm[2:]
    return bytes(data[met.low - array : met.high - array])


def _told(copy: Copy) -> tuple[str, Place]:
    return copy.work.issues[0].name, copy.place
