#!/usr/bin/env python3
"""The tables of docs/proving.md: that of the claims names each one; that of the canaries names every canary, and those
that are refuted are those with a claim.

usage: canaries_test.py ROOT WRONG PROVER      the program whose claims are the canaries' mistakes, and lockstep-prove
"""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT, WRONG, PROVER = (Path(sys.argv.pop(1)).resolve() for _ in range(3))
ROW = re.compile(r"^\| (\w+) \| ((?:`\w+`(?:, )?)+) \| (.*) \|$", re.MULTILINE)
PROVED = re.compile(r"^\| (\w+) `([\w.]+)` \| proved \|", re.MULTILINE)
REGISTERED = re.compile(r'register_canary<[^>]*>\(\s*"(\w+)"')


def listed_by(program: Path) -> str:
    return subprocess.run([str(program), "--list"], capture_output=True, text=True, check=True).stdout


class Claims(unittest.TestCase):
    def test_the_table_names_each_in_the_order_of_the_list(self):
        page = (ROOT / "docs/proving.md").read_text(encoding="utf-8")
        self.assertEqual(PROVED.findall(page), re.findall(r"^(\w+) ([\w.]+): ", listed_by(PROVER), re.MULTILINE))


class Canaries(unittest.TestCase):
    def setUp(self):
        page = (ROOT / "docs/proving.md").read_text(encoding="utf-8")
        self.rows = [(game, set(re.findall(r"`(\w+)`", names)), answer) for game, names, answer in ROW.findall(page)]
        self.games = {path.stem for path in (ROOT / "canaries").glob("*.hpp")}

    def test_the_table_names_each_once(self):
        for game in self.games:
            registered = REGISTERED.findall((ROOT / "canaries" / f"{game}.hpp").read_text(encoding="utf-8"))
            self.assertGreater(len(registered), 10)
            named = [name for row, names, _ in self.rows if row == game for name in names]
            self.assertEqual(sorted(named), sorted(registered), game)

    def test_those_that_are_refuted_have_a_claim(self):
        listed = listed_by(WRONG)
        claimed = set(re.findall(r"^canaries of (\w+) (\w+):", listed, re.MULTILINE))
        self.assertEqual({(game, name) for game, names, answer in self.rows if answer == "refuted" for name in names},
                         claimed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
