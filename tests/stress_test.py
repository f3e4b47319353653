#!/usr/bin/env python3
"""Tests of stress, validate, gen and show --as-input: programs as people write them, right and wrong (stress_programs.py).

usage: stress_test.py LOCKSTEP ROOT COMPILER
"""
import fcntl
import functools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from case import Case, LOCKSTEP, ROOT, contents, ended, interrupt, kill, refused, report, run, simulators, wait_for, written
from length import LONG
from stress_programs import (COMPILED, GAMES, OTHER_VERDICTS, PYTHON, SMALLEST, assert_stored_set_tells_apart, command_of,
                             commands_of, fails_on_stored_set, found_in, name_of, programs, size_of, sources, stored_set)

COMPILER = sys.argv[1]
STRESS = ["stress", "omok", "--corpus", "none", "--out", "found"]
ECHO_3 = [*STRESS, "--cmd", "echo 3", "--seed", 5]
PROGRAMS = programs(ROOT)


# Canaries that are right on every known input of the problem: most are wrong in actions that it does not have, or in what its
# text rules out; of flip_halts_at_third_wall, no search has found a case that shows it.
HIDDEN_CANARIES = {
    "puyo": {"eleven_fill_a_column", "full_column_overwritten", "last_colour_takes_all"},
    "block_game": {"count_plus_one", "stale_number", "limit_199", "last_number_unused"},
    "stacking": {"only_four_land", "move_after_the_end", "last_turn_not_counted", "play_counts_its_own_turns",
                 "plays_on_past_1000", "cycle_lands_one_turn_off", "cycle_length_in_six_bits"},
    "ts_tetris": {"full_check_on_first_column", "flip_halts_at_third_wall", "score_stops_one_short"},
    "omok": {"placing_replaces", "topmost_win_answers", "white_before_black", "oldest_win_answers",
             "remove_forgets_anti_diagonal", "joined_six_keeps_old_win", "six_cut_to_five_missed", "shared_stone_forgets_both",
             "one_win_a_line", "closed_fours_cancel", "sixteen_wins_overflow"},
}


@functools.cache
def compiled(name):
    """The command of a program of one source: omok/right.cpp."""
    return command_of(PROGRAMS / name, PROGRAMS, COMPILER)


def finding(*words, expected=1):
    """What the first finding of a search says."""
    return found_in(run(*words, "--json", expected=expected).stdout)


