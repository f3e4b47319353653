#!/usr/bin/env python3
"""Which lines and branches of optimized/ are executed: by the corpus alone, and by the corpus and some fuzzing.

usage: coverage.py --root ROOT --program LOCKSTEP [--seconds N] [--json] [GAME]…

LOCKSTEP is built by the preset `coverage`. `./dev coverage` builds it and calls this script. Branches that the corpus
does not take are listed with their source lines; lab/unreached.txt explains for some why they cannot be taken. Exit 0
when the corpus takes all others, else 1.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import keys


def run(command: list[str], **options) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def fail(text: str):
    print(f"coverage: {text}", file=sys.stderr)
    sys.exit(3)


class Counts:
    """Execution counts of lines and branches by file. A branch is a condition with one of its two outcomes."""

    def __init__(self):
        self.lines: dict[str, dict[int, int]] = {}
        self.branches: dict[str, dict[tuple, int]] = {}
        self.functions: dict[str, list[tuple]] = {}  # by file: begin, end and name of each function

    @classmethod
    def read(cls, root: Path, program: str, profiles: list[Path], merged: Path):
        result = run(["llvm-profdata-19", "merge", "-sparse", *map(str, profiles), "-o", str(merged)])
        if result.returncode != 0:
            fail(result.stderr)
        result = run(["llvm-cov-19", "export", program, f"-instr-profile={merged}", "-skip-expansions",
                      str(root / "optimized")])
        if result.returncode != 0:
            fail(result.stderr)
        counts = cls()
        data = json.loads(result.stdout)["data"][0]
        for file in data["files"]:
            counts.add(Path(file["filename"]).resolve().relative_to(root).as_posix(), file)
        names = function_names([function["name"] for function in data["functions"]])
        for function, name in zip(data["functions"], names):
            line, column, last, end, _, file = function["regions"][0][:6]
            path = Path(function["filenames"][file]).resolve()
            if path.is_relative_to(root):
                place = ((line, column), (last, end), name)
                counts.functions.setdefault(path.relative_to(root).as_posix(), []).append(place)
        return counts

    def add(self, name: str, file: dict) -> None:
        lines, branches = self.lines.setdefault(name, {}), self.branches.setdefault(name, {})
        for branch in file["branches"]:
            *place, taken, passed = branch[:6]
            for outcome, count in (("true", taken), ("false", passed)):
                key = (*place, outcome)
                branches[key] = branches.get(key, 0) + count
        count, counted = 0, False
        last = 1
        for line, _, segment_count, has_count, is_entry, is_gap in file["segments"]:
            if counted:
                for between in range(last + 1, line):
                    lines[between] = max(lines.get(between, 0), count)
            if has_count and is_entry and not is_gap:
                lines[line] = max(lines.get(line, 0), segment_count)
            count, counted, last = segment_count, has_count and not is_gap, line


def function_names(symbols: list[str]) -> list[str]:
    """Demangles names into the form of the lists: classes and function, without template arguments and lambdas."""
    result = run(["llvm-cxxfilt-19"], input="\n".join(symbol.rpartition(":")[2] for symbol in symbols))
    if result.returncode != 0:
        fail(result.stderr)
    return [function_name(line) for line in result.stdout.splitlines()]


def function_name(demangled: str) -> str:
    name = demangled.replace("(anonymous namespace)::", "")
    while "<" in name and (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    name = name.partition("(")[0].partition("::'lambda")[0].split(" ")[-1]
    return name.removeprefix("lockstep::optimized::")


class Tree:
    """The sources, and the names of their branches in the list of unreachable branches."""

    def __init__(self, root: Path, functions: dict[str, list[tuple]]):
        self.root, self.functions, self.texts = root, functions, {}

    def condition(self, file: str, branch: tuple) -> str:
        if file not in self.texts:
            self.texts[file] = (self.root / file).read_bytes().split(b"\n")
        line, column, last, end, _ = branch
        lines = self.texts[file][line - 1:last]
        lines[-1] = lines[-1][:end - 1]
        lines[0] = lines[0][column - 1:]
        return keys.one_line(b"\n".join(lines).decode())

    def place(self, file: str, branch: tuple) -> keys.Place:
        around = [(begin, name) for begin, end, name in self.functions.get(file, [])
                  if begin <= branch[:2] and branch[2:4] <= end]
        return keys.Place(file, max(around, default=(0, ""))[1], f"`{self.condition(file, branch)}`: {branch[4]}")


def per_cent(hit: int, total: int) -> str:
    return f"{100 * hit / total:6.2f} %" if total else "       —"


def table(files: list[str], corpus: Counts, both: Counts | None, explained: dict) -> str:
    head = ["file", "lines", "corpus", "branches", "explained", "corpus"]
    head += ["lines, fuzzed", "branches, fuzzed"] if both else []
    rows = [head]

    def row(name: str, among: list[str]):
        def hit(counts: Counts, what: str) -> tuple[int, int]:
            values = [value for file in among for value in getattr(counts, what).get(file, {}).items()]
            return sum(value > 0 for _, value in values), len(values)

        skipped = sum(len(explained[file]) for file in among)
        lines, branches = hit(corpus, "lines"), hit(corpus, "branches")
        cells = [name, str(lines[1]), per_cent(*lines), str(branches[1]), str(skipped),
                 per_cent(branches[0], branches[1] - skipped)]
        if both:
            lines, branches = hit(both, "lines"), hit(both, "branches")
            cells += [per_cent(*lines), per_cent(branches[0], branches[1] - skipped)]
        rows.append(cells)

    for file in files:
        row(file, [file])
    row("all", files)
    widths = [max(len(r[i]) for r in rows) for i in range(len(head))]
    return "\n".join("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(r, widths))).rstrip()
                     for r in rows)


def games_of(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "optimized").iterdir() if path.is_dir())


def parsed():
    parser = argparse.ArgumentParser(prog="./dev coverage", description="Line and branch coverage of optimized/.",
                                     epilog="example: ./dev coverage puyo omok --seconds 10")
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these games (all)")
    parser.add_argument("--seconds", type=float, default=60,
                        help="of fuzzing after the corpus, for all games together (60); 0: none")
    parser.add_argument("--json", action="store_true", help="pure JSON on standard output")
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    asked = parser.parse_intermixed_args()
    unknown = set(asked.games) - set(games_of(asked.root))
    if unknown:
        print(f"coverage: no game '{min(unknown)}'; there are: {', '.join(games_of(asked.root))}", file=sys.stderr)
        sys.exit(2)
    return asked


def play(asked, words: list[str], profiles: Path, name: str, **environment: str) -> None:
    """%c: counters live in the file, so that children count even when they are killed."""
    result = run([asked.program, *words],
                 env={**os.environ, "LLVM_PROFILE_FILE": f"{profiles}/{name}-%p%c.profraw", **environment})
    if result.returncode != 0:
        fail(f"lockstep {' '.join(words[:8])} … answered {result.returncode}:\n{result.stdout}{result.stderr}")


def execute(asked, games: list[str], folder: Path) -> tuple[Counts, Counts | None]:
    for old in folder.glob("*.prof*"):
        old.unlink()
    corpus = asked.root / "corpus"
    for game in games:
        replay = ["replay", *sorted(map(str, (corpus / game).glob("*.txt")))]
        play(asked, replay, folder, f"corpus-{game}")
        # Batches have code that only processors without wide instructions execute (lockstep/system/processor.hpp).
        play(asked, replay, folder, f"corpus-{game}-baseline", LOCKSTEP_LEVEL="baseline")
    by_corpus = Counts.read(asked.root, asked.program, list(folder.glob("corpus-*.profraw")), folder / "corpus.profdata")
    if asked.seconds <= 0:
        return by_corpus, None
    seconds = str(max(1, round(asked.seconds)))
    play(asked, ["fuzz", *games, "--seconds", seconds, "--engine", "uniform,swarm,suggested,mutated", "--corpus", str(corpus),
                 "--out", str(folder / "findings")], folder, "fuzz")
    return by_corpus, Counts.read(asked.root, asked.program, list(folder.glob("*.profraw")), folder / "both.profdata")


class Judgement:
    """The branches that the corpus misses although they can be taken."""

    def __init__(self, tree: Tree, files: list[str], corpus: Counts, listed: list[keys.Entry]):
        self.explained: dict[str, list] = {file: [] for file in files}
        self.missed: dict[str, list] = {file: [] for file in files}
        branches = [(file, *item) for file in files for item in sorted(corpus.branches[file].items())]
        places = [tree.place(file, branch) for file, branch, _ in branches]
        # Entries of files outside this judgement are ignored.
        found, self.complaints = keys.match(places, [entry for entry in listed if entry.file in files])
        index = keys.Index(places)
        self.keys = {}
        for at, (file, branch, count) in enumerate(branches):
            self.keys[file, branch] = index.key(at, places[at])
            if count == 0:
                (self.explained if at in found else self.missed)[file].append(branch)
            elif at in found:
                self.complaints.append(f"{file}:{branch[0]}: said to be unreachable, but taken: {self.keys[file, branch]}")

    def is_good(self) -> bool:
        return not self.complaints and not any(self.missed.values())


def as_json(tree: Tree, files: list[str], corpus: Counts, both: Counts | None, judged: Judgement) -> str:
    def missed(file: str) -> list[dict]:
        return [{"line": b[0], "condition": tree.condition(file, b), "outcome": b[4],
                 "fuzzed": both.branches[file].get(b, 0) > 0 if both else None} for b in judged.missed[file]]

    return json.dumps({file: {"lines": len(corpus.lines[file]),
                              "lines_missed": [n for n, count in sorted(corpus.lines[file].items()) if count == 0],
                              "branches": len(corpus.branches[file]),
                              "branches_explained": len(judged.explained[file]),
                              "branches_missed": missed(file)} for file in files}, indent=1)


def as_text(tree: Tree, files: list[str], corpus: Counts, both: Counts | None, judged: Judgement) -> str:
    out = [table(files, corpus, both, judged.explained)]
    for file in files:
        lines = [line for line, count in sorted(corpus.lines[file].items()) if count == 0]
        if lines:
            out.append(f"\n{file}: the corpus never executes these lines: {', '.join(map(str, lines))}")
        for branch in judged.missed[file]:
            fuzzed = ""
            if both is not None:
                fuzzed = "; fuzzing does" if both.branches[file].get(branch, 0) else "; nor does fuzzing"
            out.append(f"\n{file}:{branch[0]}: the corpus never takes this{fuzzed}\n"
                       f"{file}: {tree.place(file, branch).function}\n    {judged.keys[file, branch]}")
    return "\n".join(out + [f"\nunreached.txt: {complaint}" for complaint in judged.complaints])


def main() -> int:
    asked = parsed()
    asked.root = asked.root.resolve()
    games = asked.games or games_of(asked.root)
    folder = Path(asked.program).resolve().parent.parent / "profiles"
    folder.mkdir(parents=True, exist_ok=True)
    corpus, both = execute(asked, games, folder)
    tree = Tree(asked.root, corpus.functions)
    # A file with no executed line belongs to a simulator for other processors.
    files = sorted(file for file in corpus.branches
                   if file.split("/")[1] in games and any(corpus.lines[file].values()))
    try:
        listed = keys.read((asked.root / "lab" / "unreached.txt").read_text(encoding="utf-8"))
    except keys.WrongList as fault:
        print(f"coverage: lab/unreached.txt:{fault}", file=sys.stderr)
        return 2
    judged = Judgement(tree, files, corpus, listed)
    print((as_json if asked.json else as_text)(tree, files, corpus, both, judged))
    return 0 if judged.is_good() else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
