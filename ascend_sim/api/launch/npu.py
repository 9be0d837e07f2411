"""The simulated NPU: its cores, the launch of kernels on them, and a core for interactive use."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, Token
from functools import partial
from typing import Any

import numpy as np

from ascend_sim.api.context import RUNNING, current_run
from ascend_sim.api.control.cross_core import never
from ascend_sim.api.launch import overrides
from ascend_sim.api.memory.tensor import GmAddress
from ascend_sim.api.running.core_state import CoreState
from ascend_sim.api.running.meeting import Meeting
from ascend_sim.api.running.pipes import Pipes, orders_vector
from ascend_sim.api.running.report import OBSERVERS, Report
from ascend_sim.api.running.reporter import Policy
from ascend_sim.api.running.run import CoreRun
from ascend_sim.api.running.tasks import run_all
from ascend_sim.checks.codes import CODES
from ascend_sim.checks.finding import KernelError
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.core import Core
from ascend_sim.machine.memory import Fill
from ascend_sim.machine.registers import FLOAT_INF_NAN, GLOBAL_SATURATION, INT_SATURATE, Control
from ascend_sim.machine.vector_order import VectorOrder
from isa.products import Arch, Product, product

ACTIVE: "ContextVar[NPU]" = ContextVar("ascend_sim_npu")

_CHECKS = ("raise", "record", "off")
_FLOAT_MODES = {"register": 0, "saturate": 0, "inf_nan": FLOAT_INF_NAN}
_INT_MODES = {"register": 0, "wrap": 0, "saturate": INT_SATURATE}
_HYBRID = ("literal", "exact_guard")


def _one_of(name: str, value: Any, allowed: Iterable[str]) -> Any:
    if value not in allowed:
        raise ValueError(f"{name}={value!r}: write one of {', '.join(map(repr, allowed))}")
    return value


class NPU:
    """One simulated NPU.

    product: one of the six product ids.
    check: "raise" stops at the user's line, before anything changes, with a KernelError for the first error; "record"
      keeps findings and goes on as the hardware would; "off" does the same without findings. Default "raise".
    ub_fill: what the Unified Buffer holds at power-on: "pattern" (seeded pseudo-random bytes, the default), "zero",
      "nan", or a bytes-like image of its size. seed: of that pattern. Default 0.
    dma: "eager" (a copy takes effect at once, the default) or "late" (when a wait, a barrier or the end demands it).
    auto_sync: the compiler's PipeBarrier(PIPE_V) between dependent vector instructions is inserted. Default True.
    float_mode: "register" (the register's reset value, the default) | "saturate" | "inf_nan"; int_mode: "register" |
      "saturate" | "wrap". They are the initial bits of the control register.
    hybrid_policy: of CAST_HYBRID, "literal" (default) or "exact_guard".
    keep_registers: mask, mode and flags survive from launch to launch. Default False.
    suppress, enable: finding codes switched off or on.
    trace: keep the trace of each launch (True, the default), at most so many calls (an int), or none (False).
    """

    def __init__(
        self,
        product: str = "ascend910b",
        *,
        check: str = "raise",
        ub_fill: Any = "pattern",
        seed: int = 0,
        dma: str = "eager",
        auto_sync: bool = True,
        float_mode: str = "register",
        int_mode: str = "register",
        hybrid_policy: str = "literal",
        keep_registers: bool = False,
        suppress: Iterable[str] = (),
        enable: Iterable[str] = (),
        trace: bool | int = True,
    ) -> None:
        self.product: Product = _product(product)
        self.policy = Policy(
            check=_one_of("check", check, _CHECKS),
            suppress=overrides.suppressed(_codes(suppress)),
            enable=overrides.enabled(_codes(enable)),
        )
        self.keep_registers = keep_registers
        self._dma = _one_of("dma", dma, ("eager", "late"))
        self._auto_sync = auto_sync
        self._trace_limit = {True: None, False: 0}.get(trace, trace) if isinstance(trace, bool) else trace
        self._fill = Fill(ub_fill if isinstance(ub_fill, str) else bytes(ub_fill), seed)
        self._control = Control(
            ctrl=_FLOAT_MODES[_one_of("float_mode", float_mode, _FLOAT_MODES)]
            | _INT_MODES[_one_of("int_mode", int_mode, _INT_MODES)]
            | (GLOBAL_SATURATION if self.product.arch is Arch.A3510 else 0),
            hybrid_policy=_one_of("hybrid_policy", hybrid_policy, _HYBRID),
        )
        self._cores: dict[int, CoreState] = {}
        self._tokens: list[Token[NPU]] = []
        self._fill.bytes_for(self.product.ub_bytes, 0)  # a wrong image is refused now, not at the first launch

    def __repr__(self) -> str:
        return f"<NPU {self.product.id}, check={self.policy.check!r}>"

    def _core(self, index: int) -> CoreState:
        if index not in self._cores:
            needed = orders_vector(self.product, auto_sync=self._auto_sync)
            order = VectorOrder(is_needed=needed, heeds_flags=not self._auto_sync)
            self._cores[index] = CoreState(Core(self.product, index, self._fill, self._control), order)
        return self._cores[index]

    def reset(self) -> None:
        """Power-on again: every Unified Buffer holds its fill, registers are reset, caches and traces are gone."""
        self._cores.clear()

    def _begin(self, block: int, meeting: Meeting) -> CoreRun:
        state = self._core(block % self.product.vector_cores)
        if state.running is not None and meeting is state.running.meeting:
            raise _no_core_for(block, state.running)
        state.machine.begin_block(keep_registers=self.keep_registers)
        left = state.flags if self.keep_registers else {}
        pipes = Pipes(state.vector_order, auto_sync=self._auto_sync, late=self._dma == "late", left=left)
        return CoreRun(state, self.policy, pipes, block=block, meeting=meeting, trace_limit=self._trace_limit)

    @contextmanager
    def core(self) -> Iterator[CoreRun]:
        """Core 0 for interactive use: one launch of one block, from `with` to its end."""
        run = self._begin(0, Meeting(1))
        report = Report("core", [run])
        token = RUNNING.set(run)
        try:
            yield run
            run.finish()
        except KernelError as error:
            error.report = report
            raise
        finally:
            run.leave()
            RUNNING.reset(token)
            _observe(report)

    def launch(self, kernel: Callable[..., None], blocks: int, *args: Any) -> Report:
        """Run `kernel` as `blocks` blocks, block i on core i modulo the product's vector cores, in index order.

        args: numpy arrays are GM, changed in place (C-contiguous and writable); other values are scalars. Under
        check="raise" the first error ends the launch; the KernelError carries the report of what ran until then.
        """
        if blocks < 1:
            raise ValueError(f"a launch has at least one block, not {blocks}")
        function = getattr(kernel, "function", kernel)
        name = getattr(function, "__name__", "kernel")
        given = [GmAddress(a) if isinstance(a, np.ndarray) else a for a in args]
        runs: list[CoreRun] = []
        meeting = Meeting(blocks)

        def body(block: int) -> None:
            run = self._begin(block, meeting)
            runs.append(run)
            token = RUNNING.set(run)
            try:
                result = function(*given)
                run.finish()
            finally:
                run.leave()
                RUNNING.reset(token)
            if result is not None:
                warnings.warn(f"{name} returned {result!r}; a kernel returns nothing", stacklevel=4)

        def deadlock(waiting: Sequence[int]) -> KernelError:
            run = runs[waiting[0]]
            others = f"; {len(waiting) - 1} more blocks wait" if len(waiting) > 1 else ""
            return run.reporter.error(never(run.waits_at + others), "launch", run.waits_in)

        try:
            run_all([partial(body, block) for block in range(blocks)], deadlock)
        except KernelError as error:
            error.report = Report(name, runs)
            raise
        finally:
            report = Report(name, runs)
            _observe(report)
        return report

    def __enter__(self) -> "NPU":  # noqa: PYI034  (typing.Self is younger than Python 3.10)
        self._tokens.append(ACTIVE.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        ACTIVE.reset(self._tokens.pop())


def _no_core_for(block: int, running: CoreRun) -> KernelError:
    """The core of this block still runs another one, which waits for it."""
    product = running.product
    violation = Violation(
        code="deadlock",
        message=f"block {block} has no core: core {block % product.vector_cores} runs block {running.block}, which "
        f"waits at {running.waits_at} for blocks that cannot start",
        hint=f"{product.id} has {product.vector_cores} vector cores: launch at most so many blocks that wait for each "
        "other.",
    )
    return running.reporter.error(violation, "launch", running.waits_in)


def _product(name: object) -> Product:
    return name if isinstance(name, Product) else product(str(name))


def _codes(codes: Iterable[str]) -> frozenset[str]:
    names = frozenset([codes] if isinstance(codes, str) else codes)
    unknown = sorted(names - CODES.keys())
    if unknown:
        raise ValueError(f"unknown finding codes {', '.join(unknown)}; the codes are {', '.join(CODES)}")
    return names


def _observe(report: Report) -> None:
    for observer in OBSERVERS:
        observer(report)


def active_npu() -> NPU:
    """The NPU of the innermost `with npu:`; RuntimeError when there is none."""
    try:
        return ACTIVE.get()
    except LookupError:
        raise RuntimeError(
            "no NPU is active: write `with NPU():` around the call, or npu.launch(kernel, blocks, ...)"
        ) from None


def GetBlockIdx() -> int:
    """Index of this block in its launch."""
    return current_run().block


def GetBlockNum() -> int:
    """Number of blocks of this launch."""
    return current_run().blocks
