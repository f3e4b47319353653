#!/usr/bin/env python3
"""Tests of --sarif and --junit: both files are valid by the published schemas and say what the verb says.

usage: report_files_test.py LOCKSTEP ROOT [TEST…]
"""
import json
import os
import tempfile
import unittest
from pathlib import Path
from urllib.parse import unquote

from case import BUILT_IN, Case, ROOT, interrupt, kill, refused, report, run, wait_for, written
import schemas

CANARY = "six_counts_as_five"  # of omok
FUZZ = ["fuzz", "omok", *BUILT_IN, "--jobs", "1", "--seed", "1", "--no-canary"]
AGREES = ROOT / "corpus" / "omok" / "sample_1.txt"
FILES = ["--sarif", "report.sarif", "--junit", "report.xml"]


def reports():
    """The SARIF run and the JUnit suite of the last verb."""
    sarif, = schemas.sarif(Path("report.sarif").read_text(encoding="utf-8"))["runs"]
    return sarif, schemas.junit(Path("report.xml").read_text(encoding="utf-8"))


def reports_of(*words, expected, **options):
    run(*words, *FILES, expected=expected, **options)
    assert not list(Path().glob("*.tmp*"))
    sarif, suite = reports()
    invocation, = sarif["invocations"]
    assert invocation["exitCode"] == expected, invocation
    assert invocation["executionSuccessful"] == (expected in (0, 1)), invocation
    return sarif, suite


