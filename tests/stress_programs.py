"""The programs in tests/stress/: how each is compiled and called, and what is known of it."""
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

GAMES = ("puyo", "block_game", "stacking", "ts_tetris", "omok")
COMPILED = (".c", ".cpp")
PYTHON = (".py",)
CACHE = ["ccache"] if shutil.which("ccache") else []
MORE_LANGUAGES = (".rs", ".java", ".js")  # their tools are installed only for programs_test.py

# The wrong programs, and how many numbers (or puyos) the smallest known failing input has that are not 0.
SMALLEST = {
    "block_game/wrong_32_columns.java": 8,
    "block_game/wrong_array_one_too_small.cpp": 4,
    "block_game/wrong_four_shapes.py": 4,
    "block_game/wrong_numbers_without_gaps.rs": 4,
    "block_game/wrong_one_pass.cpp": 8,
    "block_game/wrong_own_block_lets_through.js": 4,
    "block_game/wrong_signed_numbers.c": 4,
    "block_game/wrong_without_the_sky.cpp": 8,
    "omok/wrong_array_one_too_small.cpp": 5,
    "omok/wrong_beside_the_other_colour.js": 6,
    "omok/wrong_bottom_of_a_vertical_line.cpp": 5,
    "omok/wrong_five_inside_six.cpp": 6,
    "omok/wrong_last_row.rs": 5,
    "omok/wrong_not_at_the_edge.py": 5,
    "omok/wrong_six_ends_the_search.c": 10,
    "omok/wrong_topmost_on_the_rising_diagonal.cpp": 5,
    "omok/wrong_visited_in_any_direction.java": 6,
    "puyo/wrong_diagonal_neighbours.py": 5,
    "puyo/wrong_each_group_is_a_chain.cpp": 8,
    "puyo/wrong_exactly_four.rs": 5,
    "puyo/wrong_falls_after_each_group.java": 8,
    "puyo/wrong_falls_one_cell.c": 8,
    "puyo/wrong_one_digit.c": 43,
    "puyo/wrong_path_that_cannot_turn_back.cpp": 8,
    "puyo/wrong_purple_forgotten.js": 4,
    "puyo/wrong_top_row_stays.cpp": 12,
    "puyo/wrong_visited_not_cleared.cpp": 7,
    "stacking/wrong_before_turn_1000.cpp": 16,
    "stacking/wrong_end_after_the_turn.cpp": 4,
    "stacking/wrong_exactly_four.rs": 5,
    "stacking/wrong_key_times_ten.cpp": 4,
    "stacking/wrong_only_the_piece_on_red.cpp": 5,
    "stacking/wrong_red_behind_is_white.c": 5,
    "stacking/wrong_reversed_too_late.py": 5,
    "stacking/wrong_turn_1001.c": 18,
    "stacking/wrong_turns_back_again.java": 5,
    "stacking/wrong_whole_stack_moves.js": 4,
    "ts_tetris/wrong_all_cells_score.cpp": 5,
    "ts_tetris/wrong_count_after_change.rs": 3,
    "ts_tetris/wrong_heights_are_characters.c": 129,
    "ts_tetris/wrong_no_cascade.py": 5,
    "ts_tetris/wrong_only_five_of_a_run.cpp": 3,
    "ts_tetris/wrong_only_own_runs.cpp": 5,
    "ts_tetris/wrong_scores_survive.cpp": 4,
    "ts_tetris/wrong_shared_cell_scores_twice.java": 9,
    "ts_tetris/wrong_three_directions.c": 7,
    "ts_tetris/wrong_tie_is_won_by_player_1.js": 1,
    "ts_tetris/wrong_twelve_at_most.cpp": 30,
}

# Verdicts other than "wrong answer".
OTHER_VERDICTS = {"block_game/wrong_array_one_too_small.cpp": "runtime error", "puyo/wrong_one_digit.c": "bad output format"}

# Right programs that read one case. The others, and the wrong ones in Java, read cases until the end of their input: a
# Java machine takes a hundred times as long to start as to answer.
ONE_CASE = {"block_game/right.java"}


def batches_of(source: Path) -> tuple[str, ...]:
    """The values of --batch that the right program can take."""
    return ("one",) if name_of(source) in ONE_CASE else ("one", "loop")


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


def sources(root: Path, game: str, pattern: str, languages) -> list[Path]:
    found = [source for source in sorted((root / "tests" / "stress" / game).glob(pattern)) if source.suffix in languages]
    assert found, f"no {pattern} for {game}"
    return found


def command_of(source: Path, folder: Path, compiler: str) -> str:
    """Compiles the program if it is of that kind. The command that runs it."""
    out = folder / f"{source.parent.name}_{source.name.replace('.', '_')}"
    compile_ = [*CACHE, compiler, "-O1", "-w", "-c", "-o", f"{out}.o"]
    link = [compiler, "-o", str(out), f"{out}.o"]
    for compiling in {
        ".c": [[*compile_, "-x", "c", str(source)], link],
        ".cpp": [[*compile_, "-std=c++20", str(source)], link],
        ".rs": [["rustc", "-O", "-A", "warnings", "-o", str(out), str(source)]],
        ".java": [["javac", "-d", str(out), str(source)]],
    }.get(source.suffix, []):
        subprocess.run(compiling, check=True)
    if source.suffix == ".java":
        # Small heap, one collector thread, the fast compiler only: a short program starts in half the time.
        main = "Main" if (out / "Main.class").exists() else "Solution"
        return f"java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp {out} {main}"
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
        if source.name.startswith(("right.", "wrong_")):
            fails = fails_on_stored_set(root, source.parent.name, shlex.split(command))
            assert fails == source.name.startswith("wrong_"), f"{name_of(source)} {'fails' if fails else 'is right'}"
