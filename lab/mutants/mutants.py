#!/usr/bin/env python3
"""The mutation score of a game's optimized implementations: how many planted changes corpus and generators detect.

usage: mutants.py GAME [IMPLEMENTATION] [--seconds N] [--jobs N] [--seed N] [--corpus FOLDER] [--json] [--all]
                  --planted FILE --judge PROGRAM --equivalent FILE
       mutants.py GAME --list --planted FILE --equivalent FILE

`./dev mutants GAME` builds what is needed and calls this script. Survivors are listed with their source lines. Exit 0
when every change is killed, except those listed as equivalent. Exit 1 when another one survives, or when an entry of
the list of equivalents is wrong: its change is killed, no longer exists, or is ambiguous. Exit 2 when the command line
or the list is malformed. `--list` only checks the list of equivalents against the planted changes.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import keys  # noqa: E402


def counted(count: int, one: str, many: str) -> str:
    return f"{count or 'no'} {one if count == 1 else many}"


def wrong(text: str):
    print(f"mutants: {text}", file=sys.stderr)
    sys.exit(2)


@dataclass
class Change:
    number: int
    file: str
    line: int
    text: str         # the source line, trimmed
    function: str     # the enclosing function, with its classes
    change: str       # `a < b` -> `a <= b`
    within: list[str] # the enclosing expressions, innermost first
    simulators: list[str]
    key: str = ""     # identifies the change within its function
    equivalent: str = ""  # the reason, when listed
    proved: str = ""  # by which claims, when recorded
    verdict: list[str] = field(default_factory=list)

    @property
    def place(self) -> keys.Place:
        return keys.Place(Path(self.file).name, self.function, self.change, self.within)

    @property
    def killed(self) -> bool:
        return self.verdict[0] == "killed"


# The list of equivalents ------------------------------------------------------------------------

def mark_equivalents(changes: list[Change], path: Path) -> list[str]:
    """Marks the changes that are listed. Returns complaints, with lines, about entries that match no change or
    several."""
    try:
        entries = keys.read(path.read_text(encoding="utf-8")) if path.exists() else []
    except keys.WrongList as fault:
        wrong(f"{path}:{fault}")
    found, complaints = keys.match([change.place for change in changes], entries)
    for at, entry in found.items():
        changes[at].equivalent, changes[at].proved = entry.reason, entry.proved
    return complaints


# Judging ----------------------------------------------------------------------------------------

class Progress:
    """A progress line that is rewritten on a terminal."""

    def __init__(self, total: int):
        self.total, self.done, self.alive = total, 0, 0
        self.shows = sys.stderr.isatty()

    def add(self, change: Change) -> None:
        self.done += 1
        self.alive += 0 if change.killed else 1
        if self.shows:
            print(f"\r{self.done} of {self.total} changes judged, {self.alive} survived ", end="", file=sys.stderr)

    def end(self) -> None:
        if self.shows:
            print("\r\033[K", end="", file=sys.stderr)


def judge(asked, changes: list[Change], seconds: float, **environment: str) -> None:
    command = [asked.judge, "--seconds", str(seconds), "--jobs", str(asked.jobs), "--seed", str(asked.seed)]
    if asked.corpus:
        command += ["--corpus", asked.corpus]
    words = "".join(f"{change.number} {' '.join(change.simulators)}\n" for change in changes)
    by_number = {change.number: change for change in changes}
    progress = Progress(len(changes))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, **environment}) as process:
        process.stdin.write(words)
        process.stdin.close()
        for line in process.stdout:
            number, *verdict = line.split()
            by_number[int(number)].verdict = verdict
            progress.add(by_number[int(number)])
    progress.end()
    if process.returncode != 0 or not all(change.verdict for change in changes):
        print(f"mutants: {asked.judge} ended with {process.returncode}", file=sys.stderr)
        sys.exit(3)


def simulators_here(asked, **environment: str) -> set[str]:
    result = subprocess.run([asked.judge, "--list", "yes"], capture_output=True, text=True, check=True,
                            env={**os.environ, **environment})
    return set(result.stdout.split())


def judge_at_the_lowest_level(asked, changes: list[Change]) -> None:
    """Judges survivors again as on a processor without wide instructions (lockstep/system/processor.hpp): a batch has
    other lanes there, and code that was not reached may be code for such a processor."""
    lowest = {"LOCKSTEP_LEVEL": "baseline"}
    here = simulators_here(asked, **lowest)
    again = [change for change in changes if not change.killed and here.intersection(change.simulators)
             and ("batch" in change.simulators or change.verdict[-1] == "unreached")]
    for change in again:
        change.simulators = [name for name in change.simulators if name in here]
    if again:
        judge(asked, again, asked.seconds, **lowest)


def keep_those_that_run(asked, changes: list[Change], skipped: dict[str, int]) -> list[Change]:
    """Drops simulators that this processor cannot run; a change without any simulator left is skipped."""
    here = simulators_here(asked)
    for change in changes:
        change.simulators = [name for name in change.simulators if name in here]
        if not change.simulators:
            skipped[change.file] = skipped.get(change.file, 0) + 1
    return [change for change in changes if change.simulators]


def is_drawn(change: Change) -> bool:
    return change.killed and change.verdict[1].isdigit()


# Reporting --------------------------------------------------------------------------------------

def score(changes: list[Change]) -> float:
    counted = [change for change in changes if not change.equivalent]
    return 100.0 * sum(change.killed for change in counted) / max(len(counted), 1)


def table(changes: list[Change], skipped: dict[str, int]) -> str:
    head = ("file", "changes", "equivalent", "killed", "by the corpus", "survived", "score", "skipped")
    rows = [head]

    def row(name: str, some: list[Change], left_out: int):
        counted = [c for c in some if not c.equivalent]
        dead = [c for c in counted if c.killed]
        corpus = sum(not is_drawn(c) for c in dead)
        rows.append((name, str(len(some)), str(len(some) - len(counted)), str(len(dead)), str(corpus),
                     str(len(counted) - len(dead)), f"{score(some):.2f} %", str(left_out)))

    files = sorted({change.file for change in changes})
    for file in files:
        row(file, [c for c in changes if c.file == file], skipped.get(file, 0))
    if len(files) > 1:
        row("all", changes, sum(skipped.get(file, 0) for file in files))
    widths = [max(len(r[i]) for r in rows) for i in range(len(head))]
    lines = ["  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(r, widths)))
             for r in rows]
    return "\n".join(line.rstrip() for line in lines)


def listed(changes: list[Change]) -> str:
    """Survivors in the form of the list of equivalents, so that a line can be moved there with a reason."""
    out, place = [], None
    for change in changes:
        here = (change.file, change.line)
        if here != place:
            out.append(f"\n{change.file}:{change.line}: {change.text}\n{Path(change.file).name}: {change.function}")
            place = here
        note = "  never reached" if change.verdict[-1] == "unreached" else ""
        out.append(f"    {change.key}{note}")
    return "\n".join(out)


def as_json(changes: list[Change], skipped: dict[str, int], complaints: list[str]) -> str:
    rows = [{"file": c.file, "line": c.line, "text": c.text, "function": c.function, "change": c.change, "key": c.key,
             "killed": c.killed, "by": c.verdict[1] if c.killed else None, "how": c.verdict[2], "equivalent": c.equivalent}
            for c in changes]
    return json.dumps({"score": round(score(changes), 3), "skipped": skipped, "complaints": complaints, "changes": rows},
                      ensure_ascii=False, indent=1)


def parsed(words: list[str]):
    parser = argparse.ArgumentParser(prog="./dev mutants", description="The mutation score of a game's optimized implementations.",
                                     epilog="example: ./dev mutants stacking packed_stacks --seconds 2")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("simulator", metavar="IMPLEMENTATION", nargs="?", help="only the changes of this one's files")
    parser.add_argument("--seconds", type=float, default=10, help="processor time for each change (10)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time (all processors)")
    parser.add_argument("--seed", type=int, default=1, help="of the drawing (1)")
    parser.add_argument("--corpus", default="", help="folder of scenarios, one folder a game (corpus)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only changes whose file:line, text or change holds it")
    parser.add_argument("--proved", action="store_true", help="only those that the prover has proved to have no effect")
    parser.add_argument("--all", action="store_true", help="list every change with its verdict, not only survivors")
    parser.add_argument("--json", action="store_true", help="pure JSON on standard output")
    parser.add_argument("--list", action="store_true", help="judge nothing: does the list of equivalents match what is planted?")
    parser.add_argument("--planted", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--judge", default="", help=argparse.SUPPRESS)
    parser.add_argument("--equivalent", type=Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_intermixed_args(words)


def main(words: list[str]) -> int:
    asked = parsed(words)
    planted = json.loads(asked.planted.read_text(encoding="utf-8"))
    changes = [Change(**change) for change in planted["changes"]]
    index = keys.Index([change.place for change in changes])
    for at, change in enumerate(changes):
        change.key = index.key(at, change.place)
    complaints = mark_equivalents(changes, asked.equivalent)
    if asked.list:
        for complaint in complaints:
            print(f"{asked.equivalent.name}: {complaint}")
        print(f"{asked.game}: {len(changes)} changes planted, {sum(bool(c.equivalent) for c in changes)} listed as equivalent "
              f"({sum(bool(c.proved) for c in changes)} of them proved), "
              f"{counted(len(complaints), 'wrong entry', 'wrong entries')}")
        return 1 if complaints else 0
    changes = keep_those_that_run(asked, changes, planted["skipped"])
    simulators = sorted({name for change in changes for name in change.simulators})
    if asked.simulator:
        if asked.simulator not in simulators:
            wrong(f"{asked.game} has no optimized implementation '{asked.simulator}'; there are: {', '.join(simulators)}")
        changes = [change for change in changes if asked.simulator in change.simulators]
    changes = [c for c in changes if asked.only in f"{c.file}:{c.line} {c.function} {c.text} {c.key}"
               and (c.proved or not asked.proved)]
    if not changes:
        wrong("no change is left to judge")
    # All simulators must agree without a change: otherwise a kill says nothing about the change.
    unchanged = Change(0, "", 0, "", "", "", [], simulators)
    judge(asked, [unchanged], min(1.0, asked.seconds))
    if unchanged.killed:
        print(f"mutants: the implementations differ without a change: {' '.join(unchanged.verdict)}", file=sys.stderr)
        return 1
    judge(asked, changes, asked.seconds)
    judge_at_the_lowest_level(asked, changes)
    complaints += [f"{c.file}:{c.line}: listed as equivalent, but noticed by {c.verdict[1]} ({c.verdict[2]}): {c.key}"
                   for c in changes if c.equivalent and c.killed]
    if asked.json:
        print(as_json(changes, planted["skipped"], complaints))
    else:
        if asked.all:
            for c in changes:
                print(f"{c.file}:{c.line}: {c.key}: {' '.join(c.verdict)}{' (equivalent)' if c.equivalent else ''}")
        print(table(changes, planted["skipped"]))
        survivors = [c for c in changes if not c.killed and not c.equivalent]
        if survivors:
            print(listed(survivors))
        for complaint in complaints:
            print(f"\n{asked.equivalent.name}: {complaint}")
    return 1 if complaints or any(not c.killed and not c.equivalent for c in changes) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
