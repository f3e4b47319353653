#!/usr/bin/env python3
"""The statistics, the baselines and the command line of ./dev compare, on synthetic samples, without a compiler.

usage: compare_test.py ROOT             all of that
       compare_test.py ROOT PROGRAMS    PROGRAMS, a folder with bench_GAME programs, against itself and against ones
                                        that answer longer times and that lack a benchmark
"""
import contextlib
import io
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from unittest import mock

ROOT = Path(sys.argv[1]).resolve()
PROGRAMS = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]

import compare as program  # noqa: E402
import processes  # noqa: E402
import schemas  # noqa: E402
from comparing import BadInput, InternalError, baseline, behaviour, hosts, judgement, report, versions  # noqa: E402
from comparing.programs import Version  # noqa: E402


class Folder(unittest.TestCase):
    """A test with a folder of its own, for example of scripts that stand in for programs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def script(self, name, text):
        """Writes a script; returns its folder."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path.parent


def comparing(*words):
    return program.Comparing(program.parser().parse_args([str(word) for word in words]))


def saving(name, folder, measure):
    """A comparison that saves a baseline."""
    out = comparing("--save-baseline", name, "--baselines", folder, "--measure", measure)
    program.check(out.options)
    return out


def kinds_of(suite):
    """The tags inside each case of a suite of JUnit, by its name."""
    return {case.get("name"): [child.tag for child in case] for case in suite}


def drifting_pairs(rng, count, ratio, noise=0.01, bursts=0.05):
    """Pairs as measured on a busy machine: a shared drift, a little independent noise, and occasional bursts
    that hit only one of the two."""
    before, after, drift = [], [], 0.0
    for _ in range(count):
        drift += rng.gauss(0, 0.05)
        for out, factor in ((before, 1.0), (after, ratio)):
            burst = rng.uniform(0.1, 1.0) if rng.random() < bursts else 0.0
            out.append(100 * factor * math.exp(drift + rng.gauss(0, noise) + burst))
    return before, after


def judge(runs, ratio, benchmarks=10, pairs=32, **keywords):
    """The verdicts of many runs over several benchmarks each."""
    out = []
    for seed in range(runs):
        rng = random.Random(seed)
        samples = {f"b{i}": drifting_pairs(rng, pairs, ratio, **keywords) for i in range(benchmarks)}
        out.append(judgement.compare_times({n: s[0] for n, s in samples.items()}, {n: s[1] for n, s in samples.items()},
                                           paired=True, threshold=0.05))
    return out


class Statistics(unittest.TestCase):
    def test_what_is_said_of_many_runs(self):
        """Each with ten benchmarks: how many runs have an alarm and how many fail, and how often each verdict is given."""
        for runs, ratio, noise, holds in (
                (20, 1.0, {}, lambda alarms, failed, said: alarms == 0 and said["same"] > 180),
                # The level promises one run in a hundred.
                (40, 1.0, {"noise": 0.2, "bursts": 0.5}, lambda alarms, failed, said: alarms <= 1 and said["inconclusive"] > 300),
                (20, 1.1, {}, lambda alarms, failed, said: failed >= 19 and said["slower"] > 180),
                (5, 0.85, {}, lambda alarms, failed, said: failed == 0 and said["faster"] > 45),
                # Significant, but below the threshold.
                (5, 1.02, {"noise": 0.001, "bursts": 0.0}, lambda alarms, failed, said: said["same"] == 50)):
            found = judge(runs, ratio, **noise)
            alarms = sum(any(c.verdict in ("slower", "faster") for c in run) for run in found)
            failed = sum(any(c.failed for c in run) for run in found)
            said = Counter(c.verdict for run in found for c in run)
            self.assertTrue(holds(alarms, failed, said), (runs, ratio, noise, alarms, failed, said))
        self.assertLess(max(c.p_holm for run in found for c in run), 0.001)

    def test_pairing_reveals_a_change_that_drift_hides_in_unpaired_samples(self):
        before, after = drifting_pairs(random.Random(1), 24, 1.1, bursts=0.0)
        paired, unpaired = (judgement.compare_times({"b": before}, {"b": after}, paired=p, threshold=0.05)[0]
                            for p in (True, False))
        self.assertEqual(paired.verdict, "slower")
        self.assertEqual(unpaired.verdict, "inconclusive")

    def test_intervals_have_the_stated_coverage(self):
        rng = random.Random(3)
        for shift in (judgement.paired_shift, None):
            covered = 0
            for _ in range(400):
                a, b = ([rng.gauss(0, 1) for _ in range(20)] for _ in range(2))
                _, low, high = shift([y - x for x, y in zip(a, b)], 0.95) if shift else judgement.unpaired_shift(a, b, 0.95)
                covered += low <= 0 <= high
            self.assertTrue(368 <= covered <= 395, covered)  # 380 expected, standard deviation 4.4

    def test_few_pairs_are_inconclusive(self):
        for pairs in range(1, judgement.PAIRS_MIN):
            for run in judge(1, 3.0, pairs=pairs):
                self.assertEqual({c.verdict for c in run}, {"inconclusive"})

    def test_the_holm_correction_matches_the_textbook(self):
        for corrected, expected in zip(judgement.holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]):
            self.assertAlmostEqual(corrected, expected)
        self.assertEqual(judgement.holm([]), [])

    def test_signed_rank_quantiles_match_published_tables(self):
        # Critical values of the two-sided test at 5%: W ≤ 8 for n = 10, W ≤ 52 for n = 20.
        self.assertEqual(judgement.signed_rank_quantile(10, 0.025), 9)
        self.assertEqual(judgement.signed_rank_quantile(20, 0.025), 53)

    def test_multiple_tests_are_corrected(self):
        """A benchmark that is significant on its own is not significant among a hundred."""
        d = [0.07 + x / 100 for x in range(10)]  # p = 2/1024
        slow = ([1.0] * 10, [math.exp(x) for x in d])
        alone = judgement.compare_times({"s": slow[0]}, {"s": slow[1]}, paired=True, threshold=0.05)
        self.assertEqual(alone[0].verdict, "slower")
        quiet = [1.01, 0.99, 1.02, 0.98, 1.01, 0.99, 1.0, 1.03, 0.97, 1.02]
        many = judgement.compare_times({"s": slow[0], **{f"q{i}": quiet for i in range(99)}},
                                       {"s": slow[1], **{f"q{i}": quiet[::-1] for i in range(99)}}, paired=True,
                                       threshold=0.05)
        self.assertEqual({c.name: c.verdict for c in many}["s"], "inconclusive")


