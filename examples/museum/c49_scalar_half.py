"""C49: the scalar unit has no arithmetic on half.

C++ does not compile it; a simulator that hands out numpy numbers would let it pass. Convert to float first.
"""

from _show import show

from ascend_sim import NPU, Muls, half

CODE = "scalar-half"


def broken(npu: NPU):
    return divide(npu, lambda scalar: 1.0 / scalar)


def fixed(npu: NPU):
    return divide(npu, lambda scalar: 1.0 / float(scalar))


def divide(npu: NPU, inverse):
    with npu.core() as core:
        largest = core.alloc(half, 16, 4.0)
        x, y = core.alloc(half, 128, 1.0), core.alloc(half, 128)
        Muls(y, x, inverse(largest.GetValue(0)), 128)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
