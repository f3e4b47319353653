#!/usr/bin/env python3
"""Tests of `lockstep explore`: counts that stay the same, canaries within the bounds of a certificate, and runs that are
stopped, killed and resumed.

usage: explore_test.py LOCKSTEP ROOT [--all] [TEST…]

The small explorations; with --all the large certificates too. One canary of each exploration; in ./dev test long all.

The counts are kept in tests/golden/explored.json; LOCKSTEP_UPDATE_GOLDEN=1 in the environment writes what this
build counts.
"""
import functools
import json
import os
import resource
import sys
import time
import unittest
from pathlib import Path

import case
from case import Case, GAMES, LOCKSTEP, ROOT, interrupt, kill, simulators, wait_for, written
from length import LONG

LARGE = "--all" in sys.argv
sys.argv = [argument for argument in sys.argv if argument != "--all"]
GOLDEN = ROOT / "tests" / "golden" / "explored.json"
UPDATING = os.environ.get("LOCKSTEP_UPDATE_GOLDEN") == "1"

run = functools.partial(case.run, "explore")
report = functools.partial(case.report, "explore")

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


def occupied(scenario: str) -> int:
    """Occupied cells and pieces, as measure.hpp counts them."""
    setup = [line for line in scenario.split("\nactions\n")[0].splitlines() if not line.startswith("#")]
    pieces = [line for line in setup if line.startswith("piece ")]
    rows = [line for line in setup[setup.index("board") + 1:] if line not in pieces] if "board" in setup else []
    cells = [row.split() if " " in row else list(row) for row in rows]
    return len(pieces) + sum(cell != "." for row in cells for cell in row)


class Counts(Case):
    """As in perft: positions, steps and refusals, per depth and part."""

    def explore(self, arguments):
        key = " ".join(arguments)
        found = report(*arguments, timeout=3600)  # block_game played_5 takes 976 s on two quiet processors
        self.assertTrue(found["agreed"])
        self.assertIn(found["end"], ("covered", "exhausted"))
        counts = [[level["positions"], level["steps"], level["illegal"]] for level in found["levels"]]
        self.assertEqual([sum(column) for column in zip(*counts)], [found["positions"], found["steps"], found["illegal"]])
        if key in KNOWN:
            self.assertEqual([positions for positions, _, _ in counts], KNOWN[key], key)
        golden = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
        if UPDATING:
            golden[key] = {"end": found["end"], "levels": counts}
            lines = [f"  {json.dumps(name)}: {json.dumps(golden[name])}" for name in sorted(golden)]
            GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        else:
            self.assertEqual({"end": found["end"], "levels": counts}, golden.get(key), key)

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
                levels = report(game, "--corpus", ROOT / "corpus", *actions)["levels"]
                self.assertEqual(len(levels), 2)
                self.assertGreater(levels[0]["positions"], 20)
                self.assertGreater(levels[0]["steps"], levels[0]["positions"])

    def test_corpus_positions_are_taken_as_they_are(self):
        for turn in (0, 999):
            written(f"{turn}.txt", f"lockstep 1 stacking\nsize 2\nturn {turn}\npiece row=0 column=0 facing=right level=0\n"
                                   "actions\nturn\n")
        self.assertEqual(report("stacking", "--corpus", ".")["levels"][0]["positions"], 4, "the turn counter tells them apart")


class Canaries(Case):
    """A mistake within the bounds is found, and shrinking comes as far as the smallest scenario that was explored."""

    def test_a_canary_inside_the_bounds_makes_the_certificate_fail(self):
        for (game, *what), inside in INSIDE.items():
            for canary in inside if LONG else inside[:1]:
                with self.subTest(game=game, what=what, canary=canary):
                    found = report(game, *what, "--with", canary, "--out", f"{game}_{canary}", expected=1)
                    self.assertFalse(found["agreed"])
                    finding = found["finding"]
                    self.assertIn(canary, finding["signature"])
                    self.assertTrue(finding["minimal"])
                    case.run("replay", finding["file"], expected=1)
                    smallest = finding["smallest_explored"]
                    self.assertEqual(occupied(smallest["text"]), smallest["size"]["occupied"])
                    # All smaller scenarios within these bounds agree, so shrinking cannot stop at more actions.
                    self.assertLessEqual(finding["actions"], smallest["size"]["actions"])
                    if finding["actions"] == smallest["size"]["actions"]:
                        shrunk = Path(finding["file"]).read_text()
                        self.assertLessEqual(occupied(shrunk), smallest["size"]["occupied"] + 1)

    def test_the_same_finding_whatever_the_number_of_jobs(self):
        found = [report("ts_tetris", "5x5", "--with", "shared_cell_scores_twice", "--jobs", jobs, expected=1)
                 for jobs in (1, 2, 3)]
        self.assertEqual(len({each["finding"]["smallest_explored"]["text"] for each in found}), 1)