class Counts(unittest.TestCase):
    def test_two_percent_more_instructions_fail_and_half_a_percent_does_not(self):
        found = [judgement.compare_counts({"a": 1000.0}, {"a": 1000.0 * ratio}, threshold=0.01)[0].verdict
                 for ratio in (1.02, 1.005, 1.0, 0.995, 0.98)]
        self.assertEqual(found, ["slower", "same", "same", "same", "faster"])

    def test_a_benchmark_that_one_version_cannot_count_is_a_difference(self):
        """None: the benchmark is there, but cannot be counted."""
        found = judgement.compare_counts(
            {"lost": 5.0, "won": None, "neither": None, "gone": None, "gone_too": 5.0, "same": 5.0},
            {"lost": None, "won": 5.0, "neither": None, "new": 5.0, "new_too": None, "same": 5.0}, threshold=0.01)
        self.assertEqual({c.name: (c.verdict, c.failed) for c in found},
                         {"lost": ("uncountable", True), "won": ("countable", False), "neither": ("left out", False),
                          "gone": ("vanished", True), "gone_too": ("vanished", True), "new": ("new", False),
                          "new_too": ("left out", False), "same": ("same", False)})
        self.assertEqual({c.name for c in found if c.ratio is not None}, {"same"})


class Baselines(Folder):
    def setUp(self):
        super().setUp()
        self.kept = baseline.Baseline("one", {"machine": "this one"}, {"omok/a/b": [1.0, 2.0]}, {"omok/a/b": 3.0})

    def test_a_baseline_survives_saving_and_loading(self):
        baseline.save(self.folder, self.kept)
        self.assertEqual(baseline.load(self.folder, "one"), self.kept)

    def test_a_baseline_of_another_machine_is_refused_by_default(self):
        with self.assertRaisesRegex(BadInput, "--any-machine"):
            baseline.check_same_machine(self.kept, "another", False)
        baseline.check_same_machine(self.kept, "another", True)
        baseline.check_same_machine(self.kept, "this one", False)

    def test_a_missing_or_malformed_baseline_is_refused(self):
        baseline.save(self.folder, self.kept)
        for name, text, said in (("two", None, "there are: one"), ("../one", None, "letters"), ("three", "{", "not a baseline"),
                                 ("four", "[]", "not a baseline"), ("five", '{"schema": 99}', "expected schema")):
            if text is not None:
                (self.folder / f"{name}.json").write_text(text, encoding="utf-8")
            with self.assertRaisesRegex(BadInput, said):
                baseline.load(self.folder, name)


# A fake `lockstep` that prints prepared answers and records its arguments.
LOCKSTEP = """#!/usr/bin/python3
import json, sys
open(sys.argv[0] + ".asked", "a").write(json.dumps(sys.argv[1:]) + "\\n")
says = json.loads(open(sys.argv[0] + ".json").read())
if sys.argv[1] in says["fails"]:
    print(says["because"], file=sys.stderr)
    sys.exit(says["status"])
print(json.dumps(says[sys.argv[1]]))
sys.exit(1 if says["found"] else 0)
"""


