#!/usr/bin/env python3
"""Tests of `lockstep explore`: counts that stay the same, canaries within the bounds of a certificate, and runs that are
stopped, killed and resumed.

usage: explore_test.py LOCKSTEP ROOT [--all]

The small explorations; with --all the large certificates too. One canary of each exploration; in ./dev test long all.

The counts are kept in golden/explored.json; LOCKSTEP_UPDATE_GOLDEN=1 in the environment writes what this
build counts.
"""
import functools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from length import LONG
import processes

LARGE = "--all" in sys.argv
sys.argv = [argument for argument in sys.argv if argument != "--all"]
ROOT = Path(sys.argv.pop())
LOCKSTEP = str(Path(sys.argv.pop()).resolve())
GOLDEN = ROOT / "golden" / "explored.json"
UPDATING = os.environ.get("LOCKSTEP_UPDATE_GOLDEN") == "1"
GAMES = ["puyo", "block_game", "stacking", "ts_tetris", "omok"]

SMALL = [
    ["puyo", "3x3_in_2"],
    ["puyo", "--depth", "2"],
    ["block_game", "boards_to_4"],
    ["block_game", "played_4"],
    ["block_game", "played_4", "--fold"],
    ["stacking", "2x2_with_2"],
    ["ts_tetris", "5x5", "--depth", "8"],
    ["ts_tetris", "5x5", "--depth", "8", "--fold"],
    ["ts_tetris", "--setup", "width=3,height=3"],
    ["omok", "line_7"],
    ["omok", "--setup", "size=2"],
    ["omok", "--setup", "size=2", "--fold"],
]
CERTIFICATES = [
    ["puyo", "6x3_in_2"],
    ["puyo", "5x4_in_2"],
    ["puyo", "3x4_in_3"],
    ["block_game", "boards_to_5"],
    ["block_game", "played_5"],
    ["stacking", "2x2_with_4"],
    ["stacking", "3x3_with_2"],
    ["ts_tetris", "5x5"],
    ["ts_tetris", "6x6"],
    ["omok", "line_15"],
]

# Counts that are known without exploring.
KNOWN = {
    "block_game boards_to_4": [1, 37, 1521],             # docs/rules.md
    "block_game boards_to_5": [1, 37, 1521, 219476],     # likewise
    "omok line_7": [3**7] * 4,
    "omok line_15": [3**15] * 4,
    "puyo 3x3_in_2": [15**3],                            # columns of at most 3 puyos in 2 colours: 1 + 2 + 4 + 8
    "puyo 6x3_in_2": [15**6],
    "puyo 5x4_in_2": [31**5],
    "puyo 3x4_in_3": [121**3],
    "stacking 2x2_with_2": [3**4 * 4**2 * 4 * 5],        # colours, directions, places in stacks
    "stacking 2x2_with_4": [3**4 * 4**4 * 4 * 5 * 6 * 7],
    "stacking 3x3_with_2": [3**9 * 4**2 * 9 * 10],
}

# Canaries with a mistake inside the bounds of an exploration: each makes it fail.
INSIDE = {
    ("puyo", "3x3_in_2"): ["groups_are_chains", "one_group_at_a_time", "last_colour_takes_all", "never_looks_up"],
    ("block_game", "boards_to_4"): ["own_roof", "tee_stays", "sky_one_cell", "first_gap_only", "one_pass",
                                    "one_try_from_the_top", "gaps_swapped_at_the_wall"],
    ("block_game", "played_4"): ["own_roof", "tee_stays", "sky_one_cell", "first_gap_only", "one_pass",
                                 "one_try_from_the_top", "gaps_swapped_at_the_wall"],
    ("stacking", "2x2_with_2"): ["reversed_on_white_after_turning", "red_forgotten_after_turning",
                                 "red_reverses_the_destination", "carried_turn_round_too", "blocked_keeps_facing",
                                 "no_opposite_of_up_and_down", "index_minus_one_wraps", "cycle_lands_one_turn_off",
                                 "cycle_ignores_facing", "blocked_for_ever"],
    ("ts_tetris", "5x5", "--depth", "9"): ["own_cell_spends_no_turn", "full_check_on_first_column",
                                           "flip_forgets_the_counts", "shared_cell_scores_twice", "one_run_at_a_time",
                                           "gravity_between_directions", "flood_wraps_at_wall", "flood_never_turns_down"],
    ("omok", "line_7"): ["run_at_the_end_missed", "vertical_from_the_bottom", "anti_diagonal_from_the_top",
                         "six_counts_as_five", "hemmed_five_missed"],
    ("omok", "--setup", "size=2"): ["placing_replaces"],
}