class Bulks(Case):
    """Random positions, answered by fast implementations; one of each block is judged by all."""

    FAST = simulators("puyo", "optimized", "batch")

    def test_the_fast_implementations_agree_on_random_positions(self):
        for what in ("full_in_4", "settled_in_5"):
            with self.subTest(what):
                found = report("puyo", what, "--positions", 1_234_567)
                self.assertEqual(found["fast"], self.FAST)
                self.assertEqual([level["positions"] for level in found["levels"]], [1_000_000, 240_000])
                self.assertEqual([level["steps"] for level in found["levels"]], [100, 24])

    def test_a_canary_is_judged_on_one_position_of_each_block(self):
        found = report("puyo", "full_in_4", "--with", ",".join([*self.FAST, "last_colour_takes_all"]), "--positions", 1_000_000,
                       expected=1)
        self.assertIn("last_colour_takes_all", found["finding"]["signature"])

    def test_its_shards_compare_the_positions_of_the_whole(self):
        what = ("puyo", "full_in_4", "--positions", 100_000, "--seed", 7)
        for shard in ("1/2", "2/2"):
            run(*what, "--shard", shard, "--exchange", "shared")
        self.assertEqual(case.report("merge", "shared")["levels"], report(*what)["levels"])

    def test_what_cannot_be_compared_is_refused(self):
        for why, *what in ((f"only {self.FAST[0]} does; puyo has {', '.join(self.FAST)}", "full_in_4", "--with", self.FAST[0]),
                           ("none does", "full_in_4", "--with", *simulators("puyo", "yardstick")[:1]),
                           ("--depth, --actions, --bound and --fold are for walks", "full_in_4", "--depth", 2),
                           ("--positions and --seed are for explorations of random positions", "3x3_in_2", "--positions", 5),
                           ("--positions", "full_in_4", "--positions", 0)):
            with self.subTest(what):
                case.refused(why, "explore", "puyo", *what)


class Stopping(Case):
    FILE = Path("checkpoint")

    def begin(self, *what, **options):
        return self.start("explore", *what, "--every", "0", **options)

    def so_far(self) -> dict:
        """A checkpoint replaces the file by a rename, so the file is always complete."""
        return json.loads(self.FILE.read_bytes().split(b"\n", 1)[0])["so_far"]

    def test_a_killed_run_resumes_to_the_same_counts(self):
        what = ["ts_tetris", "5x5", "--depth", "10", "--jobs", "1"]
        whole = report(*what)

        def steps():
            return self.so_far()["steps"] if self.FILE.exists() else 0

        for _ in range(20):  # on a busy machine it may end before the kill
            process = self.begin(*what, "--checkpoint", self.FILE)
            while steps() == 0 and process.poll() is None:
                time.sleep(0.001)
            kill(process)  # SIGKILL: no cleanup
            if steps() < whole["steps"]:
                break
            self.FILE.unlink()
        self.assertGreater(steps(), 0)
        self.assertLess(steps(), whole["steps"])
        for _ in range(2):  # a finished run is not repeated
            self.assertEqual(report(*what, "--resume", self.FILE)["levels"], whole["levels"])

    def test_a_killed_sweep_resumes_with_its_counts_and_alone_writes_its_checkpoint(self):
        what = ["stacking", "2x2_with_4", "--jobs", "1"]
        process = self.begin(*what, "--checkpoint", self.FILE)
        wait_for(self.FILE.exists)
        for option in ("--checkpoint", "--resume"):
            case.refused("another exploration writes it", "explore", *what, option, self.FILE)
        kill(process)
        first = self.so_far()["positions"]
        process = self.begin(*what, "--resume", self.FILE, "--json")
        wait_for(lambda: self.so_far()["positions"] > first)
        found = json.loads(interrupt(process)[0])
        self.assertEqual(found["end"], "interrupted")
        self.assertGreater(found["positions"], first)
        self.assertEqual(os.listdir(), [self.FILE.name])

    @unittest.skipIf(any(name in LOCKSTEP.read_bytes() for name in (b"__asan_init", b"__tsan_init")),
                     "sanitizers need terabytes of addresses")
    def test_a_limit_of_addresses_is_named_and_what_it_should_leave_room_for(self):
        limit = 32 << 20  # 24 MiB are enough to start; positions take what is above
        for said, *what in (("of memory to share with child processes", "stacking", "2x2_with_4", "--jobs", "1024"),
                            ("before the positions took the 4096 MiB", "ts_tetris", "5x5", "--depth", "30", "--jobs", "1",
                             "--with", "lean")):
            result = run(*what, expected=3, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.assertNotIn("bad_alloc", result.stderr)
            self.assertIn("ulimit -v", result.stderr)
            self.assertIn(said, result.stderr)

    def test_a_run_that_was_out_of_memory_states_its_progress_and_resumes_with_more(self):
        what = ["ts_tetris", "5x5", "--depth", "10"]  # 41,681 positions: their table alone takes 1 MiB
        result = run(*what, "--memory", "1", "--checkpoint", self.FILE, expected=3)
        self.assertIn("NOT COVERED: 1 MiB are not enough", result.stdout)
        self.assertIn("no difference so far", result.stdout)
        self.assertEqual(report(*what, "--resume", self.FILE)["levels"], report(*what)["levels"])

    def test_a_damaged_or_incompatible_checkpoint_is_refused(self):
        what = ["ts_tetris", "5x5", "--depth", "6"]
        resume = ["explore", *what, "--resume", self.FILE]
        run(*what, "--checkpoint", self.FILE)
        for other in (["ts_tetris", "6x6"], ["omok", "line_7"], [*what, "--fold"], [*what, "--with", "run_capped_at_12"]):
            case.refused("is of another exploration", "explore", *other, "--resume", self.FILE)
        whole = self.FILE.read_bytes()
        for broken in (b"", whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1]), b"lockstep 1 omok\n", b"{}\n"):
            self.FILE.write_bytes(broken)
            case.refused("", *resume)
        head, positions = whole.split(b"\n", 1)
        progress = json.loads(head)
        for name, value, said in (("program", f"x{progress['program']}", "another build"),
                                  ("cursor", progress["level_end"], "is damaged"), ("level_end", 10**15, "is damaged"),
                                  ("bytes", 10**15, "is damaged"), ("failed", "x", "is damaged")):
            self.FILE.write_bytes(json.dumps(progress | {name: value}, separators=(",", ":")).encode() + b"\n" + positions)
            case.refused(said, *resume)

    def test_a_checkpoint_leaves_no_temporary_file_and_a_folder_beside_it_keeps_its_files(self):
        kept = written("checkpoint.lock/notes.txt", "mine")
        run("omok", "line_7", "--checkpoint", self.FILE, "--every", "0", expected=0)
        self.assertEqual(kept.read_text(), "mine")
        self.assertEqual(sorted(os.listdir()), ["checkpoint", "checkpoint.lock"])


