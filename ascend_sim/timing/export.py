"""Timelines as files: the all-core trace.json of the vendor's simulator, Perfetto, and two CSV tables.

The msprof form follows spec 10 sections 5.1 and 5.4: keys are sorted, times are microseconds, argument values are text.
"""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs

from ascend_sim.machine.issue import Issue, Space
from ascend_sim.timing.cost import Kind
from ascend_sim.timing.timeline import BlockTimeline, Span, Timeline
from isa.families import Pipe
from isa.products import Arch

Event = dict[str, Any]

LANES = {
    "SCALAR": 1, "FLOWCTRL": 2, "MTE1": 3, "CUBE": 4, "FIXP": 5, "MTE2": 6, "VECTOR": 7, "MTE3": 8, "CACHEMISS": 9,
    "SCALARLDST": 10, "ALL": 11, "USERMARK": 12, "EVENT": 13, "SET_FLAG": 14, "WAIT_FLAG": 15,
}  # fmt: skip
"""Lanes and their order."""
COLOURS = {
    "MTE1": "thread_state_running", "MTE2": "thread_state_iowait", "MTE3": "rail_response", "SCALAR": "startup",
    "SCALARLDST": "startup", "VECTOR": "cq_build_failed", "CUBE": "background_memory_dump",
    "FIXP": "thread_state_unknown", "FLOWCTRL": "cq_build_passed", "CACHEMISS": "thread_state_runnable", "ALL": "good",
    "USERMARK": "rail_load", "EVENT": "rail_animation", "SET_FLAG": "black", "WAIT_FLAG": "yellow",
}  # fmt: skip
_LANE = {Pipe.S: "SCALAR", Pipe.V: "VECTOR", Pipe.MTE2: "MTE2", Pipe.MTE3: "MTE3"}
_SERIES = {Pipe.MTE2: "GM_TO_UB", Pipe.MTE3: "UB_TO_GM"}
_FLAGS = {Kind.SET_FLAG: "SET_FLAG", Kind.WAIT_FLAG: "WAIT_FLAG"}
_FIRST_PC = 0x10000000
_INSTRUCTION_BYTES = 4


def core_name(timeline: Timeline, core: int) -> str:
    """The vendor's name of a vector core: two of them share a cube core on the split architectures."""
    cube, sub = _place(timeline, core)
    return f"core{cube}.veccore{sub}"


def _place(timeline: Timeline, core: int) -> tuple[int, int]:
    return divmod(core, 2) if timeline.product.arch in (Arch.C220, Arch.A3510) else (core, 0)


@attrs.frozen
class Drawn:
    """A span as the formats draw it: lane, name, start and length in cycles."""

    span: Span
    lane: str
    name: str
    start: float
    length: float

    @property
    def code(self) -> str:
        """The user's line."""
        return f"{self.span.entry.site.file}:{self.span.entry.site.line}"


def drawn(block: BlockTimeline) -> Iterator[Drawn]:
    """What is drawn of a block, flags apart."""
    for span in block.spans:
        kind = span.kind
        if kind is Kind.WORK:
            yield Drawn(span, _LANE[span.pipe], span.name, span.start, span.end - span.start)
        elif kind in (Kind.BARRIER, Kind.BARRIER_ALL):  # one cycle, ending when the barrier opens
            lane = "ALL" if kind is Kind.BARRIER_ALL else _LANE[span.pipe]
            yield Drawn(span, lane, "BAR", span.start - 1, 1)
        elif kind is Kind.REGISTER:  # where it is issued: at the vector unit it overlaps what still runs there
            yield Drawn(span, "SCALAR", span.name, span.issued - 1, 1)


class _Addresses:
    """An address for each different instruction of each line: a trace has no program counter."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], int] = {}

    def of(self, item: Drawn) -> str:
        index = self._known.setdefault((item.code, item.name), len(self._known))
        return hex(_FIRST_PC + index * _INSTRUCTION_BYTES)


def detail(issue: Issue) -> str:
    """Operands and lanes of an issue in one line."""
    parts = []
    if issue.lanes is not None:
        parts.append(f"repeat:{issue.lanes.repeats}")
    if issue.bursts is not None:
        parts.append(f"bursts:{issue.bursts.count}x{issue.bursts.length}")
    for access in issue.accesses:
        place = "GM" if access.space is Space.GM else hex(access.walk.base)
        parts.append(f"{access.operand.name}:{place} {access.dtype}")
    if issue.mask is not None and not issue.accesses:
        parts.append(f"mask:{issue.mask}")
    return ",".join(parts)


def flag_detail(span: Span) -> str:
    """The key that pairs flags in the vendor's tools."""
    event, number = span.op.flag
    return f"PIPE:{_LANE[event.source]},TRIGGERPIPE:{_LANE[event.target]},FLAGID:{number},"


