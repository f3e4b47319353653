#!/usr/bin/env python3
"""A program with a single source outside systems/ has every verb: it needs only lockstep::program.

usage: program_test.py PROGRAM
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = ""


class OneSource(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.fuzz = cls.run_verb("fuzz", "--seconds", "1", "--seed", "1")
        cls.findings = sorted((Path(cls.folder.name) / "findings").glob("*.txt"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_verb(cls, *words, program=None, **environment):
        plain = {name: value for name, value in os.environ.items() if name != "LOCKSTEP_COMMAND"}
        return subprocess.run([program or PROGRAM, *words], cwd=cls.folder.name, capture_output=True, text=True,
                              timeout=120, env=plain | environment)

    def finding(self):
        self.assertEqual(len(self.findings), 1, self.fuzz.stdout + self.fuzz.stderr)
        return str(self.findings[0])

    def test_list_names_the_system_and_its_implementations(self):
        systems = json.loads(self.run_verb("list", "--json").stdout)["games"]
        self.assertEqual([each["name"] for each in systems], ["counters"])
        self.assertEqual([each["name"] for each in systems[0]["simulators"]], ["adds", "wrong"])

    def test_fuzz_finds_the_planted_mistake(self):
        self.assertEqual(self.fuzz.returncode, 1, self.fuzz.stdout + self.fuzz.stderr)
        self.assertIn("wrong differs in the observation's sum", self.fuzz.stdout)

    def test_replay_show_shrink_and_explain_read_the_finding(self):
        for verb, code, expected in (("replay", 1, "DIVERGED"), ("show", 0, "wrong differs"), ("shrink", 1, "add "),
                                     ("explain", 1, "sum")):
            result = self.run_verb(verb, self.finding())
            self.assertIn(expected, result.stdout, verb)
            self.assertEqual(result.returncode, code, verb + result.stderr)

    def test_explore_reaches_the_mistake_from_the_simplest_setup(self):
        result = self.run_verb("explore", "--setup", "left=40,right=9", "--depth", "2", "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("expected 52, got 0", json.loads(result.stdout)["finding"]["explanation"])

    def test_labels_count_the_feature(self):
        result = self.run_verb("labels", "--runs", "50")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("sum", result.stdout)

    def test_solve_refuses_a_system_without_an_original_problem(self):
        result = self.run_verb("solve")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("counters has no original problem to solve", result.stderr)

    def test_hints_call_the_program_as_the_user_does(self):
        hint = f"replay it: {PROGRAM} replay {os.path.relpath(self.finding(), self.folder.name)}"
        self.assertIn(hint, self.fuzz.stdout)
        result = self.run_verb("fuzz", "--seconds", "1", "--seed", "1", LOCKSTEP_COMMAND="./dev run")
        self.assertIn("replay it: ./dev run replay findings/", result.stdout)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
