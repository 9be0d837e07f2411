"""What a check says: which rule an issue breaks and where. The front end adds the user's names, file and line."""

import attrs

from ascend_sim.machine.site import Site


@attrs.frozen(kw_only=True)
class Violation:
    """One broken rule, or a remark.

    operand: AscendC's parameter name (None when the call as a whole is meant). message starts after
    "<instruction> <operand>: ". hint: what to do. writes: the operand is written (npuchk names the two sides apart).
    blocks: the instruction would touch bytes outside memory or at an address it cannot reach, so under "record"
    nothing is executed. related: another place that the user should see.
    """

    code: str
    message: str
    hint: str
    operand: str | None = None
    repeat: int | None = None
    block: int | None = None
    lane: int | None = None
    address: int | None = None
    writes: bool = False
    blocks: bool = False
    related: Site | None = None
