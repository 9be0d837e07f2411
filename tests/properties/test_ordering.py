"""Races that the simulator reports, against a second opinion on which calls may touch a byte at the same time.

The second opinion keeps no clocks: it has, for each pipe, the plain set of calls that are over before the pipe's next
one starts, and compares every call with every call before it, byte by byte. It is written from the documented meaning
of pipes, flags and barriers and shares nothing with the simulator.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import ascend_sim
from ascend_sim import NPU, GlobalTensor, float32

Races = set[tuple[str, str]]  # of one call: the pipe of an earlier call, and its own

PIPES = ("S", "V", "MTE2", "MTE3")
UB_END, GM_END = 1024, 512  # in bytes
STARTS = {"t0": 0, "t1": 96, "t2": 256, "g0": 10_000, "g1": 20_000}  # two arrays of global memory, far from the UB
HARMLESS = {"aliased-tensors", "overlap", "partial-mask-repeat", "uninitialised-read"}  # the call is executed


# Programs: calls with the bytes that they touch, flags and barriers


@dataclass(frozen=True)
class Call:
    """A call that touches memory."""

    text: str
    pipe: str
    writes: frozenset[int] = field(repr=False)
    reads: frozenset[int] = field(repr=False)


class Flag(NamedTuple):
    """Sets the flag if it is not set, else waits for it: so every list of steps is a legal program."""

    event: str
    number: int = 0


class Barrier(NamedTuple):
    """PipeBarrier of one pipe, or of ALL."""

    pipe: str


Step = Call | Flag | Barrier


class Place(NamedTuple):
    """A slice of a tensor: from an element to the end."""

    tensor: str
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.tensor}[{self.offset}:]"

    def touched(self, offsets: Iterable[int]) -> frozenset[int]:
        return frozenset(STARTS[self.tensor] + 4 * self.offset + offset for offset in offsets)


def walk(mask: int | list[int], repeats: int, block: int, repeat: int) -> list[int]:
    """Byte offsets of the active float32 lanes; strides in blocks of 32 bytes."""
    bits = (1 << mask) - 1 if isinstance(mask, int) else mask[0]
    lanes = [32 * (k // 8 * block) + 4 * (k % 8) for k in range(64) if bits >> k & 1]
    return [32 * r * repeat + lane + byte for r in range(repeats) for lane in lanes for byte in range(4)]


def chunks(count: int, size: int, pitch: int) -> list[int]:
    return [chunk * pitch + byte for chunk in range(count) for byte in range(size)]


def muls(dst: Place, src: Place, count: int) -> Call:
    spans = [place.touched(range(4 * count)) for place in (dst, src)]
    return Call(f"Muls({dst}, {src}, 2.0, {count})", "V", *spans)


def add(places: Sequence[Place], mask: int | list[int], repeats: int, strides: tuple[int, ...]) -> Call:
    """Add, or Adds where there is one source only. Strides: of blocks for each operand, then those of repeats."""
    count = len(places)
    writes, *reads = (place.touched(walk(mask, repeats, *strides[i::count])) for i, place in enumerate(places))
    start = f"Add({', '.join(map(str, places))}" if count == 3 else f"Adds({places[0]}, {places[1]}, 1.0"
    return Call(f"{start}, {mask}, {repeats}, {strides})", "V", writes, frozenset().union(*reads))


def copy(dst: Place, src: Place, shape: tuple[int, int, int, int]) -> Call:
    count, length, src_gap, dst_gap = shape
    writes = dst.touched(chunks(count, 32 * length, 32 * (length + dst_gap)))
    reads = src.touched(chunks(count, 32 * length, 32 * (length + src_gap)))
    pipe = "MTE2" if src.tensor[0] == "g" else "MTE3" if dst.tensor[0] == "g" else "V"
    return Call(f"DataCopy({dst}, {src}, {shape})", pipe, writes, reads)


def copy_words_out(dst: Place, src: Place, count: int, words: int, gap: int) -> Call:
    """The pieces start at whole blocks in UB, and at any word of global memory."""
    writes = dst.touched(chunks(count, 4 * words, 4 * (words + gap)))
    reads = src.touched(chunks(count, 4 * words, 32 * -(-words // 8)))
    return Call(f"DataCopyPad({dst}, {src}, ({count}, {4 * words}, 0, {4 * gap}, 0))", "MTE3", writes, reads)


def scalar_access(place: Place, index: int, stores: bool) -> Call:
    touched = place.touched(range(4 * index, 4 * index + 4))
    if stores:
        return Call(f"{place}.SetValue({index}, 3.0)", "S", touched, frozenset())
    return Call(f"{place}.GetValue({index})", "S", frozenset(), touched)


FEW, STRIDE, JUMP, MANY = st.integers(1, 2), st.integers(1, 2), st.integers(1, 8), st.integers(1, 40)
LOCAL = st.builds(Place, st.sampled_from(["t0", "t1", "t2"]), st.integers(0, 8).map(lambda blocks: 8 * blocks))
GLOBAL = st.builds(Place, st.sampled_from(["g0", "g1"]), st.integers(0, 24))
MASKS = st.integers(1, 32) | st.integers(1, 2**32 - 1).map(lambda bits: [bits, 0])
SHAPES = st.tuples(FEW, FEW, st.integers(0, 2), st.integers(0, 2))
CALLS = st.one_of(
    st.builds(muls, LOCAL, LOCAL, MANY),
    *(st.builds(add, st.tuples(*[LOCAL] * n), MASKS, FEW, st.tuples(*[STRIDE] * n, *[JUMP] * n)) for n in (2, 3)),
    st.builds(copy, LOCAL, LOCAL | GLOBAL, SHAPES),
    st.builds(copy, LOCAL | GLOBAL, LOCAL, SHAPES),
    st.builds(copy_words_out, GLOBAL, LOCAL, FEW, st.integers(1, 10), st.integers(0, 5)),
    st.builds(scalar_access, LOCAL, MANY, st.booleans()),
)
EVENTS = ["V_V", *("_".join(pair) for pair in permutations(PIPES, 2))]
FLAGS = st.builds(Flag, st.sampled_from(EVENTS), FEW)


def programs(barriers: str) -> st.SearchStrategy[list[Step]]:
    """Calls, halves of flags, whole flags and barriers, in any order; as often many as few."""
    parts: dict[str, st.SearchStrategy[list[Step]]] = {
        "call": CALLS.map(lambda call: [call]),
        "half": FLAGS.map(lambda flag: [flag]),
        "flag": FLAGS.map(lambda flag: [flag, flag]),
        "barrier": st.sampled_from(barriers.split()).map(lambda pipe: [Barrier(pipe)]),
    }
    part = st.sampled_from(["call"] * 6 + ["half"] * 2 + ["flag"] * 2 + ["barrier"]).flatmap(parts.__getitem__)
    lists = st.integers(2, 20).flatmap(lambda size: st.lists(part, min_size=size, max_size=size))
    return lists.map(lambda found: [step for steps in found for step in steps])


# The second opinion


class Oracle:
    """Which calls are surely over when a pipe starts its next one."""

    def __init__(self, *, vector_pipe_waits: bool) -> None:
        self.vector_pipe_waits = vector_pipe_waits
        self.calls: list[Call] = []
        self.over: dict[str, set[int]] = {pipe: set() for pipe in PIPES}  # numbers of calls
        self.flags: dict[Flag, set[int]] = {}
        self.unfinished: dict[int, Call] = {}  # vector instructions since the last barrier, and no flag says more

    def step(self, step: Step) -> Races:
        if isinstance(step, Call):
            return self.call(step)
        if isinstance(step, Barrier):  # of one pipe: it matters only where that pipe does not wait by itself
            self.unfinished = {} if step.pipe in {"V", "ALL"} else self.unfinished
            for over in self.over.values() if step.pipe == "ALL" else ():
                over.update(range(len(self.calls)))
        elif step not in self.flags:
            self.flags[step] = set(self.over[step.event.split("_")[0]])
        else:
            over, target = self.flags.pop(step), step.event.split("_")[1]
            for pipe in PIPES if target == "S" else [target]:  # the scalar unit issues the work of all pipes
                self.over[pipe] |= over
            if target in {"S", "V"}:  # a flag is set when what comes before it has finished
                self.unfinished = {n: call for n, call in self.unfinished.items() if n not in over}
        return set()

    def call(self, call: Call) -> Races:
        """What races with `call`, which is the latest now."""
        unordered = [earlier for n, earlier in enumerate(self.calls) if n not in self.over[call.pipe]]
        races = {(earlier.pipe, call.pipe) for earlier in unordered if conflict(earlier, call)}
        if call.pipe == "V" and not self.vector_pipe_waits:
            if any(conflict(earlier, call) for earlier in self.unfinished.values()):
                races.add(("V", "V"))
                self.unfinished = {}  # the finding asks for a barrier here, which would be enough for what follows
            self.unfinished[len(self.calls)] = call
        self.over[call.pipe].add(len(self.calls))  # for the pipe's own next call, and for flags that it sets
        self.calls.append(call)
        return races


def conflict(one: Call, other: Call) -> bool:
    return bool(one.writes & (other.writes | other.reads) or one.reads & other.writes)


def expected(steps: Sequence[Step], *, vector_pipe_waits: bool = True) -> list[Races]:
    oracle = Oracle(vector_pipe_waits=vector_pipe_waits)
    return [oracle.step(step) for step in steps]


# The simulator

NAMES = ["Add", "Adds", "Muls", "DataCopy", "DataCopyPad"]
NAMES += ["HardEvent", "SetFlag", "WaitFlag", "PipeBarrier", *(f"PIPE_{pipe}" for pipe in (*PIPES, "ALL"))]


def simulated(program: Sequence[Step], turns: int = 1, **options: Any) -> list[Races]:
    """The races of each step. Each is compiled as a file of its own, so that findings tell which steps they mean."""
    found: list[Races] = []
    flags: set[Flag] = set()
    pipes = [step.pipe if isinstance(step, Call) else "" for step in program]
    names = {name: getattr(ascend_sim, name) for name in NAMES}
    with NPU(check="record", ub_fill="zero", **options).core() as core:
        for name, start in STARTS.items():
            if start < UB_END:
                names[name] = core.alloc(float32, (UB_END - start) // 4, addr=start)
            else:
                names[name] = GlobalTensor(float32)
                names[name].SetGlobalBuffer(np.zeros(GM_END // 4, np.float32))
        for number, step in [*enumerate(program)] * turns:
            before = {f.key: f.count for f in core.findings}
            eval(compile(source_of(step, flags), str(number), "eval"), names)
            flags ^= {step} if isinstance(step, Flag) else set()
            fresh = [f for f in core.findings if f.code == "race" and f.count > before.get(f.key, 0)]
            assert {f.file for f in fresh} <= {str(number)}
            found.append({(pipes[int(f.related[0].file)], pipes[number]) for f in fresh})
        assert {f.code for f in core.findings} <= {"race", *HARMLESS}
    return found


def source_of(step: Step, flags: set[Flag]) -> str:
    if isinstance(step, Flag):
        return f"{'WaitFlag' if step in flags else 'SetFlag'}(HardEvent.{step.event}, {step.number})"
    return step.text if isinstance(step, Call) else f"PipeBarrier(PIPE_{step.pipe})"


# Both

T0, T1, G0, BLOCK = Place("t0"), Place("t1"), Place("g0"), (1, 1, 0, 0)
LOAD, USE, STORE = copy(T0, G0, BLOCK), muls(Place("t1", 64), T0, 8), copy(G0, T0, BLOCK)
STORE_BLOCKS, ENTER = copy(G0, T0, (2, 1, 0, 1)), scalar_access(T0, 1, stores=True)
KNOWN: dict[str, tuple[list[Step], Races]] = {
    "nothing orders them": ([LOAD, USE], {("MTE2", "V")}),
    "a flag orders them": ([LOAD, *[Flag("MTE2_V")] * 2, USE], set()),
    "a flag of the wrong direction": ([LOAD, *[Flag("V_MTE2")] * 2, USE], {("MTE2", "V")}),
    "a flag set too early": ([Flag("MTE2_V"), LOAD, Flag("MTE2_V"), USE], {("MTE2", "V")}),
    "a barrier of all pipes": ([LOAD, Barrier("ALL"), USE], set()),
    "a barrier of one pipe": ([LOAD, Barrier("MTE2"), USE], {("MTE2", "V")}),
    "two reads": ([USE, STORE], set()),
    "a read, then a write": ([USE, LOAD], {("V", "MTE2")}),
    "known through a third pipe": ([LOAD, *[Flag("MTE2_V")] * 2, *[Flag("V_MTE3")] * 2, STORE], set()),
    "a wait of the scalar unit": ([LOAD, *[Flag("MTE2_S")] * 2, USE], set()),
    "what the scalar unit did itself": ([ENTER, *[Flag("V_S")] * 2, USE], {("S", "V")}),
    "a masked lane": ([ENTER, add([T1, T0], [5, 0], 1, (1, 1, 8, 8))], set()),
    "a block between strides": ([copy(T0, G0, (2, 1, 0, 1)), muls(T1, Place("t0", 8), 8)], set()),
    "a hole that a copy leaves in global memory": ([STORE_BLOCKS, copy(T1, Place("g0", 8), BLOCK)], set()),
}


@pytest.mark.parametrize("name", KNOWN)
def test_both_are_right_where_the_answer_is_known(name: str) -> None:
    program, races = KNOWN[name]
    assert expected(program) == [set()] * (len(program) - 1) + [races]
    for dma in ("eager", "late"):
        assert simulated(program, dma=dma) == expected(program)


def test_a_vector_pipe_that_does_not_wait_needs_barriers() -> None:
    first, second, third = muls(T1, T0, 8), muls(Place("t2"), T1, 8), muls(Place("t2", 64), T1, 8)
    with_barrier: list[Step] = [first, Barrier("V"), second, third]
    for program, races in (
        ([first, second, third], [set(), {("V", "V")}, set()]),  # the barrier that `second` lacks would do for `third`
        (with_barrier, [set()] * 4),
        ([first, *[Flag("V_V")] * 2, second], [set()] * 4),
        ([first, *[Flag("V_S")] * 2, second], [set()] * 4),
        ([first, *[Flag("V_MTE3")] * 2, second], [set()] * 3 + [{("V", "V")}]),
    ):
        assert simulated(program, auto_sync=False) == expected(program, vector_pipe_waits=False) == races
        assert simulated(program) == expected(program) == [set()] * len(program)


def check(product: str, auto_sync: bool, program: list[Step], turns: int) -> None:
    wanted = expected(program * turns, vector_pipe_waits=auto_sync or product == "ascend950")
    for dma in ("eager", "late"):
        assert simulated(program, turns, product=product, auto_sync=auto_sync, dma=dma) == wanted, dma


MACHINES = pytest.mark.parametrize(
    ("product", "auto_sync", "barriers"),
    [("ascend910b", True, "V MTE2 ALL"), ("ascend910b", False, "V V MTE3 ALL"), ("ascend950", False, "MTE2 ALL")],
)


@MACHINES
@settings(max_examples=40)
@given(data=st.data(), turns=st.integers(1, 2))
def test_random_programs(product: str, auto_sync: bool, barriers: str, data: st.DataObject, turns: int) -> None:
    check(product, auto_sync, data.draw(programs(barriers)), turns)


@MACHINES
@settings(max_examples=20)
@given(data=st.data())
def test_long_programs_forget_what_they_need_not_tell_apart(
    product: str, auto_sync: bool, barriers: str, data: st.DataObject
) -> None:
    with patch("ascend_sim.machine.ordering.MANY", 2), patch("ascend_sim.machine.ordering.Span._many", 1):
        check(product, auto_sync, data.draw(programs(barriers)), 3)


def test_a_kernel_without_barriers_keeps_few_spans() -> None:
    loop = [LOAD, *[Flag("MTE2_V")] * 2, USE, *[Flag("V_MTE2")] * 2]
    with NPU(trace=10).core() as core:
        t0, t1, g0 = core.alloc(float32, 64), core.alloc(float32, 128), GlobalTensor(float32)
        g0.SetGlobalBuffer(np.zeros(128, np.float32))
        names = {**{name: getattr(ascend_sim, name) for name in NAMES}, "t0": t0, "t1": t1, "g0": g0}
        flags: set[Flag] = set()
        for step in loop * 1000:
            eval(source_of(step, flags), names)
            flags ^= {step} if isinstance(step, Flag) else set()
        spans = [span for spans in core.ordering._spans for span in spans]
    assert len(spans) < 150
    assert sum(map(len, spans)) < 150
    assert sum(len(span.in_gm) for span in spans) < 400


@pytest.mark.exhaustive
@MACHINES
@settings(max_examples=1000)
@given(data=st.data(), turns=st.integers(1, 2))
def test_many_random_programs(product: str, auto_sync: bool, barriers: str, data: st.DataObject, turns: int) -> None:
    check(product, auto_sync, data.draw(programs(barriers)), turns)
