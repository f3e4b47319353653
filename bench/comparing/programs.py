"""Runs benchmark programs: the versions of bench_GAME alternate on one benchmark after the other.

Each program keeps running and waits for requests (bench/on_demand.cpp); a request takes a few milliseconds of one
benchmark.
"""
from __future__ import annotations

import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from . import BadInput, Counts, InternalError

SUFFIX = "/manual_time"  # what Google Benchmark puts after the names of benchmarks with a clock of their own


def short(name: str) -> str:
    return name.removesuffix(SUFFIX)


@dataclass
class Version:
    """Something to measure: its label, and the folder of its bench_GAME programs."""
    label: str
    folder: Path
    about: dict = field(default_factory=dict)  # revision, compiler, flags: saved with a baseline
    benchmarks: dict[str, tuple[Path, str]] = field(default_factory=dict)  # short name → program, full name


class Refused(InternalError):
    """A program answered with an error."""


class Program:
    """A running bench_GAME that waits for requests."""

    def __init__(self, path: Path, min_time: float, before: list[str] | None = None):
        self.path = path
        self.min_time = min_time
        self.process = subprocess.Popen([*(before or []), str(path), "--on-demand", f"--benchmark_min_time={min_time}"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, request: str) -> str:
        try:
            self.process.stdin.write(request + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline().strip()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise InternalError(f"{self.path} ended at '{request}', with status {self.process.wait()}")
        if answer.startswith("error"):
            raise Refused(f"{self.path} answers '{request}' with: {answer.removeprefix('error ')}")
        return answer

    def time(self, name: str) -> float:
        """Nanoseconds of processor time per action, the minimum over some laps."""
        return float(self.ask(f"time {self.min_time} {name}"))

    def close(self) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def list_benchmarks(version: Version, pattern: re.Pattern, games: list[str] | None) -> None:
    """Lists the benchmarks of the version that match the pattern; `games` None: all in the folder."""
    programs = sorted(p for p in version.folder.glob("bench_*") if p.is_file() and "." not in p.name)
    if games is not None:
        programs = [p for p in programs if p.name.removeprefix("bench_") in games]
    for program in programs:
        result = subprocess.run([str(program), "--benchmark_list_tests"], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise InternalError(f"{program} --benchmark_list_tests: {result.stderr.strip() or result.returncode}")
        for name in result.stdout.split():
            if pattern.search(short(name)):
                version.benchmarks[short(name)] = (program, name)


@contextmanager
def in_front():
    """Raises the priority where permitted: fewer interruptions, steadier times."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) - 10)
    except OSError:
        yield
        return
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) + 10)


Samples = list[dict[str, list[float]]]  # of each version: benchmark → times in ns, in the order of measuring


class TakingTurns:
    """Measures versions against each other until all benchmarks are settled or the time is spent.

    A round restarts all programs, since the memory layout of a process changes times by some percent, and visits
    all remaining benchmarks in random order. On each, the versions run once in a random order and once in the
    opposite one, A B B A, so that a steady drift cancels. A version's sample of the round is the faster of its two
    times. The i-th samples of two versions make a pair.
    """

    FIRST_LOOK = 8  # rounds; then after 16, 32, …
    ENOUGH_ALONE = 32  # rounds for a version without another to compare it with

    def __init__(self, versions: list[Version], min_time: float, seed: int):
        self.versions = versions
        self.min_time = min_time
        self.random = random.Random(seed)
        self.samples: Samples = [{} for _ in versions]
        self.programs: dict[tuple[int, Path], Program] = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._end_programs()

    def _end_programs(self) -> None:
        for program in self.programs.values():
            program.close()
        self.programs.clear()

    def _time(self, which: int, name: str) -> float:
        path, full_name = self.versions[which].benchmarks[name]
        # Each version gets its own process, even when two versions share a program.
        key = (which, path)
        if key not in self.programs:
            self.programs[key] = Program(path, self.min_time)
        return self.programs[key].time(full_name)

    def _visit(self, name: str) -> None:
        order = [i for i, version in enumerate(self.versions) if name in version.benchmarks]
        self.random.shuffle(order)
        first = {which: self._time(which, name) for which in order}
        second = {which: self._time(which, name) for which in reversed(order)}
        for which in order:
            self.samples[which].setdefault(name, []).append(min(first[which], second[which]))

    def run(self, seconds: float, settled: Callable[[Samples], set[str]], progress: Callable[[str], None]) -> None:
        """Runs rounds until every benchmark is settled or the time is spent. Tests for settled ones after 8, 16,
        32, … rounds only: repeated looks inflate false positives (optional stopping)."""
        names = sorted(set().union(*(version.benchmarks for version in self.versions)))
        start = time.monotonic()
        look = self.FIRST_LOOK
        for rounds in itertools.count(1):
            self._end_programs()
            self.random.shuffle(names)
            for i, name in enumerate(names):
                spent = time.monotonic() - start
                if spent > seconds:
                    return
                progress(f"round {rounds}: {i + 1} of {len(names)} benchmarks, {spent:.0f} of {seconds:.0f} s")
                self._visit(name)
            if rounds == look:
                look *= 2
                done = settled(self.samples)
                names = [name for name in names if name not in done]
            if not names or (len(self.versions) == 1 and rounds >= self.ENOUGH_ALONE):
                return


class NotCountable(Exception):
    """A benchmark without laps, or an implementation with instructions that valgrind does not support."""


NO_SUCH_BENCHMARK = "there is no such benchmark"  # bench/on_demand.cpp


class Counter:
    """A bench_GAME under callgrind. Counts only what is on the clock (bench/on_demand.cpp)."""

    def __init__(self, path: Path):
        self.dumps = Path(tempfile.mkdtemp(prefix="lockstep-count-"))
        self.seen = 0
        self.program = Program(path, 0, ["valgrind", "--tool=callgrind", "--vgdb=no", "--instr-atstart=no",
                                         "--dump-before=clock_gettime*", f"--callgrind-out-file={self.dumps}/dump"])

    def count(self, name: str) -> float:
        """Instructions per action."""
        try:
            actions = int(self.program.ask(f"count {name}"))
        except Refused as fault:
            if NO_SUCH_BENCHMARK not in str(fault):  # e.g. built without callgrind's header
                raise
            actions = 0
        first, self.seen = self.seen + 1, len(list(self.dumps.glob("dump.*")))
        if actions == 0:
            raise NotCountable(name)
        if self.seen != first + 1:
            raise InternalError(f"callgrind saw {self.seen - first + 1} questions for the time in a lap of {name}, not 2")
        # Dump 1 ends where the clock starts, dump 2 where it stops.
        text = (self.dumps / f"dump.{first + 1}").read_text(encoding="utf-8")
        return int(re.search(r"^totals: (\d+)", text, re.MULTILINE).group(1)) / actions

    def close(self) -> None:
        self.program.close()
        shutil.rmtree(self.dumps, ignore_errors=True)


def count_instructions(version: Version, progress: Callable[[str], None]) -> Counts:
    """Instructions per action of all its benchmarks; None for those that cannot be counted."""
    if shutil.which("valgrind") is None:
        raise BadInput("counting instructions needs valgrind, which is not installed")
    counts: Counts = {}
    counters: dict[Path, Counter] = {}
    try:
        for i, (name, (path, full_name)) in enumerate(sorted(version.benchmarks.items())):
            progress(f"counting {version.label}: {i + 1} of {len(version.benchmarks)}")
            if path not in counters:
                counters[path] = Counter(path)
            try:
                counts[name] = counters[path].count(full_name)
            except NotCountable:
                counts[name] = None
    finally:
        for counter in counters.values():
            counter.close()
    return counts


class Progress:
    """A progress line on stderr, rewritten in place; shown only on a terminal."""

    def __init__(self):
        self.shown = sys.stderr.isatty()
        self.last = 0.0

    def __call__(self, line: str) -> None:
        if self.shown and time.monotonic() - self.last > 0.1:
            self.last = time.monotonic()
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
