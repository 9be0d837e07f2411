"""Where operators run: the active NPU, its products, and the error of a tile that does not fit."""

import functools
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from ascend_sim.api.context import user_frame
from ascend_sim.api.launch.npu import ACTIVE, NPU
from ascend_sim.checks.codes import CODES
from ascend_sim.checks.finding import Finding, KernelError
from ascend_sim.machine.site import site_at
from isa.params import DataCopyParams, limits
from isa.products import BLOCK_BYTES, Product

MAX_BURSTS = limits(DataCopyParams)["block_count"].high
MAX_UNITS = limits(DataCopyParams)["block_len"].high

_DEFAULT: list[NPU] = []
SHAPES_ONLY: "ContextVar[bool]" = ContextVar("shapes_only", default=False)
"""Operators check and say what their results look like, but launch nothing: a program is recorded."""


def operator_npu() -> NPU:
    """The NPU of the innermost `with npu:`; without one, a default NPU that lives as long as the process."""
    npu = ACTIVE.get(None)
    if npu is not None:
        return npu
    if not _DEFAULT:
        _DEFAULT.append(NPU())
    return _DEFAULT[0]


def named(name: str, kernel: Callable[..., None]) -> Callable[..., None]:
    """The kernel under the operator's name, which reports show."""

    @functools.wraps(kernel)
    def under_its_name(*args: Any) -> None:
        kernel(*args)

    under_its_name.__name__ = name
    return under_its_name


def align(value: int, unit: int) -> int:
    """`value`, rounded up to a multiple of `unit`."""
    return -(-value // unit) * unit


def aligned_bytes(nbytes: int) -> int:
    """Room that a buffer takes in the Unified Buffer."""
    return align(nbytes, BLOCK_BYTES)


def require_capacity(
    operator: str,
    product: Product,
    tile: Sequence[int],
    needs: "Callable[[tuple[int, ...]], Mapping[str, int]]",
    unit: int = 1,
) -> None:
    """Refuse a tile whose buffers exceed the Unified Buffer. needs: bytes of each buffer for a tile.

    unit: the last axis of the tile that is proposed is a multiple of it, unless it is the one given.
    """
    buffers = needs(tuple(tile))
    if sum(buffers.values()) <= product.ub_bytes:
        return
    listed = ", ".join(f"{name} {nbytes} B" for name, nbytes in buffers.items())
    best = largest_tile(tile, lambda t: sum(needs(t).values()) <= product.ub_bytes, unit)
    hint = f"The largest tile that fits: {best}." if best else "No tile fits: the last axis cannot be cut this way."
    frame = user_frame()
    site = site_at(frame.f_code, frame.f_lasti)
    message = (
        f"{operator}: tile {tuple(tile)} needs {sum(buffers.values())} bytes of Unified Buffer, {product.id} has "
        f"{product.ub_bytes}: {listed}. {hint}"
    )
    raise KernelError(
        Finding(
            code="ub-capacity",
            severity=CODES["ub-capacity"].severity.value,
            message=message,
            instruction=operator,
            file=site.file,
            line=site.line,
            hint=hint,
        )
    )


def largest_tile(
    tile: Sequence[int], fits: "Callable[[tuple[int, ...]], bool]", unit: int = 1
) -> tuple[int, ...] | None:
    """The largest tile inside `tile` that fits, cut from the first axis on."""
    if fits(tuple(tile)):
        return tuple(tile)
    for axis, extent in enumerate(tile):
        head, tail = (1,) * axis, tuple(tile[axis + 1 :])
        step = unit if axis == len(tile) - 1 else 1
        low, high = 0, extent // step
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits((*head, middle * step, *tail)) else (low, middle - 1)
        if low:
            return (*head, low * step, *tail)
    return None
