"""The bug museum: each script shows a fault, what is found, and the same kernel without it."""

import importlib.util
import sys

import pytest

from tests.guards import ROOT

FOLDER = ROOT / "examples" / "museum"
SCRIPTS = sorted(FOLDER.glob("[!_]*.py"))
MAX_LINES = 45


@pytest.fixture(params=SCRIPTS, ids=lambda p: p.stem)
def exhibit(request, monkeypatch):
    """The imported script, with its folder on the path as when it is run."""
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location(request.param.stem, request.param)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("_show", None)


def test_there_are_enough():
    assert len(SCRIPTS) >= 12


def test_the_broken_kernel_is_found_and_the_fixed_one_is_clean(exhibit, capsys):
    exhibit.show(exhibit.broken, exhibit.fixed, exhibit.CODE)
    out = capsys.readouterr().out
    broken, fixed = out.split("\nbroken:\n")[1].split("fixed:\n")
    assert f": {exhibit.CODE}" in broken
    assert exhibit.__file__ in broken
    assert fixed.endswith("no findings\n")


def test_a_wrong_expectation_is_told(exhibit, capsys):
    with pytest.raises(SystemExit, match="expected made-up"):
        exhibit.show(exhibit.broken, exhibit.fixed, "made-up")
    with pytest.raises(SystemExit, match=f"expected {exhibit.CODE}"):
        exhibit.show(exhibit.fixed, exhibit.fixed, exhibit.CODE)


def test_is_short_and_tells_its_case(exhibit):
    text = (FOLDER / f"{exhibit.__name__}.py").read_text()
    assert len(text.splitlines()) < MAX_LINES
    assert exhibit.__doc__.startswith(exhibit.__name__[:3].upper() + ": ")
