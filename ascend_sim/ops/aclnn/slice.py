"""aclnnSlice: elements start, start + step, ... of one axis, in two phases (spec 05 section 5)."""

from typing import Any

import attrs
import numpy as np

from ascend_sim.api.context import user_frame
from ascend_sim.api.launch.npu import NPU
from ascend_sim.api.running.report import Report
from ascend_sim.checks.codes import CODES
from ascend_sim.checks.finding import Finding, KernelError
from ascend_sim.machine.site import site_at
from ascend_sim.ops.aclnn import status
from ascend_sim.ops.aclnn.blocks import run_in_blocks
from ascend_sim.ops.aclnn.tensors import DTYPES, View, as_array, dense
from ascend_sim.ops.copy_tasks import Copy, plan
from ascend_sim.ops.machine import align, operator_npu
from ascend_sim.ops.strided import run_copy
from isa.products import ASCEND310B, ASCEND310P, ASCEND910, Arch, Product

NAME = "aclnnSlice"
MAX_RANK = 8
WORKSPACE_UNIT = 512  # an assumption: copies of what is not contiguous, rounded up to it


@attrs.define(eq=False)
class Executor:
    """What the first phase leaves for the second, which may run once. reports: of its launches, afterwards."""

    source: View
    result: View
    dim: int
    start: int
    step: int
    length: int
    workspace_size: int
    npu: NPU
    used: bool = False
    reports: list[Report] = attrs.Factory(list)

    @property
    def report(self) -> Report | None:
        """Of the slice itself; None before it ran, and where there was nothing to copy."""
        return next((r for r in self.reports if r.name == NAME), None)


def normalised(n: int, start: int, end: int, step: int) -> tuple[int, int, int]:
    """Start, end and length on an axis of n elements, as Python slices; exact for numbers of any size."""
    start = min(max(start + n if start < 0 else start, 0), n)
    end = end + n if end < 0 else end
    end = start if end < start else min(end, n)
    return start, end, -(-(end - start) // step)


def aclnnSliceGetWorkspaceSize(
    self: Any, dim: int, start: int, end: int, step: int, out: Any
) -> tuple[int, int, Executor | None]:
    """Phase one: check, and say how much workspace phase two needs.

    self, out: numpy arrays, with strides if you like; None stands for a null pointer. Returns (status, workspace bytes,
    executor); the executor is None unless the status is 0. Raises KernelError on products without the operator.
    """
    npu = operator_npu()
    if npu.product in (ASCEND310P, ASCEND310B):
        _refuse(npu.product)
    if self is None or out is None:
        return status.PARAM_NULLPTR, 0, None
    self, out = as_array(self), as_array(out)
    if not out.flags.writeable:
        raise ValueError("aclnnSlice: out is not writable")
    if not _is_legal(npu.product, self, dim, step, out):
        return status.PARAM_INVALID, 0, None
    axis = dim + self.ndim if dim < 0 else dim
    first, _, length = normalised(self.shape[axis], int(start), int(end), int(step))
    if out.shape != (*self.shape[:axis], length, *self.shape[axis + 1 :]):
        return status.PARAM_INVALID, 0, None
    source, result = View.of(self), View.of(out)
    needed = sum(align(v.owner.nbytes, WORKSPACE_UNIT) for v in (source, result) if not v.is_contiguous)
    if not self.size or not out.size:
        needed = 0
    return status.SUCCESS, needed, Executor(source, result, axis, first, int(step), length, needed, npu)


def aclnnSlice(workspace: Any, workspace_size: int, executor: Executor | None, stream: Any = None) -> int:  # noqa: ARG001  (work is done at once)
    """Phase two: run. workspace: None or an array of at least `workspace_size` bytes, which is device memory.

    Returns a status. A second call with the same executor is an inner error.
    """
    if executor is None or (workspace is None and executor.workspace_size):
        return status.PARAM_NULLPTR
    if executor.used:
        return status.INNER
    size = int(workspace_size)
    if size < executor.workspace_size or (executor.workspace_size and workspace.nbytes < executor.workspace_size):
        return status.PARAM_INVALID
    executor.used = True
    if not executor.source.owner.size or not executor.result.owner.size:
        return status.SUCCESS
    memory = None if workspace is None else workspace.reshape(-1).view(np.uint8)
    for name, copy, source, result in copies(executor, memory):
        launch = run_in_blocks if executor.npu.product is ASCEND910 else run_copy
        executor.reports.append(launch(executor.npu, copy, source.memory, result.memory, name))
    return status.SUCCESS


def copies(executor: Executor, workspace: Any) -> list[tuple[str, Copy, View, View]]:
    """Contiguous, Slice and ViewCopy, the outer two only where a tensor is not contiguous."""
    source, result = executor.source, executor.result
    made, used = [], 0
    if not source.is_contiguous:
        nbytes = source.owner.nbytes
        whole = dense(workspace[:nbytes], source.shape, source.size)
        made.append((f"{NAME} Contiguous", _between(source.shape, source, whole), source, whole))
        source, used = whole, align(nbytes, WORKSPACE_UNIT)
    target = result
    if not result.is_contiguous:
        target = dense(workspace[used : used + result.owner.nbytes], result.shape, result.size)
    strides = list(source.strides)
    first = executor.start * strides[executor.dim]
    strides[executor.dim] *= executor.step
    sliced = plan(result.shape, source.size, (first, strides), (target.first, target.strides))
    made.append((NAME, sliced, source, target))
    if target is not result:
        made.append((f"{NAME} ViewCopy", _between(result.shape, target, result), target, result))
    return made


def _between(shape: tuple[int, ...], source: View, result: View) -> Copy:
    return plan(shape, source.size, (source.first, source.strides), (result.first, result.strides))


def _is_legal(product: Product, self: Any, dim: int, step: int, out: Any) -> bool:
    names = [name for name, dtype in DTYPES.items() if name != "BFLOAT16" or product.arch is not Arch.C100]
    if self.dtype != out.dtype or self.dtype not in [DTYPES[name] for name in names]:
        return False
    if not (1 <= self.ndim <= MAX_RANK and out.ndim <= MAX_RANK):
        return False
    return -self.ndim <= dim < self.ndim and step > 0


def _refuse(product: Product) -> None:
    frame = user_frame()
    site = site_at(frame.f_code, frame.f_lasti)
    hint = "The products that have it: ascend910, ascend910b, ascend910_93, ascend950."
    raise KernelError(
        Finding(
            code="unsupported-api",
            severity=CODES["unsupported-api"].severity.value,
            message=f"{NAME}: {product.id} does not have this operator. {hint}",
            instruction=NAME,
            file=site.file,
            line=site.line,
            hint=hint,
        )
    )