class Behaves(Folder):
    """Fakes stand in for the earlier version's plugin and the later version's program."""

    def setUp(self):
        super().setUp()
        self.before, self.after = (Version(name, self.folder / name) for name in ("before", "after"))
        for version in (self.before, self.after):
            version.folder.mkdir()
        self.plugin = self.before.folder / "plugin_omok.so"
        self.program = self.after.folder / "lockstep"
        self.plugin.touch()
        (self.folder / "corpus" / "omok").mkdir(parents=True)
        (self.folder / "corpus" / "omok" / "one.txt").touch()
        self.says = {"list": {"systems": [{"name": "omok", "implementations": [{"name": "rulebook", "kind": "reference"},
                                                                               {"name": "textbook", "kind": "yardstick"},
                                                                               {"name": "lines", "kind": "optimized"}]}]},
                     "replay": [{"file": "one.txt", "actions": 3, "verdict": "agreed"}],
                     "fuzz": {"games": [{"simulators": ["rulebook", "lines", f"{self.plugin}:old"], "scenarios": 10, "steps": 70,
                                         "findings": []}]},  # as versions before 0.1 said it
                     "found": False, "fails": [], "because": "it broke", "status": 3}

    def judged(self, game="omok"):
        self.script("after/lockstep", LOCKSTEP)
        self.script("after/lockstep.json", json.dumps(self.says))
        return behaviour.judge(self.before, self.after, game, self.folder / "corpus", 2.5, 9, self.folder / "out")

    def test_agreeing_scenarios_are_counted(self):
        found = self.judged()
        self.assertEqual((found.verdict, found.failed, found.scenarios, found.steps, found.implementations),
                         ("agreed", False, 11, 73, ["old"]))
        asked = [json.loads(line) for line in Path(f"{self.program}.asked").read_text().splitlines()]
        fuzz = next(arguments for arguments in asked if arguments[0] == "fuzz")
        for option, value in (("--with", f"textbook,lines,{self.plugin}"), ("--seconds", "2.5"), ("--seed", "9"),
                              ("--out", str(self.folder / "out"))):
            self.assertEqual(fuzz[fuzz.index(option) + 1], value)

    def test_a_difference_in_the_corpus_or_in_a_random_scenario_fails(self):
        self.says["found"] = True
        self.says["replay"][0] |= {"verdict": "diverged", "divergence": {"signature": "omok old"}}
        corpus = self.judged()
        self.says["replay"][0]["verdict"] = "agreed"
        self.says["fuzz"]["games"][0]["findings"] = [{"signature": "omok old", "explanation": "omok old", "file": "f.txt"}]
        random = self.judged()
        self.says["replay"] = [corpus_file | {"verdict": "diverged", "divergence": {"signature": "omok old"}}
                               for corpus_file in self.says["replay"] * 2]
        both = self.judged()
        for found, file in ((corpus, "one.txt"), (random, "f.txt"), (both, "f.txt")):
            self.assertEqual((found.verdict, found.failed), ("different", True))
            difference, = found.differences
            self.assertEqual((difference.explanation, difference.file, difference.replay),
                             ("omok old", file, f"{self.program} replay {file} --with {self.plugin}"))
            self.assertIn(difference.replay, report.behaviour_table([found]))

    def test_a_game_that_is_not_judged_is_never_reported_as_agreed(self):
        self.says["replay"][0]["verdict"] = "not judged"
        self.assertEqual(self.judged().verdict, "different")
        self.assertEqual(self.judged("chess").reason, "before has no plugin_chess.so")
        (self.before.folder / "plugin_chess.so").touch()
        self.assertEqual(self.judged("chess").reason, "after has no such game")
        self.plugin.unlink()
        found = self.judged()
        self.assertEqual((found.verdict, found.failed, found.scenarios), ("not judged", False, 0))
        self.assertIn("not judged", report.behaviour_table([found]))

    def test_a_plugin_that_is_refused_is_not_judged(self):
        said = "the plugin 'x.so' speaks version 2 of lockstep/plugin.h; expected 1"
        self.says |= {"because": f"lockstep: {said}", "status": 2}
        for verb in ("replay", "fuzz"):
            self.says["fails"] = [verb]
            found = self.judged()
            self.assertEqual((found.verdict, found.reason, found.failed), ("not judged", said, False))
        self.says |= {"because": "lockstep: --seed: expected a number"}
        with self.assertRaisesRegex(InternalError, "fuzz ended with 2: lockstep: --seed"):
            self.judged()

    def test_a_failing_program_is_an_internal_error(self):
        for verb in ("list", "replay", "fuzz"):
            self.says["fails"] = [verb]
            with self.assertRaisesRegex(InternalError, f"{verb} ended with 3: it broke"):
                self.judged()


