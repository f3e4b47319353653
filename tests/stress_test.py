#!/usr/bin/env python3
"""Tests of stress, validate, gen and show --as-input: programs as people write them, right and wrong (tests/stress/).

usage: stress_test.py LOCKSTEP ROOT COMPILER
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LOCKSTEP, ROOT = (Path(argument).resolve() for argument in sys.argv[1:3])
COMPILER = sys.argv[3]
GAMES = ("puyo", "block_game", "stacking", "ts_tetris", "omok")
os.environ["LOCKSTEP_COMMAND"] = "./dev run"

# The wrong programs, and how many numbers (or puyos) the smallest known failing input has that are not 0.
SMALLEST = {}


def run(*arguments, stdin="", cwd=None):
    return subprocess.run([str(LOCKSTEP), *map(str, arguments)], input=stdin, capture_output=True, text=True, cwd=cwd,
                          check=False, timeout=120)


def compiled(folder: Path, source: Path, *flags: str) -> Path:
    out = folder / f"{source.parent.name}_{source.stem}"
    subprocess.run([COMPILER, "-O1", "-std=c++20", "-w", *flags, "-o", str(out), str(source)], check=True)
    return out


def programs(game: str, pattern: str) -> list[Path]:
    found = sorted((ROOT / "tests" / "stress" / game).glob(pattern))
    assert found, f"no {pattern} for {game}"
    return found


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = Path(folder.name)
        sources = [source for game in GAMES for source in programs(game, "*.cpp")]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            cls.binary = dict(zip(sources, pool.map(lambda source: compiled(cls.path, source), sources)))

    def stress(self, game, command, *options, expected):
        result = run("stress", game, "--cmd", command, "--corpus", ROOT / "corpus", "--out", self.path / "found", "--seed", 1,
                     "--json", *options)
        self.assertEqual(result.returncode, expected, f"{command}: {result.stdout}{result.stderr}")
        return json.loads(result.stdout)

    def test_a_right_program_is_never_failed(self):
        for game in GAMES:
            right = self.binary[ROOT / "tests" / "stress" / game / "right.cpp"]
            python = f"{sys.executable} {ROOT / 'tests' / 'stress' / game / 'right.py'}"
            for command, options in ((right, []), (right, ["--batch", "loop"]), (right, ["--batch", "one"]), (python, [])):
                with self.subTest(game=game, command=command, options=options):
                    found = self.stress(game, command, "--seconds", 1, "--time-limit", 10, *options, expected=0)
                    self.assertGreater(found["cases"], 5)

    def test_a_wrong_program_fails_within_ten_seconds_on_a_small_input(self):
        for game in GAMES:
            for source in programs(game, "wrong_*.cpp"):
                with self.subTest(program=f"{game}/{source.stem}"):
                    found = self.stress(game, self.binary[source], "--seconds", 10, expected=1)
                    self.assertEqual(found["verdict"], "wrong answer")
                    self.assertLess(found["seconds"], 10)
                    valid = run("validate", game, stdin=found["input"])
                    self.assertEqual(valid.returncode, 0, valid.stderr)
                    solved = run("solve", game, stdin=found["input"])
                    self.assertEqual(solved.stdout, found["expected"])
                    self.assertLessEqual(size_of(game, found["input"]), SMALLEST[f"{game}/{source.stem}"] + 1)


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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
