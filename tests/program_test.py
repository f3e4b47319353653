#!/usr/bin/env python3
"""A program with a single source outside systems/ has every verb: it needs only lockstep::program.

usage: program_test.py FOLDER [--libfuzzer] [--coverage]

FOLDER contains the programs of tests/program/. --libfuzzer: fuzz_numbers is linked with libFuzzer. --coverage: an
implementation of `combination` is compiled with coverage.
"""
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


class Program(unittest.TestCase):
    """Runs one of the programs in a folder of its own, first its fuzz verb."""

    @classmethod
    def setUpClass(cls):
        cls.program = str(FOLDER / cls.name)
        cls.folder = tempfile.TemporaryDirectory()
        cls.fuzz = cls.run_verb("fuzz", "--runs", "200000", "--jobs", "1", "--seed", "1")
        cls.findings = sorted((Path(cls.folder.name) / "findings").glob("*.txt"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_verb(cls, *words, program=None, **environment):
        return processes.run(program or cls.program, *words, cwd=cls.folder.name, environment=environment)

    def finding(self):
        self.assertEqual(len(self.findings), 1, self.fuzz.stdout + self.fuzz.stderr)
        return str(self.findings[0])

    def every_verb_reads_the_finding(self, *shown):
        for verb, code in (("replay", 1), ("show", 0), ("shrink", 1), ("explain", 1)):
            result = self.run_verb(verb, self.finding())
            self.assertEqual(result.returncode, code, verb + result.stderr)
            for each in shown:
                self.assertIn(each, result.stdout, verb)

    def times_of_bench(self, *names):
        result = self.run_verb("bench", "--seconds", "0.05", "--json", "--with", ",".join(names[1:]))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for workload in json.loads(result.stdout)["workloads"]:
            self.assertEqual([each["name"] for each in workload["simulators"]], list(names))
            for each in workload["simulators"]:
                self.assertGreater(each["step_ns"]["median"], 0)


class Counters(Program):
    name = "counters"

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

    def test_grade_and_init_refuse_a_system_without_an_original_problem(self):
        for words, said in ((("grade", "."), "counters has no original problem"),
                            (("grade", "counters", "."), "counters has no original problem"),
                            (("grade",), "grade takes a folder"),
                            (("init", "--lang", "c"), "counters has no starter in c")):
            result = self.run_verb(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(said, result.stderr)

    def test_hints_call_the_program_as_the_user_does(self):
        hint = f"replay it: {self.program} replay {os.path.relpath(self.finding(), self.folder.name)}"
        self.assertIn(hint, self.fuzz.stdout)
        result = self.run_verb("fuzz", "--runs", "200000", "--seed", "1", LOCKSTEP_COMMAND="./dev run")
        self.assertIn("replay it: ./dev run replay findings/", result.stdout)


class Popcount(Program):
    """Two functions."""
    name = "popcount"

    def test_fuzz_finds_the_planted_mistake_in_one_call(self):
        self.assertEqual(self.fuzz.returncode, 1, self.fuzz.stdout + self.fuzz.stderr)
        self.assertIn("at step 1 of 1 (call a=4278190080), fast differs in the observation's returned: expected 8, got 0",
                      self.fuzz.stdout)

    def test_every_verb_runs(self):
        self.every_verb_reads_the_finding("call", "4278190080")
        self.assertEqual(self.run_verb("labels", "--runs", "50").returncode, 0)
        self.assertIn("popcount", self.run_verb("list").stdout)

    def test_bench_does_not_time_functions_that_differ(self):
        Path(self.folder.name, "difference.txt").write_text("lockstep 1 popcount\nactions\ncall a=4278190080\n")
        result = self.run_verb("bench", "--seconds", "0.05", "--corpus", ".")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stdout, "corpus: 1 scenario with 1 step\n  not timed, since implementations differ "
                                        "at step 1 of 1")

    def test_show_prints_the_actions_where_there_are_no_snapshots(self):
        scenario = Path(self.folder.name) / "many.txt"
        for count, shown in ((1, ""), (3, "actions:\n  call a=0\n  call a=1\n  call a=2\n\n"),
                             (23, "actions:\n  … 3 earlier actions\n  call a=3\n")):
            scenario.write_text("lockstep 1 popcount\nactions\n" + "".join(f"call a={i}\n" for i in range(count)))
            result = self.run_verb("show", scenario)
            self.assertEqual("actions:\n" in result.stdout, count > 1, result.stdout)
            self.assertIn(shown, result.stdout)


class Numbers(Program):
    """Two classes; implementations come from factories."""
    name = "numbers"

    def test_list_names_the_implementations_of_the_expression(self):
        [system] = json.loads(self.run_verb("list", "--json", "--canaries").stdout)["games"]
        self.assertEqual([(each["name"], each["kind"]) for each in system["simulators"]],
                         [("zeroless", "canary")])
        [system] = json.loads(self.run_verb("list", "--json").stdout)["games"]
        self.assertEqual([(each["name"], each["kind"]) for each in system["simulators"]],
                         [("sorted", "reference"), ("bits", "optimized"), ("forgetful", "optimized")])

    def test_fuzz_finds_the_canary_and_the_planted_mistake(self):
        self.assertEqual(self.fuzz.returncode, 1, self.fuzz.stdout + self.fuzz.stderr)
        self.assertIn("forgetful differs in the observation's size: expected 7, got 6", self.fuzz.stdout)

    def test_every_verb_runs(self):
        self.every_verb_reads_the_finding("insert", "42")
        self.assertEqual(self.run_verb("labels", "--runs", "50").returncode, 0)
        explored = self.run_verb("explore", "--with", "bits", "--depth", "1")
        self.assertEqual(explored.returncode, 0, explored.stdout + explored.stderr)

    def test_bench_times_every_implementation(self):
        self.times_of_bench("sorted", "bits")

    def test_bench_prints_ratios_of_an_optimized_build_only(self):
        result = self.run_verb("bench", "--seconds", "0.05", "--with", "bits")
        boasts = re.search("× (faster|slower)|the same", result.stdout.split("against itself")[0]) is not None
        self.assertEqual(boasts, "these times mean nothing" not in result.stderr, result.stdout + result.stderr)

    def test_bench_refuses_a_canary(self):
        result = self.run_verb("bench", "--with", "zeroless")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("zeroless cannot be timed", result.stderr)

    def test_fuzz_says_how_to_build_a_missing_target(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            alone = shutil.copy(self.program, elsewhere)
            result = self.run_verb("fuzz", "--runs", "10", "--with", "bits", program=alone)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn("libFuzzer does not take part: build fuzz_numbers beside this program", result.stderr)
            refused = self.run_verb("fuzz", "--engine", "libfuzzer", program=alone)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("build fuzz_numbers beside this program", refused.stderr)
        self.assertNotIn("does not take part", self.fuzz.stderr)


class Alone(Program):
    """One implementation and the laws of its system."""
    name = "alone"

    def test_the_only_implementation_takes_the_place_of_the_reference(self):
        [system] = json.loads(self.run_verb("list", "--json").stdout)["games"]
        self.assertEqual([(each["name"], each["kind"]) for each in system["simulators"]], [("forgetful", "reference")])

    def test_fuzz_finds_the_broken_law(self):
        self.assertEqual(self.fuzz.returncode, 1, self.fuzz.stdout + self.fuzz.stderr)
        self.assertIn("(insert number=42), all implementations break a law: a change changes the members", self.fuzz.stdout)

    def test_every_verb_runs(self):
        self.every_verb_reads_the_finding("insert", "42")
        self.assertEqual(self.run_verb("labels", "--runs", "50").returncode, 0)
        explored = self.run_verb("explore", "--depth", "1")
        self.assertEqual(explored.returncode, 0, explored.stdout + explored.stderr)
        six = "".join(f"member number={number}\n" for number in range(6))
        Path(self.folder.name, "six.txt").write_text(f"lockstep 1 numbers\n{six}actions\n")
        found = self.run_verb("explore", "--setup", "six.txt", "--depth", "1")
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        self.assertIn("a change changes the members", found.stdout)

    def test_bench_does_not_time_a_broken_law(self):
        # It breaks a law on a drawn scenario, and is not timed then: the budget only has to suffice for judging these,
        # each in a child process, which is slow under sanitizers.
        result = self.run_verb("bench", "--seconds", "30", "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("a change changes the members", result.stdout)


class Orders(unittest.TestCase):
    """Wide bounds, a list and a text in the setup, and implementations that do not answer."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_verb(self, *words):
        return processes.run(FOLDER / "orders", *words, cwd=self.folder)

    def explored(self, *words):
        result = self.run_verb("explore", "--with", "list", "--json", *words)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        report = json.loads(result.stdout)
        return report, [[level["positions"], level["steps"]] for level in report["levels"]]

    def refused(self, *words):
        result = self.run_verb("explore", "--with", "list", *words)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        return result.stderr

    def finding_of(self, implementation):
        result = self.run_verb("fuzz", "--with", implementation, "--runs", "20000", "--jobs", "1", "--seed", "1")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        [finding] = (self.folder / "findings").glob("*.txt")
        replayed = self.run_verb("replay", str(finding))
        self.assertEqual(replayed.returncode, 1, replayed.stderr)
        return result.stdout, finding.read_text(), replayed.stdout

    def test_an_exception_is_named_with_its_text(self):
        for text in self.finding_of("throws"):
            self.assertIn("std::out_of_range: vector", text)
            self.assertNotIn("signal", text)
        shown = self.run_verb("show", *(str(file) for file in (self.folder / "findings").glob("*.txt")))
        self.assertIn("threw std::out_of_range: vector", shown.stdout)

    def test_an_abort_keeps_its_signal(self):
        for text in self.finding_of("aborts"):
            self.assertIn("died of signal 6", text)
            self.assertNotIn("exception", text)

    def test_explore_refuses_wide_bounds_and_ends_with_narrow_ones(self):
        self.assertIn("more than 1000000 actions in one position: narrow the fields of 'place'", self.refused("--depth", "2"))
        bounds = ("--bound", "price=1..3", "--bound", "size=1", "--bound", "cancel.number=0..1")
        report, counts = self.explored("--depth", "2", *bounds)
        self.assertEqual(counts, [[1, 5], [3, 15], [9, 0]])
        self.assertEqual(report["bounds"], ["cancel.number=0..1", "price=1..3", "size=1"])
        text = self.run_verb("explore", "--with", "list", "--depth", "1", *bounds).stdout
        self.assertIn("bounds           cancel.number=0..1, price=1..3, size=1\n", text)

    def test_a_kind_without_an_action_inside_the_bounds_is_left_out(self):
        self.assertEqual(self.explored("--depth", "2", "--bound", "place.size=2000")[1], [[1, 8]])
        self.assertIn("no action at the start is inside the bounds number=9, price=0: widen them",
                      self.refused("--depth", "2", "--bound", "price=0", "--bound", "number=9"))

    def test_a_wrong_bound_is_refused(self):
        for bound, said in (("pric=1", "there is no field 'pric' in actions of orders; did you mean 'price'?"),
                            ("cancel.price=1", "there is no field 'cancel.price' in actions of orders; "),
                            ("price", "bound 'price': expected NAME=LOWEST..HIGHEST"),
                            ("price=1..x", "bound 'price=1..x': expected NAME=LOWEST..HIGHEST"),
                            ("price=3..1", "bound 'price=3..1': it has no value; the lower number comes first")):
            self.assertIn(said, self.refused("--bound", bound))

    def test_a_checkpoint_of_other_bounds_is_refused(self):
        bounds = ("--bound", "size=1", "--bound", "price=1..2", "--depth", "1")
        self.explored(*bounds, "--checkpoint", "saved")
        self.explored("--bound", "price=1..2", "--bound", "size=1", "--depth", "1", "--resume", "saved")
        self.assertIn("is of another exploration: its bounds differs",
                      self.refused("--bound", "size=1", "--bound", "price=1", "--depth", "1", "--resume", "saved"))

    def test_setup_takes_lists_and_texts(self):
        report, counts = self.explored("--actions", "cancel", "--setup", 'note="a, b=c"', "--setup", "order=price=5 size=2",
                                       "--setup", "order=price=6 size=1")
        self.assertEqual((report["end"], counts), ("exhausted", [[1, 8], [2, 16], [1, 8]]))
        for setup, said in (("order=price=0 size=2", "--setup order=price=0 size=2: price must be a number from 1 to 100000"),
                            ("order=price=5", "--setup order=price=5: expected size=…"),
                            ("note=a", "--setup note=a: note"),
                            ("ordr=price=5 size=2", "--setup ordr=price=5 size=2: expected 'actions' or a field")):
            self.assertIn(said, self.refused("--actions", "cancel", "--setup", setup))


class Combination(unittest.TestCase):
    """An implementation whose branches alone tell how far a scenario has come. Six digits in a row are drawn once in
    10¹² places."""

    def fuzz(self, name):
        with tempfile.TemporaryDirectory() as folder:
            return processes.run(FOLDER / name, "fuzz", "--runs", "100000", "--jobs", "1", "--seed", "1", cwd=folder)

    def test_coverage_leads_to_the_mistake(self):
        if not COVERAGE:
            self.skipTest("no compiler with coverage")
        found = self.fuzz("combination")
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        self.assertIn("(turn digit=58), fast differs in the observation's open: expected no, got yes", found.stdout)
        blind = self.fuzz("combination_blind")
        self.assertEqual(blind.returncode, 0, blind.stdout + blind.stderr)


class Blocks(unittest.TestCase):
    """Implementations that answer right and make mistakes with memory; linked with AddressSanitizer or LeakSanitizer."""
    SCENARIOS = {"right": "push number=1\npush number=2\ndrop\nsum\n",
                 "leaks": "push number=1\npush number=9\npush number=3\ndrop\ndrop\nsum\n",
                 "beyond": "push number=1\npush number=2\npush number=3\nsum\ndrop\n"}
    SMALLEST_LEAK = "push number=6\ndrop\n"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for name, actions in cls.SCENARIOS.items():
            Path(cls.folder.name, f"{name}.txt").write_text(f"lockstep 1 blocks\nactions\n{actions}")
        cls.sanitizers = b"__asan_init" in (FOLDER / "blocks").read_bytes()
        replayed = cls.run_verb("replay", "--json", *(f"{name}.txt" for name in cls.SCENARIOS))
        cls.verdicts = dict(zip(cls.SCENARIOS, json.loads(replayed.stdout)))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_verb(cls, *words, **environment):
        return processes.run(FOLDER / "blocks", *words, cwd=cls.folder.name, environment=environment)

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

    def test_a_leak_shrinks_to_the_two_actions_that_it_needs(self):
        result = self.run_verb("shrink", "leaks.txt")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(result.stdout.split("\nactions\n")[1], self.SMALLEST_LEAK)
        self.assertIn("# minimal", result.stdout)

    def assert_shrinks_to_the_smallest_leak(self, found):
        """A campaign shrinks for some seconds, which are not enough on a machine that is busy; then it says so."""
        text = found.read_text()
        if "# budget spent" in text:
            text = self.run_verb("shrink", found, "--seconds", "300").stdout
        self.assertIn("# minimal", text)
        self.assertEqual(text.split("\nactions\n")[1], self.SMALLEST_LEAK)

    def test_fuzz_finds_and_shrinks_a_leak(self):
        result = self.run_verb("fuzz", "--with", "leaks", "--runs", "300", "--jobs", "1", "--seed", "1")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        found, = Path(self.folder.name, "findings").glob("*.txt")
        self.assertIn(f"# signature: {self.signature_of_the_leak()}\n", found.read_text())
        self.assert_shrinks_to_the_smallest_leak(found)
        command = re.search("replay it: (.*)", result.stdout).group(1).split()
        self.assertEqual(self.run_verb(*command[1:]).returncode, 1, command)

    def test_a_known_leak_is_counted_and_not_reported(self):
        stale = "blocks leaks crash push signal 6"
        Path(self.folder.name, "known").write_text(f"{self.signature_of_the_leak()} # it is known\n{stale} # mended\n"
                                                   "meadow right crash # of another system\n")
        result = self.run_verb("fuzz", "--with", "leaks", "--runs", "300", "--jobs", "1", "--seed", "1", "--out", "none",
                               "--ignore", "known")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"no new difference: .*; known mistakes: \d+ failures? ignored")
        self.assertEqual(re.findall("no scenario failed with this known mistake: (.*)", result.stderr), [stale])

    def test_kinds_that_are_left_out_are_left_out_of_the_corpus_too(self):
        seeds = Path(self.folder.name, "seeds", "blocks")
        seeds.mkdir(parents=True)
        seeds.joinpath("leaks.txt").write_text(f"lockstep 1 blocks\nactions\n{self.SCENARIOS['leaks']}")
        result = self.run_verb("fuzz", "--with", "leaks", "--without", "push", "--corpus", "seeds", "--runs", "300",
                               "--jobs", "1", "--seed", "1", "--out", "none")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_finding_of_memory_has_no_page_and_no_explanation(self):
        text = f"lockstep 1 blocks\n# signature: {self.signature_of_the_leak()}\nactions\npush number=6\ndrop\n"
        Path(self.folder.name, "leak.txt").write_text(text)
        result = self.run_verb("html", "leak.txt", "--with", "right,beyond")
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertIn("leak.txt: a finding of memory, which answers and states do not show", result.stderr)
        result = self.run_verb("explain", "leak.txt", "--with", "right,beyond")
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertIn("leak.txt: a finding of memory, which answers and states do not show", result.stderr)

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
