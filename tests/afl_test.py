#!/usr/bin/env python3
"""Tests of lockstep fuzz --engine afl: AFL++ really runs, beside other engines, and ends with the program.

usage: afl_test.py LOCKSTEP     fuzz_omok must be built beside it, in BUILDS/afl/bin
"""
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid
from pathlib import Path

LOCKSTEP = Path(sys.argv.pop()).resolve()


class Afl(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        # All processes of a test inherit it.
        self.mark = f"LOCKSTEP_AFL_TEST={uuid.uuid4()}"
        name, value = self.mark.split("=")
        self.environment = {**os.environ, name: value}

    def fuzz(self, *arguments, expected, program=LOCKSTEP, environment=None):
        done = subprocess.run([program, "fuzz", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              env=environment or self.environment, timeout=600, check=False)
        self.assertEqual(done.returncode, expected, f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def findings_of(self, result):
        """At least one; each process of AFL++ may have its own."""
        game, = json.loads(result.stdout)["games"]
        self.assertNotEqual(game["findings"], [])
        return game["findings"]

    def processes(self):
        """The processes of this test, as names by their number."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found[int(folder.name)] = (folder / "comm").read_text().strip()
            except OSError:
                pass  # it has ended
        return found

    def wait_for(self, what, seconds=120):
        """Waits until what() is true; the time is only for a test that hangs."""
        end = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), end, self.processes())
            time.sleep(0.1)

    def test_it_finds_canaries_shrinks_them_and_writes_texts(self):
        for canary in ("six_counts_as_five", "placing_replaces"):
            result = self.fuzz("omok", "--with", canary, "--engine", "afl", "--jobs", 2, "--runs", 2_000_000,
                               "--seed", 1, "--no-canary", "--corpus", "none", "--out", canary, "--json", expected=1)
            findings = self.findings_of(result)
            self.assertEqual({finding["engine"] for finding in findings}, {"afl"})
            files = list((self.folder / canary).glob("*.txt"))
            self.assertEqual(len(files), len(findings))
            for file in files:
                text = file.read_text()
                self.assertIn("# minimal: ", text)
                self.assertIn(" by afl\n", text)
                self.assertIn(canary, text)
                replayed = subprocess.run([LOCKSTEP, "replay", file], capture_output=True, check=False)
                self.assertEqual(replayed.returncode, 1, replayed)
        self.assertEqual(self.processes(), {})

    def test_a_seed_that_diverges_is_a_finding_and_ends_the_run(self):
        seeds = self.folder / "seeds" / "omok"
        seeds.mkdir(parents=True)
        board = "\n".join(["B" * 13] + ["B" * 5 + "." * 8] + ["." * 13] * 11)
        (seeds / "thirteen.txt").write_text(f"lockstep 1 omok\nsize 13\nboard\n{board}\nactions\njudge\n")
        result = self.fuzz("omok", "--with", "length_in_three_bits", "--engine", "afl", "--jobs", 1, "--seconds", 3_600,
                           "--seed", 1, "--no-canary", "--corpus", "seeds", "--json", expected=1)
        # Without the seed it takes thousands.
        self.assertLess(self.findings_of(result)[0]["scenarios"], 100)

    def test_it_runs_beside_other_engines_and_the_implementations_agree(self):
        result = self.fuzz("omok", "--engine", "afl,mutated,suggested", "--jobs", 2, "--runs", 30_000, "--seed", 1,
                           "--no-canary", "--corpus", "none", "--json", expected=0)
        engines = {engine["name"]: engine for engine in json.loads(result.stdout)["games"][0]["engines"]}
        for name in ("afl", "mutated", "suggested"):
            self.assertGreater(engines[name]["scenarios"], 0, engines)
        self.assertGreater(engines["afl"]["seconds"], 0)

    def interrupted(self, how):
        program = subprocess.Popen([LOCKSTEP, "fuzz", "omok", "--engine", "afl,mutated", "--jobs", "4",
                                    "--seconds", "600", "--no-canary", "--corpus", "none"], cwd=self.folder,
                                   env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(program.kill)
        # Two of afl-fuzz; each starts a server of the target, which starts processes that judge.
        self.wait_for(lambda: sorted(self.processes().values()).count("fuzz_omok") >= 4)
        self.assertEqual(sorted(self.processes().values()).count("afl-fuzz"), 2)
        program.send_signal(how)
        code = program.wait(120)
        self.wait_for(lambda: self.processes() == {})
        return code

    def test_processes_that_are_killed_are_no_findings(self):
        """afl-fuzz, the server that it starts, and a process of that server that judges."""
        def killed(which):
            program = subprocess.Popen([LOCKSTEP, "fuzz", "omok", "--engine", "afl", "--jobs", "1", "--seconds", "600",
                                        "--no-canary", "--corpus", "none", "--json"], cwd=self.folder, env=self.environment,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.addCleanup(program.kill)

            def chain():
                """afl-fuzz, its child, and the child's."""
                found, at = [], program.pid
                while len(found) < 3:
                    children = [int(child) for child in Path(f"/proc/{at}/task/{at}/children").read_text().split()]
                    if not children:
                        return []
                    at = children[0]
                    found.append(at)
                return found

            def judging():
                with contextlib.suppress(OSError):
                    processes = chain()
                    if processes and self.processes().get(processes[2]) == "fuzz_omok":
                        return processes

            self.wait_for(judging)
            time.sleep(1)
            # A process that is killed between two scenarios is only replaced.
            while program.poll() is None:
                with contextlib.suppress(ProcessLookupError, TypeError):
                    os.kill(judging()[which], signal.SIGKILL)
                time.sleep(0.05)
            out, err = program.communicate()
            self.assertEqual(program.returncode, 3, err)
            self.assertEqual(json.loads(out)["games"][0]["findings"], [], err)
            self.wait_for(lambda: self.processes() == {})
            return err

        outside = "killed from outside (signal 9), by hand or because memory ran out; the rest of its part was not searched"
        self.assertIn(outside, killed(0))
        self.assertIn("fork server", killed(1))  # as afl-fuzz says it
        self.assertIn(outside, killed(2))

    def test_a_true_hang_is_found_and_shrunk(self):
        """plugins/example.c, in which the action remove never ends."""
        root = Path(__file__).resolve().parent.parent
        source = (root / "plugins" / "example.c").read_text()
        remove = '  } else if (sscanf(line, "remove row=%d column=%d", &row, &column) == 2) {\n'
        self.assertIn(remove, source)
        (self.folder / "hangs.c").write_text(source.replace(remove, remove + "    for (;;) continue;\n"))
        subprocess.run(["cc", "-shared", "-fPIC", f"-I{root}", "-o", "hangs.so", "hangs.c"], cwd=self.folder, check=True)
        result = self.fuzz("omok", "--with", self.folder / "hangs.so", "--engine", "afl", "--jobs", 1, "--seconds", 600,
                           "--seed", 1, "--timeout", 1, "--no-canary", "--corpus", "none", "--out", "found", "--json",
                           expected=1)
        finding, = self.findings_of(result)
        self.assertRegex(finding["signature"], r"^omok \S*hangs\.so:in_c hang remove timeout$")
        self.assertEqual(finding["engine"], "afl")
        self.assertEqual(finding["actions"], 1)
        self.assertEqual(self.processes(), {})

    def test_an_interrupted_run_leaves_no_process(self):
        self.assertEqual(self.interrupted(signal.SIGINT), 130)

    def test_a_killed_run_leaves_no_process(self):
        self.assertEqual(self.interrupted(signal.SIGKILL), -signal.SIGKILL)

    def test_without_afl_fuzz_or_the_target_it_says_what_is_missing(self):
        empty = self.folder / "empty"
        empty.mkdir()
        result = self.fuzz("omok", "--engine", "afl", expected=2, environment={"PATH": str(empty)})
        self.assertIn("engine afl needs afl-fuzz, which is not installed (Debian: apt-get install afl++)",
                      result.stderr)
        elsewhere = self.folder / "release" / "bin" / "lockstep"
        elsewhere.parent.mkdir(parents=True)
        shutil.copy(LOCKSTEP, elsewhere)
        result = self.fuzz("omok", "--engine", "afl", expected=2, program=elsewhere)
        self.assertIn("engine afl is not built; build it with: cmake --preset afl", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
