#!/usr/bin/env python3
"""Right and wrong programs: how each is made, compiled and called, and what is known of it.

usage: stress_programs.py FOLDER     writes them there, FOLDER/GAME/right.cpp and so on
"""
import atexit
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from stress.mistakes import CHANGED, Changed

GAMES = ("puyo", "block_game", "stacking", "ts_tetris", "omok")
COMPILED = (".c", ".cpp")
PYTHON = (".py",)
CACHE = ["ccache"] if shutil.which("ccache") else []
MORE_LANGUAGES = (".rs", ".java", ".js")  # their tools are installed only for programs_test.py

# The wrong programs, and how many numbers (or puyos) the smallest known failing input has that are not 0.
SMALLEST = {name: program.smallest for name, program in CHANGED.items() if program.smallest}

# Verdicts other than "wrong answer".
OTHER_VERDICTS = {name: program.verdict for name, program in CHANGED.items() if program.verdict != "wrong answer"}

# The beginning of a solution in C, and what it is in C++: the same code does for both.
IN_CPP = {
    "puyo": ("int solution(char field[12][7]) {", "int solution(std::vector<std::string> field) {"),
    "block_game": ("int solution(int n, int board[50][50]) {",
                   "int solution(std::vector<std::vector<int>> board) {\n  const int n = board.size();"),
    "stacking": ("int solution(int n, int board[12][12], int k, int pieces[10][3]) {",
                 "int solution(std::vector<std::vector<int>> board, std::vector<std::vector<int>> pieces) {\n"
                 "  const int n = board.size(), k = pieces.size();"),
    "omok": ("struct Win solution(int board[19][19]) {", "Win solution(std::vector<std::vector<int>> board) {"),
    "ts_tetris": ("", ""),
}
# Likewise in Java, where arrays are made. The solution of omok returns a structure in C, and has a file of its own in Java.
IN_JAVA = {
    "puyo": (("solution(char field[12][7]) {", "solution(char[][] field) {"),
             ("int group[72], size[72] = {0};", "int group[] = new int[72], size[] = new int[72];")),
    "block_game": (("solution(int n, int board[50][50]) {", "solution(int[][] board) {\n  int n = board.length;"),),
    "stacking": (("solution(int n, int board[12][12], int k, int pieces[10][3]) {",
                  "solution(int[][] board, int[][] pieces) {\n  int n = board.length, k = pieces.length;"),
                 ("int stack[12][12][10], height[12][12] = {{0}};",
                  "int stack[][][] = new int[12][12][10], height[][] = new int[12][12];")),
    "ts_tetris": (("board[200][200], mark[200][200], todo[40000], scores[3];",
                   "board[][] = new int[200][200], mark[][] = new int[200][200], todo[] = new int[40000], scores[] = new int[3];"),),
}


def in_java(solution: str, game: str) -> str:
    for in_c, there in IN_JAVA[game]:
        assert in_c in solution, in_c
        solution = solution.replace(in_c, there)
    return re.sub(r"(?m)^(?=int |void )", "static ", solution.replace("const ", ""))


def has_solution(game: str, suffix: str) -> bool:
    return game == "omok" or suffix not in (".rs", ".js", ".py") or (game, suffix) == ("puyo", ".py")


def filled(starter: str, root: Path, game: str, extension: str) -> str:
    """The starter with a right solution, between the two lines where a user writes it, or with one that says what it has
    read: in Rust, JavaScript and Python most games have no other."""
    files = [root / "tests" / "starters" / game / name for name in (f"solution.{extension}", f"echo.{extension}", "solution.c")]
    file = next(file for file in files if file.exists())
    solution = file.read_text()
    if extension == "java" and file.suffix == ".c":
        solution = in_java(solution, game)
    if extension == "cpp":
        assert IN_CPP[game][0] in solution
        solution = solution.replace(*IN_CPP[game])
    full, count = re.subn(r"(^[^\n]*Your solution.*?\n)([^\n]*The rest reads the input)", lambda match: f"{solution}\n{match[2]}",
                          starter, flags=re.MULTILINE | re.DOTALL)
    assert count == 1, starter
    return full


def changed(right: str, program: Changed, extension: str) -> str:
    """The right program with the changes, after a comment that says what they do."""
    for old, new in program.changes:
        assert right.count(old) == 1, f"{program.says} {right.count(old)} times in the right program: {old}"
        right = right.replace(old, new)
    return f"{'#' if extension == '.py' else '//'} {program.says}\n{right}"


