"""TPipe, TQue, TBuf, TBufPool, LocalMemAllocator: who owns which part of the Unified Buffer, and the flags of queues.

Allocation rules: spec 01 section 6.4. A queue orders the pipes by itself: EnQue sets a flag from the producing to the
consuming pipe and DeQue waits for it; FreeTensor sets one back and the next AllocTensor of that buffer waits for it.
"""

import sys
from typing import TYPE_CHECKING, NoReturn

import attrs

from ascend_sim.api.context import RUNNING, current_run, user_frame
from ascend_sim.api.control.sync import event_limit, set_flag, wait_flag
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.numbers import size as checked_size, whole
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.site import Site, site_at
from isa.choice import Choice
from isa.dtypes import ElementType, element_type
from isa.positions import TPosition
from isa.products import BLOCK_BYTES
from isa.sync import HardEvent

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BUFFERS = 64  # of one TPipe, over all queues and TBufs

_FULL = {TPosition.VECIN: HardEvent.MTE2_V, TPosition.VECOUT: HardEvent.V_MTE3}
_EMPTY = {TPosition.VECIN: HardEvent.V_MTE2, TPosition.VECOUT: HardEvent.MTE3_V}


class _State(Choice):
    FREE = "free"
    ALLOCATED = "allocated"
    QUEUED = "in the queue"
    TAKEN = "taken out"


_FREE = _State.FREE  # members of an enum are slow to look up


@attrs.define(eq=False)
class _Buffer:
    """One chunk of a queue or TBuf. full, empty: numbers of the flags that EnQue and FreeTensor have set."""

    address: int
    nbytes: int
    owner: str
    state: _State = _State.FREE
    full: int | None = None
    empty: int | None = None
    site: Site | None = None


class TBuf:
    """Memory without a queue. `Get(dtype)` is a tensor over all of it, as often as you like."""

    def __init__(self, position: TPosition = TPosition.VECCALC) -> None:
        self.position = position
        self._buffer: _Buffer | None = None

    def Get(self, dtype: ElementType, length: int | None = None) -> LocalTensor:
        """The whole buffer, or its first `length` elements."""
        buffer = self._buffer
        if buffer is None:
            _refuse(
                "queue-state", "TBuf.Get", "the TBuf has no memory yet", "Call TPipe.InitBuffer(buf, nbytes) first."
            )
        dtype = element_type(dtype)
        room = buffer.nbytes * 8 // dtype.bits
        length = None if length is None else whole(length, "TBuf.Get: length")
        if length is not None and not 0 <= length <= room:
            _refuse("ub-capacity", "TBuf.Get", f"{length} elements of {dtype} do not fit in {buffer.nbytes} bytes",
                    f"At most {room} elements fit.")  # fmt: skip
        return LocalTensor(dtype, self.position, buffer.address, room if length is None else length)

    def _give(self, buffers: list[_Buffer]) -> None:
        (self._buffer,) = buffers


