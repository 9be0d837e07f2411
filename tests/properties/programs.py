"""Random single-instruction programs, and the two ways to run one: the simulator and the reference."""

import random
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ascend_sim import (
    NPU,
    Adds,
    BinaryRepeatParams,
    MaskMode,
    SetMaskCount,
    SetVectorMask,
    UnaryRepeatParams,
    half,
    uint8_t,
)
from isa.products import PRODUCTS
from tests.properties.operations import ALL, OPERATIONS, Operation, image
from tests.reference import (
    ALL_ONES,
    MASK_IN_REGISTER,
    Machine,
    Mask,
    Operand,
    Registers,
    lanes_per_repeat,
)

FORMS = (
    "count",
    "count, stored",
    "contiguous",
    "bitwise",
    "stored, contiguous",
    "stored, bitwise",
    "counter, contiguous",
    "counter, bitwise",
    "counter, stored",
)


class Program(NamedTuple):
    """One instruction on one product, with everything that decides its result.

    length: elements that each tensor is declared to have, which the walk may leave; start: the registers before it.
    """

    product: str
    operation: Operation
    form: str
    operands: tuple[Operand, ...]
    length: int
    mask: Mask
    repeats: int
    start: Registers

    @property
    def image(self) -> bytes:
        return image(PRODUCTS[self.product].ub_bytes, tame_floats=self.operation.needs_tame_floats)

    @property
    def is_set_mask(self) -> bool:
        return "stored" not in self.form

    @property
    def is_count(self) -> bool:
        return self.form in {"count", "count, stored"}

    def strides(self) -> tuple[int, ...]:
        return tuple(o.block_stride for o in self.operands) + tuple(o.repeat_stride for o in self.operands)


class Outcome(NamedTuple):
    """What an instruction leaves behind."""

    memory: bytes
    written: "set[int]"
    mask: tuple[int, int]
    counter: bool


def random_words(rng: random.Random, *, in_pairs: bool) -> tuple[int, int]:
    """Two mask words: random, sparse, empty or full; `in_pairs` gives neighbouring lanes equal bits."""
    words = []
    for _ in range(2):
        word = rng.choice((rng.getrandbits(64), rng.getrandbits(64) & rng.getrandbits(64), 0, ALL_ONES, 1, 1 << 63))
        if in_pairs:
            word = sum(3 << 2 * i for i in range(32) if word >> 2 * i & 1)
        words.append(word)
    return words[0], words[1]


def random_operands(rng: random.Random, operation: Operation) -> tuple[Operand, ...]:
    """Operands coincide, overlap or lie apart; strides may be 0."""
    bases = [32 * rng.choice((0, 1, 4, 8, 40, rng.randrange(64))) for _ in operation.types]
    if rng.random() < 0.25:
        bases = bases[:1] * len(bases)
    return tuple(
        Operand(base, dtype.bits, rng.choice((0, 1, 1, 1, 2, 3, 9)), rng.choice((0, 1, 2, 4, 8, 8, 8, 16, 17)))
        for base, dtype in zip(bases, operation.types, strict=True)
    )


def random_mask(rng: random.Random, product: str, form: str, lanes: int, *, in_pairs: bool) -> Mask:
    """A mask or a count for this form; a total of at most five repeats, so that every byte stays inside UB."""
    step = 2 if in_pairs else 1
    total = rng.randrange(0, 5 * lanes, step)
    if form in {"count", "count, stored"}:
        return rng.choice((0, lanes, total))
    if form == "counter, contiguous" and product in MASK_IN_REGISTER:  # a bit pattern, read as a number
        return 0 if in_pairs else rng.randrange(1, 9)
    if form == "counter, bitwise" and product != "ascend310b":
        return total, rng.getrandbits(64)
    if "contiguous" in form:
        return rng.choice(
            (0, lanes, lanes, 64, 66, 126, 128, rng.randrange(0, lanes + 1, step), rng.randrange(0, 201, step))
        )
    return random_words(rng, in_pairs=in_pairs)


def random_registers(rng: random.Random, product: str, form: str, lanes: int, *, in_pairs: bool) -> Registers:
    counter = form.startswith("counter")
    if form in {"count", "count, stored"} and product != "ascend910":
        counter = counter or rng.random() < 0.3
    if counter:
        return Registers(rng.randrange(0, 5 * lanes, 2 if in_pairs else 1), rng.getrandbits(64), counter=True)
    return Registers(*random_words(rng, in_pairs=in_pairs))