@unittest.skipUnless(shutil.which("git"), "no git")
class Revisions(Folder):
    """The targets that are built for a revision with plugins, and for an older one."""

    def setUp(self):
        super().setUp()
        self.script("CMakeLists.txt", "set(LOCKSTEP_GAMES puyo omok)\n")
        self.script("bench/on_demand.cpp", "")
        self.git("init", "--quiet")
        self.commit("older")
        self.script("lockstep/plugin.h", "")
        self.commit("newer")

    def git(self, *arguments):
        processes.run("git", "-C", self.folder, "-c", "user.name=n", "-c", "user.email=e", *arguments, expected=0)

    def commit(self, name):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", name)
        self.git("tag", name)

    def targets(self, revision, games=None, **behaviour):
        repository = versions.Repository(self.folder, self.folder / "work")
        asked = []
        repository.build = lambda tree, label, toolchain, targets: asked.extend(targets)
        repository.version(revision, versions.Toolchain("true", ""), games, **behaviour)
        return asked

    def test_plugins_of_a_revision_are_built(self):
        self.assertEqual(self.targets("newer", judged=True), ["bench_puyo", "bench_omok", "plugin_puyo.so", "plugin_omok.so"])
        self.assertEqual(self.targets("newer", ["omok"], judges=True), ["bench_omok", "lockstep"])
        self.assertEqual(self.targets("newer", ["omok"]), ["bench_omok"])

    def test_a_revision_without_plugins_is_only_timed(self):
        self.assertEqual(self.targets("older", ["omok"], judged=True, judges=True), ["bench_omok"])


