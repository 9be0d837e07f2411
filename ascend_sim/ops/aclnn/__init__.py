"""Operators of the aclnn library, in two phases: `from ascend_sim import aclnn`.

    status, size, executor = aclnn.aclnnSliceGetWorkspaceSize(x, dim, start, end, step, out)
    workspace = numpy.empty(size, numpy.uint8)
    status = aclnn.aclnnSlice(workspace, size, executor, stream)

They run on the active NPU (`with NPU(...)`, else one of A2); arrays are device memory, changed in place.
"""

from ascend_sim.ops.aclnn.explain import explain
from ascend_sim.ops.aclnn.slice import Executor, aclnnSlice, aclnnSliceGetWorkspaceSize
from ascend_sim.ops.aclnn.tensors import DTYPES

__all__ = ["DTYPES", "Executor", "aclnnSlice", "aclnnSliceGetWorkspaceSize", "explain"]
