#!/usr/bin/env python3
"""Tests of the program's command line: verbs, streams, exit codes, and messages about wrong input.

usage: cli_test.py LOCKSTEP ROOT
"""
import fcntl
import functools
import json
import os
import pty
import random
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

import processes

ROOT = Path(sys.argv.pop()).resolve()
LOCKSTEP = str(Path(sys.argv.pop()).resolve())
os.environ["LOCKSTEP_COMMAND"] = "./dev run"  # as ./dev does; program_test.py tests the program without it
GAMES = ["puyo", "block_game", "stacking", "ts_tetris", "omok"]
BUILT_IN = ["--engine", "uniform,swarm,suggested,mutated"]

SCENARIO = """lockstep 1 ts_tetris
width 5
height 2
board
.....
1.2..
actions
drop column=0
"""


run = functools.partial(processes.run, LOCKSTEP, text=False)


def simulators(game: str, canaries: bool = False) -> list[str]:
    listing = json.loads(run("list", "--json", *(["--canaries"] if canaries else [])).stdout)
    return [s["name"] for g in listing["games"] if g["name"] == game for s in g["simulators"]]


def own_simulator(game: str) -> str:
    """An implementation with a name that no other game has: the longest, which is like no other."""
    others = {name for other in GAMES if other != game for name in simulators(other)}
    return max((name for name in simulators(game) if name not in others), key=len)


def mistyped(name: str) -> str:
    return name[:-2] + name[-1]


class CommandLine(unittest.TestCase):
    def test_a_missing_verb_is_an_error_that_names_help(self):
        result = run()
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"--help", result.stderr)
        self.assertEqual(result.stdout, b"")

    def test_the_version_names_the_projects_version_the_revision_and_the_compiler(self):
        version = re.search(r"^project\(lockstep VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)
        result = run("--version")
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertRegex(result.stdout.decode(), rf"^lockstep {re.escape(version)}, (unknown revision|revision \S+), "
                                                 r"compiled by (clang|g\+\+) \d.*\n$")

    def test_a_wrong_argument_is_named_with_the_help_that_explains_it(self):
        for arguments, said in (([], "lockstep: 'lockstep' takes one of: list, fuzz, "),
                                (["corpus"], "lockstep: 'lockstep corpus' takes one of: add, pack, unpack, check, minimise, merge\n'lockstep corpus --help' shows "),
                                (["fuzz", "--seconds"], "lockstep: --seconds needs a value\n'lockstep fuzz --help' shows its options"),
                                (["fuzz", "--seed", "1", "--seed", "2"], "lockstep: --seed is given more than once\n'lockstep fuzz"),
                                (["labels", "omok", "--runs", "0"], "lockstep: --runs: expected 1 to 100000000, got 0\n"),
                                (["list", "omok"], "lockstep: 'lockstep list' takes no further argument: omok\n"),
                                (["explain"], "lockstep: FILE is required\n'lockstep explain --help' shows its options"),
                                (["corpus", "pack", "omok"], "lockstep: OUT is required\n'lockstep corpus pack --help' shows")):
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, b""), arguments)
            self.assertTrue(result.stderr.decode().startswith(said), result.stderr)

    def test_seconds_take_a_unit(self):
        result = run("fuzz", "omok", "--seconds", "0.01m", "--seed", "1", *BUILT_IN, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(json.loads(result.stdout)["games"][0]["scenarios"], 0)
        for verb, wrong, *option in (("fuzz", "1x"), ("fuzz", "nan"), ("fuzz", "m"), ("fuzz", "4000h"), ("shrink", "0.5s"),
                                     ("shrink", "2.5"), ("bench", ""), ("canaries", "nan"), ("canaries", "1x"),
                                     ("canaries", "nan", "--against-seconds")):
            result = run(verb, *(option or ["--seconds"]), wrong)
            self.assertEqual((result.returncode, result.stdout), (2, b""), (verb, wrong))
            self.assertIn(f"or a time such as 90s, 5m or 2h, got '{wrong}'", result.stderr.decode())

    def test_a_long_command_line_is_refused_in_words(self):
        long = "x" * 100_000
        for words in (["list", long], ["list", *["word"] * 5000], ["fuzz", "--jobs", long]):
            result = run(*words)
            self.assertEqual((result.returncode, result.stdout), (2, b""))

    def test_help_is_in_words(self):
        unread = [[]]
        while unread:
            verb = unread.pop()
            said = run(*verb, "--help").stdout.decode()
            self.assertIn("Usage: ", said)
            self.assertNotRegex(said, r"\bTEXT\b|\bVALUE\b|UINT|INT:|FLOAT|Range|\bin \[", verb)
            for line in said.splitlines():
                if not re.match(r"example: | +(\S*lockstep|\./dev run) ", line):  # commands stay in one line
                    self.assertLessEqual(len(line), 80, line)
            headings = ["Subcommands"] if verb else ["Search and look", "Corpus and versions", "Programs of problems"]
            for heading in headings:
                verbs = said.partition(f"\n{heading}:\n")[2].partition("\n\n")[0]
                names = re.findall(r"^  ([a-z]+)", verbs, re.MULTILINE)
                unread += [[*verb, name] for name in names]
                if not verb:
                    self.assertTrue(4 <= len(names) <= 10, (heading, names))

    def test_a_result_that_cannot_be_written_is_a_failure_and_no_mistake_of_the_program(self):
        scenario = ROOT / "corpus/omok/borders.txt"
        for arguments in (["--help"], ["--version"], ["list"], ["list", "--json"], ["show", scenario], ["replay", scenario],
                          ["explore", "omok", "--list"], ["corpus", "check", "omok", "--corpus", ROOT / "corpus"],
                          ["fuzz", "omok", "--seconds", "0.1", *BUILT_IN, "--corpus", "none", "--json"]):
            with open("/dev/full", "wb") as full:
                result = run(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE, expected=2)
            self.assertTrue(result.stderr.endswith(b"lockstep: standard output cannot be written\n"), result.stderr)

    def test_a_wrong_verb_names_the_nearest(self):
        for wrong, right in (("fuz", "fuzz"), ("reply", "replay"), ("shwo", "show"), ("sovle", "solve")):
            result = run(wrong)
            self.assertEqual(result.returncode, 2, wrong)
            self.assertIn(f"did you mean 'lockstep {right}'?".encode(), result.stderr)

    def test_a_wrong_system_names_the_nearest(self):
        result = run("solve", "pyuo")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"did you mean 'puyo'?", result.stderr)

    def test_an_error_about_an_unknown_name_suggests_the_nearest(self):
        puyos, tetris = simulators("puyo")[1], own_simulator("ts_tetris")
        for arguments, right in ((["corpus", "ad"], "lockstep corpus add"), (["fuzz", "--secnds", "1"], "--seconds"),
                                 (["replay", "--wiht=lean", "x.txt"], "--with"), (["show", "--stpe=3"], "--step"),
                                 (["fuzz", "omokk"], "omok"), (["fuzz", "puyo", "--with", mistyped(puyos)], puyos),
                                 (["solve", "ts_tetris", "--with", mistyped(tetris)], tetris),
                                 (["fuzz", "puyo", "--engine", "sworm"], "swarm"),
                                 (["canaries", "omok", "--canary", "six_counts"], "six_counts_as_five"),
                                 (["canaries", "omok", "--engine", "portfoli"], "portfolio"),
                                 (["explore", "ts_tetris", "5x4x3"], ""), (["explore", "puyo", "--actions", "dorp"], "drop"),
                                 (["labels", "puyo", "--search", "chians=3"], "chains")):
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, b""), arguments)
            said = result.stderr.decode()
            self.assertIn("there is no ", said, arguments)
            self.assertIn(f"; did you mean '{right}'?\n" if right else "; there are: ", said, arguments)

    def test_an_unknown_system_in_a_file_suggests_the_nearest(self):
        result = run("replay", "-", stdin=SCENARIO.replace("ts_tetris", "ts_tetirs"))
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"standard input:1:12: there is no system 'ts_tetirs'; did you mean 'ts_tetris'?", result.stderr)

    def test_a_wrong_field_of_a_setup_is_named_as_it_was_given(self):
        for given, named in (("width=5,height=x", "--setup height=x: height must be a number from 1 to 200, got 'x'"),
                             ("wdth=5,height=2", "--setup wdth=5: expected "), ("width=2", "--setup width=2: width must be"),
                             ("nowhere.txt", "--setup nowhere.txt: there is no such file; expected a scenario file or fields")):
            result = run("explore", "ts_tetris", "--setup", given)
            self.assertEqual(result.returncode, 2)
            self.assertIn(named, result.stderr.decode())
            self.assertNotRegex(result.stderr, rb":\d+:\d+:")

    def test_a_wrong_implementation_lists_the_known_ones(self):
        result = run("solve", "puyo", "--with", "unheard")
        self.assertEqual(result.returncode, 2)
        self.assertIn("there are: " + ", ".join(simulators("puyo")[:2]), result.stderr.decode())
        self.assertNotIn(b"groups_are_chains", result.stderr)  # nor does it list the many canaries

    def test_a_wrong_implementation_of_one_system_is_reported_before_any_other_starts(self):
        name = own_simulator("omok")
        result = run("fuzz", "omok", "puyo", "--with", name, "--seconds", "600")
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertIn(f"there is no implementation '{name}' of puyo", result.stderr.decode())

    def test_a_wrong_option_is_refused(self):
        for arguments in (["fuzz", "--secnds", "1"], ["fuzz", "--seconds", "-1"], ["fuzz", "--runs", "many"],
                          ["fuzz", "--engine", "magic"], ["list", "surplus"], ["show", "--bytes", "puyo"]):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, (arguments, result.stderr))
            self.assertEqual(result.stdout, b"")

    def test_each_verbs_help_has_its_exit_codes_and_an_example(self):
        for verb in (["list"], ["fuzz"], ["canaries"], ["replay"], ["show"], ["shrink"], ["explain"], ["explore"], ["labels"], ["bench"], ["solve"], ["corpus"], ["corpus", "add"],
                     ["html"], *(["corpus", each] for each in ("pack", "unpack", "check", "minimise", "merge"))):
            result = run(*verb, "--help")
            self.assertEqual(result.returncode, 0, verb)
            self.assertRegex(result.stdout, rb"example: \S.* " + verb[0].encode())
            self.assertRegex(re.sub(rb"\s+", b" ", result.stdout),
                             rb"exit codes: 0 [^0-9]+(, 1 .+)?, 2 wrong input or command line, 3 internal error", verb)
        self.assertIn(b"exit codes: 0 done, 1 below a floor (check), 2 ", run("corpus", "--help").stdout)

    def test_verbs_that_judge_take_plugins_and_do_not_hang(self):
        for verb in ("fuzz", "replay", "show", "shrink", "explain", "explore", "html"):
            said = re.sub(rb"\s+", b" ", run(verb, "--help").stdout)
            self.assertIn(b"also canaries and plugins (PATH.so, PATH.so:NAME); default: ", said, verb)
            self.assertIn(b"Seconds after which one action counts as a hang", said, verb)

    def test_a_missing_file_is_wrong_input(self):
        for verb in ("replay", "show", "shrink", "html"):
            result = run(verb, "/nowhere/at/all.txt")
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"/nowhere/at/all.txt: No such file or directory", result.stderr)


