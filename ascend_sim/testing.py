"""For the tests of kernels: assertions whose failure is a report.

def test_add(tmp_path):
    npu = NPU()
    report = npu.launch(add_custom, 8, x, y, z, x.size)
    assert_clean(report)
    assert_equal_to_golden(z, x + y)

They raise AssertionError, so they work under any test runner; pytest shows the report alone, without their inside.
"""

from typing import TYPE_CHECKING, Any

from ascend_sim.views.compare import compare
from isa.dtypes import ElementType, half

if TYPE_CHECKING:
    from ascend_sim.checks.finding import Finding

__all__ = ["assert_clean", "assert_equal_to_golden"]


def assert_equal_to_golden(
    out: Any,
    golden: Any,
    dtype: ElementType = half,
    rtol: float | None = None,
    atol: float | None = None,
    *,
    error_ratio: float = 0.0,
    lanes: int | None = None,
) -> None:
    """Fail unless every element of `out` is within the tolerance, with a report of which lanes are wrong.

    out, golden: arrays, LocalTensors, or the bytes of .bin files. rtol, atol: default to those of the AscendC samples
    for `dtype` (`ascend_sim.views.compare.TOLERANCES`). error_ratio: share of wrong elements to accept, 0 by default.
    lanes: elements of a repeat, for the grouping; 256 bytes by default.
    """
    __tracebackhide__ = True
    comparison = compare(out, golden, dtype, rtol=rtol, atol=atol, error_ratio=error_ratio, lanes=lanes)
    if not comparison.passed:
        raise AssertionError(str(comparison))


def assert_clean(report: Any, *, allow: tuple[str, ...] = (), notes: bool = True) -> None:
    """Fail if a launch has an error or a warning, with its findings.

    report: what `npu.launch` returns, or a core of `with npu.core()`. allow: codes that may occur. notes: whether they
    may occur; False makes them a failure too.
    """
    __tracebackhide__ = True
    found: list[Finding] = [f for f in report.findings if f.code not in allow and not (notes and f.severity == "note")]
    if found:
        name = getattr(report, "name", "core")
        lines = [f"{name} has {len(found)} finding{'s' if len(found) != 1 else ''}:", *map(str, found)]
        raise AssertionError("\n".join(lines))
