"""Golden values for every declaration: a declaration without one fails here."""

from pathlib import Path

import numpy as np
import pytest

import ascend_sim
from ascend_sim import NPU, float32, half, uint8_t, uint32_t
from isa.families import Role, Shape
from isa.model import TABLE
from tests.instructions.golden_values import COUNT_FORMS

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("row", COUNT_FORMS, ids=lambda row: row[0])
def test_count_form(row):
    name, product, types, sources, scalars, results = row
    length = len(results[0])
    with NPU(product=product).core() as core:
        outs = [core.alloc(t, length, 0) for t in types[: len(results)]]
        ins = [core.alloc(t, length, v) for t, v in zip(types[len(results) :], sources, strict=True)]
        getattr(ascend_sim, name)(*outs, *ins, *scalars, length)
        for out, wanted in zip(outs, results, strict=True):
            np.testing.assert_allclose(out.numpy().astype(np.float64), wanted, rtol=1e-3)


def test_blocks_and_indices():
    """Brcb, Gather and Scatter: the samples of their pages."""
    with NPU().core() as core:
        x, d = core.alloc(half, 16, range(1, 17)), core.alloc(half, 256)
        ascend_sim.Brcb(d, x, 2, (1, 8))
        assert d.numpy().tolist() == np.repeat(np.arange(1, 17), 16).tolist()
        x, o, d = (
            core.alloc(half, 128, range(128)),
            core.alloc(uint32_t, 128, range(254, -2, -2)),
            core.alloc(half, 128),
        )
        ascend_sim.Gather(d, x, o, 0, 128)
        assert d.numpy().tolist() == list(range(127, -1, -1))
    with NPU(product="ascend950").core() as core:
        x, o, d = (
            core.alloc(half, 128, range(128)),
            core.alloc(uint32_t, 128, range(254, -2, -2)),
            core.alloc(half, 128),
        )
        ascend_sim.Scatter(d, x, o, 0, 128)
        assert d.numpy().tolist() == list(range(127, -1, -1))


def test_patterns_and_interpolation():
    """GatherMask and BilinearInterpolation: the prose examples of their pages."""
    with NPU().core() as core:
        x, d = core.alloc(float32, 256, range(1, 257)), core.alloc(float32, 128)
        assert ascend_sim.GatherMask(d, x, 2, False, 0, (1, 4, 8, 0)) == 128
        assert d.numpy().tolist() == list(range(2, 258, 2))
        p, d = core.alloc(uint32_t, 8, codes=[0x99999999] * 8), core.alloc(float32, 128)
        assert ascend_sim.GatherMask(d, x, p, True, 70, (1, 2, 4, 0)) == 70
        assert d.numpy()[:4].tolist() == [1, 4, 5, 8]
        x, o, w = core.alloc(half, 512, range(1, 513)), core.alloc(uint32_t, 32, range(0, 1024, 32)), range(2, 18)
        w, d, t = core.alloc(half, 16, w), core.alloc(half, 256), core.alloc(uint8_t, 17000)
        ascend_sim.BilinearInterpolation(d, x, o, w, 128, 2, False, 1, 128, 2, t)
        assert d.numpy()[:4].tolist() == [389, 394, 399, 404]
        assert d.numpy()[-1] == 4096


def test_sums_of_blocks():
    """ReduceDataBlock: 60000 + 60000 clamps before -30000 + 100 is added; rounded to half, 35584 (spec 03, C9)."""
    with NPU().core() as core:
        x, d = core.alloc(half, 128, [60000, 60000, -30000, 100, *[0] * 124]), core.alloc(half, 16)
        ascend_sim.ReduceDataBlock(d, x, 128, 1, 1, 1, 8)
        assert d.numpy()[0] == 35584


DOCUMENTED = {
    # calls of the examples in doc_table
    *("Exp", "Ln", "Mull", "Prelu", "Reciprocal", "Rsqrt", "Sqrt", "Add", "AddDeqRelu", "CastDequant", "FusedMulAdd"),
    *("MulAddDst", "MulAddRelu", "MrgSort", "MrgSort4", "ProposalExtract", "ProposalConcat", "RpSort16", "Cast"),
    *("TransDataTo5HD", "Transpose", "Compare", "Compares", "Select", "Gatherb", "Not", "ReducePairElem", "ReduceMax"),
    *("ReduceMin", "ReduceRepeat", "Sort32"),
}
HERE = {"Brcb", "Gather", "Scatter", "GatherMask", "BilinearInterpolation", "ReduceDataBlock"}
ELSEWHERE = {
    # instruction -> file with values that come from outside the project
    "GetCmpMask": "cases/test_instruction_corners.py",
    "SetCmpMask": "cases/test_instruction_corners.py",
    "ReduceSum": "cases/test_instruction_corners.py",
}


def without_golden(table, golden):
    """Instructions with operands in the Unified Buffer that no golden value covers; copies have tests of their own."""
    moves = {name for name, i in table.items() if i.family.shape in (Shape.BURSTS, Shape.REGISTER)}
    return table.keys() - golden - moves


GOLDEN = {row[0] for row in COUNT_FORMS} | DOCUMENTED | HERE | set(ELSEWHERE)


def test_every_declaration_has_a_golden_value():
    assert without_golden(TABLE, GOLDEN) == set()
    assert all((ROOT / file).is_file() for file in ELSEWHERE.values())


def test_a_declaration_without_one_is_found():
    assert without_golden({**TABLE, "Planted": TABLE["Add"]}, GOLDEN) == {"Planted"}


def test_calls_of_the_examples_are_what_they_say():
    text = (ROOT / "instructions" / "doc_examples.py").read_text() + (
        ROOT / "instructions" / "doc_table.py"
    ).read_text()
    old = {"ReducePairElem": "PairReduceSum", "ReduceRepeat": "WholeReduceMax"}
    assert {
        name
        for name in DOCUMENTED
        if f'"{old.get(name, name)}"' not in text and f"a.{old.get(name, name)}(" not in text
    } == set()


def test_written_operands_come_first():
    """What the table of count forms relies on."""
    for name, *_ in COUNT_FORMS:
        roles = [operand.role is Role.READ for operand in TABLE[name].family.operands]
        assert roles == sorted(roles)
