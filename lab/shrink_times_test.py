#!/usr/bin/env python3
"""The program that measures shrinking: its table, and its errors for wrong input.

usage: shrink_times_test.py PROGRAM
"""
import re
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop()


def run(*words: str):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, timeout=250)


class ShrinkTimes(unittest.TestCase):
    def test_every_failure_of_every_canary_becomes_minimal(self):
        result = run("stacking", "--without", "play", "--seed", "2")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        head, *rows = result.stdout.splitlines()
        self.assertEqual(head.split()[:2], ["canary", "failures"])
        failing = [row.split() for row in rows if row.split()[1] != "0"]
        self.assertGreater(len(failing), 10)
        for name, failures, _, minimal, *_ in failing:
            self.assertEqual(minimal, failures, name)
        # Only with `play` can a game be that long.
        self.assertTrue(any(re.fullmatch(r"plays_on_past_1000 +0", row) for row in rows), result.stdout)

    def test_each_step_is_left_out(self):
        result = run("stacking", "--without", "play", "--failures", "1", "--steps")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        rows = {row[:30].strip(): row[30:].split() for row in result.stdout.splitlines()}
        self.assertEqual(rows["nothing"][:2], ["0", "0"])
        self.assertGreater(int(rows["wider search"][0]), 0, result.stdout)

    def test_wrong_input_is_named(self):
        for words, said in ((["pyuo"], "no game 'pyuo'; did you mean 'puyo'?"), ([], "GAME"), (["puyo", "--seed", "-1"], "--seed"),
                            (["puyo", "--without", "resolv"], "no action 'resolv' of puyo; did you mean 'resolve'?"),
                            (["puyo", "--without", "plai"], "there are: drop, resolve")):
            result = run(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn(said, result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
