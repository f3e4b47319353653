#!/usr/bin/env python3
"""The projects of examples/ and of docs/your-code.md: built from an installed copy, and run as their pages say.

usage: examples_test.py ROOT BUILD     BUILD is a build folder of ROOT with the target lockstep up to date

Builds in ROOT/build/examples, which stays for the next run. Each canary of an example must be found within a fixed
number of scenarios and shrunk to the scenario of examples/NAME/smallest/CANARY.txt. Prints each example's lines and
the seconds of its build: no verdict depends on these.
"""
import json
import os
import re
import shutil
import sys
import tempfile
import time
import unittest
from pathlib import Path

import docs_test  # takes ROOT from the command line too
from processes import run

ROOT, BUILD = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
WORK = ROOT / "build" / "examples"
PREFIX = WORK / "prefix"
for name in [name for name in os.environ if name.startswith("LOCKSTEP")]:
    del os.environ[name]
os.environ |= {
    "CCACHE_SLOPPINESS": "pch_defines,time_macros", "CMAKE_CXX_COMPILER_LAUNCHER": shutil.which("ccache") or "",
    "CMAKE_PREFIX_PATH": str(PREFIX), "CMAKE_GENERATOR": "Ninja", "CXX": "g++", "NO_COLOR": "1",
    "CXXFLAGS": "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"}
REPEATABLE = ("--runs", "200000", "--jobs", "1", "--engine", "uniform,swarm,suggested,mutated")


def setUpModule():
    shutil.rmtree(PREFIX, ignore_errors=True)
    run("cmake", "--install", BUILD, "--prefix", PREFIX, expected=0)


def build(source: Path, folder: Path, *options):
    """Configures as if for the first time, but keeps what is compiled."""
    (folder / "CMakeCache.txt").unlink(missing_ok=True)
    run("cmake", "-S", source, "-B", folder, *options, expected=0)
    run("cmake", "--build", folder, "-j", "1", expected=0)


def scenario_of(file: Path) -> str:
    """The text of a scenario file without the section that says how it was found."""
    return re.sub(r"(?m)^finding\n(  .*\n)+", "", file.read_text())


def lines_written(folder: Path) -> int:
    """The lines of the sources without comments and empty lines."""
    sources = [*folder.glob("*.cpp"), *folder.glob("*.hpp")]
    lines = [line.strip() for file in sources for line in file.read_text().splitlines()]
    return sum(bool(line) and not line.startswith("//") for line in lines)