class Programs(Case):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        # A few of them: ./dev test programs runs all.
        chosen = [source for game in GAMES for pattern, count in (("right.*", 2), ("wrong_*", 1))
                  for source in sources(PROGRAMS, game, pattern, COMPILED)[:count]]
        chosen += [source for game in GAMES for source in sources(PROGRAMS, game, "*", COMPILED)
                   if source.stem == "only_in_a_loop"]
        chosen += sources(PROGRAMS, "puyo", "right.*", PYTHON)
        chosen += [source for game in ("puyo", "omok") for source in sources(PROGRAMS, game, "wrong_*", PYTHON)]
        cls.command = commands_of(chosen, Path(folder.name), COMPILER)

    def stress(self, game, command, *options, expected):
        return finding("stress", game, "--cmd", command, "--corpus", ROOT / "corpus", "--out", "found", "--seed", 1, *options,
                       expected=expected)

    def test_a_right_program_is_never_failed(self):
        for source, command in self.command.items():
            if source.stem != "right":
                continue
            with self.subTest(program=name_of(source)):
                found = self.stress(source.parent.name, command, "--seconds", 0.5, "--time-limit", 10, "--batch",
                                    "one" if source.suffix == ".c" else "loop", expected=0)
                self.assertGreater(found["cases"], 0)

    def test_a_wrong_program_fails_on_a_small_input(self):
        for source, command in self.command.items():
            game, name = source.parent.name, name_of(source)
            if not source.name.startswith("wrong_") or source.suffix not in COMPILED:
                continue
            with self.subTest(program=name):
                # With one job, the same scenario is the first that fails: another one may shrink to another size.
                found = self.stress(game, command, "--seconds", 60, "--jobs", 1, expected=1)
                self.assertEqual(found["verdict"], OTHER_VERDICTS.get(name, "wrong answer"))
                run("validate", game, stdin=found["input"], expected=0)
                self.assertEqual(run("solve", game, stdin=found["input"]).stdout, found["expected"])
                # The samples and the stored set come first; batches grow to twice their size.
                first = list((ROOT / "corpus" / game / "judge").glob("*.in"))
                self.assertLessEqual(found["cases"], 2 * sum(int(run("validate", game, file).stdout.split()[1]) for file in first))
                if found["minimal"]:  # a busy machine may not come to the end within the time for shrinking
                    self.assertLessEqual(size_of(game, found["input"]), SMALLEST[name] + 1)

    def test_every_wrong_program_and_canary_fails_on_the_stored_set(self):
        assert_stored_set_tells_apart(ROOT, self.command)
        for game, hidden in HIDDEN_CANARIES.items():
            for file in stored_set(ROOT, game):
                self.assertEqual(run("solve", game, "--with", "reference", file).stdout, file.with_suffix(".out").read_text())
            survive = {name for name in simulators(game, "canary") if not fails_on_stored_set(
                ROOT, game, [str(LOCKSTEP), "solve", game, "--timeout", "5", "--with", name], file_argument=True)}
            self.assertEqual(survive, hidden)

    def test_state_that_survives_is_found_in_a_loop_only_and_reported_as_such(self):
        for source, command in self.command.items():
            if source.stem != "only_in_a_loop":
                continue
            with self.subTest(program=name_of(source)):
                self.stress(source.parent.name, command, "--seconds", 0.5, "--batch", "one", expected=0)
                found = self.stress(source.parent.name, command, "--seconds", 10, "--batch", "loop", expected=1)
                self.assertEqual((found["verdict"], found["cases_in_input"]), ("wrong answer", 2))


