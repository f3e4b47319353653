#!/usr/bin/env python3
"""Tables for docs/performance.md from the benchmarks' JSON.

usage: ./dev bench --benchmark_format=json --benchmark_repetitions=5 | bench/table.py

Times are medians of the repetitions, in nanoseconds per action. The last column has, in the order of the
columns, each simulator's time divided by that of the fastest on this workload.
"""
import json
import sys
from collections import defaultdict


def documents(text: str):
    """The concatenated JSON documents in the text, one from each program."""
    decoder = json.JSONDecoder()
    position = 0
    while (start := text.find("{", position)) >= 0:
        document, position = decoder.raw_decode(text, start)
        yield document


def measurements(text: str):
    """(game, workload, simulator, benchmark) of every benchmark of a simulator on a workload."""
    for document in documents(text):
        for benchmark in document["benchmarks"]:
            if benchmark.get("aggregate_name", "median") != "median" or benchmark.get("error_occurred"):
                continue
            if "speedup" in benchmark:
                name = benchmark["run_name"].removesuffix("/manual_time")
                game, workload, simulator, *variant = name.split("/")
                yield game, " ".join([workload, *variant]), simulator, benchmark


def number(value: float) -> str:
    """Formats with three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> None:
    games = defaultdict(lambda: defaultdict(dict))
    for game, workload, simulator, benchmark in measurements(sys.stdin.read()):
        games[game][workload][simulator] = benchmark["real_time"]
    for game, workloads in games.items():
        simulators = list(next(iter(workloads.values())))
        print(f"### {game}\n\n| workload | {' | '.join(f'{s}, ns' for s in simulators)} | ratios to the fastest |")
        print("|---|" + "--:|" * (len(simulators) + 1))
        for workload, times in workloads.items():
            fastest = min(times.values())
            ratios = " · ".join(f"{times[s] / fastest:.3g}" if times[s] < 1000 * fastest
                                else f"{times[s] / fastest:,.0f}" for s in simulators)
            print(f"| {workload} | {' | '.join(number(times[s]) for s in simulators)} | {ratios} |")
        print()


if __name__ == "__main__":
    main()