class Example:
    """The tests of one example; `name` is its folder, its program and, unless it has several, its system."""
    name = ""
    seeds = range(1, 4)
    ignore = ()  # options of fuzz: the known mistakes of what the example judges
    header = package = ""  # of a library that the example judges: a header, and the Debian package that has it

    @classmethod
    def setUpClass(cls):
        if cls.header and run("g++", "-fsyntax-only", "-x", "c++", "-include", cls.header, "/dev/null").returncode != 0:
            raise unittest.SkipTest(f"there is no <{cls.header}>: apt-get install {cls.package}")
        cls.source = ROOT / "examples" / cls.name
        cls.build = WORK / cls.name
        started = time.monotonic()
        build(cls.source, cls.build)
        listed = run(cls.build / cls.name, "list", "--json", "--canaries")
        print(f"{cls.name}: {lines_written(cls.source)} lines; from configuring to running "
              f"{time.monotonic() - started:.1f} s", flush=True)
        cls.canaries = {each["name"]: game["name"] for game in json.loads(listed.stdout)["systems"]
                        for each in game["implementations"]}
        cls.folder = Path(tempfile.mkdtemp(dir=WORK))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def prints(self, code: int, *words) -> str:
        return run(self.build / self.name, *words, cwd=self.folder, expected=code).stdout

    def test_the_implementations_agree(self):
        self.assertRegex(self.prints(0, "fuzz", "--seconds", "2", "--seed", "1", *self.ignore), "all agree|no new difference")

    def finding_of(self, system: str, canary: str, smallest: str) -> Path:
        """The finding of the first seed that ends at the smallest known scenario. There may be others of its size."""
        found = []
        for seed in self.seeds:
            out = self.folder / f"{canary}-{seed}"
            self.prints(1, "fuzz", system, "--with", canary, "--out", out, "--no-canary", "--seed", str(seed),
                        *REPEATABLE, *self.ignore)
            finding, = out.glob("*.txt")
            found.append(scenario_of(finding))
            self.assertEqual(len(found[-1].splitlines()), len(smallest.splitlines()), found[-1])
            if found[-1] == smallest:
                return finding
        self.fail(f"smallest known:\n{smallest}\nfound:\n" + "\n".join(found))

    def test_each_mistake_is_found_and_shrunk_to_the_smallest_scenario(self):
        self.assertGreaterEqual(len(self.canaries), 2)
        expected = {file.stem for file in (self.source / "smallest").glob("*.txt")}
        self.assertEqual(set(self.canaries), expected)
        for canary, system in self.canaries.items():
            with self.subTest(canary):
                finding = self.finding_of(system, canary, scenario_of(self.source / "smallest" / f"{canary}.txt"))
                self.assertIn("DIVERGED", self.prints(1, "replay", finding))
                self.assertIn(canary, self.prints(0, "show", finding))
                self.assertIn("minimal", self.prints(1, "shrink", finding))
                self.assertIn(canary, self.prints(1, "explain", finding))

    def test_a_finding_is_what_the_other_implementations_agree_on(self):
        for file in (self.source / "smallest").glob("*.txt"):
            bare = self.folder / file.name
            bare.write_text(scenario_of(file))
            self.prints(0, "replay", bare)

    def test_the_other_verbs(self):
        self.assertIn(next(iter(self.canaries.values())), self.prints(0, "list"))
        self.prints(0, "labels", "--runs", "50")
        for system in set(self.canaries.values()):
            for workload in json.loads(self.prints(0, "bench", system, "--seconds", "0.05", "--json"))["workloads"]:
                for each in workload["implementations"]:
                    self.assertGreater(each["step_ns"]["median"], 0)

    def test_the_page_shows_what_the_program_prints(self):
        for folder in (each for each in (self.source / "smallest", self.source / "known") if each.exists()):
            shutil.copytree(folder, self.build / folder.name, dirs_exist_ok=True)
        follow(self, self.source / "README.md", self.build)


def follow(test: unittest.TestCase, page: Path, folder: Path):
    """Writes the files of a page into the folder and runs its commands there."""
    text = page.read_text()
    for _, info, body in docs_test.FENCE.findall(text):
        if match := re.search(r"file=(\S+)", info):
            (folder / match.group(1)).write_text(body)
    shutil.rmtree(folder / "findings", ignore_errors=True)  # otherwise names would be numbered
    commands = docs_test.commands_of(text)
    test.assertTrue(commands)
    for command in commands:
        test.assertTrue(docs_test.run(command, folder), f"{page.relative_to(ROOT)}: {command.text}")


class Popcount(Example, unittest.TestCase):
    name = "popcount"


class Base64(Example, unittest.TestCase):
    name = "base64"


class IntervalSet(Example, unittest.TestCase):
    name = "interval_set"


class LruCache(Example, unittest.TestCase):
    name = "lru_cache"


class OrderBook(Example, unittest.TestCase):
    name = "order_book"


class Utf8(Example, unittest.TestCase):
    name = "utf8"
    seeds = range(5, 8)
    header, package = "utf8.h", "libutfcpp-dev"

    def test_the_known_mistake_shows_without_lockstep(self):
        follow(self, self.source / "FOUND.md", self.build)


