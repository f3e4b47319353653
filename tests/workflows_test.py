#!/usr/bin/env python3
"""Runs every `run:` line of .github/workflows/ and action.yml, and checks their expressions, names and shell.

usage: workflows_test.py ROOT

Expressions are replaced by the values of a made-up pull request. Times are short, `./dev test PART` only has to name a
part, `./dev compare` compares the built benchmarks with themselves, apt-get simulates, and gh only records. Everything
else runs as it stands, in the tree, with build/release and build/fuzz-fast. yamllint, shellcheck and, where it is
installed, actionlint read the files too.
"""
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

import schemas

ROOT = Path(sys.argv.pop()).resolve()
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"

# What a workflow may read of the event; the values are those of the made-up pull request.
GITHUB = {
    "github.ref": "refs/pull/7/merge", "github.run_id": "1", "github.token": "none",
    "github.repository": "owner/project",
    "github.event.pull_request.base.sha": "HEAD", "github.event.pull_request.number": "7",
}
FUNCTIONS = {"success()", "failure()", "always()", "cancelled()"}
SHORT = {"SECONDS_TO_FUZZ": "2", "SECONDS_TO_GROW": "1"}
EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
TOKEN = re.compile(r"\s*('(?:[^']|'')*'|[A-Za-z_][\w.-]*(?:\(\))?|\|\||&&|==|!=|!|\(|\)|\d+|\S)")


def load(path: Path) -> dict:
    """The file; its key 'on', which is a truth value in YAML 1.1, as a text."""
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {("on" if key is True else key): value for key, value in data.items()}


def steps_of(path: Path):
    """(job's name, job, step) of a workflow or a composite action."""
    data = load(path)
    jobs = data.get("jobs") or {"action": data["runs"]}
    for name, job in jobs.items():
        for step in job["steps"]:
            yield name, job, step


def inputs_of(path: Path) -> dict:
    data = load(path)
    return data.get("inputs") or ((data.get("on") or {}).get("workflow_dispatch") or {}).get("inputs") or {}


def known_names(path: Path, job: dict) -> dict[str, str]:
    """What an expression of this job may name, with a value for each."""
    names = dict(GITHUB)
    for key, values in ((job.get("strategy") or {}).get("matrix") or {}).items():
        names[f"matrix.{key}"] = str(values[0])
    for key, given in inputs_of(path).items():
        names[f"inputs.{key}"] = str(given.get("default", ""))
    return names


def value_of(expression: str, names: dict[str, str]) -> str:
    """The value of an expression of names, texts, ||, == and !=; KeyError for a name that is not known."""
    tokens = TOKEN.findall(expression)
    assert "".join(tokens) == re.sub(r"\s+", "", expression) or "'" in expression, expression

    def atom(token: str) -> str:
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        if token in FUNCTIONS:
            return "true" if token in ("success()", "always()") else ""
        return names[token]

    out = ""
    for part in " ".join(tokens).split(" || "):
        words = TOKEN.findall(part)
        if len(words) == 1:
            out = atom(words[0])
        elif len(words) == 3 and words[1] in ("==", "!="):
            out = "true" if (atom(words[0]) == atom(words[2])) == (words[1] == "==") else ""
        else:
            raise KeyError(part)
        if out:
            break
    return out


def substituted(text: str, names: dict[str, str]) -> str:
    return EXPRESSION.sub(lambda found: value_of(found.group(1), names), str(text))


def shortened(script: str) -> str:
    """The script with the two commands that would take an hour replaced; see the head of this file."""
    script = re.sub(r"\./dev test (\S+)", r"./dev test --list | grep -E '^  '\1' '", script)
    return script.replace('./dev compare "$BASE" HEAD --measure both --filter "$FILTER" --seconds 300',
                          "./dev compare --programs build/release/bin build/release/bin --no-behaviour --measure both "
                          "--filter '^omok/stone_and_judge/lines$' --seconds 2")


