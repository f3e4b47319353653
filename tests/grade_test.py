#!/usr/bin/env python3
"""Tests of grade: folders of programs, right, wrong, broken, and in languages that may be missing. Tests of init.

usage: grade_test.py LOCKSTEP ROOT
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from xml.etree import ElementTree

from length import LONG
from stress_programs import GAMES, filled, found_in, programs

LOCKSTEP, ROOT = (Path(argument).resolve() for argument in sys.argv[1:3])
PROGRAMS = programs(ROOT)
ENDLESS = "#!/bin/sh\nwhile :; do :; done\n"


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


class Grade(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/tmp")  # programs may write there
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        self.folder = self.path / "programs"
        self.scratch = self.path / "scratch"
        self.tools = self.path / "tools"  # first in PATH
        for each in (self.folder, self.scratch, self.tools):
            each.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.scratch), "PATH": f"{self.tools}:{os.environ['PATH']}"}

    def program(self, name, text=None, executable=False):
        """A program with this text, or a fixture of puyo."""
        file = self.folder / name
        file.write_text((PROGRAMS / "puyo" / name).read_text() if text is None else text)
        file.chmod(0o755 if executable else 0o644)

    def command(self, *options):
        return [str(LOCKSTEP), "grade", "puyo", str(self.folder), "--corpus", str(ROOT / "corpus"), "--seed", "1",
                "--out", str(self.path / "found"), *map(str, options)]

    def grade(self, *options, expected):
        result = subprocess.run(self.command(*options), capture_output=True, text=True, check=False, timeout=120,
                                env=self.environment)
        self.assertEqual(result.returncode, expected, result.stdout + result.stderr)
        self.assertEqual(list(self.scratch.iterdir()), [])
        return result.stdout

    def grades(self, *options, expected):
        out = json.loads(self.grade("--json", *options, expected=expected))
        self.assertEqual(out["exit"], expected)
        return {each["program"]: each for each in out["programs"]}

    def assert_nothing_is_left(self):
        """No process has a file of this test in its command line."""
        until = time.monotonic() + 10
        while left := [line for line in command_lines() if str(self.path).encode() in line]:
            self.assertLess(time.monotonic(), until, left)
            time.sleep(0.05)

    def test_every_program_of_a_folder_has_its_verdict(self):
        self.program("right.cpp")
        self.program("right.py")
        self.program("zero.c", '#include <stdio.h>\nint main(void) { return !puts("0"); }\n')
        self.program("dies.cc", "int main() { __builtin_trap(); }\n")
        self.program("broken.cpp", "int main() {\n  return x;\n}\n")
        self.program("unlinked.c", "int f(void);\nint main(void) { return f(); }\n")
        self.program("script", "#!/bin/sh\necho 3\n", executable=True)
        self.program("it's $HOME & \"quoted\"", "#!/bin/sh\necho 0\n", executable=True)
        self.program("no_interpreter", "\x7fELF", executable=True)
        self.program("notes.txt", "no program\n")
        self.program("script_that_is_not_executable", "#!/bin/sh\necho 3\n")
        (self.folder / "alice").mkdir()
        found = self.grades("--seconds", 1, "--jobs", 4, "--time-limit", 10, "--junit", self.path / "grades.xml", expected=1)
        verdicts = {name: each["verdict"] for name, each in found.items()}
        self.assertEqual(verdicts, {
            "right.cpp": "right", "right.py": "right", "zero.c": "wrong answer",
            "dies.cc": "runtime error", "broken.cpp": "compile error", "unlinked.c": "compile error", "script": "wrong answer",
            "it's $HOME & \"quoted\"": "wrong answer", "no_interpreter": "not run", "notes.txt": "not run",
            "script_that_is_not_executable": "not run", "alice": "not run"})
        self.assertIn("it is a folder", found["alice"]["reason"])
        self.assertIn("knows no language", found["notes.txt"]["reason"])
        self.assertEqual(list(found), sorted(found))
        self.assertIn("broken.cpp:2:10: error: ", found["broken.cpp"]["reason"])
        self.assertIn("undefined reference to `f'", found["unlinked.c"]["reason"])
        self.assertIn("Exec format error", found["no_interpreter"]["reason"])
        self.assertGreater(found["right.cpp"]["cases"], 0)
        for name, each in found.items():
            self.assertEqual("input" in each, verdicts[name] in ("wrong answer", "runtime error"), name)
            if "input" not in each:
                continue
            self.assertEqual((each["bytes"], each["lines"], each["minimal"]), (84, 12, True))
            file = Path(each["file"])
            self.assertEqual(file.parent, self.path / "found" / name)
            self.assertEqual(file.read_text(), each["input"])
            self.assertEqual(file.with_suffix(".ans").read_text(), each["expected"])
            self.assertTrue(file.with_suffix(".txt").read_text().startswith(f"# {each['verdict']}: {each['reason']}\n"))

        suite = ElementTree.parse(self.path / "grades.xml").getroot()
        self.assertEqual({key: suite.get(key) for key in ("name", "tests", "failures", "errors")},
                         {"name": "puyo", "tests": "12", "failures": "6", "errors": "4"})
        kinds = {case.get("name"): [(child.tag, child.get("message"), child.text) for child in case] for case in suite}
        for name, each in found.items():
            tag = {"right": None, "not run": "error"}.get(each["verdict"], "failure")
            said = f"{each['verdict']}: {each['reason']}"
            self.assertEqual(kinds[name], [(tag, said, each.get("input"))] if tag else [], name)

    def test_a_crash_is_shown_with_what_the_program_said(self):
        self.program("crash.py", "raise ValueError('no board')\n")
        out = self.grade("--seconds", 0.5, expected=1)
        self.assertIn("crash.py: runtime error: exited with status 1\n  standard error: ValueError: no board\n", out)

    def test_the_table_has_a_line_for_each_program_and_says_why_it_failed(self):
        self.program("one", "#!/bin/sh\necho 1\n", executable=True)
        self.program("right.py")
        out = self.grade("--seconds", 0.5, "--time-limit", 10, expected=1)
        self.assertRegex(out, r"^program +verdict +smallest input +found after +cases +heaviest\n"
                              r"one +wrong answer +84 bytes, 12 lines +\d+\.\d s +\d+ +-\n"
                              r"right\.py +right, few cases +- +- +\d+ +\d+ ms\n\n"
                              r"one: wrong answer: line 1 of the output: expected '0', got '1'\n"
                              r"  input: \S+/found/one/puyo-[0-9a-f]{16}\.in\n\n"
                              r"2 programs: 1 right, 1 failed, 0 without a verdict; seed 1\nfew cases: below 300, [^\n]*\n$")

    def test_a_finding_that_cannot_be_written_costs_no_grade(self):
        self.program("one", "#!/bin/sh\necho 1\n", executable=True)
        self.program("right.py")
        options = ("--seconds", 0.5, "--time-limit", 10, "--jobs", 1)
        file = Path(self.grades(*options, expected=1)["one"]["file"])
        text = file.read_text()
        file.unlink()
        file.mkdir()
        printed = f"the input of one could not be written ({file}: Is a directory). The input of one:\n{text}"
        for more in ((), ("--json",)):
            result = subprocess.run(self.command(*options, "--junit", self.path / "grades.xml", *more), capture_output=True,
                                    text=True, check=False, timeout=120, env=self.environment)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn(printed, result.stderr)
            self.assertIn("wrong answer", (self.path / "grades.xml").read_text())
            if not more:
                self.assertIn("2 programs: 1 right, 1 failed", result.stdout)
                self.assertNotIn("  input: ", result.stdout)
                continue
            found = {each["program"]: each for each in json.loads(result.stdout)["programs"]}
            self.assertEqual({name: each["verdict"] for name, each in found.items()},
                             {"one": "wrong answer", "right.py": "right"})
            self.assertEqual((found["one"]["file"], found["one"]["input"]), ("", text))

    def test_the_time_on_the_heaviest_inputs_is_measured(self):
        right = (PROGRAMS / "puyo" / "right.py").read_text()
        self.program("slow.py", f"while __import__('time').process_time() < 0.3: pass\n{right}")
        found = self.grades("--seconds", 0.5, "--time-limit", 10, expected=0)
        self.assertGreaterEqual(found["slow.py"]["heaviest_ms"], 300)

    def test_a_folder_of_right_programs_exits_with_0(self):
        self.program("right.py")
        found = self.grades("--seconds", 0.5, "--time-limit", 10, "--batch", "loop", expected=0)
        self.assertEqual(found["right.py"]["verdict"], "right")

    def test_a_program_without_its_compiler_or_interpreter_is_not_run(self):
        for name in ("a.cpp", "a.c", "a.java", "a.rs", "a.js", "a.py"):
            self.program(name, "")
        self.environment["PATH"] = str(self.tools)
        found = self.grades("--seconds", 0.5, expected=3)
        for name, program in (("a.cpp", "g++"), ("a.c", "cc"), ("a.java", "javac"), ("a.rs", "rustc"), ("a.js", "node"),
                              ("a.py", "python3")):
            self.assertEqual((found[name]["verdict"], found[name]["reason"]),
                             ("not run", f"there is no program '{program}' in PATH"))
        # Either compiler of C++ will do.
        (self.tools / "clang++").write_text("#!/bin/sh\necho 'a.cpp:1:1: error: by clang' >&2\nexit 1\n")
        (self.tools / "clang++").chmod(0o755)
        self.assertEqual(self.grades("--seconds", 0.5, expected=1)["a.cpp"]["reason"], "a.cpp:1:1: error: by clang")

    def test_a_failure_that_does_not_repeat_is_no_verdict(self):
        # Wrong in its first run only.
        self.program("once.sh", f"#!/bin/sh\nmkdir {self.path}/ran 2>/dev/null && echo 7 && exit\n"
                                f"exec {sys.executable} {PROGRAMS}/puyo/right.py\n", executable=True)
        found = self.grades("--seconds", 1, "--time-limit", 10, expected=3)["once.sh"]
        self.assertEqual((found["verdict"], found["unrepeated"]), ("no verdict", 1))
        self.assertRegex(found["reason"], "^1 failure did not appear again when the program ran alone: wrong answer, line 1 of ")
        kept, = (self.path / "found").glob("once.sh/*.in")
        self.assertEqual(subprocess.run([LOCKSTEP, "validate", "puyo", kept], check=False, capture_output=True).returncode, 0)

    @unittest.skipUnless(LONG, "runs in ./dev test programs")
    def test_a_java_class_with_a_method_main_is_started(self):
        if not shutil.which("javac"):
            skip("javac is not installed")
            return
        source = (PROGRAMS / "block_game" / "right_for_one_case.java").read_text().replace("class Main", "class Solution")
        self.assertIn("class Solution", source)
        named = source.replace("class Solution", "public final class NAME")
        (self.folder / "solution.java").write_text(source)
        (self.folder / "Named.java").write_text(named.replace("NAME", "Named"))
        (self.folder / "other.java").write_text(source.replace("class Solution", "class MainSolver"))
        (self.folder / "hangul.java").write_text(named.replace("NAME", "풀이"))
        (self.folder / "packaged.java").write_text("package one.two;\n" + named.replace("NAME", "Main"))
        (self.folder / "both.java").write_text("package 하나;\n" + named.replace("NAME", "풀이é"))
        (self.folder / "without.java").write_text(source.replace("void main(", "void start("))
        result = subprocess.run([LOCKSTEP, "grade", "block_game", self.folder, "--seconds", "1", "--time-limit", "10", "--json",
                                 "--corpus", ROOT / "corpus", "--out", self.path / "found"], capture_output=True, text=True,
                                check=False, env=self.environment | {"LC_ALL": "C"})
        found = {each["program"]: (each["verdict"], each["reason"]) for each in json.loads(result.stdout)["programs"]}
        self.assertEqual(found, {"without.java": ("not run", "none of its classes has a method main")} | dict.fromkeys(
            ("solution.java", "Named.java", "other.java", "hangul.java", "packaged.java", "both.java"), ("right", "")))

    def test_a_wrong_command_line_is_refused(self):
        for folder, part in ((self.folder, "contains no program"), (self.path / "none", "there is no such folder")):
            result = subprocess.run([LOCKSTEP, "grade", "puyo", folder], capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(f"{folder}: {part}", result.stderr)

    def interrupted(self, until):
        """Output of a run that is interrupted when the condition holds, and the seconds that it took to end."""
        run = subprocess.Popen(self.command("--seconds", 60, "--jobs", 1), stdout=subprocess.PIPE, text=True,
                               env=self.environment)
        self.addCleanup(run.kill)
        begun = time.monotonic()
        while not until():
            self.assertLess(time.monotonic(), begun + 60)
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        begun = time.monotonic()
        out = run.communicate(timeout=30)[0]
        self.assertEqual(list(self.scratch.iterdir()), [])
        self.assert_nothing_is_left()
        return run.returncode, out, time.monotonic() - begun

    def test_a_source_that_cannot_be_read_has_no_verdict(self):
        (self.folder / "A.java").symlink_to("/proc/self/mem")
        self.assertIn("\nA.java: not run: cannot be read to its end\n", self.grade(expected=3))

    def test_an_interruption_prints_what_was_found(self):
        self.program("a.sh", "#!/bin/sh\necho 1\n", executable=True)
        self.program("b.sh", f"#!/bin/sh\ntouch {self.path}/ran\nexec {sys.executable} {PROGRAMS}/puyo/right.py\n", executable=True)
        self.program("c.py", "print(1)\n")
        code, out, seconds = self.interrupted(lambda: (self.path / "ran").exists())
        self.assertEqual(code, 1)  # one has failed
        self.assertLess(seconds, 10)
        for part in ("\na.sh     wrong answer  84 bytes", "\nb.sh     no verdict ", "\nc.py     not run ",
                     "\nb.sh: no verdict: interrupted\n", "\nc.py: not run: interrupted\n",
                     "\n3 programs: 0 right, 1 failed, 2 without a verdict; seed 1\n"):
            self.assertIn(part, out)

    def test_an_interruption_ends_a_compiler(self):
        self.program("a.c", "")
        (self.tools / "cc").write_text(f"#!/bin/sh\ntouch {self.path}/ran\n({self.tools}/child)\n")
        (self.tools / "child").write_text(ENDLESS)
        for each in ("cc", "child"):
            (self.tools / each).chmod(0o755)
        code, out, seconds = self.interrupted(lambda: (self.path / "ran").exists())
        self.assertEqual(code, 130)
        self.assertLess(seconds, 10)
        self.assertIn("\na.c: no verdict: interrupted\n", out)

    def test_nothing_is_left_when_it_is_killed(self):
        self.program("a.sh", f"{ENDLESS[:10]}touch {self.path}/ran\n{ENDLESS[10:]}", executable=True)
        run = subprocess.Popen(self.command("--seconds", 60, "--time-limit", 60), stdout=subprocess.DEVNULL, env=self.environment)
        self.addCleanup(run.kill)
        until = time.monotonic() + 60
        while not (self.path / "ran").exists():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)
        run.kill()
        run.wait()
        self.assert_nothing_is_left()


LANGUAGES = {"cpp": "cpp", "c": "c", "python": "py", "java": "java", "rust": "rs", "js": "js"}
SLOW = {"python": sys.executable, "js": "node", "java": "java"}  # shrinking takes too long for a test


class Starters(unittest.TestCase):
    def starter(self, game, language):
        result = subprocess.run([LOCKSTEP, "init", game, "--lang", language], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_a_starter_is_right_with_a_right_solution_and_wrong_without(self):
        for game in GAMES if LONG else ["puyo"]:
            with self.subTest(game=game), tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                for language, extension in LANGUAGES.items():
                    empty = self.starter(game, language)
                    (folder / f"full_{extension}.{extension}").write_text(filled(empty, ROOT, game, extension))
                    # Compiling takes most of the time: a starter without a solution in C for each game, in all for one.
                    if language == "c" or (game == "puyo" and language not in SLOW):
                        (folder / f"empty_{extension}.{extension}").write_text(empty)
                result = subprocess.run([LOCKSTEP, "grade", game, folder, "--batch", "loop", "--seconds", "0.2", "--time-limit",
                                         "10", "--corpus", ROOT / "corpus", "--out", folder / "found", "--seed", "1", "--json"],
                                        capture_output=True, text=True, check=False)
                for each in json.loads(result.stdout)["programs"]:
                    file = Path(each["program"])
                    if each["verdict"] == "not run" and file.suffix in (".java", ".rs", ".js"):
                        skip(f"{game} {file}: {each['reason']}")
                        continue
                    wanted = "right" if file.stem.startswith("full") else "wrong answer"
                    self.assertEqual(each["verdict"], wanted, (game, each))

    @unittest.skipUnless(LONG, "runs in ./dev test programs")
    def test_a_starter_in_a_slow_language_is_wrong_without_a_solution(self):
        with tempfile.TemporaryDirectory() as folder:
            for game in GAMES:
                for language, command in SLOW.items():
                    file = Path(folder) / f"{game}.{LANGUAGES[language]}"
                    file.write_text(self.starter(game, language))
                    if language == "java":
                        if game != "puyo" or not shutil.which("javac"):
                            continue
                        subprocess.run(["javac", "-d", folder, file], check=True)
                        file = f"-cp {folder} Main"
                    result = subprocess.run([LOCKSTEP, "stress", game, "--cmd", f"{command} {file}", "--input",
                                             ROOT / "corpus" / game / "judge" / "01.in", "--time-limit", "10", "--json"],
                                            capture_output=True, text=True, check=False)
                    if "there is no program" in result.stderr:
                        skip(f"{game} in {language}: {result.stderr}")
                        continue
                    self.assertEqual(found_in(result.stdout)["verdict"], "wrong answer", (game, language))

    def test_a_starter_goes_to_a_new_file_only(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mine.py"
            for code in (0, 2):
                result = subprocess.run([LOCKSTEP, "init", "omok", "--lang", "python", "--out", file], capture_output=True,
                                        text=True, check=False)
                self.assertEqual((result.returncode, result.stdout), (code, ""))
                self.assertEqual(file.read_text(), self.starter("omok", "python") if code == 0 else "mine\n")
                file.write_text("mine\n")
            self.assertIn(f"{file} exists", result.stderr)

    def test_an_unknown_language_is_refused(self):
        result = subprocess.run([LOCKSTEP, "init", "omok", "--lang", "cobol"], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("cobol", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
