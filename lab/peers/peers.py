#!/usr/bin/env python3
"""What three tools find in CRoaring 0.2.66 in the same time: RapidCheck, libFuzzer and Lockstep.

usage: ./dev lab peers [--seeds 10] [--seconds 60] [--json FILE]

Each run has two processors, an empty corpus and the actions of examples/roaring, none of them left out. RapidCheck and
libFuzzer end at their first failure, so they are started again with new seeds, two processes at a time, until the time
is over; Lockstep continues by itself. A failure counts if its tool reported it in that time. Each is then attributed to a
mistake of examples/roaring/FOUND.md by its signature and its actions (RULES); what matches no rule, or several, is
listed as "other".

The table is Markdown. Exit status 2: wrong command line; 3: something was not measured; 130: interrupted.
"""
import argparse
import contextlib
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "roaring"
PROCESSES = 2


class Unmeasured(Exception):
    """The figures would mean nothing: exit status 3."""


# Scenarios and mistakes -------------------------------------------------------------------------

@dataclass(frozen=True)
class Action:
    kind: str
    fields: dict

    @staticmethod
    def of(line: str) -> "Action":
        kind, *fields = line.split()
        return Action(kind, dict(each.split("=", 1) for each in fields))

    def __getitem__(self, name: str) -> int:
        return int(self.fields[name])


@dataclass(frozen=True)
class Scenario:
    setup: dict
    actions: list

    @staticmethod
    def of(text: str) -> "Scenario":
        text = re.sub(r"(?m)^finding\n(  .*\n)+", "", text)
        lines = [line for line in text.splitlines()[1:] if line and not line.startswith("#")]
        start = lines.index("actions")
        return Scenario(dict(line.split() for line in lines[:start]), [Action.of(line) for line in lines[start + 1:]])

    @property
    def shares(self) -> bool:
        """Whether bitmaps share containers."""
        return self.setup["copy_on_write"] == "yes"


def wraps(action: Action) -> bool:
    return action["step"] >= 65536 and action["end"] + action["step"] > 2**32


# By number in FOUND.md: the signature without the names of the system and the implementation, and what the scenario and
# the action that fails must be like.
RULES = {
    1: (r"(observation|hang|crash|exception) from_range", lambda s, a: wraps(a)),
    2: (r"crash frozen", lambda s, a: s.shares),
    5: (r"(crash|hang) remove_run_compression", lambda s, a: True),
    6: (r"observation subset", lambda s, a: True),
    7: (r"observation iterator", lambda s, a: s.setup["place"] != "middle" and "previous" in a.fields["moves"]),
    8: (r"(crash|hang|observation) range (signal|contains_range)", lambda s, a: True),
}
# After these actions shared memory is corrupt, so any later action can be the one that fails.
CORRUPTING = {3: "remove_many", 4: "page"}
LEAKS = {9}  # seen by valgrind and LeakSanitizer only, with which none of the three runs here


@dataclass
class Failure:
    tool: str
    seed: int
    seconds: float  # since the start of the run, when the tool reported it
    text: str
    engine: str = ""
    signature: str = ""
    # A number of FOUND.md, or a word: "other"; "not repeated"; "lost", because the process died without saying of what;
    # "known", because every mistake that it can be was found earlier in the run, by a scenario that is not larger.
    mistake: int | str = "other"

    @property
    def actions(self) -> int:
        return len(Scenario.of(self.text).actions) if self.text else 0


@dataclass(frozen=True)
class Verdict:
    signature: str
    step: int  # that fails, counted from 1

    def mistakes(self, scenario: Scenario) -> set:
        """Those that can be the reason."""
        words = self.signature.split(" ", 2)[-1]  # without the names of the system and the implementation
        done = scenario.actions[:self.step]
        found = {number for number, (pattern, fits) in RULES.items()
                 if re.match(pattern, words) and fits(scenario, done[-1])}
        kinds = {action.kind for action in done}
        return found | {number for number, kind in CORRUPTING.items() if scenario.shares and kind in kinds}


