"""The `ascend-sim` command: what it prints and its exit codes."""

import textwrap

import pytest

from ascend_sim.cli import main


def script(tmp_path, body):
    path = tmp_path / "script.py"
    path.write_text("from ascend_sim import *\n" + textwrap.dedent(body))
    return str(path)


CLEAN = """
    with NPU().core() as core:
        x = core.alloc(half, 16, 1)
        Adds(x, x, 1, 16)
"""
MISALIGNED = """
    with NPU({arguments}).core() as core:
        x = core.alloc(half, 32, 1)
        Adds(x, x[1:], 1, 16)
        print("went on")
"""


def test_a_clean_script(tmp_path, capsys):
    assert main(["run", script(tmp_path, CLEAN)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 launch, 5 issues: 0 errors, 0 warnings, 0 notes"


def test_listing(tmp_path, capsys):
    assert main(["run", "--listing", script(tmp_path, CLEAN)]) == 0
    assert "Adds  half  1 repeat, first 16 of 128 lanes  dst 0x00000 blk 1 rep 8" in capsys.readouterr().out


def test_an_error_stops_the_script_and_is_the_exit_code(tmp_path, capsys):
    assert main(["run", script(tmp_path, MISALIGNED.format(arguments=""))]) == 1
    out, err = capsys.readouterr()
    assert "went on" not in out
    assert "script.py:5: error: alignment (ErrorRead4): Adds src 'x[1:]': UB address 0x0002" in out
    assert out.splitlines()[-1] == "1 launch, 0 issues: 1 error, 0 warnings, 0 notes"
    assert err.startswith("stopped: ")


def test_recorded_errors_are_the_exit_code_too(tmp_path, capsys):
    assert main(["run", script(tmp_path, MISALIGNED.format(arguments="check='record'"))]) == 1
    assert "went on" in capsys.readouterr().out


def test_a_script_that_fails_is_not_a_finding(tmp_path, capsys):
    assert main(["run", script(tmp_path, "1 / 0")]) == 2
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert main(["run", str(tmp_path / "missing.py")]) == 2


def test_the_script_sees_its_arguments_and_its_exit_code_counts(tmp_path):
    path = script(tmp_path, "import sys\nsys.exit(int(sys.argv[1]))")
    assert main(["run", path, "3"]) == 3
    assert main(["run", path, "0"]) == 0


def test_help_is_help(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    assert "run a kernel script" in capsys.readouterr().out