def msprof(timeline: Timeline) -> str:
    """The text of the all-core trace.json."""
    events: list[Event] = []
    addresses = _Addresses()
    for core in sorted({b.core for b in timeline.blocks}):
        name = core_name(timeline, core)
        blocks = [b for b in timeline.blocks if b.core == core]
        lanes = set()
        flags = _FlagEvents(timeline, name)
        for block in blocks:
            for item in drawn(block):
                lanes.add(item.lane)
                events.append(_instruction(timeline, name, item, addresses))
            found = list(flags.of(block))
            lanes |= {e["tid"] for e in found if e["ph"] == "B"}
            events += found
        cube, sub = _place(timeline, core)
        events.append(_metadata("process_sort_index", name, "NA", cube * 3 + 2 + sub))
        events += [
            _metadata("thread_sort_index", name, lane, LANES[lane]) for lane in sorted(lanes, key=LANES.__getitem__)
        ]
    events += _throughput(timeline)
    whole = {"displayTimeUnit": "ns", "profilingType": "op", "schemaVersion": 2, "traceEvents": events}
    return json.dumps(whole, sort_keys=True, ensure_ascii=False)


def _us(timeline: Timeline, cycles: float) -> float:
    return round(cycles / timeline.clock_mhz, 6)


def _instruction(timeline: Timeline, core: str, item: Drawn, addresses: _Addresses) -> Event:
    arguments = {"pc_addr": addresses.of(item), "code": item.code, "detail": detail(item.span.op.issue)}
    if item.span.op.nbytes:
        arguments["process_bytes"] = str(item.span.op.nbytes)
    return {
        "name": item.name,
        "cname": COLOURS.get(item.lane, "thread_state_stopped"),
        "ph": "X",
        "ts": _us(timeline, item.start),
        "dur": _us(timeline, item.length),
        "pid": core,
        "tid": item.lane,
        "args": arguments,
    }


def _metadata(what: str, core: str, lane: str, index: int) -> Event:
    return {"name": what, "ph": "M", "pid": core, "tid": lane, "args": {"sort_index": index}}


class _FlagEvents:
    """Flags of one core as pairs of begin and end, and an arrow from each SetFlag to the WaitFlag it let through."""

    def __init__(self, timeline: Timeline, core: str) -> None:
        self.timeline = timeline
        self.core = core
        self.count = 0
        old = timeline.product.arch is Arch.M200
        self.names = {
            Kind.SET_FLAG: "set_event" if old else "SET_FLAG",
            Kind.WAIT_FLAG: "wait_event" if old else "WAIT_FLAG",
        }

    def of(self, block: BlockTimeline) -> Iterator[Event]:
        spans = block.spans
        for span in spans:
            if span.kind not in _FLAGS:
                continue
            sets = span.kind is Kind.SET_FLAG
            start = span.start if sets else min(span.issued, span.start)
            yield from self._pair(span, start, start + 1 if sets else max(span.start, start + 1))
            if not sets and span.paired >= 0:
                yield from self._arrow(spans[span.paired], span)

    def _pair(self, span: Span, start: float, end: float) -> Iterator[Event]:
        lane = _FLAGS[span.kind]
        common = {
            "name": self.names[span.kind],
            "cname": COLOURS[lane],
            "pid": self.core,
            "tid": lane,
            "id": self._next(),
        }
        code = f"{span.entry.site.file}:{span.entry.site.line}"
        arguments = {"detail": flag_detail(span), "code": code}
        yield {**common, "ph": "B", "ts": _us(self.timeline, start), "args": arguments}
        yield {**common, "ph": "E", "ts": _us(self.timeline, end)}

    def _arrow(self, source: Span, target: Span) -> Iterator[Event]:
        event = target.op.flag[0]
        before, after = _LANE[event.source], _LANE[event.target]
        common = {"name": "flow", "id": self._next(), "pid": self.core, "cat": f"{before}To{after}"}
        yield {**common, "ph": "s", "ts": _us(self.timeline, source.start), "tid": before}
        yield {**common, "ph": "t", "ts": _us(self.timeline, target.start), "tid": after}

    def _next(self) -> str:
        self.count += 1
        return f"{self.core}_{self.count}"


def _throughput(timeline: Timeline) -> Iterator[Event]:
    """Bytes that the copies of all cores move, as counters in MB/s."""
    for pipe, series in _SERIES.items():
        changes: dict[float, float] = defaultdict(float)
        for span in timeline.spans:
            if span.pipe is pipe and span.kind is Kind.WORK and span.end > span.start:
                rate = span.op.nbytes / (span.end - span.start) * timeline.clock_mhz  # bytes a cycle * MHz = MB/s
                changes[span.start] += rate
                changes[span.end] -= rate
        now = 0.0
        for cycle in sorted(changes):
            now += changes[cycle]
            value = {"throughput(MB/s)": round(max(now, 0.0), 3)}
            where = {"pid": "MTE Throughput", "tid": 0, "ts": _us(timeline, cycle)}
            yield {"name": series, "ph": "C", "args": value, **where}


