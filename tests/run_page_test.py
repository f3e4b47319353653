#!/usr/bin/env python3
"""Tests of the page of a campaign: the timeline in fuzz --json, `html RUN`, `fuzz --html` and `merge --html`.

usage: run_page_test.py LOCKSTEP ROOT
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import processes

ROOT = Path(sys.argv.pop()).resolve()
LOCKSTEP = str(Path(sys.argv.pop()).resolve())
BUILT_IN = ("--engine", "uniform,swarm,suggested,mutated", "--jobs", "1", "--seed", "1")
CANARY = "six_counts_as_five"  # of omok


def run(*arguments, cwd, expected=0):
    return processes.run(LOCKSTEP, *arguments, cwd=cwd, expected=expected)


def wait_for(true, seconds=120):
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.05)


class Folder(unittest.TestCase):
    def setUp(self):
        self.path = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.path, ignore_errors=True)

    def campaign(self, out, *arguments):
        """A campaign that runs for long; it is killed at the end of the test."""
        command = [LOCKSTEP, "fuzz", "omok", "--seconds", "600", "--jobs", "1", "--seed", "7", "--no-canary",
                   *map(str, arguments), *(["--out", str(out)] if out else [])]
        process = subprocess.Popen(command, cwd=self.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(lambda: process.poll() is None and os.killpg(process.pid, signal.SIGKILL))
        return process

    def begun(self, out, *arguments):
        """A campaign that has written something."""
        process = self.campaign(out, *arguments)
        state = self.path / out / "unfinished-fuzz-run.json"
        wait_for(lambda: state.exists() and json.loads(state.read_text())["results"])
        return process


class Page(Folder):
    """Without a browser."""

    def test_the_timeline_grows_to_the_counts_of_the_run(self):
        result = run("fuzz", "omok", "--with", CANARY, *BUILT_IN, "--runs", "3000", "--keep-going", "--out", "out",
                     "--json", cwd=self.path, expected=1)
        report = json.loads(result.stdout)
        self.assertEqual(report["schema"], 3)
        self.assertTrue(report["program"].startswith("lockstep "))
        game, = report["games"]
        self.assertTrue(game["finished"])
        timeline = game["timeline"]
        seconds = timeline["seconds"]
        self.assertEqual(seconds, sorted(set(seconds)))
        self.assertLessEqual(len(seconds), 200)
        self.assertEqual(timeline["features"][-1], game["features_reached"])
        for engine in game["engines"]:
            columns = timeline["engines"][engine["name"]]
            for count in ("scenarios", "steps", "features_first", "findings"):
                self.assertEqual(len(columns[count]), len(seconds))
                self.assertEqual(columns[count], sorted(columns[count]))
                self.assertEqual(columns[count][-1], engine[count], (engine["name"], count))

    def a_run(self) -> dict:
        run("fuzz", "omok", "--with", CANARY, *BUILT_IN, "--runs", "100000", "--out", "out", "--html", "page.html",
            cwd=self.path, expected=1)
        result = run("fuzz", "omok", *BUILT_IN, "--runs", "300", "--out", "out", "--json", cwd=self.path)
        (self.path / "run.json").write_text(result.stdout)
        return json.loads(result.stdout)

    def data(self, page):
        found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL)
        self.assertEqual(len(found), 1)
        return json.loads(found[0])

    def test_fuzz_and_html_write_the_page_of_a_run(self):
        report = self.a_run()
        game, = self.data(self.path / "page.html")["run"]["games"]
        finding, = game["findings"]
        self.assertIn(CANARY, finding["signature"])
        self.assertEqual(finding["page"], "")
        self.assertEqual(run("html", "run.json", cwd=self.path).stdout, "run.html\n")
        shown = self.data(self.path / "run.html")["run"]
        self.assertEqual(shown["games"][0]["timeline"]["seconds"], report["games"][0]["timeline"]["seconds"])
        self.assertEqual(shown["seed"], str(report["seed"]))
        self.assertLess((self.path / "run.html").stat().st_size, 500_000)

    def test_a_finding_with_a_page_is_linked_from_where_the_page_of_the_run_is(self):
        run("fuzz", "omok", "--with", CANARY, *BUILT_IN, "--runs", "100000", "--out", "out dir", cwd=self.path,
            expected=1)
        finding, = (self.path / "out dir").glob("*.txt")
        run("html", finding, cwd=self.path)
        result = run("fuzz", "omok", "--with", CANARY, *BUILT_IN, "--runs", "100000", "--out", "out dir", "--json",
                     cwd=self.path, expected=1)
        (self.path / "run.json").write_text(result.stdout)
        (self.path / "pages").mkdir()
        run("html", "run.json", "-o", "pages/run.html", cwd=self.path)
        page = self.data(self.path / "pages" / "run.html")["run"]["games"][0]["findings"][0]["page"]
        self.assertEqual(page, f"./../out%20dir/{finding.stem}.html")

    def test_what_other_verbs_wrote_is_shown(self):
        self.a_run()
        for name, arguments in (("labels", ("labels", "omok", "--runs", "20", "--corpus", "none")),
                                ("certificate", ("explore", "omok", "--setup", "size=3", "--depth", "2"))):
            (self.path / f"{name}.json").write_text(run(*arguments, "--json", cwd=self.path).stdout)
        canaries = run("canaries", "omok", "--canary", CANARY, "--trials", "1", "--seconds", "60", "--jobs", "1",
                       "--corpus", "none", "--json", cwd=self.path)
        (self.path / "canaries.json").write_text(canaries.stdout)
        (self.path / "proofs.json").write_text(json.dumps({"uncovered": {}, "claims": [
            {"game": "omok", "claim": "shifts", "says": "as defined", "answer": "proved", "variables": 3, "clauses": 4,
             "seconds": 0.5}]}))
        one = {"name": "omok/x", "before": 2.0, "after": 1.0, "ratio": 0.5, "low": 0.4, "high": 0.6,
               "verdict": "faster"}
        versions = [{"revision": "a"}, {"revision": "b"}]
        (self.path / "compare.json").write_text(json.dumps({
            "schema": 1, "before": versions[0], "after": versions[1], "times": [one], "instructions": [],
            "behaviour": [{"game": "omok", "verdict": "equal", "reason": "", "scenarios": 5, "steps": 6}]}))
        (self.path / "history.json").write_text(json.dumps({
            "schema": 1, "versions": versions, "measure": "time", "history": {"omok/x": [one, one]}}))
        more = ["labels.json", "certificate.json", "proofs.json", "compare.json", "history.json", "certificate.json",
                "canaries.json"]
        run("html", "run.json", *more, cwd=self.path)
        data = self.data(self.path / "run.html")
        self.assertEqual([each["kind"] for each in data["sections"]],
                         ["certificates", "proofs", "compare", "history", "canaries"])
        self.assertEqual(len(data["sections"][0]["tables"][0]["rows"]), 2)
        self.assertEqual(data["sections"][3]["history"]["series"], [{"name": "omok/x", "values": [0.5, 0.5]}])
        self.assertEqual(data["labels"][0]["game"], "omok")

    def test_another_file_is_refused_with_the_place_and_what_was_expected(self):
        report = self.a_run()
        game = report["games"][0]
        wrong = self.path / "wrong.json"

        def said(text, *more):
            wrong.write_text(text if isinstance(text, str) else json.dumps(text))
            return run("html", wrong, *more, cwd=self.path, expected=2).stderr

        self.assertIn("wrong.json: not JSON: parse error at line 1, column", said("{"))
        self.assertIn("expected what 'fuzz --json' wrote", said({"levels": []}))
        self.assertIn("wrong.json: schema: expected a schema up to 3", said({**report, "schema": 99}))
        self.assertIn("wrong.json: games: expected an array", said({**report, "games": {}}))
        self.assertIn("wrong.json: games[0].engines: expected an array, found a string",
                      said({**report, "games": [{**game, "engines": "x"}]}))
        less = {key: value for key, value in game.items() if key != "canary"}
        self.assertIn("games[0]: expected an object with the member 'canary'", said({**report, "games": [less]}))
        timeline = {**game["timeline"], "features": [1]}
        self.assertIn("games[0].timeline.features: expected ",
                      said({**report, "games": [{**game, "timeline": timeline}]}))
        timeline = {**game["timeline"], "seconds": [1] * len(game["timeline"]["seconds"])}
        self.assertIn("expected more seconds than before",
                      said({**report, "games": [{**game, "timeline": timeline}]}))
        other = self.path / "other.json"
        other.write_text("{}")
        self.assertIn("other.json: expected what labels, canaries", said(report, other))
        self.assertIn("run.json is read for the page",
                      run("html", "run.json", "-o", "run.json", cwd=self.path, expected=2).stderr)
        scenario = ROOT / "corpus" / "omok" / "sample_1.txt"
        self.assertIn("is a scenario, and not a run",
                      run("html", scenario, "run.json", "-o", "x.html", cwd=self.path, expected=2).stderr)
        for page, why in (("/proc/nowhere/x.html", "/proc/nowhere"), ("/tmp", "/tmp is a folder; expected a file")):
            refused = run("fuzz", "omok", "--seconds", "600", "--html", page, cwd=self.path, expected=2)
            self.assertIn(why, refused.stderr)
        for other in ("--sarif", "--junit"):
            same = run("fuzz", "omok", "--seconds", "600", "--html", "x", other, "x", cwd=self.path, expected=2)
            self.assertIn(f"--html and {other} name the same file, x", same.stderr)

    def test_a_large_or_hostile_run_is_cut_and_stays_text(self):
        report = self.a_run()
        game = report["games"][0]
        evil = "</script><script>alert(1)</script>" * 30
        finding = {"signature": evil, "file": evil, "engine": evil, "explanation": evil, "minimal": True,
                   "hidden_state": False, "unstable": False, "seconds": 1, "scenarios": 1, "actions": 1}
        games = [{**game, "name": f"{evil}{i}", "findings": [finding] * 1000} for i in range(60)]
        (self.path / "large.json").write_text(json.dumps({**report, "games": games}))
        run("html", "large.json", cwd=self.path)
        page = self.path / "large.html"
        self.assertLess(page.stat().st_size, 5_000_000)
        self.assertNotIn("<script>alert", page.read_text())
        data = self.data(page)
        self.assertLess(data["itemsLeft"], 400)
        self.assertGreater(data["run"]["games"][0]["findingsLeftOut"], 500)

    def test_a_running_campaign_writes_its_page_anew_until_it_ends(self):
        process = self.campaign("out", "--html", "page.html")
        page = self.path / "page.html"
        seen = []

        def look():
            """Each page that is read is whole: it is renamed into its place."""
            if page.exists():
                self.assertTrue(page.read_text().endswith("</html>\n"))
                seen.append(self.data(page))
            return seen and seen[-1]["run"]["games"]

        wait_for(look)
        first = seen[-1]
        wait_for(lambda: look() and seen[-1]["written"] > first["written"])
        self.assertEqual(seen[0]["run"]["games"], [])  # it is there from the beginning
        for data in seen:
            self.assertTrue(data["doing"])
            self.assertLess(abs(data["written"] - time.time()), 600)
        self.assertRegex(seen[-1]["doing"], r"^omok: .* left \(1 built-in\)$")
        self.assertGreater(seen[-1]["run"]["games"][0]["scenarios"], first["run"]["games"][0]["scenarios"])
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 130)
        self.assertEqual([self.data(page)[key] for key in ("doing", "written")], ["", None])

    def test_a_killed_campaign_leaves_a_page_that_shows_its_age(self):
        process = self.begun("out", "--html", "page.html")
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.assertTrue(self.data(self.path / "page.html")["doing"])

    def test_merge_writes_the_page_of_all_shards_also_before_all_have_begun(self):
        fuzz = ("fuzz", "omok", *BUILT_IN, "--no-canary", "--runs", "300", "--exchange", "shared", "--shard")
        run(*fuzz, "1/2", cwd=self.path)
        run("merge", "shared", "--html", "page.html", cwd=self.path, expected=3)  # one has not begun
        half = self.data(self.path / "page.html")
        run(*fuzz, "2/2", cwd=self.path)
        run("merge", "shared", "--html", "page.html", cwd=self.path)
        whole = self.data(self.path / "page.html")
        self.assertEqual((half["doing"], whole["doing"]), ("", ""))
        self.assertGreater(whole["run"]["games"][0]["scenarios"], half["run"]["games"][0]["scenarios"])
        self.assertEqual(whole["run"]["games"][0]["scenarios"], 300)
        explore = ("explore", "omok", "--setup", "size=3", "--depth", "1", "--shard", "1/1", "--exchange", "walk")
        run(*explore, cwd=self.path)
        self.assertIn("shards of fuzz", run("merge", "walk", "--html", "x.html", cwd=self.path, expected=2).stderr)


if __name__ == "__main__":
    unittest.main()
