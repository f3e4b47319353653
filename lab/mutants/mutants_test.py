#!/usr/bin/env python3
"""The mutation score on a toy: changes that must be killed are, each as expected, and those that must survive do.

usage: mutants_test.py PLANTED JUDGE COMPILER
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import keys  # noqa: E402
import plant_sources  # noqa: E402

COMPILER = sys.argv.pop()
JUDGE = sys.argv.pop()
PLANTED = sys.argv.pop()
HERE = Path(__file__).resolve().parent
LISTED = (HERE / "toy" / "equivalent.txt").read_text(encoding="utf-8")
SURVIVOR = """
Never less than 0 anyhow.
plain.hpp: Plain::step
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

    def test_changes_with_an_effect_are_killed(self):
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
                ("out = beyond", "`beyond` -> `true`"), ("out = beyond", "`beyond` -> `false`"),
                ("return out[0]", "`out[0] == Toy::most` -> `false`"),
                ("even |=", "`static_cast<unsigned>(total_) & low` -> `static_cast<unsigned>(total_)`")):
            for verdict in self.verdicts(text, change):
                self.assertTrue(verdict["killed"], f"{change} in {verdict['text']} survived")

    def test_changes_without_an_effect_survive(self):
        for text, change, how in (
                ("shortcut", "`amount == 0` -> `false`", "reached"),
                ("std::max", "delete `total_ = std::max(total_, Toy::most - Toy::most);`", "reached"),
                ("even |=", "`total_ <= Toy::most || total_ < 0` -> `total_ <= Toy::most`", "reached")):
            (verdict,) = self.verdicts(text, change)
            self.assertEqual((verdict["killed"], verdict["how"]), (False, how), change)
        (verdict,) = self.verdicts("never()", "`total_ / 2` -> `total_`")
        self.assertEqual((verdict["killed"], verdict["how"]), (False, "unreached"))

    def test_the_kind_of_each_kill_is_reported(self):
        for text, change, how in (
                ("++total_", "delete `++total_;`", "observation"),
                ("total +=", "`total += bits[--count] * (1 << count)` -> `-=`", "snapshot"),
                ("& low", "`static_cast<unsigned>(total_) & low` -> `static_cast<unsigned>(total_) | low`", "died")):
            self.assertEqual({v["how"] for v in self.verdicts(text, change)}, {how}, change)
        self.assertIn("hung", {c["how"] for c in self.all["changes"]})

    def test_the_corpus_is_run_first(self):
        (verdict,) = self.verdicts("++total_", "delete `++total_;`")
        self.assertEqual(verdict["by"], "by_one.txt")
        # A table entry that the corpus scenario does not read is noticed by a drawn scenario.
        self.assertTrue(all(v["by"].isdigit() for v in self.verdicts("even_of =", "`3` -> `3 + 1`")))

    def test_changes_in_constant_expressions_are_skipped_and_counted(self):
        self.assertEqual(self.all["skipped"], {"optimized/toy/plain.hpp": 3})  # sides = 3: plus one, minus one, zero
        self.assertFalse([c for c in self.all["changes"] if "sides" in c["text"]])

    def test_survivors_are_listed_with_their_lines_and_fail(self):
        result = score()
        self.assertEqual(result.returncode, 1, result.stderr)
        source = (HERE / "toy" / "optimized" / "toy" / "plain.hpp").read_text(encoding="utf-8").splitlines()
        line = next(i for i, text in enumerate(source, 1) if "std::max" in text)
        self.assertIn(f"optimized/toy/plain.hpp:{line}: {source[line - 1].strip()}\nplain.hpp: Plain::step\n", result.stdout)
        self.assertNotIn("`amount == 0` -> `false`", result.stdout)  # listed as equivalent

    def test_a_run_succeeds_when_all_survivors_are_listed(self):
        survivors = [c for c in self.all["changes"] if not c["killed"] and not c["equivalent"]]
        listed = LISTED + "".join(f"\nReason.\nplain.hpp: {c['function']}\n    {c['key']}\n" for c in survivors)
        result = score(equivalents=listed)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertIn("100.00 %", result.stdout)

    def test_every_form_of_registration_is_found(self):
        for declaration, name in (
                ('inline const auto a = register_implementation<A, Toy>("plain", Kind::optimized, "…")', "plain"),
                ('inline const auto a = can() ? register_implementation<A, Toy>(\n  "wide", Kind::optimized, "…") : Registration{}', "wide"),
                ('inline const auto a = [] {\n  if (can()) registry<Toy>().push_back({"pushed", Kind::optimized, "…"});\n}()',
                 "pushed"), ('inline const auto a = register_batch<A, Toy>("batch", "…")', "batch"), ('inline const auto about = "wide"', None)):
            self.assertEqual(plant_sources.registered(declaration), name, declaration)

    def test_only_one_simulator_is_judged_when_asked(self):
        self.assertEqual(score("plain", "--only", "even_of =").returncode, 0)
        result = score("fast")
        self.assertEqual(result.returncode, 2)
        self.assertIn("there are: plain", result.stderr)

    def test_an_entry_that_matches_nothing_is_an_error(self):
        result = score("--only", "shortcut", equivalents=LISTED.replace("amount == 0` -> ", "amount == 1` -> "))
        self.assertEqual(result.returncode, 1)
        self.assertIn("line 5: stale: nothing is plain.hpp: Plain::step: `amount == 1` -> `false`", result.stdout)

    def test_a_listed_change_that_is_noticed_is_an_error(self):
        result = score("--only", "shortcut", equivalents=LISTED + "    `amount == 0` -> `true`\n")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"listed as equivalent, but noticed by \S+ \(observation\)")

    def test_a_list_without_reasons_is_refused(self):
        for text, complaint in (("plain.hpp: x\n    `a` -> `b`\n", "expected a reason"),
                                ("Reason.\n    `a` -> `b`\n", "expected a reason"),
                                (SURVIVOR + "Another reason.\n", "expected `FILE: FUNCTION`")):
            result = score(equivalents=text)
            self.assertEqual(result.returncode, 2, text)
            self.assertIn(complaint, result.stderr)

    def test_results_are_deterministic(self):
        again = json.loads(score("--json").stdout)
        self.assertEqual([c["killed"] for c in again["changes"]], [c["killed"] for c in self.all["changes"]])


