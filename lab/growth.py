#!/usr/bin/python3
"""Growth of cost, from the benchmarks' JSON: slopes on double logarithmic axes, and a plot.

usage: ./dev bench --benchmark_filter=quiet_drop --benchmark_format=json | lab/growth.py [PICTURE.svg]

Reads every benchmark that has the counter `growth` (GAME/WHAT/IMPLEMENTATION/N), and uses the least time of its repetitions.
The slope is that of the straight line with the best fit to the logarithms: 2 where time follows N², 0 where N does not
matter. Sizes of 0 are left out. Exit status 2 when there is no such benchmark, or when the picture cannot be drawn;
that needs matplotlib, which ./dev installs for the system's python3.
"""
import math
import statistics
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
from table import documents  # noqa: E402


def curves(text: str) -> dict[str, dict[str, dict[int, float]]]:
    """GAME/WHAT → simulator → N → nanoseconds."""
    found = defaultdict(lambda: defaultdict(dict))
    for document in documents(text):
        for benchmark in document.get("benchmarks", []):
            if "growth" not in benchmark or benchmark.get("run_type") != "iteration":
                continue
            *what, simulator, size = benchmark["run_name"].removesuffix("/manual_time").split("/")
            times = found["/".join(what)][simulator]
            times[int(size)] = min(benchmark["real_time"], times.get(int(size), float("inf")))
    return found


def slope(times: dict[int, float]) -> float:
    sizes = [size for size in times if size > 0]
    return statistics.linear_regression([math.log(size) for size in sizes],
                                        [math.log(times[size]) for size in sizes]).slope


def draw(found: dict, path: Path) -> None:
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "lockstep"  # the same figures give the same file
    from matplotlib import pyplot
    figure, panels = pyplot.subplots(1, len(found), figsize=(4 * len(found), 3.4), layout="constrained", squeeze=False)
    for panel, (what, simulators) in zip(panels[0], found.items()):
        for simulator, times in simulators.items():
            panel.plot(list(times), list(times.values()), marker="o", markersize=3, linewidth=1, label=simulator)
        sizes = sorted({size for times in simulators.values() for size in times})
        panel.set_xscale("symlog" if 0 in sizes else "log")
        panel.set_xticks(sizes[::max(1, len(sizes) // 5)])
        panel.set_yscale("log")
        panel.set_ylim(1, 10 * max(time for times in simulators.values() for time in times.values()))
        for axis in (panel.xaxis, panel.yaxis):
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter("")
        panel.set_title(what, fontsize=9)
        panel.set_xlabel("N")
        panel.set_ylabel("ns an action")
        panel.legend(fontsize=7, loc="upper left", ncols=2)
    half = path.with_name(f".{path.name}.half")
    figure.savefig(half, format="svg", metadata={"Date": None})
    half.rename(path)


def main() -> int:
    pictures = sys.argv[1:]
    if len(pictures) > 1 or any(not picture.endswith(".svg") for picture in pictures):
        print(__doc__, file=sys.stderr)
        return 2
    found = curves(sys.stdin.read())
    if not found:
        print("growth.py: expected benchmarks with the counter `growth`, as --benchmark_filter=quiet_drop has; got none",
              file=sys.stderr)
        return 2
    for what, simulators in found.items():
        for simulator, times in simulators.items():
            sizes = sorted(times)
            print(f"{what:<24} {simulator:<14} {times[sizes[0]]:>10.3g} ns at {sizes[0]:>3}"
                  f" {times[sizes[-1]]:>10.3g} ns at {sizes[-1]:>3}   slope {slope(times):+.2f}")
    try:
        for picture in pictures:
            draw(found, Path(picture))
    except (ImportError, OSError) as fault:
        print(f"growth.py: {pictures[0]}: {fault}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
