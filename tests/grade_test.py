#!/usr/bin/env python3
"""Tests of grade: folders of programs, right, wrong, broken, and in languages that may be missing. Tests of init.

usage: grade_test.py LOCKSTEP ROOT [TEST…]
"""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path
from xml.etree import ElementTree

from case import Case, ROOT, interrupt, kill, refused, report, run, wait_for, written
from length import LONG
from stress_programs import GAMES, command_of, filled, found_in, has_solution, name_of, programs

PROGRAMS = programs(ROOT)
RIGHT = f"exec {command_of(PROGRAMS / 'puyo' / 'right.cpp', PROGRAMS, 'c++')}\n"
LOOP = "while :; do :; done\n"


def command_lines():
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield file.read_bytes()
        except OSError:  # it has ended
            pass


def skip(what: str):
    """Says that a language is not installed, in the form that ci/ran.py counts. ./dev test programs installs all of them."""
    assert "LOCKSTEP_ALL_LANGUAGES" not in os.environ, what
    what = " ".join(what.split())  # one line
    print(f"a language ... skipped '{what}'", file=sys.stderr)


class Grade(Case):
    def setUp(self):
        super().setUp()
        for each in ("programs", "scratch", "tools"):
            Path(each).mkdir()
        self.environment = {"TMPDIR": str(self.path / "scratch"), "PATH": f"{self.path}/tools:{os.environ['PATH']}"}
        self.grade = ["grade", "puyo", self.path / "programs", "--corpus", ROOT / "corpus", "--seed", "1", "--out", "found"]

    def program(self, name, text=None, folder="programs"):
        """A program with this text, or a fixture of puyo. It is executable if its text begins so."""
        text = (PROGRAMS / "puyo" / name).read_text() if text is None else text
        written(f"{folder}/{name}", text).chmod(0o755 if text.startswith(("#!/bin/sh", "\x7fELF")) else 0o644)

    def printed(self, *options, expected):
        out = run(*self.grade, *options, expected=expected, timeout=120, environment=self.environment).stdout
        self.assertEqual(os.listdir("scratch"), [])
        return out

    def grades(self, *options, expected):
        out = json.loads(self.printed("--json", *options, expected=expected))
        self.assertEqual(out["exit"], expected)
        return {each["program"]: each for each in out["programs"]}

    def assert_nothing_is_left(self):
        """No process has a file of this test in its command line."""
        wait_for(lambda: not any(str(self.path).encode() in line for line in command_lines()), 10)

    def test_every_program_of_a_folder_has_its_verdict(self):
        self.program("right.cpp")
        self.program("right.py")
        self.program("zero.c", '#include <stdio.h>\nint main(void) { return !puts("0"); }\n')
        self.program("dies.cc", "int main() { __builtin_trap(); }\n")
        self.program("broken.cpp", "int main() {\n  return x;\n}\n")
        self.program("unlinked.c", "int f(void);\nint main(void) { return f(); }\n")
        self.program("script", "#!/bin/sh\necho 3\n")
        self.program("it's $HOME & \"quoted\"", "#!/bin/sh\necho 0\n")
        self.program("no_interpreter", "\x7fELF")
        self.program("notes.txt", "no program\n")
        written("programs/script_that_is_not_executable", "#!/bin/sh\necho 3\n")
        Path("programs/alice").mkdir()
        found = self.grades("--seconds", 0.5, "--jobs", 4, "--time-limit", 10, "--junit", "grades.xml", expected=1)
        verdicts = {name: each["verdict"] for name, each in found.items()}
        self.assertEqual(verdicts, {
            "right.cpp": "right", "right.py": "right", "zero.c": "wrong answer",
            "dies.cc": "runtime error", "broken.cpp": "compile error", "unlinked.c": "compile error", "script": "wrong answer",
            "it's $HOME & \"quoted\"": "wrong answer", "no_interpreter": "not run", "notes.txt": "not run",
            "script_that_is_not_executable": "not run", "alice": "not run"})
        for name, reason in (("alice", "it is a folder"), ("notes.txt", "knows no language"),
                             ("broken.cpp", "broken.cpp:2:10: error: "), ("unlinked.c", "undefined reference to `f'"), ("no_interpreter", "Exec format error")):
            self.assertIn(reason, found[name]["reason"])
        self.assertEqual(list(found), sorted(found))
        self.assertGreater(found["right.cpp"]["cases"], 0)
        for name, each in found.items():
            self.assertEqual("input" in each, verdicts[name] in ("wrong answer", "runtime error"), name)
            if "input" not in each:
                continue
            self.assertEqual((each["bytes"], each["lines"], each["minimal"]), (84, 12, True))
            file = Path(each["file"])
            self.assertEqual(file.parent, Path("found", name))
            self.assertEqual(file.read_text(), each["input"])
            self.assertEqual(file.with_suffix(".ans").read_text(), each["expected"])
            self.assertTrue(file.with_suffix(".txt").read_text().startswith(f"# {each['verdict']}: {each['reason']}\n"))

        suite = ElementTree.parse("grades.xml").getroot()
        self.assertEqual({key: suite.get(key) for key in ("name", "tests", "failures", "errors")},
                         {"name": "puyo", "tests": "12", "failures": "6", "errors": "4"})
        kinds = {case.get("name"): [(child.tag, child.get("message"), child.text) for child in case] for case in suite}
        for name, each in found.items():
            tag = {"right": None, "not run": "error"}.get(each["verdict"], "failure")
            said = f"{each['verdict']}: {each['reason']}"
            self.assertEqual(kinds[name], [(tag, said, each.get("input"))] if tag else [], name)

    def test_the_table_has_a_line_for_each_program_and_says_why_it_failed(self):
        self.program("crash.py", "raise ValueError('no board')\n")
        self.program("one", "#!/bin/sh\necho 1\n")
        self.program("right.py")
        out = self.printed("--seconds", 0.5, "--time-limit", 10, expected=1)
        self.assertRegex(out, r"^program +verdict +smallest input +found after +cases +heaviest\n"
                              r"crash\.py +runtime error +84 bytes, 12 lines +\d+\.\d s +\d+ +-\n"
                              r"one +wrong answer +84 bytes, 12 lines +\d+\.\d s +\d+ +-\n"
                              r"right\.py +right, few cases +- +- +\d+ +\d+ ms\n\n"
                              r"crash\.py: runtime error: exited with status 1\n  standard error: ValueError: no board\n"
                              r"  input: \S+\.in\n"
                              r"one: wrong answer: line 1 of the output: expected '0', got '1'\n"
                              r"  input: found/one/puyo-[0-9a-f]{16}\.in\n\n"
                              r"3 programs: 1 right, 2 failed, 0 without a verdict; seed 1\nfew cases: below 300, [^\n]*\n$")

    def test_a_finding_that_cannot_be_written_costs_no_grade(self):
        self.program("one", "#!/bin/sh\necho 1\n")
        self.program("right.py")
        options = ("--seconds", 0.2, "--time-limit", 10, "--jobs", 1)
        file = Path(self.grades(*options, expected=1)["one"]["file"])
        text = file.read_text()
        file.unlink()
        file.mkdir()
        printed = f"the input of one could not be written ({file}: Is a directory). The input of one:\n{text}"
        for more in ((), ("--json",)):
            result = run(*self.grade, *options, "--junit", "grades.xml", *more, expected=1, environment=self.environment)
            self.assertIn(printed, result.stderr)
            self.assertIn("wrong answer", Path("grades.xml").read_text())
            if not more:
                self.assertIn("2 programs: 1 right, 1 failed", result.stdout)
                self.assertNotIn("  input: ", result.stdout)
        one, right = json.loads(result.stdout)["programs"]
        self.assertEqual((one["verdict"], one["file"], one["input"]), ("wrong answer", "", text))
        self.assertEqual((right["program"], right["verdict"]), ("right.py", "right"))

    def test_a_folder_of_right_programs_exits_with_0_and_the_time_on_the_heaviest_inputs_is_measured(self):
        self.program("right.py")
        self.program("slow.py", f"while __import__('time').process_time() < 0.3: pass\n{(PROGRAMS / 'puyo' / 'right.py').read_text()}")
        found = self.grades("--seconds", 0.5, "--time-limit", 10, "--batch", "loop", expected=0)
        self.assertEqual({name: each["verdict"] for name, each in found.items()}, {"right.py": "right", "slow.py": "right"})
        self.assertGreaterEqual(found["slow.py"]["heaviest_ms"], 300)

    def test_a_program_without_its_compiler_or_interpreter_is_not_run(self):
        needs = {"a.cpp": "g++", "a.c": "cc", "a.java": "javac", "a.rs": "rustc", "a.js": "node", "a.py": "python3"}
        for name in needs:
            self.program(name, "")
        self.environment["PATH"] = str(self.path / "tools")
        found = self.grades("--seconds", 0.5, expected=3)
        self.assertEqual({name: (each["verdict"], each["reason"]) for name, each in found.items()},
                         {name: ("not run", f"there is no program '{program}' in PATH") for name, program in needs.items()})
        # Either compiler of C++ will do.
        self.program("clang++", "#!/bin/sh\necho 'a.cpp:1:1: error: by clang' >&2\nexit 1\n", "tools")
        self.assertEqual(self.grades("--seconds", 0.5, expected=1)["a.cpp"]["reason"], "a.cpp:1:1: error: by clang")

    def test_a_failure_that_does_not_repeat_is_no_verdict(self):
        # Wrong in its first run only.
        self.program("once.sh", f"#!/bin/sh\nmkdir {self.path}/ran 2>/dev/null && echo 7 && exit\n{RIGHT}")
        found = self.grades("--seconds", 0.5, "--time-limit", 10, expected=3)["once.sh"]
        self.assertEqual((found["verdict"], found["unrepeated"]), ("no verdict", 1))
        self.assertRegex(found["reason"], "^1 failure did not appear again when the program ran alone: wrong answer, line 1 of ")
        kept, = Path("found").glob("once.sh/*.in")
        run("validate", "puyo", kept, expected=0)

    @unittest.skipUnless(LONG, "runs in ./dev test programs")
    def test_a_java_class_with_a_method_main_is_started(self):
        if not shutil.which("javac"):
            skip("javac is not installed")
            return
        source = (PROGRAMS / "block_game" / "right_for_one_case.java").read_text().replace("class Main", "class Solution")
        self.assertIn("class Solution", source)
        named = source.replace("class Solution", "public final class NAME").replace("Solution", "NAME")
        for name, text in (("solution", source), ("Named", named.replace("NAME", "Named")),
                           ("other", source.replace("Solution", "MainSolver")), ("hangul", named.replace("NAME", "풀이")),
                           ("packaged", "package one.two;\n" + named.replace("NAME", "Main")),
                           ("both", "package 하나;\n" + named.replace("NAME", "풀이é")),
                           ("without", source.replace("void main(", "void start("))):
            self.program(f"{name}.java", text)
        said = report("grade", "block_game", "programs", "--seconds", "1", "--time-limit", "10", "--corpus", ROOT / "corpus",
                      expected=3, environment=self.environment | {"LC_ALL": "C"})
        found = {each["program"]: (each["verdict"], each["reason"]) for each in said["programs"]}
        self.assertEqual(found, {"without.java": ("not run", "none of its classes has a method main")} | dict.fromkeys(
            ("solution.java", "Named.java", "other.java", "hangul.java", "packaged.java", "both.java"), ("right", "")))

    def test_a_wrong_command_line_is_refused(self):
        for folder, part in (("programs", "contains no program"), ("none", "there is no such folder")):
            refused(f"{folder}: {part}", "grade", "puyo", folder)

    def begun(self, *options):
        """A run in which a program, or a compiler, has said that it runs."""
        process = self.start(*self.grade, "--seconds", 60, *options, environment=self.environment)
        wait_for(Path("ran").exists)
        return process

    def interrupted(self, code):
        """Output of a run that is interrupted while a program runs."""
        process = self.begun("--jobs", 1)
        since = time.monotonic()
        out, _ = interrupt(process, code)
        self.assertLess(time.monotonic() - since, 10)
        self.assertEqual(os.listdir("scratch"), [])
        self.assert_nothing_is_left()
        return out

    def test_a_source_that_cannot_be_read_has_no_verdict(self):
        Path("programs/A.java").symlink_to("/proc/self/mem")
        self.assertIn("\nA.java: not run: cannot be read to its end\n", self.printed(expected=3))

    def test_an_interruption_prints_what_was_found(self):
        self.program("a.sh", "#!/bin/sh\necho 1\n")
        self.program("b.sh", f"#!/bin/sh\ntouch {self.path}/ran\n{RIGHT}")
        self.program("c.py", "print(1)\n")
        out = self.interrupted(1)  # one has failed
        for part in ("\na.sh     wrong answer  84 bytes", "\nb.sh     no verdict ", "\nc.py     not run ",
                     "\nb.sh: no verdict: interrupted\n", "\nc.py: not run: interrupted\n",
                     "\n3 programs: 0 right, 1 failed, 2 without a verdict; seed 1\n"):
            self.assertIn(part, out)

    def test_an_interruption_ends_a_compiler(self):
        self.program("a.c", "")
        self.program("cc", f"#!/bin/sh\ntouch {self.path}/ran\n({self.path}/tools/child)\n", "tools")
        self.program("child", f"#!/bin/sh\n{LOOP}", "tools")
        self.assertIn("\na.c: no verdict: interrupted\n", self.interrupted(130))

    def test_nothing_is_left_when_it_is_killed(self):
        self.program("a.sh", f"#!/bin/sh\ntouch {self.path}/ran\n{LOOP}")
        kill(self.begun("--time-limit", 60))
        self.assert_nothing_is_left()


