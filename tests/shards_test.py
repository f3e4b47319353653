#!/usr/bin/env python3
"""Tests of sharded runs: `explore` and `fuzz` with --shard K/N --exchange FOLDER, and `merge`.

usage: shards_test.py LOCKSTEP ROOT

The counts of shards are compared with those of a run without shards, also when shards are killed and run again: in the
core for three shards, in ./dev test long for several numbers and for more runs.
"""
import contextlib
import copy
import fcntl
import json
import math
import random
import re
import shutil
import signal
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from case import Case, ROOT, contents, interrupt, kill, refused, report, run, simulators, wait_for
from length import LONG
from processes import kill_tree
import schemas

COUNTS = (1, 3, 8) if LONG else (3,)  # numbers of shards
WALK = ["explore", "ts_tetris", "5x5", "--depth", "10" if LONG else "8", "--jobs", "1"]
SWEEP = ["explore", "omok", "line_7", "--jobs", "1"]
LONG_SWEEP = ["explore", "omok", "line_9", "--jobs", "1"]
MISSED = ["explore", "omok", "line_7", "--with", "run_at_the_end_missed"]
TWICE = ["explore", "ts_tetris", "5x5", "--with", "shared_cell_scores_twice"]
STATE = "unfinished-fuzz-run.json"  # of a shard of fuzz


@contextlib.contextmanager
def edited(file):
    """The JSON of a file, to be changed."""
    value = json.loads(file.read_text())
    yield value
    file.write_text(json.dumps(value))


def scenario_of(file):
    """A finding's scenario, as text."""
    return re.sub(r"(?m)^finding\n(  .*\n)+", "", file.read_text())


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


def head_of(checkpoint):
    """Its first line; an empty head if there is no checkpoint."""
    return json.loads(checkpoint.read_bytes().split(b"\n", 1)[0]) if checkpoint.exists() else {}