class Attribution:
    """Judges failing scenarios with the program of the example."""

    def __init__(self, program: Path, folder: Path):
        self.program, self.folder = program, folder

    def verb(self, *words) -> str:
        process = spawn([self.program, *words], self.folder)
        code = process.wait()
        end(process)
        if code not in (0, 1):
            raise Unmeasured(f"{self.program.name} {words[0]} ended with {code}: {said(self.folder)}")
        return (self.folder / "stdout").read_text()

    def replay(self, texts: list) -> list:
        """A verdict for each; None where the implementations agree."""
        if not texts:
            return []
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            files = [Path(folder, f"{number}.txt") for number in range(len(texts))]
            for file, text in zip(files, texts):
                file.write_text(text)
            judged = json.loads(self.verb("replay", "--json", "--timeout", 1, *files))
        return [Verdict(each["divergence"]["signature"], each["divergence"]["step"]) if each["verdict"] == "diverged"
                else None for each in judged]

    def shrunk(self, text: str) -> str:
        with tempfile.NamedTemporaryFile("w", suffix=".txt", dir=self.folder) as file:
            file.write(text)
            file.flush()
            return self.verb("shrink", "--seconds", 10, "--timeout", 1, file.name) or text

    def of(self, text: str, verdict: Verdict) -> int | str:
        """The one mistake that is the reason. Corrupting actions are reasons only if the failure needs them: those of
        other kinds than the failing action are left out; if it then fails otherwise, the scenario is shrunk instead."""
        scenario = Scenario.of(text)
        found = verdict.mistakes(scenario)
        if 1 in found:  # depends on the numbers of the failing action alone
            return 1
        if found & CORRUPTING.keys():
            unneeded = set(CORRUPTING.values()) - {scenario.actions[verdict.step - 1].kind}
            without = re.sub(rf"(?m)^({'|'.join(sorted(unneeded))}) .*\n", "", text)
            text, verdict = self.simpler(text, without, verdict)
            found = verdict.mistakes(Scenario.of(text)) if verdict else set()
        return found.pop() if len(found) == 1 else "other"

    def simpler(self, text: str, without: str, verdict: Verdict) -> tuple[str, Verdict | None]:
        (again,) = self.replay([without])
        if again is not None and again.signature == verdict.signature:
            return without, again
        text = self.shrunk(text)
        return text, self.replay([text])[0]

    def attribute(self, failures: list):
        """Fills in signatures and mistakes of the failures of one run, in the order of their times."""
        smallest = {}
        for failure in failures:
            if not failure.text:
                failure.mistake = "lost"
        failures = [failure for failure in failures if failure.text]
        for failure, verdict in zip(failures, self.replay([each.text for each in failures])):
            if verdict is None:
                failure.mistake = "not repeated"
                continue
            failure.signature = verdict.signature
            possible = verdict.mistakes(Scenario.of(failure.text))
            if possible and all(smallest.get(each, failure.actions + 1) <= failure.actions for each in possible):
                failure.mistake = "known"
                continue
            failure.mistake = self.of(failure.text, verdict)
            smallest[failure.mistake] = min(smallest.get(failure.mistake, failure.actions), failure.actions)

    def check(self, known: Path):
        """The scenarios of known/ must be attributed to the numbers in their names."""
        files = [file for file in sorted(known.glob("[0-9]_*.txt")) if int(file.name[0]) not in LEAKS]
        if not files:
            raise Unmeasured(f"there are no known mistakes in {known}")
        for file, verdict in zip(files, self.replay([file.read_text() for file in files])):
            mistake = self.of(file.read_text(), verdict) if verdict else "not repeated"
            if mistake != int(file.name[0]):
                raise Unmeasured(f"{file.name} is attributed to: {mistake}; the rules do not fit")


# The tools --------------------------------------------------------------------------------------

class Restarted:
    """A tool that ends at its first failure. `start` begins a process in an empty folder; `failing` gives the scenario
    that an ended process reports: None if all was well, empty if it is lost."""
    name = program = ""

    def __init__(self, programs: Path):
        self.path = programs / self.program

    def run(self, seed: int, seconds: float, timeout: int, folder: Path) -> list:
        started = time.monotonic()
        found, running, restarts = [], {}, 0
        while (now := time.monotonic() - started) < seconds:
            for slot in range(PROCESSES):
                process, place = running.get(slot, (None, None))
                if process is not None:
                    if process.poll() is None and not self.stuck(place, timeout):
                        continue
                    end(process)
                    text = self.failing(process.returncode, place)
                    if text is not None:
                        found.append(Failure(self.name, seed, now, text))
                place = folder / f"{slot}-{restarts}"
                place.mkdir()
                running[slot] = self.start(seed * 100_000 + restarts + 1, timeout, place), place
                restarts += 1
            time.sleep(0.005)
        for process, _ in running.values():
            end(process)
        return found

    def stuck(self, folder: Path, timeout: int) -> bool:
        """Whether a running process will report nothing more."""
        return False


