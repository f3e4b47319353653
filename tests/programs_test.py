#!/usr/bin/env python3
"""Long tests of stress with the programs of stress_programs.py: every wrong one in Python, Rust, Java and JavaScript is found,
every one also without a corpus, and no right one is accused, in any language, for LOCKSTEP_SECONDS (300) in total. Writes
what it counted to TABLE.

usage: programs_test.py LOCKSTEP ROOT COMPILER TABLE
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from stress_programs import (COMPILED, GAMES, MORE_LANGUAGES, PYTHON, SMALLEST, assert_stored_set_tells_apart,
                             batches_of, commands_of, found_in, name_of, programs, size_of, sources)

LOCKSTEP, ROOT = (Path(argument).resolve() for argument in sys.argv[1:3])
PROGRAMS = programs(ROOT)
COMPILER = sys.argv[3]
TABLE = Path(sys.argv[4])
SECONDS = float(os.environ.get("LOCKSTEP_SECONDS", "300"))
FAST = (*COMPILED, ".rs")
SEEDS = range(1, 6 if SECONDS >= 1200 else 2)
# Values at limits of the rules that a case of the original problem can show, for gen without a corpus.
LIMITS = {
    "puyo": ("height of what vanishes = 12", "column of what vanishes = 0", "column of what vanishes = 5", "group at a resolve = 3",
             "group at a resolve = 4", "cells of a full field = 72", "chains, up to the most = 17", "chains, up to the most = 18"),
    "block_game": ("highest number, up to the last = 199", "highest number, up to the last = 200",
                   "removed by a clear, up to all = 199", "removed by a clear, up to all = 200", "size = 4",
                   "size, up to the largest = 50", "rows above what is removed = 0", "rows above what is removed, up to the most = 48"),
    "stacking": ("turn of the end if play went on = 999", "turn of the end if play went on = 1000",
                 "turn of the end if play went on = 1001", "tallest stack = 4", "pieces = 4", "pieces = 10", "size = 4", "size = 12"),
    "ts_tetris": ("rows left by a drop = 0", "columns right of a drop = 0", "columns right of a change = 0",
                  "tallest column, up to the most = 199", "tallest column, up to the most = 200", "width = 10", "height = 10",
                  "width, up to the most = 200", "height, up to the most = 200", "longest run of a turn, around 12 = 13"),
    "omok": ("row of the winning stone = 19", "column of the winning stone = 19", "longest run = 5", "longest run = 6",
             "empty cells = 0", "empty cells = 1"),
}
CASES_PER_HOUR = 1_000_000  # at least, in batches over the fast programs; an hour has about 3 times as many


def stress(source: Path, command: str, seconds: float, *options: str) -> dict:
    """The result with its first finding, and in "exit" the exit code. Runs in an empty folder."""
    with tempfile.TemporaryDirectory() as out:
        result = subprocess.run([LOCKSTEP, "stress", source.parent.name, "--cmd", command, "--out", out, "--json", "--seconds",
                                 str(seconds), *options], cwd=out, capture_output=True, text=True, check=False)
    assert result.stdout, f"{command}: {result.stderr}"
    return found_in(result.stdout)


class ProgramsOfEachLanguage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        TABLE.write_text("")
        wrong = [source for game in GAMES for source in sources(PROGRAMS, game, "wrong_*", (*COMPILED, *PYTHON, *MORE_LANGUAGES))]
        right = [source for game in GAMES for source in sources(PROGRAMS, game, "right*", (*COMPILED, *PYTHON, *MORE_LANGUAGES))]
        commands = commands_of(wrong + right, Path(folder.name), COMPILER)
        cls.wrong = {source: commands[source] for source in wrong}
        cls.right = {source: commands[source] for source in right}

    @classmethod
    def tearDownClass(cls):
        print(TABLE.read_text(), file=sys.stderr)  # of a failed run, ./dev prints only this

    def note(self, source, text):
        with TABLE.open("a", encoding="utf-8") as table:
            table.write(f"{name_of(source):48} {text}\n")

    def test_every_language_has_a_right_and_a_wrong_program_and_every_game_five_wrong_ones(self):
        for pattern in ("right.*", "wrong_*"):
            found = PROGRAMS.glob(f"*/{pattern}")
            self.assertEqual({source.suffix for source in found}, {*COMPILED, *PYTHON, *MORE_LANGUAGES})
        for game in GAMES:
            wrong = {name_of(source) for source in (PROGRAMS / game).glob("wrong_*")}
            self.assertGreaterEqual(len(wrong), 5)
            self.assertEqual(wrong, {name for name in SMALLEST if name.startswith(game + "/")})

    def test_a_wrong_program_fails_on_a_small_input(self):
        for source, command in self.wrong.items():
            name = name_of(source)
            if source.suffix in COMPILED:
                continue  # stress_test.py has some, and each is in the next test
            with self.subTest(program=name):
                # Ten seconds are enough on a machine that does nothing else; what each took is in the table.
                batch = "loop" if source.suffix == ".java" else "published"
                found = stress(source, command, 60, "--seed", "1", "--batch", batch)
                self.assertEqual(found["exit"], 1, found)
                size = size_of(source.parent.name, found["input"])
                complete = "" if found["minimal"] else ", not shrunk to the end"
                self.note(source, f"found after {found['seconds']:.1f} s, size {size}, smallest known {SMALLEST[name]}{complete}")
                # What an interpreter takes to start leaves shrinking a few hundred attempts.
                if found["minimal"] or source.suffix in FAST:
                    self.assertLessEqual(size, SMALLEST[name] + 1)

    def test_every_wrong_program_fails_on_the_stored_set(self):
        with tempfile.TemporaryDirectory() as folder:
            wrong = [source for game in GAMES for source in sources(PROGRAMS, game, "wrong_*", COMPILED)]
            compiled = commands_of(wrong, Path(folder), COMPILER)
            assert_stored_set_tells_apart(ROOT, self.wrong | self.right | compiled)

    def test_a_wrong_program_fails_without_a_corpus(self):
        for source, command in self.wrong.items():
            batch = "loop" if source.suffix == ".java" else "published"
            for seed in SEEDS:
                with self.subTest(program=name_of(source), seed=seed):
                    found = stress(source, command, 60, "--seed", str(seed), "--batch", batch, "--corpus", "none")
                    self.assertEqual(found["exit"], 1, found)
                    self.note(source, f"without a corpus, seed {seed}: found after {found['seconds']:.1f} s")

    def test_gen_has_an_input_for_each_limit_without_a_corpus(self):
        for game, limits in LIMITS.items():
            with self.subTest(game), tempfile.TemporaryDirectory() as out:
                subprocess.run([LOCKSTEP, "gen", game, "--strong", "--corpus", "none", "--seconds", "10", "--seed", "1", "--count",
                                "1000", "--out", "set"], cwd=out, check=True, capture_output=True)
                contents = (Path(out) / "set" / "contents.txt").read_text().replace("shows: ", ", ").replace("\n", ",")
                self.assertEqual([each for each in limits if f", {each}," not in contents], [])

    def test_a_right_program_is_never_failed(self):
        runs = [(source, batch) for source in self.right for batch in batches_of(source)]
        in_batches = 0
        for source, batch in runs:
            with self.subTest(program=name_of(source), batch=batch):
                found = stress(source, self.right[source], SECONDS / len(runs), "--batch", batch, "--time-limit", "20",
                               "--memory-limit", "1024")
                self.assertEqual(found["exit"], 0, found)
                self.assertGreater(found["cases"], 0)
                if batch == "loop" and source.suffix in FAST:
                    in_batches += found["cases"]
                rate = found["cases"] / found["seconds"]
                self.note(source, f"--batch {batch:4}  {found['cases']:9} cases, {rate:6.0f} in a second")
        with TABLE.open("a", encoding="utf-8") as table:
            table.write(f"{in_batches} cases in batches over right programs in C, C++ and Rust\n")
        if SECONDS >= 3600:
            self.assertGreaterEqual(in_batches, CASES_PER_HOUR * SECONDS / 3600)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
