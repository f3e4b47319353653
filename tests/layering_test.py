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


OUTSIDE = "name files from the root, inside a room"
VOCABULARY_ONLY = "its own vocabulary only"
# A file, what it includes, and the offence; None where that is allowed.
INCLUDES = [
    ("lockstep/judge/judge.hpp", '"games/puyo/game.hpp"', "lockstep must not include games"),
    # Neither a library of campaigns nor one of programs needs the other.
    ("lockstep/judge/judge.hpp", '"programs/stress.hpp"', "lockstep must not include programs"),
    ("programs/stress.hpp", '"campaign/campaign.hpp"', "programs must not include campaign"),
    # Inside the library, includes follow the order of its folders.
    ("lockstep/judge/judge.hpp", '"lockstep/shrink/shrink.hpp"', "judge must not include"),
    ("lockstep/shrink/shrink.hpp", '"lockstep/judge/judge.hpp"', None),
    ("lockstep/base/words.hpp", '"lockstep/lockstep.hpp"', "base must not include"),
    ("lockstep/more/words.hpp", '"lockstep/base/lines.hpp"', "no folder of the library"),
    # The product never includes the laboratory, and the program knows no game.
    *((file, '"lab/mutants/toy/game.hpp"', "must not include lab")
      for file in ("lockstep/judge/judge.hpp", "tools/main.cpp", "bench/main.cpp", "games/puyo/roster.hpp")),
    ("tools/verb_fuzz.cpp", '"games/puyo/game.hpp"', "tools must not include"),
    ("tools/verb_fuzz.cpp", '"games/puyo/roster.hpp"', "tools must not include"),
    # An implementation includes no other one.
    ("optimized/puyo/lanes.hpp", '"reference/puyo.hpp"', "optimized must not include reference"),
    ("optimized/puyo/lanes.hpp", "<reference/puyo.hpp>", "optimized must not include reference"),
    ("reference/puyo.hpp", '"optimized/puyo/lanes.hpp"', "reference must not include optimized"),
    ("games/puyo/canaries.hpp", '"reference/puyo.hpp"', "canaries must not include reference"),
    # They share no helper or algorithm.
    ("reference/puyo.hpp", '"common.hpp"', OUTSIDE),
    ("optimized/puyo/lanes.hpp", '"lockstep/describe/reduce.hpp"', "a simulator knows only the words"),
    # An example includes its own headers by their names alone.
    ("examples/a/a.cpp", '"a.hpp"', None),
    ("examples/a/a.cpp", '"common.hpp"', OUTSIDE),
    # A simulator includes the vocabulary of its game, no part of it and nothing of another one.
    ("optimized/puyo/lanes.hpp", '"games/puyo/game.hpp"', None),
    *((simulator, f'"games/puyo/{part}.hpp"', VOCABULARY_ONLY)
      for part in ("laws", "features", "suggestions", "problem_format", "explorations", "system", "groups")
      for simulator in ("optimized/puyo/lanes.hpp", "optimized/puyo/lanes.cpp", "reference/puyo.hpp", "games/puyo/canaries.hpp")),
    ("optimized/puyo/lanes.hpp", '"games/omok/game.hpp"', VOCABULARY_ONLY),
    ("optimized/puyo/lanes.hpp", '"optimized/omok/lines.hpp"', "of another game"),
    # A vocabulary brings no part either.
    ("games/puyo/game.hpp", '"games/puyo/laws.hpp"', "which must not bring"),
    ("games/puyo/game.hpp", '"lockstep/describe/symmetry.hpp"', "which must not bring"),
]
TEMPLATE = "template <System S>\nvoid shrink(Scenario<S>&);\n"


class Layering(unittest.TestCase):
    def planted(self, files: dict[str, str]) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            path = Path(folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Path(folder.name)

    def test_the_tree_follows_the_dependency_order(self):
        self.assertEqual(list(layering.offences(ROOT)), [])

    def test_the_tree_has_simulators_to_check(self):
        rooms = {layering.room_of(file.relative_to(ROOT).as_posix())
                 for folder in ("reference", "optimized", "games") for file in (ROOT / folder).rglob("*.hpp")}
        self.assertLessEqual({"reference", "optimized", "canaries", "rosters"}, rooms)

    def offences_of(self, files: dict[str, str]) -> list[str]:
        return list(layering.offences(self.planted(files)))

    def test_an_include_against_the_order_is_caught_and_others_are_allowed(self):
        for file, included, offence in INCLUDES:
            with self.subTest(file, includes=included):
                there = Path(file).with_name("a.hpp").as_posix() if included == '"a.hpp"' else included[1:-1]
                found = self.offences_of({there: "", file: f"#include {included}\n"})
                self.assertEqual(bool(found), offence is not None, found)
                self.assertIn(offence or "", "".join(found[:1]))

    def test_a_new_template_over_systems_is_caught(self):
        self.assertIn("template over a system", self.offences_of({"lockstep/shrink/shrink.hpp": TEMPLATE})[0])
        self.assertEqual(self.offences_of({"lockstep/system/typed.hpp": TEMPLATE}), [])

    def test_lockstep_reads_no_other_standard_headers(self):
        self.assertEqual(layering.standard_headers(ROOT, "lockstep/lockstep.hpp"), layering.LOCKSTEP_READS)

    def test_a_standard_header_that_is_read_through_others_is_seen(self):
        folder = self.planted({"one.hpp": '#include "two.hpp"\n#include <string>\n',
                               "two.hpp": '#include "one.hpp"\n#include <regex>\n'})
        self.assertEqual(layering.standard_headers(folder, "one.hpp"), {"string", "regex"})

    def test_without_a_root_it_prints_its_usage(self):
        done = subprocess.run([sys.executable, layering.__file__], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage", done.stderr)


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
