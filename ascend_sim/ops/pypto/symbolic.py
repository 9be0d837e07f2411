"""Loops, conditions and sizes. Programs are unrolled as they are read, so a symbolic scalar is an int that is known."""

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from ascend_sim.ops.pypto.errors import FeError


class SymInt(int):
    """An integer with the methods of a symbolic scalar; arithmetic keeps them."""

    def min(self, other: int) -> "SymInt":
        return SymInt(int(self) if self < other else other)

    def max(self, other: int) -> "SymInt":
        return SymInt(int(self) if self > other else other)

    def concrete(self) -> int:
        """The value; it is always known here."""
        return int(self)

    def is_concrete(self) -> bool:
        return True

    def __add__(self, other: int) -> "SymInt":
        return SymInt(int(self) + int(other))

    __radd__ = __add__

    def __sub__(self, other: int) -> "SymInt":
        return SymInt(int(self) - int(other))

    def __rsub__(self, other: int) -> "SymInt":
        return SymInt(int(other) - int(self))

    def __mul__(self, other: int) -> "SymInt":
        return SymInt(int(self) * int(other))

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> "SymInt":
        return SymInt(int(self) // int(other))

    def __mod__(self, other: int) -> "SymInt":
        return SymInt(int(self) % int(other))


SymbolicScalar = SymInt


def symbolic_scalar(value: Any) -> SymInt:
    """A size as a symbolic scalar."""
    return SymInt(int(value))


def smaller(first: int, second: int) -> SymInt:
    """The smaller of two sizes: `pypto.min`."""
    return SymInt(min(second, first))


def larger(first: int, second: int) -> SymInt:
    """The larger of two sizes: `pypto.max`."""
    return SymInt(max(second, first))


def ceildiv(dividend: int, divisor: int) -> SymInt:
    """The quotient of two sizes, rounded up."""
    return SymInt(-(-int(dividend) // int(divisor)))


def cond(expression: Any) -> bool:
    """A condition on sizes and indices."""
    return bool(expression)


def _bounds(name: str, given: Sequence[Any]) -> tuple[int, int, int]:
    def refuse(kind: str) -> NoReturn:
        raise FeError(TypeError(f"{name}() takes stop, or start, stop and an optional step, {kind}"))

    if not 1 <= len(given) <= 3:
        refuse(f"not {len(given)} arguments")
    if not all(hasattr(g, "__index__") for g in given):
        refuse("all of them integers")
    numbers = [int(g) for g in given]
    if len(numbers) == 1:
        return 0, numbers[0], 1
    start, stop, step = (*numbers, 1)[:3]
    return start, stop, step


class _Index(SymInt):
    """A loop index that knows whether it is the first or the last."""

    is_first = False
    is_last = False


def loop(*bounds: Any, **options: Any) -> Iterator[SymInt]:
    """Indices of a loop; the bounds are those of `range`.

    options: name, idx_name, unroll_list, submit_before_loop and parallel, none of which changes a result.
    """
    del options
    numbers = range(*_bounds("loop", bounds))
    return _indices(numbers)


def _indices(numbers: "range") -> Iterator[SymInt]:
    for place, number in enumerate(numbers):
        index = _Index(number)
        index.is_first, index.is_last = place == 0, place == len(numbers) - 1
        yield index


def is_loop_begin(index: Any) -> bool:
    """The index is that of the first iteration."""
    return bool(getattr(index, "is_first", False))


def is_loop_end(index: Any) -> bool:
    """The index is that of the last iteration."""
    return bool(getattr(index, "is_last", False))


def loop_unroll(*bounds: Any, unroll_list: Sequence[int] = (1,), **options: Any) -> Iterator[tuple[SymInt, int]]:
    """Index and factor: of each factor, from the largest down, as many steps as fit."""
    del options
    start, stop, step = _bounds("loop_unroll", bounds)
    factors = sorted({int(f) for f in unroll_list} | {1}, reverse=True)
    return _unrolled(start, stop, step, factors)


def _unrolled(start: int, stop: int, step: int, factors: Sequence[int]) -> Iterator[tuple[SymInt, int]]:
    for factor in factors:
        while start + (factor - 1) * step < stop:
            yield SymInt(start), factor
            start += factor * step
