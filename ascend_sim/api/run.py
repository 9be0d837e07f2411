"""One block of a launch on one core: checks a program, executes it, records it. What users see as `core`."""

from collections.abc import Sequence
from types import FrameType
from typing import Any, NoReturn

import attrs
import numpy as np

import isa
from ascend_sim.api.names import label, user_frame
from ascend_sim.api.program import NEVER, Program
from ascend_sim.api.tensor import LocalTensor
from ascend_sim.checks import states
from ascend_sim.checks.codes import CODES, alias
from ascend_sim.checks.finding import Finding, KernelError
from ascend_sim.checks.partial_mask import PartialMasks
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.core import Core
from ascend_sim.machine.issue import Issue, Space
from ascend_sim.machine.registers import ALL_LANES, RESET_DEQ_SCALE, Control, Mask
from ascend_sim.machine.site import Site, site_at
from ascend_sim.trace.provenance import Write, writer_of
from ascend_sim.trace.trace import Entry, Trace
from isa.dtypes import ElementType, element_type, pack_nibbles
from isa.numerics.formats import from_host
from isa.params import MaskMode
from isa.positions import TPosition
from isa.products import BLOCK_BYTES, Product

CACHE_LIMIT = 4096  # programs of one core and control state
HISTORY = 8  # traces of earlier launches that "who wrote this byte" can reach


@attrs.frozen(kw_only=True)
class Policy:
    """What to do with findings. check: "raise" | "record" | "off"; suppress, enable: codes."""

    check: str = "raise"
    suppress: frozenset[str] = frozenset()
    enable: frozenset[str] = frozenset()

    def wants(self, code: str) -> bool:
        """A finding of this code is reported."""
        if self.check == "off" or code in self.suppress:
            return False
        return CODES[code].enabled or code in self.enable


_GM = Space.GM

ProgramKey = tuple[Any, ...]
ProgramCache = dict[ProgramKey, Program]


class CoreState:
    """What survives launches: the machine core, its programs, the traces of the last launches."""

    def __init__(self, machine: Core) -> None:
        self.machine = machine
        self.caches: dict[Control, ProgramCache] = {}
        self.history: list[Trace] = []

    def programs(self, control: Control) -> ProgramCache:
        """Programs made under this control state."""
        return self.caches.setdefault(control, {})


