#!/usr/bin/env python3
"""Checks on real builds what ./dev compare promises: docs/comparing.md has the results.

usage: compare_shows.py WHAT [--times N] [--seconds S] [--percent P] [--game GAME] [--filter REGEX]

  quiet          the same revision against itself: only the verdicts `same` and `inconclusive`, exit 0
  slower         against a copy in which every lap takes P% longer (default 10): exit 1. With 0 the copy has the code
                 but no delay: the result is the effect of code placement
  removed        against a copy in which one of the filter's simulators is not registered: exit 1
  instructions   counts of the same program twice, and against a copy with 2% more: 0 and 1

The copies are of HEAD, built like any other revision. Exit status 0 when every result is as stated.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from comparing.programs import Version, list_benchmarks  # noqa: E402
from comparing.versions import Repository, Toolchain  # noqa: E402

WORK = ROOT / "build" / "compare"
TOOLCHAIN = Toolchain("clang++-19", "")


def programs(game: str, edits: dict) -> Path:
    """The folder with bench_GAME, built from HEAD with edits: each file with a function from old to new text."""
    repository = Repository(ROOT, WORK)
    (WORK / "objects").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        environment = {"GIT_INDEX_FILE": f"{folder}/index", **repository._with_our_objects()}
        repository.git("read-tree", "HEAD", **environment)
        for name, edit in edits.items():
            text = repository.git("show", f"HEAD:{name}") + "\n"
            changed = edit(text)
            assert changed != text, f"{name} no longer has what is to be changed"
            copy = Path(folder) / "file"
            copy.write_text(changed, encoding="utf-8")
            blob = repository.git("hash-object", "-w", str(copy), **environment)
            repository.git("update-index", "--cacheinfo", f"100644,{blob},{name}", **environment)
        tree = repository.git("write-tree", **environment)
    return repository.build(tree, f"HEAD with {len(edits)} files changed", TOOLCHAIN, [f"bench_{game}"])


def longer(percent: int):
    """Extends each lap by this percentage with a busy loop."""
    return lambda laps: laps.replace("    return stopwatch.elapsed();\n",
                                     "    const auto lap = stopwatch.elapsed();\n"
                                     f"    const auto end = lap + lap * {percent} / 100;\n"
                                     "    while (stopwatch.elapsed() < end) {\n    }\n"
                                     f"    return {'stopwatch.elapsed()' if percent else 'lap'};\n")


def more_instructions(count: int):
    """Adds this many instructions to every step of a lap."""
    return lambda laps: laps.replace("observe_answer(implementation.step(action));",
                                     "{\n      observe_answer(implementation.step(action));\n"
                                     f'      asm volatile(".rept {count}\\n\\tnop\\n\\t.endr");\n    }}')


def without(simulator: str):
    """Compiles the same code, but does not register this simulator."""
    return lambda registry: registry.replace("Registration register_implementation(std::string_view name, Kind kind, std::string_view about) {\n",
                                         "Registration register_implementation(std::string_view name, Kind kind, std::string_view about) {\n"
                                         f'  if (name == "{simulator}") return {{}};\n')


def compare(before: Path, after: Path, *options: str) -> tuple[int, dict]:
    started = time.monotonic()
    result = subprocess.run([sys.executable, str(ROOT / "bench" / "compare.py"), "--programs", str(before), str(after), "--json",
                             *options], capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1) or not result.stdout:
        sys.exit(f"compare ended with {result.returncode}:\n{result.stderr}")
    document = json.loads(result.stdout)
    found = Counter(c["verdict"] for c in document["times"] + document["instructions"])
    print(f"exit {result.returncode} after {time.monotonic() - started:.0f} s: "
          + ", ".join(f"{n} {verdict}" for verdict, n in sorted(found.items())), flush=True)
    return result.returncode, document


def optimized_simulators(game: str) -> list[str]:
    system = (ROOT / "games" / game / "roster.hpp").read_text(encoding="utf-8")
    return re.findall(r'#include "optimized/.*/(\w+)\.hpp"', system)


def benchmarks(folder: Path, chosen: str) -> set[str]:
    version = Version(folder.name, folder)
    list_benchmarks(version, re.compile(chosen), None)
    return set(version.benchmarks)


def by_benchmark(documents: Iterable[dict]) -> None:
    """Prints a line per benchmark: the verdicts of all runs, and the smallest and largest change."""
    found: dict[str, list[dict]] = {}
    for document in documents:
        for c in document["times"]:
            found.setdefault(c["name"], []).append(c)
    for name, comparisons in sorted(found.items()):
        verdicts = Counter(c["verdict"] for c in comparisons)
        changes = [100 * (c["ratio"] - 1) for c in comparisons if c["ratio"] is not None]
        extent = f"  {min(changes):+.1f}% … {max(changes):+.1f}%" if changes else ""
        print(f"  {name}: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items())) + extent)


def show(options: argparse.Namespace) -> bool:
    game, chosen = options.game, ["--filter", options.filter]
    head = programs(game, {})
    if options.what == "instructions":
        status, same = compare(head, head, *chosen, "--measure", "instructions")
        off = max(abs(c["ratio"] - 1) for c in same["instructions"])
        print(f"the same program twice: at most {100 * off:.4f}% apart")
        # Only whole instructions can be added, so choose the benchmark for which the count is nearest to two percent.
        count = {c["name"]: c["before"] for c in same["instructions"]}
        more = {name: max(1, round(n / 50)) for name, n in count.items()}
        name = min(count, key=lambda name: (abs(more[name] / count[name] - 0.02), name))
        planted = programs(game, {"lockstep/describe/laps.hpp": more_instructions(more[name])})
        gate, found = compare(head, planted, "--filter", f"^{name}$", "--measure", "instructions")
        print(f"{name}: {more[name]} more in {count[name]:.2f}: {100 * (found['instructions'][0]['ratio'] - 1):+.2f}%")
        return status == 0 and off < 1e-4 and gate == 1
    time_options = [*chosen, "--seconds", str(options.seconds)]
    if options.what == "removed":
        before = benchmarks(head, options.filter)
        simulator = next(name for name in optimized_simulators(game) if any(name in benchmark.split("/") for benchmark in before))
        status, found = compare(head, programs(game, {"lockstep/system/registry.hpp": without(simulator)}), *time_options)
        vanished = {c["name"] for c in found["times"] if c["verdict"] == "vanished"}
        print(f"without {simulator}, vanished: {' '.join(sorted(vanished))}")
        return status == 1 and vanished == {benchmark for benchmark in before if simulator in benchmark.split("/")}
    other = head if options.what == "quiet" else programs(game, {"lockstep/describe/laps.hpp": longer(options.percent)})
    results = [compare(head, other, *time_options) for _ in range(options.times)]
    failures = sum(status == 1 for status, _ in results)
    print(f"exit 1 in {failures} of {options.times}")
    by_benchmark(document for _, document in results)
    if options.what == "quiet":
        verdicts = {c["verdict"] for _, found in results for c in found["times"]}
        return failures == 0 and verdicts <= {"same", "inconclusive"}
    return failures >= 0.95 * options.times if options.percent else failures == 0


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=("quiet", "slower", "removed", "instructions"))
    p.add_argument("--times", type=int, default=20)
    p.add_argument("--seconds", type=float, default=60)
    p.add_argument("--percent", type=int, default=10)
    p.add_argument("--game", default="omok")
    p.add_argument("--filter", default="^omok/.*/(lines|shifts|lines/from_setup)$", help="default: ten benchmarks")
    options = p.parse_args()
    os.chdir(ROOT)
    good = show(options)
    print("as promised" if good else "NOT as promised")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
