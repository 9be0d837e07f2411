"""The other blocks of the launch, as one of them sees them: whether they write the same bytes of global memory."""

from types import FrameType

from ascend_sim.api.program import Program
from ascend_sim.api.running.meeting import Meeting, Met, Writer
from ascend_sim.api.running.reporter import Reporter
from ascend_sim.checks.multicore import overlap
from ascend_sim.machine.gm_ranges import gm_access
from ascend_sim.machine.site import site_at
from ascend_sim.machine.work import GmRange


class Neighbours:
    """Copies out of one block, compared with those of the others."""

    def __init__(self, meeting: Meeting, block: int, reporter: Reporter) -> None:
        self._meeting = meeting
        self._block = block
        self._reporter = reporter

    def meet(self, program: Program, frame: FrameType, gm: GmRange, *, executes: bool) -> list[tuple[Met, bytes]]:
        """The copies of other blocks that a copy meets, in no order with it, and what the shared bytes hold now."""
        meeting, block = self._meeting, self._block
        place, is_atomic = (frame.f_code, frame.f_lasti), "atomic" in program.issues[0].arguments
        writer = Writer(block, meeting.clocks[block], is_atomic, program, place)
        return [(m, _held(m, gm)) for m in meeting.copies_out(writer, gm, executes=executes)]

    def report(
        self, program: Program, frame: FrameType, met: list[tuple[Met, bytes]], gm: GmRange, *, written: bool
    ) -> None:
        """Warn of them. written: the copy has taken effect."""
        array = gm[2]
        for one, before in met:
            earlier = (one.earlier.work.issues[0].name, one.earlier.place)
            dtype, cores = gm_access(program).dtype, (one.earlier.block, self._block)
            is_atomic = one.earlier.is_atomic or "atomic" in program.issues[0].arguments
            values = (before, _held(one, gm)) if written and not is_atomic else None
            found = overlap(one.low - array, one.stop - array, dtype, cores, earlier, values)
            self._reporter.warn(found, program.name, site_at(frame.f_code, frame.f_lasti))


def _held(met: Met, gm: GmRange) -> bytes:
    array, data = gm[2:]
    return bytes(data[met.low - array : met.high - array])