class Lint(unittest.TestCase):
    """What a host would refuse."""

    def test_the_files_are_tidy_yaml(self):
        files = [*WORKFLOWS, ACTION, *ROOT.glob("oss-fuzz/*.yaml"), *ROOT.glob(".clusterfuzzlite/*.yaml")]
        result = subprocess.run(["yamllint", "-s", "-c", ROOT / ".yamllint", *files], capture_output=True, text=True,
                                check=False)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_actionlint_agrees_where_it_is_installed(self):
        if shutil.which("actionlint"):
            result = subprocess.run(["actionlint", *WORKFLOWS], cwd=ROOT, capture_output=True, text=True,
                                    check=False)
            self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_every_name_in_an_expression_is_known(self):
        count = 0
        for path in [*WORKFLOWS, ACTION]:
            for _, job, step in steps_of(path):
                names = known_names(path, job)
                texts = [*map(str, (step.get("env") or {}).values()), *map(str, (step.get("with") or {}).values()),
                         *map(str, (job.get("env") or {}).values())]
                for text in texts:
                    for expression in EXPRESSION.findall(text):
                        value_of(expression, names)
                        count += 1
                if "if" in step:
                    value_of(step["if"], names)
        self.assertGreater(count, 10)

    def test_a_wrong_name_is_refused(self):
        for wrong in ("matrix.prat", "github.event.pull_request.base.shaa", "inputs.second", "inputs.seconds |",
                      "sucess()"):
            with self.assertRaises((KeyError, AssertionError), msg=wrong):
                value_of(wrong, known_names(WORKFLOWS[0], {}))

    def test_no_expression_is_inside_a_script(self):
        """A title or a branch name could be code there; `env` passes it as a value."""
        for path in [*WORKFLOWS, ACTION]:
            for _, _, step in steps_of(path):
                self.assertNotIn("${{", step.get("run", ""), path.name)

    def test_every_job_has_a_limit_and_the_file_its_permissions(self):
        for path in WORKFLOWS:
            data = load(path)
            self.assertEqual(data["permissions"]["contents"], "read", path.name)
            for name, job in data["jobs"].items():
                self.assertLessEqual(job["timeout-minutes"], 360, (path.name, name))
                self.assertTrue(job["runs-on"].startswith("ubuntu-"), (path.name, name))
                for needed in job.get("needs", []):
                    self.assertIn(needed, data["jobs"])

    def test_every_step_runs_or_uses_one_thing(self):
        for path in [*WORKFLOWS, ACTION]:
            for _, _, step in steps_of(path):
                self.assertEqual(("run" in step) + ("uses" in step), 1, (path.name, step))
                self.assertLessEqual(set(step), {"name", "run", "uses", "with", "env", "if", "shell", "id"}, path.name)
                if "uses" in step:
                    self.assertRegex(step["uses"], r"^(actions|github)/[\w/-]+@v\d+$", path.name)
                if path == ACTION and "run" in step:
                    self.assertEqual(step["shell"], "bash")

    def test_the_scripts_pass_shellcheck(self):
        for path in [*WORKFLOWS, ACTION]:
            for _, _, step in steps_of(path):
                if "run" in step:
                    result = subprocess.run(["shellcheck", "-s", "bash", "-"], input=step["run"], capture_output=True,
                                            text=True, check=False)
                    self.assertEqual(result.stdout, "", (path.name, step["run"]))
        result = subprocess.run(["shellcheck", *(ROOT / ".ci").iterdir(), ROOT / "oss-fuzz" / "build.sh"],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.stdout, "")


