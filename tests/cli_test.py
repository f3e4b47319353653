#!/usr/bin/env python3
"""Tests of the program's command line: verbs, streams, exit codes, and messages about wrong input.

usage: cli_test.py LOCKSTEP ROOT [TEST…]
"""
import fcntl
import json
import os
import pty
import re
import shlex
import shutil
import signal
import struct
import subprocess
import termios
import unittest
from pathlib import Path

import processes
from case import (BUILT_IN, Case, GAMES, LOCKSTEP, ROOT, data_of, interrupt, kill, refused, report, run, simulators, wait_for,
                  written)

SEED_CORPUS = LOCKSTEP.parent.parent / "share" / "lockstep" / "corpus"  # the program's own
CANARY = simulators("omok", "canary")[0]
OMOK = ["fuzz", "omok", "--jobs", "1", *BUILT_IN]
FINDS = [*OMOK, "--with", CANARY, "--runs", "100000", "--seed", "2"]
SHORT = ["fuzz", "omok", "--runs", "5", *BUILT_IN]
TETRIS_FINDS = ["fuzz", "ts_tetris", "--with", "shared_cell_scores_twice", "--seed", "1", "--runs", "3000", "--no-canary",
                "--jobs", "1", "--engine", "swarm", "--corpus", "none"]

SCENARIO = """lockstep 1 ts_tetris
width 5
height 2
board
.....
1.2..
actions
drop column=0
"""
PAGE = "<!doctype html>\n"


def own_simulator(game: str) -> str:
    """An implementation with a name that no other game has: the longest, which is like no other."""
    others = {name for other in GAMES if other != game for name in simulators(other)}
    return max((name for name in simulators(game) if name not in others), key=len)


def mistyped(name: str) -> str:
    return name[:-2] + name[-1]


def in_a_line(text: str) -> str:
    return " ".join(text.split())


