"""What a core keeps from one launch to the next."""

from typing import TYPE_CHECKING, Any

from ascend_sim.api.program import Program
from ascend_sim.machine.core import Core
from ascend_sim.machine.registers import Control
from ascend_sim.machine.vector_order import VectorOrder

if TYPE_CHECKING:
    from ascend_sim.api.running.pipes import Flags
    from ascend_sim.api.running.run import CoreRun
    from ascend_sim.trace.trace import Trace

CACHE_LIMIT = 4096  # programs of one core and control state
CONTROL_LIMIT = 64  # control states of one core; each scale of SetDeqScale is one
HISTORY = 8  # traces of earlier launches that "who wrote this byte" can reach


ProgramKey = tuple[Any, ...]
ProgramCache = dict[ProgramKey, Program]


class CoreState:
    """What survives launches: the machine core, its programs and their order, the traces of the last launches."""

    def __init__(self, machine: Core, vector_order: VectorOrder) -> None:
        self.machine = machine
        self.vector_order = vector_order
        self.caches: dict[Control, ProgramCache] = {}
        self.history: list[Trace] = []
        self.flags: Flags = {}  # what the last block left, for keep_registers
        self.running: CoreRun | None = None

    def programs(self, control: Control) -> ProgramCache:
        """Programs made under this control state."""
        if control not in self.caches and len(self.caches) >= CONTROL_LIMIT:
            del self.caches[next(iter(self.caches))]
        return self.caches.setdefault(control, {})
