#!/usr/bin/env python3
"""A program with a single source outside games/ has every verb: it needs only lockstep::program.

usage: program_test.py FOLDER [--libfuzzer] [--coverage]

FOLDER contains the programs of tests/program/. --libfuzzer: fuzz_numbers is linked with libFuzzer. --coverage: an
implementation of `combination` is compiled with coverage.
"""
import functools
import json
import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import processes

os.environ.pop("LOCKSTEP_COMMAND", None)
FOLDER = Path()
LIBFUZZER = False
COVERAGE = False


def scenarios_of(found):
    """How many scenarios a finding took, as the report says."""
    return re.search(r"found by: .* and (\d+) scenarios?", found.stdout)[1]


class Program(unittest.TestCase):
    """Runs one of the programs in a folder of its own."""

    name = ""

    @classmethod
    def setUpClass(cls):
        cls.program = FOLDER / cls.name
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)

    @classmethod
    def run_verb(cls, *words, code=0, program=None, **environment):
        return processes.run(program or cls.program, *words, cwd=cls.folder, environment=environment, expected=code)

    def refused(self, said, *words):
        result = self.run_verb(*words, code=2)
        self.assertEqual(result.stdout, "")
        self.assertIn(said, result.stderr)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)
        return name


class Finds:
    """The tests of a program whose fuzz verb finds the planted mistake."""

    mistake = ""  # what it says then
    shown = ()    # what every verb shows of the finding
    listed = ()   # the implementations, and their kinds

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.fuzz = cls.run_verb("fuzz", "--runs", "200000", "--jobs", "1", "--seed", "1", code=1)
        cls.finding, = (cls.folder / "findings").glob("*.txt")

    def implementations(self, *options):
        system, = json.loads(self.run_verb("list", "--json", *options).stdout)["systems"]
        return system["name"], [(each["name"], each["kind"]) for each in system["implementations"]]

    def test_list_names_the_system_and_its_implementations(self):
        self.assertEqual(self.implementations(), (self.finding.name.rpartition("-")[0], list(self.listed)))

    def test_fuzz_finds_the_planted_mistake(self):
        self.assertIn(self.mistake, self.fuzz.stdout)

    def test_replay_show_shrink_and_explain_read_the_finding(self):
        for verb, code in (("replay", 1), ("show", 0), ("shrink", 1), ("explain", 1)):
            result = self.run_verb(verb, self.finding, code=code)
            for each in (*self.shown, *(["DIVERGED"] if verb == "replay" else [])):
                self.assertIn(each, result.stdout, verb)

    def test_labels_run(self):
        self.run_verb("labels", "--runs", "50")


class Counters(Finds, Program):
    name = "counters"
    mistake = "wrong differs in the observation's sum"
    shown = ("add ", "sum")
    listed = [("adds", "reference"), ("wrong", "optimized")]

    def test_show_names_the_wrong_implementation(self):
        self.assertIn("wrong differs", self.run_verb("show", self.finding).stdout)

    def test_explore_reaches_the_mistake_from_the_simplest_setup(self):
        result = self.run_verb("explore", "--setup", "left=40,right=9", "--depth", "2", "--json", code=1)
        self.assertIn("expected 52, got 0", json.loads(result.stdout)["finding"]["explanation"])

    def test_a_kind_of_action_that_is_never_possible_is_named(self):
        run = functools.partial(self.run_verb, "fuzz", "--runs", "1000", "--seed", "1", "--jobs", "1", "--keep-going", code=1)
        self.assertIn("counters: no scenario had an action of kind reset: look at its bounds", run().stderr)
        result, = json.loads(run("--json").stdout)["systems"]
        self.assertEqual(result["kinds_never_drawn"], ["reset"])
        self.assertGreater(result["longest"], 100)
        self.assertNotIn("kind reset", run("--without", "reset").stderr)

    def test_labels_count_the_feature(self):
        self.assertIn("sum", self.run_verb("labels", "--runs", "50").stdout)

    def test_solve_grade_and_init_refuse_a_system_without_an_original_problem(self):
        for said, *words in (("counters has no original problem to solve", "solve"),
                             ("counters has no original problem", "grade", "."),
                             ("counters has no original problem", "grade", "counters", "."),
                             ("grade takes a folder", "grade"), ("counters has no starter in c", "init", "--lang", "c")):
            self.refused(said, *words)

    def test_hints_call_the_program_as_the_user_does(self):
        hint = f"replay it: {self.program} replay {os.path.relpath(self.finding, self.folder)}"
        self.assertIn(hint, self.fuzz.stdout)
        result = self.run_verb("fuzz", "--runs", "200000", "--seed", "1", code=1, LOCKSTEP_COMMAND="./dev run")
        self.assertIn("replay it: ./dev run replay findings/", result.stdout)