class Reports(Folder):
    def comparisons(self):
        fast = [1.0 + i / 1000 for i in range(16)]
        slow = [2 * x for x in fast]
        return judgement.compare_times({"a": fast, "gone": fast, "few": [1.0]}, {"a": slow, "new": slow, "few": [1.0]},
                                       paired=True, threshold=0.05)

    def test_verdicts_of_times_are_in_the_json_the_table_and_the_file_of_a_host(self):
        found = json.loads(json.dumps(report.json_of(self.comparisons()), allow_nan=False))
        self.assertEqual({c["name"]: c["verdict"] for c in found},
                         {"a": "slower", "gone": "vanished", "new": "new", "few": "inconclusive"})
        self.assertEqual(len(report.table(self.comparisons(), "ns").splitlines()), 5)
        self.assertEqual(kinds_of(schemas.junit(hosts.junit(self.comparisons(), [], 1))),
                         {"a": ["failure"], "gone": ["failure"], "new": [], "few": []})

    def test_the_files_for_hosts_are_valid_and_name_what_failed(self):
        changed = behaviour.Behaviour("omok", "different", differences=[
            behaviour.Difference("lines differs: expected 1, got <2>", "f.txt", "lockstep replay f.txt", "lines")])
        unknown = behaviour.Behaviour("puyo", "not judged", "before has no plugin_puyo.so")
        where = hosts.places({"systems": [{"name": "omok", "implementations": [
            {"name": "lines", "kind": "optimized", "file": "optimized/omok/lines.hpp", "line": 7}, {"name": "old"}]}]})
        figures = judgement.compare_counts({"omok/play/lines": 100.0, "omok/gone": 1.0, "a/b/c": 5.0},
                                           {"omok/play/lines": 103.0, "a/b/c": 5.0}, threshold=0.01)
        run, = schemas.sarif(hosts.sarif(figures, [changed, unknown], 1, where))["runs"]
        found = {r["ruleId"]: r for r in run["results"]}
        self.assertEqual(sorted(r["ruleId"] for r in run["results"]), ["different", "slower", "vanished"])
        for rule in ("different", "slower"):
            place = found[rule]["locations"][0]["physicalLocation"]
            self.assertEqual((place["artifactLocation"]["uri"], place["region"]["startLine"]), ("optimized/omok/lines.hpp", 7))
        place, = found["vanished"]["locations"]
        self.assertEqual(place["physicalLocation"]["artifactLocation"]["uri"], "bench/simulators.cpp")
        self.assertTrue((ROOT / "bench" / "simulators.cpp").is_file())
        self.assertIn("100 before, 103 after, +3.00%", found["slower"]["message"]["text"])
        self.assertIn("expected 1, got <2>", found["different"]["message"]["text"])
        self.assertEqual(len({r["partialFingerprints"]["primaryLocationLineHash"] for r in run["results"]}), 3)
        self.assertIn("before has no plugin_puyo.so", json.dumps(run["invocations"]))
        suite = schemas.junit(hosts.junit(figures, [changed, unknown], 1))
        self.assertEqual({key: suite.get(key) for key in ("tests", "failures", "errors")},
                         {"tests": "5", "failures": "3", "errors": "1"})
        self.assertEqual(kinds_of(suite), {"omok": ["failure"], "puyo": ["error"], "omok/play/lines": ["failure"],
                                           "omok/gone": ["failure"], "a/b/c": []})

    def test_the_summary_says_what_changed_by_how_much_and_how_sure(self):
        slower = judgement.compare_counts({"a": 100.0, "b": 100.0}, {"a": 103.0, "b": 100.0}, threshold=0.01)
        times = self.comparisons()
        said = hosts.summary(times, slower, slower, [], 1).splitlines()
        self.assertEqual(said[0], "**This change makes something slower** (2 benchmarks, by instructions, which are exact)")
        self.assertEqual(said[1], "- a: slower by 3.0%")
        self.assertRegex(said[2], r"^- for information, processor time of a: slower by 100.0% \(between .* and .*\)$")
        self.assertEqual(len(said), 3)
        said = hosts.summary(times, [], times, [], 1)
        self.assertRegex(said, r"\n- a: slower by 100.0% \(between \+100.0% and \+100.0%\)\n")
        self.assertIn("- gone: vanished\n- new: new\n- not sure, too noisy or too few samples: few\n",
                      said.replace("- new: new\n- gone: vanished\n", "- gone: vanished\n- new: new\n"))
        same = judgement.compare_counts({"b": 1.0}, {"b": 1.0}, threshold=0.01)
        self.assertEqual(hosts.summary([], same, same, [], 0),
                         "**Nothing became slower** (1 benchmark, by instructions, which are exact)\n")
        difference = behaviour.Difference("lines differs", "f", "r")
        changed = behaviour.Behaviour("omok", "different", differences=[difference])
        self.assertTrue(hosts.summary([], [], [], [changed], 1).startswith("**The versions behave differently**"))
        self.assertTrue(hosts.summary([], [], [], [], 3).startswith("**Nothing was compared**"))

    def test_a_result_without_a_place_is_refused(self):
        gone = judgement.compare_counts({"omok/gone": 1.0}, {}, threshold=0.01)
        log = json.loads(hosts.sarif(gone, [], 1, {}))
        schemas.sarif(json.dumps(log))
        del log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        with self.assertRaisesRegex(AssertionError, "physicalLocation"):
            schemas.sarif(json.dumps(log))

    def test_what_only_the_earlier_version_registers_has_the_place_that_it_had(self):
        listed = {"before": [("old", "optimized/omok/old.hpp", 3), ("lines", "optimized/omok/lines.hpp", 4)],
                  "after": [("lines", "optimized/omok/lines.hpp", 7)]}
        for version, places in listed.items():
            says = {"list": {"systems": [{"name": "omok", "implementations": [
                {"name": name, "kind": "optimized", "file": file, "line": line} for name, file, line in places]}]},
                "found": False, "fails": []}
            self.script(f"{version}/lockstep", LOCKSTEP)
            self.script(f"{version}/lockstep.json", json.dumps(says))
        both = comparing("--programs", self.folder, self.folder)
        both.before, both.after = (Version(version, self.folder / version) for version in listed)
        self.assertEqual(both.places(), {"omok/old": ("optimized/omok/old.hpp", 3),
                                         "omok/lines": ("optimized/omok/lines.hpp", 7)})
        self.script("before/lockstep", "#!/bin/sh\nexit 2\n")
        self.assertEqual(both.places(), {"omok/lines": ("optimized/omok/lines.hpp", 7)})
        self.script("after/lockstep", "#!/bin/sh\nexit 2\n")
        with self.assertRaises(InternalError):
            both.places()

    def test_what_was_not_compared_is_named(self):
        counts = judgement.compare_counts({"same": 1.0, "lost": 5.0, "neither": None, "won": None},
                                          {"same": 1.0, "lost": None, "neither": None, "won": 5.0}, threshold=0.01)
        unknown = behaviour.Behaviour("puyo", "not judged", "before has no plugin_puyo.so")
        said = hosts.summary([], counts, counts, [unknown], 1).splitlines()
        self.assertEqual(said, ["**A benchmark is gone, or can no longer be counted** (1 benchmark, by instructions, "
                                "which are exact)", "- lost: uncountable", "- won: countable",
                                "- behaviour of puyo: not judged: before has no plugin_puyo.so",
                                "- left out, they cannot be counted: neither"])
        run, = schemas.sarif(hosts.sarif(counts, [unknown], 1, {}))["runs"]
        result, = run["results"]
        self.assertEqual((result["ruleId"], result["message"]["text"]),
                         ("uncountable", "lost can no longer be counted: 5 instructions before"))
        self.assertIn("neither: left out", json.dumps(run["invocations"]))
        suite = schemas.junit(hosts.junit(counts, [unknown], 1))
        self.assertEqual(kinds_of(suite), {"puyo": ["error"], "lost": ["failure"], "neither": ["skipped"], "same": [], "won": []})
        self.assertRegex(report.table(counts, "Ir"), r"(?m)^neither .* left out$")
        self.assertEqual(report.summary(counts), "1 uncountable, 1 countable, 1 same, 1 left out")

    def test_a_run_that_compared_nothing_is_no_success_for_a_host(self):
        run, = schemas.sarif(hosts.sarif([], [], 3, {}))["runs"]
        self.assertEqual((run["results"], run["invocations"][0]["executionSuccessful"]), ([], False))
        self.assertEqual(schemas.junit(hosts.junit([], [], 3)).get("errors"), "1")

    def test_what_a_killed_run_leaves_says_that_it_did_not_end(self):
        """The files are there from the beginning, and hold what was found up to then."""
        files = {name: self.folder / name for name in ("sarif", "junit", "summary")}
        version = Version("v", self.folder, {"revision": "v"}, {"omok/a/b": (self.folder, "omok/a/b")})
        killed = comparing("--programs", self.folder, self.folder, "--measure", "both",
                           *(word for name, file in files.items() for word in (f"--{name}", file)))
        seen = []

        def killed_in(stage, result):
            def look(*_):
                run, = schemas.sarif(files["sarif"].read_text())["runs"]
                self.assertFalse(run["invocations"][0]["executionSuccessful"])
                self.assertIn("the run did not end", json.dumps(run["invocations"]))
                self.assertEqual(schemas.junit(files["junit"].read_text()).get("errors"), "1")
                self.assertTrue(files["summary"].read_text().startswith("**The run did not end**"))
                seen.append((stage, files["summary"].read_text().count("\n- ")))
                return result
            return look

        samples = {"omok/a/b": [100.0] * 12}, {"omok/a/b": [150.0] * 12}
        killed.behaviour = killed_in("behaviour", [behaviour.Behaviour("omok", "agreed")])
        killed.times = killed_in("times", samples)
        killed.instructions = killed_in("instructions", [{"omok/a/b": 5.0}] * 2)
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(killed.versions_compared(version, version), 0)
        self.assertEqual(seen, [("behaviour", 0), ("times", 0), ("instructions", 1)])
        self.assertTrue(files["summary"].read_text().startswith("**Nothing became slower**"))

    def test_the_blamed_simulator_is_that_of_the_report(self):
        for said, simulator in (("/a b/plugin_omok.so:lines", "lines"), ("lines", "lines"), ("", "")):
            self.assertEqual(behaviour.implementation(said), simulator)

    def test_a_picture_is_drawn(self):
        for kind, magic in (("svg", b"<?xml"), ("png", b"\x89PNG")):
            path = self.folder / f"p.{kind}"
            report.picture(self.comparisons(), 0.05, "title", path)
            self.assertTrue(path.read_bytes().startswith(magic))
        with self.assertRaisesRegex(BadInput, "svg"):
            report.picture(self.comparisons(), 0.05, "title", self.folder / "p.txt")

    def test_the_axis_of_a_history_fits_its_ratios(self):
        for ratios, low, high, scale in (([1.0, 1.0], 0.85, 1.2, "linear"), ([0.5, 1.0], 0.45, 1.2, "linear"),
                                         ([1.0, 40.0], 0.85, 41, "log")):
            least, most, drawn = report.extent(ratios)
            self.assertEqual(drawn, scale)
            self.assertTrue(low < least < min(ratios) <= max(ratios) < most < high, (ratios, least, most))
        steps = {c.name: [c, c] for c in self.comparisons()}
        report.history_picture(["one", "two"], steps, self.folder / "h.svg")
        self.assertTrue((self.folder / "h.svg").read_bytes().startswith(b"<?xml"))


