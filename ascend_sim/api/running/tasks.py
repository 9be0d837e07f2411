"""Blocks of a launch as resumable tasks: they run in index order, one at a time, and hand over where they wait for
each other. Deterministic, because nothing but a wait ever hands over.

A task is a thread that runs only when it is its turn; threads are used because a kernel is a plain function, which
nothing else can stop in the middle.
"""

import threading
from collections.abc import Callable, Sequence
from contextvars import ContextVar, copy_context


class _Stopped(BaseException):
    """Unwinds a task that will never run on, because another one has failed."""


class Task:
    """One block. `wait_until` hands over until a condition holds."""

    def __init__(self, body: Callable[[], None]) -> None:
        self._body = body
        self._turn = threading.Semaphore(0)
        self._handed_over = threading.Semaphore(0)
        self._stopping = False
        self.condition: Callable[[], bool] | None = None
        self.error: BaseException | None = None
        self.finished = False
        context = copy_context()
        self._thread = threading.Thread(target=lambda: context.run(self._run), daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._turn.acquire()
        token = CURRENT.set(self)
        try:
            if not self._stopping:
                self._body()
        except _Stopped:
            pass
        except BaseException as error:  # noqa: BLE001  (the launch raises it in its own thread)
            self.error = error
        finally:
            CURRENT.reset(token)
            self.finished = True
            self._handed_over.release()

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Hand over until `condition` holds; called by the task itself."""
        if condition():
            return
        self.condition = condition
        self._handed_over.release()
        self._turn.acquire()
        self.condition = None
        if self._stopping:
            raise _Stopped

    def is_ready(self) -> bool:
        """It can run on."""
        return not self.finished and (self.condition is None or self.condition())

    def run_on(self) -> None:
        """Give it the turn until it hands over or ends; called by the launch."""
        self._turn.release()
        self._handed_over.acquire()

    def stop(self) -> None:
        """Unwind it."""
        if not self.finished:
            self._stopping = True
            self.run_on()


CURRENT: "ContextVar[Task]" = ContextVar("ascend_sim_task")


def run_all(bodies: Sequence[Callable[[], None]], on_deadlock: Callable[[Sequence[int]], BaseException]) -> None:
    """Run the blocks to their ends. The first error stops them all and is raised here.

    on_deadlock: makes the error when no block can run on; it gets the numbers of those that wait.
    """
    if len(bodies) == 1:
        bodies[0]()
        return
    tasks: list[Task] = []
    try:
        for body in bodies:  # each starts when the ones before have ended or wait, so that errors come in order
            tasks.append(Task(body))
            _advance(tasks)
        while any(not t.finished for t in tasks):
            if not _advance(tasks):
                raise on_deadlock([i for i, t in enumerate(tasks) if not t.finished])
    finally:
        for task in tasks:
            task.stop()


def _advance(tasks: Sequence[Task]) -> bool:
    """Give each task that can run its turn, in order. True when one did."""
    moved = False
    for task in tasks:
        if task.is_ready():
            task.run_on()
            moved = True
            if task.error is not None:
                raise task.error
    return moved
