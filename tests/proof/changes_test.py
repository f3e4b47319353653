#!/usr/bin/env python3
"""The prover decides planted changes: what the lists record is proved again, and a wrong entry is noticed.

usage: changes_test.py ROOT
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()
WRONG = ("`up & down` -> `up | down`", "`left & right` -> `left`")  # changes of LanesPuyo::find_doomed that are no equivalents


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
        code, said = asked("refutations", "puyo", "lanes.find_doomed", "--sample", "20")
        self.assertEqual(code, 0, said)
        self.assertIn("20 in the sample: 20 refuted, 0 equal, 0 not covered", said)

    def test_a_table_that_planting_makes_at_run_time_is_known(self):
        """The initialiser of a static local constant runs in the kernel: one change of it has no effect, the others do."""
        listed = "There is no row 19.\nwide_board.hpp: WideBoardOmok::columns\n    `row < side` -> `row <= side`\n"
        code, said = asked("equivalents", "omok", "--json", listed=listed)
        self.assertEqual((code, [entry["verdict"] for entry in json.loads(said)]), (0, ["proved"]), said)
        code, said = asked("refutations", "omok", "wide_board.wins", "--sample", "5")
        self.assertEqual(code, 0, said)
        self.assertIn("5 in the sample: 5 refuted, 0 equal, 0 not covered", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
