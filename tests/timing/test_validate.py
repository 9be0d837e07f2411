"""The model against published measurements, and the command that shows it."""

import pytest

from ascend_sim.cli import main
from ascend_sim.timing.points import load
from ascend_sim.timing.validate import THRESHOLDS, validate


@pytest.fixture(scope="module")
def found():
    return validate()


@pytest.mark.parametrize("threshold", THRESHOLDS, ids=lambda t: t.what)
def test_thresholds(found, threshold):
    figure = threshold.figure(found.cases)
    assert figure is not None
    assert threshold.met(figure), figure


def test_no_point_is_dropped(found):
    cases = len({id(c) for c in found.cases})
    assert cases + sum(found.unmapped.values()) >= found.points == len(load())
    assert not any(reason.startswith("unreadable") for reason in found.unmapped)


def test_chosen_and_predicted_points_are_different_rows(found):
    assert {row.chosen for row in found.rows} == {True, False}
    text = str(found)
    assert text.index("no evidence") < text.index("Predicted points") < text.index("Points without a program")


def test_the_bank_scenarios_are_eight_and_within_5_percent(found):
    (row,) = (r for r in found.rows if r.name == "bank scenarios")
    assert len(row.cases) == 8
    assert row.errors[-1] <= 0.05


HEAD = "product,instruction_or_kernel,dtype,config,metric,value,unit,kind,source,notes\n"
GOOD = 'A2,VADD,FP32_FP32_FP32,"repeat=10 elems=640",cycles per instruction,20.03,cycle,x,Ascend/mskpp:g_vecTypeMap,\n'


def test_points_of_a_file(tmp_path, capsys):
    file = tmp_path / "points.csv"
    file.write_text(HEAD + GOOD + "A2,Unheard,of,nothing,some metric,1,cycle,x,somewhere,\n")
    assert main(["validate", "--points", str(file)]) == 0
    text = capsys.readouterr().out
    assert "Points without a program: 1 of 2" in text
    assert "no program stands for it" in text


def test_strict_makes_a_missed_threshold_the_exit_code(tmp_path):
    file = tmp_path / "points.csv"
    file.write_text(HEAD + GOOD.replace("20.03", "90"))
    assert main(["validate", "--points", str(file)]) == 0
    assert main(["validate", "--points", str(file), "--strict"]) == 1
    assert main(["validate", "--points", str(tmp_path / "missing.csv")]) == 2