class Listing(unittest.TestCase):
    def test_json_has_the_documented_shape(self):
        listing = json.loads(run("list", "--json").stdout)
        self.assertEqual([g["name"] for g in listing["games"]], GAMES)
        for game in listing["games"]:
            kinds = [s["kind"] for s in game["simulators"]]
            self.assertEqual(kinds[0], "reference")
            self.assertIn("yardstick", kinds)
            self.assertIn("optimized", kinds)
            self.assertNotIn("canary", kinds)
            self.assertEqual(set(game), {"name", "simulators"})

    def test_a_list_fits_eighty_columns(self):
        for words in (["list"], ["list", "--canaries"]):
            printed = run(*words).stdout.decode().splitlines()
            self.assertGreater(len(printed), 40)
            self.assertEqual([line for line in printed if len(line) > 80], [])

    def test_canaries_are_listed_only_with_their_option(self):
        for game in GAMES:
            self.assertGreaterEqual(len(simulators(game, canaries=True)), 4, game)
            self.assertFalse(set(simulators(game)) & set(simulators(game, canaries=True)))

    def test_a_level_masks_what_is_above_it(self):
        levels = ["baseline", "avx2", "avx512", "avx512vbmi"]
        lists = [self.listed(LOCKSTEP_LEVEL=level) for level in levels]
        for level, listed in zip(levels, lists):
            highest = levels.index(listed["level"]["of_processor"])
            self.assertEqual(listed["level"]["in_use"], levels[min(levels.index(level), highest)])
        named = [{(g["name"], s["name"]) for g in listed["games"] for s in g["simulators"]} for listed in lists]
        for lower, higher in zip(named, named[1:]):
            self.assertLessEqual(lower, higher)
        batches = {(g["name"], s["name"]) for g in lists[-1]["games"] for s in g["simulators"] if s["kind"] == "batch"}
        self.assertTrue(batches)
        self.assertLessEqual(batches, named[0])
        if lists[-1]["level"]["of_processor"] == levels[-1]:
            self.assertLess(len(named[0]), len(named[-1]))
        self.assertEqual(self.listed(LOCKSTEP_PORTABLE="1"), lists[0])

    @staticmethod
    def listed(**environment):
        kept = {name: value for name, value in os.environ.items() if name not in ("LOCKSTEP_PORTABLE", "LOCKSTEP_LEVEL")}
        return json.loads(subprocess.run([LOCKSTEP, "list", "--json"], capture_output=True, check=True,
                                         env={**kept, **environment}).stdout)

    def test_implementations_that_are_left_out_are_told(self):
        masked = {"LOCKSTEP_PORTABLE": "1"}
        with tempfile.TemporaryDirectory() as folder:
            said = [run("list", environment=masked).stdout,
                    run("bench", "omok", "--seconds", "0.01", environment=masked).stderr,
                    run("fuzz", "omok", *BUILT_IN, "--runs", "10", "--no-canary", cwd=folder, environment=masked).stderr]
        for each in said:
            self.assertRegex(b" ".join(each.split()), rb"level: baseline.*: implementations that need more are left out")

    def test_an_unknown_level_is_an_error(self):
        result = run("list", environment={"LOCKSTEP_LEVEL": "avx1024"})
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertIn(b"LOCKSTEP_LEVEL=avx1024: there is no such level; there are baseline avx2", result.stderr)


class Solving(unittest.TestCase):
    def test_every_simulator_answers_every_published_sample(self):
        for game in GAMES:
            samples = sorted((ROOT / "corpus" / game / "judge").glob("*.in"))
            self.assertTrue(samples, game)
            for sample in samples:
                expected = sample.with_suffix(".out").read_text().split()
                for simulator in ["reference", *simulators(game)]:
                    result = run("solve", game, "--with", simulator, stdin=sample.read_bytes())
                    self.assertEqual((result.returncode, result.stdout.decode().split()), (0, expected),
                                     (sample, simulator, result.stderr))

    def test_judge_is_an_alias_of_solve(self):
        sample = sorted((ROOT / "corpus" / "omok" / "judge").glob("*.in"))[0].read_bytes()
        for arguments in (["omok"], ["omok", "--scenario", "1"], ["omok", "--timeuot", "1"], ["omok", "--with", "nothing"]):
            by_name, by_alias = (run(verb, *arguments, stdin=sample) for verb in ("solve", "judge"))
            self.assertEqual((by_alias.returncode, by_alias.stdout, by_alias.stderr),
                             (by_name.returncode, by_name.stdout, by_name.stderr), arguments)
        self.assertNotIn(b"judge", run().stderr)

    def test_crlf_and_a_missing_final_newline_change_nothing(self):
        for game in GAMES:
            sample = sorted((ROOT / "corpus" / game / "judge").glob("*.in"))[0]
            plain = run("solve", game, stdin=sample.read_bytes())
            other = run("solve", game, stdin=sample.read_bytes().replace(b"\n", b"\r\n").rstrip())
            self.assertEqual((plain.returncode, plain.stdout), (other.returncode, other.stdout))

    def test_the_cases_of_an_input_are_scenarios(self):
        for game in GAMES:
            for sample in sorted((ROOT / "corpus" / game / "judge").glob("*.in"))[:3]:
                scenario = run("solve", game, sample, "--scenario", "1")
                self.assertEqual(scenario.returncode, 0, scenario.stderr)
                self.assertTrue(scenario.stdout.startswith(f"lockstep 1 {game}\n".encode()), scenario.stdout)
                self.assertEqual(run("replay", "-", stdin=scenario.stdout).returncode, 0, sample)
        two = "2\n2\n100 10 10\n200 1 0\n2\n100 10 10\n200 1 1\n"
        cases = [run("solve", "ts_tetris", "--scenario", number, stdin=two) for number in (1, 2, 3)]
        self.assertEqual([case.returncode for case in cases], [0, 0, 2], cases)
        self.assertNotEqual(cases[0].stdout, cases[1].stdout)
        self.assertIn(b"there are 2 cases", cases[2].stderr)

    def test_a_byte_order_mark_changes_nothing(self):
        for game in GAMES:
            sample = sorted((ROOT / "corpus" / game / "judge").glob("*.in"))[0].read_bytes()
            marked = run("solve", game, stdin=b"\xef\xbb\xbf" + sample)
            self.assertEqual((marked.returncode, marked.stdout), (0, run("solve", game, stdin=sample).stdout), marked.stderr)

    def test_surplus_tokens_are_refused_with_their_place(self):
        for game in GAMES:
            sample = sorted((ROOT / "corpus" / game / "judge").glob("*.in"))[0].read_bytes().rstrip()
            result = run("solve", game, stdin=sample + b"\n7\n")
            line = sample.count(b"\n") + 2
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"standard input:{line}:1:".encode(), result.stderr)

    def test_an_input_that_breaks_a_promise_of_the_problem_is_an_error(self):
        for text, what in (("1\n2\n100 10 10\n200 2 0\n", b"4:5"), ("1\n2\n100 10 10\n200 1 8\n", b"4:7"),
                           ("1\n12\n100 10 10\n" + "".join(f"200 {1 + i % 2} 0\n" for i in range(11)), b"14:1")):
            result = run("solve", "ts_tetris", stdin=text)
            self.assertEqual(result.returncode, 2, text)
            self.assertIn(b"standard input:" + what, result.stderr)


