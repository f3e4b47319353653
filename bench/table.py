#!/usr/bin/env python3
"""Tables for docs/performance.md from the benchmarks' JSON.

usage: ./dev bench --benchmark_format=json --benchmark_repetitions=5 | bench/table.py
       for level in baseline avx2; do LOCKSTEP_LEVEL=$level ./dev bench --benchmark_format=json; done |
           bench/table.py --levels

Times are medians of the repetitions, in nanoseconds per action. The last column has, in the order of the
columns, each simulator's time divided by that of the fastest on this workload.

--levels: a row for each workload, a column for each level of processor features that the benchmarks ran at: the
fastest simulator there, its time, and in brackets the times in the same run of the textbook and of the lean simulator
(the best plain scalar code) divided by it. The first two columns are the lowest of all runs.
"""
import json
import sys
from collections import defaultdict


LEAN = {"puyo": "lean", "block_game": "skyline", "stacking": "linked_stacks", "ts_tetris": "lean", "omok": "shifts"}


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
            elif len(name) == 4 and not name[-1].isdigit():
                game, question, workload, simulator = name
                yield game, f"{workload} {question}", level, simulator, benchmark["real_time"]


def print_levels(text: str) -> None:
    rows, levels = defaultdict(lambda: defaultdict(dict)), []
    for game, workload, level, simulator, time in measurements_of_levels(text):
        rows[game, workload][level][simulator] = time
        if level not in levels:
            levels.append(level)
    print(f"| workload | textbook, ns | lean, ns | {' | '.join(f'{level}, ns' for level in levels)} |")
    print("|---|--:|--:|" + "--:|" * len(levels))
    for game, workload in list(rows):
        runs = rows[game, workload]
        # A batch is asked what these are asked about one loaded board.
        loaded = rows.get((game, workload.split()[0]), {})
        times = {level: {name: runs[level].get(name) or loaded.get(level, {}).get(name)
                         for name in ("textbook", LEAN.get(game))} for level in levels}
        lowest = [min((each[name] for each in times.values() if each[name]), default=None) for name in times[levels[0]]]
        cells = [number(time) if time else "" for time in lowest]
        for level in levels:
            simulator, time = min(runs[level].items(), key=lambda each: each[1], default=("", 0))
            ratios = " · ".join(number(each / time) for each in times[level].values() if time and each)
            cells.append(f"`{simulator}` {number(time)}" + (f" ({ratios})" if ratios else "") if time else "")
        print(f"| {game} {workload} | {' | '.join(cells)} |")


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