class TQue:
    """A queue of tensors between two pipes. depth: how many may be in the queue at once."""

    def __init__(self, position: TPosition, depth: int) -> None:
        self.position = position
        self.depth = checked_size(depth, "TQue: depth")
        self._buffers: list[_Buffer] = []
        self._queue: list[_Buffer] = []
        self._next = 0

    def AllocTensor(self, dtype: ElementType) -> LocalTensor:
        """The next free buffer, in turn; its contents are what they were. Waits until its last user has freed it."""
        dtype = element_type(dtype)
        run, frame = RUNNING.get(None) or current_run(), sys._getframe(1)
        count = len(self._buffers)
        if not count:
            _refuse(
                "queue-state", "AllocTensor", "the queue has no buffers", "Call TPipe.InitBuffer(queue, num, nbytes)."
            )
        at = self._next
        for _ in range(count):
            buffer = self._buffers[at]
            at = (at + 1) % count
            if buffer.state is _FREE:
                break
        else:
            states = ", ".join(f"buffer {i} {b.state.value}" for i, b in enumerate(self._buffers))
            _refuse("queue-state", "AllocTensor", f"no buffer of the queue is free: {states}",
                    "Free a tensor first, or give the queue more buffers.")  # fmt: skip
        self._next = at
        if buffer.empty is not None:
            wait_flag(run, _EMPTY[self.position], buffer.empty, frame)
            buffer.empty = None
        buffer.state, buffer.site = _State.ALLOCATED, site_at(frame.f_code, frame.f_lasti)
        return LocalTensor(dtype, self.position, buffer.address, buffer.nbytes * 8 // dtype.bits)

    def EnQue(self, tensor: LocalTensor) -> None:
        """Hand a tensor to the consuming pipe."""
        run, frame = RUNNING.get(None) or current_run(), sys._getframe(1)
        buffer = self._buffer_of("EnQue", tensor)
        if buffer.state not in (_State.ALLOCATED, _State.TAKEN):
            _refuse(
                "queue-state",
                "EnQue",
                f"the tensor's buffer is {buffer.state.value}",
                "EnQue it once, after AllocTensor.",
            )
        if len(self._queue) >= max(self.depth, 1):
            _refuse("queue-state", "EnQue", f"the queue has depth {self.depth} and holds {len(self._queue)} tensors",
                    "DeQue first, or make the queue deeper.")  # fmt: skip
        event = _FULL.get(self.position)
        if event is not None:
            buffer.full = _number(run, event, "EnQue")
            set_flag(run, event, buffer.full, frame, by_queue=True)
        buffer.state = _State.QUEUED
        self._queue.append(buffer)

    def DeQue(self, dtype: ElementType) -> LocalTensor:
        """Take the oldest tensor of the queue; the consuming pipe waits until it is full."""
        dtype = element_type(dtype)
        run, frame = RUNNING.get(None) or current_run(), sys._getframe(1)
        if not self._queue:
            _refuse("queue-state", "DeQue", "the queue is empty", "EnQue a tensor first.")
        buffer = self._queue.pop(0)
        if buffer.full is not None:
            wait_flag(run, _FULL[self.position], buffer.full, frame)
            buffer.full = None
        buffer.state = _State.TAKEN
        return LocalTensor(dtype, self.position, buffer.address, buffer.nbytes * 8 // dtype.bits)

    def FreeTensor(self, tensor: LocalTensor) -> None:
        """Give the buffer back; the producing pipe may fill it when the consuming one is done."""
        run, frame = RUNNING.get(None) or current_run(), sys._getframe(1)
        buffer = self._buffer_of("FreeTensor", tensor)
        if buffer.state is _State.FREE:
            _refuse(
                "double-free",
                "FreeTensor",
                f"the buffer at 0x{buffer.address:05X} is free already",
                "Free a tensor once.",
            )
        if buffer.state is _State.QUEUED:
            _refuse("queue-state", "FreeTensor", "the tensor is still in the queue", "DeQue it first.")
        event = _EMPTY.get(self.position)
        if event is not None:
            buffer.empty = _number(run, event, "FreeTensor")
            set_flag(run, event, buffer.empty, frame, by_queue=True)
        buffer.state = _State.FREE

    def HasTensorInQue(self) -> bool:
        """Some tensor is in the queue."""
        return bool(self._queue)

    def VacantInQue(self) -> bool:
        """The queue takes another tensor."""
        return len(self._queue) < max(self.depth, 1)

    def _give(self, buffers: list[_Buffer]) -> None:
        self._buffers = buffers

    def _held(self) -> "Iterator[tuple[Violation, Site]]":
        """Tensors that were not freed, where they were allocated."""
        for number, buffer in enumerate(self._buffers):
            if buffer.state is not _State.FREE and buffer.site is not None:
                violation = Violation(
                    code="buffer-leak",
                    message=f"buffer {number} of the queue, at 0x{buffer.address:05X}, is still {buffer.state.value}",
                    hint="FreeTensor what AllocTensor or DeQue gave, before the kernel ends.",
                )
                yield violation, buffer.site

    def _buffer_of(self, call: str, tensor: LocalTensor) -> _Buffer:
        if not isinstance(tensor, LocalTensor):
            raise TypeError(f"{call} takes a LocalTensor, not {type(tensor).__name__}")
        own = [b for b in self._buffers if b.address <= tensor.root.address < b.address + b.nbytes]
        if not own:
            _refuse("queue-state", call, f"the tensor at 0x{tensor.address:05X} is none of this queue's buffers",
                    "Hand back what AllocTensor or DeQue of the same queue gave.")  # fmt: skip
        return own[0]


class TPipe:
    """Cuts the Unified Buffer into buffers, from address 0 upwards; nothing is given back before Reset."""

    def __init__(self) -> None:
        self._start, self._stop = 0, current_run().ub.size
        self._free = 0
        self._buffers: list[_Buffer] = []

    def InitBuffer(self, owner: "TQue | TBuf | TBufPool", num: int, nbytes: int | None = None) -> None:
        """`InitBuffer(queue, num, nbytes)` or `InitBuffer(buf, nbytes)`; nbytes is rounded up to 32."""
        run = current_run()
        if not isinstance(owner, (TQue, TBuf, TBufPool)):
            raise TypeError(f"InitBuffer takes a TQue, a TBuf or a TBufPool first, not {owner!r}")
        count, size = (1, num) if nbytes is None else (num, nbytes)
        count, size = checked_size(count, "InitBuffer: num"), checked_size(size, "InitBuffer: nbytes")
        chunk = -(-size // BLOCK_BYTES) * BLOCK_BYTES
        name = type(owner).__name__
        if self._free + count * chunk > self._stop:
            self._no_room(run, name, count, chunk)
        if len(self._buffers) + count > MAX_BUFFERS:
            _refuse("ub-capacity", "InitBuffer", f"{len(self._buffers) + count} buffers in one TPipe",
                    f"A TPipe has at most {MAX_BUFFERS}.")  # fmt: skip
        made = [_Buffer(self._free + i * chunk, chunk, name) for i in range(count)]
        self._free += count * chunk
        self._buffers += made
        if isinstance(owner, TQue):
            run.at_end.append(owner._held)  # noqa: SLF001  (of this module)
        owner._give(made)  # noqa: SLF001  (the three owners are of this module)

    def Reset(self) -> None:
        """Forget all buffers."""
        self._free = self._start
        self._buffers.clear()

    Init = Reset

    def Destroy(self) -> None:
        """The pipe ends; here nothing is left to do."""

    def _no_room(self, run: CoreRun, name: str, count: int, chunk: int) -> NoReturn:
        held = "; ".join(f"0x{b.address:05X} {b.nbytes} B {b.owner}" for b in self._buffers) or "none"
        room = self._stop - self._free
        size = self._stop - self._start
        _refuse(
            "ub-capacity",
            "InitBuffer",
            f"{count} x {chunk} B for a {name} are {count * chunk} bytes; {self._free - self._start} of the {size} "
            f"bytes ({size * 8} bits) of {run.product.id} are taken. Buffers: {held}",
            f"At most {count} x {room // max(count, 1) // BLOCK_BYTES * BLOCK_BYTES} bytes fit.",
        )


class TBufPool(TPipe):
    """A region of a TPipe that is cut into buffers of its own."""

    def __init__(self, position: TPosition = TPosition.VECCALC) -> None:
        super().__init__()
        self.position = position
        self._stop = 0

    def _give(self, buffers: list[_Buffer]) -> None:
        (region,) = buffers
        self._start = self._free = region.address
        self._stop = region.address + region.nbytes


class LocalMemAllocator:
    """Hands out tensors one after another, from address 0 upwards."""

    def __init__(self) -> None:
        self._free = 0

    def Alloc(self, dtype: ElementType, length: int) -> LocalTensor:
        """A tensor of `length` elements at the next 32-byte address."""
        run, dtype = current_run(), element_type(dtype)
        length = checked_size(length, "Alloc: length")
        nbytes = dtype.bytes_for(length)
        if self._free + nbytes > run.ub.size:
            room = (run.ub.size - self._free) * 8 // dtype.bits
            left = f"{run.ub.size - self._free} of {run.ub.size} are left"
            message = f"{length} elements of {dtype} need {nbytes} bytes, {left}"
            _refuse("ub-capacity", "Alloc", message, f"At most {room} elements fit.")
        tensor = LocalTensor(dtype, TPosition.VECCALC, self._free, length)
        self._free += -(-nbytes // BLOCK_BYTES) * BLOCK_BYTES
        return tensor


def _number(run: CoreRun, event: HardEvent, call: str) -> int:
    number = run.pipes.free_number(event, event_limit(run.product))
    if number is None:
        _refuse(
            "queue-state", call, f"no event id of {event.name} is free", "Fewer buffers in flight, or wait for some."
        )
    return number


def _refuse(code: str, call: str, message: str, hint: str) -> NoReturn:
    current_run().reporter.refuse(Violation(code=code, message=message, hint=hint), call, user_frame())
