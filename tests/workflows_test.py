#!/usr/bin/env python3
"""Runs every `run:` line of .github/workflows/ and action.yml, and checks their expressions, names and shell.

usage: workflows_test.py ROOT

Expressions are replaced by the values of a made-up pull request. Times are short, `./dev test PART` only has to name a
part, `./dev compare` compares the built benchmarks with themselves, apt-get simulates, and gh only records. What a
pull request touches is asked of a repository of the test's own, so the state of this tree does not matter. Everything
else runs as it stands, in the tree, with build/release and build/fuzz. yamllint, shellcheck and, where it is
installed, actionlint read the files too.
"""
import functools
import itertools
import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

from processes import run
import schemas

ROOT = Path(sys.argv.pop()).resolve()
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"
GAMES = re.search(r"^set\(LOCKSTEP_GAMES ([^)]*)\)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE).group(1).split()

# What a workflow may read of the event; the values are those of the made-up pull request.
GITHUB = {
    "github.ref": "refs/pull/7/merge", "github.run_id": "1", "github.token": "none",
    "github.repository": "owner/project",
    "github.event.pull_request.base.sha": "HEAD", "github.event.pull_request.number": "7",
}
FUNCTIONS = {"success()": "true", "failure()": "", "always()": "true", "cancelled()": ""}
OPERATORS = {"||": "or", "&&": "and", "==": "==", "!=": "!="}
# The parts of ./dev test that continuous integration leaves out.
NOT_IN_CI = {
    "bare": "takes hours, and needs the rights to mount",
    "lab": "measures this tree's own tests, and judges no change",
    "programs": "needs the compilers of six languages; for a change of `stress`",
    "proofs": "all claims take long; `claims` proves what takes a minute",
    "certificates": "counts the large explorations anew, for about an hour",
}
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


def all_steps():
    """(file, job, step) of all workflows and of the action."""
    for path in [*WORKFLOWS, ACTION]:
        for _, job, step in steps_of(path):
            yield path, job, step


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
    """The value of an expression of names, texts, ||, &&, == and !=; KeyError for a name that is not known. Python's
    operators have the same precedence, and `and` and `or` also give one of their sides."""
    def in_python(token: str) -> str:
        if token in OPERATORS:
            return OPERATORS[token]
        if token.startswith("'"):
            return repr(token[1:-1].replace("''", "'"))
        return repr(FUNCTIONS[token] if token in FUNCTIONS else names[token])

    value = eval(" ".join(map(in_python, TOKEN.findall(expression))), {})
    return {True: "true", False: ""}.get(value, value)


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

    def finds_nothing(self, *command, **options):
        result = run(*command, **options)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""), (command, options))

    def test_the_files_are_tidy_yaml(self):
        files = [*WORKFLOWS, ACTION, *ROOT.glob("ci/oss-fuzz/*.yaml"), *ROOT.glob(".clusterfuzzlite/*.yaml")]
        self.finds_nothing("yamllint", "-s", "-c", ROOT / "ci" / "yamllint", *files)

    def test_actionlint_agrees_where_it_is_installed(self):
        if shutil.which("actionlint"):
            self.finds_nothing("actionlint", *WORKFLOWS, cwd=ROOT)

    def test_every_name_in_an_expression_is_known(self):
        count = 0
        for path, job, step in all_steps():
            names = known_names(path, job)
            for given in (step.get("env"), step.get("with"), job.get("env")):
                for expression in EXPRESSION.findall(" ".join(map(str, (given or {}).values()))):
                    value_of(expression, names)
                    count += 1
            value_of(step.get("if", "always()"), names)
        self.assertGreater(count, 10)

    def test_a_wrong_name_is_refused(self):
        for wrong in ("matrix.prat", "github.event.pull_request.base.shaa", "inputs.second", "inputs.seconds |",
                      "sucess()", "failure() && sucess()", "success() || sucess()"):
            with self.assertRaises((KeyError, AssertionError), msg=wrong):
                value_of(wrong, known_names(WORKFLOWS[0], {}))

    def test_expressions_have_the_value_that_the_host_gives_them(self):
        names = {"inputs.a": "", "inputs.b": "0"}
        for expression, value in (("inputs.a == '' && inputs.b == '0'", "true"), ("inputs.a && inputs.b", ""),
                                  ("inputs.a == '' && inputs.b == '1'", ""), ("inputs.a || inputs.b", "0"),
                                  ("inputs.b && inputs.a || 'c'", "c"), ("inputs.b && 'c'", "c")):
            self.assertEqual(value_of(expression, names), value, expression)

    def test_no_expression_is_inside_a_script(self):
        """A title or a branch name could be code there; `env` passes it as a value."""
        for path, _, step in all_steps():
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
        for path, _, step in all_steps():
            self.assertEqual(("run" in step) + ("uses" in step), 1, (path.name, step))
            # Only the comment may fail: the token of a pull request from a fork may not write.
            more = {"continue-on-error"} if (path.name, step.get("name")) == ("bench.yml", "Comment") else set()
            self.assertLessEqual(set(step), {"name", "run", "uses", "with", "env", "if", "shell", "id"} | more, path.name)
            if "uses" in step:
                self.assertRegex(step["uses"], r"^(actions|github)/[\w/-]+@v\d+$", path.name)
            if path == ACTION and "run" in step:
                self.assertEqual(step["shell"], "bash")

    def test_the_scripts_pass_shellcheck(self):
        for _, _, step in all_steps():
            if "run" in step:
                self.finds_nothing("shellcheck", "-s", "bash", "-", stdin=step["run"])


