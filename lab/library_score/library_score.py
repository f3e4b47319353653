#!/usr/bin/env python3
"""The core's mutation score: which planted changes of lockstep/, campaign/, programs/ and tools/ its tests notice, and which tests do.

usage: library_score.py [FILE …] [--sample N] [--seed N] [--seconds N] [--jobs N] [--state FILE] [--json]

FILE: a source or a folder of sources; default: all. Runs every test of the core once, to see which changes it reaches.
Then judges a sample of changes: runs the tests that reach a change, quick ones first, until one fails, dies or hangs.
Each result is appended to the state at once; a later run continues from it, and Ctrl-C ends a run with a report. A state
belongs to the tests and sources that it was made with. Exit 0 with a report, 2 for a wrong command line or state, 3 if
nothing was measured, 130 after Ctrl-C.

Changed code removes files and signals processes, so bubblewrap runs it: it can write to a folder of its own only, which is
its /tmp, and sees no process but its own, all of which end with it.
"""
import argparse
import ast
import base64
import hashlib
import json
import os
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "lab"))
import keys  # noqa: E402

# Tests of the program, a script each. Left out: stress, plugin and program, which compile most of their time, and shards and
# robustness, whose cases take minutes.
SCRIPTS = ("cli", "corpus", "explore", "grade", "report_files", "run_page")
LIMITS = ("prlimit", f"--as={16 << 30}", f"--fsize={1 << 30}", "--core=0")


def wrong(text: str, status: int = 2):
    print(f"library-score: {text}", file=sys.stderr)
    sys.exit(status)


# Tests ------------------------------------------------------------------------------------------

