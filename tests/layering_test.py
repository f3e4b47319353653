#!/usr/bin/env python3
"""The layering check is seen failing: planted offences are caught, each by its name.

usage: layering_test.py ROOT
"""
import sys
import tempfile
import unittest
from pathlib import Path

import layering

ROOT = Path(sys.argv.pop())


class Layering(unittest.TestCase):
    def offences_of(self, files: dict[str, str]) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return list(layering.offences(Path(folder)))

    def test_the_tree_keeps_the_arrows(self):
        self.assertEqual(list(layering.offences(ROOT)), [])

    def test_the_tree_has_simulators_to_look_at(self):
        for room in ("reference", "optimized", "canaries", "systems"):
            self.assertTrue(list((ROOT / room).rglob("*.hpp")), room)

    def test_an_include_against_the_arrows_is_caught(self):
        found = self.offences_of({"lockstep/judge.hpp": '#include "games/puyo/game.hpp"\n'})
        self.assertIn("lockstep must not include games", found[0])

    def test_the_product_never_includes_the_laboratory(self):
        for file in ("lockstep/judge.hpp", "tools/main.cpp", "bench/main.cpp", "systems/puyo.hpp"):
            found = self.offences_of({file: '#include "lab/mutants/switch.hpp"\n'})
            self.assertIn("must not include lab", found[0])

    def test_optimized_never_includes_reference(self):
        found = self.offences_of({"optimized/puyo/lanes.hpp": '#include "reference/puyo.hpp"\n'})
        self.assertIn("optimized must not include reference", found[0])

    def test_an_include_in_angle_brackets_is_caught(self):
        found = self.offences_of({"optimized/puyo/lanes.hpp": "#include <reference/puyo.hpp>\n"})
        self.assertIn("optimized must not include reference", found[0])

    def test_reference_never_includes_optimized(self):
        found = self.offences_of({"reference/puyo.hpp": '#include "optimized/puyo/lanes.hpp"\n'})
        self.assertIn("reference must not include optimized", found[0])

    def test_canaries_include_no_other_implementation(self):
        found = self.offences_of({"canaries/puyo.hpp": '#include "reference/puyo.hpp"\n'})
        self.assertIn("canaries must not include reference", found[0])

    def test_a_shared_helper_beside_the_rooms_is_caught(self):
        found = self.offences_of({"reference/puyo.hpp": '#include "common.hpp"\n', "common.hpp": "\n"})
        self.assertIn("name files from the root, inside a room", found[0])

    def test_a_shared_algorithm_of_the_library_is_caught(self):
        found = self.offences_of({"optimized/puyo/lanes.hpp": '#include "lockstep/reduce.hpp"\n', "lockstep/reduce.hpp": ""})
        self.assertIn("a simulator knows only the words", found[0])

    def test_a_simulator_that_asks_the_game_for_judgement_is_caught(self):
        self.assertEqual(self.offences_of({"optimized/puyo/lanes.hpp": "// normalise( in a comment is fine\n"}), [])
        for call in ("Puyo::normalise(x)", "normalise(x)", "Puyo::flaw(x)"):
            found = self.offences_of({"optimized/puyo/lanes.hpp": "void f() { " + call + "; }\n"})
            self.assertIn("shares words, not judgement", found[0])

    def test_a_simulator_of_another_game_is_caught(self):
        found = self.offences_of({"optimized/puyo/lanes.hpp": '#include "games/omok/game.hpp"\n', "games/omok/game.hpp": ""})
        self.assertIn("of another game", found[0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
