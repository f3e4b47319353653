#!/usr/bin/env python3
"""Tests of lockstep corpus: minimise, merge, check, and the import of engines' inputs.

usage: corpus_test.py LOCKSTEP ROOT
"""
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import processes

ROOT = Path(sys.argv.pop()).resolve()
LOCKSTEP = str(Path(sys.argv.pop()).resolve())
CANARY = "six_counts_as_five"  # of omok
SCENARIO = """lockstep 1 ts_tetris
width 5
height 2
to_move 1
score_1 0
score_2 0
board
.....
1.2..
actions
drop column=0
"""


class Corpus(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_verb(self, *arguments, expected=0):
        return processes.run(LOCKSTEP, *arguments, cwd=self.folder, expected=expected)

    def write(self, name, text=SCENARIO):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def copy_of(self, game, name="corpus"):
        target = self.folder / name / game
        target.mkdir(parents=True)
        for file in (ROOT / "corpus" / game).glob("*.txt"):
            shutil.copy(file, target)
        return target

    def shown(self, corpus, game):
        """The feature values that a corpus shows."""
        table = json.loads(self.run_verb("labels", game, "--runs", 1, "--corpus", corpus, "--json").stdout)["games"][0]
        return {(feature["name"], value) for feature in table["features"]
                for value, counts in feature["values"].items() if "corpus" in counts}

    @staticmethod
    def files_of(folder):
        return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Minimise(Corpus):
    def test_the_kept_scenarios_show_what_all_showed_and_twice_changes_nothing(self):
        before = self.copy_of("omok")
        shutil.copy(next(iter(sorted(before.glob("*.txt")))), before / "zz_again.txt")
        said = self.run_verb("corpus", "minimise", "omok", "--out", "small").stdout
        small = self.files_of(self.folder / "small")
        # Where coverage is counted, each scenario but the second copy of one reaches something.
        self.assertLess(len(small), len(list(before.glob("*.txt"))))
        self.assertIn(f"omok: {len(small)} of {len(list(before.glob('*.txt')))} scenarios kept", said)
        for path, text in small.items():
            self.assertEqual(text, (self.folder / "corpus" / path).read_bytes(), "comments stay")
        self.assertEqual(self.shown("small", "omok"), self.shown("corpus", "omok"))
        self.run_verb("corpus", "minimise", "--corpus", "small", "--out", "smaller")
        self.assertEqual(self.files_of(self.folder / "smaller"), small)

    def test_findings_are_kept(self):
        self.run_verb("fuzz", "omok", "--with", CANARY, "--runs", 100_000, "--jobs", 1, "--seed", 1, "--no-canary",
                      "--engine", "suggested", "--out", "found", "--corpus", "none", expected=1)
        finding, = (self.folder / "found").glob("*.txt")
        lines = finding.read_text().splitlines(keepends=True)
        self.assertTrue(any(line.startswith("# signature:") for line in lines))
        mended = "".join(line for line in lines if not line.startswith("# simulators:"))
        plain = "".join(line for line in lines if not line.startswith("#"))
        larger = (ROOT / "corpus" / "omok" / "borders.txt").read_text()
        # It fails with the implementations that it names; all others agree, and it names its signature.
        for name, text, findings in (("open", "".join(lines), 1), ("mended", mended, 1), ("plain", plain, 0)):
            self.write(f"{name}/omok/small.txt", text)
            self.write(f"{name}/omok/larger.txt", larger)
            said = self.run_verb("corpus", "minimise", "--corpus", name, "--out", f"out_{name}").stdout
            self.assertIn(f"{findings} of them as findings", said, name)
            if findings:
                self.assertEqual((self.folder / f"out_{name}" / "omok" / "small.txt").read_text(), text)
        self.write("named/omok/small.txt", "".join(line for line in lines if not line.startswith("# signature:")))
        omok, = (game for game in json.loads(self.run_verb("list", "--json").stdout)["games"] if game["name"] == "omok")
        right = ",".join(implementation["name"] for implementation in omok["simulators"])
        for implementations, findings in (((), 1), (("--with", right), 0)):
            said = self.run_verb("corpus", "minimise", "--corpus", "named", "--out", f"all_{findings}",
                                 *implementations)
            self.assertIn(f"{findings} of them as findings", said.stdout)

    def test_what_cannot_be_minimised_is_an_error_and_nothing_is_written(self):
        self.assertIn("expected a folder", self.run_verb("corpus", "minimise", "--out", "x", expected=2).stderr)
        self.write("corpus/omok/readme.md", "no scenario")
        self.assertIn("no scenario files", self.run_verb("corpus", "minimise", "--out", "x", expected=2).stderr)
        self.assertIn("corpus/omok: no scenario files",
                      self.run_verb("corpus", "minimise", "omok", "--out", "x", expected=2).stderr)
        self.write("corpus/ts_tetris/good.txt")
        self.write("corpus/ts_tetris/bad.txt", SCENARIO.replace("column=0", "column=9"))
        self.write("corpus/ts_tetris/torn.txt", SCENARIO[:30])
        said = self.run_verb("corpus", "minimise", "--out", "x", expected=2).stderr
        self.assertRegex(said, r"corpus/ts_tetris/bad.txt:11:\d+: ")
        self.assertRegex(said, r"corpus/ts_tetris/torn.txt:\d+:\d+: ")
        self.assertIn("2 damaged files; nothing was written", said)
        self.assertFalse((self.folder / "x").exists())
        self.write("x/ts_tetris/there.txt")
        for name in ("bad", "torn"):
            (self.folder / "corpus" / "ts_tetris" / f"{name}.txt").unlink()
        said = self.run_verb("corpus", "minimise", "--out", "x", expected=2).stderr
        self.assertIn("holds scenarios already; choose another folder for --out, or remove this one", said)
        self.write("file", "")
        self.run_verb("corpus", "minimise", "--out", "file/x", expected=2)


class Merge(Corpus):
    def test_each_scenario_is_there_once_and_twice_changes_nothing(self):
        self.write("one/ts_tetris/same.txt")
        self.write("one/ts_tetris/name.txt", SCENARIO.replace("column=0", "column=1"))
        self.write("two/name.txt", SCENARIO.replace("column=0", "column=2"))
        self.write("two/twin.txt", "# why\n" + SCENARIO.replace("width 5", "width   5"))
        self.write("corpus/ts_tetris/kept.txt", SCENARIO.replace("column=0", "column=2"))
        self.assertEqual(self.run_verb("corpus", "merge", "one", "two").stdout,
                         "2 of 4 scenarios added to corpus; 2 were equal to others\n")
        merged = self.files_of(self.folder / "corpus")
        self.assertEqual({path.name for path in merged}, {"kept.txt", "same.txt", "name.txt"})
        self.assertEqual(self.run_verb("corpus", "merge", "one", "two").stdout,
                         "0 of 4 scenarios added to corpus; 4 were equal to others\n")
        self.assertEqual(self.files_of(self.folder / "corpus"), merged)
        self.write("three/name.txt", SCENARIO.replace("to_move 1", "to_move 2"))
        self.assertEqual(self.run_verb("corpus", "merge", "three").stdout, "1 of 1 scenario added to corpus\n")
        self.assertTrue((self.folder / "corpus" / "ts_tetris" / "name-2.txt").exists(), "no file is replaced")

    def test_of_a_folder_that_is_given_twice_each_scenario_is_added_once(self):
        self.write("one/a.txt")
        self.write("one/b.txt", SCENARIO.replace("column=0", "column=1"))
        self.assertEqual(self.run_verb("corpus", "merge", "one", "one", "--corpus", "new").stdout,
                         "2 of 4 scenarios added to new; 2 were equal to others\n")
        self.write("two/a.txt")
        self.assertEqual(self.run_verb("corpus", "merge", "two", "--corpus", "new").stdout,
                         "0 of 1 scenario added to new; 1 was equal to another\n")

    def test_a_corpus_whose_scenarios_cannot_be_read_gets_none(self):
        self.write("one/a.txt")
        link = self.folder / "corpus" / "ts_tetris"
        link.parent.mkdir()
        link.symlink_to("ts_tetris")
        for verb in (("merge", "one"), ("add", "one/a.txt")):
            said = self.run_verb("corpus", *verb, expected=2).stderr
            self.assertIn("corpus/ts_tetris: Too many levels of symbolic links", said)

    def test_nothing_is_added_when_a_file_is_damaged(self):
        self.write("one/good.txt")
        self.write("one/inner/unknown.txt", SCENARIO.replace("ts_tetris", "ts_tetriss"))
        said = self.run_verb("corpus", "merge", "one", expected=2).stderr
        self.assertIn("one/inner/unknown.txt:1:12: there is no system 'ts_tetriss'; did you mean 'ts_tetris'?", said)
        self.assertFalse((self.folder / "corpus").exists())
        (self.folder / "empty").mkdir()
        self.assertIn("empty: no scenario files", self.run_verb("corpus", "merge", "empty", expected=2).stderr)
        self.run_verb("corpus", "merge", "absent", expected=2)

    def test_inputs_of_engines_are_imported(self):
        scenario = self.write("corpus/ts_tetris/one.txt")
        self.run_verb("corpus", "pack", "ts_tetris", "bytes")
        case = self.folder / "clusterfuzz-testcase-minimized-fuzz_ts_tetris-5123456789"
        shutil.copy(self.folder / "bytes" / "one", case)
        text = self.run_verb("show", "--bytes", "ts_tetris", case).stdout
        self.assertEqual(text, scenario.read_text())
        self.run_verb("corpus", "unpack", "ts_tetris", case, "--out", "texts")
        self.assertIn("0 of 1 scenario added", self.run_verb("corpus", "merge", "texts").stdout)
        self.write("crash", b"\x07\x03\x01\x02\x03\x04\x05\x06\x07")
        self.run_verb("corpus", "unpack", "ts_tetris", "crash", "--out", "texts")
        self.assertIn("1 of 2 scenarios added", self.run_verb("corpus", "merge", "texts").stdout)
        self.run_verb("replay", "corpus/ts_tetris/crash.txt")


    def test_inputs_with_one_name_are_all_unpacked_and_what_is_no_input_is_not(self):
        same, other = b"\x07\x03\x01\x02\x03\x04\x05\x06\x07", b"\x05\x02\x01\x01"
        for node, data in (("one", same), ("two", other), ("three", same)):
            self.write(f"{node}/id:000000", data)
        for name in ("README.txt", ".cur_input", "worker-1-2-3.tmp0123456789abcdef"):
            self.write(f"one/{name}", "no input")
        self.write("one/crash.tmp0", other)
        for _ in range(2):
            said = self.run_verb("corpus", "unpack", "ts_tetris", "one", "two", "three", "--out", "texts").stdout
            self.assertEqual(said, "4 inputs of ts_tetris unpacked into texts\n")
            files = {"id:000000.txt": "one/id:000000", "id:000000-2.txt": "two/id:000000", "crash.tmp0.txt": "one/crash.tmp0"}
            shown = {Path(name): self.run_verb("show", "--bytes", "ts_tetris", file).stdout.encode()
                     for name, file in files.items()}
            self.assertEqual(len(set(shown.values())), 2)
            self.assertEqual(self.files_of(self.folder / "texts"), shown)
        said = self.run_verb("corpus", "unpack", "ts_tetris", "one/README.txt", "--out", "texts").stdout
        self.assertEqual(said, "1 input of ts_tetris unpacked into texts\n", "a file that is named is an input")


class Check(Corpus):
    def test_a_corpus_holds_its_floors_and_a_part_of_it_does_not(self):
        target = self.copy_of("omok")
        said = self.run_verb("corpus", "check", "omok", "--floors", ROOT / "golden" / "floors").stdout
        self.assertRegex(said, r"^omok: \d+ scenarios, (\d+) of \1 floors hold\n$")
        for file in sorted(target.glob("*.txt"))[1:]:
            file.unlink()
        said = self.run_verb("corpus", "check", "omok", "--floors", ROOT / "golden" / "floors", expected=1)
        self.assertRegex(said.stderr, r"omok: corpus: .* in 0 of 1 scenarios?, the floor is 1")

    def test_a_damaged_file_of_a_system_does_not_hide_what_others_miss(self):
        self.copy_of("puyo")
        self.write("corpus/puyo/aaa.txt", "junk\n")
        for file in sorted(self.copy_of("omok").glob("*.txt"))[1:]:
            file.unlink()
        self.copy_of("ts_tetris")
        said = self.run_verb("corpus", "check", "puyo", "omok", "ts_tetris", "--floors", ROOT / "golden" / "floors", expected=2)
        self.assertIn("corpus/puyo/aaa.txt:1:1: ", said.stderr)
        self.assertRegex(said.stderr, r"omok: corpus: .* in 0 of 1 scenario, the floor is 1")
        omok, ts_tetris = said.stdout.splitlines()
        self.assertRegex(omok, r"^omok: 1 scenario, \d+ of \d+ floors hold$")
        self.assertRegex(ts_tetris, r"^ts_tetris: \d+ scenarios, (\d+) of \1 floors hold$")

    def test_folders_that_cannot_be_read_are_an_error(self):
        self.write("corpus/ts_tetris/good.txt")
        loop = "Too many levels of symbolic links"  # a link to itself: root reads every folder
        for name, target, fault in (("omok", "omok", loop), ("omok", "not-mounted", "No such file or directory"),
                                    ("omokk", "omokk", loop + "; no system has this name; name the systems that are meant")):
            link = self.folder / "corpus" / name
            link.symlink_to(target)
            for verb, said in (("check",), "ts_tetris: 1 scenario\n"), (("minimise", "--out", "small"), ""):
                for named in ((), ("omok", "ts_tetris")) if name == "omok" else ((),):
                    done = self.run_verb("corpus", *verb, *named, expected=2)
                    self.assertEqual(done.stderr.splitlines(), [f"lockstep: corpus/{name}: {fault}"])
                    self.assertEqual(done.stdout, said)
            link.unlink()
        self.assertFalse((self.folder / "small").exists())
        (self.folder / "corpus" / "readme").symlink_to("not-there")  # this may be meant to be a file
        self.run_verb("corpus", "check")

    def test_files_that_would_be_skipped_are_an_error(self):
        target = self.copy_of("omok")
        said = self.run_verb("corpus", "check", "--floors", ROOT / "golden" / "floors", expected=2)
        self.assertRegex(said.stderr, r"corpus/\w+: no scenario files")
        self.write("floors/omok.txt", "seed 1\nruns 1\nwinner = 0: uniform 1\n")
        said = self.run_verb("corpus", "check", "--floors", "floors", expected=2)
        self.assertIn("floors/omok.txt: expected lines for 'corpus'", said.stderr)
        target.rename(target.with_name("omokk"))
        for verb in (("check",), ("minimise", "--out", "small")):
            said = self.run_verb("corpus", *verb, expected=2)
            self.assertIn("corpus/omokk: no system has this name", said.stderr)

    def test_damaged_files_beside_a_folder_of_no_system_are_named_first(self):
        self.write("corpus/omok/bad.txt", "lockstep 1 omok\njump\n")
        self.write("corpus/omok/other.txt", "lockstep 1 puyo\n")
        for name in ("aaa", "zzz"):
            self.write(f"corpus/{name}/a.txt", f"lockstep 1 {name}\n")
        damaged = [r"corpus/omok/bad\.txt:\d+:\d+: ", r"corpus/omok/other\.txt:1:12: "]
        foreign = [f"corpus/{name}: no system has this name; name the systems that are meant"
                   for name in ("aaa", "zzz")]
        for verb, last in ((("check",), []),
                           (("minimise", "--out", "small"), ["2 damaged files; nothing was written"])):
            said = self.run_verb("corpus", *verb, expected=2).stderr.splitlines()
            self.assertEqual(len(said), 4 + len(last), said)
            for line, wanted in zip(said, damaged + foreign + last):
                self.assertRegex(line, wanted)
        for name in ("bad", "other"):
            (self.folder / "corpus" / "omok" / f"{name}.txt").unlink()
        self.copy_of("omok", "whole")
        shutil.copytree(self.folder / "whole", self.folder / "corpus", dirs_exist_ok=True)
        for verb in (("check",), ("minimise", "--out", "small")):  # nothing says that these folders are to be left out
            said = self.run_verb("corpus", *verb, expected=2).stderr.splitlines()
            self.assertEqual([line.split(": ", 1)[1] for line in said], foreign)
        self.assertFalse((self.folder / "small").exists())
        self.run_verb("corpus", "check", "omok")

    def test_damaged_files_are_named_with_line_and_column(self):
        self.write("corpus/ts_tetris/good.txt")
        self.assertEqual(self.run_verb("corpus", "check").stdout, "ts_tetris: 1 scenario\n")
        self.write("corpus/ts_tetris/other.txt", "lockstep 1 omok\n")
        self.write("corpus/ts_tetris/bad.txt", SCENARIO + "jump\n")
        said = self.run_verb("corpus", "check", expected=2)
        self.assertIn("corpus/ts_tetris/bad.txt:12:1: ", said.stderr)
        self.assertIn("corpus/ts_tetris/other.txt:1:", said.stderr)
        self.assertEqual(said.stdout, "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