class Scenarios(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def write(self, text, name="case.txt"):
        file = self.path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def test_an_agreeing_scenario_replays_with_exit_0(self):
        result = run("replay", self.write(SCENARIO))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"agreed", result.stdout)

    def test_a_dash_reads_standard_input(self):
        self.assertEqual(run("replay", "-", stdin=SCENARIO).returncode, 0)

    def test_show_says_where_the_earlier_actions_are(self):
        two = self.write(SCENARIO + "change column=0\nchange column=1\n")
        self.assertNotIn(b"all actions: ", run("show", two, "--step", "1").stdout)
        self.assertIn(f"\nall actions: {two}, below the line 'actions'\n".encode(), run("show", two).stdout)
        self.assertNotIn(b"all actions: ", run("show", "-", stdin=Path(two).read_bytes()).stdout)

    def test_show_draws_the_chosen_step(self):
        result = run("show", self.write(SCENARIO), "--step", "0")
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"1.2..", result.stdout)
        self.assertEqual(run("show", self.write(SCENARIO), "--step", "2").returncode, 2)

    def test_bad_texts_are_refused_with_line_and_column(self):
        cases = [
            ("", "1:1"),
            ("lockstep 2 ts_tetris\n", "1:10"),
            ("lockstep 1 chess\n", "1:12"),
            (SCENARIO.replace("width 5", "width 2"), "2:7"),
            (SCENARIO.replace("width 5", "width 201"), "2:7"),
            (SCENARIO.replace("width 5", "width five"), "2:7"),
            (SCENARIO.replace("1.2..", "1.3.."), "6:3"),
            (SCENARIO.replace("1.2..", "1.2."), "6:1"),
            (SCENARIO.replace(".....", "1...2"), "5:5"),  # a cell above an empty one
            (SCENARIO.replace("1.2..", "11111"), "6:5"),  # a run of five
            (SCENARIO.replace("drop column=0", "drop column=3"), "8:13"),
            (SCENARIO.replace("drop column=0", "drop"), "8:5"),
            (SCENARIO.replace("drop column=0", "drop column=0 row=1"), "8:15"),
            (SCENARIO.replace("drop column=0", "drip column=0"), "8:1"),
            (SCENARIO.replace("actions\n", ""), "7:1"),
            (SCENARIO.replace("height", "heigth"), "3:1"),
            (SCENARIO.replace("width 5\n", ""), "4:1"),
        ]
        for text, place in cases:
            for verb in ("replay", "show", "shrink"):
                file = self.write(text)
                result = run(verb, file)
                self.assertEqual(result.returncode, 2, (verb, text))
                self.assertIn(f"{file}:{place}: ".encode(), result.stderr, (verb, text, result.stderr))
                self.assertEqual(len(result.stderr.strip().splitlines()), 1)

    def test_a_missing_size_is_named(self):
        file = self.write(SCENARIO.replace("width 5\n", ""))
        said = run("replay", file).stderr.decode()
        self.assertIn(f"{file}:4:1: row 0 of board needs 3 cells, got 5 ('width' is left out, which makes it 3)", said)

    def test_a_byte_order_mark_is_skipped(self):
        marked = b"\xef\xbb\xbf" + SCENARIO.encode()
        for verb in ("replay", "show"):
            self.assertEqual(run(verb, self.write(marked)).stdout, run(verb, self.write(SCENARIO)).stdout)

    def test_one_is_counted_in_the_singular(self):
        (self.path / "corpus" / "ts_tetris").mkdir(parents=True)
        self.write(SCENARIO, "corpus/ts_tetris/one.txt")
        file = self.write(SCENARIO)
        six = self.write("lockstep 1 omok\nsize 6\nboard\nBBBBBB\n" + "......\n" * 5 + "actions\njudge\n", "six.txt")
        canary = ["--with", "six_counts_as_five"]
        said = {}
        for arguments in (["replay", file], ["show", file], ["show", file, "--step", "2"], ["shrink", six, *canary],
                          ["explain", six, *canary], ["explore", "ts_tetris", "--setup", "width=3,height=1", "--depth", "1"],
                          ["explore", "ts_tetris", "--corpus", self.path / "corpus"],
                          ["corpus", "pack", "ts_tetris", self.path / "bytes", "--corpus", self.path / "corpus"],
                          ["corpus", "unpack", "ts_tetris", self.path / "bytes", "--out", self.path / "texts"],
                          ["labels", "ts_tetris", "--runs", "1", "--corpus", self.path / "corpus"],
                          ["fuzz", "omok", "--runs", "1", "--jobs", "1", *BUILT_IN, "--out", self.path / "f"]):
            result = run(*arguments)
            said[arguments[0]] = said.get(arguments[0], "") + (result.stdout + result.stderr).decode()
            self.assertNotRegex(said[arguments[0]], r"(?<![\d.,])1 [a-z]+s\b(?<! features)", arguments)
        self.assertIn(", 1 action\n", said["replay"])
        self.assertIn("after 1 of 1 action (", said["show"])
        self.assertIn(" 1 action, ", said["shrink"])
        self.assertIn("1 scenario of ts_tetris packed", said["corpus"])
        self.assertIn(" positions and ", said["explore"])
        self.assertIn("every position of 1 scenario\n", said["explore"])

    def test_a_scenario_that_cannot_be_written_is_printed(self):
        six = self.write("lockstep 1 omok\nsize 7\nboard\nBBBBBB.\n" + ".......\n" * 6 + "actions\njudge\njudge\n", "six.txt")
        for arguments, what, code in ((["shrink", six, "--with", "six_counts_as_five"], "shrunk scenario", 1),
                                      (["labels", "puyo", "--search", "group at a resolve = 9"], "scenario", 2)):
            plain = run(*arguments)
            self.assertTrue(plain.stdout.startswith(b"lockstep 1 "), plain.stdout + plain.stderr)
            result = run(*arguments, "--out", self.path)
            self.assertEqual((result.returncode, result.stdout), (code, b""), arguments)
            said = result.stderr.decode()
            self.assertIn(f"the {what} could not be written ({self.path}: Is a directory). The {what}:\n", said)
            self.assertTrue(said.endswith(plain.stdout.decode()), said)

    def test_bytes_of_more_actions_than_a_text_holds_are_refused(self):
        file = self.write(bytes(5_000_000), "many")
        for arguments in (["show", "--bytes", "omok", file], ["corpus", "unpack", "omok", file, "--out", self.path / "texts"]):
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, b""), arguments)
            self.assertRegex(result.stderr.decode(), f"{file}: these bytes hold \\d+ actions, a text at most 1000000")
        self.assertFalse((self.path / "texts").exists())

    def test_arbitrary_bytes_never_crash_a_reader(self):
        source = random.Random(7)
        scenarios = [SCENARIO.encode()] + [sorted((ROOT / "corpus" / g).glob("*.txt"))[0].read_bytes()[:2000] for g in GAMES]
        judged = [(g, file.read_bytes()) for g in GAMES for file in sorted((ROOT / "corpus" / g / "judge").glob("*.in"))]
        for i in range(60):
            game, asked = source.choice(judged)
            scenario = self.write(damaged(source, source.choice(scenarios)), f"{i}.txt")
            question = self.write(damaged(source, asked), f"{i}.in")
            for arguments in (["replay", scenario], ["show", scenario], ["shrink", scenario, "--seconds", "1"],
                              ["solve", game, question]):
                result = run(*arguments)
                self.assertIn(result.returncode, (0, 1, 2), (arguments, result.stderr))
                if result.returncode == 2:
                    file = re.escape(str(arguments[2] if arguments[0] == "solve" else arguments[1]))
                    self.assertRegex(result.stderr.decode(errors="replace"), rf"{file}(:\d+:\d+)?: ")

    def test_one_wrong_file_does_not_hide_the_others(self):
        result = run("replay", self.write("nonsense", "a.txt"), self.write(SCENARIO, "b.txt"))
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"b.txt: agreed", result.stdout)

    def test_what_lies_beside_scenarios_is_left_out_of_a_replay(self):
        scenario = self.write(SCENARIO)
        page = self.write("<!doctype html>\n", "page.html")
        result = run("replay", page, scenario)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.decode(), f"{page}: not a scenario, left out\n")
        for damaged in ("", "lockstep 1\n", "lockstep 99 ts_tetris\n"):
            result = run("replay", page, self.write(damaged, "damaged"), scenario)
            self.assertEqual(result.returncode, 2, damaged)
            self.assertIn(f"{page}: not a scenario, left out\n", result.stderr.decode())
        for wrong in ([page], [page, page]):
            result = run("replay", *wrong)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(f"{page}:1:1: expected 'lockstep 1 SYSTEM' before anything else, got '<!doctype'", result.stderr.decode())

    def test_a_folder_is_replayed_without_scenarios_of_other_systems(self):
        (self.path / "corpus" / "other").mkdir(parents=True)
        self.write(SCENARIO, "corpus/b.txt")
        self.write(SCENARIO.replace("ts_tetris", "lru"), "corpus/other/c.txt")
        self.write("nothing", "corpus/notes.md")
        result = run("replay", self.path / "corpus")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"corpus/b.txt: agreed", result.stdout)
        self.assertIn(b"corpus: 1 scenario of other systems left out", result.stderr)
        self.write("nonsense", "corpus/a.txt")
        result = run("replay", self.path / "corpus")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"a.txt:1:1: ", result.stderr)
        result = run("replay", self.path / "corpus" / "other")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"other: no scenario of this program's systems, but 1 of others", result.stderr)

    def test_a_folder_without_scenarios_is_left_out_of_a_replay_of_others(self):
        """As findings/* names it: a folder of pages, an empty one, one of another program."""
        scenario = self.write(SCENARIO)
        pages, empty, other = (self.path / name for name in ("pages", "empty", "other"))
        for folder in (pages, empty, other):
            folder.mkdir()
        self.write("<!doctype html>\n", "pages/page.html")
        self.write(SCENARIO.replace("ts_tetris", "lru"), "other/c.txt")
        none = "no scenario of this program's systems"
        result = run("replay", pages, scenario, empty, other)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b": agreed", result.stdout)
        self.assertEqual(result.stderr.decode().splitlines(),
                         [f"{pages}: {none}, left out", f"{empty}: {none}, left out", f"{other}: {none}, but 1 of others, left out"])
        for given in ([empty], [empty, pages], [self.write("<!doctype html>\n", "page.html"), empty]):
            result = run("replay", *given)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(f"{empty}: {none}", result.stderr.decode())
            self.assertEqual(result.stdout, b"")

    def test_known_mistakes_are_no_divergences_of_a_replay(self):
        scenario = self.write(SCENARIO)
        canary = ["--with", "shared_cell_scores_twice"]
        found = run("fuzz", "ts_tetris", *canary, "--seed", "1", "--runs", "3000", "--no-canary", "--jobs", "1", "--engine",
                    "swarm", "--corpus", "none", "--out", self.path / "out", "--json")
        finding = json.loads(found.stdout)["games"][0]["findings"][0]
        self.assertEqual(finding["blamed"], "shared_cell_scores_twice")
        file = finding["file"]
        self.assertEqual(run("replay", file, scenario, *canary).returncode, 1)
        for known in (f"{finding['signature']} # why", f"scenario {file} # why"):
            ignore = self.write(known + "\n", "known")
            sarif = self.path / "r.sarif"
            result = run("replay", file, scenario, *canary, "--ignore", ignore, "--sarif", sarif)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn(f": known mistake: {finding['signature']}".encode(), result.stdout)
            self.assertEqual(json.loads(sarif.read_text())["runs"][0]["results"], [])
            said = json.loads(run("replay", file, *canary, "--ignore", ignore, "--json").stdout)
            self.assertEqual((said[0]["agreed"], said[0]["known"]), (False, True))
        other = self.write("ts_tetris lean crash place signal 6 # why\n", "known")
        self.assertEqual(run("replay", file, *canary, "--ignore", other).returncode, 1)
        self.assertEqual(run("replay", file, "--ignore", self.path / "absent").returncode, 2)

    def test_a_known_mistake_that_cannot_be_read_is_said_once_with_its_line(self):
        (self.path / "corpus").mkdir()
        for name in ("a", "b"):  # six in a row: no win
            shutil.copy(ROOT / "corpus" / "omok" / "six_is_no_win.txt", self.path / "corpus" / f"{name}.txt")
        ignore = self.write("# why\nscenario nofile.txt # why\n", "known")
        damaged = self.write("lockstep 1 omok\njump\n", "damaged.txt")
        for said in ("nofile.txt: No such file or directory", "damaged.txt:2:1: "):
            result = run("replay", self.path / "corpus", "--with", "six_counts_as_five", "--ignore", ignore)
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            self.assertEqual(result.stderr.decode().count("known"), 1, result.stderr)
            self.assertIn(f"{ignore}:2: {self.path / said}", result.stderr.decode())
            ignore = self.write(f"# why\nscenario {damaged.name} # why\n", "known")

    def test_a_divergence_decides_the_exit_code_of_a_replay(self):
        """As it does for fuzz and merge. Other files may be damaged."""
        run("fuzz", "ts_tetris", "--with", "shared_cell_scores_twice", "--seed", "1", "--runs", "3000", "--no-canary", "--jobs", "1",
            "--engine", "swarm", "--corpus", "none", "--out", self.path / "out")
        finding = next((self.path / "out").glob("*.txt"))
        result = run("replay", self.write("nonsense", "a.txt"), finding)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(b"a.txt:1:1: ", result.stderr)

    def test_json_has_an_object_for_a_file_that_cannot_be_judged(self):
        files = [self.path / "absent.txt", self.write("nonsense", "a.txt"), self.write(SCENARIO, "b.txt")]
        result = run("replay", "--json", *files)
        self.assertEqual(result.returncode, 2)
        objects = json.loads(result.stdout)
        self.assertEqual([each["file"] for each in objects], list(map(str, files)))
        self.assertEqual([each["verdict"] for each in objects], ["bad input", "bad input", "agreed"])
        self.assertEqual([each["agreed"] for each in objects], [False, False, True])
        self.assertIn("No such file", objects[0]["error"])
        self.assertIn(f"{files[1]}:1:1: expected 'lockstep 1 SYSTEM'", objects[1]["error"])
        self.assertNotIn("error", objects[2])

    def test_corpus_add_pack_and_unpack_keep_the_scenario(self):
        added = run("corpus", "add", self.write(SCENARIO), "--as", "small", "--corpus", self.path / "corpus")
        self.assertEqual(added.returncode, 0, added.stderr)
        kept = self.path / "corpus" / "ts_tetris" / "small.txt"
        again = run("corpus", "add", self.write(SCENARIO, "twin.txt"), "--corpus", self.path / "corpus")
        self.assertIn(b"the corpus already has this scenario: ", again.stdout)
        run("corpus", "pack", "ts_tetris", self.path / "bytes", "--corpus", self.path / "corpus")
        run("corpus", "unpack", "ts_tetris", self.path / "bytes", "--out", self.path / "texts")
        self.assertEqual((self.path / "texts" / "small.txt").read_bytes(), kept.read_bytes())
        shown = run("show", "--bytes", "ts_tetris", self.path / "bytes" / "small")
        self.assertEqual(shown.stdout, kept.read_bytes())

    def test_corpus_add_refuses_a_name_that_exists(self):
        run("corpus", "add", self.write(SCENARIO), "--as", "x", "--corpus", self.path / "corpus")
        other = SCENARIO.replace("drop column=0", "drop column=1")
        result = run("corpus", "add", self.write(other), "--as", "x", "--corpus", self.path / "corpus")
        self.assertEqual(result.returncode, 2)