def forms_of(product: str) -> list[str]:
    """910 has no counter mode."""
    return [form for form in FORMS if product != "ascend910" or not form.startswith("counter")]


def random_program(rng: random.Random, product: str | None = None, form: str | None = None) -> Program:
    product = product or rng.choice(ALL)
    form = form or rng.choice(forms_of(product))
    fitting = [o for o in OPERATIONS if product in o.products and (form != "count, stored" or o.call is Adds)]
    operation = rng.choice(fitting)
    operands = random_operands(rng, operation)
    setting = product, form, lanes_per_repeat(operands)
    return Program(
        product,
        operation,
        form,
        operands,
        length=rng.choice((64, 256, 4096, 4096)),
        mask=random_mask(rng, *setting, in_pairs=operation.has_nibbles),
        repeats=rng.randrange(6) + rng.choice((0, 0, 0, 0, 0, 0, 0, 256)),  # the field has 8 bits
        start=random_registers(rng, *setting, in_pairs=operation.has_nibbles),
    )


def reference(program: Program) -> Outcome:
    """The program on the reference interpreter."""
    machine = Machine(program.product, program.image, Registers(*vars(program.start).values()))
    operation = program.operation
    if program.is_count:
        machine.count(operation.lane, program.operands, program.mask, is_set_mask=program.is_set_mask)
    else:
        machine.tiled(
            operation.lane,
            program.operands,
            program.mask,
            program.repeats,
            is_set_mask=program.is_set_mask,
            is_cast=operation.is_cast,
        )
    after = machine.registers
    return Outcome(bytes(machine.memory), machine.written, (after.low, after.high), after.counter)


def call(program: Program, tensors: "list[Any]") -> None:
    """The instruction of the program, through the public API."""
    operation, strides = program.operation, program.strides()
    keywords = {} if program.is_set_mask else {"is_set_mask": False}
    if program.is_count:
        operation.call(*tensors, *operation.middle, program.mask, **keywords)
        return
    params: tuple[Any, ...] = strides
    if len(tensors) > 1:
        params = (UnaryRepeatParams(*strides) if len(tensors) == 2 else BinaryRepeatParams(*strides),)
    mask = program.mask if isinstance(program.mask, int) else list(program.mask)
    operation.call(*tensors, *operation.middle, mask, program.repeats, *params, **keywords)


def set_registers(registers: Registers) -> None:
    if registers.counter:
        SetMaskCount()
    SetVectorMask(registers.high, registers.low, dtype=half, mode=MaskMode.NORMAL)


@contextmanager
def prepared(program: Program, check: str, *, written: bool):
    """A core whose UB holds the program's image and whose registers are set; `written`: as a kernel's own bytes.

    Gives the core, a view of the whole UB, and the operands' tensors.
    """
    npu = NPU(product=program.product, check=check, ub_fill="zero" if written else program.image)
    size = PRODUCTS[program.product].ub_bytes
    with npu.core() as core:
        codes = {"codes": np.frombuffer(program.image, np.uint8)} if written else {}
        memory = core.alloc(uint8_t, size, addr=0, **codes)
        tensors = [
            core.alloc(dtype, program.length, addr=o.address)
            for dtype, o in zip(program.operation.types, program.operands, strict=True)
        ]
        set_registers(program.start)
        yield core, memory, tensors


def registers_of(core: Any) -> tuple[tuple[int, int], bool]:
    return tuple(core.mask), core.mask_mode is MaskMode.COUNTER


def simulate(program: Program) -> Outcome:
    """The program on the simulator, checks off, so that overlaps and unwritten sources are executed."""
    with prepared(program, "off", written=False) as (core, memory, tensors):
        call(program, tensors)
        written = np.flatnonzero(memory.lane_states() == "written")
        return Outcome(memory.codes().tobytes(), set(written.tolist()), *registers_of(core))


def explain_difference(program: Program, found: Outcome, expected: Outcome) -> str:
    """The first byte that differs, for a readable failure."""
    columns = zip(found.memory, expected.memory, program.image, strict=True)
    for address, (is_now, should_be, was) in enumerate(columns):
        if is_now != should_be:
            return f"{program}\nbyte {address:#x}: was {was:#04x}, is {is_now:#04x}, should be {should_be:#04x}"
    extra, missing = sorted(found.written - expected.written), sorted(expected.written - found.written)
    return f"{program}\nmarked but not written: {extra[:8]}; written but not marked: {missing[:8]}; {found[2:]}"
