#!/usr/bin/env python3
"""Tests of what one sees of a campaign: the timeline in fuzz --json, `html RUN`, `fuzz --html` and `watch`.

usage: watch_test.py [CLASS] LOCKSTEP ROOT     Terminal needs tmux
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

ROOT = Path(sys.argv.pop()).resolve()
LOCKSTEP = str(Path(sys.argv.pop()).resolve())
BUILT_IN = ("--engine", "uniform,swarm,suggested,mutated", "--jobs", "1", "--seed", "1")
CANARY = "six_counts_as_five"  # of omok
COLUMNS, ROWS = 80, 24


def run(*arguments, cwd, expected=0):
    result = subprocess.run([LOCKSTEP, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=300,
                            check=False, env={**os.environ, "NO_COLOR": "1"})
    assert result.returncode == expected, (arguments, result.returncode, result.stdout, result.stderr)
    return result


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

    def begun(self, out):
        """A campaign that has written something with rates."""
        process = self.campaign(out)
        state = self.path / out / "unfinished-fuzz-run.json"
        wait_for(lambda: state.exists() and json.loads(state.read_text())["results"])
        return process


class Plain(Folder):
    """Without a terminal, and without a browser."""

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

    def test_watch_shows_a_campaign_and_says_when_it_is_dead(self):
        process = self.begun("one")
        text = run("watch", "one", cwd=self.path).stdout
        self.assertRegex(text, r"^one: running, seed 7, 1 job, \d+ min \d+ s left\n")
        self.assertIn("system 1 of 1: omok; 1 built-in", text)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        wait_for(lambda: "DEAD" in subprocess.run([LOCKSTEP, "watch", "one"], cwd=self.path, capture_output=True,
                                                  text=True, check=False).stdout)
        text = run("watch", "one", cwd=self.path, expected=3).stdout
        self.assertIn("fuzz --resume --out one", text)

    def test_watch_names_interrupted_campaigns(self):
        process = self.begun("one")
        os.killpg(process.pid, signal.SIGINT)
        process.wait()
        text = run("watch", "one", cwd=self.path, expected=3).stdout
        self.assertIn("one: interrupted, seed 7", text)
        self.assertNotIn("DEAD", text)
        self.assertIn("fuzz --resume --out one", text)

    def test_watch_shows_how_a_campaign_ended(self):
        search = ("fuzz", "omok", *BUILT_IN, "--no-canary", "--out", "one")
        run(*search, "--with", CANARY, "--runs", "100000", cwd=self.path, expected=1)
        for _ in range(2):
            text = run("watch", "one", cwd=self.path).stdout
            self.assertIn("one: ended, seed 1, 1 job, after ", text)
            self.assertIn("implementations of omok differ: 1 finding in 1 system", text)
            self.assertRegex(text, r"\nomok( +\S+)+ +none +1\n")
            self.assertRegex(text, rf" after \d+ s: omok {CANARY} ")
            self.assertRegex(text, r"\n  one/omok-\w+\.txt\n")
        self.assertFalse((self.path / "one" / "unfinished-fuzz-run.json").exists())
        printed = run(*search, "--runs", "20", cwd=self.path).stdout  # another campaign, without a finding
        text = run("watch", "one", cwd=self.path).stdout
        self.assertIn(printed.splitlines()[-1], " ".join(text.splitlines()))
        self.assertIn(printed.splitlines()[1], text)
        self.assertNotIn("findings\n", text.partition("none")[2])

    def test_rates_are_over_the_last_ten_seconds_however_long_the_campaign(self):
        process = self.begun("one")
        os.killpg(process.pid, signal.SIGINT)
        process.wait()
        file = self.path / "one" / "unfinished-fuzz-run.json"
        state = json.loads(file.read_text())
        result, = state["results"]
        swarm = result["engines"]["swarm"]
        result["engines"] = {"swarm": {**swarm, "scenarios": 9_000_500, "steps": 90_000_020}}
        counts = {"scenarios": [0, 100], "steps": [0, 100], "features_first": [0, 1], "findings": [0, 0]}
        # The samples of a long campaign are far apart.
        result["timeline"] = {"interval": 800, "seconds": [0, 800], "features": [0, 1], "engines": {"swarm": counts}}
        result["seconds"] = 1500
        result["before"] = {"seconds": 1490, "engines": {"swarm": [9_000_000, 90_000_000]}}
        file.write_text(json.dumps(state))
        rows = [line.split() for line in run("watch", "one", cwd=self.path, expected=3).stdout.splitlines()]
        for name in ("swarm", "all"):
            row, = (row for row in rows if row[:1] == [name])
            self.assertIn("50", row, "scenarios a second")
            self.assertIn("2", row, "steps a second")

    def test_watch_does_not_write_and_says_where_nothing_runs(self):
        self.begun("one")
        before = sorted(each.name for each in (self.path / "one").iterdir())
        for _ in range(3):
            run("watch", "one", cwd=self.path)
        self.assertEqual(sorted(each.name for each in (self.path / "one").iterdir()), before)
        for folder in ("nowhere", "."):
            self.assertIn("no campaign runs there", run("watch", folder, cwd=self.path, expected=2).stderr)
        self.assertIn("nowhere", run("watch", "--exchange", "nowhere", cwd=self.path, expected=2).stderr)

    def test_watch_shows_every_shard_and_their_sum(self):
        shard = self.campaign(None, "--shard", "1/3", "--exchange", "shared")
        state = self.path / "shared" / "shard-1" / "unfinished-fuzz-run.json"
        wait_for(lambda: state.exists() and json.loads(state.read_text())["results"])
        run("fuzz", "omok", "--seconds", "600", "--seed", "7", "--no-canary", "--shard", "2/3", "--exchange", "shared",
            "--runs", "100", cwd=self.path, expected=2)  # another run
        text = run("watch", "--exchange", "shared", cwd=self.path).stdout
        self.assertIn("shared: 1 running, 2 not started, of 3 shards", text)
        rows = [line.split() for line in text.splitlines()]
        mine, = (row for row in rows if row[:2] == ["1", "running"])
        everything, = (row for row in rows if row[:1] == ["all"])
        self.assertEqual(mine[3:], everything[1:])
        os.killpg(shard.pid, signal.SIGKILL)
        shard.wait()
        wait_for(lambda: "1 DEAD" in subprocess.run([LOCKSTEP, "watch", "--exchange", "shared"], cwd=self.path,
                                                    capture_output=True, text=True, check=False).stdout)


class Terminal(Folder):
    """In a terminal of 80 x 24."""

    def setUp(self):
        super().setUp()
        self.socket = str(self.path / "tmux")
        self.addCleanup(lambda: self.tmux("kill-server", check=False))

    def tmux(self, *arguments, check=True):
        command = ["tmux", "-u", "-S", self.socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, cwd=self.path, check=check, capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout

    def watch(self, *arguments):
        """The verb in a terminal; its exit code is written to a file."""
        words = " ".join([LOCKSTEP, "watch", *arguments])
        self.tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS),
                  f"{words}; echo $? >{self.path}/code; sleep 600")

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def shows(self, pattern, seconds=60) -> str:
        found = []
        wait_for(lambda: found.append(self.screen()) or re.search(pattern, found[-1]), seconds)
        lines = found[-1].splitlines()
        self.assertLessEqual(len(lines), ROWS)
        self.assertTrue(all(len(line) <= COLUMNS for line in lines), found[-1])
        return found[-1]

    def assert_lined_up(self, screen: str, first: str, last: str, words: int):
        """The numbers of a table end in the columns where their titles end. The first `words` columns have none."""
        lines = screen.splitlines()
        head = next(i for i, line in enumerate(lines) if line.startswith(first))
        end = next(i for i, line in enumerate(lines) if i > head and line.startswith(last))
        ends = [match.end() for match in re.finditer(r"\S+(?: \S+)*(?=  |$)", lines[head])]
        self.assertGreater(len(ends), 5)
        for line in lines[head + 1:end + 1]:
            for place in ends[words:]:
                self.assertTrue(line[place:place + 1] in ("", " "), (lines[head], line))
            self.assertNotEqual(line[ends[-1] - 1:ends[-1]], " ", line)

    def test_a_campaign_is_readable_and_its_end_is_seen(self):
        process = self.begun("one")
        self.watch("one")
        screen = self.shows(r"steps/s +\S")
        self.assertRegex(screen, r"^one: running, seed 7, 1 job, \d+ min \d+ s left")
        self.assertRegex(screen, r"\n\[#*-+\] +\d+%")
        self.assert_lined_up(screen, "engine", "all", 1)
        self.assertRegex(screen, r"\nfeatures [▁▂▃▄▅▆▇█]+")
        os.killpg(process.pid, signal.SIGINT)
        process.wait()
        self.shows("interrupted|ended")
        wait_for((self.path / "code").exists)
        self.assertEqual((self.path / "code").read_text(), "3\n")  # it can be resumed

    def test_ctrl_c_leaves_the_campaign_alone(self):
        process = self.begun("one")
        self.watch("one")
        self.shows("running")
        self.tmux("send-keys", "C-c")
        wait_for((self.path / "code").exists)
        self.assertEqual((self.path / "code").read_text(), "130\n")
        self.assertIsNone(process.poll())

    def test_a_campaign_that_ends_ends_the_view(self):
        command = [LOCKSTEP, "fuzz", "omok", "--seconds", "6", "--jobs", "1", "--no-canary", "--out", "one"]
        process = subprocess.Popen(command, cwd=self.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        wait_for((self.path / "one" / "unfinished-fuzz-run.json").exists)
        self.watch("one")
        wait_for((self.path / "code").exists)
        self.assertEqual((self.path / "code").read_text(), "0\n")
        self.assertRegex(self.screen(), r"^one: ended, .*\n(all agree|nothing is proven): ")

    def test_two_campaigns_share_the_window(self):
        self.begun("one")
        self.begun("two")
        self.watch("one", "two")
        screen = self.shows(r"(?s)one: running.*two: running.*\nall ")
        self.assertEqual(len(re.findall(r"(?m)^all ", screen)), 2)

    def test_more_folders_than_there_is_room_for_are_counted(self):
        run("fuzz", "omok", *BUILT_IN, "--no-canary", "--with", CANARY, "--runs", "100000", "--out", "one", cwd=self.path,
            expected=1)
        names = [f"copy{i}" for i in range(1, 10)]
        for name in names:
            shutil.copytree(self.path / "one", self.path / name)
        self.watch(*names)
        screen = self.shows("more, for which there is no room")
        self.assertRegex(screen, r"^copy1: ended")
        shown = len(re.findall(r"(?m)^copy\d: ended", screen))
        self.assertGreater(shown, 2)
        self.assertIn(f"… and {9 - shown} campaigns more, for which there is no room", screen)

    def test_shards_are_readable(self):
        self.campaign(None, "--shard", "1/40", "--exchange", "shared")
        self.campaign(None, "--shard", "7/40", "--exchange", "shared")
        for shard in (1, 7):
            wait_for((self.path / "shared" / f"shard-{shard}" / "unfinished-fuzz-run.json").exists)
        self.watch("--exchange", "shared")
        screen = self.shows("2 running, 38 not started, of 40 shards")
        self.assertRegex(screen, r"\n7 +running +omok ")
        self.assertRegex(screen, r"\n… and \d+ shards more\n")
        self.assert_lined_up(screen, "shard", "1 ", 3)


if __name__ == "__main__":
    unittest.main()
