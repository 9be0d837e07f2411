"""One vector core: its Unified Buffer and its registers. It survives launches; registers are reset at each block."""

import itertools
from typing import TYPE_CHECKING

from ascend_sim.machine.memory import Fill, UnifiedBuffer
from ascend_sim.machine.registers import ALL_LANES, Control, Mask
from ascend_sim.machine.special import Special
from isa.products import Product

if TYPE_CHECKING:
    from ascend_sim.machine.transfer import Combine


class Core:
    """State of one core. Behaviour is elsewhere: `execute` for vector instructions, `transfer` for copies."""

    _made = itertools.count(1)

    def __init__(self, product: Product, index: int, fill: Fill, control: Control) -> None:
        self.uid = next(self._made)
        self.product = product
        self.index = index
        self.ub = UnifiedBuffer(product, index, fill)
        self.special = Special()
        self.reset_control = control
        self.mask: Mask = ALL_LANES
        self.control = control
        self.pad_value: bytes | None = None
        """What DataCopyPad fills with when its own padding is off: one element's bytes, None before any was set."""
        self.atomic: Combine | None = None
        """How copies out combine with what GM holds."""

    def begin_block(self, *, keep_registers: bool = False) -> None:
        """A block of a launch starts here: what the buffer holds is stale, registers are as after reset."""
        self.ub.new_epoch()
        if not keep_registers:
            self.mask, self.control = ALL_LANES, self.reset_control
            self.special.reset()
            self.pad_value = self.atomic = None
