"""DumpTensor and printf: what a kernel prints. No finding, no effect on the kernel."""

from typing import Any

import numpy as np

from ascend_sim.api.context import current_run
from ascend_sim.api.memory.scalar import HalfScalar
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor
from isa.numerics.formats import to_host


def DumpTensor(tensor: "LocalTensor | GlobalTensor", desc: int, dump_size: int) -> None:
    """Print the first `dump_size` elements of a tensor, in AscendC's format; elements that are missing show as "-"."""
    local = isinstance(tensor, LocalTensor)
    values = tensor.numpy() if isinstance(tensor, LocalTensor) else _gm_values(tensor)
    address = tensor.address if isinstance(tensor, LocalTensor) else tensor.offset
    shown = [str(v) for v in values[:dump_size]]
    shown += ["-"] * (dump_size - len(shown))
    position = "UB" if local else "GM"
    print(  # noqa: T201  (a kernel prints)
        f"DumpTensor: desc={desc}, addr={address:x}, data_type={tensor.dtype.host}, position={position}, "
        f"dump_size={dump_size}\n[{', '.join(shown)}]"
    )


def _gm_values(tensor: GlobalTensor) -> Any:
    if tensor.data is None:
        return []
    raw = tensor.data[tensor.offset : tensor.offset + tensor.nbytes]
    return to_host(np.frombuffer(bytearray(raw), tensor.dtype.carrier), tensor.dtype)


def printf(text: str, *values: Any) -> None:
    """C's printf, on the core that runs: `printf("sum %f", s)`. A new line is written when the text says so."""
    current_run()
    given = tuple(float(v) if isinstance(v, HalfScalar) else v for v in values)
    print(text % given if given else text, end="")  # noqa: T201  (a kernel prints)


PRINTF = printf
