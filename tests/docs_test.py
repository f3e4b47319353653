#!/usr/bin/env python3
"""Every command and every file of the documentation, run as it stands.

usage: docs_test.py ROOT commands     the commands of README.md and docs/*.md, in the tree itself
       docs_test.py ROOT adding       docs/adding-a-game.md, followed word by word in a copy of the tree

In a fenced block `sh`, every line is a command; `$ ` before it and a comment `# exit 1` after it are
understood, and lines after a `$ ` command that do not start with `$ ` are its output, which is not compared.
Blocks with file=, append= and replace= in their first line are files of docs/adding-a-game.md.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve()
FENCE = re.compile(r"^```(\w+)?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)



def shortened(command: str) -> str:
    """The same command where it would take minutes: less time, and benchmarks once over."""
    if command == "./dev test":
        return "sh -n dev"  # it is what runs this test
    if command == "./dev fuzz":
        return "./dev fuzz --seconds 10"
    if command.startswith("./dev run explore"):
        return explored_less(command)
    if command.startswith("./dev run canaries"):
        command = re.sub(r"trials \d+", "trials 1", re.sub(r"seconds \d+", "seconds 5", command))
        return command if " --canary " in command else command.replace("run canaries", "run canaries omok")
    # These build a game's simulators once more, changed or counted; their own tests do it to a toy.
    if command.startswith(("./dev mutants ", "./dev coverage ")):
        return " ".join(command.split()[:2]) + " --help"
    # Programs that are there instead of two revisions that have to be built.
    command = command.replace("./dev compare HEAD HEAD", "./dev compare --programs build/release/bin build/release/bin")
    return command.replace("./dev bench", "./dev bench --smoke")


def explored_less(command: str) -> str:
    """A certificate's command, of the same game and kind, within a smaller bound."""
    smaller = {"6x3_in_2": "3x3_in_2", "5x4_in_2": "3x3_in_2", "3x4_in_3": "3x3_in_2", "line_15": "line_7",
               "boards_to_5": "boards_to_4", "played_5": "played_4", "2x2_with_4": "2x2_with_2", "3x3_with_2": "2x2_with_2",
               "ts_tetris 5x5": "ts_tetris 5x5 --depth 6", "ts_tetris 6x6": "ts_tetris 6x6 --depth 5"}
    if "--depth" in command or "--with" in command:
        return command
    for large, small in smaller.items():
        command = re.sub(rf"{large}$", small, command)
    return command


def commands_of(text: str) -> list[tuple[str, int]]:
    """The commands of all sh blocks, each with the exit code that the page promises."""
    found = []
    for language, _, body in FENCE.findall(text):
        if language != "sh":
            continue
        lines = body.splitlines()
        prompted = any(line.startswith("$ ") for line in lines)
        for line in lines:
            if prompted and not line.startswith("$ "):
                continue
            command = line.removeprefix("$ ").strip()
            if not command or command.startswith("#"):
                continue
            expected = re.search(r"#\s*exit (\d+)", command)
            command = re.sub(r"\s+#.*$", "", command)
            found.append((command, int(expected.group(1)) if expected else 0))
    return found


def run(command: str, expected: int, folder: Path) -> bool:
    command = shortened(command)
    result = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False,
                            stdin=subprocess.DEVNULL, timeout=1200)
    ok = result.returncode == expected
    print(f"{'ok  ' if ok else 'FAIL'} {command}", flush=True)
    if not ok:
        print(f"  exit {result.returncode}, expected {expected}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
    return ok


def check_links(page: Path) -> bool:
    """Every relative link leads to a file."""
    targets = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    missing = [target for target in targets if not (page.parent / target).exists()]
    for target in missing:
        print(f"FAIL {page.name} links to {target}, which is not there")
    return not missing


def check_commands() -> bool:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    good = all([check_links(page) for page in pages])
    count = 0
    for page in pages:
        if page.name == "adding-a-game.md":
            continue  # followed in a copy
        for command, expected in commands_of(page.read_text(encoding="utf-8")):
            good &= run(command, expected, ROOT)
            count += 1
    print(f"{count} commands of {len(pages) - 1} pages")
    return good and count > 0


def follow(page: Path, copy: Path, games: str) -> bool:
    """One road: its files are written, its line is put in, its commands are run."""
    # Only the road's game is built, which changes nothing in what the page says.
    for language, info, body in FENCE.findall(page.read_text(encoding="utf-8")):
        if match := re.search(r"file=(\S+)", info):
            target = copy / match.group(1)
            if games not in match.group(1).replace("/", " "):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(body, encoding="utf-8")
        elif (match := re.search(r"append=(\S+)", info)) and games in match.group(1):
            target = copy / match.group(1)
            # "Among the other optimized simulators": before the canaries.
            lines = target.read_text(encoding="utf-8").splitlines(keepends=True)
            at = max(i for i, line in enumerate(lines) if '"optimized/' in line) + 1
            target.write_text("".join([*lines[:at], body, *lines[at:]]), encoding="utf-8")
        elif (match := re.search(r"replace=(\S+)", info)) and f" {games})" in body:
            target = copy / match.group(1)
            key = body.split()[0]
            lines = target.read_text(encoding="utf-8").splitlines(keepends=True)
            assert sum(line.startswith(key + " ") for line in lines) == 1, "the line to replace is not there once"
            target.write_text("".join(body if line.startswith(key + " ") else line for line in lines), encoding="utf-8")
    configured = run(f"cmake --preset release -DLOCKSTEP_ONLY={games} -DLOCKSTEP_BENCHMARKS=OFF", 0, copy)
    good = configured
    for command, expected in commands_of(page.read_text(encoding="utf-8")):
        if games in command or command == "./dev run list":
            good &= run(command, expected, copy)
    # The properties that every game gets for nothing run on it as well.
    good &= run(f"cmake --build --preset release --target props_{games}", 0, copy)
    good &= run(f"build/release/bin/props_{games} --gtest_filter=Laws.*:Data.*", 0, copy)
    return good


def files_of_the_tree() -> list[str]:
    """What belongs to the project: as git tells it, or in a tree without git all but what is built and found."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0:
        return list(filter(None, listed.stdout.decode().split("\0")))
    made = {".git", "build", "findings"}
    return [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")
            if path.is_file() and path.relative_to(ROOT).parts[0] not in made]


def check_adding() -> bool:
    page = ROOT / "docs" / "adding-a-game.md"
    good = True
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "lockstep"  # one for both roads: the harness and the program are built once
        for name in files_of_the_tree():
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        for games, broken_file, old, new in (
                ("omok", "optimized/omok/mine.hpp", "colour == 0 || at(row - down, column - right) == colour", "colour == 0"),
                ("lights", "optimized/lights/word.hpp", "(lamp & ~first_column) >> 1", "lamp >> 1")):
            good &= follow(page, copy, games)
            # What the page says of breaking it is true, too.
            file = copy / broken_file
            text = file.read_text(encoding="utf-8")
            assert old in text, f"{broken_file} no longer has what the page speaks of"
            file.write_text(text.replace(old, new), encoding="utf-8")
            with_mine = " --with mine" if games == "omok" else ""
            good &= run(f"./dev run fuzz {games}{with_mine} --seconds 5", 1, copy)
    return good


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    sys.exit(0 if {"commands": check_commands, "adding": check_adding}[sys.argv[2]]() else 1)
