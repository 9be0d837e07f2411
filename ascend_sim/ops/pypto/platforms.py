"""Which NPU the framework sees."""

from ascend_sim.ops.machine import operator_npu
from isa.products import Arch


class Platform:
    """What the framework says of the NPU."""

    @property
    def npuarch(self) -> str:
        """The architecture, as the framework calls it: DAV_2201 (A2, A3) or DAV_3510 (950)."""
        names = {Arch.C220: "DAV_2201", Arch.A3510: "DAV_3510"}
        product = operator_npu().product
        return names.get(product.arch, f"DAV_{product.arch.value}")


platform = Platform()
