"""What an operator becomes: the instructions of one tile, how many, and the buffers they need."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import attrs

from ascend_sim.api.running.report import Report
from ascend_sim.machine.issue import Issue, Space
from isa.products import Product


@attrs.frozen(kw_only=True)
class Lowering:
    """An operator on tensors of one shape and type. `str()` prints it.

    tiles: how many, dealt out over at most `cores`; tile: the shape of a whole one; steps: the instructions of such a
    tile in order, described, equal neighbours counted together; counts: how many of each name; buffers: bytes of each.
    """

    title: str
    product: Product
    tile: tuple[int, ...]
    tiles: int
    steps: tuple[tuple[str, int], ...]
    counts: Mapping[str, int]
    buffers: Mapping[str, int]
    cores: int

    @property
    def ub_bytes(self) -> int:
        """Bytes of the Unified Buffer that the kernel takes."""
        return sum(self.buffers.values())

    def __str__(self) -> str:
        cores = max(1, min(self.tiles, self.cores))
        buffers = ", ".join(f"{name} {nbytes}" for name, nbytes in self.buffers.items())
        total = ", ".join(f"{n} {name}" for name, n in sorted(self.counts.items(), key=lambda c: (-c[1], c[0])))
        return "\n".join(
            [
                f"{self.title} on {self.product.id}",
                f"tile {self.tile}: {self.tiles} of them on {cores} core{'s' if cores > 1 else ''}",
                f"Unified Buffer: {self.ub_bytes} of {self.product.ub_bytes} bytes ({buffers})",
                f"one tile: {sum(self.counts.values())} instructions ({total})",
                *_listed(self.steps),
            ]
        )


def lowering_of(
    report: Report,
    *,
    title: str,
    product: Product,
    tile: tuple[int, ...],
    tiles: int,
    buffers: Mapping[str, int],
    cores: int | None = None,
) -> Lowering:
    """From the report of a launch on one tile. Flags, barriers and register writes are left out.

    cores: over how many the tiles are dealt out; all of the product's by default.
    """
    issues = [e.issue for e in report.trace if e.issue.accesses]
    described = [describe(i) for i in issues]
    return Lowering(
        title=title,
        product=product,
        tile=tile,
        tiles=tiles,
        steps=tuple((text, len(list(same))) for text, same in groupby(described)),
        counts=Counter(i.name for i in issues),
        buffers=buffers,
        cores=product.vector_cores if cores is None else cores,
    )


def describe(issue: Issue) -> str:
    """Name, operand types, and what the call chose."""
    types = [f"{a.operand.name}{' GM' if a.space is Space.GM else ''} {a.dtype}" for a in issue.accesses]
    chosen = [
        getattr(value, "name", str(value))
        for name, value in issue.arguments.items()
        if name not in ("scalar_first", "reduce_type") and value is not False
    ]
    return f"{issue.name:<14} {', '.join(types)}{'; ' if chosen else ''}{', '.join(chosen)}"


Steps = Sequence[tuple[str, int]]
FEWEST_ROUNDS = 4  # below, a list is easier to read


def _listed(steps: Steps) -> Iterator[str]:
    """A line for each step; what comes back in the same order is listed once, with the number of rounds before it."""
    at = 0
    while at < len(steps):
        length, rounds = _rounds(steps, at)
        if rounds > 1:
            yield f"  {rounds:>4} rounds of {length} steps:"
        for text, n in steps[at : at + length]:
            yield f"  {n:>4} x {text}" if n > 1 else f"         {text}"
        if rounds > 1:
            yield "       (end of the round)"
        at += length * rounds


def _rounds(steps: Steps, at: int) -> tuple[int, int]:
    """Length and number of the repetitions that begin at a step: those that cover most."""
    best = (1, 1)
    places = [i for i in range(at + 2, (len(steps) + at) // 2 + 1) if steps[i] == steps[at]]
    for place in places:
        length = place - at
        rounds = 1
        while steps[at + rounds * length : at + (rounds + 1) * length] == steps[at : at + length]:
            rounds += 1
        if rounds >= FEWEST_ROUNDS and length * rounds > best[0] * best[1]:
            best = (length, rounds)
    return best