class CommandLine(Case):
    def test_the_version_names_the_projects_version_the_revision_and_the_compiler(self):
        version = re.search(r"^project\(lockstep VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)
        result = run("--version", expected=0)
        self.assertEqual(result.stderr, "")
        self.assertRegex(result.stdout, rf"^lockstep {re.escape(version)}, (unknown revision|revision \S+), "
                                        r"compiled by (clang|g\+\+) \d.*\n$")

    def test_a_wrong_argument_is_named_with_the_help_that_explains_it(self):
        for said, *words in (
                ("'lockstep' takes one of: list, fuzz, ",),
                ("'lockstep corpus' takes one of: add, pack, unpack, check, minimise, merge\n"
                 "'lockstep corpus --help' shows ", "corpus"),
                ("--seconds needs a value\n'lockstep fuzz --help' shows its options", "fuzz", "--seconds"),
                ("--seed is given more than once\n'lockstep fuzz", "fuzz", "--seed", "1", "--seed", "2"),
                ("--runs: expected a whole number from 1 to 100000000, got '0'\n", "labels", "omok", "--runs", "0"),
                ("--runs: expected a whole number from 1 to 1125899906842624, got 'many'\n", "fuzz", "--runs", "many"),
                ("'lockstep list' takes no further argument: omok\n", "list", "omok"),
                ("FILE is required\n'lockstep explain --help' shows its options", "explain"),
                ("OUT is required\n'lockstep corpus pack --help' shows", "corpus", "pack", "omok"),
                ("show --bytes takes a system and a file: show --bytes SYSTEM FILE\n", "show", "--bytes", "puyo"),
                *(("--seed: expected a whole number from 0 to 18446744073709551615, got '-1'\n", verb, "puyo", "--seed", "-1")
                  for verb in ("labels", "canaries", "fuzz")),
                ("--search 'chains': expected FEATURE=NUMBER\n", "labels", "puyo", "--search", "chains"),
                ("--search 'chains=many': expected FEATURE=NUMBER\n", "labels", "puyo", "--search", "chains=many"),
                ("--engine and --against both name portfolio\n", "canaries", "omok", "--against", "portfolio"),
                *((f"--resume takes its options from the interrupted run: leave {words[0]} out\n", "fuzz", "--resume", *words[1:])
                  for words in (("--seed", "--seed", "3"), ("SYSTEM", "puyo"), ("--engine", "--engine", "swarm"))),
                ("no unfinished run", "fuzz", "--resume"),
                *(("/nowhere/at/all.txt: No such file or directory", verb, "/nowhere/at/all.txt")
                  for verb in ("replay", "show", "shrink", "html"))):
            with self.subTest(words):
                self.assertTrue(refused(said, *words).startswith("lockstep: "))
        self.assertIn("--help", refused(""))

    def test_seconds_take_a_unit(self):
        game, = report("fuzz", "omok", "--seconds", "0.01m", "--seed", "1", *BUILT_IN)["systems"]
        self.assertGreater(game["scenarios"], 0)
        for verb, wrong, *option in (("fuzz", "1x"), ("fuzz", "nan"), ("fuzz", "m"), ("fuzz", "4000h"), ("fuzz", "-1"),
                                     ("shrink", "0.5s"), ("shrink", "2.5"), ("bench", ""), ("canaries", "nan"),
                                     ("canaries", "1x"), ("canaries", "nan", "--against-seconds")):
            refused(f"or a time such as 90s, 5m or 2h, got '{wrong}'", verb, *(option or ["--seconds"]), wrong)

    def test_a_long_command_line_is_refused_in_words(self):
        long = "x" * 100_000
        for words in (["list", long], ["list", *["word"] * 5000], ["fuzz", "--jobs", long]):
            refused("", *words)

    def test_help_is_in_words_with_exit_codes_and_an_example(self):
        unread = [[]]
        while unread:
            verb = unread.pop()
            said = run(*verb, "--help", expected=0).stdout
            self.assertIn("Usage: ", said)
            self.assertNotRegex(said, r"\bTEXT\b|\bVALUE\b|UINT|INT:|FLOAT|Range|\bin \[", verb)
            for line in said.splitlines():
                if not re.match(r"example: | +(\S*lockstep|\./dev run) ", line):  # commands stay in one line
                    self.assertLessEqual(len(line), 80, line)
            if verb:
                self.assertRegex(said, rf"example: \S.* {verb[0]}")
                self.assertRegex(in_a_line(said), r"exit codes: 0 [^0-9]+(, 1 .+)?, 2 (wrong input or|not valid, or a wrong) "
                                                  r"command line, 3 (internal error|nothing|no verdict)", verb)
            headings = ["Subcommands"] if verb else ["Search and look", "Corpus and versions", "Programs of problems"]
            for heading in headings:
                verbs = said.partition(f"\n{heading}:\n")[2].partition("\n\n")[0]
                names = re.findall(r"^  ([a-z]+)", verbs, re.MULTILINE)
                unread += [[*verb, name] for name in names]
                if not verb:
                    self.assertTrue(4 <= len(names) <= 10, (heading, names))
        self.assertIn("exit codes: 0 done, 1 below a floor (check), 2 ", run("corpus", "--help").stdout)

    def test_a_result_that_cannot_be_written_is_a_failure_and_no_mistake_of_the_program(self):
        scenario = ROOT / "corpus/omok/borders.txt"
        for arguments in (["--help"], ["--version"], ["list"], ["list", "--json"], ["show", scenario], ["replay", scenario],
                          ["explore", "omok", "--list"], ["corpus", "check", "omok", "--corpus", ROOT / "corpus"],
                          ["fuzz", "omok", "--seconds", "0.1", *BUILT_IN, "--corpus", "none", "--json"]):
            with open("/dev/full", "wb") as full:
                result = run(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE, expected=2)
            self.assertTrue(result.stderr.endswith("lockstep: standard output cannot be written\n"), result.stderr)

    def test_an_error_about_an_unknown_name_suggests_the_nearest(self):
        puyos, tetris = simulators("puyo")[1], own_simulator("ts_tetris")
        for right, *words in (
                *((f"lockstep {right}", wrong) for wrong, right in (("fuz", "fuzz"), ("reply", "replay"), ("shwo", "show"),
                                                                    ("sovle", "solve"))),
                ("lockstep corpus add", "corpus", "ad"), ("--seconds", "fuzz", "--secnds", "1"), ("puyo", "solve", "pyuo"),
                ("--with", "replay", "--wiht=lean", "x.txt"), ("--step", "show", "--stpe=3"), ("omok", "fuzz", "omokk"),
                (puyos, "fuzz", "puyo", "--with", mistyped(puyos)), (tetris, "solve", "ts_tetris", "--with", mistyped(tetris)),
                ("swarm", "fuzz", "puyo", "--engine", "sworm"), ("drop", "explore", "puyo", "--actions", "dorp"),
                ("six_counts_as_five", "canaries", "omok", "--canary", "six_counts"),
                ("portfolio", "canaries", "omok", "--engine", "portfoli"), ("chains", "labels", "puyo", "--search", "chians=3")):
            with self.subTest(words):
                self.assertIn("there is no ", refused(f"; did you mean '{right}'?\n", *words))
        for words in (["explore", "ts_tetris", "5x4x3"], ["fuzz", "--engine", "magic"], ["canaries", "omok", "--engine", "magic"],
                      ["canaries", "omok", "--canary", "unheard"]):
            self.assertIn("there is no ", refused("; there are: ", *words))
        refused("standard input:1:12: there is no system 'ts_tetirs'; did you mean 'ts_tetris'?", "replay", "-",
                stdin=SCENARIO.replace("ts_tetris", "ts_tetirs"))
        said = refused("there are: " + ", ".join(simulators("puyo")[:2]), "solve", "puyo", "--with", "unheard")
        self.assertNotIn("groups_are_chains", said)  # nor does it list the many canaries

    def test_a_wrong_field_of_a_setup_is_named_as_it_was_given(self):
        for given, named in (("width=5,height=x", "--setup height=x: height must be a number from 1 to 200, got 'x'"),
                             ("wdth=5,height=2", "--setup wdth=5: expected "), ("width=2", "--setup width=2: width must be"),
                             ("nowhere.txt", "--setup nowhere.txt: there is no such file; expected a scenario file or fields")):
            self.assertNotRegex(refused(named, "explore", "ts_tetris", "--setup", given), r":\d+:\d+:")

    def test_a_wrong_implementation_of_one_system_is_reported_before_any_other_starts(self):
        name = own_simulator("omok")
        refused(f"there is no implementation '{name}' of puyo", "fuzz", "omok", "puyo", "--with", name, "--seconds", "600")

    def test_verbs_that_judge_take_plugins_and_do_not_hang(self):
        for verb in ("fuzz", "replay", "show", "shrink", "explain", "explore", "html"):
            said = in_a_line(run(verb, "--help").stdout)
            self.assertIn("also canaries and plugins (PATH.so, PATH.so:NAME); default: ", said, verb)
            self.assertIn("Seconds after which one action counts as a hang", said, verb)


class Listing(Case):
    def test_json_has_the_documented_shape(self):
        games = report("list")["systems"]
        self.assertEqual([g["name"] for g in games], GAMES)
        for game in games:
            kinds = [s["kind"] for s in game["implementations"]]
            self.assertEqual(kinds[0], "reference")
            self.assertIn("yardstick", kinds)
            self.assertIn("optimized", kinds)
            self.assertNotIn("canary", kinds)
            self.assertEqual(set(game), {"name", "implementations"})

    def test_a_list_fits_eighty_columns(self):
        for words in (["list"], ["list", "--canaries"]):
            printed = run(*words).stdout.splitlines()
            self.assertGreater(len(printed), 40)
            self.assertEqual([line for line in printed if len(line) > 80], [])

    def test_canaries_are_listed_only_with_their_option(self):
        for game in GAMES:
            self.assertGreaterEqual(len(simulators(game, "canary")), 4, game)
            self.assertFalse(set(simulators(game)) & set(simulators(game, "canary")))

    def test_a_level_masks_what_is_above_it(self):
        def listed(**environment):
            kept = {name: value for name, value in os.environ.items() if name not in ("LOCKSTEP_PORTABLE", "LOCKSTEP_LEVEL")}
            return report("list", env={**kept, **environment})

        def named(listing, *kinds):
            return {(g["name"], s["name"]) for g in listing["systems"] for s in g["implementations"] if not kinds or s["kind"] in kinds}

        levels = ["baseline", "avx2", "avx512", "avx512vbmi"]
        lists = [listed(LOCKSTEP_LEVEL=level) for level in levels]
        highest = levels.index(lists[-1]["level"]["of_processor"])
        for number, listing in enumerate(lists):
            self.assertEqual(listing["level"]["in_use"], levels[min(number, highest)])
        for lower, higher in zip(lists, lists[1:]):
            self.assertLessEqual(named(lower), named(higher))
        self.assertTrue(named(lists[-1], "batch"))
        self.assertLessEqual(named(lists[-1], "batch"), named(lists[0]))
        if levels[highest] == levels[-1]:
            self.assertLess(len(named(lists[0])), len(named(lists[-1])))
        self.assertEqual(listed(LOCKSTEP_PORTABLE="1"), lists[0])

    def test_implementations_that_are_left_out_are_told(self):
        for stream, *words in (("stdout", "list"), ("stderr", "bench", "omok", "--seconds", "0.01"),
                               ("stderr", *SHORT, "--no-canary")):
            said = getattr(run(*words, environment={"LOCKSTEP_PORTABLE": "1"}), stream)
            self.assertRegex(in_a_line(said), "level: baseline.*: implementations that need more are left out")

    def test_an_unknown_level_is_an_error(self):
        refused("LOCKSTEP_LEVEL=avx1024: there is no such level; there are baseline avx2", "list",
                environment={"LOCKSTEP_LEVEL": "avx1024"})


def samples(game):
    return sorted((ROOT / "corpus" / game / "judge").glob("*.in"))


class Solving(Case):
    def test_a_chosen_simulator_answers_the_published_samples(self):
        for game in GAMES:
            self.assertTrue(samples(game), game)
            for sample in samples(game):
                for simulator in ("reference", simulators(game)[-1]):
                    result = run("solve", game, "--with", simulator, stdin=sample.read_text(), expected=0)
                    self.assertEqual(result.stdout.split(), sample.with_suffix(".out").read_text().split(), (sample, simulator))

    def test_judge_is_an_alias_of_solve(self):
        sample = samples("omok")[0].read_text()
        for arguments in (["omok"], ["omok", "--scenario", "1"], ["omok", "--timeuot", "1"], ["omok", "--with", "nothing"]):
            by_name, by_alias = (run(verb, *arguments, stdin=sample) for verb in ("solve", "judge"))
            self.assertEqual((by_alias.returncode, by_alias.stdout, by_alias.stderr),
                             (by_name.returncode, by_name.stdout, by_name.stderr), arguments)
        self.assertNotIn("judge", run().stderr)

    def test_the_cases_of_an_input_are_scenarios(self):
        for game in GAMES:
            for sample in samples(game)[:3]:
                scenario = run("solve", game, sample, "--scenario", "1", expected=0).stdout
                self.assertTrue(scenario.startswith(f"lockstep 1 {game}\n"), scenario)
                run("replay", "-", stdin=scenario, expected=0)
        two = "2\n2\n100 10 10\n200 1 0\n2\n100 10 10\n200 1 1\n"
        cases = [run("solve", "ts_tetris", "--scenario", number, stdin=two, expected=0).stdout for number in (1, 2)]
        self.assertNotEqual(*cases)
        refused("there are 2 cases", "solve", "ts_tetris", "--scenario", 3, stdin=two)

    def test_surplus_tokens_are_refused_with_their_place(self):
        for game in GAMES:
            sample = samples(game)[0].read_text().rstrip()
            line = sample.count("\n") + 2
            result = run("solve", game, stdin=sample + "\n7\n", expected=2)
            self.assertIn(f"standard input:{line}:1:", result.stderr)

    def test_an_input_that_breaks_a_promise_of_the_problem_is_an_error(self):
        for text, what in (("1\n2\n100 10 10\n200 2 0\n", "4:5"), ("1\n2\n100 10 10\n200 1 8\n", "4:7"),
                           ("1\n12\n100 10 10\n" + "".join(f"200 {1 + i % 2} 0\n" for i in range(11)), "14:1")):
            refused(f"standard input:{what}", "solve", "ts_tetris", stdin=text)


class Scenarios(Case):
    def test_an_agreeing_scenario_replays_with_exit_0(self):
        self.assertIn("agreed", run("replay", written("case.txt", SCENARIO), expected=0).stdout)
        run("replay", "-", stdin=SCENARIO, expected=0)

    def test_show_draws_the_chosen_step_and_says_where_the_earlier_actions_are(self):
        two = written("two.txt", SCENARIO + "change column=0\nchange column=1\n")
        self.assertIn("1.2..", run("show", two, "--step", "0", expected=0).stdout)
        run("show", two, "--step", "4", expected=2)
        self.assertNotIn("all actions: ", run("show", two, "--step", "1").stdout)
        self.assertIn(f"\nall actions: {two}, below the line 'actions'\n", run("show", two).stdout)
        self.assertNotIn("all actions: ", run("show", "-", stdin=two.read_text()).stdout)

    def test_bad_texts_are_refused_with_line_and_column(self):
        """Each kind of error has its place in tests/lockstep/text.cpp."""
        for place, text in (
                ("1:1", ""), ("1:12", "lockstep 1 chess\n"),
                ("5:5", SCENARIO.replace(".....", "1...2")),  # a cell above an empty one
                ("6:5", SCENARIO.replace("1.2..", "11111")),  # a run of five
                ("8:13", SCENARIO.replace("drop column=0", "drop column=3"))):
            file = written("case.txt", text)
            for verb in ("replay", "show", "shrink"):
                result = run(verb, file, expected=2)
                self.assertIn(f"{file}:{place}", result.stderr, (verb, text))
                self.assertEqual(len(result.stderr.strip().splitlines()), 1)

    def test_one_is_counted_in_the_singular(self):
        written("corpus/ts_tetris/one.txt", SCENARIO)
        file = written("case.txt", SCENARIO)
        six = written("six.txt", "lockstep 1 omok\nsize 6\nboard\nBBBBBB\n" + "......\n" * 5 + "actions\njudge\n")
        canary = ["--with", "six_counts_as_five"]
        said = {}
        for arguments in (["replay", file], ["show", file], ["show", file, "--step", "2"], ["shrink", six, *canary],
                          ["explain", six, *canary], ["explore", "ts_tetris", "--setup", "width=3,height=1", "--depth", "1"],
                          ["explore", "ts_tetris", "--corpus", "corpus"],
                          ["corpus", "pack", "ts_tetris", "bytes", "--corpus", "corpus"],
                          ["corpus", "unpack", "ts_tetris", "bytes", "--out", "texts"],
                          ["labels", "ts_tetris", "--runs", "1", "--corpus", "corpus"],
                          ["fuzz", "omok", "--runs", "1", "--jobs", "1", *BUILT_IN]):
            result = run(*arguments)
            said[arguments[0]] = said.get(arguments[0], "") + result.stdout + result.stderr
            self.assertNotRegex(said[arguments[0]], r"(?<![\d.,])1 [a-z]+s\b(?<! features)", arguments)
        for verb, part in (("replay", ", 1 action\n"), ("show", "after 1 of 1 action ("), ("shrink", " 1 action, "),
                           ("corpus", "1 scenario of ts_tetris packed"), ("explore", " positions and "),
                           ("explore", "every position of 1 scenario\n")):
            self.assertIn(part, said[verb])

    def test_a_scenario_that_cannot_be_written_is_printed(self):
        six = written("six.txt", "lockstep 1 omok\nsize 7\nboard\nBBBBBB.\n" + ".......\n" * 6 + "actions\njudge\njudge\n")
        for arguments, what, code in ((["shrink", six, "--with", "six_counts_as_five"], "shrunk scenario", 1),
                                      (["labels", "puyo", "--search", "group at a resolve = 9"], "scenario", 2)):
            plain = run(*arguments).stdout
            self.assertTrue(plain.startswith("lockstep 1 "), plain)
            result = run(*arguments, "--out", self.path, expected=code)
            self.assertEqual(result.stdout, "")
            self.assertIn(f"the {what} could not be written ({self.path}: Is a directory). The {what}:\n", result.stderr)
            self.assertTrue(result.stderr.endswith(plain), result.stderr)

    def test_bytes_of_more_actions_than_a_text_holds_are_refused(self):
        file = written("many", bytes(5_000_000))
        for words in (["show", "--bytes", "omok", file], ["corpus", "unpack", "omok", file, "--out", "texts"]):
            self.assertRegex(refused("", *words), f"{file}: these bytes hold \\d+ actions, a text at most 1000000")
        self.assertFalse(Path("texts").exists())

    def test_what_lies_beside_scenarios_is_left_out_of_a_replay(self):
        scenario, page = written("case.txt", SCENARIO), written("page.html", PAGE)
        left_out = f"{page}: not a scenario, left out\n"
        self.assertEqual(run("replay", page, scenario, expected=0).stderr, left_out)
        for text in ("", "lockstep 1\n", "lockstep 99 ts_tetris\n"):
            result = run("replay", page, written("damaged", text), scenario, expected=2)
            self.assertIn(left_out, result.stderr)
        for wrong in ([page], [page, page]):
            result = run("replay", *wrong, expected=2)
            self.assertIn(f"{page}:1:1: expected 'lockstep 1 SYSTEM' before anything else, got '<!doctype'", result.stderr)

    def test_a_folder_is_replayed_without_scenarios_of_other_systems(self):
        written("corpus/b.txt", SCENARIO)
        written("corpus/other/c.txt", SCENARIO.replace("ts_tetris", "lru"))
        written("corpus/notes.md", "nothing")
        result = run("replay", "corpus", expected=0)
        self.assertIn("corpus/b.txt: agreed", result.stdout)
        self.assertIn("corpus: 1 scenario of other systems left out", result.stderr)
        written("corpus/a.txt", "nonsense")
        for folder, said in (("corpus", "a.txt:1:1: "),
                             ("corpus/other", "other: no scenario of this program's systems, but 1 of others")):
            self.assertIn(said, run("replay", folder, expected=2).stderr)

    def test_a_folder_without_scenarios_is_left_out_of_a_replay_of_others(self):
        """As findings/* names it: a folder of pages, an empty one, one of another program."""
        scenario, page = written("case.txt", SCENARIO), written("pages/page.html", PAGE)
        written("other/c.txt", SCENARIO.replace("ts_tetris", "lru"))
        Path("empty").mkdir()
        none = "no scenario of this program's systems"
        result = run("replay", "pages", scenario, "empty", "other", expected=0)
        self.assertIn(": agreed", result.stdout)
        self.assertEqual(result.stderr.splitlines(),
                         [f"pages: {none}, left out", f"empty: {none}, left out", f"other: {none}, but 1 of others, left out"])
        for given in (["empty"], ["empty", "pages"], [page, "empty"]):
            refused(f"empty: {none}", "replay", *given)

    def test_known_mistakes_are_no_divergences_of_a_replay(self):
        scenario = written("case.txt", SCENARIO)
        finding, = report(*TETRIS_FINDS, expected=1)["systems"][0]["findings"]
        file, canary = finding["file"], TETRIS_FINDS[2:4]
        self.assertEqual(finding["blamed"], canary[1])
        result = run("replay", written("a.txt", "nonsense"), file, expected=1)  # a divergence decides, as for fuzz and merge
        self.assertIn("a.txt:1:1: ", result.stderr)
        run("replay", file, scenario, *canary, expected=1)
        for known in (f"{finding['signature']} # why", f"scenario {self.path / file} # why"):
            ignore = ["--ignore", written("known", known + "\n")]
            result = run("replay", file, scenario, *canary, *ignore, "--sarif", "r.sarif", expected=0)
            self.assertIn(f": known mistake: {finding['signature']}", result.stdout)
            self.assertEqual(json.loads(Path("r.sarif").read_text())["runs"][0]["results"], [])
            said, = report("replay", file, *canary, *ignore)
            self.assertEqual((said["agreed"], said["known"]), (False, True))
        other = written("known", "ts_tetris lean crash place signal 6 # why\n")
        run("replay", file, *canary, "--ignore", other, expected=1)
        run("replay", file, "--ignore", "absent", expected=2)

    def test_a_known_mistake_that_cannot_be_read_is_said_once_with_its_line(self):
        for name in ("a", "b"):  # six in a row: no win
            written(f"corpus/{name}.txt", (ROOT / "corpus" / "omok" / "six_is_no_win.txt").read_bytes())
        written("damaged.txt", "lockstep 1 omok\njump\n")
        for file, said in (("nofile.txt", ": No such file or directory"), ("damaged.txt", ":2:1: ")):
            ignore = written("known", f"# why\nscenario {file} # why\n")
            result = run("replay", "corpus", "--with", "six_counts_as_five", "--ignore", ignore, expected=2)
            self.assertEqual(result.stderr.count("known"), 1, result.stderr)
            self.assertIn(f"known:2: {file}{said}", result.stderr)

    def test_files_that_cannot_be_judged_do_not_hide_others_and_have_objects_in_json(self):
        written("a.txt", "nonsense")
        written("b.txt", SCENARIO)
        files = ["absent.txt", "a.txt", "b.txt"]
        self.assertIn("b.txt: agreed", run("replay", *files, expected=2).stdout)
        objects = report("replay", *files, expected=2)
        self.assertEqual([(each["file"], each["verdict"], each["agreed"]) for each in objects],
                         list(zip(files, ["bad input", "bad input", "agreed"], [False, False, True])))
        self.assertIn("No such file", objects[0]["error"])
        self.assertIn("a.txt:1:1: expected 'lockstep 1 SYSTEM'", objects[1]["error"])
        self.assertNotIn("error", objects[2])

    def test_corpus_add_pack_and_unpack_keep_the_scenario(self):
        file = written("case.txt", SCENARIO)
        run("corpus", "add", file, "--as", "small", expected=0)
        kept = Path("corpus/ts_tetris/small.txt").read_text()
        self.assertIn("the corpus already has this scenario: ", run("corpus", "add", file).stdout)
        other = written("other.txt", SCENARIO.replace("drop column=0", "drop column=1"))
        run("corpus", "add", other, "--as", "small", expected=2)
        run("corpus", "pack", "ts_tetris", "bytes")
        run("corpus", "unpack", "ts_tetris", "bytes", "--out", "texts")
        self.assertEqual(Path("texts/small.txt").read_text(), kept)
        self.assertEqual(run("show", "--bytes", "ts_tetris", "bytes/small").stdout, kept)


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
REPLACES = ["--with", "placing_replaces"]


class Failing(Case):
    def setUp(self):
        super().setUp()
        self.file = written("failure.txt", FEW_PARTS_MATTER)


class Explaining(Failing):
    def test_marks_what_matters_in_an_unshrunk_failure(self):
        said = run("explain", self.file, *REPLACES, expected=1).stdout
        lines = said.splitlines()
        self.assertIn("signature: omok placing_replaces observation place legal", lines)
        actions = lines[lines.index("  actions") + 1:][:4]
        self.assertEqual(actions[3], "  judge")
        self.assertTrue(actions[2].startswith("* place "), actions)
        self.assertNotIn("\x1b", said)

    def test_json_contains_the_same_explanation(self):
        why = report("explain", self.file, *REPLACES, expected=1)
        self.assertTrue(why["complete"])
        actions = [line for line in why["lines"] if line["kind"] == "action"]
        self.assertEqual([a["name"] for a in actions], ["place", "place", "place", "judge"])
        self.assertEqual([a["matter"] for a in actions][2:], ["matters", "free"])
        rows = [line for line in why["lines"] if line["kind"] == "row"]
        self.assertEqual([len(row["words"]) for row in rows], [7] * 7)

    def test_show_explains_with_its_option_and_an_agreeing_scenario_has_no_explanation(self):
        self.assertIn("nothing to explain", run("explain", self.file, expected=0).stderr)
        self.assertIn("'*' matters", run("show", self.file, *REPLACES, "--explain").stdout)
        self.assertNotIn("'*' matters", run("show", self.file, *REPLACES).stdout)


class Debugging(Failing):
    def test_gdb_stops_before_the_wrong_step_of_the_blamed_implementation(self):
        said = run("replay", "--gdb", self.file, *REPLACES, stdin="backtrace\nkill\nquit\n", expected=0).stdout
        self.assertRegex(said, r"New value = 2\n(?s:.*)\nNext, placing_replaces answers 'place' \(action 3\)")
        self.assertRegex(said, r"#0 .*(?s:.*)\n#\d+ .* lockstep::debug_step")

    def test_without_a_wrong_step_or_a_debugger_nothing_is_started(self):
        self.assertIn("no wrong step", run("replay", "--gdb", self.file, expected=2).stderr)
        refused("exactly one FILE", "replay", "--gdb", self.file, self.file)
        self.assertIn("gdb cannot be started", run("replay", "--gdb", self.file, *REPLACES, environment={"PATH": "/none"},
                                                   expected=2).stderr)


class Pages(Failing):
    """The file that `html` writes; tests/pages_test.py opens it in a browser."""

    page = Path("failure.html")

    def film(self, *words) -> dict:
        self.assertEqual(run("html", self.file, *words, expected=0).stdout, f"{self.page}\n")
        return data_of(self.page)

    def test_holds_the_finding_and_every_position_of_every_implementation(self):
        film = self.film(*REPLACES)
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
        refused(f"{self.file}:2:6: ", "html", self.file)
        self.assertEqual(self.page.read_text(), "former")
        self.assertEqual(sorted(os.listdir()), ["failure.html", "failure.txt"])

    def test_wrong_input_is_named(self):
        for words, said in ((["-"], "html reads standard input only with --out FILE"),
                            ([self.file, "--out", self.file], f"{self.file} is the scenario itself"),
                            ([self.file, "--out", f"{self.file}/page.html"], f"{self.file}"),
                            ([self.file, "--with", "placing_replace"], "did you mean 'placing_replaces'?"),
                            ([self.file, "--seconds", "0"], "--seconds")):
            refused(said, "html", *words)
        run("html", "-", "--out", self.page, stdin=FEW_PARTS_MATTER, expected=0)


class SeedCorpus(Case):
    # The generator alone reaches no chain of ten in twenty scenarios; one of the corpus has seventeen.
    CHAINS = ["fuzz", "puyo", "--with", "nine_chains_at_most", "--seed", "3", "--jobs", "1", "--engine", "mutated", "--no-canary"]
    SEARCH = [*OMOK, "--runs", "10", "--seed", "3", "--no-canary", "--corpus"]

    def copy(self, system, folder, name="*"):
        for file in (ROOT / "corpus" / system).glob(f"{name}.txt"):
            written(f"{folder}/{file.name}", file.read_bytes())

    def test_by_default_the_program_brings_it_and_says_so_wherever_it_runs(self):
        self.copy("omok", "other/corpus/puyo")  # is not looked at
        for folder in (".", "other"):
            result = run(*self.CHAINS, "--runs", "20", cwd=folder, expected=1)
            self.assertIn(f"seed 3, 1 job, corpus {SEED_CORPUS}\n", result.stderr)
        result = run(*self.CHAINS, "--runs", "20", "--corpus", "none", expected=0)
        self.assertIn("seed 3, 1 job, no corpus\n", result.stderr)

    def test_every_verb_that_uses_one_says_which(self):
        program = written("programs/zero.sh", "#!/bin/sh\necho 0\n")
        program.chmod(0o755)
        for verb in (["labels", "omok", "--runs", "1"], ["bench", "omok", "--seconds", "0.01", "--with", "textbook"],
                     ["canaries", "omok", "--canary", "six_counts_as_five", "--trials", "1", "--seconds", "5"],
                     ["gen", "omok", "--strong", "--seconds", "0.1", "--out", "set"],
                     ["stress", "omok", "--cmd", program, "--seconds", "0.1"], ["grade", "omok", "programs", "--seconds", "0.1"]):
            for options, said in (([], f"corpus {SEED_CORPUS}/omok\n"), (["--corpus", "none"], "no corpus\n"),
                                  (["--corpus", "programs"], "no corpus (programs has no scenario)\n"))[:3 if verb[0] == "labels" else 1]:
                self.assertIn(said, run(*verb, *options).stderr, verb)
            refused("--corpus elsewhere: expected a folder that contains SYSTEM/*.txt, or none", *verb, "--corpus", "elsewhere")

    def test_texts_of_another_system_in_its_folder_are_named(self):
        """As corpus check does. A folder that is not the system's own may hold texts of several."""
        own = "corpus/omok"
        left_out = "left out of the seed corpus: corpus/omok/seventeen_chains.txt:1:12: expected the system 'omok', got 'puyo'\n"
        self.copy("puyo", own, "seventeen_chains")
        self.copy("puyo", "corpus/puyo")
        for words in ([*self.SEARCH, "corpus"], [*self.SEARCH, "corpus", "puyo"]):
            said = run(*words).stderr
            self.assertIn("seed 3, 1 job, corpus corpus, which has none for omok\n", said)
            self.assertIn(left_out, said)
        self.assertIn("which has none for omok\n", run(*self.SEARCH, own).stderr)
        self.copy("omok", own, "sample_1")
        said = run(*self.SEARCH, "corpus").stderr
        self.assertIn("seed 3, 1 job, corpus corpus\n", said)
        self.assertIn(left_out, said)
        said = run(*self.SEARCH, own).stderr
        self.assertIn(f"seed 3, 1 job, corpus {own}\n", said)
        self.assertNotIn("left out of the seed corpus", said)

    def test_none_is_no_folder_of_that_name(self):
        for folder in ("none/puyo", "puyo"):  # both are found where the search runs
            self.copy("puyo", folder, "seventeen_chains")
        result = run(*self.CHAINS, "--runs", "3", "--corpus", "none", expected=0)
        self.assertIn("no corpus\n", result.stderr)
        run(*self.CHAINS, "--runs", "3", "--corpus", "./none", expected=1)  # the scenario differs


class HiddenState(Case):
    def test_is_a_verdict_of_its_own(self):
        found = run("fuzz", "block_game", "--with", "stale_number", "--runs", "100000", "--seed", "2", "--jobs", "1", *BUILT_IN,
                    "--no-canary", expected=1)
        file, = Path("findings").glob("*.txt")
        text = file.read_text()
        self.assertIn("\n  hidden state: ", text)
        self.assertIn("from here all agree:", text)
        self.assertIn("\n  hidden state: it vanishes ", found.stdout)
        self.assertIn("hidden state: ", run("replay", file).stdout)
        self.assertEqual(report("replay", file, expected=1)[0]["verdict"], "hidden state")
        # The file contains the position and the single action, which do not fail, as a scenario.
        lines = [line[4:] for line in text[text.index("    lockstep 1"):].splitlines() if line.startswith("    ")]
        run("replay", written("restated", "\n".join(lines) + "\n"), "--with", "stale_number", expected=0)


class Labels(Case):
    def test_are_counted_for_every_generator(self):
        game, = report("labels", "puyo", "--runs", "50", "--corpus", ROOT / "corpus")["systems"]
        self.assertEqual([way["name"] for way in game["ways"]], ["uniform", "swarm", "suggested", "mutated", "corpus"])
        chains = next(feature for feature in game["features"] if feature["name"] == "chains")
        self.assertIn("0", chains["values"])
        limits = {(limit["feature"], limit["value"]): limit for limit in game["limits"]}
        self.assertIn("corpus", limits[("chains, up to the most", 18)]["ways"])
        self.assertIn("nothing", limits[("chains, up to the most", 19)])

    def test_a_count_below_its_floor_or_a_limit_that_no_scenario_reaches_exits_1_and_is_named(self):
        labels = ["labels", "omok", "--corpus", ROOT / "corpus"]
        run(*labels, "--runs", "40", "--update-floors", ".", expected=0)
        self.assertNotIn("the floor is", run(*labels, "--floors", ".").stderr)
        with open("omok.txt", "a", encoding="utf-8") as floors:
            floors.write("winner = 1: suggested 41\n")
        fell = run(*labels, "--floors", ".", expected=1)
        self.assertRegex(fell.stderr, r"omok: suggested: winner = 1 in \d+ of 40 scenarios, the floor is 41")
        written("puyo.txt", "seed 1\nruns 1\n")
        fell = run("labels", "puyo", "--floors", ".", "--corpus", ".", expected=1)
        self.assertIn("no generator reaches chains, up to the most = 18", fell.stderr)

    def test_a_search_prints_a_scenario_with_the_label_or_what_is_nearest(self):
        found = run("labels", "puyo", "--search", "group at a resolve = 9", expected=0).stdout
        self.assertIn("# shows group at a resolve = 9\n", found)
        run("replay", "-", stdin=found, expected=0)
        self.assertIn("the nearest is", run("labels", "puyo", "--search", "chains=19", "--tries", "300", expected=1).stderr)


def fuzzed(*words, **options):
    """What a fuzz run of one system says of it."""
    game, = report(*words, **options)["systems"]
    return game


class Fuzzing(Case):
    def test_a_campaign_without_findings_exits_0_and_finds_its_canary(self):
        games = report("fuzz", "--runs", "60", "--seed", "5", *BUILT_IN)["systems"]
        self.assertEqual([g["name"] for g in games], GAMES)
        for game in games:
            self.assertTrue(game["canary"]["found"], game)
            self.assertEqual(game["scenarios"], 60)
            self.assertGreater(game["features_reached"], 10)
        self.assertFalse(Path("findings").exists())

    def test_unusable_folders_are_refused_before_the_search(self):
        file = written("file", "")
        for options, said in ((["--out", file], f"--out {file}"), (["--out", "/proc/nowhere"], "--out /proc/nowhere"),
                              (["--corpus", file], "expected a folder that contains SYSTEM/*.txt"),
                              (["--corpus", "absent"], "expected a folder")):
            refused(said, *SHORT, *options)
        said = refused("/nowhere", *SHORT, "--jobs", "2", environment={"TMPDIR": "/nowhere"})
        self.assertRegex(said, r"lockstep: .*\(TMPDIR\).*/nowhere")
        self.assertEqual(os.listdir(), ["file"])

    def test_a_finding_never_overwrites_or_repeats_another(self):
        def find():
            return run(*FINDS, "--no-canary").stdout

        def texts():
            return {f.name: re.sub(r"(?m)^  found: .*\n", "", f.read_text()) for f in Path("findings").glob("[!.]*")}

        find()
        (name, first), = texts().items()
        find()
        self.assertEqual(texts(), {name: first})
        written(f"findings/{name}", SCENARIO)  # another scenario with the same failure
        second = name.replace(".txt", "-2.txt")
        self.assertIn(second, find())
        self.assertEqual(texts(), {name: SCENARIO, second: first})

    def test_a_path_in_a_command_is_quoted_for_the_shell(self):
        self.assertIn("./dev run replay 'it'\\''s here/omok-", run(*FINDS, "--out", "it's here").stdout)

    def test_the_systems_are_those_that_are_named_or_that_have_the_implementations(self):
        name = own_simulator("ts_tetris")
        in_all = next(each for each in simulators("omok")[1:] if all(each in simulators(game) for game in GAMES))
        for words, games in ((["--with", name], ["ts_tetris"]), (["--with", in_all], GAMES), (["omok", "omok"], ["omok"])):
            listed = report("fuzz", *words, "--runs", "5", *BUILT_IN)["systems"]
            self.assertEqual([game["name"] for game in listed], games)
        both = f"{name},{own_simulator('omok')}"
        refused(f"--with {both}: no system has all of these", "fuzz", "--with", both, "--runs", "5", *BUILT_IN)
        refused(f"there is no implementation '{mistyped(name)}'; did you mean '{name}'?", "fuzz", "--with", mistyped(name))

    def test_a_run_repeats_exactly(self):
        def numbers():
            words = ["fuzz", "--runs", "400", "--jobs", "1", "--seed", "9", *BUILT_IN, "--corpus", ROOT / "corpus"]
            return [(g["steps"], g["features"], g["canary"]["scenarios"],
                     [(e["name"], e["scenarios"], e["steps"], e["features_first"]) for e in g["engines"]])
                    for g in report(*words)["systems"]]
        self.assertEqual(numbers(), numbers())

    def test_the_summary_attributes_findings_to_engines(self):
        game = fuzzed(*OMOK, "--with", CANARY, "--seed", "3", "--runs", "2000", "--keep-going", expected=1)
        engines = {e["name"]: e for e in game["engines"]}
        self.assertEqual(set(engines), set(BUILT_IN[1].split(",")))
        for count, total in (("scenarios", 2000), ("features_first", game["features_reached"]),
                             ("findings", len(game["findings"])), ("canaries", 1)):
            self.assertEqual(sum(e[count] for e in engines.values()), total, count)
        for finding in game["findings"]:
            self.assertGreater(engines[finding["engine"]]["findings"], 0)
        for engine in engines.values():
            # Generators have shares of the cost, and one scenario may cost many times as much as another.
            self.assertGreater(engine["scenarios"], 2000 / 100, engines)
        words = ["fuzz", "omok", "--with", CANARY, "--runs", "500", "--seed", "3", *BUILT_IN]
        short = run(*words).stdout
        self.assertRegex(short, r"found by: +(uniform|swarm|suggested|mutated)")
        self.assertNotRegex(short, r"engine +time +scenarios")
        verbose = run(*words, "--verbose").stdout
        for part in (r"engine +time +scenarios", rf"omok +{simulators('omok')[0]} .*{CANARY}",
                     r"system +canary +found by\nomok +\w+ +\w+\n"):
            self.assertRegex(verbose, part)
        for line in verbose.split("\n\n")[0].splitlines():
            self.assertLessEqual(len(line), 80)

    def test_a_single_engine_works_alone(self):
        for engine in BUILT_IN[1].split(","):
            game = fuzzed("fuzz", "puyo", "--runs", "200", "--seed", "1", "--no-canary", "--engine", engine)
            self.assertEqual([e["name"] for e in game["engines"]], [engine])

    def test_the_scenario_of_a_dead_worker_is_named(self):
        process = self.start("fuzz", "omok", "--seconds", "60", "--jobs", "1", "--no-canary", "--engine", "mutated")
        findings = Path("findings")
        wait_for(lambda: scenarios_done(findings / "unfinished-fuzz-run.json") > 0)
        worker, = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        # Not SIGSEGV, which a sanitizer would handle; SIGKILL comes from outside, and is no finding.
        os.kill(int(worker), signal.SIGUSR1)
        wait_for(lambda: list(findings.glob("omok-*.txt")))  # and the search continues
        interrupt(process, expected=1)
        file, = findings.glob("omok-*.txt")
        self.assertRegex(file.read_text(), r"died of signal 10(?s:.*)\n  unstable: the scenario did not fail again")
        run("replay", file, expected=0)

    def test_a_canary_is_found_shrunk_written_and_replayed(self):
        for game in GAMES:
            canary = simulators(game, "canary")[0]
            result = run("fuzz", game, "--with", canary, "--runs", "100000", "--seed", "2", "--jobs", "1", *BUILT_IN,
                         "--out", game, "--no-canary", expected=1)
            file, = Path(game).glob("[!.]*")  # and no temporary one
            self.assertRegex(file.name, rf"^{game}-.*\.txt$")
            self.assertIn(f"replay it: ./dev run replay {file}", result.stdout)
            text = file.read_text()
            self.assertIn(f"\n  implementations: {simulators(game)[0]},{canary}\n", text)
            self.assertIn("\n  minimal: ", text)
            self.assertEqual(len({run("replay", file, expected=1).stdout for _ in range(3)}), 1)
            run("replay", file, "--with", ",".join(simulators(game)), expected=0)
            self.assertIn(canary, run("show", file).stdout)
            # Changes that were judged before are not drawn again.
            bare = lambda text: re.sub("(?m)^  found: .*\n|, nor .* drawn changes?$", "", text)
            self.assertEqual(bare(run("shrink", file, expected=1).stdout), bare(text))

    def test_the_last_line_states_the_result(self):
        line = run(*OMOK, "--runs", "5000", "--seed", "2", expected=0).stdout.splitlines()[-1]
        self.assertRegex(line, r"^all agree: 1 system, [\d.]+( [kM])? steps, no difference$")
        line = run(*FINDS, "--no-canary", expected=1).stdout.splitlines()[-1]
        command = re.fullmatch(r"implementations of omok differ: 1 finding in 1 system, .* steps?; to see the first: ./dev run (.*)", line)
        self.assertTrue(command, line)
        run(*command[1].split(), expected=1)

    def test_standard_output_is_pure_json_and_no_stream_has_escape_codes(self):
        result = run(*SHORT, "--json")
        json.loads(result.stdout)
        self.assertEqual(result.stderr, "")
        result = run(*SHORT)
        self.assertNotIn("\x1b", result.stdout + result.stderr)

    def test_progress_fits_into_the_terminal(self):
        columns = 40
        for arguments in (["fuzz", "omok", "--seconds", "1", "--jobs", "9", *BUILT_IN],
                          ["canaries", "omok", "--canary", "six_counts_as_five"], ["explore", "omok", "--setup", "size=3", "--depth", "4"]):
            printed = self.on_terminal(columns, *arguments)
            lines = re.findall(rb"\r\x1b\[K([^\r]*)", printed)
            lines = [line for line in lines if not line.startswith(b"lockstep: ")]  # messages, behind the last one
            self.assertTrue(any(lines), printed)
            self.assertLess(max(map(len, lines)), columns, lines)

    def on_terminal(self, columns: int, *arguments) -> bytes:
        """The standard error of the program on a terminal with this number of columns."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = self.start(*arguments, stdout=subprocess.DEVNULL, stderr=theirs)
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


def scenarios_done(state: Path) -> int:
    """The scenarios that worker 0 of the first system has done, according to the state file; 0 if there is none."""
    if not state.exists():
        return 0
    results = json.loads(state.read_text())["results"]
    return results[0]["next"][0] if results else 0


@unittest.skipUnless(shutil.which("valgrind"), "no valgrind")
class Codings(Case):
    """A scenario's text is read once, and what passes between two processes is written and read once: counted by callgrind.
    The counts of a child process begin with those that its parent had when it forked."""
    COUNTED = {r"lockstep::parse_scenario\(": "texts", r"nlohmann::.*::parser<.*>::parse\(bool": "reads"}

    def codings(self, *words):
        """For each process, the largest number first: how many scenarios' texts it has read, and how many texts in JSON."""
        processes.run("valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=%p.calls", LOCKSTEP, *words, expected=1)
        counts = []
        for file in Path(".").glob("*.calls"):
            names, count, called = {}, dict.fromkeys(self.COUNTED.values(), 0), ""
            for line in file.read_text().splitlines():
                if function := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line):
                    names.setdefault(function[2], function[3])
                    if function[1]:
                        called = names[function[2]]
                elif line.startswith("calls="):
                    for pattern, what in self.COUNTED.items():
                        count[what] += int(line[6:].split()[0]) if re.match(pattern, called) else 0
            file.unlink()
            counts.append(tuple(count.values()))
        return sorted(counts, reverse=True)

    def test_a_scenario_is_read_once_and_what_passes_between_processes_once_each_way(self):
        self.assertEqual(self.codings(*FINDS, "--no-canary", "--corpus", "none"), [(1, 2), (1, 1), (0, 2), (0, 0)],
                         "the process that judges the finding again, its child, the campaign, and its worker")
        finding, = Path("findings").glob("*.txt")
        self.assertEqual(self.codings("replay", finding), [(1, 1), (1, 0)])
        self.assertEqual(self.codings("replay", finding, "--json"), [(1, 1), (1, 0)])


