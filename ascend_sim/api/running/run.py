"""One block of a launch on one core: checks a program, executes it, records it. What users see as `core`."""

from collections.abc import Callable, Iterable, Sequence
from types import FrameType
from typing import Any, NoReturn

import numpy as np

import isa
from ascend_sim.api.context import user_frame
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor
from ascend_sim.api.numbers import whole
from ascend_sim.api.program import NEVER, Program
from ascend_sim.api.running.core_state import CACHE_LIMIT, HISTORY, CoreState, ProgramKey
from ascend_sim.api.running.meeting import Meeting
from ascend_sim.api.running.neighbours import Neighbours
from ascend_sim.api.running.pipes import Pipes
from ascend_sim.api.running.reporter import Policy, Reporter
from ascend_sim.checks import gm, states
from ascend_sim.checks.aliasing import Aliases
from ascend_sim.checks.finding import Finding
from ascend_sim.checks.leftovers import register_not_reset, unpaired_flag
from ascend_sim.checks.packed import PackedFlags
from ascend_sim.checks.partial_mask import PartialMasks
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue, Space
from ascend_sim.machine.memory import ByteState
from ascend_sim.machine.ordering import V_BIT, S, V
from ascend_sim.machine.registers import ALL_LANES, RESET_DEQ_SCALE, Control, Mask
from ascend_sim.machine.site import Site, site_at
from ascend_sim.machine.work import GmRange, Work
from ascend_sim.trace.provenance import Write, writer_of
from ascend_sim.trace.trace import Entry, Trace
from isa.dtypes import ElementType, element_type, pack_nibbles
from isa.numerics.formats import from_host
from isa.params import MaskMode
from isa.positions import TPosition
from isa.products import BLOCK_BYTES, Product


