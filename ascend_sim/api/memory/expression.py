"""The operator form: `dst[:] = src0 + src1` is one instruction over whole tensors, without a temporary."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from ascend_sim.api.memory.tensor import LocalTensor


@attrs.frozen(eq=False)
class Expression:
    """Two tensors and an operator, waiting for the destination."""

    symbol: str
    left: "LocalTensor"
    right: "LocalTensor"

    def __bool__(self) -> bool:
        raise TypeError(
            f"`{self.symbol}` of two tensors is an instruction: write `dst[:] = src0 {self.symbol} src1`; "
            "tensors have no truth value"
        )

    def into(self, dst: "LocalTensor") -> None:
        """Execute. The user's line is two frames up: the assignment."""
        function, mode = _functions()[self.symbol]
        if mode is None:
            function(dst, self.left, self.right, dst.length)
        else:
            function(dst, self.left, self.right, mode, self.left.length)


@cache
def _functions() -> dict[str, tuple[Callable[..., None], Any]]:
    """Symbol -> instruction, and the comparison where it is one."""
    # not at the top: instructions import tensors, and tensors make expressions
    from ascend_sim.api.calls.bind import bind  # noqa: PLC0415  (it imports tensors, and tensors this)
    from isa.model import TABLE  # noqa: PLC0415  (as above)
    from isa.params import CMPMODE  # noqa: PLC0415  (as above)

    plain = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "&": "And", "|": "Or"}
    modes = {"<": "LT", ">": "GT", "==": "EQ", "<=": "LE", ">=": "GE", "!=": "NE"}
    compare = bind(TABLE["Compare"], 3)
    return {
        **{symbol: (bind(TABLE[name], 3), None) for symbol, name in plain.items()},
        **{symbol: (compare, CMPMODE[name]) for symbol, name in modes.items()},
    }


def operator(symbol: str) -> Any:
    """A method of LocalTensor."""

    def method(left: "LocalTensor", right: object) -> Any:
        if right.__class__ is not left.__class__:
            return NotImplemented
        return Expression(symbol, left, right)

    return method
