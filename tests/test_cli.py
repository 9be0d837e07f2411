"""The `ascend-sim` command: what it prints and its exit codes."""

import json
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
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


# Reports for machines

NOISY = """
    print("the script's own words")
    with NPU(check="record").core() as core:
        x, y, z = core.alloc(half, 64, 1), core.alloc(half, 64), core.alloc(half, 64)
        Adds(y, x[1:], 1, 16)
        Adds(y, z, 1, 16)
"""


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_a_document_is_alone_on_stdout(tmp_path, capsys, form):
    assert main(["run", script(tmp_path, NOISY), "--format", form]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)
    assert err == "the script's own words\n"


def test_a_junit_document_too(tmp_path, capsys):
    assert main(["run", "--format=junit", script(tmp_path, NOISY)]) == 1
    out, err = capsys.readouterr()
    assert ET.fromstring(out).find("testsuite/testcase/failure").get("type") == "alignment"
    assert err == "the script's own words\n"


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "text"])
def test_a_document_in_a_file_leaves_the_text_on_stdout(tmp_path, capsys, form):
    path, output = script(tmp_path, NOISY), tmp_path / "new" / "report"
    assert main(["run", path, "--format", form, "--output", str(output)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("the script's own words\n")
    assert out.endswith("2 errors, 0 warnings, 0 notes\n")
    text = output.read_text()
    assert "alignment" in text
    assert "own words" not in text


def test_an_output_that_cannot_be_written(tmp_path, capsys):
    assert main(["run", script(tmp_path, CLEAN), "--output", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert "0 errors" in out
    assert "cannot write" in err


def test_a_script_that_fails_still_has_a_document(tmp_path, capsys):
    assert main(["run", script(tmp_path, CLEAN + "\n    1 / 0"), "--format", "json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["failure"] == "ZeroDivisionError: division by zero"
    assert document["summary"]["launches"] == 1


def test_an_error_that_stops_the_script_is_in_the_document(tmp_path, capsys):
    assert main(["run", script(tmp_path, MISALIGNED.format(arguments="")), "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["failure"] is None
    assert [f["code"] for f in document["launches"][0]["findings"]] == ["alignment"]


# Codes switched off and on


def codes(capsys) -> list[str]:
    document = json.loads(capsys.readouterr().out)
    return [f["code"] for launch in document["launches"] for f in launch["findings"]]


def test_suppress_applies_to_every_npu(tmp_path, capsys):
    path = script(tmp_path, NOISY * 2)
    assert main(["run", path, "--format", "json", "--suppress", "alignment"]) == 1
    assert codes(capsys) == ["uninitialised-read"] * 2
    everything = ["--suppress", "alignment", "--suppress", "uninitialised-read"]
    assert main(["run", path, "--format", "json", *everything]) == 0
    assert codes(capsys) == []
    assert main(["run", path, "--format", "json"]) == 1  # nothing of it is left behind
    assert len(codes(capsys)) == 4


def test_enable_goes_over_what_the_script_says(tmp_path, capsys):
    path = script(tmp_path, NOISY.replace('"record"', '"record", suppress="alignment"'))
    assert main(["run", path, "--format", "json"]) == 1
    assert codes(capsys) == ["uninitialised-read"]
    assert main(["run", path, "--format", "json", "--enable", "alignment"]) == 1
    assert codes(capsys) == ["alignment", "uninitialised-read"]


def test_a_code_that_is_off_can_be_enabled(tmp_path, capsys):
    flags = """
        with NPU().core():
            for event in (HardEvent.V_MTE2, HardEvent.V_MTE3):
                SetFlag(event, EVENT_ID0)
            for event in (HardEvent.V_MTE2, HardEvent.V_MTE3):
                WaitFlag(event, EVENT_ID0)
    """
    assert main(["run", script(tmp_path, flags), "--format", "json", "--enable", "event-shared-source"]) == 0
    assert codes(capsys) == ["event-shared-source"]


def test_a_code_that_does_not_exist_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["run", script(tmp_path, CLEAN), "--suppress", "made-up"])
    assert stop.value.code == 2
    assert "'made-up' is no finding code" in capsys.readouterr().err


def test_a_comment_silences_a_line(tmp_path, capsys):
    body = NOISY.replace("Adds(y, x[1:], 1, 16)", "Adds(y, x[1:], 1, 16)  # ascend-sim: ignore[alignment]")
    assert main(["run", script(tmp_path, body), "--format", "json"]) == 1
    assert codes(capsys) == ["uninitialised-read"]


def test_max_errors_shows_fewer_and_counts_all(tmp_path, capsys):
    assert main(["run", script(tmp_path, NOISY), "--max-errors", "1"]) == 1
    out = capsys.readouterr().out
    assert out.count(": error: ") == 1
    assert "... 1 error more" in out
    assert "2 errors, 0 warnings" in out


# verify


def files(tmp_path, out, golden) -> list[str]:
    for name, values in (("out.bin", out), ("golden.bin", golden)):
        values.tofile(tmp_path / name)
    return ["verify", str(tmp_path / "out.bin"), str(tmp_path / "golden.bin")]


def test_verify_files_that_are_equal(tmp_path, capsys):
    values = np.arange(100, dtype=np.float16)
    assert main([*files(tmp_path, values, values), "--dtype", "half"]) == 0
    assert capsys.readouterr().out == "equal: 100 of 100 half match within rtol 0.001, atol 1e-05\n"


def test_verify_files_that_are_not(tmp_path, capsys):
    golden = np.arange(1, 1025, dtype=np.float16)
    out = golden.copy()
    out[63::64] = 0
    assert main([*files(tmp_path, out, golden), "--dtype", "half", "--lanes", "64", "--show", "1"]) == 1
    told = capsys.readouterr().out
    assert "NOT equal: 1008 of 1024 half" in told
    assert "all at 64k+63: lane 63 in each repeat" in told
    assert told.count("golden") == 1


@pytest.mark.parametrize(("name", "shown"), [("float", "float32"), ("float32", "float32"), ("int32", "int32_t")])
def test_verify_knows_the_names_of_cpp_and_numpy(tmp_path, capsys, name, shown):
    values = np.ones(8, np.int32)
    assert main([*files(tmp_path, values, values), "--dtype", name]) == 0
    assert f"8 of 8 {shown} match" in capsys.readouterr().out


def test_verify_with_a_tolerance(tmp_path):
    call = [*files(tmp_path, np.full(8, 1.1, np.float32), np.ones(8, np.float32)), "--dtype", "float32"]
    assert main([*call, "--tolerance", "0.2,0"]) == 0
    assert main([*call, "--tolerance", "0.01,0.01"]) == 1
    assert main([*call, "--error-ratio", "1"]) == 0


def test_verify_sizes_that_differ_are_not_equal(tmp_path, capsys):
    assert main([*files(tmp_path, np.ones(8, np.float16), np.ones(9, np.float16)), "--dtype", "half"]) == 1
    assert "sizes differ" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options", [["--dtype", "quarter"], ["--tolerance", "x"], ["--lanes", "0"], ["--error-ratio", "2"]]
)
def test_verify_called_wrongly(tmp_path, options):
    call = files(tmp_path, np.ones(8, np.float16), np.ones(8, np.float16))
    with pytest.raises(SystemExit) as stop:
        main([*call, *options])
    assert stop.value.code == 2


def test_verify_a_file_that_is_missing(tmp_path, capsys):
    assert main(["verify", str(tmp_path / "none.bin"), str(tmp_path / "none.bin")]) == 2
    assert "cannot read" in capsys.readouterr().err


def test_the_module_is_the_command(tmp_path):
    call = [sys.executable, "-m", "ascend_sim", *files(tmp_path, np.ones(8, np.float16), np.ones(8, np.float16))]
    done = subprocess.run(call, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("equal: 8 of 8 half")