run = functools.partial(processes.run, LOCKSTEP, "explore", text=False)


def implementations(game: str, *kinds: str) -> list[str]:
    listing = json.loads(processes.run(LOCKSTEP, "list", "--json", expected=0).stdout)
    return [s["name"] for g in listing["games"] if g["name"] == game for s in g["simulators"] if s["kind"] in kinds]


def occupied(scenario: str) -> int:
    """Occupied cells and pieces, as measure.hpp counts them."""
    setup = [line for line in scenario.split("\nactions\n")[0].splitlines() if not line.startswith("#")]
    pieces = [line for line in setup if line.startswith("piece ")]
    rows = [line for line in setup[setup.index("board") + 1:] if line not in pieces] if "board" in setup else []
    cells = [row.split() if " " in row else list(row) for row in rows]
    return len(pieces) + sum(cell != "." for row in cells for cell in row)


class Counts(unittest.TestCase):
    """As in perft: positions, steps and refusals, per depth and part."""

    def explore(self, arguments):
        key = " ".join(arguments)
        result = run(*arguments, "--json")
        self.assertEqual(result.returncode, 0, f"{key}\n{result.stdout.decode()}{result.stderr.decode()}")
        report = json.loads(result.stdout)
        self.assertTrue(report["agreed"])
        self.assertIn(report["end"], ("covered", "exhausted"))
        counts = [[level["positions"], level["steps"], level["illegal"]] for level in report["levels"]]
        self.assertEqual([sum(column) for column in zip(*counts)], [report["positions"], report["steps"], report["illegal"]])
        if key in KNOWN:
            self.assertEqual([positions for positions, _, _ in counts], KNOWN[key], key)
        golden = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
        if UPDATING:
            golden[key] = {"end": report["end"], "levels": counts}
            lines = [f"  {json.dumps(name)}: {json.dumps(golden[name])}" for name in sorted(golden)]
            GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        else:
            self.assertEqual({"end": report["end"], "levels": counts}, golden.get(key), key)

    def test_small_explorations(self):
        for arguments in SMALL:
            with self.subTest(arguments):
                self.explore(arguments)

    @unittest.skipUnless(LARGE, "minutes each: explore_test.py LOCKSTEP ROOT --all")
    def test_certificates(self):
        frozen = json.loads(GOLDEN.read_text())
        for arguments in CERTIFICATES:
            if " ".join(arguments) not in frozen and not UPDATING:
                continue
            with self.subTest(arguments):
                self.explore(arguments)

    def test_every_golden_count_belongs_to_an_exploration(self):
        golden = set(json.loads(GOLDEN.read_text()))
        self.assertLessEqual({" ".join(arguments) for arguments in SMALL}, golden)
        self.assertLessEqual(golden, {" ".join(arguments) for arguments in SMALL + CERTIFICATES})

    def test_every_single_action_from_every_position_of_the_corpus(self):
        for game in GAMES if LARGE else ["puyo", "stacking", "omok"]:
            with self.subTest(game):
                # A `play` action of stacking takes up to a thousand turns.
                actions = ["--actions", "move,turn"] if game == "stacking" else []
                result = run(game, "--corpus", ROOT / "corpus", *actions, "--json")
                self.assertEqual(result.returncode, 0, result.stdout.decode() + result.stderr.decode())
                report = json.loads(result.stdout)
                self.assertEqual(len(report["levels"]), 2)
                self.assertGreater(report["levels"][0]["positions"], 20)
                self.assertGreater(report["levels"][0]["steps"], report["levels"][0]["positions"])

    def test_corpus_positions_are_taken_as_they_are(self):
        with tempfile.TemporaryDirectory() as folder:
            for turn in (0, 999):
                (Path(folder) / f"{turn}.txt").write_text(f"lockstep 1 stacking\nsize 2\nturn {turn}\npiece row=0 column=0 "
                                                          "facing=right level=0\nactions\nturn\n")
            report = json.loads(run("stacking", "--corpus", folder, "--json").stdout)
            self.assertEqual(report["levels"][0]["positions"], 4, "the turn counter tells them apart")


