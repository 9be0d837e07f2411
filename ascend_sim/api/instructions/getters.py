"""What the last instruction left in a special register, read by the scalar unit."""

import sys
from typing import Any

import numpy as np

from ascend_sim.api.calls.bind import written
from ascend_sim.api.calls.support import find_row
from ascend_sim.api.context import current_run
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.violation import Violation
from isa.dtypes import ElementType, element_type, float32, half
from isa.model import Instruction
from isa.reduce import GET_MAX_MIN, GET_SUM


def check_supported(instruction: Instruction) -> CoreRun:
    """The core that runs; a KernelError when its product does not have the instruction."""
    run = current_run()
    if run.product not in instruction.types.products():
        problem = find_row(instruction, run.product, ())
        assert isinstance(problem, Violation)
        run.reporter.refuse(problem, instruction.name, sys._getframe(2))
    return run


def _value(code: int, dtype: ElementType) -> Any:
    return np.array([code], np.uint64).astype(dtype.code).view(dtype.carrier)[0]


def GetReduceRepeatMaxMinSpr(*, dtype: ElementType = half) -> Any:
    run = check_supported(GET_MAX_MIN)
    dtype = element_type(dtype)
    value, index = run.machine.special.extreme
    if run.product.id == "ascend310p":
        return _value(int(value), dtype)
    return _value(int(value), dtype), _value(int(index), dtype)


def GetReduceRepeatSumSpr(*, dtype: ElementType = float32) -> Any:
    run = check_supported(GET_SUM)
    return _value(run.machine.special.total, element_type(dtype))


written(GetReduceRepeatMaxMinSpr, GET_MAX_MIN)
written(GetReduceRepeatSumSpr, GET_SUM)
GetReduceMaxMinCount = GetReduceRepeatMaxMinSpr
GetAccVal = GetReduceRepeatSumSpr