class ReportFiles(Case):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        run(*FUZZ, "--with", CANARY, "--runs", "100000", "--out", folder.name, expected=1)
        cls.finding, = Path(folder.name).glob("*.txt")

    def assert_finding(self, run, suite):
        """One result: the canary's file, its line, and both values; and a failure that shows the scenario."""
        result, = run["results"]
        self.assertEqual(result["ruleId"], "observation")
        self.assertIn(f"{CANARY} differs in the observation's ", result["message"]["text"])
        given = result["properties"]
        self.assertIn(f"expected {given['expected']}, got {given['actual']}", result["message"]["text"])
        self.assertNotEqual(given["expected"], given["actual"])
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"], {"uri": "games/omok/canaries.hpp", "uriBaseId": "SRCROOT"})
        lines = (ROOT / "games" / "omok" / "canaries.hpp").read_text().splitlines()
        line = place["region"]["startLine"]
        self.assertIn(f'"{CANARY}"', " ".join(lines[line - 1:line + 2]))
        self.assertEqual(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], f"omok.{CANARY}")
        failures = suite.findall("testcase/failure")
        self.assertEqual([each.get("type") for each in failures], ["observation"])
        self.assertIn(f"got {given['actual']}", failures[0].get("message"))
        self.assertIn("lockstep 1 omok\n", failures[0].text)
        return result

    def test_fuzz_and_replay_write_a_finding_with_its_file_line_both_values_and_one_fingerprint(self):
        Path("here").mkdir()
        os.chdir("here")
        run, suite = reports_of(*FUZZ, "--with", CANARY, "--runs", "100000", "--out", self.path / "found", expected=1)
        result = self.assert_finding(run, suite)
        self.assertEqual([case.get("name") for case in suite], ["search", result["properties"]["signature"]])
        self.assertEqual(run["automationDetails"]["id"], "lockstep-fuzz/")
        file = result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        finding, = (self.path / "found").glob("*.txt")
        self.assertEqual(unquote(file), finding.as_uri())  # outside of the current folder
        self.assertEqual(result["properties"]["scenario"], finding.read_text())
        run, suite = reports_of("replay", self.finding, AGREES, expected=1)
        self.assertEqual(self.assert_finding(run, suite)["partialFingerprints"], result["partialFingerprints"])
        self.assertEqual([(case.get("classname"), case.get("name"), len(case)) for case in suite],
                         [("omok", str(self.finding), 1), ("omok", str(AGREES), 0)])
        self.assertEqual(run["automationDetails"]["id"], "lockstep-replay/")

    def test_explore_writes_its_counterexample(self):
        run, suite = reports_of("explore", "omok", "--corpus", self.finding.parent, "--with", CANARY, expected=1)
        self.assert_finding(run, suite)
        self.assertEqual(run["automationDetails"]["id"], "lockstep-explore/")

    def test_what_agrees_has_no_result(self):
        for arguments in (["replay", AGREES], [*FUZZ, "--runs", "300"], ["explore", "omok", "--setup", "size=3", "--depth", "2"]):
            run, suite = reports_of(*arguments, expected=0)
            self.assertEqual((run["results"], suite.get("failures"), suite.get("errors")), ([], "0", "0"), arguments)
            self.assertGreater(int(suite.get("tests")), 0)

    def test_what_was_not_judged_is_an_error_and_never_a_success(self):
        broken = written("broken.txt", "lockstep 1 omok\nwidth <&\"\x01>\n")
        run, suite = reports_of("replay", broken, AGREES, expected=2)
        self.assertEqual((run["results"], suite.get("errors")), ([], "1"))
        self.assertIn("broken.txt:2:", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])
        run, suite = reports_of("explore", "omok", "--setup", "size=19", "--depth", "9", "--memory", "1", expected=3)
        self.assertEqual((run["results"], suite.find("testcase/error").get("type")), ([], "not covered"))

    def test_findings_of_a_search_that_missed_its_canary_are_proven(self):
        shard = ("omok", "--with", CANARY, "--seed", "1", "--runs", "100000", "--jobs", "1", "--engine", "swarm",
                 "--shard", "1/1", "--exchange", "missed")
        reports_of("fuzz", *shard, expected=1)
        file = Path("missed/shard-1/result.json")
        result = json.loads(file.read_text())
        result["results"][0]["canary"]["found"] = False
        file.write_text(json.dumps(result))
        run, suite = reports_of("fuzz", *shard, expected=1)  # reports again
        said, = run["invocations"][0]["toolExecutionNotifications"]
        self.assertRegex(said["message"]["text"], r"the canary \S+ was not found in \d+ scenarios, so this campaign may miss other mistakes$")
        self.assertEqual(suite.find("testcase/error").get("type"), "other mistakes may be missed")

    def test_a_run_that_is_killed_leaves_files_that_say_so(self):
        process = self.start(*FUZZ, "--seconds", "600", *FILES)
        wait_for(Path("report.xml").exists)
        kill(process)
        run, suite = reports()
        self.assertFalse(run["invocations"][0]["executionSuccessful"])
        self.assertEqual(suite.find("testcase/error").get("message"), "the run did not end")

    def test_an_interrupted_run_writes_what_it_has(self):
        process = self.start(*FUZZ, "puyo", "--seconds", "600", *FILES)
        process.stderr.readline()  # the seed: the run has begun
        interrupt(process)
        run, suite = reports()
        self.assertIn("puyo: not started", json.dumps(run["invocations"]))
        omok, puyo = (case.find("error").get("type") for case in suite)
        self.assertIn(omok, ("nothing is proven", "not started"))
        self.assertEqual(puyo, "not started")

    def test_a_file_that_cannot_be_written_is_refused_before_the_search(self):
        """It is named, and not the temporary one. No user can create files in /proc, root included."""
        for file, said in (("/proc/nowhere/x", "/proc/nowhere"), ("/tmp", "/tmp is a folder; expected a file"),
                           ("/proc/out", "/proc/out: No such file or directory")):
            for option in ("--sarif", "--junit"):
                refused(said, *FUZZ, "--seconds", "600", option, file, timeout=60)
                self.assertIn(said, run("replay", AGREES, option, file, expected=2).stderr)

    def test_list_names_the_file_and_line_of_every_implementation(self):
        for canaries in ([], ["--canaries"]):
            for game in report("list", *canaries)["systems"]:
                for each in game["implementations"]:
                    line = (ROOT / each["file"]).read_text().splitlines()[each["line"] - 1]
                    self.assertRegex(line, "register_implementation|register_batch|register_canary", (game["name"], each))

    def test_the_schemas_refuse_what_is_wrong(self):
        reports_of("replay", AGREES, expected=0)
        log = json.loads(Path("report.sarif").read_text())
        for wrong in ({"version": "2.0"}, {"runs": [{"results": []}]}):
            with self.assertRaises(AssertionError):
                schemas.sarif(json.dumps(log | wrong))
        for wrong in ("<testsuite/>", '<testsuite name="a" tests="1" failures="0" errors="0"/>', "<testsuite"):
            with self.assertRaises(AssertionError):
                schemas.junit(wrong)


if __name__ == "__main__":
    unittest.main(verbosity=2)
