#!/usr/bin/env python3
"""Tables for docs/performance.md from the benchmarks' JSON.

usage: ./dev bench --benchmark_format=json --benchmark_repetitions=5 | bench/table.py
       for level in baseline avx2; do LOCKSTEP_LEVEL=$level ./dev bench --benchmark_format=json; done |
           bench/table.py --levels

Times are medians of the repetitions, in nanoseconds per action. The last column has, in the order of the
columns, each simulator's time divided by that of the fastest on this workload.

--levels: a row for each workload, a column for each level of processor features that the benchmarks ran at: the
fastest simulator there, its time, and the textbook's time in the same run divided by it.
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


def measurements_of_levels(text: str):
    """(game, workload, level, simulator, time); of a batch, the workload it was asked about, with the question."""
    for document in documents(text):
        level = document["context"]["level"].split()[0]
        for benchmark in document["benchmarks"]:
            if benchmark.get("aggregate_name", "median") != "median" or benchmark.get("error_occurred"):
                continue
            name = benchmark["run_name"].removesuffix("/manual_time").split("/")
            if "speedup" in benchmark:
                game, workload, simulator, *variant = name
                yield game, " ".join([workload, *variant]), level, simulator, benchmark["real_time"]
            elif name[-1] == "batch":
                game, question, workload, simulator = name
                yield game, f"{workload} {question}", level, simulator, benchmark["real_time"]


def print_levels(text: str) -> None:
    rows, levels = defaultdict(lambda: defaultdict(dict)), []
    for game, workload, level, simulator, time in measurements_of_levels(text):
        rows[game, workload][level][simulator] = time
        if level not in levels:
            levels.append(level)
    print(f"| workload | textbook, ns | {' | '.join(f'{level}, ns' for level in levels)} |")
    print("|---|--:|" + "--:|" * len(levels))
    for (game, workload), runs in rows.items():
        # A batch is asked what the textbook is asked about one loaded board.
        textbook = {level: rows[game, workload.split()[0]][level].get("textbook") for level in levels}
        textbook |= {level: times["textbook"] for level, times in runs.items() if "textbook" in times}
        cells = []
        for level in levels:
            simulator, time = min(runs[level].items(), key=lambda each: each[1], default=("", 0))
            ratio = f" ({number(textbook[level] / time)})" if time and textbook[level] else ""
            cells.append(f"`{simulator}` {number(time)}{ratio}" if time else "")
        lowest = min((time for time in textbook.values() if time), default=0)
        print(f"| {game} {workload} | {number(lowest) if lowest else ''} | {' | '.join(cells)} |")


def number(value: float) -> str:
    """Formats with three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main(arguments: list[str]) -> None:
    if arguments == ["--levels"]:
        return print_levels(sys.stdin.read())
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
    main(sys.argv[1:])