def damaged(source, text):
    """The text with a few bytes changed; one time in ten, random bytes instead."""
    if source.randrange(10) == 0:
        return source.randbytes(source.randrange(300))
    out = bytearray(text)
    for _ in range(source.randrange(1, 8)):
        at = source.randrange(len(out) + 1)
        out[at:at + source.randrange(3)] = bytes(source.randrange(256) for _ in range(source.randrange(4)))
    return bytes(out)


# The failure is the second stone on the same cell; nothing else on the board matters.
FEW_PARTS_MATTER = """lockstep 1 omok
size 7
board
.......
BBBB.W.
.......
.......
.....W.
.......
.......
actions
place colour=white row=6 column=0
place colour=black row=1 column=4
place colour=black row=1 column=4
judge
"""


class Explaining(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = Path(self.folder.name) / "failure.txt"
        self.file.write_text(FEW_PARTS_MATTER)

    def test_marks_what_matters_in_an_unshrunk_failure(self):
        result = run("explain", self.file, "--with", "placing_replaces")
        self.assertEqual(result.returncode, 1, result.stderr)
        lines = result.stdout.decode().splitlines()
        self.assertIn("signature: omok placing_replaces observation place legal", lines)
        actions = lines[lines.index("  actions") + 1:][:4]
        self.assertEqual(actions[3], "  judge")
        self.assertTrue(actions[2].startswith("* place "), actions)
        self.assertNotIn(b"\x1b", result.stdout)

    def test_json_contains_the_same_explanation(self):
        why = json.loads(run("explain", self.file, "--with", "placing_replaces", "--json").stdout)
        self.assertTrue(why["complete"])
        actions = [line for line in why["lines"] if line["kind"] == "action"]
        self.assertEqual([a["name"] for a in actions], ["place", "place", "place", "judge"])
        self.assertEqual([a["matter"] for a in actions][2:], ["matters", "free"])
        rows = [line for line in why["lines"] if line["kind"] == "row"]
        self.assertEqual([len(row["words"]) for row in rows], [7] * 7)

    def test_show_explains_with_its_option(self):
        shown = run("show", self.file, "--with", "placing_replaces", "--explain").stdout
        self.assertIn(b"'*' matters", shown)
        self.assertNotIn(b"'*' matters", run("show", self.file, "--with", "placing_replaces").stdout)

    def test_an_agreeing_scenario_has_no_explanation(self):
        result = run("explain", self.file)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"nothing to explain", result.stderr)


