#!/usr/bin/env python3
"""The proofs of examples/, built by other projects from an installed copy with its prover.

usage: examples_test.py ROOT BUILD     ROOT's build folder, with the targets lockstep and lockstep_prover

Each function of the examples is proved. Each planted mistake is refuted, its counterexample is the smallest one, and
the example's program judges it: the canary differs from the reference there.
"""
import json
import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from processes import run  # noqa: E402


ROOT, BUILD = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
WORK = Path(tempfile.mkdtemp())
os.environ |= {
    "CMAKE_PREFIX_PATH": str(WORK / "prefix"), "CMAKE_GENERATOR": "Ninja", "CXX": "g++",
    "CXXFLAGS": "-O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror", "CMAKE_BUILD_TYPE": "None",
    "CCACHE_SLOPPINESS": "pch_defines,time_macros", "CMAKE_CXX_COMPILER_LAUNCHER": shutil.which("ccache") or ""}


def setUpModule():
    for command in (("cmake", "--install", BUILD, "--prefix", WORK / "prefix"),
                    ("cmake", "--install", BUILD, "--prefix", WORK / "prefix", "--component", "proof")):
        result = run(*command)
        assert result.returncode == 0, result.stdout + result.stderr


def tearDownModule():
    shutil.rmtree(WORK)


class Example:
    name = ""
    proved = ()
    refuted = {}  # a canary, and the least counterexample as its scenario's action

    @classmethod
    def setUpClass(cls):
        cls.build = WORK / cls.name
        for command in (("cmake", "-S", ROOT / "examples" / cls.name, "-B", cls.build),
                        ("cmake", "--build", cls.build, "--target", cls.name, f"prove_{cls.name}")):
            result = run(*command)
            assert result.returncode == 0, result.stdout + result.stderr

    def prove(self, *words):
        result = run(self.build / f"prove_{self.name}", *words, "--json", cwd=self.build)
        return result.returncode, json.loads(result.stdout)["claims"]

    def test_its_functions_are_proved(self):
        code, claims = self.prove()
        self.assertEqual([(each["claim"], each["answer"]) for each in claims],
                         [(name, "proved") for name in self.proved], claims)
        self.assertEqual(code, 0)
        for each in claims:
            self.assertGreater(len(each["lines"][f"{self.name}.hpp"]["covered"]), 0)

    def test_it_ends_with_one_sentence(self):
        said = run(self.build / f"prove_{self.name}", cwd=self.build).stdout
        self.assertEqual(said.splitlines()[-1], f"{len(self.proved)} of {len(self.proved)} claims proved")
        canary = next(iter(self.refuted))
        said = run(self.build / f"prove_{self.name}", self.name, canary, cwd=self.build).stdout
        self.assertEqual(said.splitlines()[-1], "0 of 1 claims proved, 1 refuted")

    def test_each_planted_mistake_is_refuted_with_the_smallest_input(self):
        for canary, action in self.refuted.items():
            with self.subTest(canary):
                code, (claim,) = self.prove(self.name, canary)
                self.assertEqual((code, claim["answer"]), (1, "refuted"), claim)
                self.assertTrue(claim["reduced"] and claim["replayed"])
                self.assertEqual(claim["scenario"]["text"].splitlines()[-1], action)


class Popcount(Example, unittest.TestCase):
    name = "popcount"
    proved = ("fast",)
    refuted = {"three_bits": "call a=255", "five_bits": "call a=4294967295"}

    def test_counterexamples_equal_the_shrunk_findings_of_a_search(self):
        for canary, action in self.refuted.items():
            self.assertIn(action, (ROOT / "examples/popcount/smallest" / f"{canary}.txt").read_text())


class Base64(Example, unittest.TestCase):
    name = "base64"
    proved = ("encode", "decode")
    refuted = {"signed_bytes": r'call a="\x00\x80"', "leftover_bits": 'call text="+++="',
               "padding_inside": 'call text="++0=AAAA"'}


class Utf8(Example, unittest.TestCase):
    name = "utf8"
    proved = ("sequence",)
    refuted = {"overlong": r'call text="\xe0\x80\x80"', "surrogates": r'call text="\xed\xa0\x80"',
               "beyond": r'call text="\xf4\x90\x80\x80"'}

    @classmethod
    def setUpClass(cls):
        if run("g++", "-fsyntax-only", "-x", "c++", "-include", "utf8.h", "/dev/null").returncode != 0:
            raise unittest.SkipTest("there is no <utf8.h>: apt-get install libutfcpp-dev")
        super().setUpClass()


class Errors(unittest.TestCase):
    """A project that configures wrongly is told what is missing."""

    def configured(self, lines: str, *options) -> str:
        folder = Path(tempfile.mkdtemp(dir=WORK))
        (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n"
                                               "find_package(lockstep CONFIG REQUIRED)\n" + lines)
        result = run("cmake", *options, "-S", folder, "-B", folder / "build")
        self.assertNotEqual(result.returncode, 0)
        return re.sub(r"\s+", " ", result.stderr)

    def test_without_sources(self):
        self.assertIn("lockstep_add_proof(prove): expected the sources of claims",
                      self.configured("lockstep_add_proof(prove)\n"))

    def test_without_clang(self):
        self.assertIn("there is no clang++-19", self.configured("lockstep_add_proof(prove a.cpp)\n", "-DLOCKSTEP_CLANG="))


if __name__ == "__main__":
    unittest.main(verbosity=2)
