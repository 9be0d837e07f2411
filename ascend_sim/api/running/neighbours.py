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
        self._met: list[tuple[Met, bytes]] = []  # by the copy out that is under way, and what the shared bytes held

    def races(self, program: Program, place: Place, gm: GmRange) -> Iterator[Violation]:
        """One of two blocks reads what the other one writes."""
        copy, reads = self._copy(program, place), program.reads_gm
        for one in self._meeting.reads(copy, gm) if reads else self._meeting.readers(copy, gm):
            cores, access = (one.earlier.block, self._block), gm_access(program)
            yield read_race(one.low - gm[2], one.stop - gm[2], access, cores, _told(one))

    def begin(self, program: Program, place: Place, gm: GmRange, *, executes: bool) -> None:
        """A copy is about to take effect (executes: unless it does not)."""
        copy = self._copy(program, place)
        if not program.reads_gm:
            found = self._meeting.copies_out(copy, gm, executes=executes)
            self._met = [(one, _held(one, gm)) for one in found]
        elif executes:
            self._meeting.note_read(copy, gm)

    def done(self, program: Program, place: Place, gm: GmRange, *, written: bool) -> None:
        """It has (written), or not yet: warn of the copies out of other blocks that a copy out met."""
        for one, before in self._met:
            is_atomic = one.earlier.is_atomic or self._copy(program, place).is_atomic
            values = (before, _held(one, gm)) if written and not is_atomic else None
            dtype, cores = gm_access(program).dtype, (one.earlier.block, self._block)
            found = overlap(one.low - gm[2], one.stop - gm[2], dtype, cores, _told(one), values)
            self._reporter.warn(found, program.name, site_at(*place))
        self._met.clear()

    def _copy(self, program: Program, place: Place) -> Copy:
        is_atomic = "atomic" in program.issues[0].arguments
        return Copy(self._block, self._meeting.clocks[self._block], is_atomic, program, place)


def _held(met: Met, gm: GmRange) -> bytes:
    array, data = gm[2:]
    return bytes(data[met.low - array : met.high - array])


def _told(met: Met) -> tuple[str, Place]:
    return met.earlier.work.issues[0].name, met.earlier.place