class Pages(unittest.TestCase):
    """The file that `html` writes; tests/pages_test.py opens it in a browser."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = Path(self.folder.name) / "failure.txt"
        self.file.write_text(FEW_PARTS_MATTER)
        self.page = self.file.with_suffix(".html")

    def film(self, *words) -> dict:
        result = run("html", self.file, *words)
        self.assertEqual((result.returncode, result.stdout.decode()), (0, f"{self.page}\n"), result.stderr)
        found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', self.page.read_text(), re.DOTALL)
        self.assertEqual(len(found), 1)
        return json.loads(found[0])

    def test_holds_the_finding_and_every_position_of_every_implementation(self):
        film = self.film("--with", "placing_replaces")
        self.assertEqual((film["system"], film["first"], film["last"], film["total"]), ("omok", 0, 4, 4))
        self.assertEqual(film["divergence"]["step"], 3)
        self.assertEqual(film["scenario"], FEW_PARTS_MATTER)
        self.assertEqual(film["replay"], f"./dev run replay {self.file} --with placing_replaces")
        self.assertEqual([each["name"] for each in film["implementations"]], [simulators("omok")[0], "placing_replaces"])
        self.assertEqual([len(each["positions"]) for each in film["implementations"]], [5, 5])
        # The first position is whole; the others are differences: one cell, or nothing.
        for each in film["implementations"]:
            size, board = each["positions"][0]["s"]
            self.assertEqual((size, board["n"], len(board["b"])), (["size", "7"], "board", 7))
            self.assertNotIn("s", each["positions"][1])
        placed = film["implementations"][0]["positions"][1]["d"]
        self.assertEqual([index for index, _ in placed], [1])
        self.assertEqual(len(placed[0][1]), 2)
        self.assertNotIn("d", film["implementations"][0]["positions"][4])
        self.assertEqual([mark for kind, _, mark, *_ in film["why"]["lines"] if kind == "action"][2:], ["*", "."])

    def test_of_an_agreeing_scenario_has_no_difference(self):
        film = self.film()
        self.assertIsNone(film["divergence"])
        self.assertGreater(len(film["implementations"]), 3)
        self.assertEqual(film["replay"], f"./dev run replay {self.file}")

    def test_no_text_ends_the_data(self):
        self.file.write_text(FEW_PARTS_MATTER.replace("actions\n", "# </script><script>\"&\nactions\n"))
        self.assertIn("</script><script>", self.film()["scenario"])
        self.assertEqual(self.page.read_text().count("</script>"), 5)

    def test_is_written_whole_or_not_at_all(self):
        self.page.write_text("former")
        self.file.write_text("lockstep 1 omok\nsize 99\nactions\n")
        result = run("html", self.file)
        self.assertEqual((result.returncode, result.stdout, self.page.read_text()), (2, b"", "former"))
        self.assertIn(f"{self.file}:2:6: ".encode(), result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["failure.html", "failure.txt"])

    def test_wrong_input_is_named(self):
        for words, said in ((["-"], "html reads standard input only with --out FILE"),
                            ([self.file, "--out", self.file], f"{self.file} is the scenario itself"),
                            ([self.file, "--out", f"{self.file}/page.html"], f"{self.file}"),
                            ([self.file, "--with", "placing_replace"], "did you mean 'placing_replaces'?"),
                            ([self.file, "--seconds", "0"], "--seconds")):
            result = run("html", *words)
            self.assertEqual((result.returncode, result.stdout), (2, b""), result.stderr)
            self.assertIn(said.encode(), result.stderr)
        result = run("html", "-", "--out", self.page, stdin=FEW_PARTS_MATTER)
        self.assertEqual(result.returncode, 0, result.stderr)


class WholeNumbers(unittest.TestCase):
    def test_are_not_negative(self):
        for words in (["labels", "puyo"], ["canaries", "puyo"], ["fuzz", "puyo"]):
            result = run(*words, "--seed", "-1")
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(b"expected a whole number from 0 to", result.stderr, words)


class SeedCorpus(unittest.TestCase):
    def test_by_default_the_program_brings_it_and_says_so_wherever_it_runs(self):
        # The generator alone reaches no chain of ten in twenty scenarios; one of the corpus has seventeen.
        search = ["fuzz", "puyo", "--with", "nine_chains_at_most", "--seed", "3", "--runs", "20", "--jobs", "1", "--engine", "mutated",
                  "--no-canary"]
        own = Path(LOCKSTEP).parent.parent / "share" / "lockstep" / "corpus"
        with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as other:
            shutil.copytree(ROOT / "corpus" / "omok", Path(other) / "corpus" / "puyo")  # is not looked at
            for folder in (empty, other):
                result = run(*search, cwd=folder)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn(f"seed 3, 1 job, corpus {own}\n", result.stderr.decode())
            result = run(*search, "--corpus", "none", cwd=empty)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(b"seed 3, 1 job, no corpus\n", result.stderr)

    def test_every_verb_that_uses_one_says_which(self):
        own = Path(LOCKSTEP).parent.parent / "share" / "lockstep" / "corpus" / "omok"
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "programs" / "zero.sh"
            program.parent.mkdir()
            program.write_text("#!/bin/sh\necho 0\n")
            program.chmod(0o755)
            missing = Path(folder) / "programs"
            for verb in (["labels", "omok", "--runs", "1"], ["bench", "omok", "--seconds", "0.01", "--with", "textbook"],
                         ["canaries", "omok", "--canary", "six_counts_as_five", "--trials", "1", "--seconds", "5"],
                         ["gen", "omok", "--strong", "--seconds", "0.1", "--out", "set"],
                         ["stress", "omok", "--cmd", program, "--seconds", "0.1"], ["grade", "omok", missing, "--seconds", "0.1"]):
                for options, said in (([], f"corpus {own}\n"), (["--corpus", "none"], "no corpus\n"),
                                      (["--corpus", missing], f"no corpus ({missing} has no scenario)\n")):
                    result = run(*verb, *options, cwd=folder)
                    self.assertIn(said, result.stderr.decode(), verb)
                self.assertIn(b"--corpus elsewhere: expected a folder that contains SYSTEM/*.txt, or none",
                              run(*verb, "--corpus", "elsewhere", cwd=folder).stderr)

    def test_a_system_that_has_none_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            search = ["fuzz", "omok", "puyo", *BUILT_IN, "--runs", "10", "--jobs", "1", "--seed", "3", "--no-canary"]
            shutil.copytree(ROOT / "corpus" / "puyo", Path(folder) / "corpus" / "puyo")
            self.assertIn(b"seed 3, 1 job, corpus corpus, which has none for omok\n",
                          run(*search, "--corpus", "corpus", cwd=folder).stderr)
            self.assertEqual(run(*search, "--corpus", "elsewhere", cwd=folder).returncode, 2)

    def test_texts_of_another_system_in_its_folder_are_named(self):
        """As corpus check does. A folder that is not the system's own may hold texts of several."""
        search = ["fuzz", "omok", *BUILT_IN, "--runs", "10", "--jobs", "1", "--seed", "3", "--no-canary", "--corpus"]
        puyo, omok = (ROOT / "corpus" / "puyo" / "seventeen_chains.txt", ROOT / "corpus" / "omok" / "sample_1.txt")
        left_out = "left out of the seed corpus: corpus/omok/seventeen_chains.txt:1:12: " \
                   "expected the system 'omok', got 'puyo'\n"
        with tempfile.TemporaryDirectory() as folder:
            own = Path(folder) / "corpus" / "omok"
            own.mkdir(parents=True)
            shutil.copy(puyo, own)
            said = run(*search, "corpus", cwd=folder).stderr.decode()
            self.assertIn("seed 3, 1 job, corpus corpus, which has none for omok\n", said)
            self.assertIn(left_out, said)
            self.assertIn("which has none for omok\n", run(*search, own, cwd=folder).stderr.decode())
            shutil.copy(omok, own)
            said = run(*search, "corpus", cwd=folder).stderr.decode()
            self.assertIn("seed 3, 1 job, corpus corpus\n", said)
            self.assertIn(left_out, said)
            said = run(*search, own, cwd=folder).stderr.decode()
            self.assertIn(f"seed 3, 1 job, corpus {own}\n", said)
            self.assertNotIn("left out of the seed corpus", said)

    def test_none_is_no_folder_of_that_name(self):
        search = ("fuzz", "puyo", "--with", "nine_chains_at_most", "--seed", "3", "--runs", "3", "--jobs", "1", "--engine", "mutated",
                  "--no-canary")
        with tempfile.TemporaryDirectory() as folder:
            for each in ("none/puyo", "puyo"):  # both are found where the search runs
                (Path(folder) / each).mkdir(parents=True)
                shutil.copy(ROOT / "corpus" / "puyo" / "seventeen_chains.txt", Path(folder) / each)
            result = run(*search, "--corpus", "none", cwd=folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(b"no corpus\n", result.stderr)
            result = run(*search, "--corpus", "./none", cwd=folder)
            self.assertEqual(result.returncode, 1, "the scenario differs")


class HiddenState(unittest.TestCase):
    def test_is_a_verdict_of_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            found = run("fuzz", "block_game", "--with", "stale_number", "--runs", "100000", "--seed", "2", "--jobs", "1",
                        *BUILT_IN, "--out", folder, "--no-canary")
            self.assertEqual(found.returncode, 1, found.stderr)
            file = next(Path(folder).glob("*.txt"))
            text = file.read_text()
            self.assertIn("# hidden state: ", text)
            self.assertIn("from here all agree:", text)
            self.assertIn(b"\n  hidden state: it vanishes ", found.stdout)
            replayed = run("replay", file)
            self.assertIn(b"hidden state: ", replayed.stdout)
            self.assertEqual(json.loads(run("replay", file, "--json").stdout)[0]["verdict"], "hidden state")
            # The file contains the position and the single action, which do not fail, as a scenario.
            position = text[text.index("#   lockstep 1"):]
            lines = [line[4:] for line in position.splitlines() if line.startswith("#   ")]
            restated = Path(folder) / "restated"
            restated.write_text("\n".join(lines) + "\n")
            self.assertEqual(run("replay", restated, "--with", "stale_number").returncode, 0)


class Labels(unittest.TestCase):
    def test_are_counted_for_every_generator(self):
        report = json.loads(run("labels", "puyo", "--runs", "50", "--json", "--corpus", ROOT / "corpus").stdout)
        game = report["games"][0]
        self.assertEqual([way["name"] for way in game["ways"]], ["uniform", "swarm", "suggested", "mutated", "corpus"])
        chains = next(feature for feature in game["features"] if feature["name"] == "chains")
        self.assertIn("0", chains["values"])
        limits = {(limit["feature"], limit["value"]): limit for limit in game["limits"]}
        self.assertIn("corpus", limits[("chains, up to the most", 18)]["ways"])
        self.assertIn("nothing", limits[("chains, up to the most", 19)])

    def test_a_count_below_its_floor_exits_1_and_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            floors = Path(folder) / "omok.txt"
            corpus = ["--corpus", ROOT / "corpus"]
            written = run("labels", "omok", "--runs", "40", "--update-floors", folder, *corpus)
            self.assertEqual(written.returncode, 0, written.stderr)
            before = [line for line in run("labels", "omok", "--floors", folder, *corpus).stderr.decode().splitlines()
                      if "the floor is" in line]
            self.assertEqual(before, [])
            floors.write_text(floors.read_text() + "winner = 1: suggested 41\n")
            fell = run("labels", "omok", "--floors", folder, *corpus)
            self.assertEqual(fell.returncode, 1)
            self.assertRegex(fell.stderr.decode(), r"omok: suggested: winner = 1 in \d+ of 40 scenarios, the floor is 41")

    def test_a_limit_that_no_scenario_reaches_exits_1(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "puyo.txt").write_text("seed 1\nruns 1\n")
            fell = run("labels", "puyo", "--floors", folder, "--corpus", folder)
            self.assertEqual(fell.returncode, 1)
            self.assertIn(b"no generator reaches chains, up to the most = 18", fell.stderr)

    def test_a_search_prints_a_scenario_with_the_label(self):
        found = run("labels", "puyo", "--search", "group at a resolve = 9")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertIn(b"# shows group at a resolve = 9\n", found.stdout)
        self.assertEqual(run("replay", "-", stdin=found.stdout).returncode, 0)

    def test_a_search_for_an_impossible_value_exits_1(self):
        result = run("labels", "puyo", "--search", "chains=19", "--tries", "300")
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"the nearest is", result.stderr)

    def test_a_malformed_search_is_wrong_input(self):
        for wanted in ("chains", "chains=many", "chians=3"):
            result = run("labels", "puyo", "--search", wanted)
            self.assertEqual(result.returncode, 2, wanted)
        self.assertIn(b"did you mean 'chains'?", result.stderr)


