#!/usr/bin/env python3
"""The layering check is seen failing: planted violations are reported by name.

usage: layering_test.py ROOT COMPILER
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import layering

COMPILER = sys.argv.pop()
ROOT = Path(sys.argv.pop())


class Layering(unittest.TestCase):
    def offences_of(self, files: dict[str, str]) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return list(layering.offences(Path(folder)))

    def test_the_tree_follows_the_dependency_order(self):
        self.assertEqual(list(layering.offences(ROOT)), [])

    def test_the_tree_has_simulators_to_check(self):
        for room in ("reference", "optimized", "canaries", "systems"):
            self.assertTrue(list((ROOT / room).rglob("*.hpp")), room)

    def test_an_include_against_the_dependency_order_is_caught(self):
        found = self.offences_of({"lockstep/judge.hpp": '#include "games/puyo/game.hpp"\n'})
        self.assertIn("lockstep must not include games", found[0])

    def test_a_new_template_over_systems_is_caught(self):
        text = "template <System S>\nvoid shrink(Scenario<S>&);\n"
        self.assertIn("template over a system", self.offences_of({"lockstep/shrink.hpp": text})[0])
        self.assertEqual(self.offences_of({"lockstep/typed.hpp": text}), [])

    def test_lockstep_reads_no_other_standard_headers(self):
        self.assertEqual(layering.standard_headers(ROOT, "lockstep/lockstep.hpp"), layering.LOCKSTEP_READS)

    def test_a_standard_header_that_is_read_through_others_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "one.hpp").write_text('#include "two.hpp"\n#include <string>\n', encoding="utf-8")
            (Path(folder) / "two.hpp").write_text('#include "one.hpp"\n#include <regex>\n', encoding="utf-8")
            self.assertEqual(layering.standard_headers(Path(folder), "one.hpp"), {"string", "regex"})

    def test_the_product_never_includes_the_laboratory(self):
        for file in ("lockstep/judge.hpp", "tools/main.cpp", "bench/main.cpp", "systems/puyo.hpp"):
            found = self.offences_of({file: '#include "lab/mutants/toy/game.hpp"\n'})
            self.assertIn("must not include lab", found[0])

    def test_the_program_knows_no_game(self):
        for header in ("games/puyo/game.hpp", "systems/puyo.hpp"):
            found = self.offences_of({"tools/verb_fuzz.cpp": f'#include "{header}"\n'})
            self.assertIn("tools must not include", found[0])

    def test_without_a_root_it_prints_its_usage(self):
        done = subprocess.run([sys.executable, layering.__file__], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage", done.stderr)

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

    def test_a_shared_helper_outside_the_listed_folders_is_caught(self):
        found = self.offences_of({"reference/puyo.hpp": '#include "common.hpp"\n', "common.hpp": "\n"})
        self.assertIn("name files from the root, inside a room", found[0])

    def test_an_example_includes_its_own_headers_only_by_their_names(self):
        self.assertEqual(self.offences_of({"examples/a/a.cpp": '#include "a.hpp"\n', "examples/a/a.hpp": ""}), [])
        found = self.offences_of({"examples/a/a.cpp": '#include "common.hpp"\n', "common.hpp": ""})
        self.assertIn("name files from the root, inside a room", found[0])

    def test_a_shared_algorithm_of_the_library_is_caught(self):
        found = self.offences_of({"optimized/puyo/lanes.hpp": '#include "lockstep/reduce.hpp"\n', "lockstep/reduce.hpp": ""})
        self.assertIn("a simulator knows only the words", found[0])

    def test_a_simulator_that_includes_a_part_of_its_game_is_caught(self):
        own = {"optimized/puyo/lanes.hpp": '#include "games/puyo/game.hpp"\n', "games/puyo/game.hpp": ""}
        self.assertEqual(self.offences_of(own), [])
        for part in ("laws", "features", "suggestions", "problem_format", "explorations", "system", "groups"):
            header = f"games/puyo/{part}.hpp"
            for simulator in ("optimized/puyo/lanes.hpp", "optimized/puyo/lanes.cpp", "reference/puyo.hpp", "canaries/puyo.hpp"):
                found = self.offences_of({simulator: f'#include "{header}"\n', header: ""})
                self.assertIn("its own vocabulary only", found[0])

    def test_a_vocabulary_that_includes_a_part_is_caught(self):
        found = self.offences_of({"games/puyo/game.hpp": '#include "games/puyo/laws.hpp"\n', "games/puyo/laws.hpp": ""})
        self.assertIn("which must not bring", found[0])
        found = self.offences_of({"games/puyo/game.hpp": '#include "lockstep/symmetry.hpp"\n', "lockstep/symmetry.hpp": ""})
        self.assertIn("which must not bring", found[0])

    def test_a_simulator_of_another_game_is_caught(self):
        found = self.offences_of({"optimized/puyo/lanes.hpp": '#include "games/omok/game.hpp"\n', "games/omok/game.hpp": ""})
        self.assertIn("its own vocabulary only", found[0])
        found = self.offences_of({"optimized/puyo/lanes.hpp": '#include "optimized/omok/lines.hpp"\n'})
        self.assertIn("of another game", found[0])


class Vocabulary(unittest.TestCase):
    """A vocabulary only declares the parts of its game: a source that includes nothing else cannot use them."""

    def errors_of(self, code: str, *headers: str) -> list[str]:
        source = "".join(f'#include "{header}"\n' for header in headers) + code
        compiled = subprocess.run([COMPILER, "-std=c++23", "-fsyntax-only", f"-I{ROOT}", "-x", "c++", "-"], input=source,
                                  capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        errors = re.findall(r"error: .*", compiled.stderr)
        self.assertEqual(compiled.returncode == 0, not errors, compiled.stderr)
        return errors

    def test_its_parts_are_incomplete_and_those_of_the_system_header_complete(self):
        games = sorted(folder.name for folder in (ROOT / "games").iterdir())
        parts = []
        for game in games:
            struct = "".join(word.capitalize() for word in game.split("_"))
            text = (ROOT / f"games/{game}/game.hpp").read_text(encoding="utf-8")
            declared = re.findall(r"^  struct (\w+);", text, re.MULTILINE)
            self.assertIn("Laws", declared, game)
            parts += [f"{struct}::{part}" for part in declared]
        # All games in one source, because the library's headers take most of the time.
        complete = "template <class T>\nconcept Complete = requires { sizeof(T); };\n"
        for header, expected in (("system.hpp", "Complete"), ("game.hpp", "!Complete")):
            code = complete + "".join(f"static_assert({expected}<lockstep::{part}>);\n" for part in parts)
            self.assertEqual(self.errors_of(code, *(f"games/{game}/{header}" for game in games)), [])

    def test_a_call_of_a_law_does_not_compile(self):
        call = "void repair(lockstep::Puyo::Setup& setup) { lockstep::Puyo::Laws::normalise(setup); }"
        self.assertEqual(self.errors_of(call, "games/puyo/laws.hpp"), [])
        self.assertIn("incomplete type", self.errors_of(call, "games/puyo/game.hpp")[0])

    def test_is_not_mistaken_for_a_system_without_laws(self):
        call = "void repair(lockstep::Puyo::Setup& setup) { lockstep::normalise<lockstep::Puyo>(setup); }"
        self.assertEqual(self.errors_of(call, "games/puyo/laws.hpp"), [])
        self.assertIn("include the header that defines it", self.errors_of(call, "games/puyo/game.hpp")[0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