class Runs(unittest.TestCase):
    """The scripts, executed."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.tool("apt-get", "for word in \"$@\"; do [ \"$word\" != update ] || exit 0; done\n"
                             "exec /usr/bin/apt-get --simulate \"$@\" >/dev/null")
        self.tool("gh", f"[ ! -f {self.folder}/read-only ] || exit 1\n"
                        f"{{ echo \"$@\"; cat reports/comment.md; }} >>{self.folder}/gh.txt")
        self.said = []  # of the last job executed: each step's name and what it printed
        for name in ("reports", "kept-corpus", "build/joined-corpus"):
            self.assertFalse((ROOT / name).exists(), f"{name} is in the way")
            self.addCleanup(shutil.rmtree, ROOT / name, ignore_errors=True)

    def tool(self, name, text):
        """A script that the steps find before the tool of that name."""
        tool = self.folder / name
        tool.write_text(f"#!/bin/sh\n{text}\n")
        tool.chmod(0o755)

    def repository(self, *files):
        """A repository with these files in one commit, and the function that runs git in it."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        git = functools.partial(run, "git", "-c", "user.name=n", "-c", "user.email=e@e", "-C", folder, expected=0)
        for file in files:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text("1\n")
        git("init", "-q")
        git("add", ".")
        git("commit", "-q", "-m", "first")
        return folder, git

    def execute(self, path, inputs=None, expected=0, event=None, before=None):
        """Runs the steps of each job in order, as the host would; a matrix once for each value. `event` replaces values
        of the event; `before` has, for a step's name, a function that is called before it."""
        done = []
        self.said = []
        for job_name, jobs in itertools.groupby(steps_of(path), key=lambda each: each[0]):
            jobs = list(jobs)
            job = jobs[0][1]
            parts = ((job.get("strategy") or {}).get("matrix") or {}).get("part", [None])
            for part in parts:
                names = known_names(path, job) | (event or {})
                names |= {f"inputs.{key}": str(value) for key, value in (inputs or {}).items()}
                if part:
                    names["matrix.part"] = part
                for _, _, step in jobs:
                    if "run" not in step or not value_of(step.get("if", "always()"), names):
                        continue
                    given = {**load(path).get("env", {}), **(job.get("env") or {}), **(step.get("env") or {})}
                    given = {key: substituted(value, names) for key, value in given.items()}
                    given |= {key: value for key, value in SHORT.items() if key in given and not inputs}
                    given |= {"PATH": f"{self.folder}:{os.environ['PATH']}",
                              "GITHUB_STEP_SUMMARY": str(self.folder / "step-summary.md")}
                    (before or {}).get(step.get("name"), lambda: None)()
                    result = run("bash", "-e", "-o", "pipefail", "-c", shortened(step["run"]), cwd=ROOT,
                                 environment=given, timeout=3000)
                    done.append(step.get("name", job_name))
                    self.said.append((done[-1], result.stdout + result.stderr))
                    if step.get("continue-on-error"):
                        continue
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

    def test_ci_runs_all_parts_but_those_with_a_reason(self):
        listed = run("./dev", "test", "--list", cwd=ROOT, expected=0)
        parts = re.findall(r"^  (\S+) ", listed.stdout, re.MULTILINE)
        self.assertLessEqual(set(NOT_IN_CI), set(parts))
        matrix = load(ROOT / ".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]["part"]
        self.assertEqual(sorted(matrix), sorted(set(parts) - set(NOT_IN_CI)))

    def test_fuzz_pr(self):
        """A change of one game, and one of none: what it touches is asked of a repository that has only this change."""
        folder, git = self.repository("optimized/omok/lines.hpp", "lockstep/judge/judge.hpp", "docs/rules.md")
        self.tool("git", f"case \" $* \" in *' diff --name-only '*) cd {folder} ;; esac\n"
                         f"exec {shutil.which('git')} \"$@\"")
        for file, game in (("docs/rules.md", ""), ("optimized/omok/lines.hpp", "omok")):
            (folder / file).write_text("2\n")
            git("commit", "-q", "-a", "-m", game or "none")
            event = {"github.event.pull_request.base.sha": git("rev-parse", "HEAD~").stdout.strip()}
            done = self.execute(ROOT / ".github/workflows/fuzz-pr.yml", event=event)
            self.assertEqual(done[1:], ["Build", "Replay the corpus", "Search in what the change touches"])
            self.assert_reports(ROOT / "reports", "replay")
            said = self.said[-1][1]
            self.assertEqual("the change touches no game" in said, not game, said)
            self.assertEqual((ROOT / "reports" / "fuzz.sarif").exists(), bool(game), said)
        self.assert_reports(ROOT / "reports", "fuzz")
        run, = schemas.sarif((ROOT / "reports" / "fuzz.sarif").read_text())["runs"]
        self.assertEqual((run["invocations"][0]["exitCode"], run["automationDetails"]["id"]), (0, "lockstep-fuzz/"))
        cases = schemas.junit((ROOT / "reports" / "fuzz.xml").read_text()).findall("testcase")
        self.assertEqual([(case.get("classname"), case.get("name")) for case in cases], [("omok", "search")])

    def test_fuzz_nightly(self):
        """Two nights: the second one searches and grows from what the first one kept."""
        kept = ROOT / "kept-corpus" / "omok"
        joined = ROOT / "build" / "joined-corpus" / "omok"
        seeds = len(list((ROOT / "corpus" / "omok").glob("*.txt")))

        def damage_a_seed():
            """The search names it, so it has read this folder."""
            (joined / "damaged.txt").write_text("lockstep 1 omok\ndamaged\n")

        for night in (1, 2):
            before = len(list(kept.iterdir())) if night == 2 else 0
            done = self.execute(ROOT / ".github/workflows/fuzz-nightly.yml", before={"Fuzz": damage_a_seed})
            self.assertEqual(done[1:], ["Join the corpus and the kept one", "Fuzz", "Grow and prune the kept corpus"])
            self.assert_reports(ROOT / "reports", "fuzz")
            said = dict(self.said)
            joining = said["Join the corpus and the kept one"]
            self.assertEqual(f"omok: joined {before} kept scenarios" in joining, night == 2, joining)
            self.assertEqual(len(list(joined.glob("*.txt"))) - 1 > seeds, night == 2)
            self.assertRegex(said["Fuzz"], r"left out of the seed corpus: .*build/joined-corpus/omok/damaged\.txt")
            self.assertIn(f"omok: {before} scenarios kept before, ", said["Grow and prune the kept corpus"])
            self.assertGreater(len(list(kept.iterdir())), 5)
            # The cache holds the games' scenarios, and no input on which a target failed.
            self.assertLessEqual({each.name for each in (ROOT / "kept-corpus").iterdir()}, set(GAMES))

    def test_bench(self):
        done = self.execute(ROOT / ".github/workflows/bench.yml")
        self.assertEqual(done[1:], ["Compare", "Comment"])
        self.assert_reports(ROOT / "reports", "compare")
        said = (self.folder / "gh.txt").read_text()
        self.assertIn("pr comment 7 ", said)
        self.assertIn("**Nothing became slower** (1 benchmark, by instructions, which are exact)", said)
        self.assertIn("omok/stone_and_judge/lines", said)
        summary = self.folder / "step-summary.md"
        self.assertIn("**Nothing became slower**", summary.read_text())
        # From a fork: no comment can be written; the job does not fail, and its summary has the text.
        (self.folder / "read-only").touch()
        (self.folder / "gh.txt").unlink()
        summary.unlink()
        self.assertEqual(self.execute(ROOT / ".github/workflows/bench.yml")[1:], ["Compare", "Comment"])
        self.assertFalse((self.folder / "gh.txt").exists())
        self.assertIn("**Nothing became slower**", summary.read_text())

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
        nothing = inputs | {"seconds": 0, "corpus": ""}
        self.assertEqual(self.execute(ACTION, nothing, expected=3), ["Refuse to do nothing"])
        self.assertIn("there is nothing to do", self.said[-1][1])
        # A corpus that several programs share, and a mistake that is known.
        other = self.folder / "corpus" / "lru"
        other.mkdir(parents=True)
        (other / "a.txt").write_text("lockstep 1 lru\nactions\n")
        finding, = (reports / "findings").glob("omok-*.txt")
        shutil.copy2(finding, self.folder / "corpus")
        signature = re.search(r"^  signature: (.*)$", finding.read_text(), re.MULTILINE).group(1)
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
        files = ["optimized/omok/lines.hpp", "games/puyo/canaries.hpp", "docs/rules.md", "lockstep/judge/judge.hpp"]
        own = ["ci/touched_games", "CMakeLists.txt"]
        folder, git = self.repository(*files, *own)
        for name in own:
            shutil.copy2(ROOT / name, folder / name)
        git("commit", "-q", "-a", "-m", "the script")
        for changed, expected in (([], []), (["docs/rules.md"], []), (files[:1], ["omok"]), (files[:3], ["puyo", "omok"]),
                                  (files, GAMES)):
            git("checkout", "-q", ".")
            for file in changed:
                (folder / file).write_text("2\n")
            said = run(folder / "ci/touched_games", "HEAD", expected=0).stdout
            self.assertEqual(sorted(said.split()), sorted(expected), changed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
