#!/usr/bin/env python3
"""What ./dev compare promises, shown on real builds: docs/comparing.md has what came out.

usage: compare_shows.py WHAT [--times N] [--seconds S] [--game GAME] [--filter REGEX]

  quiet          the same revision against itself: no verdict but `same` and `inconclusive`, exit 0
  slower         against a copy in which every lap is played a tenth longer: exit 1
  removed        against a copy in which one simulator is not enlisted: exit 1
  instructions   counts of the same program twice, and against a copy with 2% more: 0 and 1

The copies are of HEAD, built like any other revision. Exit status 0 when all of it is so.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from comparing.versions import Repository, Toolchain  # noqa: E402

WORK = ROOT / "build" / "compare"
TOOLCHAIN = Toolchain("clang++-19", "")


def programs(game: str, edits: dict) -> Path:
    """The folder with the bench_GAME of HEAD after the edits: file → function from its text to another."""
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


def a_tenth_longer(laps: str) -> str:
    """The clock runs on for a tenth of the lap, busily."""
    return laps.replace("    return stopwatch.elapsed();\n",
                        "    const auto lap = stopwatch.elapsed();\n"
                        "    while (stopwatch.elapsed() < lap + lap / 10) {\n    }\n"
                        "    return stopwatch.elapsed();\n")


def more_instructions(count: int):
    """So many instructions more in every step that a lap plays."""
    return lambda laps: laps.replace("observe_answer(simulator.step(action));",
                                     "{\n      observe_answer(simulator.step(action));\n"
                                     f'      asm volatile(".rept {count}\\n\\tnop\\n\\t.endr");\n    }}')


def without(simulator: str):
    return lambda system: "".join(line for line in system.splitlines(keepends=True)
                                  if not re.search(rf'#include "optimized/.*/{simulator}\.hpp"', line))


def compare(before: Path, after: Path, *options: str) -> tuple[int, dict]:
    started = time.monotonic()
    result = subprocess.run([sys.executable, str(ROOT / "bench" / "compare.py"), "--programs", str(before), str(after), "--json",
                             *options], capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        sys.exit(f"compare ended with {result.returncode}: {result.stderr}")
    document = json.loads(result.stdout)
    found: dict[str, int] = {}
    for c in document["times"] + document["instructions"]:
        found[c["verdict"]] = found.get(c["verdict"], 0) + 1
    print(f"exit {result.returncode} after {time.monotonic() - started:.0f} s: "
          + ", ".join(f"{n} {verdict}" for verdict, n in sorted(found.items())), flush=True)
    return result.returncode, document


def show(options: argparse.Namespace) -> bool:
    game, chosen = options.game, ["--filter", options.filter]
    head = programs(game, {})
    if options.what == "instructions":
        status, same = compare(head, head, *chosen, "--measure", "instructions")
        off = max(abs(c["ratio"] - 1) for c in same["instructions"])
        print(f"the same program twice: at most {100 * off:.4f}% apart")
        # Two percent of the cheapest that has fifty instructions a step: one more is the least that can be planted.
        least = min((c for c in same["instructions"] if c["before"] >= 50), key=lambda c: c["before"])
        more = -(-int(2 * least["before"]) // 100)
        planted = programs(game, {"harness/laps.hpp": more_instructions(more)})
        gate, found = compare(head, planted, "--filter", f"^{least['name']}$", "--measure", "instructions")
        print(f"{least['name']}: {more} more in {least['before']:.2f}: {100 * (found['instructions'][0]['ratio'] - 1):+.2f}%")
        return status == 0 and off < 1e-4 and gate == 1
    time_options = [*chosen, "--seconds", str(options.seconds)]
    if options.what == "removed":
        system = (ROOT / "systems" / f"{game}.hpp").read_text(encoding="utf-8")
        simulator = re.findall(r'#include "optimized/.*/(\w+)\.hpp"', system)[0]
        status, found = compare(head, programs(game, {f"systems/{game}.hpp": without(simulator)}), *time_options)
        return status == 1 and any(c["verdict"] == "vanished" for c in found["times"])
    other = head if options.what == "quiet" else programs(game, {"harness/laps.hpp": a_tenth_longer})
    results = [compare(head, other, *time_options) for _ in range(options.times)]
    failures = sum(status == 1 for status, _ in results)
    print(f"exit 1 in {failures} of {options.times}")
    if options.what == "quiet":
        verdicts = {c["verdict"] for _, found in results for c in found["times"]}
        return failures == 0 and verdicts <= {"same", "inconclusive"}
    return failures >= 0.95 * options.times


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=("quiet", "slower", "removed", "instructions"))
    p.add_argument("--times", type=int, default=20)
    p.add_argument("--seconds", type=float, default=60)
    p.add_argument("--game", default="omok")
    p.add_argument("--filter", default="^omok/.*/(lines|shifts|lines/from_setup)$", help="default: ten benchmarks")
    options = p.parse_args()
    os.chdir(ROOT)
    good = show(options)
    print("as promised" if good else "NOT as promised")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
