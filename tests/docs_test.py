#!/usr/bin/env python3
"""Runs every command and every file of the documentation as written.

usage: docs_test.py ROOT commands     the commands of README.md and docs/*.md, in the tree itself
       docs_test.py ROOT adding       docs/adding-a-game.md, followed literally in a copy of the tree, build/adding

In a fenced block `sh`, every line is a command. `$ ` before it and a comment `# exit 1` after it are understood, and
lines after a `$ ` command that do not start with `$ ` are its output. The output is compared if the block's first line
asks for it: `sh output=exact` exactly, `sh output=figures` up to numbers (times vary). Blocks with file=, append= and
replace= in their first line are files of docs/adding-a-game.md.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve()
FENCE = re.compile(r"^```(\w+)?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Command:
    text: str
    expected: int = 0  # its exit code
    compared: str = ""  # how its output is compared: "" not at all, exact, figures
    output: list[str] = field(default_factory=list)  # as the page shows it
    printed: str = ""  # its actual output


def shortened(command: str) -> str:
    """A faster form of commands that would take minutes: less time, and benchmarks run once."""
    if command == "./dev test":
        return "sh -n dev"  # ./dev test runs this test
    if command == "./dev fuzz":
        return "./dev fuzz omok --seconds 10"  # builds the libFuzzer targets of one game only
    if command.startswith("./dev run explore"):
        return explored_less(command)
    if command.startswith("./dev run canaries"):
        command = re.sub(r"trials \d+", "trials 1", re.sub(r"seconds \d+", "seconds 5", command))
        return command if " --canary " in command else command.replace("run canaries", "run canaries omok")
    # These compile games or the prover anew; they have their own tests.
    if command.startswith(("./dev mutants ", "./dev coverage ", "./dev prove ", "./dev lab shrink-times ",
                           "./dev lab equivalents ", "./dev lab refutations ", "./dev lab library-score ")):
        return re.sub(r"^(\./dev (?:lab )?\S+) .*", r"\1 --help", command)
    # Existing programs instead of two revisions that have to be built.
    command = command.replace("./dev compare HEAD HEAD", "./dev compare --programs build/release/bin build/release/bin")
    return command.replace("./dev bench", "./dev bench --smoke")


def explored_less(command: str) -> str:
    """The command of a certificate for the same game and kind, within a smaller bound."""
    smaller = {"6x3_in_2": "3x3_in_2", "5x4_in_2": "3x3_in_2", "3x4_in_3": "3x3_in_2", "line_15": "line_7",
               "boards_to_5": "boards_to_4", "played_5": "played_4", "2x2_with_4": "2x2_with_2", "3x3_with_2": "2x2_with_2",
               "ts_tetris 5x5": "ts_tetris 5x5 --depth 6", "ts_tetris 6x6": "ts_tetris 6x6 --depth 5"}
    if "--depth" in command or "--with" in command:
        return command
    for large, small in smaller.items():
        command = re.sub(rf"{large}$", small, command)
    return command


def commands_of(text: str) -> list[Command]:
    """The commands of all sh blocks, each with its expected exit code and output."""
    found: list[Command] = []
    for language, info, body in FENCE.findall(text):
        if language != "sh":
            continue
        how = re.search(r"output=(exact|figures)$", info.strip())
        assert how or not info.strip(), f"'sh{info}': expected output=exact, output=figures or nothing"
        lines = body.splitlines()
        prompted = any(line.startswith("$ ") for line in lines)
        for line in lines:
            if prompted and not line.startswith("$ "):
                found[-1].output.append(line)
                continue
            command = line.removeprefix("$ ").strip()
            if not command or command.startswith("#"):
                continue
            expected = re.search(r"#\s*exit (\d+)", command)
            command = re.sub(r"\s+#[^']*$", "", command)  # not in quotes
            found.append(Command(command, int(expected.group(1)) if expected else 0, how.group(1) if how else ""))
    return found


def comparable(lines: list[str], how: str) -> list[str]:
    """Strips trailing blanks and empty lines; for figures, replaces numbers, plurals after them, column widths and the
    engine that found a difference, too: which of them is first depends on the processor."""
    lines = "\n".join(line.rstrip() for line in lines).strip("\n").split("\n")
    if how == "exact":
        return lines
    lines = [re.sub(r"\s+", " ", re.sub(r"\d[\d,.]*( [kMG]\b)?", "0", line)).strip() for line in lines]
    lines = [re.sub(r"\b0 (scenario|case)s\b", r"0 \1", line) for line in lines]
    return [re.sub(r"(found: .*, by) [\w-]+;", r"\1 …;", line) for line in lines]


def difference(command: Command, printed: str) -> str:
    """The difference between the page and the actual output; "" when there is none, or when nothing is
    compared."""
    if not command.compared:
        return ""
    shown, got = (comparable(lines, command.compared) for lines in (command.output, printed.splitlines()))
    return "\n".join(difflib.unified_diff(shown, got, "the page", "the command", lineterm=""))


def run(command: Command, folder: Path) -> bool:
    text = shortened(command.text)
    assert text == command.text or not command.compared, f"{text}: its output is that of another command"
    started = time.monotonic()
    result = subprocess.run(["bash", "-c", text], cwd=folder, capture_output=True, text=True, check=False,
                            stdin=subprocess.DEVNULL, timeout=1200)
    command.printed = result.stdout
    differs = difference(command, result.stdout)
    ok = result.returncode == command.expected and not differs
    print(f"{'ok  ' if ok else 'FAIL'} {time.monotonic() - started:5.1f} s  {text}", flush=True)
    if result.returncode != command.expected:
        print(f"  exit {result.returncode}, expected {command.expected}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
    elif differs:
        print(f"  it prints something else than the page shows:\n{differs}")
    return ok


def check_comparing() -> bool:
    """Checks on small pages that a wrong page is detected."""
    def notices(how: str, shown: str, printed: str) -> bool:
        command, = commands_of(f"```sh output={how}\n$ ./dev  # exit 1\n{shown}\n```\n")
        return (command.text, command.expected) == ("./dev", 1) and bool(difference(command, printed))
    cases = [("exact", "one 1\n\n  two", "one 1\n\n  two  \n", False), ("exact", "one 1", "one 2\n", True),
             ("exact", "one", "one\ntwo\n", True), ("exact", "one\ntwo", "one\n", True), ("exact", "a  b", "a b\n", True),
             ("figures", "in 0.01 s, 1,234  runs", "in 12 s, 99.5 k runs\n", False), ("figures", "in 1 s", "in 1 m\n", True),
             ("figures", "1 case", "2 cases\n", False), ("figures", "1 ms", "2 m\n", True),
             ("figures", "found: after 1 s, by swarm; shrunk", "found: after 0.5 s, by uniform; shrunk\n", False),
             ("figures", "one 1", "one\n", True)]
    wrong = [case for case in cases if notices(*case[:3]) != case[3]]
    for case in wrong:
        print(f"FAIL comparing {case}")
    return not wrong


def missing_in_table(text: str, listing: str) -> list[str]:
    """Systems that `list` names and the sample of `fuzz`'s table does not."""
    table = re.search(r"^system +scenarios .*\n((?:\w+ .*\n)+)", text, re.MULTILINE).group(1)
    shown = {row.split()[0] for row in table.splitlines()}
    return sorted(set(re.findall(r"^\w+$", listing, re.MULTILINE)) - shown)