class Runs(unittest.TestCase):
    """The scripts, executed."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in (("apt-get", "for word in \"$@\"; do [ \"$word\" != update ] || exit 0; done\n"
                                       "exec /usr/bin/apt-get --simulate \"$@\" >/dev/null"),
                           ("gh", f"{{ echo \"$@\"; cat reports/comment.md; }} >>{self.folder}/gh.txt")):
            tool = self.folder / name
            tool.write_text(f"#!/bin/sh\n{text}\n")
            tool.chmod(0o755)
        for name in ("reports", "kept-corpus"):
            self.assertFalse((ROOT / name).exists(), f"{name} is in the way")
            self.addCleanup(shutil.rmtree, ROOT / name, ignore_errors=True)

    def execute(self, path, inputs=None, expected=0):
        """Runs the steps of each job in order, as the host would; a matrix once for each value."""
        done = []
        for job_name, jobs in itertools.groupby(steps_of(path), key=lambda each: each[0]):
            jobs = list(jobs)
            job = jobs[0][1]
            parts = ((job.get("strategy") or {}).get("matrix") or {}).get("part", [None])
            for part in parts:
                names = known_names(path, job) | {f"inputs.{key}": str(value) for key, value in (inputs or {}).items()}
                if part:
                    names["matrix.part"] = part
                for _, _, step in jobs:
                    if "run" not in step or not value_of(step.get("if", "always()"), names):
                        continue
                    given = {**load(path).get("env", {}), **(job.get("env") or {}), **(step.get("env") or {})}
                    given = {key: substituted(value, names) for key, value in given.items()}
                    given |= {key: value for key, value in SHORT.items() if key in given and not inputs}
                    environment = {**os.environ, **given, "PATH": f"{self.folder}:{os.environ['PATH']}"}
                    result = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", shortened(step["run"])], cwd=ROOT,
                                            env=environment, capture_output=True, text=True, timeout=3000, check=False)
                    done.append(step.get("name", job_name))
                    if result.returncode != 0:
                        said = f"{done[-1]} {part}: {result.stdout[-1500:]}{result.stderr[-3000:]}"
                        self.assertEqual(result.returncode, expected, said)
                        return done
        self.assertEqual(expected, 0, done)
        return done

    def assert_reports(self, folder, *names):
        for name in names:
            schemas.sarif((folder / f"{name}.sarif").read_text())
            schemas.junit((folder / f"{name}.xml").read_text())

    def test_ci(self):
        done = self.execute(ROOT / ".github/workflows/ci.yml")
        self.assertGreaterEqual(done.count("Test"), 10)
        self.assert_reports(ROOT / "reports", "replay")

    def test_fuzz_pr(self):
        done = self.execute(ROOT / ".github/workflows/fuzz-pr.yml")
        self.assertEqual(done[1:], ["Build", "Replay the corpus", "Search in what the change touches"])
        self.assert_reports(ROOT / "reports", "replay")

    def test_fuzz_nightly(self):
        done = self.execute(ROOT / ".github/workflows/fuzz-nightly.yml")
        self.assertEqual(done[1:], ["Fuzz", "Grow and prune the kept corpus"])
        self.assert_reports(ROOT / "reports", "fuzz")
        self.assertGreater(len(list((ROOT / "kept-corpus" / "omok").iterdir())), 5)

    def test_bench(self):
        done = self.execute(ROOT / ".github/workflows/bench.yml")
        self.assertEqual(done[1:], ["Compare", "Comment"])
        self.assert_reports(ROOT / "reports", "compare")
        said = (self.folder / "gh.txt").read_text()
        self.assertIn("pr comment 7 ", said)
        self.assertIn("**Nothing became slower** (1 benchmark, by instructions, which are exact)", said)
        self.assertIn("omok/stone_and_judge/lines", said)

    def test_the_action_replays_and_fuzzes(self):
        reports = self.folder / "reports"
        inputs = {"program": ROOT / "build/release/bin/lockstep", "corpus": ROOT / "corpus/omok", "seconds": 1,
                  "arguments": "omok --no-canary --jobs 1", "reports": reports}
        self.assertEqual(self.execute(ACTION, inputs), ["Replay the corpus", "Fuzz"])
        self.assert_reports(reports, "replay", "fuzz")
        inputs["arguments"] += " --with six_counts_as_five"
        self.execute(ACTION, inputs, expected=1)
        self.assertEqual(len(list((reports / "findings").glob("omok-*.txt"))), 1)
        self.assert_reports(reports, "fuzz")
        self.assertEqual(self.execute(ACTION, inputs | {"seconds": 0}), ["Replay the corpus"])
        # A corpus that several programs share, and a mistake that is known.
        other = self.folder / "corpus" / "lru"
        other.mkdir(parents=True)
        (other / "a.txt").write_text("lockstep 1 lru\nactions\n")
        finding, = (reports / "findings").glob("omok-*.txt")
        shutil.copy2(finding, self.folder / "corpus")
        signature = re.search(r"^# signature: (.*)$", finding.read_text(), re.MULTILINE).group(1)
        (self.folder / "known").write_text(f"{signature} # why\n")
        inputs["corpus"] = self.folder / "corpus"
        self.execute(ACTION, inputs | {"seconds": 0}, expected=1)
        known = {"ignore": self.folder / "known"}
        self.assertEqual(self.execute(ACTION, inputs | {"seconds": 0} | known), ["Replay the corpus"])
        (self.folder / "known").write_text("a line without a reason\n")
        self.assertEqual(self.execute(ACTION, inputs | {"corpus": ""} | known, expected=2), ["Fuzz"])
        (self.folder / "empty").mkdir()
        self.execute(ACTION, inputs | {"corpus": self.folder / "empty"}, expected=2)

    def test_a_change_touches_the_games_whose_files_it_changes(self):
        """In a repository of its own, with the script and the list of games."""
        project = (ROOT / "CMakeLists.txt").read_text()
        games = re.search(r"^set\(LOCKSTEP_GAMES ([^)]*)\)", project, re.MULTILINE).group(1)
        for name in (".ci/touched_games", "CMakeLists.txt"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            shutil.copy2(ROOT / name, self.folder / name)
        git = ["git", "-c", "user.name=n", "-c", "user.email=e@e", "-C", self.folder]
        files = ["optimized/omok/lines.hpp", "canaries/puyo.hpp", "docs/rules.md", "lockstep/judge.hpp"]
        for file in files:
            (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / file).write_text("1\n")
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
            subprocess.run([*git, *command], check=True, capture_output=True)
        for changed, expected in (([], ""), (["docs/rules.md"], ""), (files[:1], "omok"), (files[:3], "puyo omok"),
                                  (files, games)):
            subprocess.run([*git, "checkout", "-q", "."], check=True)
            for file in changed:
                (self.folder / file).write_text("2\n")
            said = subprocess.run([self.folder / ".ci/touched_games", "HEAD"], capture_output=True, text=True,
                                  check=True).stdout
            self.assertEqual(sorted(said.split()), sorted(expected.split()), changed)


if __name__ == "__main__":
    unittest.main()
