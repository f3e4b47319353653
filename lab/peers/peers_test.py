#!/usr/bin/env python3
"""The measurement of three tools: each finds a mistake within seconds, and a run that proves nothing says so.

usage: peers_test.py PROGRAMS
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

import peers

PROGRAMS = sys.argv.pop()


class Peers(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def command(self, *words) -> subprocess.Popen:
        return subprocess.Popen([sys.executable, peers.__file__, "--programs", PROGRAMS, *words], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=os.environ | {"TMPDIR": str(self.folder)})

    def ends(self, code: int, *words) -> tuple[str, str]:
        process = self.command(*words)
        self.addCleanup(process.terminate)  # which ends its tools, too
        out, err = process.communicate(timeout=280)
        self.assertEqual(process.returncode, code, f"{words}\n{out}\n{err}")
        return out, err

    def nothing_is_left(self):
        left = [f"{each.parent.name}: {each.readlink()}" for each in Path("/proc").glob("[0-9]*/cwd")
                if os.access(each, os.R_OK) and str(each.readlink()).startswith(str(self.folder))]
        self.assertEqual(left, [])
        self.assertEqual([each for each in self.folder.iterdir() if each.name.startswith("peers-")], [])

    def test_each_tool_finds_a_known_mistake(self):
        out, _ = self.ends(0, "--seeds", "1", "--seconds", "8", "--json", str(self.folder / "failures.json"))
        failures = json.loads((self.folder / "failures.json").read_text())
        for tool in ("RapidCheck", "libFuzzer", "Lockstep"):
            mistakes = {each["mistake"] for each in failures if each["tool"] == tool}
            self.assertTrue(mistakes & set(range(1, 9)), f"{tool}: {mistakes}")
        self.assertTrue(all(each["seconds"] <= 8 for each in failures))
        head, _, counts, *rows = out.splitlines()
        self.assertEqual(head, "|  | RapidCheck | libFuzzer | Lockstep |")
        self.assertRegex(counts, r"different mistakes.*(\| (\d) / \2 / \2 ){3}\|$")
        self.assertEqual([row.split()[1] for row in rows[:8]], list("12345678"))
        self.nothing_is_left()

    def test_rules_that_do_not_fit_the_known_mistakes_measure_nothing(self):
        known = self.folder / "known"
        known.mkdir()
        _, err = self.ends(3, "--known", str(known))
        self.assertIn("no known mistakes", err)
        shutil.copy(peers.EXAMPLE / "known" / "5_remove_run_compression.txt", known / "6_subset.txt")
        _, err = self.ends(3, "--known", str(known))
        self.assertIn("6_subset.txt is attributed to: 5", err)

    def test_a_run_without_a_failure_measures_nothing(self):
        out, err = self.ends(3, "--seeds", "1", "--seconds", "0.01", "--tools", "rapidcheck")
        self.assertEqual(out, "")
        self.assertIn("rapidcheck reported no failure in any run", err)

    def test_an_interrupted_run_leaves_no_process(self):
        for tool in peers.TOOLS:
            with self.subTest(tool):
                process = self.command("--tools", tool)
                deadline = time.monotonic() + 60
                while not list(self.folder.glob(f"peers-*/{tool}-1/**/stdout")) and time.monotonic() < deadline:
                    time.sleep(0.1)
                time.sleep(1)  # workers of its own
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, 130)
                self.nothing_is_left()

    def test_a_libfuzzer_that_hangs_in_its_report_is_stuck(self):
        tool = peers.LibFuzzer(Path(PROGRAMS))
        report = self.folder / "stderr"
        for text, age, stuck in (("==1== ERROR: libFuzzer: deadly signal", 9, True), ("#2 INITED", 9, False),
                                 ("==1== ERROR: libFuzzer: deadly signal", 0, False)):
            report.write_text(text)
            os.utime(report, (time.time() - age,) * 2)
            self.assertEqual(tool.stuck(self.folder, 2), stuck)

    def test_wrong_input_is_named(self):
        for words, said in ((["--seeds", "0"], "above 0"), (["--seconds", "nan"], "above 0"),
                            (["--seconds", "x"], "'x'"),
                            (["--tools", "afl"], "there is no tool 'afl'; there are: rapidcheck, libfuzzer, lockstep"),
                            (["--json", "/nowhere/x.json"], "no folder /nowhere"),
                            (["--programs", "/nowhere"], "./dev lab peers builds it")):
            out, err = self.ends(2, *words)
            self.assertEqual(out, "")
            self.assertIn(said, err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
