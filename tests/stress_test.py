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

import processes
from length import LONG
from stress_programs import (COMPILED, GAMES, OTHER_VERDICTS, PYTHON, SMALLEST, assert_stored_set_tells_apart, batches_of,
                             command_of, commands_of, fails_on_stored_set, found_in, name_of, programs, size_of, sources,
                             stored_set)

LOCKSTEP, ROOT = (Path(argument).resolve() for argument in sys.argv[1:3])
PROGRAMS = programs(ROOT)
COMPILER = sys.argv[3]
os.environ["LOCKSTEP_COMMAND"] = "./dev run"
run = functools.partial(processes.run, LOCKSTEP)


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


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = Path(folder.name)
        # A few of them: ./dev test programs runs all.
        chosen = [source for game in GAMES for pattern in ("right.*", "wrong_*")
                  for source in sources(PROGRAMS, game, pattern, COMPILED)[:2]]
        chosen += [source for game in GAMES for source in sources(PROGRAMS, game, "*", COMPILED)
                   if source.stem == "only_in_a_loop"]
        chosen += sources(PROGRAMS, "puyo", "right.*", PYTHON)
        chosen += [source for game in GAMES for source in sources(PROGRAMS, game, "wrong_*", PYTHON)]
        cls.command = commands_of(chosen, cls.path, COMPILER)

    def stress(self, game, command, *options, expected):
        result = run("stress", game, "--cmd", command, "--corpus", ROOT / "corpus", "--out", self.path / "found", "--seed", 1,
                     "--json", *options)
        self.assertEqual(result.returncode, expected, f"{command}: {result.stdout}{result.stderr}")
        return found_in(result.stdout)

    def test_a_right_program_is_never_failed(self):
        for source, command in self.command.items():
            for batch in batches_of(source) if source.stem == "right" else ():
                with self.subTest(program=name_of(source), batch=batch):
                    found = self.stress(source.parent.name, command, "--seconds", 0.5, "--time-limit", 10, "--batch", batch,
                                        expected=0)
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
                valid = run("validate", game, stdin=found["input"])
                self.assertEqual(valid.returncode, 0, valid.stderr)
                solved = run("solve", game, stdin=found["input"])
                self.assertEqual(solved.stdout, found["expected"])
                # The samples and the stored set come first; batches grow to twice their size.
                first = list((ROOT / "corpus" / game / "judge").glob("*.in"))
                self.assertLessEqual(found["cases"], 2 * sum(int(run("validate", game, file).stdout.split()[1]) for file in first))
                if found["minimal"]:  # a busy machine may not come to the end within the time for shrinking
                    self.assertLessEqual(size_of(game, found["input"]), SMALLEST[name] + 1)

    def test_every_wrong_program_and_canary_fails_on_the_stored_set(self):
        assert_stored_set_tells_apart(ROOT, self.command)
        for system in json.loads(run("list", "--canaries", "--json").stdout)["games"]:
            game = system["name"]
            for file in stored_set(ROOT, game):
                self.assertEqual(run("solve", game, "--with", "reference", file).stdout, file.with_suffix(".out").read_text())
            canaries = {each["name"] for each in system["simulators"]}
            survive = {name for name in canaries if not fails_on_stored_set(
                ROOT, game, [str(LOCKSTEP), "solve", game, "--timeout", "5", "--with", name], file_argument=True)}
            self.assertEqual(survive, HIDDEN_CANARIES[game])

    def test_state_that_survives_is_found_in_a_loop_only_and_reported_as_such(self):
        for source, command in self.command.items():
            if source.stem != "only_in_a_loop":
                continue
            with self.subTest(program=name_of(source)):
                self.stress(source.parent.name, command, "--seconds", 0.5, "--batch", "one", expected=0)
                found = self.stress(source.parent.name, command, "--seconds", 10, "--batch", "loop", expected=1)
                self.assertEqual((found["verdict"], found["cases_in_input"]), ("wrong answer", 2))


