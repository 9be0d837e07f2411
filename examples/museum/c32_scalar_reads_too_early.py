"""C32: GetValue does not wait for the vector pipe.

The scalar unit hands work to the vector pipe and goes on; what it reads next may be from before that work.
"""

from _show import show

from ascend_sim import EVENT_ID0, NPU, Duplicate, HardEvent, SetFlag, WaitFlag, float32

CODE = "race"


def broken(npu: NPU):
    with npu.core() as core:
        t = core.alloc(float32, 8, -7.0)
        Duplicate(t, 5.0, 8)
        t.GetValue(0)
    return core


def fixed(npu: NPU):
    with npu.core() as core:
        t = core.alloc(float32, 8, -7.0)
        Duplicate(t, 5.0, 8)
        SetFlag(HardEvent.V_S, EVENT_ID0)
        WaitFlag(HardEvent.V_S, EVENT_ID0)
        t.GetValue(0)
    return core


if __name__ == "__main__":
    show(broken, fixed, CODE)
