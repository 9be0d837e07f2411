"""Synchronisation between the cores of a launch. Not on the pages of the vector instructions, so without a row in the
table.
"""

from isa.families import STATE
from isa.model import Instruction, Timing, anything
from isa.products import ASCEND910_93, ASCEND910B, ASCEND950, Product
from isa.sync import EVERY

_PAGES = "基础API/同步控制/核间同步"


def _between_cores(name: str, summary: str, *products: Product) -> Instruction:
    return Instruction(
        name=name,
        family=STATE,
        types=anything(*(products or EVERY)),
        timing=Timing.STATE,
        doc=f"{_PAGES}/{name}.md",
        summary=summary,
    )


SYNC_ALL = _between_cores("SyncAll", "wait until every core of the launch has come here")
CROSS_CORE_SET_FLAG = _between_cores(
    "CrossCoreSetFlag", "set a flag for the other cores", ASCEND910B, ASCEND910_93, ASCEND950
)
CROSS_CORE_WAIT_FLAG = _between_cores(
    "CrossCoreWaitFlag", "wait for a flag of the other cores", ASCEND910B, ASCEND910_93, ASCEND950
)
