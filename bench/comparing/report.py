"""Formats results: tables, JSON, pictures."""
from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path

from . import BadInput
from .behaviour import Behaviour
from .judgement import Comparison

COLOURS = {"slower": "#c0392b", "vanished": "#c0392b", "uncountable": "#c0392b", "faster": "#1e8449", "new": "#1e8449",
           "countable": "#1e8449", "same": "#5d6d7e", "inconclusive": "#b9770e", "left out": "#b9770e"}


def number(value: float | None) -> str:
    """Formats with four significant digits."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def percent(ratio: float | None) -> str:
    return "-" if ratio is None else f"{100 * (ratio - 1):+.2f}%"


def interval(c: Comparison) -> str:
    """Both ends of the interval, or "-" when there are too few samples."""
    return f"{percent(c.low)} … {percent(c.high)}" if c.low is not None and 0 < c.low and c.high < math.inf else "-"


def table(comparisons: list[Comparison], unit: str) -> str:
    rows = [("benchmark", f"before, {unit}", f"after, {unit}", "change", "interval", "p", "verdict")]
    for c in comparisons:
        p = "-" if c.p_holm is None else f"{c.p_holm:.2g}"
        rows.append((c.name, number(c.before), number(c.after), percent(c.ratio), interval(c), p, c.verdict))
    return columns(rows, left=(0, 6))


def columns(rows: list[tuple[str, ...]], left: tuple[int, ...]) -> str:
    """Aligns columns to the right, those in `left` to the left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) if i in left else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)


def behaviour_table(found: list[Behaviour]) -> str:
    """A line for each game, and below it the differences, each with the command that replays it."""
    rows = [("game", "scenarios", "steps", "verdict", "implementations of the earlier version")]
    rows += [(b.system, f"{b.scenarios:,}", f"{b.steps:,}", b.verdict, b.reason or " ".join(b.implementations)) for b in found]
    lines = [columns(rows, left=(0, 3, 4))]
    for b in found:
        for difference in b.differences:
            lines.append(f"\n{b.system}: {difference.explanation}\n  in:        {difference.file}\n  replay it: {difference.replay}")
    return "\n".join(lines)


def summary(comparisons: list[Comparison]) -> str:
    counts = {verdict: sum(c.verdict == verdict for c in comparisons) for verdict in COLOURS}
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count) or "nothing was compared"


def json_of(comparisons: list[Comparison]) -> list[dict]:
    """JSON has no infinity: an unbounded end of an interval becomes null."""
    return [{key: None if isinstance(value, float) and not math.isfinite(value) else value
             for key, value in asdict(c).items()} for c in comparisons]


def history_table(labels: list[str], series: dict[str, list[Comparison | None]]) -> str:
    """A line for each version, with the ratio of each benchmark to the first version in separate columns."""
    lines = []
    for name, comparisons in series.items():
        lines.append(name)
        for label, c in zip(labels, comparisons):
            if c is None:
                lines.append(f"  {'-':>9}  {'':<24}  {'not there':<12}  {label}")
                continue
            lines.append(f"  {percent(c.ratio):>9}  {interval(c):<24}  {c.verdict:<12}  {label}")
    return "\n".join(lines)


def _axes(width: float, height: float):
    try:
        import matplotlib
    except ImportError:
        raise BadInput("--picture needs python3-matplotlib, which is not installed") from None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "lockstep"  # makes the file reproducible
    from matplotlib import pyplot
    return pyplot.subplots(figsize=(width, height), layout="constrained")


def _write(figure, path: Path) -> None:
    kind = path.suffix.removeprefix(".")
    if kind not in ("svg", "png", "pdf"):
        raise BadInput(f"--picture {path}: expected a name that ends in .svg, .png or .pdf")
    half = path.with_name(f".{path.name}.half")
    try:
        figure.savefig(half, format=kind, metadata={"Date": None} if kind == "svg" else None)
        half.rename(path)
    except OSError as fault:
        raise BadInput(f"--picture {path}: {fault.strerror}") from None


def picture(comparisons: list[Comparison], threshold: float, title: str, path: Path) -> None:
    """The ratio of each benchmark with its interval; the band is the threshold."""
    shown = [c for c in comparisons if c.ratio is not None][::-1]
    figure, axes = _axes(8, 1.6 + 0.28 * max(len(shown), 1))
    axes.axvspan(100 * (1 / (1 + threshold) - 1), 100 * threshold, color="#ecf0f1", zorder=0)
    axes.axvline(0, color="#7f8c8d", linewidth=0.8, zorder=1)
    for row, c in enumerate(shown):
        centre = 100 * (c.ratio - 1)
        ends = [100 * (end - 1) if math.isfinite(end) and end > 0 else centre for end in (c.low, c.high)]
        axes.errorbar(centre, row, xerr=[[max(0.0, centre - ends[0])], [max(0.0, ends[1] - centre)]], fmt="o",
                      markersize=4, capsize=3, color=COLOURS[c.verdict])
    axes.set_yticks(range(len(shown)), [c.name for c in shown])
    axes.set_ylim(-0.7, len(shown) - 0.3)
    axes.set_xlabel("change, % (right: slower)")
    figure.suptitle(title, fontsize=9)
    _write(figure, path)


def extent(ratios: list[float]) -> tuple[float, float, str]:
    """The axis for these ratios and 1: its ends, with a tenth to either side at least, and linear up to a factor of three."""
    low, high = min([*ratios, 1 / 1.1]), max([*ratios, 1.1])
    return low / 1.02, high * 1.02, "linear" if high <= 3 * low else "log"


def history_picture(labels: list[str], series: dict[str, list[Comparison | None]], path: Path) -> None:
    """A line for each benchmark over the versions, as the ratio to the first of them."""
    figure, axes = _axes(max(8, 2 + 0.5 * len(labels)), 5.5)
    axes.axhline(1, color="#7f8c8d", linewidth=0.8)
    shown = [1.0]
    for name, comparisons in series.items():
        points = [(i, c) for i, c in enumerate(comparisons) if c is not None and c.ratio is not None]
        if not points:
            continue
        ratios = [c.ratio for _, c in points]
        below = [max(0.0, c.ratio - c.low) if math.isfinite(c.low) else 0.0 for _, c in points]
        above = [max(0.0, c.high - c.ratio) if math.isfinite(c.high) else 0.0 for _, c in points]
        shown += [r - d for r, d in zip(ratios, below) if r > d] + [r + d for r, d in zip(ratios, above)]
        axes.errorbar([i for i, _ in points], ratios, yerr=[below, above], marker="o", markersize=4, capsize=3,
                      linewidth=1, label=name)
    low, high, scale = extent(shown)
    axes.set_yscale(scale)
    axes.set_ylim(low, high)
    axes.yaxis.set_major_formatter("{x:.3g}")
    if scale == "log":
        axes.yaxis.set_minor_formatter("{x:.3g}")
    axes.set_xticks(range(len(labels)), [label[:28] for label in labels], rotation=30, ha="right", fontsize=7)
    axes.set_ylabel("time or instructions, over the first version's")
    axes.legend(fontsize=7)
    _write(figure, path)
