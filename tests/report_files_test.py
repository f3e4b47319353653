#!/usr/bin/env python3
"""Tests of --sarif and --junit: both files are valid by the published schemas and say what the verb says.

usage: report_files_test.py LOCKSTEP ROOT
"""
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from urllib.parse import unquote

import processes
import schemas

ROOT = Path(sys.argv.pop()).resolve()
LOCKSTEP = str(Path(sys.argv.pop()).resolve())
BUILT_IN = ("--engine", "uniform,swarm,suggested,mutated", "--jobs", "1", "--seed", "1", "--no-canary")
CANARY = "six_counts_as_five"  # of omok
AGREES = ROOT / "corpus" / "omok" / "sample_1.txt"


class ReportFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.fuzzed = cls.run_verb("fuzz", "omok", "--with", CANARY, *BUILT_IN, "--runs", "100000",
                                  "--out", cls.folder / "found", expected=1)
        cls.finding, = (cls.folder / "found").glob("*.txt")

    @classmethod
    def run_verb(cls, verb, *arguments, expected, cwd=ROOT):
        """The SARIF run and the JUnit suite of a verb."""
        files = cls.folder / "report.sarif", cls.folder / "report.xml"
        result = processes.run(LOCKSTEP, verb, *arguments, "--sarif", files[0], "--junit", files[1], cwd=cwd,
                               expected=expected)
        assert not list(cls.folder.glob("*.tmp*"))
        run, = schemas.sarif(files[0].read_text(encoding="utf-8"))["runs"]
        invocation, = run["invocations"]
        assert invocation["exitCode"] == expected, invocation
        assert invocation["executionSuccessful"] == (expected in (0, 1)), invocation
        return run, schemas.junit(files[1].read_text(encoding="utf-8"))

    def test_an_error_names_the_file_that_cannot_be_written(self):
        """Not the temporary one. No user can create files in /proc, root included."""
        for option in ("--sarif", "--junit"):
            result = processes.run(LOCKSTEP, "replay", AGREES, option, "/proc/out", expected=2)
            self.assertIn("/proc/out: No such file or directory", result.stderr)

    def assert_finding(self, run, suite):
        """One result: the canary's file, its line, and both values; and a failure that shows the scenario."""
        result, = run["results"]
        self.assertEqual(result["ruleId"], "observation")
        self.assertIn(f"{CANARY} differs in the observation's ", result["message"]["text"])
        given = result["properties"]
        self.assertIn(f"expected {given['expected']}, got {given['actual']}", result["message"]["text"])
        self.assertNotEqual(given["expected"], given["actual"])
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"], {"uri": "canaries/omok.hpp", "uriBaseId": "SRCROOT"})
        lines = (ROOT / "canaries" / "omok.hpp").read_text().splitlines()
        line = place["region"]["startLine"]
        self.assertIn(f'"{CANARY}"', " ".join(lines[line - 1:line + 2]))
        self.assertEqual(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], f"omok.{CANARY}")
        failures = suite.findall("testcase/failure")
        self.assertEqual([each.get("type") for each in failures], ["observation"])
        self.assertIn(f"got {given['actual']}", failures[0].get("message"))
        self.assertIn("lockstep 1 omok\n", failures[0].text)
        return result

    def test_fuzz_writes_a_finding_with_its_file_line_and_both_values(self):
        run, suite = self.fuzzed
        result = self.assert_finding(run, suite)
        self.assertEqual([case.get("name") for case in suite], ["search", result["properties"]["signature"]])
        self.assertEqual(run["automationDetails"]["id"], "lockstep-fuzz/")
        file = result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertEqual(unquote(file), self.finding.as_uri())  # outside of the repository
        self.assertEqual(result["properties"]["scenario"], self.finding.read_text())

    def test_replay_gives_the_same_finding_the_same_fingerprint(self):
        run, suite = self.run_verb("replay", self.finding, AGREES, expected=1)
        result = self.assert_finding(run, suite)
        self.assertEqual(result["partialFingerprints"], self.fuzzed[0]["results"][0]["partialFingerprints"])
        self.assertEqual([(case.get("classname"), case.get("name"), len(case)) for case in suite],
                         [("omok", str(self.finding), 1), ("omok", str(AGREES), 0)])
        self.assertEqual(run["automationDetails"]["id"], "lockstep-replay/")

    def test_explore_writes_its_counterexample(self):
        run, suite = self.run_verb("explore", "omok", "--corpus", self.finding.parent, "--with", CANARY, "--out",
                                   self.folder / "explored", expected=1)
        self.assert_finding(run, suite)
        self.assertEqual(run["automationDetails"]["id"], "lockstep-explore/")

    def test_what_agrees_has_no_result(self):
        fuzz = ("fuzz", "omok", *BUILT_IN, "--runs", "300", "--out", self.folder / "none")
        for arguments in (("replay", AGREES), fuzz,
                          ("explore", "omok", "--setup", "size=3", "--depth", "2")):
            run, suite = self.run_verb(*arguments, expected=0)
            self.assertEqual((run["results"], suite.get("failures"), suite.get("errors")), ([], "0", "0"), arguments)
            self.assertGreater(int(suite.get("tests")), 0)

    def test_what_was_not_judged_is_an_error_and_never_a_success(self):
        broken = self.folder / "broken.txt"
        broken.write_text("lockstep 1 omok\nwidth <&\"\x01>\n")
        run, suite = self.run_verb("replay", broken, AGREES, expected=2)
        self.assertEqual((run["results"], suite.get("errors")), ([], "1"))
        self.assertIn("broken.txt:2:", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])
        run, suite = self.run_verb("explore", "omok", "--setup", "size=19", "--depth", "9", "--memory", "1",
                                   expected=3)
        self.assertEqual((run["results"], suite.find("testcase/error").get("type")), ([], "not covered"))

    def test_findings_of_a_search_that_missed_its_canary_are_proven(self):
        shard = ("omok", "--with", CANARY, "--seed", "1", "--runs", "100000", "--jobs", "1", "--engine", "swarm",
                 "--shard", "1/1", "--exchange", self.folder / "missed")
        self.run_verb("fuzz", *shard, expected=1)
        file = self.folder / "missed" / "shard-1" / "result.json"
        result = json.loads(file.read_text())
        result["results"][0]["canary"]["found"] = False
        file.write_text(json.dumps(result))
        run, suite = self.run_verb("fuzz", *shard, expected=1)  # reports again
        said, = run["invocations"][0]["toolExecutionNotifications"]
        self.assertRegex(said["message"]["text"], r"the canary \S+ was not found in \d+ scenarios, so this campaign may miss other mistakes$")
        self.assertEqual(suite.find("testcase/error").get("type"), "other mistakes may be missed")

    def test_a_run_that_is_killed_leaves_files_that_say_so(self):
        sarif, junit = self.folder / "killed.sarif", self.folder / "killed.xml"
        command = [LOCKSTEP, "fuzz", "omok", "--seconds", "600", "--jobs", "1", "--out", self.folder / "killed",
                   "--sarif", sarif, "--junit", junit]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            until = time.monotonic() + 60
            while not junit.exists() and time.monotonic() < until:
                time.sleep(0.02)
            run.kill()
        log, = schemas.sarif(sarif.read_text())["runs"]
        self.assertFalse(log["invocations"][0]["executionSuccessful"])
        self.assertEqual(schemas.junit(junit.read_text()).find("testcase/error").get("message"), "the run did not end")

    def test_an_interrupted_run_writes_what_it_has(self):
        sarif, junit = self.folder / "stopped.sarif", self.folder / "stopped.xml"
        command = [LOCKSTEP, "fuzz", "omok", "puyo", "--seconds", "600", "--jobs", "1", "--no-canary",
                   "--out", self.folder / "stopped", "--sarif", sarif, "--junit", junit]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
            run.stderr.readline()  # the seed: the run has begun
            run.send_signal(signal.SIGINT)
            run.stderr.read()
        self.assertEqual(run.returncode, 130)
        said = json.dumps(schemas.sarif(sarif.read_text())["runs"][0]["invocations"])
        self.assertIn("puyo: not started", said)
        omok, puyo = (case.find("error").get("type") for case in schemas.junit(junit.read_text()))
        self.assertIn(omok, ("nothing is proven", "not started"))
        self.assertEqual(puyo, "not started")

    def test_a_file_that_cannot_be_written_is_refused_before_the_search(self):
        for file, said in (("/proc/nowhere/x.sarif", "/proc/nowhere"), ("/tmp", "/tmp is a folder; expected a file")):
            result = processes.run(LOCKSTEP, "fuzz", "omok", "--seconds", "600", "--out", self.folder / "refused", "--sarif",
                                   file, expected=2, timeout=60)
            self.assertEqual(result.stdout, "")
            self.assertIn(said, result.stderr)

    def test_a_place_does_not_depend_on_the_current_folder(self):
        run, _ = self.run_verb("replay", self.finding, expected=1, cwd="/")
        place = run["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "canaries/omok.hpp")

    def test_list_names_the_file_and_line_of_every_implementation(self):
        for canaries in ([], ["--canaries"]):
            result = processes.run(LOCKSTEP, "list", "--json", *canaries, expected=0, cwd=ROOT)
            listed = json.loads(result.stdout)
            for game in listed["games"]:
                for each in game["simulators"]:
                    line = (ROOT / each["file"]).read_text().splitlines()[each["line"] - 1]
                    self.assertRegex(line, "register_implementation|register_batch|register_canary", (game["name"], each))

    def test_the_schemas_refuse_what_is_wrong(self):
        log = json.loads((self.folder / "report.sarif").read_text())
        for wrong in ({"version": "2.0"}, {"runs": [{"results": []}]}):
            with self.assertRaises(AssertionError):
                schemas.sarif(json.dumps(log | wrong))
        for wrong in ("<testsuite/>", '<testsuite name="a" tests="1" failures="0" errors="0"/>', "<testsuite"):
            with self.assertRaises(AssertionError):
                schemas.junit(wrong)


if __name__ == "__main__":
    unittest.main(verbosity=2)