class CoreRun:
    """A core while one block of a launch runs on it."""

    def __init__(
        self,
        state: CoreState,
        policy: Policy,
        pipes: Pipes,
        *,
        block: int = 0,
        meeting: Meeting | None = None,
        trace_limit: int | None = None,
    ) -> None:
        self.state = state
        state.running = self
        self.machine = state.machine
        self.ub = state.machine.ub
        self.pipes = pipes
        self.ordering = pipes.ordering
        self._inserts_barriers, self.is_late = pipes.auto_sync, pipes.late
        self.block = block
        self.meeting = Meeting(1) if meeting is None else meeting
        self.waits_at, self.waits_in = "", Site("", 0)  # where the block waits for other ones
        self.trace = Trace(block, trace_limit)
        self.programs = state.programs(self.machine.control)
        state.history = [self.trace, *state.history[:HISTORY]]
        self.tensors: list[LocalTensor] = []
        self.at_end: list[Callable[[], Iterable[tuple[Violation, Site]]]] = []  # queues report what they still hold
        self.reporter = Reporter(policy, block, state.history, self.tensors)
        watched = self.meeting.blocks > 1 and (policy.wants("race") or policy.wants("multicore-overlap"))
        self._neighbours = Neighbours(self.meeting, block, self.reporter) if watched else None
        self._looks_for_races = policy.wants("race")
        self.reports_shared_source = policy.wants("event-shared-source")
        self.record = self.trace.records.append  # one tuple a call: see `Record`
        self._next_free = 0
        self._partial = PartialMasks(self.ub.size)
        self._packed = PackedFlags(self.ub.size)
        self._aliases = Aliases(self.ub.size)
        self._trackers = (self._partial, self._packed, self._aliases)
        self._setters: dict[str, tuple[Mask, Site]] = {}

    @property
    def blocks(self) -> int:
        """Blocks of the launch."""
        return self.meeting.blocks

    @property
    def findings(self) -> list[Finding]:
        """What was found so far."""
        return self.reporter.findings

    # Hidden state, readable at any time.

    @property
    def product(self) -> Product:
        return self.machine.product

    @property
    def mask(self) -> tuple[int, int]:
        """The mask register as (low word, high word): the order of `mask[2]` in a bitwise call."""
        return self.machine.mask.low, self.machine.mask.high

    @property
    def mask_mode(self) -> MaskMode:
        """NORMAL (one bit for each lane) or COUNTER (the low word is a number of elements)."""
        return self.machine.control.mode

    @property
    def ctrl(self) -> int:
        """The 64-bit control register as far as it is modelled (saturation bits)."""
        return self.machine.control.ctrl

    @property
    def deq_scale(self) -> float:
        """The scale register: what SetDeqScale stored, or its reset value."""
        scale = self.machine.control.deq_scale
        return RESET_DEQ_SCALE if scale is None else scale

    def set_control(self, control: Control) -> None:
        """Change mask mode, control bits or scale."""
        if control is not self.machine.control:
            self.machine.control = control
            self.programs = self.state.programs(control)

    def remember(self, key: ProgramKey, program: Program) -> None:
        """Keep a program for the next call alike; the oldest quarter goes when the cache is full."""
        programs = self.programs
        if len(programs) >= CACHE_LIMIT:
            for old in list(programs)[: CACHE_LIMIT // 4]:
                del programs[old]
        programs[key] = program

    # Memory.

    def alloc(
        self,
        dtype: ElementType,
        length: int,
        values: Any = None,
        *,
        codes: Any = None,
        addr: int | None = None,
        name: str | None = None,
    ) -> LocalTensor:
        """A tensor of `length` elements at the next free 32-byte address, or at byte `addr`.

        values: what its first elements hold; codes: raw bit patterns instead. Both count as written; without them the
        bytes stay what they were. Raises KernelError `ub-capacity` when it does not fit.
        """
        dtype, length = element_type(dtype), whole(length, "alloc: length")
        addr = None if addr is None else whole(addr, "alloc: addr")
        if dtype.is_nibble and length % 2:
            raise ValueError(f"a tensor of {dtype} has an even number of elements: two share a byte")
        start = self._next_free if addr is None else addr
        nbytes = dtype.bytes_for(length)
        if start < 0 or length < 0 or start + nbytes > self.ub.size:
            self._no_room(dtype, length, start, nbytes, name)
        tensor = LocalTensor(dtype, TPosition.VECCALC, start, length, name=name, core=self.machine)
        if values is not None or codes is not None:
            self._store(tensor, values, codes)
        self._next_free = max(self._next_free, -(-(start + nbytes) // BLOCK_BYTES) * BLOCK_BYTES)
        self.tensors.append(tensor)
        return tensor

    def _store(self, tensor: LocalTensor, values: Any, codes: Any) -> None:
        dtype = tensor.dtype
        if codes is not None:
            raw = np.asarray(codes).astype(dtype.code).reshape(-1)
        else:
            raw = from_host(np.asarray(values).reshape(-1), dtype)
        if raw.size == 1 and tensor.length > 1:
            raw = np.broadcast_to(raw, tensor.length)
        if raw.size > tensor.length:
            raise ValueError(f"{raw.size} values do not fit in a tensor of {tensor.length} elements")
        data = pack_nibbles(raw) if dtype.is_nibble else np.ascontiguousarray(raw).view(np.uint8)
        self.ub.data[tensor.address : tensor.address + data.size] = data
        self.ub.mark(tensor.address, tensor.address + data.nbytes)
        self._partial.written(tensor.address, tensor.address + data.nbytes)
        self._packed.written(tensor.address, tensor.address + data.nbytes)
        self._aliases.given(tensor.address, tensor.address, tensor.address + data.nbytes)

    def _no_room(self, dtype: ElementType, length: int, start: int, nbytes: int, name: str | None) -> NoReturn:
        held = [f"0x{t.address:05X} {t.nbytes} B {t.name or t.dtype}" for t in self.tensors]
        room = max(self.ub.size - max(start, 0), 0)
        self.reporter.refuse(
            Violation(
                code="ub-capacity",
                message=f"{name or 'a tensor'} of {length} {dtype} at 0x{start:05X} needs {nbytes} bytes, "
                f"{self.product.id} has {self.ub.size} bytes of Unified Buffer, {room} of them from there on; buffers "
                f"so far: {', '.join(held) or 'none'}",
                hint=f"At most {room * 8 // dtype.bits} elements of {dtype} fit; work in tiles.",
            ),
            "alloc",
            user_frame(),
        )

    def who_wrote(self, tensor: LocalTensor, index: int, *, before: Entry | None = None) -> Write | None:
        """The instruction, repeat and lane that last wrote element `index`; None when no instruction did.

        Earlier launches on this core count too. before: as things stood before that entry of `core.trace`.
        """
        if not 0 <= whole(index, "who_wrote: index") < tensor.length:
            raise IndexError(f"who_wrote: element {index} of a tensor of {tensor.length} elements")
        return writer_of(self.state.history, tensor.address + tensor.dtype.bytes_for(index), before)

    # Running.

    def play(
        self, program: Program, frame: FrameType, values: tuple[Any, ...] = (), extra: Sequence[Violation] = ()
    ) -> None:
        """Check, execute and record one call that takes effect at once.

        values: what is known only now, such as scalars; extra: what they violate.
        """
        ordering = self.ordering
        if program.pipe != V:
            self._play_scalar(program, frame, values, extra)
            return
        earlier, pending = ordering.vector[program]
        if ordering.watches & V_BIT or (earlier is not None and not self._inserts_barriers):
            extra = self._vector_races(program, earlier, extra)
        if (extra or program.version != self.ub.version) and not self._verify(program, frame, values, extra):
            return
        fenced = earlier is not None and self._inserts_barriers
        call = (program.fenced if fenced else program, frame.f_code, frame.f_lasti, values)
        program.step(*values)
        self.record(call)
        ordering.newest[program] = call
        ordering.vector = pending
        if program.mask is not None or program.control is not None:
            self._set_registers(program)

    def _vector_races(self, program: Program, earlier: Work | None, extra: Sequence[Violation]) -> Sequence[Violation]:
        """`extra` and what a vector program races with. earlier: vector work that it depends on, with no barrier."""
        if not self._looks_for_races:
            return extra
        unordered = None if self._inserts_barriers else earlier
        if unordered is None and not self.ordering.suspects(V, program):
            return extra
        return [*extra, *self.pipes.races(program, unordered=unordered)]

    def _play_scalar(
        self, program: Program, frame: FrameType, values: tuple[Any, ...], extra: Sequence[Violation]
    ) -> None:
        """`play` for the scalar unit's work, and for what is no pipe's: a register write, an instruction on no lane."""
        is_work = program.pipe == S
        if is_work and self._looks_for_races and self.ordering.suspects(S, program):
            extra = [*extra, *self.pipes.races(program)]
        if (extra or program.version != self.ub.version) and not self._verify(program, frame, values, extra):
            return
        call = (program, frame.f_code, frame.f_lasti, values)
        program.step(*values)
        self.record(call)
        if is_work:
            self.ordering.add(S, program, call)
        if program.mask is not None or program.control is not None:
            self._set_registers(program)

    def _set_registers(self, program: Program) -> None:
        if program.mask is not None:
            self.machine.mask = program.mask
        if program.control is not None:
            self.set_control(program.control)

    def play_copy(self, program: Program, frame: FrameType, remote: GlobalTensor) -> None:
        """As `play`, for a copy between the Unified Buffer and `remote`: it may take effect later."""
        memory, offset = remote.memory, remote.offset
        data, array = memory.data, memory.base
        if data is None:
            raise ValueError(f"{program.name}: this GlobalTensor has no memory yet; call SetGlobalBuffer first")
        stop = offset + program.room
        extra: list[Violation] = []
        if stop > remote.stop or offset % program.unit:
            extra += gm.check(program.issues[0], program.unit, program.room, offset, remote.nbytes, data.nbytes)
        touched = (array + offset, array + stop, array, data)
        writes_gm = not program.reads_gm
        ordering, neighbours = self.ordering, self._neighbours
        if (
            (ordering.watches >> program.pipe & 1 or ordering.newest)
            and self._looks_for_races
            and ordering.suspects(program.pipe, program, touched, gm_written=writes_gm)
        ):
            extra += self.pipes.races(program, touched)
        values = (data, offset)
        if (extra or neighbours is not None or program.version != self.ub.version) and not self._admit(
            program, frame, values, touched, extra
        ):
            return
        call = (program, frame.f_code, frame.f_lasti, values)
        self.record(call)
        if self.is_late:
            self.pipes.postpone(program, values)
        else:
            program.step(data, offset)
        ordering.add(program.pipe, program, call, touched, gm_written=writes_gm)
        if neighbours is not None:
            neighbours.done(touched, written=not self.is_late)

    def _admit(
        self, program: Program, frame: FrameType, values: tuple[Any, ...], gm: GmRange, extra: list[Violation]
    ) -> bool:
        """Check a copy, against other blocks too. False: it is not executed."""
        neighbours, place = self._neighbours, (frame.f_code, frame.f_lasti)
        copy = neighbours.copy(program, place) if neighbours is not None else None
        if neighbours is not None and copy is not None and self._looks_for_races:
            extra += neighbours.races(copy, gm)
        runs = (not extra and program.version == self.ub.version) or self._verify(program, frame, values, extra)
        executes = runs and not program.is_blocked
        if neighbours is not None and copy is not None:
            neighbours.begin(copy, gm, executes=executes)
            if not executes:
                neighbours.done(gm, written=False)
        if runs and not executes:
            self.record((program, *place, values))
        return executes

    def note(self, program: Program, frame: FrameType) -> None:
        """Record an issue that moves no data and has no program of its own: SyncAll, an atomic mode, a filler."""
        self.record((program, frame.f_code, frame.f_lasti, ()))

    def _verify(self, program: Program, frame: FrameType, values: Sequence[Any], extra: Sequence[Violation]) -> bool:
        """Report what the call breaks, then mark what it will write. Raises before anything has changed.

        False when the call must not run at all, because only its run-time values show that it leaves memory.
        """
        violations = [*program.violations, *extra]
        issues = [issue for issue in program.issues if issue.accesses]
        late = list(extra)
        if not program.is_blocked:
            for issue in issues:
                violations += states.check(issue, self.ub)
                if self._aliases.overlaps_now(issue):
                    self._aliases.begin((e.issue, e.site) for e in self.trace if e.executed)
                for tracker in self._trackers:
                    if tracker.is_tracking:
                        violations += tracker.check(issue)
                for check in program.value_checks:
                    late += check(issue, self.ub)
            violations += late[len(extra) :]
        if violations:
            self.reporter.report(violations, program.name, issues, frame, values)
        if any(v.blocks for v in late):
            return False
        if not program.is_blocked:
            self._mark(issues, site_at(frame.f_code, frame.f_lasti), program.marks)
        clean = not violations and not program.value_checks and not program.marks
        program.version = self.ub.version if clean else NEVER
        return True

    def _mark(self, issues: Sequence[Issue], site: Site, marks: Sequence[tuple[int, int, ByteState]]) -> None:
        for start, stop, state in marks:
            self.ub.mark(start, stop, state)
        for issue in issues:
            for access in issue.writes if not marks else ():
                if access.space is not Space.GM:
                    states.mark_written(access, self.ub)
            self._packed.executed(issue)
            skipped, moved = self._partial.executed(issue, site), self._aliases.executed(issue, site)
            if skipped or moved:
                self.ub.version += 1  # programs that read these bytes must look again

    # The end.

    def leave(self) -> None:
        """The block is over, with or without an error: its core is free."""
        self.state.flags, self.state.running = self.pipes.flags_left(), None

    def note_setter(self, what: str, frame: FrameType) -> None:
        """The user's own call changed the mask register ("mask") or its mode ("mode")."""
        self._setters[what] = (self.machine.mask, site_at(frame.f_code, frame.f_lasti))

    def finish(self) -> None:
        """The block ends: copies that still wait take effect; what it leaves behind is reported where it came from."""
        for event, number, flag in self.pipes.finish():
            self._left(unpaired_flag(event, number), site_at(*flag[1][1:3]))
        for held in self.at_end:
            for violation, where in held():
                self._left(violation, where)
        control, mask = self.machine.control, self.machine.mask
        left, sites = [], []
        if control.counts and "mode" in self._setters:
            left.append("mask mode COUNTER")
            sites.append(self._setters["mode"][1])
        set_mask, site = self._setters.get("mask", (None, None))
        if site is not None and mask is set_mask and mask != ALL_LANES:
            left.append(f"mask value {mask.count}" if control.counts else f"mask {mask}")
            sites.append(site)
        if left:
            has_mode = self.product in isa.RESET_MASK.types.products()
            self._left(register_not_reset(left, has_mode=has_mode), sites[0])

    def _left(self, violation: Violation, site: Site) -> None:
        self.reporter.warn(violation, "kernel", site)
