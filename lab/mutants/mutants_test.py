#!/usr/bin/env python3
"""The mutation score on a toy: changes that must be noticed are, each in its way, and those that must survive do.

usage: mutants_test.py PLANTED JUDGE
"""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import plant

JUDGE = sys.argv.pop()
PLANTED = sys.argv.pop()
HERE = Path(__file__).resolve().parent
LISTED = (HERE / "toy" / "equivalent.txt").read_text(encoding="utf-8")
SURVIVOR = """
Never less than 0 anyhow.
plain.hpp: total_ = std::max(total_, Toy::most - Toy::most);  // never less than 0 anyhow
    delete `total_ = std::max(total_, Toy::most - Toy::most);`
"""


def score(*words: str, equivalents: str = LISTED):
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as listed:
        listed.write(equivalents)
        listed.flush()
        command = [sys.executable, str(HERE / "mutants.py"), "toy", "--planted", PLANTED, "--judge", JUDGE, "--equivalent",
                   listed.name, "--corpus", str(HERE / "toy" / "corpus"), "--seconds", "0.05", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


class Mutants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = json.loads(score("--json").stdout)

    def verdicts(self, text: str, change: str) -> list[dict]:
        found = [c for c in self.all["changes"] if text in c["text"] and c["change"] == change]
        self.assertTrue(found, f"nothing planted is {change} in {text}")
        return found

    def test_what_must_be_noticed_is(self):
        for text, change in (
                ("shortcut", "`amount == 0` -> `true`"), ("shortcut", "`amount == 0` -> `amount != 0`"),
                ("if (total_ >= Toy::most)", "`total_ >= Toy::most` -> `total_ > Toy::most`"),
                ("break", "delete `break;`"), ("++total_", "`++total_` -> `--total_`"), ("++total_", "delete `++total_;`"),
                ("std::max", "`std::max` -> `std::min`"), ("int rest", "`rest & 1` -> `rest`"),
                ("int rest", "`rest >>= 1` -> `<<=`"), ("continue", "`count == 0` -> `true`"),
                ("total +=", "`total += bits[--count] * (1 << count)` -> `-=`"), ("while (count > 0)", "`count > 0` -> `false`"),
                ("even_of =", "`7` -> `7 - 1`"), ("even_of =", "`3` -> `0`"), ("low = 0b111", "`0b111` -> `0b111 - 1`"),
                ("of[i] =", "`of[i - 1] + 1` -> `of[i - 1] - 1`"), ("of[i] =", "`1` -> `1 + 1`"),
                ("even |=", "`!(total_ < 0)` -> `(total_ < 0)`"),
                ("even |=", "`static_cast<unsigned>(total_) & low` -> `static_cast<unsigned>(total_)`")):
            for verdict in self.verdicts(text, change):
                self.assertTrue(verdict["killed"], f"{change} in {verdict['text']} survived")

    def test_what_changes_no_answer_survives(self):
        for text, change, how in (
                ("shortcut", "`amount == 0` -> `false`", "reached"),
                ("std::max", "delete `total_ = std::max(total_, Toy::most - Toy::most);`", "reached"),
                ("even |=", "`total_ <= Toy::most || total_ < 0` -> `total_ <= Toy::most`", "reached")):
            (verdict,) = self.verdicts(text, change)
            self.assertEqual((verdict["killed"], verdict["how"]), (False, how), change)
        (verdict,) = self.verdicts("never()", "`total_ / 2` -> `total_`")
        self.assertEqual((verdict["killed"], verdict["how"]), (False, "unreached"))

    def test_each_way_of_noticing_is_told_apart(self):
        for text, change, how in (
                ("++total_", "delete `++total_;`", "observation"),
                ("total +=", "`total += bits[--count] * (1 << count)` -> `-=`", "snapshot"),
                ("& low", "`static_cast<unsigned>(total_) & low` -> `static_cast<unsigned>(total_) | low`", "died")):
            self.assertEqual({v["how"] for v in self.verdicts(text, change)}, {how}, change)
        self.assertIn("hung", {c["how"] for c in self.all["changes"]})

    def test_the_corpus_comes_first(self):
        (verdict,) = self.verdicts("++total_", "delete `++total_;`")
        self.assertEqual(verdict["by"], "by_one.txt")
        # A table's entry that one added to nothing does not look at is noticed by drawing.
        self.assertTrue(all(v["by"].isdigit() for v in self.verdicts("even_of =", "`3` -> `3 + 1`")))

    def test_what_a_compiler_evaluates_is_skipped_and_counted(self):
        self.assertEqual(self.all["skipped"], {"optimized/toy/plain.hpp": 3})  # sides = 3: one more, one less, none
        self.assertFalse([c for c in self.all["changes"] if "sides" in c["text"]])

    def test_survivors_are_listed_with_their_lines_and_fail(self):
        result = score()
        self.assertEqual(result.returncode, 1, result.stderr)
        source = (HERE / "toy" / "optimized" / "toy" / "plain.hpp").read_text(encoding="utf-8").splitlines()
        line = next(i for i, text in enumerate(source, 1) if "std::max" in text)
        self.assertIn(f"optimized/toy/plain.hpp:{line}\nplain.hpp: {source[line - 1].strip()}\n", result.stdout)
        self.assertNotIn("`amount == 0` -> `false`", result.stdout)  # listed as equivalent

    def test_when_all_survivors_are_explained_all_is_well(self):
        survivors = [c for c in self.all["changes"] if not c["killed"] and not c["equivalent"]]
        listed = LISTED + "".join(f"\nReason.\nplain.hpp: {c['text']}\n    {c['change']} #{c['occurrence']}\n"
                                  for c in survivors)
        result = score(equivalents=listed)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertIn("100.00 %", result.stdout)

    def test_who_enlists_is_found_however_it_is_done(self):
        for declaration, name in (
                ('inline const auto a = register_implementation<A, Toy>("plain", Kind::optimized, "…")', "plain"),
                ('inline const auto a = can() ? register_implementation<A, Toy>(\n  "wide", Kind::optimized, "…") : Registration{}', "wide"),
                ('inline const auto a = [] {\n  if (can()) registry<Toy>().push_back({"batch", Kind::optimized, "…"});\n}()',
                 "batch"), ('inline const auto about = "wide"', None)):
            self.assertEqual(plant.enlisted(declaration), name, declaration)

    def test_only_one_simulator_is_judged_when_asked(self):
        self.assertEqual(score("plain", "--only", "even_of =").returncode, 0)
        result = score("fast")
        self.assertEqual(result.returncode, 2)
        self.assertIn("there are: plain", result.stderr)

    def test_an_entry_that_matches_nothing_is_an_error(self):
        result = score("--only", "shortcut", equivalents=LISTED.replace("amount == 0` -> ", "amount == 1` -> "))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"line 5: nothing planted is plain\.hpp: .*amount == 1")

    def test_a_listed_change_that_is_noticed_is_an_error(self):
        result = score("--only", "shortcut", equivalents=LISTED + "    `amount == 0` -> `true`\n")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"listed as equivalent, but noticed by \S+ \(observation\)")

    def test_a_list_without_reasons_is_refused(self):
        for text, complaint in (("plain.hpp: x\n    `a` -> `b`\n", "expected a reason"),
                                ("Reason.\n    `a` -> `b`\n", "expected a reason"),
                                (SURVIVOR + "Another reason.\n", "expected `FILE: LINE`"),
                                (SURVIVOR + SURVIVOR, "listed before, in line 4")):
            result = score(equivalents=text)
            self.assertEqual(result.returncode, 2, text)
            self.assertIn(complaint, result.stderr)

    def test_the_list_survives_lines_that_move(self):
        # The key has no line numbers: the same list with other ones around it.
        self.assertFalse(re.search(r"^\w+\.hpp:\d", LISTED, re.MULTILINE))
        self.assertNotIn("nothing planted", score("--only", "shortcut", equivalents=LISTED + SURVIVOR).stdout)

    def test_the_numbers_repeat(self):
        again = json.loads(score("--json").stdout)
        self.assertEqual([c["killed"] for c in again["changes"]], [c["killed"] for c in self.all["changes"]])


if __name__ == "__main__":
    unittest.main()
