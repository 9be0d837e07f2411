"""A second opinion: the vector core again, one lane at a time, in plain Python over a bytearray.

Written from the rules alone (spec 01 sections 1 to 3 and 10) and slow on purpose: every rule is a short line that can
be compared with the specification. It shares no code with the simulator: the two agree only if both follow the rules.
It knows addresses, masks, modes and orders; what a lane computes is a function from raw codes to a raw code.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

ALL_ONES = (1 << 64) - 1
BLOCK = 32
MAX_REPEAT = 255
COUNT_FORM_LOOPS = frozenset({"ascend910"})
COUNT_FORM_COUNTER = frozenset({"ascend310p", "ascend910b", "ascend910_93"})
MASK_IN_REGISTER = COUNT_FORM_LOOPS | COUNT_FORM_COUNTER

LaneOperation = Callable[..., int]
"""Raw codes of the sources -> raw code of the destination."""

Mask = int | tuple[int, int]
"""Number of lanes (contiguous), or two words, low and high (bitwise)."""


def ones(count: int) -> int:
    return (1 << count) - 1


@dataclass(frozen=True)
class Operand:
    """One walk: where it starts, how wide an element is, block and repeat stride in blocks of 32 bytes."""

    address: int
    bits: int
    block_stride: int = 1
    repeat_stride: int = 8

    def place(self, repeat: int, lane: int) -> tuple[int, int]:
        """Byte address of an element, and the bit of that byte at which it starts (section 3.1)."""
        offset = lane * self.bits // 8
        start = self.address + repeat * self.repeat_stride * BLOCK
        return start + offset // BLOCK * self.block_stride * BLOCK + offset % BLOCK, lane * self.bits % 8

    def advanced(self, repeats: int) -> "Operand":
        return replace(self, address=self.address + repeats * self.repeat_stride * BLOCK)


def lanes_per_repeat(operands: Sequence[Operand]) -> int:
    """The widest operand decides (section 1.2)."""
    return 2048 // max(operand.bits for operand in operands)


def dense(operands: Sequence[Operand]) -> list[Operand]:
    """The same operands without holes: the narrow side of a repeat takes fewer than 8 blocks (section 1.2)."""
    lanes = lanes_per_repeat(operands)
    return [replace(o, block_stride=1, repeat_stride=lanes * o.bits // 8 // BLOCK) for o in operands]


def contiguous_words(length: int, bits: int) -> tuple[int, int]:
    """What the register holds after SetMask(length): low word, high word (table 2.2)."""
    if length < 0:
        raise ValueError("a negative mask has no defined result")
    if length == 64:
        return ALL_ONES, 0
    if length == 2048 // bits or length >= 128:
        return ALL_ONES, ALL_ONES
    if length > 64:
        return ALL_ONES, ones(length - 64)
    return ones(length), 0


@dataclass
class Registers:
    low: int = ALL_ONES
    high: int = ALL_ONES
    counter: bool = False


class Machine:
    """One core of one product: memory, mask register and mode; it remembers which bytes were read and written."""

    def __init__(self, product: str, image: bytes, registers: Registers | None = None) -> None:
        self.product = product
        self.memory = bytearray(image)
        self.registers = registers or Registers()
        self.written: set[int] = set()
        self.read: set[int] = set()

    # Calls

    def tiled(
        self,
        lane: LaneOperation,
        operands: Sequence[Operand],
        mask: Mask,
        repeats: int,
        *,
        is_set_mask: bool = True,
        is_cast: bool = False,
    ) -> None:
        """The form with mask, repeat and strides; `operands` has the destination first."""
        counter, low, high = self._resolve(mask, operands, is_set_mask=is_set_mask, is_cast=is_cast)
        self._issue(lane, operands, counter=counter, low=low, high=high, repeats=repeats)

    def count(self, lane: LaneOperation, operands: Sequence[Operand], n: int, *, is_set_mask: bool = True) -> None:
        """The form "first n elements", as the product lowers it (section 2.10; is_set_mask: section 2.6)."""
        operands = dense(operands)
        state = self.registers
        if self.product in COUNT_FORM_LOOPS:
            for chunk, low, high, repeats in self._chunks(operands, n):
                if is_set_mask:
                    state.low, state.high = low, high
                self._issue(lane, chunk, counter=state.counter, low=state.low, high=state.high, repeats=repeats)
        elif self.product not in COUNT_FORM_COUNTER:
            self._issue(lane, operands, counter=True, low=n, high=0, repeats=1)
        elif is_set_mask:
            self._issue(lane, operands, counter=True, low=n, high=0, repeats=1)
            self.registers = Registers()
        else:
            self._issue(lane, operands, counter=state.counter, low=state.low, high=state.high, repeats=1)

    @staticmethod
    def _chunks(operands: Sequence[Operand], n: int) -> Iterator[tuple[list[Operand], int, int, int]]:
        lanes = lanes_per_repeat(operands)
        done, full, tail = 0, n // lanes, n % lanes
        while done < full:
            repeats = min(MAX_REPEAT, full - done)
            yield [o.advanced(done) for o in operands], ALL_ONES, ALL_ONES, repeats
            done += repeats
        if tail:
            yield [o.advanced(done) for o in operands], *contiguous_words(tail, min(o.bits for o in operands)), 1

    # Masks

    def _resolve(
        self, mask: Mask, operands: Sequence[Operand], *, is_set_mask: bool, is_cast: bool
    ) -> tuple[bool, int, int]:
        """Mode, low word and high word that the instruction runs under; leaves the register as the call leaves it."""
        if self.product in MASK_IN_REGISTER:
            return self._resolve_in_register(mask, operands, is_set_mask=is_set_mask)
        if self.product == "ascend310b":
            return self._resolve_310b(mask, is_set_mask=is_set_mask, is_cast=is_cast)
        return self._resolve_950(mask, is_set_mask=is_set_mask)

    def _resolve_in_register(
        self, mask: Mask, operands: Sequence[Operand], *, is_set_mask: bool
    ) -> tuple[bool, int, int]:
        state = self.registers
        if is_set_mask:
            narrow = min(operand.bits for operand in operands)
            state.low, state.high = contiguous_words(mask, narrow) if isinstance(mask, int) else mask
        return state.counter, state.low, state.high

    def _resolve_310b(self, mask: Mask, *, is_set_mask: bool, is_cast: bool) -> tuple[bool, int, int]:
        state = self.registers
        if isinstance(mask, int):  # whatever is_set_mask says; the counter-mode bit is never tested
            return False, *contiguous_words(mask, 16)
        if is_cast:  # the words pass through a scratch buffer
            return False, *mask
        if is_set_mask:
            state.low, state.high = mask
        return False, state.low, state.high

    def _resolve_950(self, mask: Mask, *, is_set_mask: bool) -> tuple[bool, int, int]:
        state = self.registers
        if state.counter:
            given = mask if isinstance(mask, int) else mask[0]
            return True, given if is_set_mask else state.low, 0
        if not is_set_mask:
            return False, state.low, state.high
        if isinstance(mask, int):
            return False, ones(min(mask, 64)), ones(max(min(mask, 128) - 64, 0))
        state.low, state.high = mask
        return False, *mask

    @staticmethod
    def _active(lanes: int, *, counter: bool, low: int, high: int, repeats: int) -> Iterator[list[int]]:
        """The active lanes of each repeat (sections 2.1, 2.8 and 10)."""
        if counter:
            left = low & 0xFFFF_FFFF
            while left > 0:
                yield list(range(min(left, lanes)))
                left -= lanes
        else:
            word = high << 64 | low
            for _ in range(repeats & 0xFF):
                yield [lane for lane in range(lanes) if word >> lane & 1]

    # Execution

    def _issue(
        self, lane: LaneOperation, operands: Sequence[Operand], *, counter: bool, low: int, high: int, repeats: int
    ) -> None:
        """Repeats in order; each reads all its lanes before it writes the first."""
        destination, *sources = operands
        lanes = lanes_per_repeat(operands)
        for repeat, active in enumerate(self._active(lanes, counter=counter, low=low, high=high, repeats=repeats)):
            results = [(k, lane(*(self._load(source, repeat, k) for source in sources))) for k in active]
            for k, code in results:
                self._store(destination, repeat, k, code)

    def _load(self, operand: Operand, repeat: int, lane: int) -> int:
        address, shift = operand.place(repeat, lane)
        size = max(operand.bits // 8, 1)
        self.read.update(range(address, address + size))
        return int.from_bytes(self.memory[address : address + size], "little") >> shift & ones(operand.bits)

    def _store(self, operand: Operand, repeat: int, lane: int, code: int) -> None:
        address, shift = operand.place(repeat, lane)
        size = max(operand.bits // 8, 1)
        if address + size > len(self.memory):
            raise IndexError(f"byte {address + size - 1} lies outside a memory of {len(self.memory)} bytes")
        self.written.update(range(address, address + size))
        old = int.from_bytes(self.memory[address : address + size], "little")
        new = old & ~(ones(operand.bits) << shift) | code << shift
        self.memory[address : address + size] = new.to_bytes(size, "little")