LANGUAGES = {"cpp": "cpp", "c": "c", "python": "py", "java": "java", "rust": "rs", "js": "js"}
SLOW = {"python": sys.executable, "js": "node", "java": "java"}  # shrinking takes too long for a test


def read_of(game, text):
    """The words of an input, as an echo says them: a field of puyo is one, and a case of ts_tetris ends with its size."""
    if game == "puyo":
        return re.findall("." * 72, text.replace("\n", ""))
    if game != "ts_tetris":
        return text.split()
    size, words = [], []
    for call in (line.split() for line in text.splitlines()):
        size = call[1:] if call[0] == "100" else size
        words += call if call[0] in ("200", "300") else ["400", *size] if call == ["400"] else []
    return words


class Starters(Case):
    def starter(self, game, language):
        result = run("init", game, "--lang", language, expected=0)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def test_a_starter_is_right_with_a_right_solution_and_wrong_without(self):
        for game in GAMES if LONG else ["puyo"]:
            with self.subTest(game=game):
                for language, extension in LANGUAGES.items() if LONG else list(LANGUAGES.items())[:3]:
                    empty = self.starter(game, language)
                    if has_solution(game, f".{extension}"):
                        written(f"{game}/full_{extension}.{extension}", filled(empty, ROOT, game, extension))
                    # Compiling takes most of the time: a starter without a solution in C and Rust for each game.
                    if language in ("c", "rust") or (game == "puyo" and language == "cpp"):
                        written(f"{game}/empty_{extension}.{extension}", empty)
                said = json.loads(run("grade", game, game, "--batch", "loop", "--seconds", "0.2", "--time-limit", "10",
                                      "--corpus", ROOT / "corpus", "--out", f"found/{game}", "--seed", "1", "--json").stdout)
                for each in said["programs"]:
                    file = Path(each["program"])
                    if each["verdict"] == "not run" and file.suffix in (".java", ".rs", ".js"):
                        skip(f"{game} {file}: {each['reason']}")
                        continue
                    wanted = "right" if file.stem.startswith("full") else "wrong answer"
                    self.assertEqual(each["verdict"], wanted, (game, each))

    @unittest.skipUnless(LONG, "runs in ./dev test programs")
    def test_a_starter_without_a_solution_reads_what_is_there(self):
        for source in sorted(PROGRAMS.glob("*/echo.*")):
            compiler = {".rs": "rustc", ".js": "node", ".py": "python3"}[source.suffix]
            if not shutil.which(compiler):
                skip(f"{name_of(source)}: there is no {compiler}")
                continue
            command = command_of(source, PROGRAMS, "c++").split()
            for file in (ROOT / "corpus" / source.parent.name / "judge").glob("*.in"):
                said = subprocess.run(command, input=file.read_text(), capture_output=True, text=True, check=True).stdout
                self.assertEqual(re.findall(r"[\w.]+", said), read_of(source.parent.name, file.read_text()), (source, file))

    @unittest.skipUnless(LONG, "runs in ./dev test programs")
    def test_a_starter_in_a_slow_language_is_wrong_without_a_solution(self):
        for game in GAMES:
            for language, command in SLOW.items():
                file = written(f"{game}.{LANGUAGES[language]}", self.starter(game, language))
                if language == "java":
                    if game != "puyo" or not shutil.which("javac"):
                        continue
                    subprocess.run(["javac", "-d", ".", file], check=True)
                    file = f"-cp {self.path} Main"
                result = run("stress", game, "--cmd", f"{command} {file}", "--input", ROOT / "corpus" / game / "judge" / "01.in",
                             "--time-limit", "10", "--json")
                if "there is no program" in result.stderr:
                    skip(f"{game} in {language}: {result.stderr}")
                    continue
                self.assertEqual(found_in(result.stdout)["verdict"], "wrong answer", (game, language))

    def test_a_starter_goes_to_a_new_file_only(self):
        init = ["init", "omok", "--lang", "python", "--out", "mine.py"]
        self.assertEqual(run(*init, expected=0).stdout, "")
        file = Path("mine.py")
        self.assertEqual(file.read_text(), self.starter("omok", "python"))
        file.write_text("mine\n")
        refused("mine.py exists", *init)
        self.assertEqual(file.read_text(), "mine\n")

    def test_an_unknown_language_is_refused(self):
        refused("cobol", "init", "omok", "--lang", "cobol")


if __name__ == "__main__":
    unittest.main(verbosity=2)