# Git reads the tree although it may belong to another user.
ANY_OWNER = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}


def compare(*arguments, **environment):
    """Runs compare.py in this process, because importing scipy takes longer than all that most calls do."""
    with (contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err,
          mock.patch.dict(os.environ, ANY_OWNER | environment), mock.patch.object(sys, "argv", ["compare", *map(str, arguments)])):
        try:
            code = program.main()
        except SystemExit as ended:
            code = ended.code
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


class CommandLine(Folder):
    def test_wrong_arguments_are_refused_with_a_reason(self):
        no_revision = "there is no revision 'no-such-revision'" if (ROOT / ".git").exists() else "no git repository"
        for said, *arguments in (
                ("no regular expression", "--filter", "("), ("at most 2 revisions", "HEAD", "HEAD", "HEAD"),
                ("above 0", "--threshold", "0"), ("above 0", "--behaviour-seconds", "0"),
                ("only one of", "--baseline", "a", "--save-baseline", "b"),
                ("expected a folder with bench_GAME programs", "--programs", "/nowhere", "/nowhere"),
                ("letters, digits", "--save-baseline", "a/b"),
                ("there is no baseline", "--baseline", "missing", "--baselines", "/nowhere"),
                ("unrecognized", "--fitler", "x"), (no_revision, "no-such-revision", "HEAD")):
            result = compare(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
            self.assertIn(said, result.stderr)
            self.assertNotIn("Traceback", result.stderr)

    def test_an_internal_error_is_never_reported_as_a_regression(self):
        bare = processes.run(sys.executable, "-S", ROOT / "bench" / "compare.py", "--help")  # no packages
        self.assertEqual((bare.returncode, bare.stdout), (3, ""))
        self.assertRegex(bare.stderr, r"^compare: .*(numpy|scipy).*\n$")
        (self.folder / "odd.json").mkdir()
        broken = compare("--baseline", "odd", "--baselines", self.folder)
        self.assertEqual((broken.returncode, broken.stdout), (3, ""))
        self.assertIn("IsADirectoryError", broken.stderr)

    def test_help_has_an_example(self):
        result = compare("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("./dev compare HEAD~3 HEAD --filter", result.stdout)


# A fake bench_omok with constant times. It counts what COUNTS says of a benchmark, where valgrind has written its dumps.
BENCH = """#!/usr/bin/python3
import os, sys
counts = COUNTS
if "--benchmark_list_tests" in sys.argv:
    print(*(f"omok/{name}/manual_time" for name in counts), sep="\\n")
    sys.exit()
dumps = 0
for line in sys.stdin:
    answer = counts["/".join(line.split()[-1].split("/")[1:3])] if line.startswith("count") else "1.5"
    for _ in range(2 if answer == "7" else 0):
        dumps += 1
        open(f"{os.environ['DUMPS']}.{dumps}", "w").write("totals: 70\\n")
    print(answer, flush=True)
"""
VALGRIND = """#!/bin/sh
while case $1 in --callgrind-out-file=*) DUMPS=${1#*=} ;; -*) true ;; *) false ;; esac do shift; done
export DUMPS
exec "$@"
"""


class Fakes(Folder):
    def setUp(self):
        super().setUp()
        self.script("valgrind", VALGRIND)

    def programs(self, name, **counts):
        """A folder with a program of these benchmarks of the group "play"."""
        counts = {f"play/{each}": count for each, count in counts.items()}
        return self.script(f"{name}/bench_omok", BENCH.replace("COUNTS", str(counts)))


class NothingMeasured(Fakes):
    """A run that measured or judged nothing fails: exit 3, and one sentence with the reason."""

    def assert_nothing(self, said, *arguments):
        result = compare(*arguments, "--json", PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertIn(said, result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        if result.stdout:
            self.assertEqual(json.loads(result.stdout).get("exit", 3), 3)

    def test_nothing_that_can_be_measured(self):
        for answer, said, *options in (
                ("0", "nothing was compared: no instruction was counted", "--measure", "instructions"),
                ("error there is no such benchmark", "nothing was compared: no instruction was counted", "--measure", "instructions"),
                ("error built without valgrind/callgrind.h", "built without valgrind/callgrind.h", "--measure", "instructions"),
                # Instructions decide where both are measured.
                ("0", "no instruction was counted", "--measure", "both", "--seconds", "0.2"),
                ("0", "--seconds gives more", "--seconds", "1e-9")):
            folder = self.programs("both", lines=answer)
            self.assert_nothing(said, "--programs", folder, folder, "--no-behaviour", *options)

    def test_benchmarks_of_only_one_version(self):
        before, after = self.programs("before", old="0"), self.programs("after", new="0")
        self.assert_nothing("only one of the versions", "--programs", before, after, "--no-behaviour", "--seconds", "1",
                            "--filter", "new$")

    def test_a_history_without_figures(self):
        for name in ("one", "two"):
            baseline.save(self.folder, baseline.Baseline(name, {"machine": "m"}, {"omok/play/lines": [1.0] * 8}, {}))
        self.assert_nothing("no instruction was counted", "--history", "one,two", "--baselines", self.folder, "--measure",
                            "instructions")

    def test_an_empty_baseline_is_not_saved(self):
        for measure, times, counts in (("time", {}, {}), ("instructions", {}, {}), ("both", {"omok/a/b": [1.0]}, {})):
            empty = saving("one", self.folder, measure)
            empty.times, empty.instructions = lambda _: [times], lambda _: [counts]
            with self.assertRaisesRegex(InternalError, "nothing was kept"):
                empty.save(Version("v", self.folder, {}, {"omok/a/b": (self.folder, "omok/a/b")}))
            self.assertEqual(list(self.folder.glob("*.json")), [])


class CountedInOneOnly(Fakes):
    """The whole path from the command line to the files, on programs that count one benchmark or both."""

    def setUp(self):
        super().setUp()
        self.folders = {name: self.programs(name, lines=lines, shifts=shifts)
                        for name, lines, shifts in (("both", "7", "7"), ("one", "0", "7"), ("none", "0", "0"))}

    def run_on(self, before, after, expected, *options):
        """What is printed, and the summary."""
        files = {name: self.folder / f"r.{name}" for name in ("summary", "sarif", "junit")}
        result = compare("--programs", self.folders[before], self.folders[after], *options, "--measure", "instructions",
                         *(word for name, file in files.items() for word in (f"--{name}", file)),
                         PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertEqual(result.returncode, expected, result.stdout + result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        schemas.sarif(files["sarif"].read_text())
        schemas.junit(files["junit"].read_text())
        return result.stdout + result.stderr, files["summary"].read_text()

    def test_what_one_version_or_both_cannot_count_is_named_and_fails_if_the_later_one_lost_it(self):
        for before, after, status, verdict, named in (
                ("both", "one", 1, "uncountable", "\n- omok/play/lines: uncountable\n"),
                ("one", "one", 0, "left out", "\n- left out, they cannot be counted: omok/play/lines\n"),
                ("one", "both", 0, "countable", "")):
            with self.subTest(before=before, after=after):
                printed, summary = self.run_on(before, after, status, "--no-behaviour")
                self.assertRegex(printed, rf"(?m)^omok/play/lines .*\b{verdict}$")
                self.assertRegex(printed, r"(?m)^omok/play/shifts .*\bsame$")
                self.assertIn(named, summary)
        self.run_on("both", "none", 1, "--no-behaviour")
        printed, _ = self.run_on("none", "both", 3, "--no-behaviour")
        self.assertIn("no benchmark was counted in both versions", printed)

    def test_a_game_that_was_not_judged_is_named_in_the_summary(self):
        _, summary = self.run_on("both", "both", 0)
        self.assertRegex(summary, r"\n- behaviour of omok: not judged: .* has no plugin_omok\.so\n")

    def test_a_baseline_has_no_figure_of_what_cannot_be_counted(self):
        kept = saving("kept", self.folder, "instructions")
        kept.instructions = lambda _: [{"omok/play/lines": None, "omok/play/shifts": 10.0}]
        with contextlib.redirect_stdout(io.StringIO()):
            kept.save(Version("v", self.folder, {}, {"omok/play/lines": (self.folder, "omok/play/lines")}))
        self.assertEqual(baseline.load(self.folder, "kept").instructions, {"omok/play/shifts": 10.0})


STAND_IN = """#!/usr/bin/python3
import subprocess, sys
real = subprocess.Popen(["PROGRAM", *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
if "--on-demand" not in sys.argv:
    print(real.communicate()[0].replace("MISSING", ""))
    sys.exit(real.returncode)
for line in sys.stdin:
    real.stdin.write(line)
    real.stdin.flush()
    print(float(real.stdout.readline()) * FACTOR, flush=True)
"""


@unittest.skipUnless(PROGRAMS, "no programs given")
class Programs(Folder):
    """The whole path from the command line to the table, on real programs."""

    ONE = "omok/stone_and_judge/lines"
    OTHER = "omok/stone_and_judge/shifts"

    def stand_in(self, factor=1.0, missing="no such name"):
        """A program that forwards to the real one, but multiplies times or hides a benchmark."""
        return self.script("bench_omok", STAND_IN.replace("FACTOR", str(factor)).replace("MISSING", f"{missing}/manual_time")
                           .replace("PROGRAM", str(PROGRAMS / "bench_omok")))

    def run_on(self, after, *options, before=PROGRAMS):
        result = compare("--programs", before, after, "--filter", f"^({self.ONE}|{self.OTHER})$", "--json", *options)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        found = json.loads(result.stdout)
        self.assertEqual(found["exit"], result.returncode)
        return result.returncode, {c.get("name") or c["system"]: c["verdict"]
                                   for c in found["behaviour"] + found["times"] + found["instructions"]}

    def with_plugin(self, *flags):
        """A folder like the real one, with the C example as the plugin of omok."""
        folder = self.folder / "before"
        folder.mkdir()
        (folder / "bench_omok").symlink_to(PROGRAMS / "bench_omok")
        processes.run("cc", "-shared", "-fPIC", f"-I{ROOT}", *flags, "-o", folder / "plugin_omok.so",
                      ROOT / "examples" / "plugins" / "example.c", expected=0)
        return folder

    def test_the_same_program_shows_no_change(self):
        status, verdicts = self.run_on(PROGRAMS, "--seconds", "10", "--no-behaviour")
        self.assertEqual((status, set(verdicts)), (0, {self.ONE, self.OTHER}))
        self.assertLessEqual(set(verdicts.values()), {"same", "inconclusive"})

    def test_different_answers_fail_before_timing(self):
        status, verdicts = self.run_on(PROGRAMS, "--behaviour-seconds", "60", before=self.with_plugin("-DMISTAKE"))
        self.assertEqual((status, verdicts), (1, {"omok": "different"}))

    def test_equal_answers_agree(self):
        status, verdicts = self.run_on(PROGRAMS, "--behaviour-seconds", "1", "--seconds", "1", before=self.with_plugin())
        self.assertEqual((status, verdicts["omok"]), (0, "agreed"))

    def test_a_slowdown_of_fifty_percent_fails(self):
        status, verdicts = self.run_on(self.stand_in(factor=1.5), "--seconds", "60", "--no-behaviour")
        self.assertEqual((status, verdicts), (1, {self.ONE: "slower", self.OTHER: "slower"}))

    def test_a_missing_benchmark_fails(self):
        status, verdicts = self.run_on(self.stand_in(missing=self.ONE), "--seconds", "5", "--no-behaviour")
        self.assertEqual((status, verdicts[self.ONE]), (1, "vanished"))

    @unittest.skipUnless(shutil.which("valgrind"), "no valgrind")
    def test_the_same_program_executes_the_same_instructions(self):
        status, verdicts = self.run_on(PROGRAMS, "--measure", "instructions", "--no-behaviour")
        self.assertEqual((status, verdicts), (0, {self.ONE: "same", self.OTHER: "same"}))

    def test_a_filter_without_matches_is_refused(self):
        result = compare("--programs", PROGRAMS, PROGRAMS, "--filter", "omok/nothing")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no benchmark's name matches", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], defaultTest="Programs" if PROGRAMS else None, verbosity=2)
