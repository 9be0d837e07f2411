"""The files: each rule of the vendor's all-core trace.json, the shape of Perfetto's, the CSV tables, the picture."""

import csv
import json
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from ascend_sim import NPU, Add, PipeBarrier, float32
from ascend_sim.api.control.sync import PIPE_V
from ascend_sim.cli import main
from ascend_sim.timing.cost import Kind
from ascend_sim.timing.export import COLOURS, LANES, msprof, perfetto
from ascend_sim.timing.model import timeline
from ascend_sim.views.timeline import timeline_svg
from tests.timing.kernels import launch_add


@pytest.fixture(scope="module")
def report():
    return launch_add(blocks=3, tiles=3)


@pytest.fixture(scope="module")
def text(report):
    return msprof(report.timeline)


@pytest.fixture(scope="module")
def events(text):
    return json.loads(text)["traceEvents"]


def of(events, phase):
    return [e for e in events if e["ph"] == phase]


def test_msprof_head(text):
    whole = json.loads(text)
    assert list(whole) == ["displayTimeUnit", "profilingType", "schemaVersion", "traceEvents"]
    assert (whole["displayTimeUnit"], whole["profilingType"], whole["schemaVersion"]) == ("ns", "op", 2)
    assert text.index('"profilingType"') < text.index("[")


def test_msprof_keys_are_sorted(events):
    assert all(list(e) == sorted(e) for e in events)


def test_msprof_instructions(report, events):
    instructions = of(events, "X")
    assert {e["pid"] for e in instructions} == {"core0.veccore0", "core0.veccore1", "core1.veccore0"}
    for event in instructions:
        assert event["tid"] in LANES
        assert event["cname"] == COLOURS[event["tid"]]
        assert all(isinstance(v, str) for v in event["args"].values())
        assert event["args"]["pc_addr"].startswith("0x")
        assert event["args"]["code"].rpartition(":")[2].isdigit()
        assert ("process_bytes" in event["args"]) == (event["name"] == "DataCopy")
    first = next(s for s in report.timeline.spans if s.kind is Kind.WORK)
    assert instructions[0]["ts"] == pytest.approx(first.start / 1850, abs=1e-6)
    assert instructions[0]["dur"] == pytest.approx((first.end - first.start) / 1850, abs=1e-6)


def test_msprof_barriers_last_one_cycle_and_end_when_they_open():
    with NPU().core() as core:
        a = core.alloc(float32, 64, 1.0)
        Add(a, a, a, 64, 1, (1, 1, 1, 8, 8, 8))
        PipeBarrier(PIPE_V)
    found = timeline(core.trace, "ascend910b")
    (bar,) = (e for e in json.loads(msprof(found))["traceEvents"] if e["name"] == "BAR")
    (span,) = (s for s in found.spans if s.kind is Kind.BARRIER)
    assert bar["tid"] == "VECTOR"
    assert bar["dur"] == pytest.approx(1 / 1850, abs=1e-6)
    assert bar["ts"] + bar["dur"] == pytest.approx(span.start / 1850, abs=2e-6)


def test_msprof_flags_are_pairs_in_their_lanes(events):
    begins, ends = of(events, "B"), of(events, "E")
    assert begins
    assert [e["id"] for e in begins] == [e["id"] for e in ends]
    assert len({e["id"] for e in begins}) == len(begins)
    for begin, end in zip(begins, ends, strict=True):
        assert begin["name"] == begin["tid"] == end["tid"]
        assert begin["cname"] == {"SET_FLAG": "black", "WAIT_FLAG": "yellow"}[begin["tid"]]
        assert begin["id"].startswith(begin["pid"] + "_")
        assert end["ts"] > begin["ts"]
        if begin["tid"] == "SET_FLAG":
            assert end["ts"] - begin["ts"] == pytest.approx(1 / 1850, abs=2e-6)


def test_msprof_flags_pair_first_in_first_out_on_their_detail(events):
    for core in {e["pid"] for e in of(events, "B")}:
        mine = [e for e in of(events, "B") if e["pid"] == core]
        details = {e["args"]["detail"] for e in mine}
        assert "PIPE:MTE2,TRIGGERPIPE:VECTOR,FLAGID:0," in details
        for detail in details:
            sets, waits = (
                [e for e in mine if e["tid"] == t and e["args"]["detail"] == detail] for t in ("SET_FLAG", "WAIT_FLAG")
            )
            assert len(sets) >= len(waits)


def test_msprof_arrows(events):
    starts, ends = {e["id"]: e for e in of(events, "s")}, {e["id"]: e for e in of(events, "t")}
    assert starts.keys() == ends.keys()
    assert not of(events, "f")
    for key, start in starts.items():
        end = ends[key]
        assert start["name"] == end["name"] == "flow"
        assert start["cat"] == end["cat"] == f"{start['tid']}To{end['tid']}"
        assert end["ts"] > start["ts"]
    assert {"MTE2ToVECTOR", "VECTORToMTE3"} <= {e["cat"] for e in starts.values()}


