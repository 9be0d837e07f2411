"""`# ascend-sim: ignore`: findings that a comment on the user's line silences."""

import textwrap

import pytest

from ascend_sim import NPU, Adds, Finding, KernelError, MaskMode, Report, SetVectorMask, float32, half, int64_t
from ascend_sim.api.running.report import OBSERVERS
from ascend_sim.checks.suppress import is_suppressed
from ascend_sim.machine.site import Site


def findings(use, check="record", dtype=half) -> list[Finding]:
    """What a launch says in which `use(x)` adds to a tensor that nothing wrote."""
    with NPU(check=check).core() as core:
        use(core.alloc(dtype, 64))
    return core.findings


def codes(use, **options) -> list[str]:
    return [finding.code for finding in findings(use, **options)]


def test_a_bare_comment_silences_every_code():
    def use(x):
        Adds(x, x[1:], 1, 16)  # ascend-sim: ignore

    assert codes(use) == []


def test_without_a_comment_it_fires():
    def use(x):
        Adds(x, x[1:], 1, 16)  # ascend-sim ignores nothing here

    assert codes(use)[0] == "alignment"


@pytest.mark.parametrize("check", ["raise", "record"])
def test_what_is_silenced_does_not_raise_and_the_launch_is_clean(check):
    reports: list[Report] = []
    OBSERVERS.append(reports.append)
    try:
        with NPU(check=check).core() as core:
            x = core.alloc(half, 64)
            Adds(x, x, 1, 16)  # ascend-sim: ignore[uninitialised-read]
    finally:
        OBSERVERS.pop()
    assert core.findings == []
    assert reports[0].is_clean
    assert x.lane_states()[0] == "written"  # it was executed all the same


def test_named_codes_leave_the_others():
    def named(x):
        Adds(x, x, 1, 16)  # ascend-sim: ignore[stale-read,uninitialised-read]

    def other(x):
        Adds(x, x, 1, 16)  # ascend-sim: ignore[stale-read]

    def typing_error(x):
        Adds(x, x, 1, 16)  # ascend-sim: ignore[uninitialized-read]

    assert codes(named) == []
    assert codes(other) == codes(typing_error) == ["uninitialised-read"]


def test_the_line_above_is_another_line():
    def use(x):
        # ascend-sim: ignore
        Adds(x, x, 1, 16)

    assert codes(use) == ["uninitialised-read"]


def test_any_line_of_a_long_call():
    def first(x):
        Adds(  # ascend-sim: ignore
            x,
            x,
            1,
            16,
        )

    def last(x):
        Adds(
            x,
            x,
            1,
            16,
        )  # ascend-sim: ignore

    assert codes(first) == codes(last) == []


def test_the_head_of_a_block_does_not_silence_its_body():
    def use(x):
        for _ in range(1):  # ascend-sim: ignore
            Adds(x, x, 1, 16)

    assert codes(use) == ["uninitialised-read"]


def test_a_text_that_looks_like_the_comment_is_none():
    def use(x):
        _ = "# ascend-sim: ignore", Adds(x, x, 1, 16)

    assert codes(use) == ["uninitialised-read"]


def test_codes_that_always_raise_cannot_be_silenced():
    def use(x):
        Adds(x, x, 1, 16)  # ascend-sim: ignore

    with pytest.raises(KernelError, match="unsupported-dtype"):
        findings(use, dtype=int64_t)


def test_findings_of_the_end_are_silenced_at_the_line_that_they_name():
    def ends_with(comment):
        with NPU().core() as core:
            if comment:
                SetVectorMask(3, dtype=float32, mode=MaskMode.NORMAL)  # ascend-sim: ignore[register-not-reset]
            else:
                SetVectorMask(3, dtype=float32, mode=MaskMode.NORMAL)
        return [f.code for f in core.findings]

    assert ends_with(comment=False) == ["register-not-reset"]
    assert ends_with(comment=True) == []


def test_a_file_that_changed_is_read_again(tmp_path):
    path = tmp_path / "kernel.py"
    path.write_text("x = 1\n")
    assert not is_suppressed(Site(str(path), 1), "alignment")
    path.write_text("x = 12  # ascend-sim: ignore\n")
    assert is_suppressed(Site(str(path), 1), "alignment")


def test_source_that_is_missing_or_no_python_silences_what_can_be_read(tmp_path):
    assert not is_suppressed(Site(str(tmp_path / "missing.py"), 1), "alignment")
    path = tmp_path / "cell.py"
    path.write_text(
        textwrap.dedent("""\
        x = 1  # ascend-sim: ignore[alignment]
        ?magic ' (
    """)
    )
    assert is_suppressed(Site(str(path), 1), "alignment")
    assert not is_suppressed(Site(str(path), 2), "alignment")
