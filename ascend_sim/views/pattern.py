"""Where wrong elements lie: the same lane, block or repeat, a tail, a stride. In sentences, the most telling first."""

from collections.abc import Iterator

import attrs
import numpy as np

from isa.numerics.rules import Array

MANY = 6
"""More numbers than this are abridged."""


def describe(indices: Array, size: int, *, lanes: int, per_block: int, values: Array, golden: Array) -> tuple[str, ...]:
    """Sentences about the wrong elements `indices` of `size`, which lie `lanes` to a repeat, `per_block` to a block."""
    if not indices.size:
        return ()
    wrong = Wrong(indices, size, lanes, min(per_block, lanes))
    return (*wrong.sentences(), *_about_values(values[indices], golden[indices]))


@attrs.frozen
class Wrong:
    """Wrong elements, seen as lanes of repeats of blocks. A repeat is `lanes` elements, the last one may be partial."""

    indices: Array
    size: int
    lanes: int
    per_block: int

    @property
    def repeats(self) -> int:
        return -(-self.size // self.lanes)

    def sentences(self) -> Iterator[str]:
        if self.indices.size == self.size:
            yield f"all {self.size} elements"
            return
        told = [*self._range(), *self._lane(), *self._repeat(), *self._tail()]
        yield from told or self._spread()

    def _range(self) -> Iterator[str]:
        """They are neighbours, or equally far apart."""
        first, last, count = int(self.indices[0]), int(self.indices[-1]), self.indices.size
        if count == 1:
            yield f"element {first}: {self._place(first)}"
        elif count == last - first + 1:
            if last == self.size - 1:
                yield f"from element {first} on, to the end ({self._place(first)})"
            else:
                yield f"elements {first} to {last}, all of them ({self._place(first)})"
        elif count > 2:
            step = int(np.gcd.reduce(np.diff(self.indices)))
            if step > 1 and step != self.lanes:
                every = "each one" if count == len(range(first % step, self.size, step)) else f"from {first} to {last}"
                yield f"all at {step}k+{first % step}, {every}"

    def _lane(self) -> Iterator[str]:
        """They are in one lane, or one block, of the repeats; with one repeat that says nothing."""
        if self.repeats < 2 or self.indices.size < 2:
            return
        lanes = np.unique(self.indices % self.lanes)
        blocks = np.unique(lanes // self.per_block)
        repeats = np.unique(self.indices // self.lanes)
        if repeats.size < 2:
            return
        if lanes.size == 1:
            yield f"all at {self.lanes}k+{int(lanes[0])}: lane {int(lanes[0])} in {self._of(repeats)}"
        elif blocks.size == 1 and self.lanes > self.per_block:
            whole = lanes.size == self.per_block
            which = "every lane of it" if whole else f"lanes {_numbers(lanes)}"
            yield f"all in block {int(blocks[0])} in {self._of(repeats)}: {which}"
        elif lanes.size == lanes[-1] - lanes[0] + 1 and lanes.size < self.lanes:
            yield f"all in lanes {int(lanes[0])} to {int(lanes[-1])} in {self._of(repeats)}"

    def _of(self, repeats: Array) -> str:
        if repeats.size == self.repeats:
            return "each repeat"
        if repeats.size == self.repeats - 1 and repeats[-1] == self.repeats - 2:
            return "each repeat but the last"
        if repeats.size == self.repeats - 1 and repeats[0] == 1:
            return "each repeat but the first"
        return f"{repeats.size} of {self.repeats} repeats ({_numbers(repeats)})"

    def _repeat(self) -> Iterator[str]:
        if self.repeats < 2:
            return
        repeats = np.unique(self.indices // self.lanes)
        if repeats.size == 1:
            number = int(repeats[0])
            last = ", the last repeat" if number == self.repeats - 1 else ""
            start = number * self.lanes
            stop = min(start + self.lanes, self.size)
            whole = "all" if self.indices.size == stop - start else f"{self.indices.size}"
            yield f"all in repeat {number}{last}: {whole} of its {stop - start} elements"
        elif repeats.size < self.repeats and repeats.size == repeats[-1] - repeats[0] + 1:
            end = ", the last ones" if repeats[-1] == self.repeats - 1 else ""
            yield f"all in repeats {int(repeats[0])} to {int(repeats[-1])}{end}, of {self.repeats}"

    def _tail(self) -> Iterator[str]:
        """They are past the last whole repeat, or the last whole block."""
        first = int(self.indices[0])
        for unit, length in (("block", self.per_block), ("repeat", self.lanes)):
            start = self.size // length * length
            if start < self.size and first >= start > 0:
                yield f"all in the tail: the {self.size - start} elements after the last whole {unit}"
                return

    def _spread(self) -> Iterator[str]:
        repeats = np.unique(self.indices // self.lanes)
        counts = np.bincount(self.indices % self.lanes, minlength=self.lanes)
        used, top = int((counts > 0).sum()), int(counts.argmax())
        most = f"; most often in lane {top} ({int(counts[top])} of {self.indices.size})" if counts[top] > 1 else ""
        yield f"spread over {used} of {self.lanes} lanes and {repeats.size} of {self.repeats} repeats{most}"

    def _place(self, index: int) -> str:
        lane = index % self.lanes
        return f"repeat {index // self.lanes}, block {lane // self.per_block}, lane {lane}"


def _numbers(numbers: Array) -> str:
    """`0, 1, 2` or `0-15` or `0, 4, 8, ... 60`."""
    first, last = int(numbers[0]), int(numbers[-1])
    if numbers.size > 2 and numbers.size == last - first + 1:
        return f"{first}-{last}"
    if numbers.size <= MANY:
        return ", ".join(str(int(n)) for n in numbers)
    return ", ".join(str(int(n)) for n in numbers[:3]) + f", ... {last}"


def _about_values(values: Array, golden: Array) -> Iterator[str]:
    """What the wrong values have in common."""
    if values.size < 2:
        return
    with np.errstate(all="ignore"):
        if np.isnan(values).all():
            yield "all of them are NaN in the output"
        elif (values == values[0]).all():
            yield f"all of them are {values[0]!s} in the output"
        elif values.dtype.kind == "f" and (values == -golden).all():
            yield "all of them have the wrong sign and are right otherwise"