class Verdicts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/tmp")  # programs may write there
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)

    def verdict(self, command, *options):
        result = run("stress", "omok", "--cmd", command, "--seconds", 5, "--corpus", ROOT / "corpus", "--out", self.path,
                     "--json", *options)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        found = found_in(result.stdout)
        return found["verdict"], found["reason"]

    def test_each_kind_of_failure_has_its_verdict(self):
        self.assertEqual(self.verdict("echo 3"), ("wrong answer", "line 1 of the output: expected '0', got '3'"))
        self.assertEqual(self.verdict("true"), ("bad output format", "the program printed nothing"))
        self.assertEqual(self.verdict("echo none"),
                         ("bad output format", "line 1 of the output: expected '0', got 'none'"))
        self.assertEqual(self.verdict("sh -c 'exit 3'")[0], "runtime error")
        self.assertEqual(self.verdict("sh -c 'kill -SEGV $$'")[0], "runtime error")
        self.assertEqual(self.verdict("cat /dev/zero", "--time-limit", 10)[0], "output limit")
        self.assertEqual(self.verdict("sh -c 'while :; do :; done'", "--time-limit", 0.2)[0], "time limit")

    def test_a_program_that_answers_by_chance_is_non_deterministic(self):
        found = self.verdict(f"{sys.executable} -c 'import random; print(random.getrandbits(60))'")
        self.assertEqual(found, ("non-deterministic", "two runs with this input gave different results"))

    def test_the_report_names_files_that_repeat_it(self):
        result = run("stress", "omok", "--cmd", "echo 3", "--corpus", "none", "--seed", 5, "--out", self.path)
        self.assertEqual(result.returncode, 1)
        for part in ("wrong answer: line 1", "input (no single part can be left out):", "expected   got",
                     "repeat it: ./dev run stress omok --cmd 'echo 3' --input "):
            self.assertIn(part, result.stdout)
        self.assertNotIn("rulebook", result.stdout, "the board is the input, which is there already")
        file = Path(next(line for line in result.stdout.splitlines() if line.startswith("repeat it:")).split()[-1])
        self.assertEqual(run("validate", "omok", file).stdout, "valid: 1 case\n")
        self.assertEqual(run("show", file.with_suffix(".txt"), "--as-input").stdout, file.read_text())
        self.assertEqual(run("solve", "omok", file).stdout, file.with_suffix(".ans").read_text())
        for command, code in (("echo 3", 1), ("echo 0", 0)):
            again = run("stress", "omok", "--cmd", command, "--input", file)
            self.assertEqual(again.returncode, code, again.stdout)

    def test_ctrl_c_while_the_report_is_printed_does_not_change_the_result(self):
        programs = self.path / "programs"
        programs.mkdir()
        command = command_of(PROGRAMS / "omok" / "right.cpp", self.path, COMPILER)
        shutil.copy(command, programs)
        for verb in (("stress", "omok", "--cmd", command), ("grade", "omok", programs)):
            reading, writing = os.pipe()
            os.set_blocking(writing, False)
            with self.assertRaises(BlockingIOError):
                while True:
                    os.write(writing, b".")
            os.set_blocking(writing, True)
            arguments = [LOCKSTEP, *map(str, verb), "--seconds", "2", "--corpus", "none", "--out", self.path / "found"]
            with subprocess.Popen(arguments, stdout=writing, stderr=subprocess.DEVNULL) as process, os.fdopen(reading, "rb") as rest:
                os.close(writing)
                where = Path(f"/proc/{process.pid}/wchan")
                prints = False  # which it cannot end while the pipe is full
                until = time.monotonic() + 120
                while not prints and process.poll() is None and time.monotonic() < until:
                    time.sleep(0.01)
                    prints = "pipe_write" in where.read_text()
                process.send_signal(signal.SIGINT)
                rest.read()
            self.assertTrue(prints, verb)
            self.assertEqual(process.returncode, 0, verb)

    def test_ctrl_c_stops_a_program_that_hangs(self):
        file = self.path / "one.in"
        file.write_text(run("gen", "omok", "--seed", 3).stdout)
        for options in ((), ("--input", file)):
            arguments = [LOCKSTEP, "stress", "omok", "--cmd", f"sh -c 'touch {self.path}/runs; sleep 1000'", "--time-limit", "1000",
                         "--corpus", "none", "--out", self.path / "found", *options]
            with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
                until = time.monotonic() + 60
                while not (self.path / "runs").exists() and time.monotonic() < until:
                    time.sleep(0.01)
                process.send_signal(signal.SIGINT)
                said, _ = process.communicate(timeout=100)
            self.assertEqual(process.returncode, 130, said)
            self.assertTrue(said.startswith("no verdict: 0 cases in "), said)
            (self.path / "runs").unlink()

    def test_an_endless_line_is_cut_in_the_report(self):
        result = run("stress", "omok", "--cmd", "sh -c 'head -c 1000000 /dev/zero | tr \\\\0 7'", "--time-limit", 20, "--corpus", "none",
                     "--out", self.path)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("more bytes", result.stdout)
        self.assertLess(len(result.stdout), 5_000)

    def test_a_failure_that_does_not_appear_again_is_named_and_kept(self):
        command = f"sh -c 'mkdir {self.path}/ran 2>/dev/null && exit 5; exec {sys.executable} {PROGRAMS}/omok/right.py'"
        stress = ("stress", "omok", "--cmd", command, "--seconds", 1, "--time-limit", 20, "--corpus", "none", "--out", self.path / "found")
        result = run(*stress)
        self.assertEqual(result.returncode, 3, result.stderr)
        kept, = (self.path / "found").glob("*.in")
        self.assertIn("did not appear again when the program ran alone, so there is no verdict: runtime error, exited with status 5; "
                      f"its input: {kept}\n", result.stderr)
        (self.path / "ran").rmdir()
        lost, = json.loads(run(*stress, "--json").stdout)["unrepeated"]
        self.assertEqual((lost["verdict"], Path(lost["file"]).read_text()), ("runtime error", lost["input"]))

    def test_a_finding_whose_files_cannot_be_written_is_printed(self):
        stress = ("stress", "omok", "--cmd", "echo 3", "--corpus", "none", "--seed", 5, "--jobs", 1, "--out", self.path / "found")
        self.assertEqual(run(*stress).returncode, 1)
        file, = (self.path / "found").glob("*.in")
        text = file.read_text()
        for ending in (".ans", ".in"):
            blocked = file.with_suffix(ending)
            blocked.unlink()
            blocked.mkdir()
            lost = ending == ".in"
            reason = f"{blocked}: Is a directory"
            printed = f"the input could not be written ({reason}). The input:\n{text}"
            with self.subTest(ending):
                result = run(*stress)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("wrong answer: line 1", result.stdout)
                self.assertEqual("repeat it: " in result.stdout, not lost)
                self.assertIn(reason, result.stderr)
                self.assertEqual(printed in result.stderr, lost)
                result = run(*stress, "--json")
                self.assertEqual(result.returncode, 1, result.stderr)
                found = found_in(result.stdout)
                self.assertEqual((found["verdict"], found["input"], found["file"]),
                                 ("wrong answer", text, "" if lost else str(file)))

    def test_the_line_that_repeats_a_finding_has_its_options(self):
        checker = "sh -c 'cmp -s $2 $3' sh"
        for options in (("--cmd", "echo 3", "--cmd", "echo 4", "--without-reference"),
                        ("--cmd", "echo 3", "--checker", checker, "--time-limit", "1.5", "--memory-limit", "99")):
            result = run("stress", "omok", *options, "--corpus", "none", "--seed", 5, "--out", self.path)
            self.assertEqual(result.returncode, 1, result.stderr)
            line = next(line for line in result.stdout.splitlines() if line.startswith("repeat it: ./dev run "))
            words = shlex.split(line.removeprefix("repeat it: ./dev run "))
            self.assertEqual([word for word in words[2:] if not word.endswith(".in")], [*options[:5], "--input", *options[5:]]
                             if "--without-reference" in options else [*options[:4], "--input", *options[4:]])
            again = run(*words)
            self.assertEqual(again.returncode, 1, again.stderr)
            self.assertEqual(again.stdout.splitlines()[0], result.stdout.splitlines()[0])

    def test_a_failure_of_each_verdict_is_reported(self):
        command = "awk '{ for (i = 1; i <= NF; ++i) stones += $i > 0 } END { if (stones % 2) exit 3; print stones == 0 ? 0 : 7 }'"
        result = run("stress", "omok", "--cmd", command, "--keep-going", "--seconds", 3, "--corpus", "none", "--seed", 5, "--out",
                     self.path)
        self.assertEqual(result.returncode, 1, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual({line.split(":")[0] for line in lines if line.startswith(("wrong answer: ", "runtime error: "))},
                         {"wrong answer", "runtime error"})
        self.assertEqual(len([line for line in lines if line.startswith("repeat it: ")]), 2)
        self.assertTrue(lines[-1].startswith("2 failures found: "), lines[-1])

    def test_a_seed_gives_the_same_finding(self):
        once, again = (run("stress", "stacking", "--cmd", "echo 3", "--corpus", "none", "--seed", 5, "--out", self.path).stdout
                       for _ in range(2))
        once, again = (re.sub(r"(?m)^(found: .*), \d+\.\d s, seed 5$", r"\1", text) for text in (once, again))
        self.assertIn("found: 1 case in 1 process\n", once)
        self.assertEqual(once, again)

    def test_a_wrong_command_line_is_refused(self):
        for arguments, part in ((("omok", "--cmd", "./no_such_program"), "no_such_program"),
                                (("omok", "--cmd", "true", "--batch", "two"), "--batch"),
                                (("omok", "--cmd", "true", "--cmd", "true"), "compares two with --without-reference"),
                                (("omok", "--cmd", "true", "--without-reference"), "give --cmd twice"),
                                (("omok", "--cmd", "true", "--checker", "false"), "refuses the expected answer"),
                                (("omok",), "--cmd"), (("omok", "--cmd", "true", "--input", "/none.in"), "/none.in")):
            result = run("stress", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(part, result.stderr)

    def test_a_command_that_cannot_be_run_says_what_was_likely_meant(self):
        for name, executable in (("r1.py", False), ("shebang.py", True), ("x.cpp", False), ("Main.java", False), ("tool", True),
                                 ("plain", False), ("my r1.py", False), ("my tool", True)):
            (self.path / name).write_text("print(0)\n")
            (self.path / name).chmod(0o755 if executable else 0o644)
        (self.path / "things").mkdir()
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
                result = run("stress", "omok", "--cmd", command, "--corpus", "none", cwd=self.path)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertTrue(result.stderr.endswith(f"; {meaning}\n"), result.stderr)
        self.assertNotIn(";", run("stress", "omok", "--cmd", "no_such_program").stderr)

    def test_what_an_interpreter_says_comes_first(self):
        script = self.path / "r1.py"
        script.write_text("def solution(:\n")
        out = run("stress", "omok", "--cmd", f"{sys.executable} {script}", "--corpus", "none", "--out", self.path).stdout
        self.assertLess(0, out.find("SyntaxError: "))
        self.assertLess(out.find("SyntaxError: "), out.find("\ninput"))

    def test_a_verdict_after_fewer_than_300_cases_says_few(self):
        command = f"{sys.executable} {PROGRAMS}/omok/right.py"
        for batch in ("one", "loop"):
            options = ("--cmd", command, "--corpus", "none", "--seconds", 2, "--time-limit", 10, "--batch", batch)
            out = run("stress", "omok", *options).stdout.splitlines()
            few = int(re.search(r": (\d+) case", out[0])[1]) < 300
            self.assertEqual((out[0].split(":")[0], len(out)), ("right, few cases", 2) if few else ("right", 1), out)
            found = json.loads(run("stress", "omok", *options, "--json").stdout)
            self.assertEqual(found["few_cases"], found["cases"] < 300)

    def test_the_report_of_a_large_input_is_a_page(self):
        file = ROOT / "corpus" / "ts_tetris" / "judge" / "tower_of_200.in"
        answer = file.with_suffix(".out").read_text()
        wrong = self.path / "wrong.txt"
        wrong.write_text(answer.replace(answer.split()[-1], "7"))
        out = run("stress", "ts_tetris", "--cmd", f"cat {wrong}", "--input", file, "--time-limit", 10).stdout
        self.assertLess(out.count("\n"), 90)
        self.assertIn(f"more lines: {file}\n", out)
        command = re.search(r"more lines: ./dev run (solve .*) [|] ./dev run (show - --step \d+)\n", out)
        scenario = run(*shlex.split(command[1])).stdout
        self.assertGreater(run(*shlex.split(command[2]), stdin=scenario).stdout.count("\n"), 200)

    def test_what_cannot_be_used_is_refused_before_the_search(self):
        file = self.path / "file"
        file.write_text("lockstep 1 omok\n")
        for words, said in ((("--out", file / "found"), "found: expected a folder to write to"),
                            (("--input", file), "this is a scenario")):
            result = run("stress", "omok", "--cmd", "echo 3", *words)
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(said, result.stderr)

    def test_the_answer_in_a_file_is_the_reference_s(self):
        # Two programs that differ from each other and from it.
        result = run("stress", "omok", "--cmd", "echo 3", "--cmd", "echo 4", "--without-reference", "--corpus", "none", "--out",
                     self.path / "found")
        self.assertEqual(result.returncode, 1, result.stderr)
        file, = (self.path / "found").glob("*.in")
        self.assertEqual(run("solve", "omok", file).stdout, file.with_suffix(".ans").read_text())


class Inputs(unittest.TestCase):
    def test_a_problem_s_number_names_its_game(self):
        for number, game in (("11559", "puyo"), ("17837", "stacking"), ("2615", "omok"), ("23011", "ts_tetris")):
            self.assertEqual(run("gen", number, "--seed", 3).stdout, run("gen", game, "--seed", 3).stdout)
        for word in ("615", "1155", "BOJ"):
            self.assertEqual(run("gen", word).returncode, 2)

    def test_published_samples_are_valid_and_come_back_as_inputs(self):
        for game in GAMES:
            for file in sorted((ROOT / "corpus" / game / "judge").glob("*.in")):
                self.assertEqual(run("validate", game, file).returncode, 0, file)
                scenario = run("solve", game, file, "--scenario", 1).stdout
                shown = run("show", "-", "--as-input", stdin=scenario)
                self.assertEqual(shown.returncode, 0, shown.stderr)
                if game not in ("ts_tetris", "block_game"):
                    self.assertEqual(shown.stdout.split(), file.read_text().split())

    def test_an_input_outside_the_domain_is_refused_with_its_reason(self):
        two_wins = "\n".join(["1 1 1 1 1" + " 0" * 14, "0 " * 19, "2 2 2 2 2" + " 0" * 14] + ["0 " * 19] * 16)
        self.assertEqual(run("solve", "omok", stdin=two_wins).returncode, 0)
        result = run("validate", "omok", stdin=two_wins)
        self.assertEqual(result.returncode, 2)
        self.assertIn("standard input:1:1: the problem promises at most one win, this board has 2", result.stderr)
        result = run("validate", "omok", stdin="0 0")
        self.assertIn("standard input:1:4: expected the cell of row 1, column 3", result.stderr)

    def test_a_scenario_outside_the_domain_is_no_input(self):
        result = run("show", ROOT / "corpus" / "omok" / "sixteen_wins.txt", "--as-input")
        self.assertEqual(result.returncode, 2)
        self.assertIn("the problem", result.stderr)

    def test_gen_writes_invalid_inputs_for_other_validators(self):
        breaks = {"puyo": "no puyo above an empty cell", "block_game": "none of the twelve shapes", "omok": "at most one win",
                  "stacking": "a cell of its own", "ts_tetris": "columns is full"}
        with tempfile.TemporaryDirectory() as folder:
            for game in GAMES:
                out = Path(folder) / game
                result = run("gen", game, "--invalid", "--seed", 3, "--out", out)
                self.assertEqual(result.returncode, 0, result.stderr)
                lines = (out / "contents.txt").read_text().splitlines()
                said = dict(zip(lines[0:-2:2], lines[1:-2:2]))
                self.assertEqual(set(said), {file.name for file in out.glob("*.in")})
                self.assertGreater(len(said), 20)
                self.assertTrue(any(breaks[game] in why for why in said.values()), said)
                for name in said:
                    self.assertEqual(run("validate", game, out / name).returncode, 2, name)
        for arguments, part in ((("--invalid",), "--out FOLDER"), (("--invalid", "--strong"), "--strong")):
            result = run("gen", "omok", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(part, result.stderr)

    def test_gen_writes_valid_inputs_with_their_answers(self):
        with tempfile.TemporaryDirectory() as folder:
            for game in GAMES:
                out = Path(folder) / game
                self.assertEqual(run("gen", game, "--count", 12, "--seed", 3, "--out", out).returncode, 0)
                files = sorted(out.glob("*.in"))
                self.assertEqual([file.stem for file in files], [f"{i:03}" for i in range(1, 13)])
                self.assertEqual(len({file.read_text() for file in files}), 12)
                self.assertEqual(run("gen", game, "--count", 2, "--seed", 4, "--out", out).returncode, 0)
                self.assertEqual(len(list(out.glob("*.in"))), 2, "a new set replaces an earlier one")
                self.assertEqual(run("gen", game, "--count", 12, "--seed", 3, "--out", out).returncode, 0)
                for file in files[:4]:
                    self.assertEqual(run("validate", game, file).returncode, 0)
                    self.assertEqual(run("solve", game, file).stdout, file.with_suffix(".ans").read_text())
                first = run("gen", game, "--seed", 3)
                self.assertEqual(first.stdout, files[0].read_text())
        for arguments, part in ((("--count", 2), "--out FOLDER"), (("--strong",), "--out FOLDER"), (("--wrong", "true"), "--strong"),
                                (("--solution", "x"), "--strong")):
            result = run("gen", "omok", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(part, result.stderr)

    def test_a_folder_that_gen_cannot_write_to_is_refused_before_the_work(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "file").write_text("")
            taken = Path(folder) / "taken"
            taken.mkdir()
            (taken / "right.cpp").write_text("mine\n")
            unwritable = "expected a folder to write to"
            for out, said in ((Path(folder) / "file" / "set", unwritable), (taken, "right.cpp: this verb did not write it"),
                              (Path("/proc/set"), unwritable)):  # below /proc, root may write according to access(2)
                for options in (("--count", 2), ("--strong", "--seconds", 1000), ("--invalid",)):
                    result = run("gen", "omok", *options, "--out", out)
                    self.assertEqual(result.returncode, 2, options)
                    self.assertIn(said, result.stderr, options)
            self.assertEqual({path.name for path in Path(folder).rglob("*")}, {"file", "taken", "right.cpp"})
            result = run("stress", "omok", "--cmd", Path(folder) / "none", "--out", Path(folder) / "a" / "b")
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertFalse((Path(folder) / "a").exists(), "made to see whether it can be written to")

    def test_a_link_to_nothing_is_refused_and_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            for name, target in (("dangling", path / "not-mounted" / "results"), ("loop", "loop")):
                (path / name).symlink_to(target)
                for out in (path / name, path / name / "a" / "set"):
                    for verb in (("gen", "omok", "--count", 2), ("stress", "omok", "--cmd", "true", "--seconds", 1)):
                        result = run(*verb, "--out", out)
                        self.assertEqual(result.returncode, 2, (out, verb))
                        self.assertIn("expected a folder to write to", result.stderr, (out, verb))
                        self.assertTrue((path / name).is_symlink(), (out, verb))
            self.assertEqual({each.name for each in path.iterdir()}, {"dangling", "loop"})

    def test_the_next_gen_replaces_what_a_killed_one_has_left(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "set"
            self.assertEqual(run("gen", "omok", "--count", 3, "--seed", 3, "--out", out).returncode, 0)
            with subprocess.Popen([LOCKSTEP, "gen", "omok", "--count", "100000", "--out", out]) as process:
                until = time.monotonic() + 60
                while not (out / "010.in").exists() and time.monotonic() < until:
                    time.sleep(0.01)
                process.kill()
            self.assertTrue((out / "010.in").exists(), "it was killed before it wrote anything")
            self.assertFalse((out / "contents.txt").exists(), "a set that is not complete has no list")
            (out / "011.in.tmp0123456789abcdef").write_text("half a file")
            self.assertEqual(run("gen", "omok", "--count", 2, "--seed", 4, "--out", out).returncode, 0)
            self.assertEqual({path.name for path in out.iterdir()},
                             {"001.in", "001.ans", "002.in", "002.ans", "contents.txt"}, "nothing of the killed run")

    @staticmethod
    def everything_in(folder):
        """The text of each file, the target of each link, and the folders."""
        return {path: path.readlink() if path.is_symlink() else path.read_text() if path.is_file() else None
                for path in folder.rglob("*")}

    def test_gen_refuses_a_folder_with_other_files_than_their_own(self):
        others = {"right.cpp": lambda path: path.write_text("mine"), "x1.in": lambda path: path.write_text("mine"),
                  "001.in": lambda path: path.symlink_to("../target.in"), "contents.txt": lambda path: path.symlink_to("loop"),
                  "sub/001.in": lambda path: path.write_text("mine")}
        for earlier in ((), ("--count", 3)):
            for name, make in others.items():
                with self.subTest(earlier=earlier, name=name), tempfile.TemporaryDirectory() as folder:
                    out = Path(folder) / "own"
                    if earlier:
                        self.assertEqual(run("gen", "omok", *earlier, "--seed", 3, "--out", out).returncode, 0)
                    (out / name).parent.mkdir(parents=True, exist_ok=True)
                    (out / name).unlink(missing_ok=True)
                    make(out / name)
                    before = self.everything_in(Path(folder))
                    for options in (("--count", 2), ("--strong", "--seconds", 1000), ("--invalid",)):
                        result = run("gen", "omok", *options, "--seed", 4, "--out", out)
                        self.assertEqual(result.returncode, 2, result.stdout)
                        self.assertIn(f"{out / name}: this verb did not write it; the folder must be new, empty, or have only "
                                      "what this verb writes\n", result.stderr)
                        self.assertEqual(self.everything_in(Path(folder)), before)

    def test_a_gen_that_is_interrupted_before_its_first_input_leaves_the_earlier_set(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "set"
            for earlier in ((), ("--seed", 3)):
                if earlier:
                    self.assertEqual(run("gen", "omok", "--count", 3, *earlier, "--out", out).returncode, 0)
                out.mkdir(exist_ok=True)
                before = self.everything_in(out)
                lock = out / ".lockstep-lock"
                with lock.open("w") as held:  # gen waits for the lock a second
                    fcntl.flock(held, fcntl.LOCK_EX)
                    with subprocess.Popen([LOCKSTEP, "gen", "omok", "--count", "3", "--seed", "5", "--out", out],
                                          stdout=subprocess.PIPE, text=True) as process:
                        status = Path(f"/proc/{process.pid}/status")
                        until = time.monotonic() + 60
                        while not self.catches(status, signal.SIGINT) and time.monotonic() < until:
                            time.sleep(0.001)
                        process.send_signal(signal.SIGINT)
                        time.sleep(0.05)
                        lock.unlink()
                        fcntl.flock(held, fcntl.LOCK_UN)
                        said, _ = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 130, said)
                self.assertEqual(said, "0 inputs, seed 5\n")
                self.assertEqual(self.everything_in(out), before)

    @staticmethod
    def catches(status, number):
        caught, = (int(line.split()[1], 16) for line in status.read_text().splitlines() if line.startswith("SigCgt:"))
        return caught >> (number - 1) & 1

    def test_a_second_gen_into_the_same_folder_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "set"
            with subprocess.Popen([LOCKSTEP, "gen", "omok", "--count", "100000", "--out", out], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as first:
                until = time.monotonic() + 60
                while not (out / "002.in").exists() and time.monotonic() < until:
                    time.sleep(0.01)
                others = [run("gen", "omok", *options, "--out", out) for options in (("--count", 2), ("--invalid",))]
                first.send_signal(signal.SIGINT)
                said, errors = first.communicate(timeout=60)
            for other in others:
                self.assertEqual(other.returncode, 2, other.stdout)
                self.assertIn(f"--out {out}: another gen uses this folder", other.stderr)
            self.assertEqual(first.returncode, 130, errors)
            count = int(said.split()[0])
            self.assertEqual({path.name for path in out.iterdir()}, {"contents.txt"} | {
                f"{i:03}.{ending}" for i in range(1, count + 1) for ending in ("in", "ans")})

    def failed_by(self, folder, *command):
        """The inputs of the folder on which a program fails."""
        files = sorted(folder.glob("*.in"))
        self.assertGreater(len(files), 1)
        def output(file):
            return subprocess.run(command, input=file.read_text(), capture_output=True, text=True, check=False).stdout
        return {file.stem for file in files if output(file).split() != file.with_suffix(".ans").read_text().split()}

    def test_a_strong_set_fails_wrong_programs_and_says_which_it_does_not(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "set"
            wrong, survives, right = (
                command_of(PROGRAMS / "ts_tetris" / f"{name}.cpp", Path(folder), COMPILER)
                for name in ("wrong_twelve_at_most", "wrong_scores_survive", "right"))
            options = ("--strong", "--seconds", 3, "--seed", 1, "--corpus", ROOT / "corpus", "--out", out)
            result = run("gen", "ts_tetris", *options, "--count", 20, "--wrong", wrong)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertLessEqual(len(list(out.glob("*.in"))), 20)
            self.assertEqual({file.stem for file in out.glob("*.in")}, {file.stem for file in out.glob("*.ans")})
            for file in out.glob("*.in"):
                self.assertEqual(run("validate", "ts_tetris", file).returncode, 0, file)
                self.assertEqual(run("solve", "ts_tetris", file).stdout, file.with_suffix(".ans").read_text())
            contents = (out / "contents.txt").read_text()
            named = {line.removesuffix(".in") for line in contents.splitlines() if line.endswith(".in")}
            self.assertEqual(named, {file.stem for file in out.glob("*.in")})
            self.assertTrue(self.failed_by(out, wrong))
            self.assertEqual(self.failed_by(out, survives), {"20-all-of-these"})
            self.assertEqual(self.failed_by(out, right), set())
            result = run("gen", "ts_tetris", *options, "--wrong", right)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"passes all inputs: {right}\n", result.stdout)

    @unittest.skipUnless(LONG, "runs in ./dev test long")
    def test_a_strong_set_fails_changes_of_a_right_program(self):
        solution = PROGRAMS / "omok" / "right.cpp"
        with tempfile.TemporaryDirectory() as folder:
            planted, out = Path(folder) / "planted", Path(folder) / "set"
            plant = [sys.executable, str(ROOT / "planter" / "plant.py"), "--out", planted, "--program"]
            subprocess.run([*plant, solution], check=True)
            changes = json.loads((planted / "mutants.json").read_text())["changes"]
            options = ("--strong", "--seconds", 1, "--seed", 1, "--corpus", ROOT / "corpus", "--out", out)
            result = run("gen", "omok", *options, "--solution", solution)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            contents = (out / "contents.txt").read_text()
            listed = [line.split(": ", 1)[1] for line in contents.splitlines() if line.startswith("passes all inputs: line")]
            self.assertEqual(len(set(listed)), len(listed))
            self.assertLess(len(listed), len(changes) / 4)
            some = [change for change in changes if "beside" in change["change"]]
            self.assertGreater(len(some), 1)
            for change in some:
                name = f"line {change['line']}: {change['change']}"
                program = ("env", f"LOCKSTEP_MUTANT={change['number']}", str(planted / "planted"))
                self.assertEqual(f"passes all inputs: {name}\n" in contents, not self.failed_by(out, *program), name)
            for wrong, said in ((solution.with_name("wrong_five_inside_six.cpp"), "the program fails without a change"),
                                (Path(folder) / "none.cpp", "none.cpp: there is no such file"),
                                (ROOT / "README.md", "does not compile")):
                # Before the search, which would take hours.
                result = run("gen", "omok", "--strong", "--seconds", 10_000, *options[3:], "--solution", wrong)
                self.assertEqual(result.returncode, 2, wrong)
                self.assertIn(said, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