def write_programs(root: Path, folder: Path):
    """Writes the programs to folder/GAME: a right one in each language, and the changed ones."""
    for game in GAMES:
        (folder / game).mkdir(exist_ok=True)
        for starter in (root / "games" / game / "starters").glob("starter.*"):
            name = f"right{starter.suffix}" if has_solution(game, starter.suffix) else f"echo{starter.suffix}"
            (folder / game / name).write_text(filled(starter.read_text(), root, game, starter.suffix[1:]))
    for name, program in CHANGED.items():
        file = folder / name
        file.write_text(changed(file.with_name(f"right{file.suffix}").read_text(), program, file.suffix))


def programs(root: Path) -> Path:
    """A folder with the programs, which is removed at exit."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    write_programs(root, Path(folder.name))
    return Path(folder.name)


def batches_of(source: Path) -> tuple[str, ...]:
    """The values of --batch that the right program can take."""
    return ("one",) if source.stem == "right_for_one_case" else ("one", "loop")


def size_of(game, text):
    """Occupied cells, pieces and coloured cells, or calls."""
    if game == "ts_tetris":
        return text.count("\n") - 1 - 2 * int(text.split()[0])
    if game == "puyo":
        return sum(character.isalpha() for character in text)
    words = text.split()
    if game == "stacking":
        return int(words[1]) + sum(word != "0" for word in words[2:2 + int(words[0]) ** 2])
    return sum(word != "0" for word in (words[1:] if game == "block_game" else words))


def found_in(output: str) -> dict:
    """What stress --json printed, and the members of its first finding."""
    result = json.loads(output)
    return result | (result["findings"] or [{}])[0]


def name_of(source: Path) -> str:
    return f"{source.parent.name}/{source.name}"


def sources(folder: Path, game: str, pattern: str, languages) -> list[Path]:
    found = [source for source in sorted((folder / game).glob(pattern)) if source.suffix in languages]
    assert found, f"no {pattern} for {game}"
    return found


def command_of(source: Path, folder: Path, compiler: str) -> str:
    """Compiles the program if it is of that kind. The command that runs it."""
    out = folder / f"{source.parent.name}_{source.name.replace('.', '_')}"
    # The name of the source without its folder, which is another one in each run: the compiler cache tells names apart.
    compile_ = [*CACHE, compiler, "-O1", "-w", "-Wno-register", "-c", "-o", f"{out}.o"]
    link = [compiler, "-o", str(out), f"{out}.o"]
    for compiling in {
        ".c": [[*compile_, "-x", "c", source.name], link],
        ".cpp": [[*compile_, "-std=gnu++20", source.name], link],
        ".rs": [["rustc", "-O", "-A", "warnings", "-o", str(out), source.name]],
        ".java": [["javac", "-d", str(out), source.name]],
    }.get(source.suffix, []):
        subprocess.run(compiling, cwd=source.parent, check=True)
    if source.suffix == ".java":
        # Small heap, one collector thread, the fast compiler only: a short program starts in half the time.
        return f"java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp {out} Main"
    interpreter = {".py": sys.executable, ".js": "node"}.get(source.suffix)
    return f"{interpreter} {source}" if interpreter else str(out)


def commands_of(chosen: list[Path], folder: Path, compiler: str) -> dict[Path, str]:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(chosen, pool.map(lambda source: command_of(source, folder, compiler), chosen)))


def stored_set(root: Path, game: str) -> list[Path]:
    """The inputs that stress runs after the published samples, each with its answer in a file that ends in .out."""
    files = sorted((root / "corpus" / game / "judge").glob("strong*.in"))
    assert files, f"{game} has no stored set"
    return files


def fails_on_stored_set(root: Path, game: str, command: list[str], file_argument: bool = False) -> bool:
    """Whether the program fails on an input of the set, which it reads from standard input or from a file."""
    def fails(file):
        arguments = [*command, str(file)] if file_argument else command
        result = subprocess.run(arguments, input=file.read_text(), capture_output=True, text=True, check=False, timeout=120)
        return result.returncode != 0 or result.stdout.split() != file.with_suffix(".out").read_text().split()
    return any(fails(file) for file in stored_set(root, game))


def assert_stored_set_tells_apart(root: Path, commands: dict[Path, str]):
    """Each wrong program fails on it, and no right one."""
    for source, command in commands.items():
        if source.name.startswith(("right", "wrong_")):
            fails = fails_on_stored_set(root, source.parent.name, shlex.split(command))
            assert fails == source.name.startswith("wrong_"), f"{name_of(source)} {'fails' if fails else 'is right'}"


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    write_programs(Path(__file__).resolve().parent.parent, Path(sys.argv[1]))
