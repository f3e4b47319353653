#!/usr/bin/env python3
"""The table of canaries in docs/proving.md: it names every canary, and those that are refuted are those with a claim.

usage: canaries_test.py ROOT PROGRAM      the program whose claims are the canaries' mistakes
"""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT, PROGRAM = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
ROW = re.compile(r"^\| (\w+) \| ((?:`\w+`(?:, )?)+) \| (.*) \|$", re.MULTILINE)
ENLISTED = re.compile(r'enlist_\w+<[^>]*>\(\s*"(\w+)"')


class Canaries(unittest.TestCase):
    def setUp(self):
        page = (ROOT / "docs/proving.md").read_text(encoding="utf-8")
        self.rows = [(game, set(re.findall(r"`(\w+)`", names)), answer) for game, names, answer in ROW.findall(page)]
        self.games = {path.stem for path in (ROOT / "canaries").glob("*.hpp")}

    def test_the_table_names_each_once(self):
        for game in self.games:
            enlisted = ENLISTED.findall((ROOT / "canaries" / f"{game}.hpp").read_text(encoding="utf-8"))
            self.assertGreater(len(enlisted), 10)
            named = [name for row, names, _ in self.rows if row == game for name in names]
            self.assertEqual(sorted(named), sorted(enlisted), game)

    def test_those_that_are_refuted_have_a_claim(self):
        listed = subprocess.run([str(PROGRAM), "--list"], capture_output=True, text=True, check=True).stdout
        claimed = set(re.findall(r"^canaries of (\w+) (\w+):", listed, re.MULTILINE))
        self.assertEqual({(game, name) for game, names, answer in self.rows if answer == "refuted" for name in names},
                         claimed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