def missing_links(text: str, folder: Path) -> list[str]:
    """The relative links of a page in this folder that lead to no file."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"`[^`\n]*`", "", prose)  # code, for example the capture list of a lambda
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose)
    return [target for target in targets if not (folder / target).exists()]


def check_links() -> bool:
    """Checks the links of all pages of the tree, and that a broken one is detected."""
    page_of_links = "[a](dev) [b](docs#c) [d](no.md) [e](no.md#f) [g](#h) [i](https://no.md) `[](auto& io)`"
    good = missing_links(page_of_links, ROOT) == ["no.md"] * 2
    if not good:
        print("FAIL broken links are not detected")
    for name in files_of_the_tree():
        page = ROOT / name
        if page.suffix != ".md" or not page.is_file():
            continue
        for target in missing_links(page.read_text(encoding="utf-8"), page.parent):
            print(f"FAIL {name} links to {target}, which is not there")
            good = False
    return good


def forget_findings(text: str) -> None:
    """Removes the findings of earlier runs: otherwise a new finding with the same failure would get a name that
    differs from the page."""
    for name in set(re.findall(r"\b((?:findings|build/\w+)/\w+-[0-9a-f]{16})\.txt", text)):
        for file in ROOT.glob(name + "*.txt"):
            file.unlink()


def check_commands() -> bool:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    good = check_comparing() and check_links()
    count = compared = 0
    for page in pages:
        if page.name in ("adding-a-game.md", "your-code.md"):
            continue  # check_adding follows the first in a copy of the tree, examples_test.py the second in an empty folder
        text = page.read_text(encoding="utf-8")
        forget_findings(text)
        for command in commands_of(text):
            good &= run(command, ROOT)
            count += 1
            compared += bool(command.compared)
            if page.name == "README.md" and command.text == "./dev run list":
                for system in missing_in_table(text, command.printed):
                    print(f"FAIL the table of README.md lacks {system}")
                    good = False
    print(f"{count} commands of {len(pages) - 2} pages; the output of {compared} was compared")
    return good and count > 0


def follow(page: Path, copy: Path, games: str) -> bool:
    """Follows one section: writes its files, inserts its line, runs its commands."""
    # Only the section's game is built, which does not affect what the page shows.
    for language, info, body in FENCE.findall(page.read_text(encoding="utf-8")):
        if match := re.search(r"file=(\S+)", info):
            target = copy / match.group(1)
            if games not in match.group(1).replace("/", " "):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(body, encoding="utf-8")
        elif (match := re.search(r"append=(\S+)", info)) and games in match.group(1):
            target = copy / match.group(1)
            # "After those of the other optimized implementations and before that of the batches."
            lines = target.read_text(encoding="utf-8").splitlines(keepends=True)
            at = max(i for i, line in enumerate(lines) if '"optimized/' in line and "batch" not in line) + 1
            target.write_text("".join([*lines[:at], body, *lines[at:]]), encoding="utf-8")
        elif (match := re.search(r"replace=(\S+)", info)) and f" {games})" in body:
            target = copy / match.group(1)
            key = body.split()[0]
            lines = target.read_text(encoding="utf-8").splitlines(keepends=True)
            assert sum(line.startswith(key + " ") for line in lines) == 1, "the line to replace is not there once"
            target.write_text("".join(body if line.startswith(key + " ") else line for line in lines), encoding="utf-8")
    # Optimizing takes half of the time, and the page makes no statement about speed.
    configured = run(Command(f"cmake --preset release -DLOCKSTEP_ONLY={games} -DLOCKSTEP_BENCHMARKS=OFF "
                             "'-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG'"), copy)
    good = configured
    for command in commands_of(page.read_text(encoding="utf-8")):
        if games in command.text or command.text == "./dev run list":
            good &= run(command, copy)
    # Every game gets these properties without extra code, so they run on the new game too.
    good &= run(Command(f"cmake --build --preset release --target props_{games}"), copy)
    good &= run(Command(f"build/release/bin/props_{games} --gtest_filter=Registry.*:Laws.*:Data.*"), copy)
    return good


def files_of_the_tree() -> list[str]:
    """The files of the project: those of git, or without git all files except build results and findings."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0:
        return list(filter(None, listed.stdout.decode().split("\0")))
    made = {".git", "build", "findings"}
    return [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")
            if path.is_file() and path.relative_to(ROOT).parts[0] not in made]