def fingerprints(run):
    """The fingerprints of each result of SARIF, by the name of the finding's file."""
    return {Path(each["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]).name:
            each["partialFingerprints"] for each in run["results"]}


def signatures(findings):
    return [each["signature"] for each in findings]


def counts(report):
    return report["end"], report["levels"], report["positions"], report["steps"], report["illegal"]


class Reports(NamedTuple):
    printed: str   # on standard output
    said: str      # on standard error
    run: dict      # of SARIF
    notified: str  # the notifications of that run, a line for each
    suite: Any     # of JUnit


class Folder(Case):
    def setUp(self):
        super().setUp()
        self.shared = self.path / "shared"

    def own(self, index):
        """The folder of a shard."""
        return self.shared / f"shard-{index}"

    def command(self, what, index, count, *options):
        """The words of shard `index` (from 1) of `count`."""
        return [*what, "--shard", f"{index}/{count}", "--exchange", self.shared, *options]

    def shard(self, what, index, count, *options, **more):
        return run(*self.command(what, index, count, *options), **more)

    def begin(self, what, index, count, *options):
        """A shard as a process."""
        return self.start(*self.command(what, index, count, *options))

    def run_all(self, what, count):
        """Runs all shards side by side in a new folder, and returns (exit code, stdout, stderr) of each."""
        shutil.rmtree(self.shared, ignore_errors=True)
        shards = [self.begin(what, index + 1, count) for index in range(count)]
        outputs = [shard.communicate(timeout=1200) for shard in shards]
        return [(shard.returncode, *output) for shard, output in zip(shards, outputs)]

    def refused(self, arguments, *said):
        """What is said of wrong input, with these texts in it. A merge may print what it has found."""
        result = run(*arguments, expected=2)
        for each in said:
            self.assertIn(each, result.stderr)
        return result.stderr

    def assert_damaged(self, *commands):
        """Each refuses the result of the first shard in words of its own."""
        for arguments in commands:
            said = self.refused(arguments, "shard-1/result.json: is damaged: remove the file and run the shard again\n")
            self.assertNotIn("json.exception", said)

    def merge(self, *options, expected=0):
        """Merges, and once more: that changes no byte, neither of what is printed nor of a file."""
        def once():
            result = run("merge", self.shared, *options, expected=expected)
            return result, result.stdout, result.stderr, contents(self.shared)

        result, *first = once()
        self.assertEqual(list(once()[1:]), first)
        return result

    def merge_with_reports(self, expected, *options):
        """What a merge prints, and its reports."""
        sarif, junit = self.path / "s.sarif", self.path / "j.xml"
        result = run("merge", self.shared, "--sarif", sarif, "--junit", junit, *options, expected=expected)
        one, = schemas.sarif(sarif.read_text())["runs"]
        notified = [each["message"]["text"] for each in one["invocations"][0]["toolExecutionNotifications"]]
        return Reports(result.stdout, result.stderr, one, "\n".join(notified), schemas.junit(junit.read_text()))

    def merged(self, expected=0):
        return json.loads(self.merge("--json", expected=expected).stdout)

    def run_and_kill(self, what, index, count, state, moments, look):
        """Runs a shard, again and again until it ends. Its first processes are killed, each at a moment: when it has saved
        its state so often, and so many seconds later. Returns what look(index) says after each kill, and the exit code."""
        seen, file = [], self.own(index) / state
        for saves, seconds in [*moments, (math.inf, 0)]:
            shard = self.begin(what, index, count)
            saved, since = saved_at(file), time.monotonic()
            while shard.poll() is None and (saves > 0 or time.monotonic() - since < seconds):
                time.sleep(0.001)
                if saves > 0 and saved_at(file) != saved:
                    saves, saved, since = saves - 1, saved_at(file), time.monotonic()
            if shard.poll() is None:
                kill_tree(shard.pid)
            _, err = shard.communicate()
            if shard.returncode != -signal.SIGKILL:
                break
            while is_locked(self.own(index)):
                time.sleep(0.001)  # its processes are about to end
            seen.append(look(index))
        self.assertIn(shard.returncode, (0, 1), err)
        return seen, shard.returncode

    def run_and_kill_at_random(self, what, count, state, latest, look=lambda index: None):
        """Runs all shards side by side, and kills each up to three times, one that is alone up to six times: at random
        moments up to `latest`, the same ones each time. If fewer than half of the kills meet a process, all is run again,
        with earlier moments. Returns what look(index) says of each shard after each kill, and the highest exit code."""
        chosen = random.Random(f"{what} {count}")
        times = max(3, 6 // count)
        saves, seconds = latest
        while True:
            shutil.rmtree(self.shared, ignore_errors=True)
            with ThreadPoolExecutor(count) as threads:
                shards = [threads.submit(self.run_and_kill, what, index, count, state, [
                    (chosen.randint(0, saves), chosen.uniform(0, seconds)) for _ in range(times)], look)
                    for index in range(1, count + 1)]
            seen, codes = zip(*(shard.result() for shard in shards))
            if 2 * sum(map(len, seen)) >= times * count:
                return dict(enumerate(seen, 1)), max(codes)
            saves, seconds = saves // 2, seconds / 2


class Exploring(Folder):
    def assert_the_merge_equals(self, whole, code):
        """It has the counts and the smallest difference of the run without shards."""
        report = self.merged(expected=code)
        self.assertEqual(counts(report), counts(whole))
        if code:
            for name in ("smallest_explored", "signature"):
                self.assertEqual(report["finding"][name], whole["finding"][name])
            run("replay", report["finding"]["file"], expected=1)

    def own_positions(self, index):
        explored = json.loads((self.own(index) / "result.json").read_text())["explored"]
        return sum(level["positions"] for level in explored["levels"])

    def test_shards_equal_the_whole_whatever_their_number(self):
        for what, code in ((WALK, 0), (SWEEP, 0), (["explore", "stacking", "2x2_with_2", "--jobs", "1"], 0),
                           (["explore", "omok", "--setup", "size=2"], 0),
                           (["explore", "omok", "--setup", "size=2", "--fold", "--jobs", "2"], 0), (TWICE, 1), (MISSED, 1)):
            whole = report(*what, expected=code)
            for count in (*COUNTS, 40) if LONG and "size=2" in what else COUNTS:  # 40: more than there are positions
                with self.subTest(what=what, shards=count):
                    codes, outputs, _ = zip(*self.run_all(what, count))
                    self.assertIn(code, codes)
                    self.assertLessEqual(set(codes), {0, code})
                    for out in outputs:
                        self.assertIn("; shard ", " ".join(out.split()))
                    self.assertIn("DIVERGED" if code else "ALL AGREE", self.merge(expected=code).stdout)
                    self.assert_the_merge_equals(whole, code)
                    if what == WALK:
                        for index in range(count):
                            self.assertLess(abs(self.own_positions(index + 1) * count / whole["positions"] - 1), 0.3)

    def test_shards_that_are_killed_at_any_moment_and_run_again_equal_the_whole(self):
        everything = ",".join([*simulators("omok"), *simulators("omok", "canary")])
        for what, code, numbers in ((WALK, 0, COUNTS), *([(LONG_SWEEP, 0, COUNTS)] if LONG else []),
                                    ([*WALK, "--with", "shared_cell_scores_twice"], 1, (3,)),
                                    ([*(LONG_SWEEP if LONG else SWEEP), "--with", everything], 1, (1, 3) if LONG else (3,))):
            whole = report(*what, expected=code)
            for count in numbers:
                with self.subTest(what=what, shards=count):
                    _, ended = self.run_and_kill_at_random([*what, "--every", "0"], count, "checkpoint", (4, 0.1))
                    self.assertEqual(ended, code)
                    self.assert_the_merge_equals(whole, code)

    def test_a_killed_shard_goes_on_from_its_checkpoint(self):
        what = ["explore", "stacking", "2x2_with_4", "--jobs", "1"]
        shard = self.begin(what, 1, 8, "--every", "0")

        def positions():
            head = head_of(self.own(1) / "checkpoint")
            return head["so_far"]["positions"] if head else 0

        wait_for(positions)
        kill(shard)
        before = positions()
        again = self.begin(what, 1, 8, "--every", "0", "--json")
        wait_for(lambda: positions() != before)
        self.assertGreater(json.loads(interrupt(again)[0])["positions"], before)

    def test_shards_of_a_walk_may_run_one_after_another(self):
        """As in a batch system with one free place: a shard that waits gives up its place and comes again."""
        what = ["explore", "ts_tetris", "5x5", "--depth", "4"]
        for turn in range(20):
            shards = [self.shard(what, index, 3, "--wait", "0") for index in (1, 2, 3)]
            self.assertEqual([shard.stderr for shard in shards], [""] * 3)
            for shard in shards:
                self.assertEqual("ALL AGREE" in shard.stdout, shard.returncode == 0)
            if turn == 0:
                self.assertIn("NOT COVERED: shards 2 and 3 did not come to the end of depth 0", shards[0].stdout)
            codes = {shard.returncode for shard in shards}
            if codes == {0}:
                break
            self.assertLessEqual(codes, {0, 3})
        self.assertGreater(turn, 2, "each depth needs the others'")
        self.assert_the_merge_equals(report(*what), 0)

    def test_a_merge_names_the_missing_shards_and_certifies_nothing(self):
        missing = "shards 2 and 4 of 4 have not ended"
        for index in (1, 3):
            self.shard(SWEEP, index, 4)
        result = run("merge", self.shared, expected=3)
        self.assertIn(f"NOT COVERED: {missing}", result.stdout)
        self.assertNotIn("ALL AGREE", result.stdout)
        self.assertNotIn("positions  ", result.stdout)
        self.assertIn(missing, result.stderr)
        report = self.merged(expected=3)
        self.assertIsNone(report["agreed"])
        self.assertEqual(report["missing"], [2, 4])
        self.assertIn(missing, report["reason"])
        # A shard that cannot be merged comes first.
        file = self.own(3) / "result.json"
        text = file.read_text()
        with edited(file) as result:
            result["explored"].update(end="cannot judge", reason="no two runs are alike")
        merged = run("merge", self.shared, expected=3)
        self.assertIn("NOT COVERED: no two runs are alike", merged.stdout)
        self.assertIn(missing, merged.stderr)
        file.write_text(text)
        for index in (2, 4):
            self.shard(SWEEP, index, 4)
        run("merge", self.shared, expected=0)

    def test_a_difference_is_reported_before_all_shards_have_ended(self):
        index = next(index for index in range(1, 9) if self.shard(MISSED, index, 8).returncode == 1)
        (self.own(index % 8 + 1) / "result.json").unlink(missing_ok=True)
        report = self.merge_with_reports(1)
        self.assertIn("DIVERGED", report.printed)
        self.assertIn("\na scenario that differs:\n", report.printed)
        self.assertNotIn("the smallest", report.printed)
        self.assertEqual(len(report.run["results"]), 1)
        self.assertIn("have not ended" if index < 7 else "has not ended", report.said)
        self.assertRegex(report.notified, r"^shards? .* of 8 ha(s|ve) not ended")
        self.assertEqual([each.tag for case in report.suite for each in case], ["failure", "error"])
        self.assertIn("of 8 ha", report.suite.find("testcase/error").get("message"))

    def test_a_damaged_file_is_named_and_one_that_cannot_be_read_is_not_called_damaged(self):
        self.run_all(WALK, 2)
        own, level = self.own(1) / "result.json", self.own(1) / "level-5"
        commands = (["merge", self.shared], self.command(WALK, 1, 2))
        for file, shown in ((own, "shard-1/result.json"), (self.shared / "run.json", "run.json")):
            text = file.read_text()
            file.unlink()
            file.mkdir()  # a test that runs as root may read any file
            for arguments in commands:
                with self.subTest(file=shown, arguments=arguments[0]):
                    said = f"{shown}: cannot be read: is a folder, not a file; it may be whole: make it readable"
                    self.assertNotIn("remove", self.refused(arguments, said))
            file.rmdir()
            file.write_text(text)
        (self.own(2) / "result.json").unlink()
        (self.own(2) / "checkpoint").unlink()
        whole = level.read_bytes()
        for broken in (b"", whole[:40], whole[:-5], whole[:-1] + bytes([whole[-1] ^ 1])):
            level.write_bytes(broken)
            self.refused(self.command(WALK, 2, 2), "shard-1/level-5: is damaged; remove ")
        level.write_bytes(whole)
        self.shard(WALK, 2, 2, expected=0)
        for broken in (own.read_text()[:-9], "{}"):
            own.write_text(broken)
            self.assert_damaged(*commands)

    def shard_with_an_early_finding(self):
        """Runs the three shards of a walk in turn, until one has found a difference and waits. Returns its number."""
        for _ in range(60):
            for index in (1, 2, 3):
                shard = self.shard(TWICE, index, 3, "--wait", "0", "--json")
                report = json.loads(shard.stdout)
                found, ended = "finding" in report, report["end"] == "diverged"
                self.assertEqual(shard.returncode == 1, found or ended, report)
                if found and not ended:
                    self.assertIs(report["agreed"], False)
                    return index
        self.fail("no shard found a difference before the others came")

    def test_a_difference_of_a_shard_that_waits_is_named_and_is_there_when_all_have_ended(self):
        index = self.shard_with_an_early_finding()
        found, = self.own(index).glob("*.txt")
        merged = self.merge_with_reports(3)
        for said in (merged.printed, merged.said, merged.notified):
            self.assertIn(f"shard {index} has found a difference, {found}, and may find a smaller one", said)
        self.assertIn("shards 1, 2 and 3 of 3 have not ended: run them", merged.said)
        self.assertEqual(merged.run["results"], [])
        run("replay", found, expected=1)
        # A damaged file of other shards does not hide it.
        for other in {1, 2, 3} - {index}:
            (self.own(other) / "result.json").write_bytes(b"\xff")
        merged = self.merge_with_reports(2)
        self.assertIn(f"shard {index} has found a difference", merged.notified)
        for other in {1, 2, 3} - {index}:
            self.assertIn(f"shard-{other}/result.json: is damaged", merged.said)
            (self.own(other) / "result.json").unlink()
        for each in [self.begin(TWICE, index, 3) for index in (1, 2, 3)]:
            each.communicate(timeout=1200)
        self.assert_the_merge_equals(report(*TWICE, expected=1), 1)

    def test_a_finished_shard_only_reports_again_and_writes_its_finding_where_it_says(self):
        self.run_all(MISSED, 1)
        before = (self.own(1) / "result.json").stat().st_mtime_ns
        again = self.shard(MISSED, 1, 1, "--out", self.path / "own", "--json", expected=1)
        self.assertEqual((self.own(1) / "result.json").stat().st_mtime_ns, before)
        file = Path(json.loads(again.stdout)["finding"]["file"])
        self.assertEqual(file.parent, self.path / "own")
        run("replay", file, expected=1)
        self.run_all(SWEEP, 1)
        self.assertIn("ALL AGREE", self.shard(SWEEP, 1, 1, expected=0).stdout)

    def test_a_folder_of_another_run_is_refused(self):
        self.run_all(SWEEP, 1)
        for what, count, said in (
                (["explore", "omok", "line_15"], 1, 'its exploration is "line_7", not "line_15"'),
                (["explore", "ts_tetris", "5x5"], 1, 'its system is "omok", not "ts_tetris"'),
                (SWEEP, 2, "it has 1 shard, not 2"),
                ([*SWEEP, "--with", "run_at_the_end_missed"], 1, "its implementations is"),
                ([*SWEEP, "--timeout", "77"], 1, "not 77000")):
            self.assertIn(said, refused("is the folder of another run", *self.command(what, 1, count)))
        file = self.shared / "run.json"
        text = file.read_text()
        file.write_text(text.replace('"program": "', '"program": "x'))
        self.refused(self.command(SWEEP, 1, 1), "begun by another build")
        for broken in ("", "{}", "[1]", text[:-9], text.replace('"shards": 1', '"shards": 0'),
                       text.replace('"lockstep_shards": 1', '"lockstep_shards": 99')):
            file.write_text(broken)
            for arguments in (self.command(SWEEP, 1, 1), ["merge", self.shared]):
                self.refused(arguments, "run.json")

    def test_a_folder_of_something_else_is_refused(self):
        for folder in (ROOT / "corpus", self.path / "missing"):
            self.refused(["merge", folder], "this is not the folder of a sharded run")
        self.shared = ROOT / "corpus"
        self.refused(self.command(SWEEP, 1, 1), "is neither empty nor the folder of a sharded run")

    def test_a_shard_runs_once_at_a_time(self):
        what = ["explore", "stacking", "2x2_with_4"]
        shard = self.begin(what, 1, 8)
        wait_for(lambda: is_locked(self.own(1)))
        self.refused(self.command(what, 1, 8), "shard 1/8 is running already")
        self.assertIsNone(shard.poll())
        kill(shard)

    def test_wrong_options_are_refused(self):
        for more, said in (
                (["--shard", "1/2"], "--exchange"),
                (["--exchange", self.shared], "--shard"),
                (["--shard", "3/2", "--exchange", self.shared], "lockstep: --shard: expected K/N with K from 1 to N "),
                (["--shard", "3/2", "--exchange", self.shared], " for the third of 8; got 3/2\n"),
                (["--shard", "0/2", "--exchange", self.shared], "expected K/N with K from 1"),
                (["--shard", "1/2", "--exchange", self.shared, "--checkpoint", "c"], "leave --checkpoint and --resume out")):
            self.refused([*SWEEP, *more], said)
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
    SHORT = [*SEARCH, "--runs", "200", "--no-canary", "--engine", "swarm"]
    # Some of the signatures are rare: only one shard finds them.
    DIFFERING = [*SEARCH, "--runs", "20000" if LONG else "8000", "--engine", "uniform", "--no-canary", "--keep-going", "--with",
                 "rows_wrap_around,shared_stone_forgets_both"]
    CANARY = [*SEARCH, "--runs", "3000", "--engine", "swarm", "--no-canary", "--with", "placing_replaces"]

    def game(self, expected=0):
        return self.merged(expected)["systems"][0]

    def test_shards_draw_the_stream_of_the_whole_whatever_their_number(self):
        whole = report(*self.UNIFORM)["systems"][0]
        self.assertEqual(whole["scenarios"], 240)
        for count in COUNTS:
            with self.subTest(shards=count):
                for code, _, err in self.run_all(self.UNIFORM, count):
                    self.assertEqual(code, 0, err)
                game = self.game()
                for name in ("scenarios", "steps", "features_reached", "features", "implementations", "findings"):
                    self.assertEqual(game[name], whole[name], name)

    def test_shards_may_have_different_numbers_of_jobs(self):
        search = [*self.UNIFORM[:4], *self.UNIFORM[6:]]
        for index, jobs in ((1, 1), (2, 3), (3, 2)):
            self.shard([*search, "--jobs", jobs], index, 3, expected=0)
        self.assertEqual(self.game()["scenarios"], 240)

    def saved_by(self, index):
        file = next((file for file in (self.own(index) / "result.json", self.own(index) / STATE) if file.exists()), None)
        if file is None:
            return Saved()
        result, = json.loads(file.read_text())["results"]
        place, = result["next"]
        return Saved(sum(engine["scenarios"] for engine in result["engines"].values()), place, result["finished"],
                     frozenset(signatures(each["finding"] for each in result["findings"])))

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
            whole = report(*search, expected=code)["systems"][0]
            for count in numbers:
                with self.subTest(search=search, shards=count):
                    self.run_and_kill_without_loss(search, count, latest, {
                        index: range(index - 1, whole["scenarios"], count) for index in range(1, count + 1)})
                    game = self.game(expected=code)
                    for name in ("features_reached", "features", "implementations"):
                        self.assertEqual(game[name], whole[name], name)
                    for name in ("scenarios", "steps"):
                        self.assertGreaterEqual(game[name], whole[name], name)
                    self.assertEqual(*(set(signatures(report["findings"])) for report in (game, whole)))
                    self.assert_replays(game["findings"])

    def assert_replays(self, findings):
        for finding in findings:
            run("replay", finding["file"], expected=1)

    def test_shards_that_are_killed_on_their_way_to_the_end_lose_no_finding(self):
        """Each shard ends with its first finding, as does one that was not killed."""
        search = [*self.SEARCH, "--runs", "20000", "--engine", "uniform", "--no-canary", "--with",
                  "shared_stone_forgets_both"]
        self.run_all(search, 3)
        alone = {index: self.saved_by(index) for index in (1, 2, 3)}
        merged = self.game(expected=1)
        self.run_and_kill_without_loss(search, 3, (1, 0.02), {
            index: range(index - 1, 3 * shard.judged, 3) for index, shard in alone.items()})
        self.assertEqual({index: self.saved_by(index).found for index in alone},
                         {index: shard.found for index, shard in alone.items()})
        self.assertEqual(signatures(self.game(expected=1)["findings"]), signatures(merged["findings"]))

    def test_a_finding_of_several_shards_is_reported_once_and_replays(self):
        self.assertEqual([code for code, _, _ in self.run_all(self.CANARY, 3)], [1, 1, 1])
        expected = set()
        for index in (1, 2, 3):  # a shard that has ended reports again
            report = json.loads(self.shard(self.CANARY, index, 3, "--json", expected=1).stdout)
            expected |= set(signatures(report["systems"][0]["findings"]))
        for options in ((), ("--verbose",)):
            self.assertIn("implementations of omok differ", self.merge(*options, expected=1).stdout)
        findings = self.game(expected=1)["findings"]
        self.assertEqual(sorted(signatures(findings)), sorted(expected))
        self.assertEqual({Path(finding["file"]).parent for finding in findings}, {self.shared / "merged"})
        self.assert_replays(findings)

    def test_a_damaged_shard_hides_no_finding_of_another_one(self):
        self.run_all(self.CANARY, 3)
        (self.own(1) / "result.json").write_text("{")
        report = self.merge_with_reports(1, "--json")
        self.assertIn("shard-1/result.json: ", report.said)
        self.assert_replays(json.loads(report.printed)["systems"][0]["findings"])
        self.assertEqual([each.tag for case in report.suite for each in case][:2], ["error", "failure"])
        self.assertIn("shard-1/result.json: is damaged", report.suite.find("testcase/error").get("message"))
        self.assertIn("shard-1/result.json: is damaged", report.notified)
        for index in (2, 3):
            (self.own(index) / "result.json").write_text("{")
        report = self.merge_with_reports(2)
        self.assertEqual(report.notified.count(": is damaged: remove the file and run the shard again"), 3)
        self.assertEqual([(case.get("name"), case.find("error").get("type")) for case in report.suite],
                         [("search", "nothing is proven")])
        self.assertIn("shard-3/result.json: is damaged", report.suite.find("testcase/error").get("message"))
        self.assert_damaged(["merge", self.shared], self.command(self.CANARY, 1, 3))

    def test_findings_are_merged_from_any_folder_and_without_their_files(self):
        for index in (1, 2):
            run(*self.CANARY, "--shard", f"{index}/2", "--exchange", "shared", cwd=self.path, expected=1)
        elsewhere = self.path / "elsewhere"
        elsewhere.mkdir()
        for remove in (False, True):
            with self.subTest(removed=remove):
                for file in self.shared.glob("shard-*/*.txt") if remove else ():
                    file.unlink()
                for arguments in (["merge", self.shared], self.command(self.CANARY, 1, 2)):
                    self.assertNotIn("all agree", run(*arguments, cwd=elsewhere, expected=1).stdout)

    def with_another_finding(self):
        """Two shards with one finding, the first of which has another one that looks alike."""
        self.run_all(self.CANARY, 2)
        with edited(self.own(1) / "result.json") as result:
            first = result["results"][0]["findings"][0]
            other = copy.deepcopy(first)
            scenario = first["finding"]["scenario"]
            self.assertIn("\nsize 1\nboard\nB\n", scenario)
            other["finding"].update(signature=first["finding"]["signature"] + " if size=two", file_name="omok-0000000000000002.txt",
                                    scenario=scenario.replace("\nsize 1\nboard\nB\n", "\nsize 2\nboard\nB.\n..\n"))
            result["results"][0]["findings"] = [first, other]
        return first["finding"]["file_name"], other["finding"]["scenario"]

    def test_a_merge_keeps_each_signature_in_a_file_of_its_own(self):
        name, other = self.with_another_finding()
        merged = self.shared / "merged"
        earlier = merged / "omok-0000000000000002.txt"
        merged.mkdir()
        earlier.write_text(other.replace("size 2\nboard\nB.\n..\n", "size 3\nboard\nB..\n...\n...\n"))
        before = earlier.read_text()
        findings = self.game(expected=1)["findings"]
        self.assertEqual([Path(each["file"]) for each in findings], [merged / name, merged / "omok-0000000000000002-2.txt"])
        self.assertEqual(scenario_of(Path(findings[1]["file"])), other)
        self.assert_replays(findings)
        self.assertEqual(earlier.read_text(), before, "no other finding is replaced")

    def replayed(self):
        """The run of SARIF of what the merge has written."""
        sarif = self.path / "replayed.sarif"
        run("replay", *sorted((self.shared / "merged").glob("*.txt")), "--sarif", sarif, expected=1)
        return schemas.sarif(sarif.read_text())["runs"][0]

    def test_replay_and_merge_give_a_finding_the_same_fingerprint(self):
        self.run_all(self.CANARY, 2)
        merged = fingerprints(self.merge_with_reports(1).run)
        self.assertEqual(len(merged), 1)
        self.assertEqual(fingerprints(self.replayed()), merged)

    def test_a_merge_prints_a_finding_that_it_cannot_write(self):
        name, other = self.with_another_finding()
        merged = self.shared / "merged"
        for each in (name, "omok-0000000000000002.txt"):
            (merged / each).mkdir(parents=True)
        report = self.merge_with_reports(1, "--json")
        said = rf"the finding could not be written \({merged / name}\S*: .*\)\. The finding:\nlockstep 1 omok\n"
        self.assertRegex(report.said, said)
        self.assertIn(other.partition("\n")[2], report.said)
        # They are named as their shards have them.
        found = [Path(each["file"]) for each in json.loads(report.printed)["systems"][0]["findings"]]
        self.assertEqual([file.parent.parent for file in found], [self.shared] * 2)
        self.assertNotIn(merged, [file.parent for file in found])
        self.assertEqual(len(report.run["results"]), 2)

    def test_a_corpus_that_a_merge_cannot_write_does_not_change_its_result(self):
        for what, code, expected in ((self.CANARY, 1, "differ"), (self.UNIFORM, 2, "all agree")):
            with self.subTest(what):
                self.run_all([*what, "--keep-going"], 2)
                self.assertNotEqual(list((self.shared / "scenarios" / "omok").iterdir()), [])
                (self.shared / "merged").mkdir()
                (self.shared / "merged" / "corpus").write_text("no folder")
                report = self.merge_with_reports(code)
                self.assertIn(expected, report.printed)
                self.assertIn(f"{self.shared}/merged/corpus", report.said)
                self.assertEqual(report.run["invocations"][0]["exitCode"], code)
                self.assertIn("the corpus of omok was not written: ", report.notified)

    def test_a_merge_keeps_the_earlier_corpus_if_scenarios_are_gone_or_cannot_be_read(self):
        self.run_all(self.SHORT, 2)
        self.merge()
        corpus, left = self.shared / "merged" / "corpus" / "omok", self.shared / "scenarios" / "omok"
        before = contents(corpus)
        self.assertGreater(len(before), 0)
        left.rename(self.path / "elsewhere")
        result = run("merge", self.shared, expected=0)
        self.assertIn("omok: no shard left a scenario; nothing was written to ", result.stderr)
        self.assertEqual(contents(corpus), before)
        left.symlink_to(left)  # as root, a test may read any folder
        report = self.merge_with_reports(2)
        self.assertIn(f"the corpus of omok was not written: {left}: cannot be read: ", report.notified)
        self.assertIn("was not written", report.suite.find("testcase/error").get("message"))
        self.assertEqual(contents(corpus), before)
        left.unlink()
        left.mkdir()
        (left / "scenario").symlink_to(self.shared)  # what is no file is no scenario
        (left / "worker").write_bytes(b"\0")
        run("merge", self.shared, expected=0)

    def test_a_merge_loads_no_plugin(self):
        self.run_all(self.SHORT, 2)
        for file in self.shared.glob("shard-*/result.json"):
            with edited(file) as result:
                result["with"] = ["./p.so"]
        result = run("merge", self.shared, expected=0)
        self.assertIn(" it all (without plugins: merge loads none): ", result.stderr)
        self.assertNotEqual(contents(self.shared / "merged" / "corpus" / "omok"), {})

    def test_a_merge_keeps_few_scenarios_that_reach_as_much_and_is_repeatable(self):
        self.run_all([*self.SEARCH, "--runs", "600", "--no-canary", "--engine", "swarm,mutated"], 3)
        first = self.game()
        corpus = self.shared / "merged" / "corpus" / "omok"
        kept = contents(corpus)
        left = list((self.shared / "scenarios" / "omok").iterdir())
        self.assertGreater(len(kept), 0)
        self.assertLess(len(kept), len(left))
        run("replay", *corpus.iterdir(), expected=0)
        # An earlier merge names its scenarios by the hash of their text.
        stale = "of an earlier merge"
        (corpus / f"{fnv1a(stale):016x}.txt").write_text(stale)
        self.assertEqual(self.game(), first)
        self.assertEqual(contents(corpus), kept)

    def test_a_merge_refuses_a_folder_that_is_not_empty(self):
        self.run_all(self.SHORT, 2)
        own = self.path / "own"
        run("merge", self.shared, "--out", own, expected=0)
        before = contents(self.path)
        for out, said in ((own, "expected a new or empty folder, and it has corpus; "), (self.shared / "run.json", "Not a directory")):
            self.refused(["merge", self.shared, "--out", out], f"--out {out}: {said}")
            self.assertEqual(contents(self.path), before)

    def test_a_merge_names_the_missing_shards(self):
        self.shard(self.UNIFORM, 2, 3)
        missing = "shards 1 and 3 of 3 have not ended"
        report = self.merge_with_reports(3)
        self.assertNotIn("all agree", report.printed)
        for said in (report.said, report.notified):
            self.assertIn(f"{missing}: run them", said)
        self.assertIn(missing, report.suite.find("testcase/error").get("message"))
        shutil.rmtree(self.own(2))
        report = self.merge_with_reports(3, "--json")
        self.assertIn("shards 1, 2 and 3 of 3 have not ended: run them", report.said)
        printed = json.loads(report.printed)
        self.assertEqual((printed["systems"], printed["seed"], printed["exit"]), ([], 5, 3))

    def test_a_shard_needs_a_seed_and_a_folder_of_its_own_run(self):
        self.refused(self.command(["fuzz", "omok"], 1, 2), "--shard needs --seed")
        self.refused(self.command(self.UNIFORM, 1, 2, "--out", self.path / "o"), "leave --resume and --out out")
        self.refused([*self.UNIFORM, "--shard", "1/2"], "--exchange")
        self.shard(self.UNIFORM, 1, 2)
        for what, index, count, said in (
                (self.UNIFORM, 1, 3, "it has 2 shards, not 3"),
                ([*self.UNIFORM[:3], "6", *self.UNIFORM[4:]], 2, 2, "its seed is 5, not 6"),
                ([*self.SEARCH, "--engine", "uniform", "--no-canary"], 2, 2,
                 "it was begun with --runs 240, and this command has no --runs;"),
                (SWEEP, 1, 2, "'fuzz', not 'explore'"),
                (["fuzz", "stacking", *self.UNIFORM[2:]], 2, 2, 'its systems is ["omok"], not ["stacking"]')):
            self.refused(self.command(what, index, count), said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
