#!/usr/bin/env python3
"""The prover decides planted changes: what the lists record is proved again, a wrong entry is noticed, and in each game
changes with an effect are refuted. docs/proving.md names each claim.

usage: changes_test.py ROOT
"""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()
WRONG = ("`up & down` -> `up | down`", "`left & right` -> `left`")  # changes of LanesPuyo::find_doomed that are no equivalents
# Claims of whose changes none is an equivalent, and how many are tried.
REFUTED = (("puyo", "lanes.find_doomed", 20), ("block_game", "bit_rows.read_baseline", 5), ("stacking", "packed_stacks.move", 5),
           ("ts_tetris", "bit_planes.remove_run", 5), ("omok", "bands.judge_baseline", 5))


def asked(question: str, *words, listed: str = ""):
    """The exit code of prove_changes.py and what it says; `listed`: in place of the game's list."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(listed)
        file.flush()
        words = [*words, *(["--equivalent", file.name] if listed else [])]
        result = subprocess.run([sys.executable, str(ROOT / "lab/mutants/prove_changes.py"), question, *words],
                                capture_output=True, text=True, check=False, timeout=1500)
    return result.returncode, result.stdout + result.stderr


class Changes(unittest.TestCase):
    def test_what_is_recorded_is_proved_again(self):
        code, said = asked("equivalents", "puyo", "--recorded", "--json")
        entries = json.loads(said)
        self.assertGreater(len(entries), 0)
        self.assertEqual({entry["verdict"] for entry in entries}, {"proved"}, said)
        self.assertEqual(code, 0)

    def test_an_entry_that_is_wrong_is_killed(self):
        listed = """Groups of three do not vanish.
lanes.hpp: LanesPuyo::find_doomed
    CHANGE; proved: lanes.find_doomed 0123456789abcdef
"""
        for change in WRONG:
            code, said = asked("equivalents", "puyo", listed=listed.replace("CHANGE", change))
            self.assertEqual(code, 1, said)
            self.assertIn("killed, but listed as proved: lanes.hpp: LanesPuyo::find_doomed", said)
            self.assertIn("lockstep 1 puyo", said)

    def test_a_change_outside_of_the_kernels_stays_argued(self):
        listed = "Time only.\nlean.hpp: LeanPuyo::erase_groups\n    `seen[start]` -> `false`\n"
        code, said = asked("equivalents", "puyo", "--json", listed=listed)
        self.assertEqual((code, [(entry["verdict"], entry["why"]) for entry in json.loads(said)]),
                         (0, [("argued", "in no kernel")]), said)

    def test_changes_with_an_effect_are_refuted(self):
        for game, claim, count in REFUTED:
            with self.subTest(game):
                code, said = asked("refutations", game, claim, "--sample", str(count))
                self.assertEqual(code, 0, said)
                self.assertIn(f"{count} in the sample: {count} refuted, 0 equal, 0 not covered", said)


class Claims(unittest.TestCase):
    def test_the_page_names_each_kernel(self):
        page = (ROOT / "docs/proving.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| (\w+) \| `(\w+)` \| (.*) \|$", page, re.MULTILINE)
        named = [f"{game} {implementation}.{kernel}{level}" for game, implementation, kernels in rows
                 for kernel, at_each in re.findall(r"`(\w+)`( \*)?", kernels)
                 for level in (("_baseline", "_avx2", "_avx512", "_avx512vbmi") if at_each else ("",))]
        listed = subprocess.run([ROOT / "build/release/bin/lockstep-prove", "--list"], capture_output=True, text=True, check=True)
        self.assertCountEqual(named, re.findall(r"^(\w+ [\w.]+): ", listed.stdout, re.MULTILINE))


if __name__ == "__main__":
    unittest.main(verbosity=2)
