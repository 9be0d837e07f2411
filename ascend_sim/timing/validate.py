"""How well the model agrees with published measurements: `ascend-sim validate`."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median

import attrs

from ascend_sim.timing.points import Case, Point, load, map_point

CLOSE = 0.10


@attrs.frozen
class Row:
    """Errors of one group of points. chosen: they helped to choose the constants, so they are no evidence."""

    name: str
    chosen: bool
    cases: tuple[Case, ...]

    @property
    def errors(self) -> list[float]:
        """Absolute relative errors, smallest first."""
        return sorted(abs(case.error) for case in self.cases)

    @property
    def close(self) -> float:
        """Share within 10 %."""
        return sum(e <= CLOSE for e in self.errors) / len(self.cases)

    @property
    def precision(self) -> float:
        """Mean of 1 - |error|, none below 0: the measure of the pto-isa model."""
        return sum(max(0.0, 1 - e) for e in self.errors) / len(self.cases)

    def worst(self, count: int = 3) -> list[Case]:
        """The cases that are furthest off."""
        return sorted(self.cases, key=lambda case: -abs(case.error))[:count]


@attrs.frozen
class Threshold:
    """What a share or an error must reach: over the rows whose name starts with one of `rows`."""

    what: str
    rows: tuple[str, ...]
    measure: Callable[[Sequence[Case]], float]
    limit: float
    at_least: bool = True

    def figure(self, cases: Iterable[Case]) -> float | None:
        """The measure over the cases that it is about; None when there is none."""
        mine = [c for c in cases if c.row.startswith(self.rows)]
        return self.measure(mine) if mine else None

    def met(self, figure: float) -> bool:
        return figure >= self.limit if self.at_least else figure <= self.limit


def _close(cases: Sequence[Case]) -> float:
    return sum(abs(c.error) <= CLOSE for c in cases) / len(cases)


def _largest(cases: Sequence[Case]) -> float:
    return max(abs(c.error) for c in cases)


_LISTED = (
    "TAdd ",
    "TSub ",
    "TMul ",
    "TDiv ",
    "TExp ",
    "TSqrt ",
    "TMins ",
    "TAddS ",
    "TMulS ",
    "TRowSum ",
    "TRowMax ",
    "TCvt ",
)


def _precision(cases: Sequence[Case]) -> float:
    mine = [c for c in cases if c.what.startswith(_LISTED)]
    return sum(max(0.0, 1 - abs(c.error)) for c in mine) / len(mine)


THRESHOLDS = (
    Threshold("streaming within 10 %", ("streaming",), _close, 0.97),
    Threshold("serialized, one repeat a barrier, within 10 %", ("serialized, one repeat",), _close, 0.95),
    Threshold("isolated within 10 %", ("isolated",), _close, 0.95),
    Threshold("bank scenarios, largest error", ("bank scenarios",), _largest, 0.05, at_least=False),
    Threshold(
        "copies of A2 within 10 %",
        ("copies, one core (A2)", "copies, many cores", "copies in kernels (A2)"),
        _close,
        0.95,
    ),
    Threshold("Add kernel, vector time", ("Add kernel, vector time (A2)",), _largest, 0.02, at_least=False),
    Threshold("loops of 950 within 10 %", ("loops of 950", "loops of 950, conversions"), _close, 0.85),
    Threshold("PTO tiles, mean precision of the twelve operations", ("PTO tiles",), _precision, 0.90),
)

PEERS = {
    "PTO tiles": "pto-isa's own model: mean precision 0.545 over its 103 cases, 39 % at 0.90 or better",
    "loops of 950": "pto-isa's own model: mean precision 0.919 over 240 cases, 84 % at 0.90 or better",
    "loops of 950, row-looped tiles": "VfSimulator, on other loops: 0 to 13 % from the vendor's simulator",
}


@attrs.frozen
class Validation:
    """All rows, the points without a program by reason, and what the thresholds say."""

    rows: tuple[Row, ...]
    unmapped: "Counter[str]"
    points: int

    @property
    def cases(self) -> list[Case]:
        return [case for row in self.rows for case in row.cases]

    def verdicts(self) -> list[tuple[Threshold, float | None]]:
        """Each threshold with its figure."""
        return [(t, t.figure(self.cases)) for t in THRESHOLDS]

    @property
    def is_met(self) -> bool:
        """Every threshold that the points say something about is met."""
        return all(figure is None or t.met(figure) for t, figure in self.verdicts())

    def __str__(self) -> str:
        return "\n".join([*self._table(), "", *self._unmapped(), "", *self._verdicts()])

    def _table(self) -> Iterable[str]:
        head = ("points", "n", "median", "p90", "max", "within 10 %", "precision")
        for chosen, title in (
            (True, "Points that helped to choose the constants (no evidence)"),
            (False, "Predicted points"),
        ):
            yield title
            yield "  {:<42}{:>6}{:>9}{:>8}{:>8}{:>13}{:>11}".format(*head)
            for row in self.rows:
                if row.chosen is not chosen:
                    continue
                e = row.errors
                figures = f"{median(e):>9.1%}{e[int(0.9 * (len(e) - 1))]:>8.1%}{e[-1]:>8.1%}{row.close:>13.1%}"
                yield f"  {row.name:<42}{len(e):>6}{figures}{row.precision:>11.3f}"
                if row.name in PEERS and not chosen:
                    yield f"      beside it: {PEERS[row.name]}"
                far = [c for c in row.worst() if abs(c.error) > CLOSE]
                if far:
                    yield "      furthest: " + "; ".join(f"{c.what} {c.error:+.0%}" for c in far)
            yield ""

    def _unmapped(self) -> Iterable[str]:
        yield f"Points without a program: {sum(self.unmapped.values())} of {self.points}"
        for reason, count in self.unmapped.most_common():
            yield f"  {count:>5}  {reason}"

    def _verdicts(self) -> Iterable[str]:
        yield "Thresholds"
        for threshold, figure in self.verdicts():
            sign = ">=" if threshold.at_least else "<="
            if figure is None:
                yield f"  -       {threshold.what}: no points"
                continue
            verdict = "ok" if threshold.met(figure) else "MISSED"
            yield f"  {verdict:<7} {threshold.what}: {figure:.3f} (wanted {sign} {threshold.limit})"


def validate(path: Path | None = None, points: Iterable[Point] | None = None) -> Validation:
    """Run the model on the shipped points, on those of a file, or on given ones."""
    groups: dict[tuple[str, bool], list[Case]] = {}
    unmapped: Counter[str] = Counter()
    count = 0
    for point in load(path) if points is None else points:
        count += 1
        try:
            mapped = map_point(point)
        except (ValueError, KeyError, TypeError, AttributeError) as error:  # a file of others may hold anything
            mapped = f"unreadable: {type(error).__name__} {error}"
        if isinstance(mapped, str):
            unmapped[mapped] += 1
            continue
        for case in mapped:
            groups.setdefault((case.row, case.chosen), []).append(case)
    rows = [Row(name, chosen, tuple(cases)) for (name, chosen), cases in sorted(groups.items())]
    return Validation(tuple(rows), unmapped, count)