class Roaring(Example, unittest.TestCase):
    name = "roaring"
    seeds = range(6, 10)
    ignore = ("--ignore", str(ROOT / "examples" / "roaring" / "known" / "mistakes"))
    header, package = "roaring/roaring.h", "libroaring-dev"

    def test_a_known_mistake_is_drawn_and_ignored(self):
        known = self.source / "known" / "6_subset.txt"
        self.assertIn("DIVERGED", self.prints(1, "replay", known))
        self.prints(0, "replay", known, *self.ignore)
        new = self.source / "smallest" / "rank_excludes.txt"
        self.prints(1, "replay", new, "--with", "rank_excludes", *self.ignore)

    def test_the_known_mistakes_still_show(self):
        known, leaks = WORK / "roaring_known", WORK / "roaring_leaks"
        build(self.source, known, "-DKNOWN_MISTAKES=ON")
        build(self.source, leaks, "-DCMAKE_EXE_LINKER_FLAGS=-fsanitize=leak")
        page = (self.source / "FOUND.md").read_text()
        for file in (self.source / "known").glob("*.txt"):
            with self.subTest(file.stem):
                program = (leaks if file.stem == "9_lazy_or" else known) / "roaring"
                result = run(program, "replay", "--timeout", "2", file)
                self.assertEqual(result.returncode, 1, f"mended? {result.stdout}{result.stderr}")
                self.assertIn(file.read_text().split("\n", 1)[1], page)

    def test_the_known_mistakes_show_without_lockstep(self):
        follow(self, self.source / "FOUND.md", self.build)


class Readme(unittest.TestCase):
    """The first program of README.md."""

    def test_it_finds_its_mistake_as_the_page_says(self):
        page = (ROOT / "README.md").read_text()
        folder = WORK / "readme"
        folder.mkdir(exist_ok=True)
        (folder / "popcount.cpp").write_text(re.search(r"^```cpp\n(.*?)^```$", page, re.MULTILINE | re.DOTALL).group(1))
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(readme LANGUAGES CXX)\n"
            "find_package(lockstep CONFIG REQUIRED)\nadd_executable(popcount popcount.cpp)\n"
            "target_link_libraries(popcount PRIVATE lockstep::program)\n")
        build(folder, folder / "build")
        result = run(folder / "build" / "popcount", "fuzz", "--seconds", "5", cwd=folder, expected=1)
        shown, = (line for line in page.splitlines() if line.startswith("popcount: at step"))
        self.assertIn(shown, result.stdout)
        self.assertIn(re.search(r"findings/popcount-\w+\.txt", page).group(), result.stdout)


class YourCode(unittest.TestCase):
    """docs/your-code.md, from nothing."""

    def test_the_page_is_followed_literally(self):
        folder = WORK / "your-code"
        folder.mkdir(exist_ok=True)
        (folder / "build" / "CMakeCache.txt").unlink(missing_ok=True)
        follow(self, ROOT / "docs" / "your-code.md", folder)
        # The test that the page makes of the finding passes once the mistake is mended.
        header = folder / "queue.hpp"
        for code, last in ((1, "1 FAILED TEST"), (0, "[  PASSED  ] 1 test.")):
            printed = run(folder / "build" / "queue_test", "--gtest_filter=queue.*", cwd=folder, expected=code).stdout
            self.assertTrue(printed.strip().endswith(last), printed)
            header.write_text(header.read_text().replace("(end_ - begin_) % ring_.size()", "end_ - begin_"))
            run("cmake", "--build", folder / "build", "--target", "queue_test", expected=0)


class Pages(unittest.TestCase):
    def test_every_example_is_tested_and_in_the_table(self):
        names = {file.parent.name for file in (ROOT / "examples").glob("*/CMakeLists.txt")}
        self.assertEqual(names, {each.name for each in Example.__subclasses__()})
        table = re.findall(r"^\| \[`(\w+)`\]", (ROOT / "examples" / "README.md").read_text(), re.MULTILINE)
        self.assertEqual(names, set(table))


if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    unittest.main(verbosity=2)
