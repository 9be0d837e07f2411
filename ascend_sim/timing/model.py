"""From a trace to a timeline. docs/timing.md has the equations, `cost` what each instruction costs, `pipes` the queues.

Kernels are loops, so the pipes come back to a state that they were in before. From then on the end of a trace is known
without playing it: equal calls take equal time. Costs are multiples of 1/64 cycle, which makes "equal" exact. The times
of single issues are worked out when somebody looks at them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from ascend_sim.timing.contract import Call, Program, block_traces, calls
from ascend_sim.timing.copies import gm_unit
from ascend_sim.timing.cost import no_cost, op_of
from ascend_sim.timing.pipes import Compiled, Event, Pipes, compiled
from ascend_sim.timing.timeline import BlockTimeline, Timeline
from isa.products import Product, product as product_of
from isa.timings import MACHINES, Machine

_SAMPLE = 128  # calls among which the most frequent one is looked for
_ALWAYS = 4  # the first meetings at which the state is looked up; later ones see `_is_due`


def timeline(trace: Any, product: Product | str, *, machine: Machine | None = None) -> Timeline:
    """When each issue of a trace runs on `product`.

    trace: `report.trace`, `core.trace` or any sequence of entries. The product is one of the architecture that the
    trace was lowered for. machine: other figures than the product's own.
    """
    chip = product_of(product) if isinstance(product, str) else product
    figures = machine or MACHINES[chip.id]
    blocks = block_traces(trace)
    cores = len({block_core(b, chip) for b in blocks})
    player = _Player(chip, figures, cores)
    ready: dict[int, float] = {}
    timed = []
    for block in blocks:
        core = block_core(block, chip)
        one = BlockTimeline(block, core, ready.get(core, 0.0), player)
        ready[core] = one.end
        timed.append(one)
    return Timeline(chip, figures, timed, cores)


def scalar_microseconds(trace: Any, product: Product, blocks: int) -> float:
    """Time at which the scalar unit has given out the last issue of one block. blocks: those of the launch."""
    figures = MACHINES[product.id]
    player = _Player(product, figures, min(blocks, product.vector_cores))
    pipes = Pipes(0.0)
    player.play(player.calls(trace), pipes)
    return pipes.scalar / figures.clock_mhz.value


def block_core(block: Any, product: Product) -> int:
    """The core that a block runs on."""
    return int(getattr(block, "core", 0)) % product.vector_cores


class _Player:
    """Plays the calls of blocks; the costs of a call are worked out once."""

    def __init__(self, product: Product, machine: Machine, cores: int) -> None:
        self.product = product
        self.machine = machine
        self.cores = cores
        self.unit = gm_unit(product)
        self.known: dict[int, tuple[Compiled, ...]] = {}
        self._held: list[Any] = []  # `known` goes by the identity of what a call holds, so that must not go away

    def calls(self, block: Any) -> list[Call]:
        """The calls of a block."""
        played = calls(block)
        self._held.append(played)
        return played

    def _ops(self, program: Program, key: int) -> tuple[Compiled, ...]:
        unaligned = key & 1
        found = self.known.get(key)
        if found is None:
            cost = no_cost if program.is_blocked else op_of
            ops = [cost(issue, self.machine, self.product, self.cores) for issue in program.issues]
            found = self.known[key] = tuple([compiled((unaligned and op.unaligned) or op) for op in ops])
        return found

    def _keys(self, played: Sequence[Call]) -> list[int]:
        """What the time of each call depends on: its program, by an identity that is even, and whether the GM address
        of a copy is unaligned, in bit 0.
        """
        unit = self.unit or 1
        return [
            id(program) | (len(values) == 2 and values[1].__class__ is int and values[1] % unit != 0)
            if values
            else id(program)
            for program, _, _, values in played
        ]

    def events(self, played: Sequence[Call], begin: float) -> list[Event]:
        """Every issue of a block with its times."""
        events: list[Event] = []
        self.play(played, Pipes(begin), events.append)
        return events

    def play(self, played: Sequence[Call], pipes: Pipes, add: Callable[[Event], None] | None = None) -> None:
        """Give all calls to the pipes, one by one. add: called with each event."""
        for (program, *_), key in zip(played, self._keys(played), strict=True):
            pipes.play(self._ops(program, key), add)

    def end(self, played: Sequence[Call], begin: float) -> float:
        """When the last result of a block is there."""
        keys = self._keys(played)
        pipes = Pipes(begin)
        anchor = Counter(keys[:_SAMPLE]).most_common(1)[0][0] if keys else None
        seen: dict[Any, tuple[int, float]] = {}
        ahead: list[Compiled] = []  # what is not played yet: one long call of `play` costs less than many short ones
        i, met, length, known = 0, 0, len(keys), self.known
        while i < length:
            key = keys[i]
            if key == anchor:
                met += 1
                if _is_due(met):
                    pipes.play(ahead)
                    ahead.clear()
                    state = pipes.state()
                    before = seen.get(state)
                    if before is not None:
                        turn, turns = i - before[0], _turns(keys, before[0], i)
                        if turns:
                            pipes.skip(turns * (pipes.scalar - before[1]))
                            i += turns * turn
                            seen.clear()
                            continue
                    seen[state] = i, pipes.scalar
            ahead += known.get(key) or self._ops(played[i][0], key)
            i += 1
        pipes.play(ahead)
        return pipes.end


def _is_due(met: int) -> bool:
    """Look up the state at the first few meetings, then at pairs of them: every eight, and four pairs a doubling."""
    return met <= _ALWAYS or met % max(8, 1 << (met.bit_length() - 3)) < 2


def _turns(keys: Sequence[Any], first: int, last: int) -> int:
    """How many more times the calls from `first` to `last` are repeated from `last` on."""
    size = last - first
    turn = keys[first:last]
    turns = 0
    at = last
    while keys[at : at + size] == turn:
        turns += 1
        at += size
    return turns