class Verdicts(Case):
    def test_each_kind_of_failure_has_its_verdict(self):
        for command, verdict, reason, *options in (
                ("echo 3", "wrong answer", "line 1 of the output: expected '0', got '3'"),
                ("true", "bad output format", "the program printed nothing"),
                ("sh -c 'while :; do :; done'", "time limit", "", "--time-limit", 0.1),
                # A program that answers by chance.
                (f"{sys.executable} -c 'import random; print(random.getrandbits(60))'", "non-deterministic",
                 "two runs with this input gave different results")):
            found = finding("stress", "omok", "--cmd", command, "--seconds", 5, "--corpus", ROOT / "corpus", "--out", "found",
                            *options)
            self.assertEqual((found["verdict"], found["reason"] if reason else ""), (verdict, reason), command)

    def test_the_report_names_files_that_repeat_it(self):
        result = run(*ECHO_3, expected=1)
        for part in ("wrong answer: line 1", "input (no single part can be left out):", "expected   got",
                     "repeat it: ./dev run stress omok --cmd 'echo 3' --input "):
            self.assertIn(part, result.stdout)
        self.assertNotIn("rulebook", result.stdout, "the board is the input, which is there already")
        file = Path(next(line for line in result.stdout.splitlines() if line.startswith("repeat it:")).split()[-1])
        self.assertEqual(run("validate", "omok", file).stdout, "valid: 1 case\n")
        self.assertEqual(run("show", file.with_suffix(".txt"), "--as-input").stdout, file.read_text())
        self.assertEqual(run("solve", "omok", file).stdout, file.with_suffix(".ans").read_text())
        for command, code in (("echo 3", 1), ("echo 0", 0)):
            run("stress", "omok", "--cmd", command, "--input", file, expected=code)

    def test_ctrl_c_while_the_report_is_printed_does_not_change_the_result(self):
        Path("programs").mkdir()
        shutil.copy(compiled("omok/right.cpp"), "programs")
        for verb in (("stress", "omok", "--cmd", compiled("omok/right.cpp")), ("grade", "omok", "programs")):
            reading, writing = os.pipe()
            os.set_blocking(writing, False)
            with self.assertRaises(BlockingIOError):
                while True:
                    os.write(writing, b".")
            os.set_blocking(writing, True)
            process = self.start(*verb, "--seconds", "0.5", "--corpus", "none", "--out", "found", stdout=writing)
            os.close(writing)
            where = Path(f"/proc/{process.pid}/wchan")
            wait_for(lambda: "pipe_write" in where.read_text())  # it prints, which it cannot end while the pipe is full
            process.send_signal(signal.SIGINT)
            with os.fdopen(reading, "rb") as rest:
                rest.read()
            self.assertEqual(process.wait(), 0, verb)

    def test_ctrl_c_stops_a_program_that_hangs(self):
        file = written("one.in", run("gen", "omok", "--seed", 3).stdout)
        runs = self.path / "runs"
        for options in ((), ("--input", file)):
            process = self.start(*STRESS, "--cmd", f"sh -c 'touch {runs}; sleep 1000'", "--time-limit", "1000", *options)
            wait_for(runs.exists)
            said, _ = interrupt(process)
            self.assertTrue(said.startswith("no verdict: 0 cases in "), said)
            runs.unlink()

    def test_a_failure_that_does_not_appear_again_is_named_and_kept(self):
        command = f"sh -c 'mkdir {self.path}/ran 2>/dev/null && exit 5; exec {compiled('omok/right.cpp')}'"
        stress = [*STRESS, "--cmd", command, "--seconds", 1, "--time-limit", 20]
        said = run(*stress, expected=3).stderr
        kept, = Path("found").glob("*.in")
        self.assertIn("did not appear again when the program ran alone, so there is no verdict: runtime error, exited with status 5; "
                      f"its input: {kept}\n", said)
        Path("ran").rmdir()
        lost, = report(*stress, expected=3)["unrepeated"]
        self.assertEqual((lost["verdict"], Path(lost["file"]).read_text()), ("runtime error", lost["input"]))

    def test_a_finding_whose_files_cannot_be_written_is_printed(self):
        run(*ECHO_3, "--jobs", 1, expected=1)
        file, = Path("found").glob("*.in")
        text = file.read_text()
        for blocked, lost in ((file.with_suffix(".ans"), False), (file, True)):
            blocked.unlink()
            blocked.mkdir()
            reason = f"{blocked}: Is a directory"
            with self.subTest(blocked):
                result = run(*ECHO_3, "--jobs", 1, expected=1)
                self.assertIn("wrong answer: line 1", result.stdout)
                self.assertEqual("repeat it: " in result.stdout, not lost)
                self.assertIn(reason, result.stderr)
                self.assertEqual(f"the input could not be written ({reason}). The input:\n{text}" in result.stderr, lost)
                found = finding(*ECHO_3, "--jobs", 1)
                self.assertEqual((found["verdict"], found["input"], found["file"]),
                                 ("wrong answer", text, "" if lost else str(file)))

    def test_the_line_that_repeats_a_finding_has_its_options(self):
        checker = "sh -c 'cmp -s $2 $3' sh"
        for first, more in ((["--cmd", "echo 3", "--cmd", "echo 4", "--without-reference"], []),
                            (["--cmd", "echo 3", "--checker", checker], ["--time-limit", "1.5", "--memory-limit", "99"])):
            said = run(*STRESS, "--seed", 5, *first, *more, expected=1).stdout
            line = next(line for line in said.splitlines() if line.startswith("repeat it: ./dev run "))
            words = shlex.split(line.removeprefix("repeat it: ./dev run "))
            self.assertEqual([word for word in words[2:] if not word.endswith(".in")], [*first, "--input", *more])
            file, = (Path(word) for word in words if word.endswith(".in"))  # its answer is the reference's in any case
            self.assertEqual(run("solve", "omok", file).stdout, file.with_suffix(".ans").read_text())
            self.assertEqual(run(*words, expected=1).stdout.splitlines()[0], said.splitlines()[0])

    def test_a_failure_of_each_verdict_is_reported(self):
        command = "awk '{ for (i = 1; i <= NF; ++i) stones += $i > 0 } END { if (stones % 2) exit 3; print stones == 0 ? 0 : 7 }'"
        lines = run(*STRESS, "--cmd", command, "--keep-going", "--seconds", 1, "--seed", 5, expected=1).stdout.splitlines()
        self.assertEqual({line.split(":")[0] for line in lines if line.startswith(("wrong answer: ", "runtime error: "))},
                         {"wrong answer", "runtime error"})
        self.assertEqual(len([line for line in lines if line.startswith("repeat it: ")]), 2)
        self.assertTrue(lines[-1].startswith("2 failures found: "), lines[-1])

    def test_a_seed_gives_the_same_finding(self):
        once, again = (run("stress", "stacking", "--cmd", "echo 3", "--corpus", "none", "--seed", 5, "--out", "found").stdout
                       for _ in range(2))
        once, again = (re.sub(r"(?m)^(found: .*), \d+\.\d s, seed 5$", r"\1", text) for text in (once, again))
        self.assertIn("found: 1 case in 1 process\n", once)
        self.assertEqual(once, again)

    def test_a_wrong_command_line_is_refused(self):
        written("file", "lockstep 1 omok\n")
        for said, *words in (("no_such_program", "--cmd", "./no_such_program"), ("--batch", "--cmd", "true", "--batch", "two"),
                             ("compares two with --without-reference", "--cmd", "true", "--cmd", "true"),
                             ("give --cmd twice", "--cmd", "true", "--without-reference"),
                             ("refuses the expected answer", "--cmd", "true", "--checker", "false"),
                             ("--cmd",), ("/none.in", "--cmd", "true", "--input", "/none.in"),
                             ("found: expected a folder to write to", "--cmd", "true", "--out", "file/found"),
                             ("this is a scenario", "--cmd", "true", "--input", "file")):
            refused(said, "stress", "omok", *words)

    def test_a_command_that_cannot_be_run_says_what_was_likely_meant(self):
        for name, mode in (("r1.py", 0o644), ("shebang.py", 0o755), ("x.cpp", 0o644), ("Main.java", 0o644), ("tool", 0o755),
                           ("plain", 0o644), ("my r1.py", 0o644), ("my tool", 0o755)):
            written(name, "print(0)\n").chmod(mode)
        Path("things").mkdir()
        for command, meaning in (
                ("r1.py", "did you mean 'python3 r1.py'?"), ("./r1.py -u", "did you mean 'python3 ./r1.py -u'?"),
                ("./shebang.py", "did you mean 'python3 ./shebang.py'?"),
                ("x.cpp", "x.cpp is a source: compile it (g++ -O2 -o mine x.cpp), and name the program (./mine)"),
                ("Main.java", "Main.java is a source: compile it (javac Main.java), and name the program (java Main)"),
                ("tool", "did you mean './tool'?"), ("./plain", "./plain is not executable: chmod +x ./plain"),
                ("./my tool -v", "did you mean './my tool' -v, with quotes round the name that has a blank?"),
                ("python3 my r1.py", "did you mean python3 'my r1.py', with quotes round the name that has a blank?"),
                ("./things", "./things is a folder: name a program in it, or test all of them with 'grade'"),
                ("things", "things is a folder: name a program in it, or test all of them with 'grade'")):
            with self.subTest(command):
                self.assertTrue(refused("", *STRESS, "--cmd", command).endswith(f"; {meaning}\n"))
        self.assertNotIn(";", refused("", *STRESS, "--cmd", "no_such_program"))

    def test_what_an_interpreter_says_comes_first(self):
        script = written("r1.py", "def solution(:\n")
        out = run(*STRESS, "--cmd", f"{sys.executable} {script}").stdout
        self.assertLess(0, out.find("SyntaxError: "))
        self.assertLess(out.find("SyntaxError: "), out.find("\ninput"))

    def test_a_verdict_after_fewer_than_300_cases_says_few(self):
        for batch in ("one", "loop"):
            options = ("--cmd", compiled("omok/right.cpp"), "--corpus", "none", "--seconds", 0.3, "--time-limit", 10,
                       "--batch", batch)
            out = run("stress", "omok", *options).stdout.splitlines()
            few = int(re.search(r": (\d+) case", out[0])[1]) < 300
            self.assertEqual((out[0].split(":")[0], len(out)), ("right, few cases", 2) if few else ("right", 1), out)
            found = report("stress", "omok", *options)
            self.assertEqual(found["few_cases"], found["cases"] < 300)

    def test_the_report_of_a_large_input_is_a_page(self):
        file = ROOT / "corpus" / "ts_tetris" / "judge" / "tower_of_200.in"
        answer = file.with_suffix(".out").read_text()
        wrong = written("wrong.txt", answer.replace(answer.split()[-1], "7"))
        out = run("stress", "ts_tetris", "--cmd", f"cat {self.path / wrong}", "--input", file, "--time-limit", 10).stdout
        self.assertLess(out.count("\n"), 90)
        self.assertIn(f"more lines: {file}\n", out)
        command = re.search(r"more lines: ./dev run (solve .*) [|] ./dev run (show - --step \d+)\n", out)
        scenario = run(*shlex.split(command[1])).stdout
        self.assertGreater(run(*shlex.split(command[2]), stdin=scenario).stdout.count("\n"), 200)