def copy_of_the_tree() -> Path:
    """Copies the tree to build/adding. The copy stays for the next run, which then compiles only what changed:
    unchanged files are not touched, and files added by an earlier run are removed."""
    copy = ROOT / "build" / "adding"
    names = {name for name in files_of_the_tree() if (ROOT / name).is_file()}
    for path in [path for path in copy.rglob("*") if path.is_file()]:
        name = path.relative_to(copy)
        if name.parts[0] != "build" and name.as_posix() not in names:
            path.unlink()
    for name in names:
        source, target = ROOT / name, copy / name
        if not target.exists() or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return copy


def check_adding() -> bool:
    page = ROOT / "docs" / "adding-a-game.md"
    good = True
    copy = copy_of_the_tree()  # one for both sections: the library and the program are built once
    for games, broken_file, old, new in (
            ("omok", "optimized/omok/mine.hpp", "colour == 0 || at(row - down, column - right) == colour", "colour == 0"),
            ("lights", "optimized/lights/word.hpp", "(lamp & ~first_column) >> 1", "lamp >> 1")):
        good &= follow(page, copy, games)
        # The page says that breaking the code makes fuzzing fail: check that too.
        file = copy / broken_file
        text = file.read_text(encoding="utf-8")
        assert old in text, f"{broken_file} no longer has what the page speaks of"
        file.write_text(text.replace(old, new), encoding="utf-8")
        with_mine = " --with mine" if games == "omok" else ""
        good &= run(Command(f"./dev run fuzz {games}{with_mine} --seconds 5", 1), copy)
    return good


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    sys.exit(0 if {"commands": check_commands, "adding": check_adding}[sys.argv[2]]() else 1)
