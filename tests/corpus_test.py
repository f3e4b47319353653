#!/usr/bin/env python3
"""Tests of lockstep corpus: minimise, merge, check, and the import of engines' inputs.

usage: corpus_test.py LOCKSTEP ROOT [TEST…]
"""
import shutil
import unittest
from pathlib import Path

from case import Case, ROOT, contents, refused, report, run, simulators, written

CANARY = "six_counts_as_five"  # of omok
FLOORS = ["--floors", ROOT / "tests" / "golden" / "floors"]
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
OTHERS = [SCENARIO.replace("column=0", f"column={column}") for column in (1, 2)]


def corpus(*words, expected=0):
    return run("corpus", *words, expected=expected)


def did(*words):
    """What a verb of corpus says that has done its work."""
    return corpus(*words).stdout


def wrong(said, *words):
    return refused(said, "corpus", *words)


def write(name, text=SCENARIO):
    return written(name, text)


def copy_of(game):
    target = Path("corpus") / game
    target.mkdir(parents=True)
    for file in (ROOT / "corpus" / game).glob("*.txt"):
        shutil.copy(file, target)
    return target


def leave_one(game):
    for file in sorted(Path("corpus", game).glob("*.txt"))[1:]:
        file.unlink()


def shown(folder):
    """The feature values that a corpus of omok shows."""
    table, = report("labels", "omok", "--runs", 1, "--corpus", folder)["systems"]
    return {(feature["name"], value) for feature in table["features"]
            for value, counts in feature["values"].items() if "corpus" in counts}


class Minimise(Case):
    def test_the_kept_scenarios_show_what_all_showed_and_twice_changes_nothing(self):
        before = copy_of("omok")
        shutil.copy(next(iter(sorted(before.glob("*.txt")))), before / "zz_again.txt")
        said = did("minimise", "omok", "--out", "small")
        small = contents("small")
        # Where coverage is counted, each scenario but the second copy of one reaches something.
        self.assertLess(len(small), len(list(before.glob("*.txt"))))
        self.assertIn(f"omok: {len(small)} of {len(list(before.glob('*.txt')))} scenarios kept", said)
        for path, text in small.items():
            self.assertEqual(text, (Path("corpus", path)).read_bytes(), "comments stay")
        self.assertEqual(shown("small"), shown("corpus"))
        corpus("minimise", "--corpus", "small", "--out", "smaller")
        self.assertEqual(contents("smaller"), small)

    def test_findings_are_kept(self):
        run("fuzz", "omok", "--with", CANARY, "--runs", 100_000, "--jobs", 1, "--seed", 1, "--no-canary", "--engine", "suggested",
            "--corpus", "none", expected=1)
        finding, = Path("findings").glob("*.txt")
        lines = finding.read_text().splitlines(keepends=True)
        self.assertTrue(any(line.startswith("  signature:") for line in lines))

        def without(start):
            return "".join(line for line in lines if not line.startswith(start))

        # It fails with the implementations that it names, unless others are given; all others agree, and it names its signature.
        right = ("--with", ",".join(simulators("omok")))
        for name, text, findings, *more in (
                ("open", "".join(lines), 1), ("mended", without("  implementations:"), 1), ("plain", without(("finding", "  ")), 0),
                ("unsigned", without("  signature:"), 1), ("others", without("  signature:"), 0, *right)):
            write(f"{name}/omok/small.txt", text)
            shutil.copy(ROOT / "corpus" / "omok" / "borders.txt", f"{name}/omok/larger.txt")
            said = did("minimise", "--corpus", name, "--out", f"out_{name}", *more)
            self.assertIn(f"{findings} of them as findings", said, name)
            if findings:
                self.assertEqual(Path(f"out_{name}/omok/small.txt").read_text(), text)

    def test_what_cannot_be_minimised_is_an_error_and_nothing_is_written(self):
        wrong("expected a folder", "minimise", "--out", "x")
        write("corpus/omok/readme.md", "no scenario")
        wrong("no scenario files", "minimise", "--out", "x")
        wrong("corpus/omok: no scenario files", "minimise", "omok", "--out", "x")
        write("corpus/ts_tetris/good.txt")
        write("corpus/ts_tetris/bad.txt", SCENARIO.replace("column=0", "column=9"))
        write("corpus/ts_tetris/torn.txt", SCENARIO[:30])
        said = corpus("minimise", "--out", "x", expected=2).stderr
        self.assertRegex(said, r"corpus/ts_tetris/bad.txt:11:\d+: ")
        self.assertRegex(said, r"corpus/ts_tetris/torn.txt:\d+:\d+: ")
        self.assertIn("2 damaged files; nothing was written", said)
        self.assertFalse(Path("x").exists())
        write("x/ts_tetris/there.txt")
        for name in ("bad", "torn"):
            Path(f"corpus/ts_tetris/{name}.txt").unlink()
        wrong("holds scenarios already; choose another folder for --out, or remove this one", "minimise", "--out", "x")
        write("file", "")
        corpus("minimise", "--out", "file/x", expected=2)


