"""Numbers that users give: what is none is refused where it enters, by the name of the parameter."""

import operator
from typing import Any, SupportsIndex, TypeGuard

import numpy as np

PLAIN = frozenset({int, float})
"""Classes that need no second look."""

_CONVERSIONS = ("__float__", "__index__", "__complex__")


def is_index(value: object) -> TypeGuard[SupportsIndex]:
    """It stands for a whole number, as numpy's integers do."""
    try:
        operator.index(value)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        return False
    return True


def whole(value: Any, what: str) -> int:
    """`value` as an int. Raises TypeError for what is no whole number, a bool included. what: "GetValue: index"."""
    if value.__class__ is int:
        return value
    if not isinstance(value, (bool, np.bool_)):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{what} is a whole number, not {value!r}")


def size(value: Any, what: str) -> int:
    """`value` as a number of things. Raises ValueError when it is negative."""
    found = whole(value, what)
    if found < 0:
        raise ValueError(f"{what} is at least 0, not {found}")
    return found


def number(value: Any, what: str) -> Any:
    """`value`, which must convert to a float, an integer or a complex number. Raises TypeError for what does not."""
    kind = type(value)
    if isinstance(value, np.ndarray) or not any(hasattr(kind, name) for name in _CONVERSIONS):
        raise TypeError(f"{what} is a number, not {value!r}")
    return value
