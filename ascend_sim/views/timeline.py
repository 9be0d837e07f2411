"""A picture of a timeline: one lane for each pipe of a core, with what each instruction waited for."""

from collections.abc import Iterable, Iterator
from html import escape

from ascend_sim.timing.cost import Kind
from ascend_sim.timing.export import core_name, drawn
from ascend_sim.timing.timeline import BlockTimeline, Timeline

WIDTH, LEFT, LANE, BAR, TOP = 1200, 96, 30, 20, 56
LANES = ("SCALAR", "MTE2", "VECTOR", "MTE3", "ALL")
COLOURS = {"SCALAR": "#8a8f98", "MTE2": "#2f7ebc", "VECTOR": "#3a9a5b", "MTE3": "#b5651d", "ALL": "#555555"}
CONFLICT, BARRIER, MASK, INK, FAINT = "#d13b3b", "#333333", "#b9c4ce", "#222222", "#e4e7ea"
MAX_ITEMS = 4000  # of one core: more would be thinner than a pixel and make files that no browser likes
TICKS = 8


def timeline_svg(timeline: Timeline, title: str = "timeline", *, cores: int = 4) -> str:
    """An SVG of the first `cores` cores."""
    every = _by_core(timeline)
    blocks = every[:cores]
    height = TOP + sum((len(_lanes(of)) + 1) * LANE for _, of in blocks) + 40
    scale = (WIDTH - LEFT - 24) / max(timeline.cycles, 1)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
            f'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="{INK}">'
        ),
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="12" y="22" font-size="15" font-weight="bold">{escape(title)}</text>',
        f'<text x="12" y="40">{escape(_caption(timeline, len(blocks), len(every)))}</text>',
    ]
    y = TOP
    bottom = height - 32
    parts += _axis(timeline, scale, bottom)
    for core, of in blocks:
        parts.append(f'<text x="12" y="{y + 20}" font-weight="bold">{core_name(timeline, core)}</text>')
        y += LANE
        for lane in _lanes(of):
            parts.append(f'<text x="12" y="{y + 15}">{lane}</text>')
            parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 24}" y1="{y + BAR}" y2="{y + BAR}" stroke="{FAINT}"/>')
            parts += _bars(of, lane, y, scale)
            y += LANE
    parts.append("</svg>\n")
    return "\n".join(parts)


def _caption(timeline: Timeline, shown: int, cores: int) -> str:
    note = f"; {timeline.note}" if timeline.note else ""
    left_out = f" The first {shown} of {cores} cores." if shown < cores else ""
    took = f"{timeline.cycles:.0f} cycles = {timeline.microseconds:.3f} us"
    return f"{timeline.product.id}, {took}{note}. Red: bank conflicts.{left_out}"


def _by_core(timeline: Timeline) -> list[tuple[int, list[BlockTimeline]]]:
    cores: dict[int, list[BlockTimeline]] = {}
    for block in timeline.blocks:
        cores.setdefault(block.core, []).append(block)
    return sorted(cores.items())


def _lanes(blocks: Iterable[BlockTimeline]) -> list[str]:
    used = {item.lane for block in blocks for item in drawn(block)}
    return [lane for lane in LANES if lane in used]


def _axis(timeline: Timeline, scale: float, bottom: float) -> Iterator[str]:
    step = _round_step(timeline.cycles / TICKS)
    at = 0.0
    while at <= timeline.cycles:
        x = LEFT + at * scale
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" stroke="{FAINT}"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{at:.0f}</text>'
        at += step
    yield f'<text x="12" y="{bottom + 16}">cycles</text>'


def _round_step(rough: float) -> float:
    size = 1.0
    while size * 10 <= rough:
        size *= 10
    return next((size * m for m in (1, 2, 5, 10) if size * m >= rough), size * 10)


def _bars(blocks: Iterable[BlockTimeline], lane: str, y: float, scale: float) -> Iterator[str]:
    items = [item for block in blocks for item in drawn(block) if item.lane == lane]
    for item in items[:MAX_ITEMS]:
        x, width = LEFT + item.start * scale, max(item.length * scale, 0.8)
        kind = item.span.kind
        work = kind is Kind.WORK
        colour = COLOURS[lane] if work else MASK if kind is Kind.REGISTER else BARRIER
        about = f"{item.name} {item.code}: cycles {item.start:.0f} to {item.start + item.length:.0f}"
        if item.span.waited:
            about += f", waited {item.span.waited:.0f} for {item.span.waited_for}"
        yield (
            f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{BAR}" fill="{colour}" stroke="white" '
            f'stroke-width="{0.5 if width > 3 else 0}"><title>{escape(about)}</title></rect>'
        )
        if item.span.conflicts:
            lost = item.span.conflicts * scale
            yield f'<rect x="{x + width - lost:.2f}" y="{y}" width="{lost:.2f}" height="{BAR}" fill="{CONFLICT}"/>'
        if work and width > 7 * len(item.name):
            yield f'<text x="{x + 4:.1f}" y="{y + 14}" fill="white" font-size="11">{escape(item.name)}</text>'
    if len(items) > MAX_ITEMS:
        yield f'<text x="{WIDTH - 24}" y="{y + 14}" text-anchor="end">{len(items) - MAX_ITEMS} more not drawn</text>'