def test_msprof_lane_and_process_order(events):
    metadata = of(events, "M")
    lanes = {(e["pid"], e["tid"]): e["args"]["sort_index"] for e in metadata if e["name"] == "thread_sort_index"}
    assert all(index == LANES[lane] for (_, lane), index in lanes.items())
    assert lanes["core0.veccore0", "VECTOR"] == 7
    used = {(e["pid"], e["tid"]) for e in of(events, "X") + of(events, "B")}
    assert used == lanes.keys()
    processes = {e["pid"]: (e["tid"], e["args"]["sort_index"]) for e in metadata if e["name"] == "process_sort_index"}
    assert processes == {"core0.veccore0": ("NA", 2), "core0.veccore1": ("NA", 3), "core1.veccore0": ("NA", 5)}


def test_msprof_counters(report, events):
    counters = of(events, "C")
    assert {e["name"] for e in counters} == {"GM_TO_UB", "UB_TO_GM"}
    assert all(
        e["pid"] == "MTE Throughput" and e["tid"] == 0 and list(e["args"]) == ["throughput(MB/s)"] for e in counters
    )
    reads = [e for e in counters if e["name"] == "GM_TO_UB"]
    moved = sum(a["args"]["throughput(MB/s)"] * (b["ts"] - a["ts"]) for a, b in pairwise(reads))
    assert moved == pytest.approx(3 * 3 * 2 * 8192, rel=0.01)
    assert reads[-1]["args"]["throughput(MB/s)"] == 0


def test_310p_calls_its_flags_events():
    names = {e["name"] for e in of(json.loads(msprof(launch_add(product="ascend310p").timeline))["traceEvents"], "B")}
    assert names == {"set_event", "wait_event"}


def test_perfetto_shape(report):
    whole = json.loads(perfetto(report.timeline))
    events = whole["traceEvents"]
    assert all(isinstance(e["pid"], int) and isinstance(e["tid"], int) for e in events)
    named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    processes = {e["pid"] for e in events if e["name"] == "process_name"}
    slices = of(events, "X")
    assert {(e["pid"], e["tid"]) for e in slices} <= named
    assert {e["pid"] for e in slices} == processes
    assert all(e["ts"] >= 0 and e["dur"] >= 0 for e in slices)
    starts, ends = of(events, "s"), of(events, "f")
    assert sorted(e["id"] for e in starts) == sorted(e["id"] for e in ends)
    assert {e["name"] for e in starts + ends} == {"dep"}
    for lane in named:  # what one lane shows never overlaps, or the viewer drops it
        mine = sorted((e["ts"], e["ts"] + e["dur"]) for e in slices if (e["pid"], e["tid"]) == lane)
        assert all(a[1] <= b[0] + 2e-6 for a, b in pairwise(mine)), lane


def test_csv_tables(report, tmp_path):
    report.save(tmp_path, "csv")
    files = sorted(p.name for p in tmp_path.iterdir())
    assert "core0.veccore1_code_exe.csv" in files
    with (tmp_path / "core0.veccore0_instr_exe.csv").open() as table:
        rows = list(csv.DictReader(table))
    assert list(rows[0]) == ["instr", "addr", "pipe", "call_count", "cycles", "running_time(us)", "detail"]
    assert sum(int(r["call_count"]) for r in rows if r["instr"] == "Add") == 3
    with (tmp_path / "core0.veccore0_code_exe.csv").open() as table:
        lines = list(csv.DictReader(table))
    assert list(lines[0]) == ["code", "call_count", "cycles", "running_time(us)"]
    assert sum(float(r["cycles"]) for r in lines) == pytest.approx(sum(float(r["cycles"]) for r in rows))


def test_save_refuses_an_unknown_format(report, tmp_path):
    with pytest.raises(ValueError, match="msprof, perfetto, csv"):
        report.save(tmp_path / "x.json", "chrome")


def test_the_picture_is_svg_with_a_lane_for_each_pipe(report):
    root = ET.fromstring(timeline_svg(report.timeline, "a <title> & more"))
    texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"MTE2", "VECTOR", "MTE3", "core0.veccore0", "a <title> & more"} <= set(texts)


def test_command(tmp_path, capsys):
    out, table, picture = tmp_path / "trace.json", tmp_path / "csv", tmp_path / "t.svg"
    script = "examples/repeat_stride.py"
    assert main(["trace", script, "--output", str(out), "--csv", str(table), "--svg", str(picture)]) == 0
    assert "cycles" in capsys.readouterr().out
    assert json.loads(out.read_text())["profilingType"] == "op"
    assert picture.read_text().startswith("<svg")
    assert main(["trace", str(tmp_path / "missing.py")]) == 2
    nothing = tmp_path / "nothing.py"
    nothing.write_text("print(1)\n")
    assert main(["trace", str(nothing)]) == 2
    capsys.readouterr()
    stops = tmp_path / "stops.py"
    stops.write_text(
        "from ascend_sim import *\n"
        "with NPU().core() as core:\n"
        "    x = core.alloc(half, 128, 1.0)\n"
        "    Adds(x, x, 1.0, 128)\n"
        "    Adds(x, x, 1.0, 129)\n"
    )
    assert main(["trace", str(stops)]) == 1
    assert "timed as far as it came" in capsys.readouterr().out


def test_the_picture_says_when_cores_are_left_out():
    timed = launch_add(blocks=8, tiles=1).timeline
    assert "The first 4 of 8 cores." in timeline_svg(timed)
    assert "cores." not in timeline_svg(timed, cores=8)
