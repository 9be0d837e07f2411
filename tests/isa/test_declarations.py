"""What every declaration must have, whatever it declares."""

import inspect

import pytest

import ascend_sim
from ascend_sim.api import vector
from isa.families import Shape
from isa.model import ALIASES, TABLE, declare
from isa.products import PRODUCTS

LANE_INSTRUCTIONS = [name for name, i in TABLE.items() if i.family.shape is Shape.LANES]


@pytest.mark.parametrize("name", [*TABLE, *ALIASES])
def test_is_public(name):
    assert name in ascend_sim.__all__
    assert callable(getattr(ascend_sim, name))


@pytest.mark.parametrize("name", LANE_INSTRUCTIONS)
def test_is_exported_once_with_its_own_signature(name):
    function = getattr(vector, name)
    operands = [o.name for o in TABLE[name].family.operands]
    assert list(inspect.signature(function).parameters)[: len(operands)] == operands
    assert TABLE[name].doc in function.__doc__


@pytest.mark.parametrize("instruction", TABLE.values(), ids=TABLE)
def test_is_complete(instruction):
    assert instruction.doc.endswith(".md")
    assert instruction.summary
    assert instruction.types.products()
    assert (instruction.lanes is not None) == (instruction.family.shape in (Shape.LANES, Shape.REPEATS))


OTHER_PROTOTYPE = {  # old names that decide the kind of the reduction, most with the repeat count first
    f"{kind}Reduce{name}" for kind in ("Whole", "Block") for name in ("Sum", "Max", "Min")
} | {"PairReduceSum", "RepeatReduceSum"}


@pytest.mark.parametrize("old", sorted(OTHER_PROTOTYPE))
def test_old_prototype_describes_the_same_page(old):
    assert TABLE[ALIASES[old]].doc in getattr(ascend_sim, old).__doc__


@pytest.mark.parametrize("old", sorted(ALIASES.keys() - OTHER_PROTOTYPE))
def test_old_name_is_the_same_function(old):
    assert getattr(ascend_sim, old) is getattr(ascend_sim, ALIASES[old])


def test_a_name_is_declared_once():
    add = TABLE["Add"]
    with pytest.raises(ValueError, match="'Add' is declared twice"):
        declare("Add", add.family, types=add.types, timing=add.timing, doc=add.doc, summary=add.summary)


def test_products_differ_where_they_should():
    assert [len(TABLE["Add"].types.rows(p)) for p in PRODUCTS.values()] == [3, 4, 4, 4, 4, 13]