class Popcount(Finds, Program):
    """Two functions."""
    name = "popcount"
    mistake = "at step 1 of 1 (call a=4278190080), fast differs in the observation's returned: expected 8, got 0"
    shown = ("call", "4278190080")
    listed = [("reference", "reference"), ("fast", "optimized")]

    def test_bench_does_not_time_functions_that_differ(self):
        self.write("difference.txt", "lockstep 1 popcount\nactions\ncall a=4278190080\n")
        result = self.run_verb("bench", "--seconds", "0.05", "--corpus", ".", code=1)
        self.assertRegex(result.stdout, "corpus: 1 scenario with 1 step\n  not timed, since implementations differ "
                                        "at step 1 of 1")

    def test_show_prints_the_actions_where_there_are_no_snapshots(self):
        for count, shown in ((1, ""), (3, "actions:\n  call a=0\n  call a=1\n  call a=2\n\n"),
                             (23, "actions:\n  … 3 earlier actions\n  call a=3\n")):
            calls = "".join(f"call a={i}\n" for i in range(count))
            printed = self.run_verb("show", self.write("many.txt", f"lockstep 1 popcount\nactions\n{calls}")).stdout
            self.assertEqual("actions:\n" in printed, count > 1, printed)
            self.assertIn(shown, printed)