class Resuming(Case):
    OUT = Path("f")
    STATE = OUT / "unfinished-fuzz-run.json"
    RESUMED = ["fuzz", "--resume", "--out", OUT]

    def fuzz(self, *words, **options):
        return self.start("fuzz", *words, "--out", self.OUT, *BUILT_IN, **options)

    def begun(self, *words):
        process = self.fuzz(*words, "--seconds", "600")
        wait_for(self.STATE.exists)
        return process

    def test_a_killed_run_keeps_every_printed_finding_and_resumes(self):
        process = self.fuzz("puyo", "--with", simulators("puyo", "canary")[0], "--seed", "5", "--seconds", "3", "--jobs", "1",
                            "--keep-going")
        line = next(line for line in process.stderr if "replay it: " in line)
        file = line.split("./dev run replay ")[1].strip()
        kill(process)
        run("replay", file, expected=1)
        self.assertTrue(self.STATE.exists())
        self.assertEqual([f.suffix for f in self.OUT.glob("[!.]*") if f != self.STATE and f.suffix != ".txt"], [])
        result = report(*self.RESUMED, expected=1)
        self.assertEqual((result["seed"], result["jobs"]), (5, 1))
        game = result["systems"][0]
        self.assertIn(file, [f["file"] for f in game["findings"]])
        self.assertGreater(game["seconds"], 2.5)
        self.assertTrue(game["canary"]["found"])
        self.assertFalse(self.STATE.exists())

    def test_a_resumed_run_continues_the_stream(self):
        process = self.fuzz("omok", "--seed", "5", "--runs", "200000", "--jobs", "1")
        wait_for(lambda: scenarios_done(self.STATE) > 100)
        kill(process)
        done = scenarios_done(self.STATE)
        self.STATE.write_text(json.dumps(json.loads(self.STATE.read_text()) | {"runs": done + 300}))
        # The count before the kill and the remaining 300; the in-flight scenario may count twice.
        self.assertAlmostEqual(fuzzed(*self.RESUMED)["scenarios"], done + 300, delta=50)

    def test_the_command_that_resumes_an_interrupted_run_asks_for_its_reports_again(self):
        reports = ["--junit", "a b.xml", "--sarif", "a.sarif", "--html", "a.html"]
        _, err = interrupt(self.begun("omok", "puyo", "--json", *reports))
        hint = err.split("to resume: ./dev run ")[1].splitlines()[0]
        self.assertEqual(sorted(shlex.split(hint)), sorted([*map(str, self.RESUMED), "--json", *reports]))
        self.assertEqual(json.loads(self.STATE.read_text())["systems"], ["omok", "puyo"])

    def test_a_run_whose_state_cannot_be_written_prints_no_command_that_resumes_it(self):
        process = self.begun("omok")
        while not self.STATE.is_dir():  # a checkpoint may come in between
            self.STATE.unlink(missing_ok=True)
            try:
                self.STATE.mkdir()
            except FileExistsError:
                pass
        _, err = interrupt(process)
        self.assertIn("this run cannot be resumed: ", err)
        self.assertNotIn("to resume: ", err)

    def test_an_interrupted_run_prints_a_table_and_resumes_from_its_own_state_only(self):
        out, _ = interrupt(self.begun("omok"))
        self.assertRegex(out, r"(?m)^omok +[\d.]+ ")
        self.assertRegex(out.splitlines()[-1], r"^interrupted: .*, no difference so far$")
        text = self.STATE.read_text().replace('"seed":', '"seed":"x')
        self.STATE.write_text(text)
        self.assertNotIn("json.exception", refused(f"{self.STATE}: ", *self.RESUMED))
        self.assertEqual(self.STATE.read_text(), text)  # a failed attempt keeps the file

    def test_two_runs_do_not_share_a_folder(self):
        first = self.begun("omok", "--seed", "5", "--jobs", "1")
        own = ["fuzz", "puyo", "--runs", "5", *BUILT_IN, "--out"]
        for words in ([*own, self.OUT], self.RESUMED):
            refused(f"--out {self.OUT}: another fuzz run uses this folder", *words)
        self.assertEqual(json.loads(self.STATE.read_text())["seed"], 5)
        run(*own, "g", expected=0)
        kill(first)  # the lock must end with the process
        run(*SHORT, "--out", self.OUT, expected=0)

    def test_the_next_run_removes_temporary_files_of_a_killed_one(self):
        temporary = Path("tmp")
        temporary.mkdir()
        environment = {"TMPDIR": str(self.path / temporary)}

        def scratch():
            return [f.name for f in temporary.iterdir() if f.name.startswith("lockstep-")]

        first = self.fuzz("omok", "--seconds", "600", "--jobs", "2", environment=environment)
        wait_for(scratch)
        left = scratch()
        run(*SHORT, "--jobs", "2", environment=environment)
        self.assertEqual(scratch(), left)  # the other process still runs
        kill(first)
        self.assertEqual(scratch(), left)
        run(*SHORT, "--jobs", "2", environment=environment)
        self.assertEqual(scratch(), [])


