"""The lane map: which lanes of which repeat an instruction reads, writes and leaves alone, block by block.

One model object, `LaneMap`; its text is for terminals, and other pictures are drawn from the same rows.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs
import numpy as np

from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.memory import ByteState, UnifiedBuffer
from ascend_sim.machine.walk import Lanes
from ascend_sim.trace.trace import Entry, describe
from isa.products import BLOCK_BYTES

if TYPE_CHECKING:
    from numpy.typing import NDArray

READ, WRITTEN, MASKED, STALE, PAD, NEVER = "R", "W", "m", "s", "p", "."

LEGEND = {
    READ: "read",
    WRITTEN: "written",
    MASKED: "masked off",
    STALE: "masked off, holds bytes of an earlier launch",
    PAD: "masked off, holds DataCopyPad filler",
    NEVER: "masked off, never written",
}
_KEPT = {
    ByteState.WRITTEN: MASKED,
    ByteState.STALE: STALE,
    ByteState.PAD: PAD,
    ByteState.UNINITIALISED: NEVER,
}
MAX_ROWS = 32
MAX_REPEATS = 4096
MAX_RIBBON = 128


@attrs.frozen
class Row:
    """One operand in one repeat: a letter for each lane, grouped in blocks, and the byte address of each block."""

    operand: str
    dtype: str
    repeat: int
    blocks: tuple[str, ...]
    addresses: tuple[int, ...]


@attrs.frozen
class LaneMap:
    """Rows in the order repeat, operand. `str()` is the picture."""

    title: str
    rows: tuple[Row, ...]
    ribbons: tuple[str, ...]
    active: int
    total: int

    def __str__(self) -> str:
        return "\n".join([self.title, self.verdict, *_folded(self.rows), self.legend, *self.ribbons])

    @property
    def verdict(self) -> str:
        """How many lanes work."""
        share = 100 * self.active // self.total if self.total else 0
        return f"{self.active} of {self.total} lanes active ({share} %)"

    @property
    def legend(self) -> str:
        used = {letter for row in self.rows for block in row.blocks for letter in block}
        return "legend: " + ", ".join(f"{k} {v}" for k, v in LEGEND.items() if k in used)


def lane_map(issue: "Issue | Entry", ub: UnifiedBuffer | None = None) -> LaneMap:
    """The lane map of a vector instruction or copy.

    ub: with a buffer, lanes that the mask leaves alone show what their bytes are to this launch now (masked off, stale,
    never written); without one they are just masked off. Raises ValueError for an instruction without lanes.
    """
    if isinstance(issue, Entry):
        issue = issue.issue
    if not isinstance(issue, Issue):
        raise TypeError(f"lane_map takes an entry of a trace, such as core.trace[0], not {issue!r}")
    if not issue.accesses:
        raise ValueError(f"{issue.name} writes registers: it has no lanes to draw")
    lanes = issue.lanes
    if lanes is None:
        return _copy_map(issue)
    order = [*issue.reads, *(a for a in issue.writes if not a.operand.is_read)]
    repeats = range(min(lanes.repeats, MAX_REPEATS))  # more than hardware has: a runaway count
    # each operand has its own elements: one result a repeat, packed bits; those that memory decides have no picture
    drawn = [(access, access.lanes) for access in order if isinstance(access.lanes, Lanes)]
    rows = [_row(access, own, repeat, ub) for repeat in repeats for access, own in drawn if repeat < own.repeats]
    return LaneMap(
        f"{issue.name}  {describe(issue)}",
        tuple(rows),
        _ribbons(rows),
        lanes.active_count,
        lanes.repeats * lanes.width,
    )


def _row(access: Access, lanes: Lanes, repeat: int, ub: UnifiedBuffer | None) -> Row:
    mask, width = lanes.mask_of(repeat), lanes.width
    letter = WRITTEN if access.operand.is_written else READ
    kept = _kept_letters(access, repeat, width, ub) if access.operand.is_written else MASKED * width
    text = "".join(letter if mask >> k & 1 else kept[k] for k in range(width))
    per_block = access.dtype.per_block
    starts = range(0, width, per_block)
    return Row(
        access.operand.name,
        str(access.dtype),
        repeat,
        tuple(text[k : k + per_block] for k in starts),
        tuple(access.walk.address(repeat, k) for k in starts),
    )


def _kept_letters(access: Access, repeat: int, width: int, ub: UnifiedBuffer | None) -> str:
    if ub is None or access.space is not Space.UB:
        return MASKED * width
    start = access.walk.offsets(repeat + 1, width)[repeat]
    inside = np.minimum(start, ub.size - access.dtype.size)
    states: NDArray[np.uint8] = np.min([ub.state[inside + b] for b in range(access.dtype.size)], axis=0)
    return "".join(_KEPT[ByteState(s)] for s in states)


def _copy_map(issue: Issue) -> LaneMap:
    bursts = issue.bursts
    assert bursts is not None
    rows = []
    for burst in range(bursts.count):
        for access in issue.accesses:
            letter = WRITTEN if access.operand.is_written else READ
            per_block, blocks = access.dtype.per_block, bursts.length // BLOCK_BYTES
            start = access.walk.base + burst * access.walk.repeat_stride
            addresses = tuple(start + b * BLOCK_BYTES for b in range(blocks))
            rows.append(Row(access.operand.name, str(access.dtype), burst, (letter * per_block,) * blocks, addresses))
    elements = bursts.count * bursts.length * 8 // issue.accesses[0].dtype.bits
    return LaneMap(f"{issue.name}  {describe(issue)}", tuple(rows), _ribbons(rows), elements, elements)


def _ribbons(rows: Sequence[Row]) -> tuple[str, ...]:
    """One strip for each operand: a character is 32 bytes of the buffer, a digit the repeat that touches it."""
    operands = dict.fromkeys(row.operand for row in rows)
    strips = []
    for operand in operands:
        mine = [row for row in rows if row.operand == operand]
        low = min(min(row.addresses) for row in mine)
        high = max(max(row.addresses) for row in mine)
        cells = ["."] * min((high - low) // BLOCK_BYTES + 1, MAX_RIBBON)
        for row in mine:
            for address, letters in zip(row.addresses, row.blocks, strict=True):
                at = (address - low) // BLOCK_BYTES
                if at < len(cells) and any(c in (READ, WRITTEN) for c in letters):
                    digit = str(row.repeat % 10)
                    cells[at] = digit if cells[at] in (".", digit) else "*"
        more = " ..." if (high - low) // BLOCK_BYTES >= MAX_RIBBON else ""
        strips.append(f"{operand:<4} from 0x{low:05X} |{''.join(cells)}|{more}")
    if not strips:
        return ()
    return ("blocks touched, one character each: repeat number, . none, * several repeats", *strips)


def _folded(rows: Sequence[Row]) -> list[str]:
    """The picture's lines; repeats that look like the one before are folded, so are rows beyond the limit."""
    repeats: dict[int, list[Row]] = {}
    for row in rows:
        repeats.setdefault(row.repeat, []).append(row)
    lines: list[str] = []
    shown, same = 0, 0
    previous: list[tuple[str, ...]] | None = None
    numbers = list(repeats)
    for at, number in enumerate(numbers):
        picture = [row.blocks for row in repeats[number]]
        last = at == len(numbers) - 1
        if picture == previous and not last and at > 0:
            same += 1
            continue
        if same:
            lines.append(f"  ... {same} repeat{'s' if same > 1 else ''} more of the same ...")
            same = 0
        if shown >= MAX_ROWS and not last:
            lines.append(f"  ... {len(numbers) - at} repeats not shown ...")
            break
        lines += [_line(row) for row in repeats[number]]
        shown += len(repeats[number])
        previous = picture
    return lines


def _line(row: Row) -> str:
    cells = "".join(f"[{block}]" for block in row.blocks)
    return f"rep {row.repeat:<3} {row.operand:<4} {row.dtype:<10} 0x{row.addresses[0]:05X} {cells}"