class RapidCheck(Restarted):
    name, program = "RapidCheck", "lab_peers_rapidcheck"

    def start(self, seed, timeout, folder):
        return spawn([self.path, "scenario.txt", timeout], folder, RC_PARAMS=f"seed={seed}")

    def failing(self, code, folder):
        if code == 0:
            return None
        if code != 1 and code >= 0:
            raise Unmeasured(f"{self.program} ended with {code}: {said(folder)}")
        file = folder / "scenario.txt"
        return file.read_text() if file.exists() else ""  # it died before the first scenario


class LibFuzzer(Restarted):
    name, program = "libFuzzer", "lab_peers_libfuzzer"

    def start(self, seed, timeout, folder):
        corpus = folder.parent / "corpus"
        corpus.mkdir(exist_ok=True)
        return spawn([self.path, f"-seed={seed}", f"-timeout={timeout}", "-artifact_prefix=./", corpus], folder)

    def stuck(self, folder, timeout):
        """After some crashes libFuzzer hangs while it writes its report."""
        report = folder / "stderr"
        return time.time() - report.stat().st_mtime > timeout and b"ERROR: " in report.read_bytes()

    def failing(self, code, folder):
        inputs = [file for kind in ("crash", "timeout", "oom") for file in folder.glob(f"{kind}-*")]
        if not inputs and code < 0:
            return ""  # memory was so corrupt that libFuzzer crashed or hung before it wrote the input
        if len(inputs) != 1:
            raise Unmeasured(f"{self.program} ended with {code} and {len(inputs)} inputs: {said(folder)}")
        printed = subprocess.run([self.path, inputs[0]], capture_output=True, text=True, check=False,
                                 env=os.environ | {"LAB_PEERS_PRINT": "1"})
        return printed.stdout


class Lockstep:
    name, program = "Lockstep", "lab_peers_lockstep"

    def __init__(self, programs: Path):
        self.path = programs / self.program

    def run(self, seed: int, seconds: float, timeout: int, folder: Path) -> list:
        process = spawn([self.path, "fuzz", "--seconds", seconds, "--timeout", timeout, "--jobs", PROCESSES, "--seed", seed,
                         "--keep-going", "--corpus", "none", "--json"], folder)
        code = process.wait()
        end(process)
        if code not in (0, 1):
            raise Unmeasured(f"{self.program} ended with {code}: {said(folder)}")
        (game,) = json.loads((folder / "stdout").read_text())["systems"]
        # It finishes what it shrinks, so some are reported later.
        return [Failure(self.name, seed, each["seconds"], (folder / each["file"]).read_text(), each["engine"])
                for each in game["findings"] if each["seconds"] <= seconds]


TOOLS = {tool.name.lower(): tool for tool in (RapidCheck, LibFuzzer, Lockstep)}


processes = set()  # that `end` has not ended