class Program:
    """A test program of GoogleTest."""

    def __init__(self, path: Path):
        self.path, self.name = path, path.name.removesuffix("_planted")

    def cases(self) -> list[str]:
        out, suite = [], ""
        listed = subprocess.run([self.path, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
        for line in listed.splitlines():
            word = line.partition("#")[0].strip()
            if line.startswith("  ") and "DISABLED_" not in suite + word:
                out.append(suite + word)
            elif word.endswith("."):
                suite = word
        return out

    def command(self, cases: list[str]) -> list[str]:
        return [str(self.path), "--gtest_fail_fast", "--gtest_filter=" + ":".join(cases)]

    def last_case(self, output: str) -> list[str]:
        return re.findall(r"^\[ RUN      \] (\S+)", output, re.MULTILINE)[-1:]

    def contents(self) -> bytes:
        return self.path.read_bytes()


class Script(Program):
    """A test script of Python, which runs the program `lockstep`."""

    def __init__(self, path: Path, lockstep: Path):
        super().__init__(path)
        self.name, self.lockstep = path.stem.removesuffix("_test"), lockstep

    def cases(self) -> list[str]:
        return [f"{suite.name}.{case.name}" for suite in ast.parse(self.path.read_text()).body if isinstance(suite, ast.ClassDef)
                for case in suite.body if isinstance(case, ast.FunctionDef) and case.name.startswith("test_")]

    def command(self, cases: list[str]) -> list[str]:
        return [sys.executable, "-B", str(self.path), str(self.lockstep), str(ROOT), "-f", *cases]

    def last_case(self, output: str) -> list[str]:
        return [f"{suite}.{case}" for case, suite in re.findall(r"\b(test_\w+) \(__main__\.(\w+)", output)][-1:]

    def contents(self) -> bytes:
        return self.path.read_bytes() + self.lockstep.read_bytes()


@dataclass(frozen=True)
class Test:
    program: Program
    case: str

    def __str__(self) -> str:
        return f"{self.program.name}: {self.case}"


# Running ----------------------------------------------------------------------------------------

class Sandbox:
    """A folder that processes may write to; the one before removed what it left there."""

    def __init__(self, folder: Path, root: Path):
        self.folder, self.root = folder, root
        self.reached = Path(f"{folder}.reached")
        self.process = None

    def run(self, program: Program, cases: list[str], seconds: float, change: int = 0, changes: int = 0) -> tuple[str, str]:
        """How it ended (`passed`, `failed`, `died`, `hung`), and the case that was running. With `changes`, marks in
        `reached` which ones of them were."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.reached.write_bytes(bytes(changes + 1))
        command = ["bwrap", "--die-with-parent", "--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
                   "--bind", self.folder, "/tmp", "--ro-bind", self.root, self.root, "--bind", self.reached, "/dev/reached",
                   "--chdir", "/tmp", *LIMITS, *program.command(cases)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("LOCKSTEP_", "GTEST_", "TMP"))}
        environment |= {"LOCKSTEP_REACHED": "/dev/reached"} if changes else {"LOCKSTEP_CHANGE": str(change)}
        with tempfile.TemporaryFile() as output:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment,
                                            start_new_session=True)
            try:
                status = self.process.wait(seconds)
                end = {0: "passed", 1: "failed"}.get(status, "died")
            except subprocess.TimeoutExpired:
                self.stop()
                end = "hung"
            output.seek(0)
            last = program.last_case(output.read().decode("utf-8", "replace"))
        return end, last[0] if last and last[0] in cases else cases[0]

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()  # and with it all processes in it
            self.process.wait()


class State:
    """JSON lines: what was made with which tests, the tests, and the verdicts."""

    def __init__(self, path: Path, fingerprint: str):
        self.tests: dict[str, dict] = {}
        self.verdicts: dict[int, dict] = {}
        self.lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_bytes() if path.exists() else b""
        whole = text[:text.rfind(b"\n") + 1]  # a run may have been killed while it wrote the last line
        lines = [json.loads(line) for line in whole.splitlines()]
        if lines and lines[0] != {"made_with": fingerprint}:
            wrong(f"{path} was made with other tests or sources: remove it, or name another by --state")
        for line in lines[1:]:
            if "test" in line:
                self.tests[line["test"]] = line
            else:
                self.verdicts[line["change"]] = line
        if whole != text:
            os.truncate(path, len(whole))
        self.file = path.open("a", encoding="utf-8")
        if not lines:
            self.write({"made_with": fingerprint})

    def write(self, line: dict) -> None:
        with self.lock:
            print(json.dumps(line, ensure_ascii=False), file=self.file, flush=True)


class Judging:
    def __init__(self, asked, state: State, changes: int):
        self.asked, self.state, self.changes = asked, state, changes
        self.stopped = False
        self.folder = tempfile.TemporaryDirectory(prefix="library-score-")
        self.sandboxes = [Sandbox(Path(self.folder.name) / str(number), asked.root) for number in range(asked.jobs)]
        self.free: queue.Queue[Sandbox] = queue.Queue()
        for sandbox in self.sandboxes:
            self.free.put(sandbox)

    def for_each(self, items: list, do, what: str) -> None:
        def one(item):
            if self.stopped:
                return
            sandbox = self.free.get()
            try:
                do(sandbox, item)
            finally:
                self.free.put(sandbox)

        with ThreadPoolExecutor(self.asked.jobs) as pool:
            try:
                for done, _ in enumerate(pool.map(one, items), 1):
                    if sys.stderr.isatty():
                        print(f"\r{done} of {len(items)} {what} \033[K", end="", file=sys.stderr)
            except BaseException:
                self.stopped = True
                for sandbox in self.sandboxes:
                    sandbox.stop()
                raise
            finally:
                if sys.stderr.isatty():
                    print("\r\033[K", end="", file=sys.stderr)

    def record(self, sandbox: Sandbox, test: Test) -> None:
        """Runs a test without a change. What fails is tried once more, because a busy machine delays processes."""
        for _ in range(2):
            start = time.monotonic()
            end, _ = sandbox.run(test.program, [test.case], 900, changes=self.changes)
            seconds = time.monotonic() - start
            if end == "passed":
                break
        if self.stopped:
            return
        reached = base64.b85encode(zlib.compress(sandbox.reached.read_bytes())).decode()
        line = {"test": str(test), "end": end, "seconds": round(seconds, 3), "reached": reached}
        self.state.write(line)
        self.state.tests[str(test)] = line

    def seconds(self, test: Test) -> float:
        return self.state.tests[str(test)]["seconds"]

    def batches(self, tests: list[Test]):
        """Tests of one program that run together: quick ones first, and more in each batch, since few survive the first."""
        left, most = sorted(tests, key=self.seconds), 0.5
        while left:
            some, total = [], 0.0
            while left and (not some or total + self.seconds(left[0]) <= most):
                total += self.seconds(left[0])
                some.append(left.pop(0))
            for program in {test.program: None for test in some}:
                yield [test for test in some if test.program is program]
            most = min(2 * most, 8.0)

    def judge(self, sandbox: Sandbox, change: int, tests: list[Test], until: float) -> None:
        start = time.monotonic()
        if start > until:
            return
        verdict = {"verdict": "survived" if tests else "unreached"}
        for batch in self.batches(tests):
            noticed = self.noticed(sandbox, change, batch)
            if noticed:
                verdict = {"verdict": "killed", **noticed}
                break
        if self.stopped:
            return
        line = {"change": change, **verdict, "seconds": round(time.monotonic() - start, 3)}
        self.state.write(line)
        self.state.verdicts[change] = line

    def noticed(self, sandbox: Sandbox, change: int, batch: list[Test]) -> dict | None:
        """Which test notices the change. A failure counts if the test fails again when it runs alone."""
        while batch and not self.stopped:
            program, limit = batch[0].program, 5 + 10 * sum(map(self.seconds, batch))
            end, case = sandbox.run(program, [test.case for test in batch], limit, change)
            if end == "passed":
                return None
            test = next(test for test in batch if test.case == case)
            if end != "hung" and not self.stopped:
                end, _ = sandbox.run(program, [case], 5 + 10 * self.seconds(test), change)
            if end != "passed":
                return {"by": str(test), "how": end}
            batch = [other for other in batch if other is not test]
        return None


# Reporting --------------------------------------------------------------------------------------

def summary(files: dict[str, dict], chosen: list[dict], asked, broken: list[str]) -> dict:
    rows = []
    for name, file in files.items():
        tried = [change for change in chosen if change["file"] == name and "verdict" in change]
        count = Counter(change["verdict"] for change in tried)
        row = {"file": name, "changes": len(file["changes"]), "tried": len(tried), "killed": count["killed"],
               "survived": count["survived"], "unreached": count["unreached"], "skipped": file["skipped"].get(name, 0)}
        rows.append({**row, **({"fault": file["fault"]} if "fault" in file else {})})
    tried = [change for change in chosen if "verdict" in change]
    by = Counter(change["by"] for change in tried if "by" in change)
    return {"seed": asked.seed, "files": rows, "noticed_by": dict(by.most_common()), "broken_tests": broken, "changes": tried}


def score(row: dict) -> str:
    return f"{100 * row['killed'] / row['tried']:.1f} %" if row["tried"] else "-"


def report(found: dict, files: dict[str, dict]) -> str:
    columns = ("changes", "tried", "killed", "survived", "unreached", "skipped")
    total = {"file": "all", **{name: sum(row[name] for row in found["files"]) for name in columns}}
    width = max(len(row["file"]) for row in [*found["files"], total])
    out = [f"{'file':{width}}  " + "  ".join(f"{name:>9}" for name in columns) + "      score"]
    out += [f"{row['file']:{width}}  " + "  ".join(f"{row[name]:9}" for name in columns) + f"  {score(row):>9}"
            for row in [*found["files"], total]]
    out += [f"not measured: {row['file']}: {row['fault'].strip().splitlines()[0]}" for row in found["files"] if "fault" in row]
    out += [f"fails without a change: {test}" for test in found["broken_tests"]]
    out += ["", "noticed by"] + [f"{count:6}  {test}" for test, count in list(found["noticed_by"].items())[:20]]
    indices, here = {}, None
    for change in found["changes"]:
        if change["verdict"] == "killed":
            continue
        name = change["file"]
        if name not in indices:
            places = [keys.Place(Path(name).name, c["function"], c["change"], c["within"]) for c in files[name]["changes"]]
            indices[name] = keys.Index(places), {c["number"]: place for place, c in enumerate(files[name]["changes"])}, places
        if here != (here := (name, change["line"])):
            out += ["", f"{name}:{change['line']}: {change['text']}", f"{Path(name).name}: {change['function']}"]
        index, numbers, places = indices[name]
        at = numbers[change["number"]]
        out.append(f"    {index.key(at, places[at])}{'  never reached' if change['verdict'] == 'unreached' else ''}")
    return "\n".join(out)


def parsed(words: list[str]):
    parser = argparse.ArgumentParser(prog="./dev lab library-score", description=__doc__.split("\n")[0],
                                     epilog="\n".join(__doc__.split("\n")[4:]),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", nargs="*", help="a source or a folder (all)")
    parser.add_argument("--sample", type=int, default=1000, metavar="N", help="changes to judge (1000); 0: all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--seconds", type=float, default=7200, help="begin no other change after that time (7200)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time (all processors)")
    parser.add_argument("--state", type=Path, help="default: library_score.jsonl in build/release")
    parser.add_argument("--json", action="store_true", help="pure JSON on standard output")
    parser.add_argument("--programs", action="append", type=Path, help=argparse.SUPPRESS)  # of a toy
    parser.add_argument("--planted", type=Path, default=ROOT / "build/release/lab/library_score/planted", help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    asked = parser.parse_intermixed_args(words)
    asked.state = asked.state or ROOT / "build/release/library_score.jsonl"
    if asked.sample < 0 or asked.jobs < 1:
        parser.error("expected --sample 0 or more, and --jobs 1 or more")
    return asked


def programs(asked) -> list[Program]:
    if asked.programs:
        return [Program(path.resolve()) for path in asked.programs]
    built = ROOT / "build/release/bin"
    return [Program(built / "library_tests_planted"), Program(built / "campaign_tests_planted"),
            *(Script(ROOT / f"tests/{name}_test.py", built / "lockstep_planted") for name in SCRIPTS)]


def main(words: list[str]) -> int:
    asked = parsed(words)
    files = {str(path.relative_to(asked.planted)).removesuffix(".json"): json.loads(path.read_text(encoding="utf-8"))
             for path in sorted(asked.planted.rglob("*.json"))}
    for name in asked.files:
        if not any(file == name or file.startswith(name.rstrip("/") + "/") for file in files):
            wrong(f"nothing is planted into '{name}'")
    selected = {file: found for file, found in files.items() if not asked.files or
                any(file == name or file.startswith(name.rstrip("/") + "/") for name in asked.files)}
    changes = {change["number"]: change for file in files.values() for change in file["changes"]}
    numbers = sorted(change["number"] for file in selected.values() for change in file["changes"])
    random.Random(asked.seed).shuffle(numbers)  # so that a larger sample holds a smaller one
    chosen = [changes[number] for number in sorted(numbers[:asked.sample or len(numbers)])]
    all_programs = programs(asked)
    digest = hashlib.sha256(b"".join(program.contents() for program in all_programs)).hexdigest()
    state = State(asked.state, digest)
    judging = Judging(asked, state, max(changes, default=0))
    tests = [Test(program, case) for program in all_programs for case in program.cases()]
    status = 0
    try:
        judging.for_each([test for test in tests if str(test) not in state.tests], judging.record, "tests run without a change")
        reaching = {change["number"]: [] for change in chosen}
        for test in tests:
            known = state.tests[str(test)]
            reached = zlib.decompress(base64.b85decode(known["reached"]))
            for number in reaching if known["end"] == "passed" else ():
                if reached[number]:
                    reaching[number].append(test)
        # In the order of drawing, with those that no test reaches, so that an interrupted run has judged a sample, too.
        left = [number for number in numbers if number in reaching and number not in state.verdicts]
        until = time.monotonic() + asked.seconds
        judging.for_each(left, lambda sandbox, number: judging.judge(sandbox, number, reaching[number], until), "changes judged")
    except KeyboardInterrupt:
        status = 130
    for change in chosen:
        change |= {name: value for name, value in state.verdicts.get(change["number"], {}).items() if name != "change"}
    broken = [str(test) for test in tests if state.tests.get(str(test), {}).get("end", "passed") != "passed"]
    found = summary(selected, chosen, asked, broken)
    print(json.dumps(found, ensure_ascii=False, indent=1) if asked.json else report(found, files))
    if not any(row["tried"] for row in found["files"]) or len(broken) == len(tests):
        wrong("nothing was measured", status or 3)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
