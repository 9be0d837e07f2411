"""The user's own name for an operand, found in the frame of the call. Looked up only once something is wrong."""

from collections.abc import Iterable, Sequence
from types import FrameType
from typing import Any

from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor
from ascend_sim.machine.issue import Access, Space


def label(access: Access, values: Sequence[Any], frame: FrameType, known: Iterable[LocalTensor]) -> str:
    """The name in quotes, 'x' or 'x[8:]'; empty when no variable and no named tensor holds the operand."""
    variables = {**frame.f_globals, **frame.f_locals}
    if access.space is Space.GM:
        for name, value in variables.items():
            if isinstance(value, GlobalTensor) and values and value.data is values[0]:
                return _slice(name, (values[1] - value.offset) * 8 // value.dtype.bits)
        return ""
    tensors = [(n, v) for n, v in variables.items() if isinstance(v, LocalTensor)]
    tensors += [(t.name, t) for t in known if t.name is not None]
    exact = [
        n for n, t in tensors if t.address == access.address and t.dtype is access.dtype and t.nbytes == access.nbytes
    ]
    if exact:
        return f"'{exact[-1]}'"
    for name, tensor in tensors:
        inside = tensor.address <= access.address <= tensor.address + tensor.nbytes
        if inside and tensor.dtype is access.dtype and tensor.address == access.origin:
            return _slice(name, (access.address - tensor.address) * 8 // access.dtype.bits)
    return ""


def _slice(name: str, offset: int) -> str:
    return f"'{name}[{offset}:]'" if offset else f"'{name}'"