def perfetto(timeline: Timeline) -> str:
    """The text of a trace for ui.perfetto.dev: integer ids with names, arrows called "dep"."""
    events: list[Event] = []
    for block in timeline.blocks:
        pid = block.core
        name = {"name": core_name(timeline, pid)}
        events.append({"name": "process_name", "ph": "M", "pid": pid, "tid": 0, "args": name})
        items = list(drawn(block))
        events += [
            {"name": "thread_name", "ph": "M", "pid": pid, "tid": LANES[lane], "args": {"name": lane}}
            for lane in sorted({i.lane for i in items}, key=LANES.__getitem__)
        ]
        events += [_slice(timeline, pid, item) for item in items]
        events += _dependencies(timeline, block)
    return json.dumps({"displayTimeUnit": "ns", "traceEvents": events}, ensure_ascii=False)


def _dependencies(timeline: Timeline, block: BlockTimeline) -> Iterator[Event]:
    """An arrow from each SetFlag to the WaitFlag it let through."""
    for index, span in enumerate(block.spans):
        if span.kind is Kind.WAIT_FLAG and span.paired >= 0:
            event = span.op.flag[0]
            common = {"name": "dep", "cat": "dep", "id": f"{block.block}_{index}", "pid": block.core}
            ends = ((block.spans[span.paired], event.source, {"ph": "s"}), (span, event.target, {"ph": "f", "bp": "e"}))
            for end, pipe, how in ends:
                yield {**common, **how, "ts": _us(timeline, end.start), "tid": LANES[_LANE[pipe]]}


def _slice(timeline: Timeline, pid: int, item: Drawn) -> Event:
    arguments = {"code": item.code, "detail": detail(item.span.op.issue), "waited_for": item.span.waited_for}
    times = {"ts": _us(timeline, item.start), "dur": _us(timeline, item.length)}
    return {"name": item.name, "ph": "X", "pid": pid, "tid": LANES[item.lane], "args": arguments, **times}


def instruction_csv(timeline: Timeline, core: int) -> str:
    """Rows of core*_instr_exe.csv: each different instruction of each line."""
    addresses = _Addresses()
    rows: dict[tuple[str, ...], list[float]] = {}
    for item in _of_core(timeline, core):
        key = (item.name, addresses.of(item), item.lane, detail(item.span.op.issue))
        _count(rows, key, item)
    head = ["instr", "addr", "pipe", "call_count", "cycles", "running_time(us)", "detail"]
    return _table(head, ([*k[:3], *_figures(timeline, v), k[3]] for k, v in rows.items()))


def code_csv(timeline: Timeline, core: int) -> str:
    """Rows of core*_code_exe.csv: each line of the user's code."""
    rows: dict[tuple[str, ...], list[float]] = {}
    for item in _of_core(timeline, core):
        _count(rows, (item.code,), item)
    head = ["code", "call_count", "cycles", "running_time(us)"]
    return _table(head, ([k[0], *_figures(timeline, v)] for k, v in rows.items()))


def _of_core(timeline: Timeline, core: int) -> Iterator[Drawn]:
    return (item for block in timeline.blocks if block.core == core for item in drawn(block))


def _count(rows: dict[tuple[str, ...], list[float]], key: tuple[str, ...], item: Drawn) -> None:
    row = rows.setdefault(key, [0, 0.0])
    row[0] += 1
    row[1] += item.length


def _figures(timeline: Timeline, row: list[float]) -> list[Any]:
    return [int(row[0]), round(row[1], 1), _us(timeline, row[1])]


def _table(head: list[str], rows: Iterable[list[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


FORMATS: dict[str, Callable[[Timeline], str]] = {"msprof": msprof, "perfetto": perfetto}


def save(timeline: Timeline, path: str | Path, form: str = "msprof") -> None:
    """Write a trace file, or with form="csv" two tables for each core into the folder `path`."""
    target = Path(path)
    if form == "csv":
        target.mkdir(parents=True, exist_ok=True)
        for core in sorted({b.core for b in timeline.blocks}):
            name = core_name(timeline, core)
            (target / f"{name}_instr_exe.csv").write_text(instruction_csv(timeline, core), encoding="utf-8")
            (target / f"{name}_code_exe.csv").write_text(code_csv(timeline, core), encoding="utf-8")
        return
    if form not in FORMATS:
        raise ValueError(f"unknown format {form!r}; write one of {', '.join([*FORMATS, 'csv'])}")
    target.write_text(FORMATS[form](timeline), encoding="utf-8")