class Keys(unittest.TestCase):
    """The keys of changes in the lists, tested on copies of the toy."""

    @classmethod
    def setUpClass(cls):
        cls.source = (HERE / "toy" / "optimized" / "toy" / "plain.hpp").read_text(encoding="utf-8")
        cls.before = cls.planted(cls.source)

    @staticmethod
    def planted(source: str) -> list[keys.Place]:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "optimized" / "toy").mkdir(parents=True)
            (Path(folder) / "optimized" / "toy" / "plain.hpp").write_text(source, encoding="utf-8")
            command = [sys.executable, plant_sources.__file__, "--root", folder, "--out", f"{folder}/out", "--compiler", COMPILER,
                       "--unit", "optimized/toy/plain.hpp", "--", "optimized/toy/plain.hpp"]
            result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
            if result.returncode != 0:
                raise AssertionError(result.stderr)
            changes = json.loads((Path(folder) / "out" / "mutants.json").read_text(encoding="utf-8"))["changes"]
        return [keys.Place("plain.hpp", c["function"], c["change"], c["within"]) for c in changes]

    def edited(self, *edits: tuple[str, str]) -> list[keys.Place]:
        source = self.source
        for old, new in edits:
            self.assertIn(old, source)
            source = source.replace(old, new)
        return self.planted(source)

    @staticmethod
    def everything(places: list[keys.Place]) -> list[keys.Entry]:
        index = keys.Index(places)
        return keys.read("Reason.\n" + "".join(f"{place.file}: {place.function}\n    {index.key(at, place)}\n"
                                               for at, place in enumerate(places)))

    def test_every_change_has_a_key_that_finds_it_again(self):
        found, complaints = keys.match(self.before, self.everything(self.before))
        self.assertEqual((list(found), complaints), (list(range(len(self.before))), []))

    def test_functions_are_named_with_their_classes(self):
        self.assertEqual({place.function for place in self.before},
                         {"Sums::Sums", "Lanes::limited", "Plain::step", "Plain::snapshot", "Plain::even_of", "Plain::even", "Plain::never"})
        # A body outside its class belongs to the class too.
        moved = self.edited(("int never() const { return total_ / 2 - 1; }", "int never() const;"),
                            ("static_assert(Implementation<Plain, Toy>);",
                             "inline int Plain::never() const { return total_ / 2 - 1; }"))
        self.assertEqual(self.missing_after(moved), [])

    def missing_after(self, places: list[keys.Place]) -> list[str]:
        return keys.match(places, self.everything(self.before))[1]

    def test_keys_survive_edits_elsewhere(self):
        for what, edits in (
                ("line breaks and spaces", (("bits[count++] = rest & 1", "bits[ count++ ]\n  =  rest&1"),
                                            ("even_of = {7,", "even_of =\n      { 7,"),
                                            ("std::max(total_, Toy::most", "std::max(\n        total_,\n  Toy::most"),
                                            ("if (total_ >= Toy::most) break;", "if (total_ >= Toy::most)\n        break;"))),
                ("comments", (("// never less than 0 anyhow", ""), ("rest & 1;", "rest /* the lowest bit */ & 1;"))),
                ("a function that moves", (("  int never() const { return total_ / 2 - 1; }\n", ""),
                                           ("  explicit Plain", "  int never() const { return total_ / 2 - 1; }\n  explicit Plain"))),
                ("another variable's name", (("for (std::size_t i = 1; i < of.size(); ++i) of[i] = of[i - 1] + 1;",
                                              "for (std::size_t n = 1; n < of.size(); ++n) of[n] = of[n - 1] + 1;"),)),
                ("a neighbouring line", (("unsigned even = 0;", "unsigned even = 0;\n    for (int k = 5; k < 3;) ++k;"),))):
            lost = [complaint for complaint in self.missing_after(self.edited(*edits)) if "Sums::Sums" not in complaint]
            self.assertEqual(lost, [], what)

    def test_a_stale_key_is_reported_with_its_possible_new_place(self):
        renamed = self.edited(("return {never()};", "return {nothing()};"), ("int never()", "int nothing()"))
        complaints = self.missing_after(renamed)
        self.assertIn("stale: nothing is plain.hpp: Plain::never: `total_ / 2` -> `total_`; it is in Plain::nothing",
                      " ".join(complaints))
        self.assertTrue(all("Plain::never" in complaint for complaint in complaints))

    def test_an_ambiguous_key_is_resolved_by_an_expression(self):
        entry = "Reason.\nplain.hpp: Plain::snapshot\n    `0` -> `0 + 1`"
        (complaint,) = keys.match(self.before, keys.read(entry))[1]
        self.assertRegex(complaint, r"^line 3: ambiguous: plain.hpp: Plain::snapshot: `0` -> `0 \+ 1` is one of 5: "
                                    r"`0` -> `0 \+ 1` in `count = 0`; .* in `count > 0`$")
        for expression in ("count = 0", "count>0", "rest != 0"):
            found, complaints = keys.match(self.before, keys.read(f"{entry} in `{expression}`"))
            self.assertEqual((len(found), complaints), (1, []), expression)

    def test_a_numbered_key_fails_when_the_total_changes(self):
        twice = self.edited(("++total_;", "++total_;\n      ++total_;"))
        (at, _) = [at for at, place in enumerate(twice) if place.what == "delete `++total_;`"]
        entry = keys.read("Reason.\nplain.hpp: Plain::step\n    delete `++total_;` #1 of 2\n")
        self.assertEqual(list(keys.match(twice, entry)[0]), [at])
        for places, count in ((self.before, 1), (self.edited(("++total_;", "++total_; ++total_; ++total_;")), 3)):
            self.assertEqual(keys.match(places, entry)[1],
                             [f"line 3: ambiguous: plain.hpp: Plain::step: delete `++total_;` #1 of 2: the number is {count} now"])

    def test_a_change_listed_twice_is_an_error_in_any_formatting(self):
        twice = LISTED + SURVIVOR + SURVIVOR.replace("std::max(total_", "std::max( total_")
        self.assertRegex(" ".join(keys.match(self.before, keys.read(twice))[1]), "^line 13: listed before, in line 9: plain.hpp")


class List(unittest.TestCase):
    def test_is_compared_with_the_planted_changes_without_judging(self):
        result = score("--list")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"^toy: \d+ changes planted, 1 listed as equivalent \(0 of them proved\), no wrong entries\n$")
        result = score("--list", equivalents=LISTED.replace("Plain::step", "Plain::stop"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("line 5: stale: nothing is plain.hpp: Plain::stop: `amount == 0` -> `false`; it is in Plain::step",
                      result.stdout)
        self.assertTrue(result.stdout.endswith(", 0 listed as equivalent (0 of them proved), 1 wrong entry\n"), result.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
