"""Chapter "synchronisation": flags between pipes and barriers on one (spec 02, F15)."""

from isa.choice import Choice
from isa.families import STATE, Pipe
from isa.model import Timing, anything, declare
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, ASCEND910_93, ASCEND910B, ASCEND950

EVERY = (ASCEND910, ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950)
_PAGES = "基础API/同步控制/核内同步"


class HardEvent(Choice):
    """A flag from one pipe, the source, which sets it, to another, the target, which waits for it."""

    MTE2_V = (Pipe.MTE2, Pipe.V)
    MTE2_MTE3 = (Pipe.MTE2, Pipe.MTE3)
    MTE2_S = (Pipe.MTE2, Pipe.S)
    MTE3_V = (Pipe.MTE3, Pipe.V)
    MTE3_MTE2 = (Pipe.MTE3, Pipe.MTE2)
    MTE3_S = (Pipe.MTE3, Pipe.S)
    V_MTE2 = (Pipe.V, Pipe.MTE2)
    V_MTE3 = (Pipe.V, Pipe.MTE3)
    V_S = (Pipe.V, Pipe.S)
    V_V = (Pipe.V, Pipe.V)
    S_V = (Pipe.S, Pipe.V)
    S_MTE2 = (Pipe.S, Pipe.MTE2)
    S_MTE3 = (Pipe.S, Pipe.MTE3)

    def __init__(self, source: Pipe, target: Pipe) -> None:
        self.source = source
        self.target = target


SET_FLAG = declare(
    "SetFlag",
    STATE,
    types=anything(*EVERY),
    timing=Timing.STATE,
    doc=f"{_PAGES}/SetFlag-WaitFlag(ISASI).md",
    summary="set a flag of the source pipe when everything before it on that pipe is done",
)

WAIT_FLAG = declare(
    "WaitFlag",
    STATE,
    types=anything(*EVERY),
    timing=Timing.STATE,
    doc=f"{_PAGES}/SetFlag-WaitFlag(ISASI).md",
    summary="hold the target pipe until the flag is set, and clear it",
)

PIPE_BARRIER = declare(
    "PipeBarrier",
    STATE,
    types=anything(*EVERY),
    timing=Timing.STATE,
    doc=f"{_PAGES}/PipeBarrier(ISASI).md",
    summary="hold a pipe until everything before it on that pipe is done",
)
