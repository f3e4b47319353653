#!/usr/bin/env python3
"""The core's mutation score on a toy: each change is judged as expected, and a later run continues an interrupted one.

usage: library_score_test.py PLANTED PROGRAM COMPILER
"""
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLANTED, PROGRAM, COMPILER = sys.argv[1:4]


def command(state: Path, *words: str, planted: str = PLANTED) -> list[str]:
    return [sys.executable, str(HERE / "library_score.py"), "--planted", planted, "--programs", PROGRAM, "--state", str(state),
            *words]


class LibraryScore(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.state = self.folder / "state"

    def run_tool(self, *words: str, status: int = 0, **more) -> subprocess.CompletedProcess:
        result = subprocess.run(command(self.state, *words, **more), capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def test_each_change_is_judged_as_expected_once(self):
        found = json.loads(self.run_tool("--sample", "0", "--json").stdout)
        verdicts = {change["change"]: change for change in found["changes"]}
        for change, verdict, how in (("`n + n` -> `n - n`", "killed", "failed"), ("`n * 3` -> `n + 3`", "killed", "failed"),
                                     ("delete `--n;`", "killed", "hung"), ("`n < 0` -> `n <= 0`", "survived", None),
                                     ("`n - 1` -> `n + 1`", "unreached", None)):
            self.assertEqual((verdicts[change]["verdict"], verdicts[change].get("how")), (verdict, how), change)
        self.assertEqual(verdicts["delete `--n;`"]["by"], "toy_tests: Toy.CountsSteps")
        self.assertEqual(verdicts["`n * 3` -> `n + 3`"]["by"], "toy_tests: Toy.TriplesInAChildThatEndsAtOnce")
        self.assertEqual(found["broken_tests"], ["toy_tests: Toy.FailsWithoutAChange"])
        (row,) = found["files"]
        self.assertEqual((row["tried"], row["skipped"]), (row["changes"], 2))
        self.assertEqual(row["killed"] + row["survived"] + row["unreached"], row["tried"])
        # Nothing runs again.
        written = self.state.read_bytes()
        shown = self.run_tool("--sample", "0").stdout
        self.assertEqual(self.state.read_bytes(), written)
        line = next(at for at, text in enumerate((HERE / "toy/toy.cpp").read_text().splitlines(), 1) if "< 0" in text)
        self.assertRegex(shown, rf"toy.cpp:{line}: int at_least_zero.*\ntoy.cpp: at_least_zero\n(.*\n)*    `n < 0` -> `n <= 0`\n")
        self.assertIn("    `n - 1` -> `n + 1`  never reached\n", shown)
        self.assertIn("fails without a change: toy_tests: Toy.FailsWithoutAChange\n", shown)

    def test_a_killed_run_is_continued(self):
        with subprocess.Popen(command(self.state, "--sample", "0", "--jobs", "1"), stdout=subprocess.DEVNULL) as run:
            while not self.state.exists() or b'"change"' not in self.state.read_bytes():
                time.sleep(0.02)
            run.kill()
        before = self.state.read_bytes()
        before = before[:before.rfind(b"\n") + 1]
        self.state.write_bytes(before + b'{"change": 1, "verd')
        found = json.loads(self.run_tool("--sample", "0", "--json").stdout)
        self.assertEqual(found["files"][0]["tried"], found["files"][0]["changes"])
        after = self.state.read_bytes()
        self.assertTrue(after.startswith(before))
        changes = [line["change"] for line in map(json.loads, after.splitlines()) if "change" in line]
        self.assertEqual(len(changes), len(set(changes)))

    def test_ctrl_c_ends_with_a_report(self):
        with subprocess.Popen(command(self.state, "--sample", "0", "--jobs", "1"), stdout=subprocess.PIPE, text=True) as run:
            while not self.state.exists() or b'"change"' not in self.state.read_bytes():
                time.sleep(0.02)
            run.send_signal(signal.SIGINT)
            shown = run.stdout.read()
        self.assertEqual(run.returncode, 130)
        self.assertIn("noticed by\n", shown)
        self.assertNotIn("Traceback", shown)

    def test_a_larger_sample_holds_a_smaller_one(self):
        few, more = ({change["number"] for change in json.loads(self.run_tool("--sample", count, "--json").stdout)["changes"]}
                     for count in ("5", "8"))
        self.assertEqual((len(few), len(more), few - more), (5, 8, set()))

    def test_what_cannot_be_planted_is_reported(self):
        flags = ["--", "-std=c++23"]
        (self.folder / "wrong.cpp").write_text("namespace lockstep { int f() { return nothing; } }\n")
        subprocess.run([sys.executable, ROOT / "lab/plant_sources.py", "--root", self.folder, "--part", "wrong.cpp", "--out",
                        self.folder / "out", "--compiler", COMPILER, *flags], check=True)
        self.assertEqual((self.folder / "out/wrong.cpp").read_text(), (self.folder / "wrong.cpp").read_text())
        self.assertIn("nothing was measured", self.run_tool(planted=str(self.folder / "out"), status=3).stderr)
        self.state.unlink()
        shutil.copytree(PLANTED, self.folder / "out", dirs_exist_ok=True)
        shown = self.run_tool("--sample", "1", planted=str(self.folder / "out")).stdout
        self.assertRegex(shown, r"\nnot measured: wrong.cpp: .*wrong.cpp does not compile")

    def test_a_wrong_command_line_or_state_is_refused(self):
        for words, message in ((["nowhere.cpp"], "nothing is planted into 'nowhere.cpp'"), (["--jobs", "0"], "expected --sample"),
                               (["--sample", "x"], "invalid int value")):
            self.assertIn(message, self.run_tool(*words, status=2).stderr)
        self.state.write_text('{"made_with": "other"}\n')
        self.assertIn("was made with other tests or sources", self.run_tool(status=2).stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
