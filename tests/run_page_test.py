#!/usr/bin/env python3
"""Tests of the page of a campaign: the timeline in fuzz --json, `html RUN`, `fuzz --html` and `merge --html`.

usage: run_page_test.py LOCKSTEP ROOT [TEST…]
"""
import json
import time
import unittest
from pathlib import Path

from case import BUILT_IN, Case, ROOT, data_of, interrupt, kill, refused, report, run, wait_for, written

CANARY = "six_counts_as_five"  # of omok
FUZZ = ["fuzz", "omok", *BUILT_IN, "--jobs", "1", "--seed", "1"]
FINDS = [*FUZZ, "--with", CANARY, "--runs", "100000"]


class Page(Case):
    """Without a browser."""

    def campaign(self):
        return self.start(*FUZZ, "--seconds", "600", "--no-canary", "--html", "page.html")

    def test_the_timeline_grows_to_the_counts_of_the_run(self):
        said = report(*FUZZ, "--with", CANARY, "--runs", "3000", "--keep-going", expected=1)
        self.assertEqual(said["schema"], 4)
        self.assertTrue(said["program"].startswith("lockstep "))
        game, = said["systems"]
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

    def a_run(self, *words) -> dict:
        """Writes it in the words of before, which are read for one release."""
        said = report(*(words or [*FUZZ, "--runs", "300"]), expected=1 if words else 0)
        written("run.json", json.dumps(said).replace('"systems"', '"games"').replace('"implementations"', '"simulators"'))
        return said

    def test_fuzz_and_html_write_the_page_of_a_run(self):
        run(*FINDS, "--html", "page.html", expected=1)
        game, = data_of("page.html")["run"]["systems"]
        finding, = game["findings"]
        self.assertIn(CANARY, finding["signature"])
        self.assertEqual(finding["page"], "")
        said = self.a_run()
        self.assertEqual(run("html", "run.json", expected=0).stdout, "run.html\n")
        shown = data_of("run.html")["run"]
        self.assertEqual(shown["systems"][0]["timeline"]["seconds"], said["systems"][0]["timeline"]["seconds"])
        self.assertEqual(shown["seed"], str(said["seed"]))
        self.assertLess(Path("run.html").stat().st_size, 500_000)

    def test_a_finding_with_a_page_is_linked_from_where_the_page_of_the_run_is(self):
        finds = [*FINDS, "--out", "out dir"]
        run(*finds, expected=1)
        finding, = Path("out dir").glob("*.txt")
        run("html", finding, expected=0)
        self.a_run(*finds)
        Path("pages").mkdir()
        run("html", "run.json", "-o", "pages/run.html", expected=0)
        page = data_of("pages/run.html")["run"]["systems"][0]["findings"][0]["page"]
        self.assertEqual(page, f"./../out%20dir/{finding.stem}.html")

    def test_what_other_verbs_wrote_is_shown(self):
        self.a_run()
        one = {"name": "omok/x", "before": 2.0, "after": 1.0, "ratio": 0.5, "low": 0.4, "high": 0.6, "verdict": "faster"}
        versions = [{"revision": "a"}, {"revision": "b"}]
        for name, content in (
                ("labels", report("labels", "omok", "--runs", "20", "--corpus", "none")),
                ("certificate", report("explore", "omok", "--setup", "size=3", "--depth", "2")),
                ("canaries", report("canaries", "omok", "--canary", CANARY, "--trials", "1", "--seconds", "60", "--jobs", "1",
                                    "--corpus", "none")),
                ("proofs", {"uncovered": {}, "claims": [{"system": "omok", "claim": "shifts", "says": "as defined",
                                                         "answer": "proved", "variables": 3, "clauses": 4, "seconds": 0.5}]}),
                ("compare", {"schema": 2, "before": versions[0], "after": versions[1], "times": [one], "instructions": [],
                             "behaviour": [{"system": "omok", "verdict": "equal", "reason": "", "scenarios": 5, "steps": 6}]}),
                ("history", {"schema": 2, "versions": versions, "measure": "time", "history": {"omok/x": [one, one]}})):
            written(f"{name}.json", json.dumps(content))
        run("html", "run.json", "labels.json", "certificate.json", "proofs.json", "compare.json", "history.json",
            "certificate.json", "canaries.json", expected=0)
        data = data_of("run.html")
        more = data["more"]
        self.assertEqual([each["kind"] for each in more],
                         ["labels", "certificates", "proofs", "compare", "history", "certificates", "canaries"])
        self.assertEqual(more[4]["history"], [["omok/x", [{"ratio": 0.5}, {"ratio": 0.5}]]])
        self.assertEqual(more[0]["systems"][0]["system"], "omok")

    def test_another_file_is_refused_with_the_place_and_what_was_expected(self):
        whole = self.a_run()
        game, = whole["systems"]
        timeline = game["timeline"]

        def refuse(said, content, *more):
            refused(said, "html", written("wrong.json", content if isinstance(content, str) else json.dumps(content)), *more)

        refuse("wrong.json: not JSON: parse error at line 1, column", "{")
        refuse("expected what 'fuzz --json' wrote", {"levels": []})
        refuse("wrong.json: schema: expected a schema up to 4", {**whole, "schema": 99})
        refuse("wrong.json: systems: expected an array", {**whole, "systems": {}})
        for said, wrong in (
                ("wrong.json: systems[0].engines: expected an array, found a string", {**game, "engines": "x"}),
                ("systems[0]: expected an object with the member 'canary'", {key: game[key] for key in game if key != "canary"}),
                ("systems[0].timeline.features: expected ", {**game, "timeline": {**timeline, "features": [1]}}),
                ("expected more seconds than before",
                 {**game, "timeline": {**timeline, "seconds": [1] * len(timeline["seconds"])}})):
            refuse(said, {**whole, "systems": [wrong]})
        refuse("other.json: expected what labels, canaries", whole, written("other.json", "{}"))
        fuzz = ["fuzz", "omok", "--seconds", "600", "--html"]
        for said, *words in (
                ("run.json is read for the page", "html", "run.json", "-o", "run.json"),
                ("is a scenario, and not a run", "html", ROOT / "corpus/omok/sample_1.txt", "run.json", "-o", "x.html"),
                ("/proc/nowhere", *fuzz, "/proc/nowhere/x.html"), ("/tmp is a folder; expected a file", *fuzz, "/tmp"),
                ("--html and --sarif name the same file, x", *fuzz, "x", "--sarif", "x"),
                ("--html and --junit name the same file, x", *fuzz, "x", "--junit", "x")):
            refused(said, *words)

    def test_a_large_or_hostile_run_is_cut_and_stays_text(self):
        whole = self.a_run()
        evil = "</script><script>alert(1)</script>" * 30
        finding = {"signature": evil, "file": evil, "engine": evil, "explanation": evil, "minimal": True,
                   "hidden_state": False, "unstable": False, "seconds": 1, "scenarios": 1, "actions": 1}
        short = finding | dict.fromkeys(("signature", "file", "engine", "explanation"), "<b>")
        games = [{**whole["systems"][0], "name": f"{evil}{i}", "findings": [finding] + [short] * 999} for i in range(60)]
        written("large.json", json.dumps({**whole, "systems": games}))
        run("html", "large.json", expected=0)
        page = Path("large.html")
        self.assertLess(page.stat().st_size, 5_000_000)
        self.assertNotIn("<script>alert", page.read_text())
        data = data_of(page)
        self.assertLess(data["itemsLeft"], 400)
        self.assertGreater(data["run"]["systems"][0]["findings_left_out"], 500)

    def test_a_running_campaign_writes_its_page_anew_until_it_ends(self):
        process = self.campaign()
        page = Path("page.html")
        seen = []

        def look():
            """Each page that is read is whole: it is renamed into its place."""
            if page.exists():
                self.assertTrue(page.read_text().endswith("</html>\n"))
                seen.append(data_of(page))
            return seen and seen[-1]["run"]["systems"]

        wait_for(look)
        first = seen[-1]
        wait_for(lambda: look() and seen[-1]["written"] > first["written"])
        self.assertEqual(seen[0]["run"]["systems"], [])  # it is there from the beginning
        for data in seen:
            self.assertTrue(data["doing"])
            self.assertLess(abs(data["written"] - time.time()), 600)
        self.assertRegex(seen[-1]["doing"], r"^omok: .* left \(1 built-in\)$")
        self.assertGreater(seen[-1]["run"]["systems"][0]["scenarios"], first["run"]["systems"][0]["scenarios"])
        interrupt(process)
        self.assertEqual([data_of(page)[key] for key in ("doing", "written")], ["", None])

    def test_a_killed_campaign_leaves_a_page_that_shows_its_age(self):
        process = self.campaign()
        state = Path("findings/unfinished-fuzz-run.json")
        wait_for(lambda: state.exists() and json.loads(state.read_text())["results"])
        kill(process)
        self.assertTrue(data_of("page.html")["doing"])

    def test_merge_writes_the_page_of_all_shards_also_before_all_have_begun(self):
        fuzz = [*FUZZ, "--no-canary", "--runs", "300", "--exchange", "shared", "--shard"]
        run(*fuzz, "1/2", expected=0)
        run("merge", "shared", "--html", "page.html", expected=3)  # one has not begun
        half = data_of("page.html")
        run(*fuzz, "2/2", expected=0)
        run("merge", "shared", "--html", "page.html", expected=0)
        whole = data_of("page.html")
        self.assertEqual((half["doing"], whole["doing"]), ("", ""))
        self.assertGreater(whole["run"]["systems"][0]["scenarios"], half["run"]["systems"][0]["scenarios"])
        self.assertEqual(whole["run"]["systems"][0]["scenarios"], 300)
        run("explore", "omok", "--setup", "size=3", "--depth", "1", "--shard", "1/1", "--exchange", "walk", expected=0)
        self.assertIn("shards of fuzz", run("merge", "walk", "--html", "x.html", expected=2).stderr)


if __name__ == "__main__":
    unittest.main()
