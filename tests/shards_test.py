#!/usr/bin/env python3
"""Tests of sharded runs: `explore` and `fuzz` with --shard K/N --exchange FOLDER, and `merge`.

usage: shards_test.py LOCKSTEP ROOT

The counts of shards are compared with those of a run without shards, also when shards are killed and run again: in the
core for three shards, in ./dev test long for several numbers and for more runs.
"""
import fcntl
import functools
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, NamedTuple

from length import LONG
from processes import kill_tree
import processes
import schemas

ROOT = Path(sys.argv.pop()).resolve()
LOCKSTEP = str(Path(sys.argv.pop()).resolve())
COUNTS = (1, 3, 8) if LONG else (3,)  # numbers of shards
WALK = ["explore", "ts_tetris", "5x5", "--depth", "10", "--jobs", "1"]
SWEEP = ["explore", "omok", "line_7", "--jobs", "1"]
LONG_SWEEP = ["explore", "omok", "line_9", "--jobs", "1"]
STATE = "unfinished-fuzz-run.json"  # of a shard of fuzz


run = functools.partial(processes.run, LOCKSTEP, text=False)


def start(what, index, count, folder, *more):
    """Shard `index` (from 1) of `count`, as a process."""
    return subprocess.Popen([LOCKSTEP, *map(str, what), "--shard", f"{index}/{count}", "--exchange", folder,
                             *map(str, more)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)


def run_all(what, count, folder, *more):
    """Runs all shards side by side, and returns (exit code, stdout, stderr) of each."""
    shards = [start(what, index + 1, count, folder, *more) for index in range(count)]
    outputs = [shard.communicate(timeout=1200) for shard in shards]
    return [(shard.returncode, *output) for shard, output in zip(shards, outputs)]


def fnv1a(text):
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


def saved_at(file):
    """When a file got its name; 0 if there is none."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def is_locked(folder):
    """Whether a process holds the lock of a folder."""
    try:
        with open(folder / ".lockstep-lock", "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True


def counts(report):
    return report["end"], report["levels"], report["positions"], report["steps"], report["illegal"]


def canaries(game):
    listing = json.loads(run("list", "--json", "--canaries").stdout)
    return [each["name"] for system in listing["games"] if system["name"] == game for each in system["simulators"]]


def contents(folder):
    return {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


class Reports(NamedTuple):
    printed: str   # on standard output
    run: dict      # of SARIF
    notified: str  # the notifications of that run, a line for each
    suite: Any     # of JUnit


class Life:
    """A process of a shard. It is killed at a moment: when it has saved its state so often, and so many seconds later."""

    def __init__(self, process, state, moment):
        self.process, self.state = process, state
        self.saves, self.seconds = moment or (None, 0)
        self.saved = saved_at(state)
        self.since = time.monotonic()

    def is_over(self):
        """Kills the process if its moment has come. Whether it has ended."""
        if self.saves and saved_at(self.state) != self.saved:
            self.saves, self.saved, self.since = self.saves - 1, saved_at(self.state), time.monotonic()
        if self.saves == 0 and time.monotonic() - self.since >= self.seconds and self.process.poll() is None:
            kill_tree(self.process.pid)
            self.process.wait()
        return self.process.poll() is not None


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        self.shared = self.path / "shared"

    def whole(self, what, expected=0):
        result = run(*what, "--json", cwd=self.path)
        self.assertEqual(result.returncode, expected, result.stderr.decode())
        return json.loads(result.stdout)

    def merge(self, *options, expected=0):
        """Merges, and once more: that changes no byte, neither of what is printed nor of a file. Returns what is printed."""
        def once():
            result = run("merge", self.shared, *options)
            self.assertEqual(result.returncode, expected, result.stdout.decode() + result.stderr.decode())
            return result.stdout, result.stderr, contents(self.shared)

        first = once()
        self.assertEqual(once(), first)
        return first[0]

    def merge_with_reports(self, expected):
        """What a merge prints, and its reports."""
        sarif, junit = self.path / "s.sarif", self.path / "j.xml"
        result = run("merge", self.shared, "--sarif", sarif, "--junit", junit)
        self.assertEqual(result.returncode, expected, result.stderr.decode())
        one, = schemas.sarif(sarif.read_text())["runs"]
        notified = [each["message"]["text"] for each in one["invocations"][0]["toolExecutionNotifications"]]
        return Reports(result.stdout.decode(), one, "\n".join(notified), schemas.junit(junit.read_text()))

    def merged(self, expected=0):
        return json.loads(self.merge("--json", expected=expected))

    def run_and_kill(self, what, count, state, moments, look):
        """Runs all shards side by side, each again until it ends. `moments` are those at which the first processes of each
        are killed. Returns what look(shard) says after each kill, and the exit codes."""
        moments = {index: iter(of_shard) for index, of_shard in moments.items()}
        seen, codes, lives = {index: [] for index in moments}, {}, {}

        def begin(index):
            lives[index] = Life(start(what, index, count, self.shared), self.shared / f"shard-{index}" / state,
                                next(moments[index], None))

        try:
            for index in moments:
                begin(index)
            while lives:
                time.sleep(0.001)
                for index in [index for index, life in lives.items() if life.is_over()]:
                    process = lives.pop(index).process
                    _, err = process.communicate()
                    codes[index] = process.returncode
                    if codes[index] != -signal.SIGKILL:
                        self.assertIn(codes[index], (0, 1), err.decode())
                        continue
                    while is_locked(self.shared / f"shard-{index}"):
                        time.sleep(0.001)  # its processes are about to end
                    seen[index].append(look(index))
                    begin(index)
        finally:
            for life in lives.values():
                if life.process.poll() is None:
                    kill_tree(life.process.pid)
                life.process.communicate()
        return seen, codes

    def run_and_kill_at_random(self, what, count, state, latest, look=lambda index: None):
        """Kills each shard up to three times, one that is alone up to six times: at random moments up to `latest`, the
        same ones each time. If fewer than half of the kills meet a process, all is run again, with earlier moments."""
        chosen = random.Random(f"{what} {count}")
        times = max(3, 6 // count)
        saves, seconds = latest
        while True:
            shutil.rmtree(self.shared, ignore_errors=True)
            moments = {index: [(chosen.randint(0, saves), chosen.uniform(0, seconds)) for _ in range(times)]
                       for index in range(1, count + 1)}
            seen, codes = self.run_and_kill(what, count, state, moments, look)
            if 2 * sum(map(len, seen.values())) >= times * count:
                return seen, codes
            saves, seconds = saves // 2, seconds / 2


class Exploring(Folder):
    def test_shards_have_the_counts_of_the_whole_whatever_their_number(self):
        for what in (WALK, SWEEP, ["explore", "stacking", "2x2_with_2", "--jobs", "1"],
                     ["explore", "omok", "--setup", "size=2"],
                     ["explore", "omok", "--setup", "size=2", "--fold", "--jobs", "2"]):
            whole = self.whole(what)
            for count in COUNTS:
                with self.subTest(what=what, shards=count):
                    shutil.rmtree(self.shared, ignore_errors=True)
                    for code, out, err in run_all(what, count, self.shared):
                        self.assertEqual(code, 0, err.decode())
                        self.assertIn(b"; shard ", out)
                    self.assertEqual(counts(self.merged()), counts(whole))

    def test_a_merge_changes_nothing_when_it_is_repeated(self):
        for what, code, said in ((WALK, 0, b"ALL AGREE"), ([*SWEEP, "--with", "run_at_the_end_missed"], 1, b"DIVERGED")):
            with self.subTest(what):
                shutil.rmtree(self.shared, ignore_errors=True)
                run_all(what, 3, self.shared)
                self.assertIn(said, self.merge(expected=code))
                self.merge("--json", expected=code)

    def test_shards_that_are_killed_at_any_moment_and_run_again_have_the_counts_of_the_whole(self):
        for what, code, numbers in ((WALK, 0, COUNTS), *([(LONG_SWEEP, 0, COUNTS)] if LONG else []),
                                    ([*WALK, "--with", "shared_cell_scores_twice"], 1, (3,)),
                                    ([*LONG_SWEEP, "--with", ",".join(canaries("omok"))], 1, (1, 3) if LONG else (3,))):
            whole = self.whole(what, expected=code)
            for count in numbers:
                with self.subTest(what=what, shards=count):
                    _, codes = self.run_and_kill_at_random([*what, "--every", "0"], count, "checkpoint", (4, 0.1))
                    self.assertEqual(max(codes.values()), code)
                    report = self.merged(expected=code)
                    self.assertEqual(counts(report), counts(whole))
                    for name in ("smallest_explored", "signature") if code else ():
                        self.assertEqual(report["finding"][name], whole["finding"][name])

    def test_a_killed_shard_goes_on_from_its_checkpoint(self):
        what = ["explore", "stacking", "2x2_with_4", "--jobs", "1"]
        shard = start(what, 1, 8, self.shared, "--every", "0")
        checkpoint = self.shared / "shard-1" / "checkpoint"

        def positions():
            if not checkpoint.exists():
                return 0
            return json.loads(checkpoint.read_bytes().split(b"\n", 1)[0])["so_far"]["positions"]

        while positions() == 0:
            self.assertIsNone(shard.poll())
            time.sleep(0.01)
        shard.kill()
        shard.communicate()
        before = positions()
        again = start(what, 1, 8, self.shared, "--every", "0", "--json")
        while positions() == before and again.poll() is None:
            time.sleep(0.01)
        again.send_signal(signal.SIGINT)
        report = json.loads(again.communicate(timeout=600)[0])
        self.assertEqual(again.returncode, 130)
        self.assertGreater(report["positions"], before)

    def test_shards_of_a_walk_may_run_one_after_another(self):
        """As in a batch system with one free place: a shard that waits gives up its place and comes again."""
        what = ["explore", "ts_tetris", "5x5", "--depth", "4"]
        for turn in range(20):
            codes = set()
            for index in (1, 2, 3):
                shard = start(what, index, 3, self.shared, "--wait", "0")
                _, err = shard.communicate(timeout=600)
                codes.add(shard.returncode)
                self.assertEqual(err, b"")
            if codes == {0}:
                break
            self.assertLessEqual(codes, {0, 3})
        self.assertGreater(turn, 2, "each depth needs the others'")
        self.assertEqual(counts(self.merged()), counts(self.whole(what)))

    def test_a_shard_that_times_out_names_the_missing_shards(self):
        shard = start(WALK, 1, 3, self.shared, "--wait", "0")
        out, _ = shard.communicate(timeout=600)
        self.assertEqual(shard.returncode, 3)
        self.assertIn(b"NOT COVERED: shards 2 and 3 did not come to the end of depth 0", out)
        self.assertNotIn(b"ALL AGREE", out)

    def test_a_merge_names_the_missing_shards_and_certifies_nothing(self):
        for index in (1, 3):
            start(SWEEP, index, 4, self.shared).communicate(timeout=600)
        result = run("merge", self.shared)
        self.assertEqual(result.returncode, 3)
        self.assertIn(b"NOT COVERED: shards 2 and 4 of 4 have not ended", result.stdout)
        self.assertNotIn(b"ALL AGREE", result.stdout)
        self.assertNotIn(b"positions  ", result.stdout)
        self.assertIn(b"shards 2 and 4 of 4 have not ended", result.stderr)
        report = self.merged(expected=3)
        self.assertIsNone(report["agreed"])
        self.assertEqual(report["missing"], [2, 4])
        self.assertIn("shards 2 and 4 of 4 have not ended", report["reason"])
        for index in (2, 4):
            start(SWEEP, index, 4, self.shared).communicate(timeout=600)
        self.assertEqual(run("merge", self.shared).returncode, 0)

    def test_shards_find_the_smallest_difference_of_the_whole(self):
        for what in (["explore", "ts_tetris", "5x5", "--with", "shared_cell_scores_twice"],
                     ["explore", "omok", "line_7", "--with", "run_at_the_end_missed"]):
            whole = self.whole(what, expected=1)
            for count in COUNTS:
                with self.subTest(what=what, shards=count):
                    shutil.rmtree(self.shared, ignore_errors=True)
                    codes = [code for code, _, _ in run_all(what, count, self.shared)]
                    self.assertIn(1, codes)
                    self.assertLessEqual(set(codes), {0, 1})
                    report = self.merged(expected=1)
                    self.assertEqual(counts(report), counts(whole))
                    finding = report["finding"]
                    self.assertEqual(finding["smallest_explored"], whole["finding"]["smallest_explored"])
                    self.assertEqual(finding["signature"], whole["finding"]["signature"])
                    self.assertEqual(run("replay", finding["file"]).returncode, 1)

    def test_a_difference_is_reported_before_all_shards_have_ended(self):
        what = ["explore", "omok", "line_7", "--with", "run_at_the_end_missed"]
        for index in range(1, 9):
            shard = start(what, index, 8, self.shared)
            shard.communicate(timeout=600)
            if shard.returncode == 1:
                break
        result = run("merge", self.shared)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"DIVERGED", result.stdout)
        self.assertIn(b"have not ended" if index < 7 else b"has not ended", result.stderr)

    def test_what_is_missing_is_said_beside_a_difference(self):
        what = ["explore", "omok", "line_7", "--with", "run_at_the_end_missed"]
        for index in range(1, 9):
            shard = start(what, index, 8, self.shared)
            shard.communicate(timeout=600)
            if shard.returncode == 1:
                break
        (self.shared / f"shard-{index % 8 + 1}" / "result.json").unlink(missing_ok=True)
        report = self.merge_with_reports(1)
        self.assertIn("\na scenario that differs:\n", report.printed)
        self.assertNotIn("the smallest", report.printed)
        self.assertEqual(len(report.run["results"]), 1)
        self.assertRegex(report.notified, r"^shards? .* of 8 ha(s|ve) not ended")
        self.assertEqual([each.tag for case in report.suite for each in case], ["failure", "error"])
        self.assertIn("of 8 ha", report.suite.find("testcase/error").get("message"))

    def test_a_file_that_cannot_be_read_is_not_called_damaged(self):
        run_all(SWEEP, 2, self.shared)
        own = self.shared / "shard-1" / "result.json"
        for file, shown in ((own, "shard-1/result.json"), (self.shared / "run.json", "run.json")):
            text = file.read_text()
            file.unlink()
            file.mkdir()  # a test that runs as root may read any file
            for arguments in (["merge", self.shared], [*SWEEP, "--shard", "1/2", "--exchange", self.shared]):
                with self.subTest(file=shown, arguments=arguments[0]):
                    result = run(*arguments)
                    self.assertEqual(result.returncode, 2)
                    said = result.stderr.decode()
                    self.assertIn(f"{shown}: cannot be read: is a folder, not a file; it may be whole: make it readable", said)
                    self.assertNotIn("remove", said)
            file.rmdir()
            file.write_text(text)
        own.write_text(own.read_text()[:-9])
        for arguments in (["merge", self.shared], [*SWEEP, "--shard", "1/2", "--exchange", self.shared]):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"shard-1/result.json: is damaged: remove the file and run the shard again\n", result.stderr)
            self.assertNotIn(b"json.exception", result.stderr)

    def test_a_difference_is_not_lost_while_its_shard_waits_for_others(self):
        what = ["explore", "ts_tetris", "5x5", "--with", "shared_cell_scores_twice", "--wait", "0"]
        for _ in range(60):
            for index in (1, 2, 3):
                shard = start(what, index, 3, self.shared, "--json")
                report = json.loads(shard.communicate(timeout=600)[0])
                found = "finding" in report
                self.assertEqual(shard.returncode == 1, found or report["end"] == "diverged", report)
                if not found or report["end"] == "diverged":
                    continue
                self.assertIs(report["agreed"], False)
                result = run("merge", self.shared)
                self.assertEqual(result.returncode, 1)
                self.assertIn(b"not yet known to be the smallest", result.stderr)
                self.assertIn(b"DIVERGED", result.stdout)
                return
        self.fail("no shard found a difference before the others came")

    def test_a_difference_is_not_lost_when_its_shard_is_killed_while_it_waits(self):
        what = ["explore", "ts_tetris", "5x5", "--with", "shared_cell_scores_twice"]
        index = self.shard_with_an_early_finding()
        self.forget_what_was_reported(index)
        own = self.shared / f"shard-{index}"
        for times in (1, 2):
            result = run("merge", self.shared, "--json")
            self.assertEqual(result.returncode, 1, result.stderr.decode())
            self.assertIn(b"not yet known to be the smallest", result.stderr)
            finding = json.loads(result.stdout)["finding"]
            self.assertIn("shared_cell_scores_twice", finding["signature"])
            self.assertEqual(run("replay", finding["file"]).returncode, 1)
        # A shard that waits has its difference in its checkpoint, however long ago the last one was due.
        head = json.loads((own / "checkpoint").read_bytes().split(b"\n", 1)[0])
        (own / "checkpoint").unlink()
        shard = start(what, index, 3, self.shared, "--every", "86400")
        def saved():
            file = own / "checkpoint"
            return file.exists() and json.loads(file.read_bytes().split(b"\n", 1)[0])["failed"]
        while not saved():
            self.assertIsNone(shard.poll())
            time.sleep(0.01)
        self.assertEqual(saved(), head["failed"])
        shard.kill()
        shard.communicate()
        self.assertEqual(run("merge", self.shared).returncode, 1)

    def shard_with_an_early_finding(self):
        """Runs the three shards of a walk in turn, until one has found a difference and waits. Returns its number."""
        what = ["explore", "ts_tetris", "5x5", "--with", "shared_cell_scores_twice"]
        for _ in range(60):
            for index in (1, 2, 3):
                shard = start(what, index, 3, self.shared, "--wait", "0", "--json")
                if "finding" in json.loads(shard.communicate(timeout=600)[0]):
                    return index
        self.fail("no shard found a difference before the others came")

    def forget_what_was_reported(self, index):
        """As if the shard had been killed while it waited: only its checkpoint has the difference."""
        own = self.shared / f"shard-{index}"
        for file in [own / "finding.json", *own.glob("*.txt"), *own.glob("result.json")]:
            file.unlink(missing_ok=True)

    def test_a_damaged_shard_hides_no_difference_of_another_one(self):
        finder = self.shard_with_an_early_finding()
        self.forget_what_was_reported(finder)
        others = sorted({1, 2, 3} - {finder})
        for file, text in (("checkpoint", b"{"), ("finding.json", b"{}"), ("result.json", b"\xff")):
            with self.subTest(file):
                for index in others:
                    (self.shared / f"shard-{index}" / file).write_bytes(text)
                sarif, junit = self.path / "s.sarif", self.path / "j.xml"
                result = run("merge", self.shared, "--json", "--sarif", sarif, "--junit", junit)
                self.assertEqual(result.returncode, 1, result.stderr.decode())
                for index in others:
                    self.assertIn(f"shard-{index}/{file}: is ".encode(), result.stderr)
                finding = json.loads(result.stdout)["finding"]
                self.assertEqual(run("replay", finding["file"]).returncode, 1)
                results = json.loads(sarif.read_text())["runs"][0]["results"]
                self.assertEqual([each["properties"]["signature"] for each in results], [finding["signature"]])
                self.assertIn('failures="1"', junit.read_text())
        # Without a difference, the damage is what is left to say.
        shutil.rmtree(self.shared / f"shard-{finder}")
        result = run("merge", self.shared)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"NOT COVERED", result.stdout)

    def test_a_difference_that_cannot_be_shrunk_is_kept_as_it_was_found(self):
        finder = self.shard_with_an_early_finding()
        self.forget_what_was_reported(finder)
        checkpoint = self.shared / f"shard-{finder}" / "checkpoint"
        line, rest = checkpoint.read_bytes().split(b"\n", 1)
        head = json.loads(line)
        text = head["failed"][:head["failed"].index("actions\n")] + "actions\n"
        head["failed"] = text  # a scenario on which all agree
        head.pop("head")
        head["head"] = fnv1a(json.dumps(head, separators=(",", ":")))
        checkpoint.write_bytes(json.dumps(head, separators=(",", ":")).encode() + b"\n" + rest)
        sarif, junit = self.path / "s.sarif", self.path / "j.xml"
        result = run("merge", self.shared, "--json", "--sarif", sarif, "--junit", junit)
        self.assertEqual(result.returncode, 1, result.stderr.decode())
        finding = json.loads(result.stdout)["finding"]
        self.assertIs(finding["minimal"], False)
        self.assertIn("not shrunk: it did not differ when it was judged again", finding["explanation"])
        kept = [each for each in Path(finding["file"]).read_text().splitlines(True) if not each.startswith("#")]
        self.assertEqual("".join(kept), text)
        reported, = json.loads(sarif.read_text())["runs"][0]["results"]
        self.assertEqual(reported["properties"]["signature"], finding["signature"])
        self.assertIn('failures="1"', junit.read_text())
        printed = run("merge", self.shared).stdout.decode()
        self.assertIn("not shrunk: ", printed)
        self.assertIn("replay it: ", printed)

    def test_a_merge_judges_with_the_timeout_of_the_run(self):
        self.forget_what_was_reported(self.shard_with_an_early_finding())
        file = self.shared / "run.json"
        file.write_text(file.read_text().replace('"timeout_ms"', '"no_timeout"'))
        result = run("merge", self.shared)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"run.json: is damaged: it names no timeout", result.stderr)

    def test_a_shard_that_cannot_be_merged_says_why_first(self):
        for index in (1, 3):
            start(SWEEP, index, 4, self.shared).communicate(timeout=600)
        file = self.shared / "shard-3" / "result.json"
        result = json.loads(file.read_text())
        result["explored"].update(end="cannot judge", reason="no two runs are alike")
        file.write_text(json.dumps(result))
        merged = run("merge", self.shared)
        self.assertEqual(merged.returncode, 3)
        self.assertIn(b"NOT COVERED: no two runs are alike", merged.stdout)
        self.assertIn(b"shards 2 and 4 of 4 have not ended", merged.stderr)

    def test_a_finished_shard_only_reports_again(self):
        run_all(SWEEP, 1, self.shared)
        file = self.shared / "shard-1" / "result.json"
        before = file.stat().st_mtime_ns
        again = run(*SWEEP, "--shard", "1/1", "--exchange", self.shared)
        self.assertEqual(again.returncode, 0)
        self.assertIn(b"ALL AGREE", again.stdout)
        self.assertEqual(file.stat().st_mtime_ns, before)

    def test_a_finished_shard_writes_its_finding_where_it_says(self):
        what = ["explore", "omok", "line_7", "--with", "run_at_the_end_missed"]
        run_all(what, 1, self.shared)
        again = run(*what, "--shard", "1/1", "--exchange", self.shared, "--out", self.path / "own", "--json")
        self.assertEqual(again.returncode, 1)
        file = Path(json.loads(again.stdout)["finding"]["file"])
        self.assertEqual(file.parent, self.path / "own")
        self.assertEqual(run("replay", file).returncode, 1)

    def test_a_folder_of_another_run_is_refused(self):
        run_all(SWEEP, 1, self.shared)
        for what, shard, said in (
                (["explore", "omok", "line_15"], "1/1", b'its exploration is "line_7", not "line_15"'),
                (["explore", "ts_tetris", "5x5"], "1/1", b'its game is "omok", not "ts_tetris"'),
                (SWEEP, "1/2", b"it has 1 shard, not 2"),
                ([*SWEEP, "--with", "run_at_the_end_missed"], "1/1", b"its simulators is"),
                ([*SWEEP, "--timeout", "77"], "1/1", b"not 77000")):
            result = run(*what, "--shard", shard, "--exchange", self.shared)
            self.assertEqual(result.returncode, 2, what)
            self.assertIn(b"is the folder of another run", result.stderr)
            self.assertIn(said, result.stderr)
            self.assertEqual(result.stdout, b"")
        file = self.shared / "run.json"
        text = file.read_text()
        file.write_text(text.replace('"program": "', '"program": "x'))
        result = run(*SWEEP, "--shard", "1/1", "--exchange", self.shared)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"begun by another build", result.stderr)
        for broken in ("", "{}", "[1]", text[:-9], text.replace('"shards": 1', '"shards": 0'),
                       text.replace('"lockstep_shards": 1', '"lockstep_shards": 99')):
            file.write_text(broken)
            for arguments in ([*SWEEP, "--shard", "1/1", "--exchange", self.shared], ["merge", self.shared]):
                result = run(*arguments)
                self.assertEqual(result.returncode, 2, (broken, arguments))
                self.assertIn(b"run.json", result.stderr)

    def test_a_folder_of_something_else_is_refused(self):
        for folder in (ROOT / "corpus", self.path / "missing"):
            result = run("merge", folder)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"this is not the folder of a sharded run", result.stderr)
        result = run(*SWEEP, "--shard", "1/1", "--exchange", ROOT / "corpus")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"is neither empty nor the folder of a sharded run", result.stderr)

    def test_damaged_files_are_named(self):
        run_all(WALK, 2, self.shared)
        level = self.shared / "shard-1" / "level-5"
        whole = level.read_bytes()
        (self.shared / "shard-2" / "result.json").unlink()
        (self.shared / "shard-2" / "checkpoint").unlink()
        for broken in (b"", whole[:40], whole[:-5], whole[:-1] + bytes([whole[-1] ^ 1])):
            level.write_bytes(broken)
            result = run(*WALK, "--shard", "2/2", "--exchange", self.shared)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"shard-1/level-5: is damaged; remove ", result.stderr)
        level.write_bytes(whole)
        self.assertEqual(run(*WALK, "--shard", "2/2", "--exchange", self.shared).returncode, 0)
        result_file = self.shared / "shard-1" / "result.json"
        result_file.write_text("{}")
        result = run("merge", self.shared)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"result.json: is damaged", result.stderr)

    def test_a_shard_runs_once_at_a_time(self):
        what = ["explore", "stacking", "2x2_with_4"]
        shard = start(what, 1, 8, self.shared)
        while not is_locked(self.shared / "shard-1"):
            self.assertIsNone(shard.poll())
            time.sleep(0.01)
        second = run(*what, "--shard", "1/8", "--exchange", self.shared)
        self.assertEqual(second.returncode, 2)
        self.assertIn(b"shard 1/8 is running already", second.stderr)
        self.assertIsNone(shard.poll())
        shard.kill()
        shard.communicate()

    def test_wrong_options_are_refused(self):
        for more, said in (
                (["--shard", "1/2"], b"--exchange"),
                (["--exchange", self.shared], b"--shard"),
                (["--shard", "3/2", "--exchange", self.shared], b"lockstep: --shard: expected K/N with K from 1 to N "),
                (["--shard", "3/2", "--exchange", self.shared], b" for the third of 8; got 3/2\n"),
                (["--shard", "0/2", "--exchange", self.shared], b"expected K/N with K from 1"),
                (["--shard", "1/2", "--exchange", self.shared, "--checkpoint", "c"], b"leave --checkpoint and --resume out")):
            result = run(*SWEEP, *more)
            self.assertEqual(result.returncode, 2, more)
            self.assertIn(said, result.stderr)
            self.assertFalse(self.shared.exists())


class Saved(NamedTuple):
    """What a shard of fuzz has saved."""
    judged: int = 0                 # scenarios
    place: int = 0                  # of the next one, in the stream
    ended: bool = False             # the search, not the shard
    found: frozenset = frozenset()  # signatures


class Fuzzing(Folder):
    SEARCH = ["fuzz", "omok", "--seed", "5", "--jobs", "1", "--corpus", "none"]
    UNIFORM = [*SEARCH, "--runs", "240", "--engine", "uniform", "--no-canary"]
    AGREEING = [*SEARCH, "--runs", "60000", "--engine", "uniform", "--no-canary"]
    # Some of the signatures are rare: only one shard finds them.
    DIFFERING = [*SEARCH, "--runs", "20000", "--engine", "uniform", "--no-canary", "--keep-going", "--with",
                 "rows_wrap_around,shared_stone_forgets_both"]
    CANARY = [*SEARCH, "--runs", "3000", "--engine", "swarm", "--no-canary", "--with", "placing_replaces"]

    def game(self, expected=0):
        return self.merged(expected)["games"][0]

    def test_shards_draw_the_stream_of_the_whole_whatever_their_number(self):
        whole = self.whole(self.UNIFORM)["games"][0]
        self.assertEqual(whole["scenarios"], 240)
        for count in COUNTS:
            with self.subTest(shards=count):
                shutil.rmtree(self.shared, ignore_errors=True)
                for code, _, err in run_all(self.UNIFORM, count, self.shared):
                    self.assertEqual(code, 0, err.decode())
                game = self.game()
                for name in ("scenarios", "steps", "features_reached", "features", "simulators", "findings"):
                    self.assertEqual(game[name], whole[name], name)

    def test_shards_may_have_different_numbers_of_jobs(self):
        search = [*self.UNIFORM[:4], *self.UNIFORM[6:]]
        for index, jobs in ((1, 1), (2, 3), (3, 2)):
            shard = start([*search, "--jobs", jobs], index, 3, self.shared)
            _, err = shard.communicate(timeout=600)
            self.assertEqual(shard.returncode, 0, err.decode())
        self.assertEqual(self.game()["scenarios"], 240)

    def saved_by(self, index):
        own = self.shared / f"shard-{index}"
        file = next((file for file in (own / "result.json", own / STATE) if file.exists()), None)
        if file is None:
            return Saved()
        result, = json.loads(file.read_text())["results"]
        place, = result["next"]
        return Saved(sum(engine["scenarios"] for engine in result["engines"].values()), place, result["finished"],
                     frozenset(each["finding"]["signature"] for each in result["findings"]))

    def run_and_kill_without_loss(self, search, count, latest, numbers):
        """Kills the shards of a search at random moments. Each goes on exactly at the place that it has saved, passes no
        scenario over, and forgets no finding. `numbers` of a shard: those of the scenarios that it judges if it is not
        killed."""
        seen, _ = self.run_and_kill_at_random(search, count, STATE, latest, self.saved_by)
        for index, saved in seen.items():
            saved, result = [Saved(), *saved], self.saved_by(index)
            for before, after in zip(saved, [*saved[1:], result]):
                between = sum(before.place <= number < after.place for number in numbers[index])
                self.assertGreaterEqual(after.judged, before.judged + between)
                self.assertLessEqual(before.found, after.found)
            last = saved[-1]
            ended = last.ended or (last.found and "--keep-going" not in search)
            left = 0 if ended else sum(number >= last.place for number in numbers[index])
            self.assertEqual(result.judged, last.judged + left)

    def test_shards_that_are_killed_at_any_moment_lose_at_most_what_was_in_flight(self):
        for search, code, numbers, latest in (*([(self.AGREEING, 0, (3,), (1, 1))] if LONG else []),
                                              (self.DIFFERING, 1, COUNTS, (3, 0.3))):
            whole = self.whole(search, expected=code)["games"][0]
            for count in numbers:
                with self.subTest(search=search, shards=count):
                    self.run_and_kill_without_loss(search, count, latest, {
                        index: range(index - 1, whole["scenarios"], count) for index in range(1, count + 1)})
                    game = self.game(expected=code)
                    for name in ("features_reached", "features", "simulators"):
                        self.assertEqual(game[name], whole[name], name)
                    for name in ("scenarios", "steps"):
                        self.assertGreaterEqual(game[name], whole[name], name)
                    self.assertEqual(*({each["signature"] for each in report["findings"]} for report in (game, whole)))
                    for finding in game["findings"]:
                        self.assertEqual(run("replay", finding["file"]).returncode, 1)

    def test_shards_that_are_killed_on_their_way_to_the_end_lose_no_finding(self):
        """Each shard ends with its first finding, as does one that was not killed."""
        search = [*self.SEARCH, "--runs", "20000", "--engine", "uniform", "--no-canary", "--with",
                  "shared_stone_forgets_both"]
        run_all(search, 3, self.shared)
        alone = {index: self.saved_by(index) for index in (1, 2, 3)}
        merged = self.game(expected=1)
        self.run_and_kill_without_loss(search, 3, (1, 0.02), {
            index: range(index - 1, 3 * shard.judged, 3) for index, shard in alone.items()})
        self.assertEqual({index: self.saved_by(index).found for index in alone},
                         {index: shard.found for index, shard in alone.items()})
        self.assertEqual([each["signature"] for each in self.game(expected=1)["findings"]],
                         [each["signature"] for each in merged["findings"]])

    def test_a_finding_of_several_shards_is_reported_once_and_replays(self):
        codes = [code for code, _, _ in run_all(self.CANARY, 3, self.shared)]
        self.assertEqual(codes, [1, 1, 1])
        signatures = set()
        for index in (1, 2, 3):
            again = start(self.CANARY, index, 3, self.shared, "--json")
            report = json.loads(again.communicate(timeout=600)[0])
            self.assertEqual(again.returncode, 1, "a shard that has ended reports again")
            signatures |= {finding["signature"] for finding in report["games"][0]["findings"]}
        for options in ((), ("--verbose",)):
            self.assertIn(b"implementations of omok differ", self.merge(*options, expected=1))
        findings = self.game(expected=1)["findings"]
        self.assertEqual({finding["signature"] for finding in findings}, signatures)
        self.assertEqual(len(findings), len(signatures))
        for finding in findings:
            self.assertEqual(Path(finding["file"]).parent, self.shared / "merged")
            self.assertEqual(run("replay", finding["file"]).returncode, 1)

    def test_a_damaged_shard_hides_no_finding_of_another_one(self):
        run_all(self.CANARY, 3, self.shared)
        (self.shared / "shard-1" / "result.json").write_text("{")
        earlier = self.shared / "merged" / "omok-0123456789abcdef.txt"
        earlier.parent.mkdir()
        earlier.write_text("perhaps found by the damaged shard")
        result = run("merge", self.shared, "--json")
        self.assertEqual(result.returncode, 1, result.stderr.decode())
        self.assertTrue(earlier.exists())
        self.assertIn(b"shard-1/result.json: ", result.stderr)
        for finding in json.loads(result.stdout)["games"][0]["findings"]:
            self.assertEqual(run("replay", finding["file"]).returncode, 1)
        report = self.merge_with_reports(1)
        self.assertEqual([each.tag for case in report.suite for each in case][:2], ["error", "failure"])
        self.assertIn("shard-1/result.json: is damaged", report.suite.find("testcase/error").get("message"))
        self.assertIn("shard-1/result.json: is damaged", report.notified)
        for index in (2, 3):
            (self.shared / f"shard-{index}" / "result.json").write_text("{")
        report = self.merge_with_reports(2)
        self.assertEqual(report.notified.count(": is damaged: remove the file and run the shard again"), 3)
        self.assertEqual([(case.get("name"), case.find("error").get("type")) for case in report.suite],
                         [("search", "nothing is proven")])
        self.assertIn("shard-3/result.json: is damaged", report.suite.find("testcase/error").get("message"))
        for arguments in (["merge", self.shared], [*self.CANARY, "--shard", "1/3", "--exchange", self.shared]):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"shard-1/result.json: is damaged: remove the file and run the shard again\n", result.stderr)
            self.assertNotIn(b"json.exception", result.stderr)

    def test_findings_are_merged_from_any_folder_and_without_their_files(self):
        for index in (1, 2):
            shard = run(*self.CANARY, "--shard", f"{index}/2", "--exchange", "shared", cwd=self.path)
            self.assertEqual(shard.returncode, 1, shard.stderr.decode())
        elsewhere = self.path / "elsewhere"
        elsewhere.mkdir()
        for remove in (False, True):
            if remove:
                for file in self.shared.glob("shard-*/*.txt"):
                    file.unlink()
            with self.subTest(removed=remove):
                for arguments in (["merge", self.shared],
                                  [*self.CANARY, "--shard", "1/2", "--exchange", self.shared]):
                    result = run(*arguments, cwd=elsewhere)
                    self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                    self.assertNotIn(b"all agree", result.stdout)

    def with_another_cause(self):
        """Two shards with one finding, the first of which has found another cause with its signature."""
        run_all(self.CANARY, 2, self.shared)
        file = self.shared / "shard-1" / "result.json"
        result = json.loads(file.read_text())
        found = result["results"][0]["findings"]
        other = json.loads(json.dumps(found[0]))
        scenario = found[0]["finding"]["text"]
        self.assertIn("\nsize 1\nboard\nB\n", scenario)
        other["finding"].update(other_cause=True, kinds=["place", "remove"],
                                text=scenario.replace("\nsize 1\nboard\nB\n", "\nsize 2\nboard\nB.\n..\n"))
        result["results"][0]["findings"] = [found[0], other]
        file.write_text(json.dumps(result))
        return found[0]["finding"]["file_name"], other["finding"]["text"]

    def test_a_merge_keeps_each_cause_with_one_signature_in_a_file_of_its_own(self):
        name, other = self.with_another_cause()
        numbered = lambda number: name.replace(".txt", f"-{number}.txt")
        files = lambda folder: {file.name: file.read_text() for file in folder.glob("*.txt")}
        own = self.path / "own"
        own.mkdir()
        users = other.replace("size 2\nboard\nB.\n..\n", "size 3\nboard\nB..\n...\n...\n")
        (own / numbered(2)).write_text(users)
        for folder, options, second in ((self.shared / "merged", (), 2), (own, ("--out", own), 3)):
            with self.subTest(options):
                result = run("merge", self.shared, "--json", *options)
                self.assertEqual(result.returncode, 1, result.stderr.decode())
                found = [Path(each["file"]) for each in json.loads(result.stdout)["games"][0]["findings"]]
                self.assertEqual(found, [folder / name, folder / numbered(second)])
                self.assertEqual(found[1].read_text(), other)
                self.assertEqual(run("replay", *found).returncode, 1)
                before = files(folder)
                if not options:  # what is no finding any more is removed, and its name is free
                    (folder / numbered(2)).write_text(users)
                    (folder / numbered(3)).write_text(other)
                again = run("merge", self.shared, "--json", *options)
                self.assertEqual(again.stdout, result.stdout)
                self.assertEqual(files(folder), before)
        self.assertEqual((own / numbered(2)).read_text(), users, "no file of the user is replaced")

    def test_causes_that_shards_found_first_have_reports_of_their_own(self):
        name, other = self.with_another_cause()
        # The second shard has found the other cause first, and a shorter scenario of it.
        first, second = (self.shared / f"shard-{index}" / "result.json" for index in (1, 2))
        result = json.loads(second.read_text())
        found, = result["results"][0]["findings"]
        found["finding"].update(kinds=["place", "remove"], actions=0, text=other, hidden_state=True)
        second.write_text(json.dumps(result))
        self.assertIn("other_cause", first.read_text())
        report = self.merge_with_reports(1)
        results = report.run["results"]
        self.assertEqual([Path(each["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]).name
                          for each in results], [name, name.replace(".txt", "-2.txt")])
        self.assertEqual(len({each["partialFingerprints"]["primaryLocationLineHash"] for each in results}), 2)
        names = [case.get("name") for case in report.suite]
        self.assertEqual(names[2], f"{names[1]} of place,remove")
        notes = "(another cause than an earlier finding) (hidden state: "
        self.assertEqual([notes in each["message"]["text"] for each in results], [False, True])
        self.assertEqual(report.printed.count("(another cause than an earlier finding)"), 1)
        merged = self.shared / "merged"
        self.assertEqual(["\n# another cause: " in (merged / each).read_text()
                          for each in (name, name.replace(".txt", "-2.txt"))], [False, True])
        sarif = self.path / "replayed.sarif"
        self.assertEqual(run("replay", *sorted(merged.glob("*.txt")), "--sarif", sarif).returncode, 1)
        replayed = schemas.sarif(sarif.read_text())["runs"][0]["results"]
        self.assertEqual(len({each["partialFingerprints"]["primaryLocationLineHash"] for each in replayed}), 2)

    def test_of_the_findings_with_one_signature_one_is_the_first(self):
        """Also if each shard has a shorter scenario of the cause that another one found first."""
        self.with_another_cause()
        first, second = (self.shared / f"shard-{index}" / "result.json" for index in (1, 2))
        result = json.loads(first.read_text())
        found, other = result["results"][0]["findings"]
        found["finding"]["actions"] += 2
        other["finding"]["actions"] += 1
        first.write_text(json.dumps(result))
        swapped = json.loads(second.read_text())
        for each in (found, other):
            each["finding"]["other_cause"] = not each["finding"]["other_cause"]
        other["finding"]["actions"] += 2
        found["finding"]["actions"] -= 1
        swapped["results"][0]["findings"] = [other, found]
        second.write_text(json.dumps(swapped))
        results = self.merge_with_reports(1).run["results"]
        self.assertEqual(["another cause" in each["message"]["text"] for each in results], [False, True])

    def test_replay_and_merge_give_another_cause_the_same_fingerprint(self):
        self.with_another_cause()
        file = self.shared / "shard-1" / "result.json"
        result = json.loads(file.read_text())
        first, other = (each["finding"] for each in result["results"][0]["findings"])
        line = first["text"].index("\n", first["text"].index("\n# found: ") + 1) + 1
        why = "# another cause: it fails without actions that an earlier finding with this signature needs\n"
        other["text"] = first["text"][:line] + why + first["text"][line:] + "remove row=0 column=0\n"
        self.assertEqual(first["kinds"], ["place"])
        file.write_text(json.dumps(result))
        fingerprints = lambda run: {Path(each["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]).name:
                                    each["partialFingerprints"] for each in run["results"]}
        merged = fingerprints(self.merge_with_reports(1).run)
        self.assertEqual(len(merged), 2)
        sarif = self.path / "replayed.sarif"
        result = run("replay", *(self.shared / "merged").glob("*.txt"), "--sarif", sarif)
        self.assertEqual(result.returncode, 1, result.stderr.decode())
        self.assertEqual(fingerprints(schemas.sarif(sarif.read_text())["runs"][0]), merged)

    def test_a_merge_prints_a_finding_that_it_cannot_write(self):
        name, other = self.with_another_cause()
        merged = self.shared / "merged"
        own, sarif = self.path / "own", self.path / "s.sarif"
        own.write_text("no folder")
        for options, blocked, written in (((), merged / name, []), (("--out", own), own, [])):
            with self.subTest(options):
                if not options:
                    blocked.mkdir(parents=True)
                result = run("merge", self.shared, "--json", "--sarif", sarif, *options)
                said = result.stderr.decode()
                self.assertEqual(result.returncode, 1, said)
                self.assertRegex(said, rf"the finding could not be written \({blocked}\S*: .*\)\. The finding:\nlockstep 1 omok\n")
                self.assertEqual(other in said, not written)
                found = [Path(each["file"]) for each in json.loads(result.stdout)["games"][0]["findings"]]
                self.assertEqual(len(found), 2)
                self.assertEqual([file for file in found if file.parent == merged], written)
                # The others are named as their shards have them.
                self.assertTrue(all(file.parent.parent == self.shared for file in found if file not in written), found)
                self.assertEqual(len(json.loads(sarif.read_text())["runs"][0]["results"]), 2)

    def test_a_corpus_that_a_merge_cannot_write_does_not_change_its_result(self):
        for what, code, expected in ((self.CANARY, 1, "differ"), (self.UNIFORM, 2, "all agree")):
            with self.subTest(what):
                shutil.rmtree(self.shared, ignore_errors=True)
                run_all([*what, "--keep-going"], 2, self.shared)
                self.assertNotEqual(list((self.shared / "scenarios" / "omok").iterdir()), [])
                run("merge", self.shared)
                for file in (self.shared / "merged" / "corpus" / "omok").iterdir():
                    file.unlink()
                    file.mkdir()
                sarif = self.path / "s.sarif"
                result = run("merge", self.shared, "--sarif", sarif)
                self.assertEqual(result.returncode, code, result.stderr.decode())
                self.assertIn(expected, result.stdout.decode())
                self.assertIn(f"{self.shared}/merged/corpus", result.stderr.decode())
                invocation, = json.loads(sarif.read_text())["runs"][0]["invocations"]
                self.assertEqual(invocation["exitCode"], code)
                self.assertIn("the corpus of omok was not written: ",
                              "".join(each["message"]["text"] for each in invocation["toolExecutionNotifications"]))

    def test_a_merge_keeps_the_earlier_corpus_if_scenarios_are_gone_or_cannot_be_read(self):
        run_all([*self.SEARCH, "--runs", "200", "--no-canary", "--engine", "swarm"], 2, self.shared)
        self.merge()
        corpus, left = self.shared / "merged" / "corpus" / "omok", self.shared / "scenarios" / "omok"
        before = contents(corpus)
        self.assertGreater(len(before), 0)
        left.rename(self.path / "elsewhere")
        result = run("merge", self.shared)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn(b"omok: no shard left a scenario; nothing was written to ", result.stderr)
        self.assertEqual(contents(corpus), before)
        left.symlink_to(left)  # as root, a test may read any folder
        report = self.merge_with_reports(2)
        self.assertIn(f"the corpus of omok was not written: {left}: cannot be read: ", report.notified)
        self.assertIn("was not written", report.suite.find("testcase/error").get("message"))
        self.assertEqual(contents(corpus), before)
        left.unlink()
        left.mkdir()
        (left / "scenario").symlink_to(self.shared)
        (left / "worker").write_bytes(b"\0")
        self.assertEqual(run("merge", self.shared).returncode, 0, "what is no file is no scenario")

    def test_a_merge_loads_no_plugin(self):
        run_all([*self.SEARCH, "--runs", "200", "--no-canary", "--engine", "swarm"], 2, self.shared)
        for file in self.shared.glob("shard-*/result.json"):
            result = json.loads(file.read_text())
            result["with"] = ["./p.so"]
            file.write_text(json.dumps(result))
        result = run("merge", self.shared)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn(b" it all (without plugins: merge loads none): ", result.stderr)
        self.assertNotEqual(contents(self.shared / "merged" / "corpus" / "omok"), {})

    def test_a_merge_keeps_few_scenarios_that_reach_as_much_and_is_repeatable(self):
        run_all([*self.SEARCH, "--runs", "600", "--no-canary", "--engine", "swarm,mutated"], 3, self.shared)
        first = self.game()
        corpus = self.shared / "merged" / "corpus" / "omok"
        kept = {file.name: file.read_text() for file in corpus.iterdir()}
        left = list((self.shared / "scenarios" / "omok").iterdir())
        self.assertGreater(len(kept), 0)
        self.assertLess(len(kept), len(left))
        self.assertEqual(run("replay", *corpus.iterdir()).returncode, 0)
        # An earlier merge names its scenarios by the hash of their text.
        stale = "of an earlier merge"
        (corpus / f"{fnv1a(stale):016x}.txt").write_text(stale)
        self.assertEqual(self.game(), first)
        self.assertEqual({file.name: file.read_text() for file in corpus.iterdir()}, kept)

    def test_a_merge_refuses_a_folder_with_other_files_than_its_own(self):
        run_all([*self.SEARCH, "--runs", "200", "--no-canary", "--engine", "swarm"], 2, self.shared)
        own = self.path / "own"
        for out, options in ((self.shared / "merged", ()), (own, ("--out", own))):
            for _ in range(2):
                self.assertEqual(run("merge", self.shared, *options).returncode, 0)
            for name in ("notes.txt", "corpus/omok/mine.txt"):
                with self.subTest(out=out, name=name):
                    (out / name).write_text("of the user")
                    before = contents(out)
                    result = run("merge", self.shared, *options)
                    self.assertEqual(result.returncode, 2)
                    self.assertIn(f"{out / name}: this verb did not write it", result.stderr.decode())
                    self.assertEqual(contents(out), before)
                    (out / name).unlink()
        corpus = self.path / "corpus"
        shutil.copytree(ROOT / "corpus" / "omok", corpus / "omok")
        for out in (corpus, corpus / "omok"):
            result = run("merge", self.shared, "--out", out)
            self.assertEqual(result.returncode, 2, out)
            self.assertIn("this verb did not write it", result.stderr.decode())

    def test_a_merge_names_the_missing_shards(self):
        start(self.UNIFORM, 2, 3, self.shared).communicate(timeout=600)
        result = run("merge", self.shared)
        self.assertEqual(result.returncode, 3)
        self.assertIn(b"shards 1 and 3 of 3 have not ended: run them", result.stderr)
        self.assertNotIn(b"all agree", result.stdout)
        report = self.merge_with_reports(3)
        self.assertIn("shards 1 and 3 of 3 have not ended: run them", report.notified)
        self.assertIn("shards 1 and 3 of 3 have not ended", report.suite.find("testcase/error").get("message"))

    def test_a_merge_of_shards_that_have_saved_nothing_names_all(self):
        start(self.UNIFORM, 1, 2, self.shared).communicate(timeout=600)
        shutil.rmtree(self.shared / "shard-1")
        result = run("merge", self.shared)
        self.assertEqual(result.returncode, 3)
        self.assertIn(b"shards 1 and 2 of 2 have not ended: run them", result.stderr)
        result = run("merge", self.shared, "--json")
        self.assertEqual(result.returncode, 3)
        report = json.loads(result.stdout)
        self.assertEqual((report["games"], report["seed"], report["exit"]), ([], 5, 3))

    def test_a_shard_needs_a_seed_and_a_folder_of_its_own_run(self):
        for arguments, said in (
                (["fuzz", "omok", "--shard", "1/2", "--exchange", self.shared], b"--shard needs --seed"),
                ([*self.UNIFORM, "--out", self.path / "o", "--shard", "1/2", "--exchange", self.shared], b"leave --resume and --out out"),
                ([*self.UNIFORM, "--shard", "1/2"], b"--exchange")):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(said, result.stderr)
        start(self.UNIFORM, 1, 2, self.shared).communicate(timeout=600)
        for arguments, said in (
                ([*self.UNIFORM, "--shard", "1/3"], b"it has 2 shards, not 3"),
                ([*self.UNIFORM[:3], "6", *self.UNIFORM[4:], "--shard", "2/2"], b"its seed is 5, not 6"),
                ([*self.SEARCH, "--engine", "uniform", "--no-canary", "--shard", "2/2"],
                 b"it was begun with --runs 240, and this command has no --runs;"),
                ([*SWEEP, "--shard", "1/2"], b"'fuzz', not 'explore'"),
                (["fuzz", "stacking", *self.UNIFORM[2:], "--shard", "2/2"], b'its games is ["omok"], not ["stacking"]')):
            result = run(*arguments, "--exchange", self.shared)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(said, result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