class CommandLine(Case):
    def test_a_wrong_command_line_is_refused_and_what_is_known_is_named(self):
        Path("folder").mkdir()
        for said, *words in (
                ("there is no system 'nim'", "nim"),
                ("there is no exploration 'line_8' of omok; did you mean 'line_7'?", "omok", "line_8"),
                ("there is no action 'jump' of omok; there are: place, remove, judge", "omok", "--actions", "jump", "--setup", "size=2"),
                ("--setup size=20: size must be a number from 1 to 19", "omok", "--setup", "size=20"),
                ("nowhere.txt", "omok", "--setup", "nowhere.txt"),
                ("there is no such file; expected a scenario file or fields", "omok", "--setup", "n" * 300),
                ("nowhere", "omok", "--corpus", "nowhere"),
                ("expected a whole number from 1 to", "omok", "--depth", "0"),
                ("the actions of line_7 are fixed", "omok", "line_7", "--fold"),
                ("takes only one of NAME, --setup and --corpus", "omok", "line_7", "--setup", "size=2"),
                ("there is no implementation 'unheard' of omok", "omok", "line_7", "--with", "unheard"),
                ("nowhere", "omok", "line_7", "--resume", "nowhere"),
                ("folder: the checkpoint cannot be written (folder: Is a directory)\n", "omok", "line_7",
                 "--checkpoint", "folder")):
            with self.subTest(words):
                case.refused(said, "explore", *words)

    def test_a_certificate_claims_no_more_than_was_asked_for(self):
        said = run("ts_tetris", "5x5", "--depth", "3").stdout.split()  # lines are wrapped
        self.assertIn("within 20 turns; here to depth 3 implementations", " ".join(said))

    def test_the_list_names_every_exploration(self):
        self.assertIn("every filling of one whole line of 15 cells", run("omok", "--list").stdout)

    def test_names_that_are_not_utf8_are_replaced(self):
        odd = self.path / os.fsdecode(b"\xff")
        odd.mkdir()
        (odd / "s.txt").write_text("lockstep 1 ts_tetris\nwidth 3\nheight 3\nactions\n")
        walk = ("ts_tetris", "--setup", odd / "s.txt", "--depth", "2")
        shard = ("--shard", "1/1", "--exchange", "shared")
        for more in ((), ("--checkpoint", odd / "checkpoint"), ("--resume", odd / "checkpoint"), shard, shard):
            self.assertIn("/\ufffd/s.txt", report(*walk, *more)["about"])
        self.assertIn("/\ufffd/s.txt", case.report("merge", "shared")["about"])
        found = report("omok", "line_7", "--with", "run_at_the_end_missed", "--out", odd, expected=1)
        file, = odd.glob("omok-*.txt")
        self.assertEqual(found["finding"]["file"], f"{self.path}/\ufffd/{file.name}")

    def test_stdout_is_pure_json_without_escape_codes(self):
        result = run("omok", "line_7", "--json")
        json.loads(result.stdout)
        self.assertEqual(result.stderr, "")
        self.assertNotIn("\x1b", run("omok", "line_7").stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