class CoreRun:
    """A core while one block of a launch runs on it."""

    def __init__(
        self, state: CoreState, policy: Policy, *, block: int = 0, blocks: int = 1, trace_limit: int | None = None
    ) -> None:
        self.state = state
        self.machine = state.machine
        self.ub = state.machine.ub
        self.policy = policy
        self.block = block
        self.blocks = blocks
        self.findings: list[Finding] = []
        self.trace = Trace(block, trace_limit)
        self.programs = state.programs(self.machine.control)
        self._record = self.trace.append if trace_limit != 0 else None
        self._by_key: dict[object, Finding] = {}
        self._next_free = 0
        self._tensors: list[LocalTensor] = []
        self._partial = PartialMasks(self.ub.size)
        self._setters: dict[str, tuple[Mask, Site]] = {}
        state.history = [self.trace, *state.history[:HISTORY]]

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
        dtype = element_type(dtype)
        if dtype.is_nibble and length % 2:
            raise ValueError(f"a tensor of {dtype} has an even number of elements: two share a byte")
        start = self._next_free if addr is None else addr
        nbytes = dtype.bytes_for(length)
        if start < 0 or length < 0 or start + nbytes > self.ub.size:
            self._no_room(dtype, length, start, nbytes, name)
        tensor = LocalTensor(dtype, TPosition.VECCALC, start, length, name=name, core=self.machine)
        self._next_free = max(self._next_free, -(-(start + nbytes) // BLOCK_BYTES) * BLOCK_BYTES)
        self._tensors.append(tensor)
        if values is not None or codes is not None:
            self._store(tensor, values, codes)
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
        self.ub.mark(tensor.address, tensor.address + data.size)
        self._partial.written(tensor.address, tensor.address + data.size)

    def _no_room(self, dtype: ElementType, length: int, start: int, nbytes: int, name: str | None) -> NoReturn:
        held = [f"0x{t.address:05X} {t.nbytes} B {t.name or t.dtype}" for t in self._tensors]
        room = max(self.ub.size - max(start, 0), 0)
        self.refuse(
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
        return writer_of(self.state.history, tensor.address + tensor.dtype.bytes_for(index), before)

    # Running.

    def play(self, program: Program, frame: FrameType, *values: Any, extra: Sequence[Violation] = ()) -> None:
        """Check, execute and record one call. extra: violations that depend on the run-time values."""
        is_checked = program.version == self.ub.version and not extra
        if not is_checked and not self._verify(program, frame, values, extra):
            return
        program.step(*values)
        if self._record is not None:
            self._record((program, frame.f_code, frame.f_lasti, values))
        if program.mask is not None:
            self.machine.mask = program.mask
        if program.control is not None:
            self.set_control(program.control)

    def _verify(self, program: Program, frame: FrameType, values: Sequence[Any], extra: Sequence[Violation]) -> bool:
        """Report what the call breaks, then mark what it will write. Raises before anything has changed.

        False when the call must not run at all, because only its run-time values show that it leaves memory.
        """
        violations = [*program.violations, *extra]
        issues = [issue for issue in program.issues if issue.accesses]
        if not program.is_blocked:
            for issue in issues:
                violations += states.check(issue, self.ub)
                violations += self._partial.check(issue)
                for check in program.value_checks:
                    violations += check(issue, self.ub)
        if violations:
            self.report(violations, program.name, issues, frame, values)
        if any(v.blocks for v in extra):
            return False
        if not program.is_blocked:
            self._mark(issues, site_at(frame.f_code, frame.f_lasti))
        clean = not violations and not program.value_checks
        program.version = self.ub.version if clean else NEVER
        return True

    def _mark(self, issues: Sequence[Issue], site: Site) -> None:
        for issue in issues:
            for access in issue.writes:
                if access.space is not _GM:
                    states.mark_written(access, self.ub)
            if self._partial.executed(issue, site):
                self.ub.version += 1  # programs that read the skipped bytes must look again

    # Findings.

    def report(
        self,
        violations: Sequence[Violation],
        instruction: str,
        issues: Sequence[Issue],
        frame: FrameType,
        values: Sequence[Any] = (),
    ) -> None:
        """Add findings for `violations` of a call; under check="raise" the first error raises."""
        accesses = {a.operand.name: a for a in issues[0].accesses} if issues else {}
        for violation in violations:
            if not self.policy.wants(violation.code):
                continue
            access = accesses.get(violation.operand or "")
            name = label(access, values, frame, self._tensors) if access is not None else ""
            finding = self._add(violation, instruction, name, site_at(frame.f_code, frame.f_lasti))
            if finding.is_error and self.policy.check == "raise":
                raise KernelError(finding)

    def refuse(self, violation: Violation, instruction: str, frame: FrameType) -> NoReturn:
        """Raise `violation` whatever the policy: there is no sensible way to go on."""
        raise KernelError(self._add(violation, instruction, "", site_at(frame.f_code, frame.f_lasti)))

    def _add(self, violation: Violation, instruction: str, name: str, site: Site) -> Finding:
        subject = " ".join(part for part in (instruction, violation.operand, name) if part)
        finding = Finding(
            code=violation.code,
            severity=CODES[violation.code].severity.value,
            message=f"{subject}: {violation.message}. {violation.hint}",
            instruction=instruction,
            operand=violation.operand,
            core=self.block,
            repeat=violation.repeat,
            block=violation.block,
            lane=violation.lane,
            address=violation.address,
            file=site.file,
            line=site.line,
            related=self._related(violation),
            hint=violation.hint,
            alias=alias(violation.code, writes=violation.writes),
        )
        known = self._by_key.setdefault(finding.key, finding)
        if known is finding:
            self.findings.append(finding)
        else:
            known.count += 1
        return known

    def _related(self, violation: Violation) -> tuple[Site, ...]:
        if violation.related is not None:
            return (violation.related,)
        if violation.code in ("stale-read", "uninitialised-read", "pad-read") and violation.address is not None:
            write = writer_of(self.state.history, violation.address)
            if write is not None:
                return (attrs.evolve(write.entry.site, text=f"last written by {write.name} {write.operand}"),)
        if violation.code.startswith("out-of-bounds") and self.mask_mode is MaskMode.COUNTER:
            for entry in reversed(list(self.trace)):
                if entry.issue.mask is not None and not entry.accesses:
                    return (attrs.evolve(entry.site, text=f"mask set by {entry.name}"),)
        return ()

    def note_setter(self, what: str, frame: FrameType) -> None:
        """The user's own call changed the mask register ("mask") or its mode ("mode")."""
        self._setters[what] = (self.machine.mask, site_at(frame.f_code, frame.f_lasti))

    def finish(self) -> None:
        """The block ends: what it leaves in the registers is reported, at the line that set it."""
        left, machine = [], self.machine
        mask, mask_site = self._setters.get("mask", (ALL_LANES, None))
        sites = []
        if machine.control.counts and "mode" in self._setters:
            left.append("mask mode COUNTER")
            sites.append(self._setters["mode"][1])
        if mask_site is not None and machine.mask is mask and mask != ALL_LANES:
            left.append(f"mask value {mask.count}" if machine.control.counts else f"mask {mask}")
            sites.append(mask_site)
        if left and self.policy.wants("register-not-reset"):
            violation = Violation(
                code="register-not-reset",
                message=f"the block ends with {', '.join(left)}",
                hint=f"End with {self._remedy()}: the next kernel on this core inherits the registers",
            )
            self._add(violation, "kernel", "", sites[0])

    def _remedy(self) -> str:
        if self.product in isa.RESET_MASK.types.products():
            return "SetMaskNorm() and ResetMask()"
        return "SetVectorMask(2**64 - 1, 2**64 - 1)"