class Canaries(Case):
    def test_trials_are_counted_timed_and_shrunk(self):
        rows = report("canaries", "omok", "--canary", "placing_replaces,six_counts_as_five", "--trials", "3", "--seconds", "20",
                      "--engine", "portfolio,swarm,mutated", "--against", "uniform", "--against-trials", "2")["rows"]
        self.assertEqual(len(rows), 2 * 4)
        for row in rows:
            for counted in (row["detected"], len(row["seconds"]), row["minimal"], sum(row["found_by"].values())):
                self.assertEqual(counted, row["trials"], row)
            self.assertLessEqual(row["lower_quartile_seconds"], row["median_seconds"])
            self.assertLessEqual(row["median_seconds"], row["upper_quartile_seconds"])
            self.assertGreaterEqual(min(row["actions"]), 1)

    def test_a_canary_that_is_missed_is_a_failure(self):
        result = run("canaries", "block_game", "--canary", "last_number_unused", "--trials", "2", "--seconds", "0.2",
                     "--engine", "uniform", "--corpus", "none", expected=1)
        self.assertRegex(result.stdout, r"last_number_unused +0/2 +> 0.2")
        self.assertIn("uniform: 0 of 1 canary in every trial", result.stdout)

    def test_the_tables_fit_eighty_columns(self):
        names = ((name, game) for game in GAMES for name in simulators(game, "canary"))
        longest, game = max(names, key=lambda each: len(each[0]))
        words = ["canaries", game, "omok", "--canary", f"{longest},six_counts_as_five", "--trials", "2", "--seconds", "9"]
        for more in ([], ["--verbose"], ["--engine", "portfolio,swarm", "--verbose"]):
            result = run(*words, *more)
            self.assertIn(result.returncode, (0, 1), result.stderr)
            lines = result.stdout.splitlines()
            self.assertEqual([line for line in lines if len(line) > 80], [])
            for title, count in (("detected", 2), ("quartiles s", 2 if "--verbose" in more else 0)):
                heads = [line for line in lines if line.startswith((game, "omok")) and title in line]
                self.assertEqual(len(heads), count, more)
            self.assertEqual(sum(line.split()[0] == longest for line in lines if line), 1 + ("--verbose" in more))
            self.assertEqual(sum(line.startswith("  swarm ") for line in lines), 4 * ("--engine" in more))


if __name__ == "__main__":
    unittest.main(verbosity=2)