class Numbers(Finds, Program):
    """Two classes; implementations come from factories."""
    name = "numbers"
    mistake = "forgetful differs in the observation's size: expected 7, got 6"
    shown = ("insert", "42")
    listed = [("sorted", "reference"), ("bits", "optimized"), ("forgetful", "optimized")]

    def test_list_names_the_canary_of_the_expression(self):
        self.assertEqual(self.implementations("--canaries"), ("numbers", [("zeroless", "canary")]))

    def test_explore_runs(self):
        self.run_verb("explore", "--with", "bits", "--depth", "1")

    def test_bench_times_every_implementation(self):
        result = self.run_verb("bench", "--seconds", "0.05", "--json", "--with", "bits")
        for workload in json.loads(result.stdout)["workloads"]:
            self.assertEqual([each["name"] for each in workload["implementations"]], ["sorted", "bits"])
            for each in workload["implementations"]:
                self.assertGreater(each["step_ns"]["median"], 0)

    def test_bench_prints_ratios_of_an_optimized_build_only(self):
        result = self.run_verb("bench", "--seconds", "0.05", "--with", "bits")
        boasts = re.search("× (faster|slower)|the same", result.stdout.split("against itself")[0]) is not None
        self.assertEqual(boasts, "these times mean nothing" not in result.stderr, result.stdout + result.stderr)

    def test_bench_refuses_a_canary(self):
        self.refused("zeroless cannot be timed", "bench", "--with", "zeroless")

    def test_fuzz_says_how_to_build_a_missing_target(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            alone = shutil.copy(self.program, elsewhere)
            result = self.run_verb("fuzz", "--runs", "10", "--with", "bits", program=alone)
            self.assertIn("libFuzzer does not take part: build fuzz_numbers beside this program", result.stderr)
            refused = self.run_verb("fuzz", "--engine", "libfuzzer", code=2, program=alone)
            self.assertIn("build fuzz_numbers beside this program", refused.stderr)
        self.assertNotIn("does not take part", self.fuzz.stderr)


class Alone(Finds, Program):
    """One implementation and the laws of its system; it takes the place of the reference."""
    name = "alone"
    mistake = "(insert number=42), all implementations break a law: a change changes the members"
    shown = ("insert", "42")
    listed = [("forgetful", "reference")]

    def test_explore_finds_the_broken_law_where_it_is_near(self):
        self.run_verb("explore", "--depth", "1")
        six = "".join(f"member number={number}\n" for number in range(6))
        self.write("six.txt", f"lockstep 1 numbers\n{six}actions\n")
        found = self.run_verb("explore", "--setup", "six.txt", "--depth", "1", code=1)
        self.assertIn("a change changes the members", found.stdout)

    def test_bench_does_not_time_a_broken_law(self):
        # It breaks a law on a drawn scenario, and is not timed then: the budget only has to suffice for judging these,
        # each in a child process, which is slow under sanitizers.
        self.assertIn("a change changes the members", self.run_verb("bench", "--seconds", "30", "--json", code=1).stdout)


class Orders(Program):
    """Wide bounds, a list and a text in the setup, and implementations that do not answer."""
    name = "orders"

    def test_a_scenario_is_printed_as_a_test(self):
        text = 'lockstep 1 orders\nnote ")scenario"\nactions\ncancel number=0\n'
        file = self.write("as_test.txt", text)
        call = f'  const auto result = orders().check({{.seconds = 0, .text = R"scenario_({text})scenario_"}});\n'
        case = ('TEST_CASE("orders scenario_', "  INFO(result.report());\n  CHECK(result);\n}\n")
        for option, begin, end in (("", "TEST(orders, scenario_", "  EXPECT_TRUE(result) << result.report();\n}\n"),
                                   ("=catch2", *case), ("=doctest", *case)):
            printed = self.run_verb("show", "--as-test" + option, file).stdout
            self.assertIn("\n" + begin, printed)
            self.assertTrue(printed.endswith(call + end), printed)
        self.refused("--as-test: junit not in {gtest,catch2,doctest}", "show", "--as-test=junit", file)

    def explored(self, *words):
        report = json.loads(self.run_verb("explore", "--with", "list", "--json", *words).stdout)
        return report, [[level["positions"], level["steps"]] for level in report["levels"]]

    def explore_refuses(self, said, *words):
        self.refused(said, "explore", "--with", "list", *words)

    def test_how_an_implementation_dies_is_named(self):
        for implementation, said, other in (("throws", "std::out_of_range: vector", "signal"),
                                            ("aborts", "died of signal 6", "exception")):
            result = self.run_verb("fuzz", "--with", implementation, "--runs", "20000", "--jobs", "1", "--seed", "1",
                                   "--out", implementation, code=1)
            finding, = (self.folder / implementation).glob("*.txt")
            for text in (result.stdout, finding.read_text(), self.run_verb("replay", finding, code=1).stdout):
                self.assertIn(said, text)
                self.assertNotIn(other, text)
        finding, = (self.folder / "throws").glob("*.txt")
        self.assertIn("threw std::out_of_range: vector", self.run_verb("show", finding).stdout)

    def test_what_cannot_be_judged_is_not_called_agreed(self):
        (self.folder / "forks.txt").write_text('lockstep 1 orders\nnote ""\nactions\ncancel number=0\n')
        for verb in "replay", "shrink", "explain":
            result = self.run_verb(verb, "forks.txt", "--with", "forks", code=3)
            self.assertIn("forks calls fork()", result.stdout + result.stderr)

    def test_explore_refuses_wide_bounds_and_ends_with_narrow_ones(self):
        self.explore_refuses("more than 1000000 actions in one position: narrow the fields of 'place'", "--depth", "2")
        bounds = ("--bound", "price=1..3", "--bound", "size=1", "--bound", "cancel.number=0..1")
        report, counts = self.explored("--depth", "2", *bounds)
        self.assertEqual(counts, [[1, 5], [3, 15], [9, 0]])
        self.assertEqual(report["bounds"], ["cancel.number=0..1", "price=1..3", "size=1"])
        text = self.run_verb("explore", "--with", "list", "--depth", "1", *bounds).stdout
        self.assertIn("bounds           cancel.number=0..1, price=1..3, size=1\n", text)

    def test_a_kind_without_an_action_inside_the_bounds_is_left_out(self):
        self.assertEqual(self.explored("--depth", "2", "--bound", "place.size=2000")[1], [[1, 8]])
        self.explore_refuses("no action at the start is inside the bounds number=9, price=0: widen them",
                             "--depth", "2", "--bound", "price=0", "--bound", "number=9")

    def test_a_wrong_bound_is_refused(self):
        for bound, said in (("pric=1", "there is no field 'pric' in actions of orders; did you mean 'price'?"),
                            ("cancel.price=1", "there is no field 'cancel.price' in actions of orders; "),
                            ("price", "bound 'price': expected NAME=LOWEST..HIGHEST"),
                            ("price=1..x", "bound 'price=1..x': expected NAME=LOWEST..HIGHEST"),
                            ("price=3..1", "bound 'price=3..1': it has no value; the lower number comes first")):
            self.explore_refuses(said, "--bound", bound)

    def test_a_checkpoint_of_other_bounds_is_refused(self):
        bounds = ("--bound", "size=1", "--bound", "price=1..2", "--depth", "1")
        self.explored(*bounds, "--checkpoint", "saved")
        self.explored("--bound", "price=1..2", "--bound", "size=1", "--depth", "1", "--resume", "saved")
        self.explore_refuses("is of another exploration: its bounds differs",
                             "--bound", "size=1", "--bound", "price=1", "--depth", "1", "--resume", "saved")

    def test_setup_takes_lists_and_texts(self):
        report, counts = self.explored("--actions", "cancel", "--setup", 'note="a, b=c"', "--setup", "order=price=5 size=2",
                                       "--setup", "order=price=6 size=1")
        self.assertEqual((report["end"], counts), ("exhausted", [[1, 8], [2, 16], [1, 8]]))
        for setup, said in (("order=price=0 size=2", "--setup order=price=0 size=2: price must be a number from 1 to 100000"),
                            ("order=price=5", "--setup order=price=5: expected size=…"),
                            ("note=a", "--setup note=a: note"),
                            ("ordr=price=5 size=2", "--setup ordr=price=5 size=2: expected 'actions' or a field")):
            self.explore_refuses(said, "--actions", "cancel", "--setup", setup)


class Combination(Program):
    """An implementation whose branches alone tell how far a scenario has come. Six digits in a row are drawn once in
    10¹² places."""

    def test_coverage_leads_to_the_mistake(self):
        if not COVERAGE:
            self.skipTest("no compiler with coverage")
        search = ("fuzz", "--runs", "100000", "--jobs", "1", "--seed", "2")
        found = self.run_verb(*search, program=FOLDER / "combination", code=1)
        self.assertIn("(turn digit=58), fast differs in the observation's open: expected no, got yes", found.stdout)
        self.run_verb(*search, program=FOLDER / "combination_blind")

    def test_numbers_that_an_implementation_compares_are_tried(self):
        if not COVERAGE:
            self.skipTest("no compiler with coverage")
        for seed in range(1020, 1040):  # what is compared in the library's headers is tried, too: most seeds take 60,000 scenarios
            search = ("fuzz", "--runs", "30000", "--jobs", "1", "--seed", str(seed))
            found = self.run_verb(*search, program=FOLDER / "pair", code=None)
            if found.returncode == 1:
                break
        self.assertIn("(call a=3735928559 b=-14867), fast differs", found.stdout)
        self.assertEqual(scenarios_of(found), scenarios_of(self.run_verb(*search, program=FOLDER / "pair", code=1)))
        self.run_verb(*search, program=FOLDER / "pair_blind")


class Blocks(Program):
    """Implementations that answer right and make mistakes with memory; linked with AddressSanitizer or LeakSanitizer."""
    name = "blocks"
    SCENARIOS = {"right": "push number=1\npush number=2\ndrop\nsum\n",
                 "leaks": "push number=1\npush number=9\npush number=3\ndrop\ndrop\nsum\n",
                 "hides": "sum\npush number=9\ndrop\n",
                 "beyond": "push number=1\npush number=2\npush number=3\nsum\ndrop\n"}
    SMALLEST_LEAK = "push number=6\ndrop\n"
    FUZZ = ("fuzz", "--with", "leaks", "--runs", "300", "--jobs", "1", "--seed", "1")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, actions in cls.SCENARIOS.items():
            (cls.folder / f"{name}.txt").write_text(f"lockstep 1 blocks\nactions\n{actions}")
        cls.sanitizers = b"__asan_init" in (FOLDER / "blocks").read_bytes()
        replayed = cls.run_verb("replay", "--json", *(f"{name}.txt" for name in cls.SCENARIOS), code=None)
        cls.verdicts = dict(zip(cls.SCENARIOS, json.loads(replayed.stdout)))

    def signature_of_the_leak(self):
        return self.verdicts["leaks"].get("divergence", {}).get("signature", "none")

    def test_without_a_mistake_all_agree(self):
        self.assertEqual(self.verdicts["right"]["verdict"], "agreed", self.verdicts["right"])

    def test_a_leak_is_a_difference_of_the_one_that_leaks(self):
        signature = self.signature_of_the_leak()
        self.assertTrue(signature.startswith("blocks leaks memory end leak in "), self.verdicts["leaks"])

    def test_a_wrong_access_is_a_difference_of_the_action_in_flight(self):
        if not self.sanitizers:
            self.skipTest("LeakSanitizer alone does not see it")
        self.assertEqual(self.verdicts["beyond"].get("divergence", {}).get("step"), 4, self.verdicts["beyond"])
        self.assertEqual(self.verdicts["beyond"]["divergence"]["blamed"], "beyond")

    def assert_is_the_smallest_leak(self, text):
        self.assertIn("\n  minimal: ", text)
        self.assertEqual(text.split("\nactions\n")[1], self.SMALLEST_LEAK)

    def test_a_leak_shrinks_to_the_two_actions_that_it_needs(self):
        # Of the second, a pointer that is left on the stack hides the block if the implementation runs once.
        for name in ("leaks", "hides"):
            self.assert_is_the_smallest_leak(self.run_verb("shrink", f"{name}.txt", code=1).stdout)

    def test_fuzz_finds_and_shrinks_a_leak(self):
        result = self.run_verb(*self.FUZZ, code=1)
        found, = (self.folder / "findings").glob("*.txt")
        text = found.read_text()
        self.assertIn(f"\n  signature: {self.signature_of_the_leak()}\n", text)
        # A campaign shrinks for some seconds, which are not enough on a machine that is busy; then it says so.
        if "\n  budget spent: " in text:
            text = self.run_verb("shrink", found, "--seconds", "300", code=1).stdout
        self.assert_is_the_smallest_leak(text)
        command = re.search("replay it: (.*)", result.stdout).group(1).split()
        self.run_verb(*command[1:], code=1)

    def test_a_known_leak_is_counted_and_not_reported(self):
        stale = "blocks leaks crash push signal 6"
        self.write("known", f"{self.signature_of_the_leak()} # it is known\n{stale} # mended\n"
                            "meadow right crash # of another system\n")
        result = self.run_verb(*self.FUZZ, "--out", "none", "--ignore", "known")
        self.assertRegex(result.stdout, r"no new difference: .*; known mistakes: \d+ failures? ignored")
        self.assertEqual(re.findall("no scenario failed with this known mistake: (.*)", result.stderr), [stale])

    def test_kinds_that_are_left_out_are_left_out_of_the_corpus_too(self):
        self.write("seeds/blocks/leaks.txt", f"lockstep 1 blocks\nactions\n{self.SCENARIOS['leaks']}")
        self.run_verb(*self.FUZZ, "--without", "push", "--corpus", "seeds", "--out", "none")

    def test_a_finding_of_memory_has_no_page_and_no_explanation(self):
        self.write("leak.txt", f"lockstep 1 blocks\nfinding\n  signature: {self.signature_of_the_leak()}\nactions\n{self.SMALLEST_LEAK}")
        for verb in ("html", "explain"):
            self.refused("leak.txt: a finding of memory, which answers and states do not show",
                         verb, "leak.txt", "--with", "right,beyond")

    def test_examples_in_help_name_this_program_and_its_system(self):
        said = self.run_verb("fuzz", "--help").stdout
        self.assertRegex(said, r"(?m)^example: \S*blocks fuzz blocks --seconds 20 --seed 7$")


class FuzzNumbers(unittest.TestCase):
    """The source of numbers, compiled as a fuzz target."""

    def run_target(self, *words, **environment):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "input").write_bytes(b"")
            result = processes.run(FOLDER / "fuzz_numbers", *words, cwd=folder, environment=environment)
            return result, "".join(each.read_text() for each in Path(folder).glob("findings/*.txt"))

    def test_it_runs_an_input(self):
        result, findings = self.run_target("input")
        self.assertEqual((result.returncode, findings), (0, ""), result.stderr)

    def test_it_knows_the_implementations_of_the_expression(self):
        result, _ = self.run_target("input", LOCKSTEP_WITH="bitz")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("fuzz_numbers: there is no implementation 'bitz' of numbers; did you mean 'bits'?", result.stderr)

    def test_libfuzzer_finds_the_planted_mistake(self):
        if not LIBFUZZER:
            self.skipTest("built without libFuzzer")
        result, finding = self.run_target("-seed=1", "-runs=1000000")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("forgetful differs in the observation's size: expected 7, got 6", finding, result.stderr)

    def test_the_program_beside_it_uses_it(self):
        if not LIBFUZZER:
            self.skipTest("built without libFuzzer")
        with tempfile.TemporaryDirectory() as folder:
            result = processes.run(FOLDER / "numbers", "fuzz", "--engine", "libfuzzer", "--runs", "1000000", cwd=folder,
                                   expected=1)
        self.assertIn("forgetful differs in the observation's size: expected 7, got 6", result.stdout)


if __name__ == "__main__":
    FOLDER = Path(sys.argv.pop(1)).resolve()
    LIBFUZZER = "--libfuzzer" in sys.argv
    COVERAGE = "--coverage" in sys.argv
    sys.argv = [each for each in sys.argv if each not in ("--libfuzzer", "--coverage")]
    unittest.main(verbosity=2)