SET = Path("set")
GEN = ["gen", "omok", "--out", SET]
GENERATES = (("--count", 2), ("--strong", "--seconds", 1000), ("--invalid",))


class Inputs(Case):
    def test_a_problem_s_number_names_its_game(self):
        for number, game in (("11559", "puyo"), ("17837", "stacking"), ("2615", "omok"), ("23011", "ts_tetris")):
            self.assertEqual(run("gen", number, "--seed", 3).stdout, run("gen", game, "--seed", 3).stdout)
        for word in ("615", "1155", "BOJ"):
            refused("", "gen", word)

    def test_published_samples_are_valid_and_come_back_as_inputs(self):
        for game in GAMES:
            for file in sorted((ROOT / "corpus" / game / "judge").glob("*.in")):
                run("validate", game, file, expected=0)
                scenario = run("solve", game, file, "--scenario", 1).stdout
                shown = run("show", "-", "--as-input", stdin=scenario, expected=0)
                if game not in ("ts_tetris", "block_game"):
                    self.assertEqual(shown.stdout.split(), file.read_text().split())

    def test_an_input_outside_the_domain_is_refused_with_its_reason(self):
        two_wins = "\n".join(["1 1 1 1 1" + " 0" * 14, "0 " * 19, "2 2 2 2 2" + " 0" * 14] + ["0 " * 19] * 16)
        run("solve", "omok", stdin=two_wins, expected=0)
        for said, text in (("standard input:1:1: the problem promises at most one win, this board has 2", two_wins),
                           ("standard input:1:4: expected the cell of row 1, column 3", "0 0")):
            refused(said, "validate", "omok", stdin=text)
        refused("the problem", "show", ROOT / "corpus" / "omok" / "sixteen_wins.txt", "--as-input")

    def test_gen_writes_invalid_inputs_for_other_validators(self):
        breaks = {"puyo": "no puyo above an empty cell", "block_game": "none of the twelve shapes", "omok": "at most one win",
                  "stacking": "a cell of its own", "ts_tetris": "columns is full"}
        for game in GAMES:
            run("gen", game, "--invalid", "--seed", 3, "--out", game, expected=0)
            lines = Path(game, "contents.txt").read_text().splitlines()
            said = dict(zip(lines[0:-2:2], lines[1:-2:2]))
            self.assertEqual(set(said), {file.name for file in Path(game).glob("*.in")})
            self.assertGreater(len(said), 20)
            self.assertTrue(any(breaks[game] in why for why in said.values()), said)
            for name in list(said)[::5]:
                run("validate", game, f"{game}/{name}", expected=2)

    def test_gen_writes_valid_inputs_with_their_answers(self):
        for game in GAMES:
            out = Path(game)
            run("gen", game, "--count", 12, "--seed", 3, "--out", out, expected=0)
            files = sorted(out.glob("*.in"))
            self.assertEqual([file.stem for file in files], [f"{i:03}" for i in range(1, 13)])
            self.assertEqual(len({file.read_text() for file in files}), 12)
            for file in files[:4]:
                self.assert_valid_and_answered(game, file)
            self.assertEqual(run("gen", game, "--seed", 3).stdout, files[0].read_text())

    def assert_valid_and_answered(self, game, file):
        run("validate", game, file, expected=0)
        self.assertEqual(run("solve", game, file).stdout, file.with_suffix(".ans").read_text())

    def test_a_wrong_command_line_of_gen_is_refused(self):
        for said, *words in (("--out FOLDER", "--count", 2), ("--out FOLDER", "--strong"), ("--out FOLDER", "--invalid"),
                             ("--strong", "--wrong", "true"), ("--strong", "--solution", "x"),
                             ("--strong", "--invalid", "--strong")):
            refused(said, "gen", "omok", *words)

    def test_a_folder_that_gen_cannot_write_to_is_refused_before_the_work(self):
        written("file", "")
        for out in ("file/set", "/proc/set"):  # below /proc, root may write according to access(2)
            for options in GENERATES:
                refused("expected a folder to write to", "gen", "omok", *options, "--out", out)
        refused("", "stress", "omok", "--cmd", "none", "--out", "a/b")
        self.assertEqual(os.listdir(), ["file"], "made to see whether it can be written to")

    def test_a_link_to_nothing_is_refused_and_stays(self):
        for name, target in (("dangling", "not-mounted/results"), ("loop", "loop")):
            Path(name).symlink_to(target)
            for out in (name, f"{name}/a/set"):
                for verb in (("gen", "omok", "--count", 2), ("stress", "omok", "--cmd", "true", "--seconds", 1)):
                    refused("expected a folder to write to", *verb, "--out", out)
                    self.assertTrue(Path(name).is_symlink(), (out, verb))
        self.assertEqual(set(os.listdir()), {"dangling", "loop"})

    def test_gen_refuses_a_folder_that_is_not_empty(self):
        process = self.start(*GEN, "--count", "100000")
        wait_for((SET / "010.in").exists)
        kill(process)
        self.assertFalse((SET / "contents.txt").exists(), "a set that is not complete has no list")
        (SET / ".lockstep-lock").unlink()  # the next gen removes it
        Path("link").mkdir()
        Path("link/to").symlink_to("nothing")
        for folder in (SET, "link"):
            before = contents(self.path)
            for options in GENERATES:
                refused(f"--out {folder}: expected a new or empty folder, and it has ", *GEN[:-1], folder, *options)
                self.assertEqual(contents(self.path), before)
        shutil.rmtree(SET)
        run(*GEN, "--count", 2, "--seed", 4, expected=0)
        self.assertEqual(set(os.listdir(SET)), {"001.in", "001.ans", "002.in", "002.ans", "contents.txt"})

    def test_a_gen_that_is_interrupted_before_its_first_input_leaves_the_folder_empty(self):
        SET.mkdir()
        lock = SET / ".lockstep-lock"
        with lock.open("w") as held:  # gen waits for the lock a second
            fcntl.flock(held, fcntl.LOCK_EX)
            process = self.start(*GEN, "--count", "3", "--seed", "5")
            status = Path(f"/proc/{process.pid}/status")
            wait_for(lambda: self.catches(status, signal.SIGINT))
            process.send_signal(signal.SIGINT)
            time.sleep(0.05)
            lock.unlink()
            fcntl.flock(held, fcntl.LOCK_UN)
            self.assertEqual(ended(process, 130)[0], "0 inputs, seed 5\n")
        self.assertEqual(os.listdir(SET), [])

    @staticmethod
    def catches(status, number):
        caught, = (int(line.split()[1], 16) for line in status.read_text().splitlines() if line.startswith("SigCgt:"))
        return caught >> (number - 1) & 1

    def test_a_second_gen_into_the_same_folder_is_refused(self):
        first = self.start(*GEN, "--count", "100000")
        wait_for((SET / "002.in").exists)
        for options in (("--count", 2), ("--invalid",)):
            refused(f"--out {SET}: another gen uses this folder", *GEN, *options)
        said, _ = interrupt(first)
        names = {f"{i:03}.{ending}" for i in range(1, int(said.split()[0]) + 1) for ending in ("in", "ans")}
        self.assertEqual(set(os.listdir(SET)), {"contents.txt"} | names)

    def failed_by(self, folder, *command):
        """The inputs of the folder on which a program fails."""
        files = sorted(folder.glob("*.in"))
        self.assertGreater(len(files), 1)
        def output(file):
            return subprocess.run(command, input=file.read_text(), capture_output=True, text=True, check=False).stdout
        return {file.stem for file in files if output(file).split() != file.with_suffix(".ans").read_text().split()}

    def test_a_strong_set_fails_wrong_programs_and_says_which_it_does_not(self):
        wrong, survives, right = (compiled(f"ts_tetris/{name}.cpp") for name in ("wrong_twelve_at_most", "wrong_scores_survive", "right"))
        gen = ["gen", "ts_tetris", "--strong", "--seconds", 1, "--seed", 1, "--corpus", ROOT / "corpus", "--out", SET]
        run(*gen, "--count", 20, "--wrong", wrong, expected=0)
        inputs = list(SET.glob("*.in"))
        self.assertLessEqual(len(inputs), 20)
        self.assertEqual({file.stem for file in inputs}, {file.stem for file in SET.glob("*.ans")})
        for file in inputs:
            self.assert_valid_and_answered("ts_tetris", file)
        contents = (SET / "contents.txt").read_text()
        self.assertEqual({line for line in contents.splitlines() if line.endswith(".in")}, {file.name for file in inputs})
        self.assertTrue(self.failed_by(SET, wrong))
        self.assertEqual(self.failed_by(SET, survives), {"20-all-of-these"})
        self.assertEqual(self.failed_by(SET, right), set())
        shutil.rmtree(SET)
        self.assertIn(f"passes all inputs: {right}\n", run(*gen, "--wrong", right, expected=1).stdout)

    @unittest.skipUnless(LONG, "runs in ./dev test long")
    def test_a_strong_set_fails_changes_of_a_right_program(self):
        solution = PROGRAMS / "omok" / "right.cpp"
        plant = [sys.executable, str(ROOT / "tools/planter/plant.py"), "--out", "planted", "--program", solution]
        subprocess.run(plant, check=True)
        changes = json.loads(Path("planted/mutants.json").read_text())["changes"]
        options = ("--seed", 1, "--corpus", ROOT / "corpus")
        run(*GEN, "--strong", "--seconds", 1, *options, "--solution", solution, expected=0)
        contents = (SET / "contents.txt").read_text()
        listed = [line.split(": ", 1)[1] for line in contents.splitlines() if line.startswith("passes all inputs: line")]
        self.assertEqual(len(set(listed)), len(listed))
        self.assertLess(len(listed), len(changes) / 4)
        some = [change for change in changes if "beside" in change["change"]]
        self.assertGreater(len(some), 1)
        for change in some:
            name = f"line {change['line']}: {change['change']}"
            program = ("env", f"LOCKSTEP_MUTANT={change['number']}", self.path / "planted" / "planted")
            self.assertEqual(f"passes all inputs: {name}\n" in contents, not self.failed_by(SET, *program), name)
        for wrong, said in ((solution.with_name("wrong_five_inside_six.cpp"), "the program fails without a change"),
                            ("none.cpp", "none.cpp: there is no such file"), (ROOT / "README.md", "does not compile")):
            shutil.rmtree(SET, ignore_errors=True)
            # Before the search, which would take hours.
            refused(said, *GEN, "--strong", "--seconds", 10_000, *options, "--solution", wrong)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