def spawn(command, folder: Path, **environment) -> subprocess.Popen:
    """A process group of its own, so that `end` reaches the tool's own workers."""
    with open(folder / "stdout", "w") as out, open(folder / "stderr", "w") as err, interrupts_delayed():
        process = subprocess.Popen([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=err, env=os.environ | environment, start_new_session=True)
        processes.add(process)
    return process


def end(process: subprocess.Popen):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    processes.discard(process)


@contextlib.contextmanager
def interrupts_delayed():
    """Until the block ends: an interrupt in the middle of Popen would leave a process that `end` does not know."""
    came = []
    usual = signal.signal(signal.SIGINT, lambda *_: came.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if came:
            signal.raise_signal(signal.SIGINT)


def said(folder: Path) -> str:
    return (folder / "stderr").read_text(errors="replace")[-300:].strip()


# The table --------------------------------------------------------------------------------------

def mistakes_in(failures: list) -> set:
    return {each.mistake for each in failures if isinstance(each.mistake, int)}


def per_seed(failures: list, seeds: range) -> str:
    counts = [len(mistakes_in([each for each in failures if each.seed == seed])) for seed in seeds]
    return f"{min(counts)} / {statistics.median(counts):g} / {max(counts)}"


def cell(failures: list, seeds: range) -> str:
    """Of one tool and one mistake: in how many seeds it was found, the median time until then, the actions of the
    smallest scenario, and the engines that were first."""
    first = {}
    for each in failures:
        first.setdefault(each.seed, each)
        first[each.seed] = min(first[each.seed], each, key=lambda failure: failure.seconds)
    if not first:
        return "–"
    median = statistics.median(each.seconds for each in first.values())
    actions = min(each.actions for each in failures)
    engines = Counter(each.engine for each in first.values() if each.engine)
    by = "; " + ", ".join(f"{name} {count}" for name, count in engines.most_common()) if engines else ""
    return f"{len(first)} of {len(seeds)}; {median:.1f} s; {actions}{by}"


def table(failures: list, names: list, seeds: range, titles: dict) -> str:
    of = {name: [each for each in failures if each.tool == name] for name in names}
    rows = [["", *names], ["---"] * (len(names) + 1),
            ["different mistakes, min / median / max", *(per_seed(of[name], seeds) for name in names)]]
    for number, title in titles.items():
        found = [[each for each in of[name] if each.mistake == number] for name in names]
        rows.append([f"{number} {title}", *(cell(each, seeds) for each in found)])
    for word, title in (("other", "other failures"), ("not repeated", "failures that did not repeat"),
                        ("lost", "failures without a scenario")):
        rows.append([title, *(str(sum(each.mistake == word for each in of[name])) for name in names)])
    rows.append(["failures reported", *(str(len(of[name])) for name in names)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def titles_of(page: str) -> dict:
    return {int(number): title for number, title in re.findall(r"^## (\d)\. (.*)$", page, re.MULTILINE)
            if int(number) not in LEAKS}


# The program ------------------------------------------------------------------------------------

def positive(of):
    def parse(text: str):
        value = of(text)
        if not 0 < value < 100_000:
            raise argparse.ArgumentTypeError(f"expected a number above 0 and below 100,000, got '{text}'")
        return value
    parse.__name__ = of.__name__  # how argparse calls it in its messages
    return parse


def options(words: list) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="peers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=positive(int), default=10, help="runs of each tool (10)")
    parser.add_argument("--seconds", type=positive(float), default=60, help="time of each run (60)")
    parser.add_argument("--timeout", type=positive(int), default=2,
                        help="seconds after which a scenario (with Lockstep: an action) counts as a hang (2)")
    parser.add_argument("--tools", default=",".join(TOOLS), help="some of rapidcheck,libfuzzer,lockstep (all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every failure there")
    parser.add_argument("--programs", type=Path, default=ROOT / "build" / "release" / "bin", help=argparse.SUPPRESS)
    parser.add_argument("--known", type=Path, default=EXAMPLE / "known", help=argparse.SUPPRESS)
    chosen = parser.parse_args(words)
    chosen.programs = chosen.programs.resolve()
    chosen.tools = chosen.tools.split(",")
    for tool in chosen.tools:
        if tool not in TOOLS:
            parser.error(f"there is no tool '{tool}'; there are: {', '.join(TOOLS)}")
    for tool in TOOLS.values():
        if not os.access(chosen.programs / tool.program, os.X_OK):
            parser.error(f"{chosen.programs / tool.program} is not built: ./dev lab peers builds it")
    if chosen.json and not chosen.json.absolute().parent.is_dir():
        parser.error(f"there is no folder {chosen.json.parent}")
    return chosen


def measure(chosen: argparse.Namespace, folder: Path) -> list:
    attribution = Attribution(chosen.programs / Lockstep.program, folder)
    attribution.check(chosen.known)
    runs = []
    for seed in range(1, chosen.seeds + 1):
        for tool in chosen.tools:
            place = folder / f"{tool}-{seed}"
            place.mkdir()
            started = time.monotonic()
            runs.append(TOOLS[tool](chosen.programs).run(seed, chosen.seconds, chosen.timeout, place))
            took = time.monotonic() - started
            say(f"{tool}, seed {seed}: {took:.0f} s, {len(runs[-1])} failures")
    failures = [failure for run in runs for failure in run]
    for tool in chosen.tools:
        if not any(each.tool == TOOLS[tool].name for each in failures):
            raise Unmeasured(f"{tool} reported no failure in any run")
    say("the runs are over; attributing the failures, which takes longer")
    for run in runs:
        attribution.attribute(sorted(run, key=lambda failure: failure.seconds))
    return failures


def say(text: str):
    print(f"peers: {text}", file=sys.stderr, flush=True)


def main() -> int:
    chosen = options(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        with tempfile.TemporaryDirectory(prefix="peers-") as folder:
            try:
                failures = measure(chosen, Path(folder))
            finally:
                for process in list(processes):
                    end(process)
    except Unmeasured as why:
        say(str(why))
        return 3
    except KeyboardInterrupt:
        return 130
    if chosen.json:
        written = [asdict(each) | {"actions": each.actions} for each in failures]
        chosen.json.write_text(json.dumps(written, indent=1) + "\n")
    names = [TOOLS[tool].name for tool in chosen.tools]
    print(table(failures, names, range(1, chosen.seeds + 1), titles_of((EXAMPLE / "FOUND.md").read_text())))
    for each in failures:
        if each.mistake == "other":
            say(f"other: {each.tool}, seed {each.seed}, {each.seconds:.1f} s: {each.signature}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
