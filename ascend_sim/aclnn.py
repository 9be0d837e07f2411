"""The name that users import: everything is in `ascend_sim.ops.aclnn`."""

from ascend_sim.ops.aclnn import *  # noqa: F403  (`__all__` is the list)
from ascend_sim.ops.aclnn import (
    __all__ as __all__,  # noqa: PLC0414  (re-exported)
    __doc__ as __doc__,  # noqa: A004, PLC0414  (re-exported)
)
