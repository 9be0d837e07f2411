from ascend_sim.ops.pypto.dtypes import *
from ascend_sim.ops.pypto.dtypes import (
    DT_BF16,
    DT_FP16,
    DT_FP32,
    DT_INT8,
    DT_INT16,
    DT_INT32,
    DT_INT64,
    DT_UINT8,
    DT_UINT16,
)
from ascend_sim.ops.pypto.floor_div import floor_div
from ascend_sim.ops.pypto.scope import *
from ascend_sim.ops.pypto.tensor import *
