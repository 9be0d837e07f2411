"""Small kernels run under each `check` mode, and what came of them.

A kernel under test is a generator: what stands before its `yield` prepares, what follows is tried. It yields the
tensors, or arrays of global memory, to look at. The line that breaks a rule ends in `# fires`:

    def misaligned(core):
        x = core.alloc(float32, 64, range(64))
        y = core.alloc(float32, 64)
        yield y
        Adds(y, x[1:], 1, 8)  # fires

`fires` runs it in all three modes; `clean` is for its twin that breaks nothing.
"""

import inspect
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ascend_sim import NPU, Finding, KernelError, uint8_t
from isa.products import PRODUCTS

A2 = "ascend910b"
ALL = tuple(PRODUCTS)
FIELDS = frozenset({"instruction", "operand", "core", "repeat", "block", "lane", "address", "alias", "count"})
"""Fields of a finding that a test may ask for."""

Kernel = Callable[[Any], Iterator[Any]]


class Memory(NamedTuple):
    """Everything an instruction can change: its core, and the yielded arrays of global memory."""

    ub: bytes
    written: bytes
    mask: tuple[int, int]
    mode: str
    ctrl: int
    deq_scale: Any
    arrays: tuple[bytes, ...]


class Run(NamedTuple):
    """One execution: the memory when preparation ended and at the end, values of what was yielded, what was found."""

    before: Memory
    after: Memory
    values: list[np.ndarray]
    states: list[np.ndarray]
    error: KernelError | None
    findings: list[Finding]

    @property
    def codes(self) -> list[str]:
        return [finding.code for finding in self.findings]


def memory_of(core: Any, product: str, yielded: tuple[Any, ...]) -> Memory:
    ub = core.alloc(uint8_t, PRODUCTS[product].ub_bytes, addr=0)
    written = ub.lane_states() == "written"
    arrays = tuple(t.tobytes() for t in yielded if isinstance(t, np.ndarray))
    registers = tuple(core.mask), core.mask_mode.name, core.ctrl, core.deq_scale
    return Memory(ub.codes().tobytes(), written.tobytes(), *registers, arrays)


def run(kernel: Kernel, check: str, *, product: str = A2, after: Kernel | None = None, **options: Any) -> Run:
    """One launch of `kernel`; `after` is a kernel that an earlier launch on the same NPU ran."""
    npu = NPU(product=product, check=check, **options)
    if after is not None:
        with npu.core() as core:
            list(after(core))
            assert not [f for f in core.findings if f.severity == "error"]
    error = None
    with npu.core() as core:
        steps = kernel(core)
        yielded = next(steps)
        yielded = yielded if isinstance(yielded, tuple) else (yielded,)
        assert not core.findings, "the preparation must be clean"
        before = memory_of(core, product, yielded)
        try:
            assert list(steps) == []
        except KernelError as caught:
            error = caught
        memory = memory_of(core, product, yielded)
        values = [t.copy() if isinstance(t, np.ndarray) else t.numpy() for t in yielded]
        states = [t.lane_states() for t in yielded if not isinstance(t, np.ndarray)]
    return Run(before, memory, values, states, error, list(core.findings))


def marked_line(kernel: Kernel) -> int:
    """Line of the file that ends in `# fires`."""
    lines, first = inspect.getsourcelines(kernel)
    (line,) = [first + i for i, text in enumerate(lines) if text.rstrip().endswith("# fires")]
    return line


def split_fields(options: dict[str, Any]) -> dict[str, Any]:
    """Take the fields of a finding out of the keywords of a call."""
    return {name: options.pop(name) for name in list(options) if name in FIELDS}


def assert_finding(
    finding: Finding, kernel: Kernel, code: str, severity: str, words: tuple[str, ...], fields: dict[str, Any]
) -> None:
    """`words` must stand in the message or its hint, `fields` are exact."""
    told = f"{finding.message} {finding.hint or ''}"
    assert (finding.code, finding.severity) == (code, severity), told
    assert (finding.file, finding.line) == (kernel.__code__.co_filename, marked_line(kernel)), told
    assert {name: getattr(finding, name) for name in fields} == fields, told
    missing = [word for word in words if word.lower() not in told.lower()]
    assert not missing, f"{missing} not in: {told}"


def fires(kernel: Kernel, code: str, *, words: tuple[str, ...] = (), also: tuple[str, ...] = (), **options: Any) -> Run:
    """`kernel` is refused with an error of this code, before anything changes; "record" goes on; "off" says nothing.

    The keywords of `run` (product, after, ub_fill) pass through, the others are fields of the finding. `also` lists the
    codes of further findings in the "record" run, which is returned: it shows what the hardware would have done.
    """
    fields = split_fields(options)
    strict = run(kernel, "raise", **options)
    assert strict.error is not None, f"{code} was expected, found {strict.findings}"
    assert_finding(strict.error.finding, kernel, code, "error", words, fields)
    assert strict.after == strict.before
    recorded = run(kernel, "record", **options)
    assert recorded.error is None
    assert recorded.codes == [code, *also], recorded.findings
    assert_finding(recorded.findings[0], kernel, code, "error", words, fields)
    silent = run(kernel, "off", **options)
    assert (silent.error, silent.findings) == (None, [])
    assert silent.after == recorded.after
    return recorded


def remarks(kernel: Kernel, code: str, severity: str, *, words: tuple[str, ...] = (), **options: Any) -> Run:
    """`kernel` runs in every mode and gets this warning or note, alone, unless the mode is "off"."""
    fields = split_fields(options)
    outcomes = [run(kernel, check, **options) for check in ("raise", "record", "off")]
    for outcome, expected in zip(outcomes, ([code], [code], []), strict=True):
        assert outcome.error is None, outcome.error
        assert outcome.codes == expected, outcome.findings
        assert outcome.after == outcomes[0].after
    assert_finding(outcomes[0].findings[0], kernel, code, severity, words, fields)
    return outcomes[0]


def refused_in_every_mode(kernel: Kernel, code: str, *, words: tuple[str, ...] = (), **options: Any) -> None:
    """There is nothing that the hardware could do: all three modes raise, and nothing changes."""
    fields = split_fields(options)
    for check in ("raise", "record", "off"):
        outcome = run(kernel, check, **options)
        assert outcome.error is not None, check
        assert_finding(outcome.error.finding, kernel, code, "error", words, fields)
        assert outcome.after == outcome.before


def clean(kernel: Kernel, **options: Any) -> Run:
    """`kernel` breaks no rule and gets no remark; something of it was executed."""
    outcome = run(kernel, "raise", **options)
    assert outcome.error is None, outcome.error
    assert outcome.findings == []
    assert outcome.after != outcome.before
    return outcome