class Canaries(unittest.TestCase):
    """A mistake within the bounds is found, and shrinking comes as far as the smallest scenario that was explored."""

    def test_a_canary_inside_the_bounds_makes_the_certificate_fail(self):
        for (game, *what), inside in INSIDE.items():
            for canary in inside if LONG else inside[:1]:
                with self.subTest(game=game, what=what, canary=canary), tempfile.TemporaryDirectory() as folder:
                    result = run(game, *what, "--with", canary, "--json", cwd=folder)
                    self.assertEqual(result.returncode, 1, result.stdout.decode() + result.stderr.decode())
                    report = json.loads(result.stdout)
                    self.assertFalse(report["agreed"])
                    finding = report["finding"]
                    self.assertIn(canary, finding["signature"])
                    self.assertTrue(finding["minimal"])
                    processes.run(LOCKSTEP, "replay", finding["file"], cwd=folder, expected=1)
                    smallest = finding["smallest_explored"]
                    self.assertEqual(occupied(smallest["text"]), smallest["size"]["occupied"])
                    # All smaller scenarios within these bounds agree, so shrinking cannot stop at more actions.
                    self.assertLessEqual(finding["actions"], smallest["size"]["actions"])
                    if finding["actions"] < smallest["size"]["actions"]:
                        continue
                    shrunk = (Path(folder) / finding["file"]).read_text()
                    self.assertLessEqual(occupied(shrunk), smallest["size"]["occupied"] + 1)

    def test_the_same_finding_whatever_the_number_of_jobs(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = set()
            for jobs in (1, 2, 3):
                result = run("ts_tetris", "5x5", "--with", "shared_cell_scores_twice", "--jobs", jobs, "--json", cwd=folder)
                texts.add(json.loads(result.stdout)["finding"]["smallest_explored"]["text"])
            self.assertEqual(len(texts), 1)


class Bulks(unittest.TestCase):
    """Random positions, answered by fast implementations; one of each block is judged by all."""

    @classmethod
    def setUpClass(cls):
        cls.fast = implementations("puyo", "optimized", "batch")

    def test_the_fast_implementations_agree_on_random_positions(self):
        for what in ("full_in_4", "settled_in_5"):
            with self.subTest(what):
                result = run("puyo", what, "--positions", 1_234_567, "--json")
                self.assertEqual(result.returncode, 0, result.stdout.decode() + result.stderr.decode())
                report = json.loads(result.stdout)
                self.assertEqual(report["fast"], self.fast)
                self.assertEqual([level["positions"] for level in report["levels"]], [1_000_000, 240_000])
                self.assertEqual([level["steps"] for level in report["levels"]], [100, 24])

    def test_a_canary_is_judged_on_one_position_of_each_block(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run("puyo", "full_in_4", "--with", ",".join([*self.fast, "last_colour_takes_all"]), "--positions",
                         1_000_000, "--json", cwd=folder)
            self.assertEqual(result.returncode, 1, result.stdout.decode() + result.stderr.decode())
            self.assertIn("last_colour_takes_all", json.loads(result.stdout)["finding"]["signature"])

    def test_its_shards_compare_the_positions_of_the_whole(self):
        whole = json.loads(run("puyo", "full_in_4", "--positions", 100_000, "--seed", 7, "--json").stdout)
        with tempfile.TemporaryDirectory() as folder:
            for shard in ("1/2", "2/2"):
                run("puyo", "full_in_4", "--positions", 100_000, "--seed", 7, "--shard", shard, "--exchange", folder)
            merged = processes.run(LOCKSTEP, "merge", folder, "--json", expected=0)
            self.assertEqual(json.loads(merged.stdout)["levels"], whole["levels"])

    def test_what_cannot_be_compared_is_refused(self):
        refused = [(["full_in_4", "--with", self.fast[0]], f"only {self.fast[0]} does; puyo has {', '.join(self.fast)}"),
                   (["full_in_4", "--with", implementations("puyo", "yardstick")[0]], "none does"),
                   (["full_in_4", "--depth", 2], "--depth, --actions, --bound and --fold are for walks"),
                   (["3x3_in_2", "--positions", 5], "--positions and --seed are for explorations of random positions"),
                   (["full_in_4", "--positions", 0], "--positions")]
        for arguments, why in refused:
            with self.subTest(arguments):
                result = run("puyo", *arguments)
                self.assertEqual(result.returncode, 2)
                self.assertIn(why, result.stderr.decode())


class Stopping(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def test_a_killed_run_resumes_to_the_same_counts(self):
        what = ["ts_tetris", "5x5", "--depth", "10", "--jobs", "1"]
        whole = json.loads(run(*what, "--json").stdout)
        file = self.path / "checkpoint"
        def steps():
            return self.so_far(file)["steps"] if file.exists() else 0
        for _ in range(20):  # on a busy machine it may end before the kill
            process = subprocess.Popen([LOCKSTEP, "explore", *what, "--checkpoint", file, "--every", "0"], cwd=self.path,
                                       stdout=subprocess.DEVNULL)
            while steps() == 0 and process.poll() is None:
                time.sleep(0.001)
            process.kill()  # SIGKILL: no cleanup
            process.wait()
            if steps() < whole["steps"]:
                break
            file.unlink()
        self.assertGreater(steps(), 0)
        self.assertLess(steps(), whole["steps"])
        resumed = json.loads(run(*what, "--resume", file, "--json").stdout)
        self.assertEqual(resumed["levels"], whole["levels"])
        again = json.loads(run(*what, "--resume", file, "--json").stdout)
        self.assertEqual(again["levels"], whole["levels"], "a finished run is not repeated")

    def test_a_killed_sweep_resumes_with_its_counts(self):
        what = ["stacking", "2x2_with_4", "--jobs", "1"]
        file = self.path / "checkpoint"
        process = subprocess.Popen([LOCKSTEP, "explore", *what, "--checkpoint", file, "--every", "0"], cwd=self.path,
                                   stdout=subprocess.DEVNULL)
        while not file.exists() and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        process.wait()
        first = self.so_far(file)["positions"]
        process = subprocess.Popen([LOCKSTEP, "explore", *what, "--resume", file, "--every", "0", "--json"], cwd=self.path,
                                   stdout=subprocess.PIPE)
        while self.so_far(file)["positions"] == first and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        report = json.loads(process.communicate(timeout=600)[0])
        self.assertEqual(process.returncode, 130)
        self.assertEqual(report["end"], "interrupted")
        self.assertGreater(report["positions"], first)

    @staticmethod
    def so_far(checkpoint: Path) -> dict:
        """A checkpoint replaces the file by a rename, so the file is always complete."""
        return json.loads(checkpoint.read_bytes().split(b"\n", 1)[0])["so_far"]

    def test_a_child_that_dies_outside_an_implementation_is_an_internal_error(self):
        process = subprocess.Popen([LOCKSTEP, "explore", "stacking", "2x2_with_4"], cwd=self.path, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while not children.read_text().split():
            time.sleep(0.01)
        os.kill(int(children.read_text().split()[0]), signal.SIGKILL)  # not SIGSEGV, which a sanitizer would handle
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 3)
        self.assertIn(b"killed from outside (signal 9)", err)
        self.assertEqual(out, b"")

    def test_memory_is_bounded_and_the_certificate_states_its_progress(self):
        result = run("ts_tetris", "5x5", "--memory", "1")
        self.assertEqual(result.returncode, 3)
        self.assertIn(b"NOT COVERED: 1 MiB are not enough", result.stdout)
        self.assertIn(b"no difference so far", result.stdout)

    @unittest.skipIf(any(name in Path(LOCKSTEP).read_bytes() for name in (b"__asan_init", b"__tsan_init")),
                     "sanitizers need terabytes of addresses")
    def test_a_limit_of_addresses_is_named_and_what_it_should_leave_room_for(self):
        def limited(mebibytes, *what):
            limit = mebibytes << 20
            result = run(*what, cwd=self.path, expected=3,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.assertNotIn(b"bad_alloc", result.stderr)
            self.assertIn(b"ulimit -v", result.stderr)
            return result.stderr

        # 24 MiB are enough to start; positions take what is above.
        self.assertIn(b"of memory to share with child processes", limited(40, "stacking", "2x2_with_4", "--jobs", "1024"))
        self.assertIn(b"before the positions took the 4096 MiB", limited(40, "ts_tetris", "5x5", "--depth", "30", "--jobs", "1"))

    def test_a_run_that_was_out_of_memory_resumes_with_more(self):
        file = self.path / "checkpoint"
        what = ["ts_tetris", "5x5", "--depth", "10"]  # 41,681 positions: their table alone takes 1 MiB
        self.assertEqual(run(*what, "--memory", "1", "--checkpoint", file).returncode, 3)
        resumed = run(*what, "--resume", file, "--json")
        self.assertEqual(resumed.returncode, 0)
        self.assertEqual(json.loads(resumed.stdout)["levels"], json.loads(run(*what, "--json").stdout)["levels"])

    def test_a_damaged_or_incompatible_checkpoint_is_refused(self):
        file = self.path / "checkpoint"
        what = ["ts_tetris", "5x5", "--depth", "6"]
        run(*what, "--checkpoint", file)
        for other in (["ts_tetris", "6x6"], ["omok", "line_7"], [*what, "--fold"], [*what, "--with", "run_capped_at_12"]):
            result = run(*other, "--resume", file)
            self.assertEqual(result.returncode, 2, other)
            self.assertIn(b"is of another exploration", result.stderr)
        whole = file.read_bytes()
        for broken in (b"", whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1]), b"lockstep 1 omok\n", b"{}\n"):
            file.write_bytes(broken)
            self.assertEqual(run(*what, "--resume", file).returncode, 2)
        head, positions = whole.split(b"\n", 1)
        file.write_bytes(head.replace(b'"program":"', b'"program":"x') + b"\n" + positions)
        self.assertIn(b"another build", run(*what, "--resume", file).stderr)
        progress = json.loads(head)
        for name, value in (("cursor", progress["level_end"]), ("level_end", 10**15), ("bytes", 10**15), ("failed", "x")):
            file.write_bytes(json.dumps(progress | {name: value}, separators=(",", ":")).encode() + b"\n" + positions)
            result = run(*what, "--resume", file)
            self.assertEqual(result.returncode, 2, (name, result.stderr))
            self.assertIn(b"is damaged", result.stderr, name)

    def test_a_folder_beside_a_checkpoint_keeps_its_files(self):
        kept = self.path / "checkpoint.lock" / "notes.txt"
        kept.parent.mkdir()
        kept.write_text("mine")
        self.assertEqual(run("omok", "line_7", "--checkpoint", self.path / "checkpoint").returncode, 0)
        self.assertEqual(kept.read_text(), "mine")

    def test_no_temporary_file_is_left_behind(self):
        run("omok", "line_7", "--checkpoint", self.path / "a", "--every", "0")
        self.assertEqual([f.name for f in self.path.iterdir()], ["a"])


class CommandLine(unittest.TestCase):
    def test_an_unknown_exploration_is_refused_with_the_known_ones(self):
        for arguments, said in (
                (["nim"], b"there is no system 'nim'"),
                (["omok", "line_8"], b"there is no exploration 'line_8' of omok; did you mean 'line_7'?"),
                (["omok", "--actions", "jump", "--setup", "size=2"], b"there is no action 'jump' of omok; there are: place, remove, judge"),
                (["omok", "--setup", "size=20"], b"--setup size=20: size must be a number from 1 to 19"),
                (["omok", "--setup", "nowhere.txt"], b"nowhere.txt"),
                (["omok", "--setup", "n" * 300], b"there is no such file; expected a scenario file or fields"),
                (["omok", "--corpus", "nowhere"], b"nowhere"),
                (["omok", "line_7", "--fold"], b"the actions of line_7 are fixed"),
                (["omok", "line_7", "--setup", "size=2"], b"takes only one of NAME, --setup and --corpus"),
                (["omok", "line_7", "--with", "unheard"], b"there is no implementation 'unheard' of omok"),
                (["omok", "line_7", "--resume", "nowhere"], b"nowhere")):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(said, result.stderr)
            self.assertEqual(result.stdout, b"")

    def test_a_certificate_claims_no_more_than_was_asked_for(self):
        said = run("ts_tetris", "5x5", "--depth", "3").stdout.split()  # lines are wrapped
        self.assertIn(b"within 20 turns; here to depth 3 implementations", b" ".join(said))
        result = run("omok", "--depth", "0")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"expected a whole number from 1 to", result.stderr)

    def test_the_list_names_every_exploration(self):
        self.assertIn(b"every filling of one whole line of 15 cells", run("omok", "--list").stdout)

    def test_names_that_are_not_utf8_are_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            odd = Path(folder) / os.fsdecode(b"\xff")
            odd.mkdir()
            (odd / "s.txt").write_text("lockstep 1 ts_tetris\nwidth 3\nheight 3\nactions\n")
            walk = ("ts_tetris", "--setup", odd / "s.txt", "--depth", "2", "--json")
            shard = ("--shard", "1/1", "--exchange", Path(folder) / "shared")
            for more in ((), ("--checkpoint", odd / "checkpoint"), ("--resume", odd / "checkpoint"), shard, shard):
                result = run(*walk, *more)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("/\ufffd/s.txt", json.loads(result.stdout)["about"])
            merged = processes.run(LOCKSTEP, "merge", Path(folder) / "shared", "--json", expected=0)
            self.assertIn("/\ufffd/s.txt", json.loads(merged.stdout)["about"])
            result = run("omok", "line_7", "--with", "run_at_the_end_missed", "--out", odd, "--json")
            self.assertEqual(result.returncode, 1, result.stderr)
            file, = odd.glob("omok-*.txt")
            self.assertEqual(json.loads(result.stdout)["finding"]["file"], f"{folder}/\ufffd/{file.name}")

    def test_stdout_is_pure_json_without_escape_codes(self):
        result = run("omok", "line_7", "--json")
        json.loads(result.stdout)
        self.assertEqual(result.stderr, b"")
        self.assertNotIn(b"\x1b", run("omok", "line_7").stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