class Merge(Case):
    def test_each_scenario_is_there_once_and_twice_changes_nothing(self):
        write("one/ts_tetris/same.txt")
        write("one/ts_tetris/name.txt", OTHERS[0])
        write("two/name.txt", OTHERS[1])
        write("two/twin.txt", "# why\n" + SCENARIO.replace("width 5", "width   5"))
        write("corpus/ts_tetris/kept.txt", OTHERS[1])
        self.assertEqual(did("merge", "one", "two"), "2 of 4 scenarios added to corpus; 2 were equal to others\n")
        merged = contents("corpus")
        self.assertEqual({path.name for path in merged}, {"kept.txt", "same.txt", "name.txt"})
        self.assertEqual(did("merge", "one", "two"), "0 of 4 scenarios added to corpus; 4 were equal to others\n")
        self.assertEqual(contents("corpus"), merged)
        write("three/name.txt", SCENARIO.replace("to_move 1", "to_move 2"))
        self.assertEqual(did("merge", "three"), "1 of 1 scenario added to corpus\n")
        self.assertTrue(Path("corpus/ts_tetris/name-2.txt").exists(), "no file is replaced")
        write("twin/a.txt")
        for folders, said in ((["one", "one"], "2 of 4 scenarios added to new; 2 were equal to others\n"),
                              (["twin"], "0 of 1 scenario added to new; 1 was equal to another\n")):
            self.assertEqual(did("merge", *folders, "--corpus", "new"), said)

    def test_a_corpus_whose_scenarios_cannot_be_read_gets_none(self):
        write("one/a.txt")
        Path("corpus").mkdir()
        Path("corpus/ts_tetris").symlink_to("ts_tetris")
        for verb in (("merge", "one"), ("add", "one/a.txt")):
            wrong("corpus/ts_tetris: Too many levels of symbolic links", *verb)

    def test_nothing_is_added_when_a_file_is_damaged(self):
        write("one/good.txt")
        write("one/inner/unknown.txt", SCENARIO.replace("ts_tetris", "ts_tetriss"))
        wrong("one/inner/unknown.txt:1:12: there is no system 'ts_tetriss'; did you mean 'ts_tetris'?", "merge", "one")
        self.assertFalse(Path("corpus").exists())
        Path("empty").mkdir()
        wrong("empty: no scenario files", "merge", "empty")
        corpus("merge", "absent", expected=2)

    def test_inputs_of_engines_are_imported(self):
        scenario = write("corpus/ts_tetris/one.txt")
        corpus("pack", "ts_tetris", "bytes")
        case = shutil.copy("bytes/one", "clusterfuzz-testcase-minimized-fuzz_ts_tetris-5123456789")
        self.assertEqual(run("show", "--bytes", "ts_tetris", case).stdout, scenario.read_text())
        corpus("unpack", "ts_tetris", case, "--out", "texts")
        self.assertIn("0 of 1 scenario added", did("merge", "texts"))
        write("crash", b"\x07\x03\x01\x02\x03\x04\x05\x06\x07")
        corpus("unpack", "ts_tetris", "crash", "--out", "texts")
        self.assertIn("1 of 2 scenarios added", did("merge", "texts"))
        run("replay", "corpus/ts_tetris/crash.txt", expected=0)

    def test_inputs_with_one_name_are_all_unpacked_and_what_is_no_input_is_not(self):
        same, other = b"\x07\x03\x01\x02\x03\x04\x05\x06\x07", b"\x05\x02\x01\x01"
        for node, data in (("one", same), ("two", other), ("three", same)):
            write(f"{node}/id:000000", data)
        for name in ("README.txt", ".cur_input", "worker-1-2-3.tmp0123456789abcdef"):
            write(f"one/{name}", "no input")
        write("one/crash.tmp0", other)
        for _ in range(2):
            said = did("unpack", "ts_tetris", "one", "two", "three", "--out", "texts")
            self.assertEqual(said, "4 inputs of ts_tetris unpacked into texts\n")
            files = {"id:000000.txt": "one/id:000000", "id:000000-2.txt": "two/id:000000", "crash.tmp0.txt": "one/crash.tmp0"}
            shown = {Path(name): run("show", "--bytes", "ts_tetris", file).stdout.encode() for name, file in files.items()}
            self.assertEqual(len(set(shown.values())), 2)
            self.assertEqual(contents("texts"), shown)
        said = did("unpack", "ts_tetris", "one/README.txt", "--out", "texts")
        self.assertEqual(said, "1 input of ts_tetris unpacked into texts\n", "a file that is named is an input")