class Fuzzing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def test_a_campaign_without_findings_exits_0_and_finds_its_canary(self):
        result = run("fuzz", "--runs", "60", "--seed", "5", *BUILT_IN, "--json", cwd=self.path)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual([g["name"] for g in report["games"]], GAMES)
        for game in report["games"]:
            self.assertTrue(game["canary"]["found"], game)
            self.assertEqual(game["scenarios"], 60)
            self.assertGreater(game["features_reached"], 10)
        self.assertFalse((self.path / "findings").exists())

    def test_unusable_folders_are_refused_before_the_search(self):
        file = self.path / "file"
        file.write_text("")
        for options, said in ((["--out", file], b"--out " + str(file).encode()),
                              (["--out", "/proc/nowhere"], b"--out /proc/nowhere"),
                              (["--corpus", file], b"expected a folder that contains SYSTEM/*.txt"),
                              (["--corpus", self.path / "absent"], b"expected a folder")):
            result = run("fuzz", "puyo", "--runs", "5", *BUILT_IN, *options, cwd=self.path)
            self.assertEqual(result.returncode, 2, options)
            self.assertIn(said, result.stderr)
            self.assertEqual(result.stdout, b"")
        self.assertEqual([f.name for f in self.path.iterdir()], ["file"])
        self.assertEqual(run("fuzz", "puyo", "--runs", "5", *BUILT_IN, "--corpus", "none", cwd=self.path).returncode, 0)

    def test_a_missing_folder_for_temporary_files_is_named(self):
        result = run("fuzz", "omok", "--runs", "5", "--jobs", "2", *BUILT_IN, cwd=self.path, environment={"TMPDIR": "/nowhere"})
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertRegex(result.stderr.decode(), r"lockstep: .*\(TMPDIR\).*/nowhere")

    def test_a_finding_never_overwrites_or_repeats_another(self):
        canary = simulators("omok", canaries=True)[0]
        def find(seed):
            return run("fuzz", "omok", "--with", canary, "--runs", "100000", "--seed", seed, "--jobs", "1", *BUILT_IN,
                       "--no-canary", cwd=self.path).stdout
        def texts():
            return {f.name: re.sub(rb"(?m)^#.*\n", b"", f.read_bytes()) for f in (self.path / "findings").glob("[!.]*")}
        find("2")
        (name, first), = texts().items()
        find("2")
        self.assertEqual(texts(), {name: first})
        (self.path / "findings" / name).write_bytes(SCENARIO.encode())  # another scenario with the same failure
        self.assertIn(name.replace(".txt", "-2.txt").encode(), find("2"))
        self.assertEqual(texts(), {name: SCENARIO.encode(), name.replace(".txt", "-2.txt"): first})

    def test_a_path_in_a_command_is_quoted_for_the_shell(self):
        canary = simulators("omok", canaries=True)[0]
        result = run("fuzz", "omok", "--with", canary, "--runs", "100000", "--seed", "2", *BUILT_IN, "--out", "it's here",
                     cwd=self.path)
        self.assertIn(b"./dev run replay 'it'\\''s here/omok-", result.stdout)

    def test_without_a_system_all_that_have_the_implementations_are_fuzzed(self):
        name = own_simulator("ts_tetris")
        result = run("fuzz", "--with", name, "--runs", "5", *BUILT_IN, "--json", cwd=self.path)
        self.assertEqual([g["name"] for g in json.loads(result.stdout)["games"]], ["ts_tetris"])
        in_all = next(each for each in simulators("omok")[1:] if all(each in simulators(game) for game in GAMES))
        result = run("fuzz", "--with", in_all, "--runs", "5", *BUILT_IN, "--json", cwd=self.path)
        self.assertEqual([g["name"] for g in json.loads(result.stdout)["games"]], GAMES)
        both = f"{name},{own_simulator('omok')}"
        result = run("fuzz", "--with", both, "--runs", "5", *BUILT_IN, cwd=self.path)
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertIn(f"--with {both}: no system has all of these", result.stderr.decode())
        result = run("fuzz", "--with", mistyped(name), "--seconds", "1", "--corpus", "none")
        self.assertEqual(result.returncode, 2)
        said = f"there is no implementation '{mistyped(name)}'; did you mean '{name}'?"
        self.assertIn(said, result.stderr.decode())

    def test_a_system_named_twice_is_fuzzed_once(self):
        result = run("fuzz", "omok", "omok", "--runs", "5", *BUILT_IN, "--json", cwd=self.path)
        self.assertEqual([g["name"] for g in json.loads(result.stdout)["games"]], ["omok"])

    def test_a_run_repeats_exactly(self):
        def numbers():
            result = run("fuzz", "--runs", "400", "--jobs", "1", "--seed", "9", *BUILT_IN, "--json", "--corpus",
                         ROOT / "corpus", cwd=self.path)
            return [(g["steps"], g["features"], g["canary"]["scenarios"],
                     [(e["name"], e["scenarios"], e["steps"], e["features_first"]) for e in g["engines"]])
                    for g in json.loads(result.stdout)["games"]]
        self.assertEqual(numbers(), numbers())

    def test_the_summary_attributes_findings_to_engines(self):
        canary = simulators("omok", canaries=True)[0]
        result = run("fuzz", "omok", "--with", canary, "--runs", "5000", "--seed", "3", "--jobs", "1", "--keep-going",
                     *BUILT_IN, "--json", cwd=self.path)
        self.assertEqual(result.returncode, 1, result.stderr)
        game = json.loads(result.stdout)["games"][0]
        engines = {e["name"]: e for e in game["engines"]}
        self.assertEqual(set(engines), set(BUILT_IN[1].split(",")))
        self.assertEqual(sum(e["scenarios"] for e in engines.values()), 5000)
        self.assertEqual(sum(e["features_first"] for e in engines.values()), game["features_reached"])
        self.assertEqual(sum(e["findings"] for e in engines.values()), len(game["findings"]))
        self.assertEqual(sum(e["canaries"] for e in engines.values()), 1)
        for finding in game["findings"]:
            self.assertGreater(engines[finding["engine"]]["findings"], 0)
        for engine in engines.values():
            # Generators have shares of the cost, and one scenario may cost many times as much as another.
            self.assertGreater(engine["scenarios"], 5000 / 100, engines)
        words = ["fuzz", "omok", "--with", canary, "--runs", "500", "--seed", "3", *BUILT_IN]
        short = run(*words, cwd=self.path).stdout
        self.assertRegex(short, rb"found by: +(uniform|swarm|suggested|mutated)")
        self.assertNotRegex(short, rb"engine +time +scenarios")
        verbose = run(*words, "--verbose", cwd=self.path).stdout
        self.assertRegex(verbose, rb"engine +time +scenarios")
        self.assertRegex(verbose.decode(), rf"omok +{simulators('omok')[0]} .*{canary}")
        self.assertRegex(verbose, rb"system +canary +found by\nomok +\w+ +\w+\n")
        for line in verbose.split(b"\n\n")[0].splitlines():
            self.assertLessEqual(len(line), 80)

    def test_a_single_engine_works_alone(self):
        for engine in BUILT_IN[1].split(","):
            result = run("fuzz", "puyo", "--runs", "200", "--seed", "1", "--no-canary", "--engine", engine, "--json",
                         cwd=self.path)
            self.assertEqual([e["name"] for e in json.loads(result.stdout)["games"][0]["engines"]], [engine])

    def test_the_scenario_of_a_dead_worker_is_named(self):
        process = subprocess.Popen([LOCKSTEP, "fuzz", "omok", "--seconds", "60", "--jobs", "1", "--no-canary", "--engine",
                                    "mutated"], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for(lambda: scenarios_done(self.path / "findings" / "unfinished-fuzz-run.json") > 0)
        (worker,) = children(process.pid)
        # Not SIGSEGV, which a sanitizer would handle; SIGKILL comes from outside, and is no finding.
        os.kill(worker, signal.SIGUSR1)
        findings = self.path / "findings"
        wait_for(lambda: list(findings.glob("omok-*.txt")))  # and the search continues
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, err)
        (file,) = findings.glob("omok-*.txt")
        self.assertRegex(file.read_text(), r"died of signal 10(?s:.*)\n# unstable: the scenario did not fail again")
        self.assertEqual(run("replay", file).returncode, 0)

    def test_a_canary_is_found_shrunk_written_and_replayed(self):
        for game in GAMES:
            canary = simulators(game, canaries=True)[0]
            out = self.path / game
            result = run("fuzz", game, "--with", canary, "--runs", "100000", "--seed", "2", "--jobs", "1", *BUILT_IN, "--out", out,
                         "--no-canary")
            self.assertEqual(result.returncode, 1, (game, canary, result.stderr))
            files = list(out.glob(f"{game}-*.txt"))
            self.assertEqual(len(files), 1)
            self.assertIn(b"replay it: ./dev run replay " + str(files[0]).encode(), result.stdout)
            text = files[0].read_text()
            self.assertIn(f"# simulators: {simulators(game)[0]},{canary}\n", text)
            self.assertIn("# minimal: ", text)
            replays = {run("replay", files[0]).stdout for _ in range(3)}
            self.assertEqual(len(replays), 1)
            self.assertEqual(run("replay", files[0]).returncode, 1)
            self.assertEqual(run("replay", files[0], "--with", ",".join(simulators(game))).returncode, 0)
            shown = run("show", files[0])
            self.assertIn(canary.encode(), shown.stdout)
            again = run("shrink", files[0])
            self.assertEqual(again.returncode, 1)
            self.assertEqual(again.stdout.decode(), re.sub("(?m)^# found: .*\n", "", text))

    def test_the_last_line_states_the_result(self):
        def last_line(*arguments):
            result = run("fuzz", "omok", "--runs", "5000", "--seed", "2", "--jobs", "1", *BUILT_IN, *arguments, cwd=self.path)
            return result.returncode, result.stdout.decode().splitlines()[-1]
        code, line = last_line()
        self.assertEqual(code, 0)
        self.assertRegex(line, r"^all agree: 1 system, [\d.]+( [kM])? steps, no difference$")
        canary = simulators("omok", canaries=True)[0]
        code, line = last_line("--with", canary, "--no-canary")
        self.assertEqual(code, 1)
        command = re.fullmatch(r"implementations of omok differ: 1 finding in 1 system, .* steps?; to see the first: ./dev run (.*)", line)
        self.assertTrue(command, line)
        self.assertEqual(run(*command[1].split(), cwd=self.path).returncode, 1)

    def test_no_temporary_file_is_left_behind(self):
        canary = simulators("puyo", canaries=True)[0]
        run("fuzz", "puyo", "--with", canary, "--runs", "100000", "--seed", "2", *BUILT_IN, "--out", self.path / "f")
        self.assertEqual([f.suffix for f in (self.path / "f").glob("[!.]*")], [".txt"])

    def test_ctrl_c_ends_cleanly_with_a_table(self):
        process = subprocess.Popen([LOCKSTEP, "fuzz", "--seconds", "600", *BUILT_IN], cwd=self.path,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for((self.path / "findings" / "unfinished-fuzz-run.json").exists)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn(b"puyo", out)
        self.assertRegex(out.splitlines()[-1], rb"^interrupted: .*, no difference so far$")

    def test_stdout_is_pure_json(self):
        result = run("fuzz", "omok", "--runs", "5", *BUILT_IN, "--json", cwd=self.path)
        json.loads(result.stdout)
        self.assertEqual(result.stderr, b"")

    def test_progress_fits_into_the_terminal(self):
        columns = 40
        for arguments in (["fuzz", "omok", "--seconds", "1", "--jobs", "9", *BUILT_IN], ["canaries", "omok", "--canary", "six_counts_as_five"],
                          ["explore", "omok", "--setup", "size=3", "--depth", "4"]):
            printed = on_terminal(columns, *arguments, cwd=self.path)
            lines = re.findall(rb"\r\x1b\[K([^\r]*)", printed)
            lines = [line for line in lines if not line.startswith(b"lockstep: ")]  # messages, behind the last one
            self.assertTrue(any(lines), printed)
            self.assertLess(max(map(len, lines)), columns, lines)

    def test_no_escape_codes_off_a_terminal(self):
        result = run("fuzz", "omok", "--runs", "5", *BUILT_IN, cwd=self.path)
        self.assertNotIn(b"\x1b", result.stdout + result.stderr)


def on_terminal(columns: int, *arguments, cwd) -> bytes:
    """The standard error of the program on a terminal with this number of columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([LOCKSTEP, *map(str, arguments)], cwd=cwd, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    out = b""
    try:
        while block := os.read(ours, 65536):
            out += block
    except OSError:  # the process has closed the terminal
        pass
    os.close(ours)
    process.wait(timeout=60)
    return out


def wait_for(condition, seconds: float = 60):
    """Waits until the condition holds; the test fails after `seconds`."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise AssertionError("timeout: the condition does not hold")
        time.sleep(0.02)


def scenarios_done(state: Path) -> int:
    """The scenarios that worker 0 of the first system has done, according to the state file; 0 if there is none."""
    if not state.exists():
        return 0
    results = json.loads(state.read_text())["results"]
    return results[0]["next"][0] if results else 0


def children(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Resuming(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.out = self.path / "f"
        self.state = self.out / "unfinished-fuzz-run.json"
        self.addCleanup(self.folder.cleanup)

    def start(self, *arguments):
        return subprocess.Popen([LOCKSTEP, "fuzz", *map(str, arguments), "--out", str(self.out), *BUILT_IN],
                                cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_a_killed_run_keeps_every_printed_finding_and_resumes(self):
        canary = simulators("puyo", canaries=True)[0]
        process = self.start("puyo", "--with", canary, "--seed", "5", "--seconds", "6", "--jobs", "2", "--keep-going")
        printed = []
        for line in process.stderr:
            if b"replay it: " in line:
                printed.append(Path(line.split(b"./dev run replay ")[1].decode().strip()))
                break
        process.kill()
        process.communicate()
        for file in printed:
            self.assertEqual(run("replay", file).returncode, 1, file)
        self.assertTrue(self.state.exists())
        self.assertEqual([f.suffix for f in self.out.glob("[!.]*") if f != self.state and f.suffix != ".txt"], [])
        result = run("fuzz", "--resume", "--out", self.out, "--json", cwd=self.path)
        self.assertEqual(result.returncode, 1, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual((report["seed"], report["jobs"]), (5, 2))
        game = report["games"][0]
        self.assertLessEqual({str(f) for f in printed}, {f["file"] for f in game["findings"]})
        self.assertGreater(game["seconds"], 5)
        self.assertTrue(game["canary"]["found"])
        self.assertFalse(self.state.exists())

    def test_a_resumed_run_continues_the_stream(self):
        process = self.start("omok", "--seed", "5", "--runs", "200000", "--jobs", "1")
        wait_for(lambda: scenarios_done(self.state) > 100)
        process.kill()
        process.communicate()
        state = json.loads(self.state.read_text())
        done = scenarios_done(self.state)
        state["runs"] = done + 300
        self.state.write_text(json.dumps(state))
        result = run("fuzz", "--resume", "--out", self.out, "--json", cwd=self.path)
        self.assertEqual(result.returncode, 0, result.stderr)
        # The count before the kill and the remaining 300; the in-flight scenario may count twice.
        self.assertAlmostEqual(json.loads(result.stdout)["games"][0]["scenarios"], done + 300, delta=50)

    def test_an_interrupted_run_prints_the_command_that_resumes_it(self):
        process = self.start("omok", "puyo", "--seconds", "600")
        wait_for(self.state.exists)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"--resume", err)
        self.assertEqual(json.loads(self.state.read_text())["games"], ["omok", "puyo"])

    def test_the_command_that_resumes_asks_for_the_reports_again(self):
        reports = ["--junit", str(self.path / "a b.xml"), "--sarif", str(self.path / "a.sarif"), "--html", str(self.path / "a.html")]
        process = self.start("omok", "--seconds", "600", "--json", *reports)
        wait_for(self.state.exists)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        hint = err.decode().split("to resume: ./dev run ")[1].splitlines()[0]
        self.assertEqual(sorted(shlex.split(hint)), sorted(["fuzz", "--resume", "--out", str(self.out), "--json", *reports]))

    def test_a_run_whose_state_cannot_be_written_prints_no_command_that_resumes_it(self):
        process = self.start("omok", "--seconds", "600")
        wait_for(self.state.exists)
        while not self.state.is_dir():  # a checkpoint may come in between
            self.state.unlink(missing_ok=True)
            try:
                self.state.mkdir()
            except FileExistsError:
                pass
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"this run cannot be resumed: ", err)
        self.assertNotIn(b"to resume: ", err)

    def test_a_wrong_state_file_is_wrong_input(self):
        process = self.start("omok", "--seconds", "600")
        wait_for(self.state.exists)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        good = self.state.read_text()
        for text in ("", "nonsense", "{}", "[1]", good[:len(good) // 2], good.replace('"omok"', '"chess"'),
                     good.replace('"lockstep_fuzz_run":', '"lockstep_fuzz_run":1'),
                     good.replace('"jobs":', '"jobs":-'), good.replace('"seed":', '"seed":"x')):
            self.state.write_text(text)
            result = run("fuzz", "--resume", "--out", self.out)
            self.assertEqual(result.returncode, 2, (text, result.stderr))
            self.assertIn(str(self.state).encode() + b": ", result.stderr)
            self.assertNotIn(b"json.exception", result.stderr)
            self.assertEqual(self.state.read_text(), text)  # a failed attempt keeps the file

    def test_two_runs_do_not_share_a_folder(self):
        first = self.start("omok", "--seed", "5", "--seconds", "600", "--jobs", "1")
        wait_for(self.state.exists)
        for arguments in (["puyo", "--runs", "5"], ["--resume"]):
            second = run("fuzz", *arguments, "--out", self.out, *([] if arguments == ["--resume"] else BUILT_IN), cwd=self.path)
            self.assertEqual((second.returncode, second.stdout), (2, b""), second.stderr)
            self.assertIn(f"--out {self.out}: another fuzz run uses this folder".encode(), second.stderr)
        self.assertEqual(json.loads(self.state.read_text())["seed"], 5)
        other = run("fuzz", "puyo", "--runs", "5", *BUILT_IN, "--out", self.path / "g", cwd=self.path)
        self.assertEqual(other.returncode, 0, other.stderr)
        first.kill()  # the lock must end with the process
        first.communicate()
        again = run("fuzz", "omok", "--runs", "5", *BUILT_IN, "--out", self.out, cwd=self.path)
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_the_next_run_removes_temporary_files_of_a_killed_one(self):
        temporary = self.path / "tmp"
        temporary.mkdir()
        environment = {**os.environ, "TMPDIR": str(temporary)}
        scratch = lambda: [f.name for f in temporary.iterdir() if f.name.startswith("lockstep-")]
        first = subprocess.Popen([LOCKSTEP, "fuzz", "omok", "--seconds", "600", "--jobs", "2", "--out", str(self.out), *BUILT_IN],
                                 cwd=self.path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for(scratch)
        left = scratch()
        run("fuzz", "puyo", "--runs", "5", "--jobs", "2", *BUILT_IN, environment=environment, cwd=self.path)
        self.assertEqual(scratch(), left)  # the other process still runs
        first.kill()
        first.communicate()
        self.assertEqual(scratch(), left)
        run("fuzz", "puyo", "--runs", "5", "--jobs", "2", *BUILT_IN, environment=environment, cwd=self.path)
        self.assertEqual(scratch(), [])

    def test_without_an_unfinished_run_there_is_nothing_to_resume(self):
        result = run("fuzz", "--resume", "--out", self.out)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"no unfinished run", result.stderr)

    def test_resume_takes_no_other_options(self):
        for option in (["--seed", "3"], ["puyo"], ["--engine", "swarm"]):
            self.assertEqual(run("fuzz", "--resume", "--out", self.out, *option).returncode, 2)


class Canaries(unittest.TestCase):
    def test_trials_are_counted_timed_and_shrunk(self):
        result = run("canaries", "omok", "--canary", "placing_replaces,six_counts_as_five", "--trials", "3", "--seconds",
                     "20", "--engine", "portfolio,swarm,mutated", "--against", "uniform", "--against-trials", "2", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = json.loads(result.stdout)["rows"]
        self.assertEqual(len(rows), 2 * 4)
        for row in rows:
            self.assertEqual(row["detected"], row["trials"], row)
            self.assertEqual(len(row["seconds"]), row["trials"])
            self.assertEqual(row["minimal"], row["trials"], row)
            self.assertEqual(sum(row["found_by"].values()), row["trials"])
            self.assertLessEqual(row["lower_quartile_seconds"], row["median_seconds"])
            self.assertLessEqual(row["median_seconds"], row["upper_quartile_seconds"])
            self.assertGreaterEqual(min(row["actions"]), 1)

    def test_a_canary_that_is_missed_is_a_failure(self):
        result = run("canaries", "block_game", "--canary", "last_number_unused", "--trials", "2", "--seconds", "0.2",
                     "--engine", "uniform", "--corpus", "none")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, rb"last_number_unused +0/2 +> 0.2")
        self.assertIn(b"uniform: 0 of 1 canary in every trial", result.stdout)

    def test_the_tables_fit_eighty_columns(self):
        longest = max((name for game in GAMES for name in simulators(game, canaries=True)), key=len)
        game, = (game for game in GAMES if longest in simulators(game, canaries=True))
        words = ["canaries", game, "omok", "--canary", f"{longest},six_counts_as_five", "--trials", "2", "--seconds", "9"]
        for more in ([], ["--verbose"], ["--engine", "portfolio,swarm", "--verbose"]):
            result = run(*words, *more)
            self.assertIn(result.returncode, (0, 1), result.stderr)
            lines = result.stdout.decode().splitlines()
            self.assertEqual([line for line in lines if len(line) > 80], [])
            several = "--engine" in more
            for title, count in (("detected", 2), ("quartiles s", 2 if "--verbose" in more else 0)):
                heads = [line for line in lines if line.startswith((game, "omok")) and title in line]
                self.assertEqual(len(heads), count, more)
            self.assertEqual(sum(line.split()[0] == longest for line in lines if line), 1 + ("--verbose" in more))
            self.assertEqual(sum(line.startswith("  swarm ") for line in lines), 4 * several)

    def test_an_unknown_canary_or_engine_is_wrong_input(self):
        self.assertEqual(run("canaries", "omok", "--canary", "unheard").returncode, 2)
        self.assertEqual(run("canaries", "omok", "--engine", "magic").returncode, 2)
        self.assertEqual(run("canaries", "omok", "--against", "portfolio").returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
