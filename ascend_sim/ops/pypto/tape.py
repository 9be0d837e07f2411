"""Programs that are recorded: operators note what they did, so that it can be done again with other data."""

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

import attrs

from ascend_sim.ops.pypto import settings

F = TypeVar("F", bound=Callable[..., Any])
TAPE: "ContextVar[list[Step] | None]" = ContextVar("pypto_tape", default=None)


@attrs.frozen(eq=False)
class Step:
    """One call of an operator: its arguments, its result, the tile shape of that moment."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any]
    result: Any
    tile: tuple[int, ...]

    def again(self) -> None:
        """Call it once more; the tensors that it gave then hold what it gives now."""
        if self.tile:
            settings.set_vec_tile_shapes(*self.tile)
        _take(self.result, self.function(*self.args, **self.options))


def _take(old: Any, new: Any) -> None:
    if isinstance(old, list):
        for one, other in zip(old, new, strict=True):
            _take(one, other)
    elif hasattr(old, "become"):
        old.become(new)


def operation(function: F) -> F:
    """Decorator of an operator: while a program is recorded, its outermost calls are noted."""

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        tape = TAPE.get()
        if tape is None:
            return function(*args, **options)
        token = TAPE.set(None)
        try:
            result = function(*args, **options)
        finally:
            TAPE.reset(token)
        kept = tuple(list(a) if isinstance(a, list) else a for a in args)
        tape.append(Step(function, kept, options, result, settings.get_vec_tile_shapes()))
        return result

    return call  # type: ignore[return-value]  # of the same signature