class Check(Case):
    def test_a_corpus_holds_its_floors_and_a_part_of_it_does_not(self):
        copy_of("omok")
        self.assertRegex(did("check", "omok", *FLOORS), r"^omok: \d+ scenarios, (\d+) of \1 floors hold\n$")
        leave_one("omok")
        said = corpus("check", "omok", *FLOORS, expected=1)
        self.assertRegex(said.stderr, r"omok: corpus: .* in 0 of 1 scenarios?, the floor is 1")

    def test_a_damaged_file_of_a_system_does_not_hide_what_others_miss(self):
        copy_of("puyo")
        write("corpus/puyo/aaa.txt", "junk\n")
        copy_of("omok")
        leave_one("omok")
        copy_of("ts_tetris")
        said = corpus("check", "puyo", "omok", "ts_tetris", *FLOORS, expected=2)
        self.assertIn("corpus/puyo/aaa.txt:1:1: ", said.stderr)
        self.assertRegex(said.stderr, r"omok: corpus: .* in 0 of 1 scenario, the floor is 1")
        omok, ts_tetris = said.stdout.splitlines()
        self.assertRegex(omok, r"^omok: 1 scenario, \d+ of \d+ floors hold$")
        self.assertRegex(ts_tetris, r"^ts_tetris: \d+ scenarios, (\d+) of \1 floors hold$")

    def test_folders_that_cannot_be_read_are_an_error(self):
        write("corpus/ts_tetris/good.txt")
        loop = "Too many levels of symbolic links"  # a link to itself: root reads every folder
        for name, target, fault in (("omok", "omok", loop), ("omok", "not-mounted", "No such file or directory"),
                                    ("omokk", "omokk", loop + "; no system has this name; name the systems that are meant")):
            link = Path("corpus", name)
            link.symlink_to(target)
            for verb, said in (("check",), "ts_tetris: 1 scenario\n"), (("minimise", "--out", "small"), ""):
                for named in ((), ("omok", "ts_tetris")) if name == "omok" else ((),):
                    done = corpus(*verb, *named, expected=2)
                    self.assertEqual(done.stderr.splitlines(), [f"lockstep: corpus/{name}: {fault}"])
                    self.assertEqual(done.stdout, said)
            link.unlink()
        self.assertFalse(Path("small").exists())
        Path("corpus/readme").symlink_to("not-there")  # this may be meant to be a file
        corpus("check")

    def test_files_that_would_be_skipped_are_an_error(self):
        target = copy_of("omok")
        self.assertRegex(corpus("check", *FLOORS, expected=2).stderr, r"corpus/\w+: no scenario files")
        write("floors/omok.txt", "seed 1\nruns 1\nwinner = 0: uniform 1\n")
        said = corpus("check", "--floors", "floors", expected=2).stderr
        self.assertIn("floors/omok.txt: expected lines for 'corpus'", said)
        target.rename(target.with_name("omokk"))
        for verb in (("check",), ("minimise", "--out", "small")):
            self.assertIn("corpus/omokk: no system has this name", corpus(*verb, expected=2).stderr)

    def test_damaged_files_beside_a_folder_of_no_system_are_named_first(self):
        write("corpus/omok/bad.txt", "lockstep 1 omok\njump\n")
        write("corpus/omok/other.txt", "lockstep 1 puyo\n")
        for name in ("aaa", "zzz"):
            write(f"corpus/{name}/a.txt", f"lockstep 1 {name}\n")
        damaged = [r"corpus/omok/bad\.txt:2:1: ", r"corpus/omok/other\.txt:1:12: "]
        foreign = [f"corpus/{name}: no system has this name; name the systems that are meant" for name in ("aaa", "zzz")]
        for verb, last in ((("check",), []), (("minimise", "--out", "small"), ["2 damaged files; nothing was written"])):
            said = wrong("", *verb).splitlines()
            self.assertEqual(len(said), 4 + len(last), said)
            for line, wanted in zip(said, damaged + foreign + last):
                self.assertRegex(line, wanted)
        for name in ("bad", "other"):
            Path(f"corpus/omok/{name}.txt").unlink()
        shutil.copytree(ROOT / "corpus" / "omok", "corpus/omok", dirs_exist_ok=True, ignore=shutil.ignore_patterns("judge"))
        for verb in (("check",), ("minimise", "--out", "small")):  # nothing says that these folders are to be left out
            said = corpus(*verb, expected=2).stderr.splitlines()
            self.assertEqual([line.split(": ", 1)[1] for line in said], foreign)
        self.assertFalse(Path("small").exists())
        corpus("check", "omok")


if __name__ == "__main__":
    unittest.main(verbosity=2)
