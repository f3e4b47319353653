#!/usr/bin/env python3
"""Measures how a change affects speed: two versions, built alike, are judged against each other and timed alternately.

Run it as ./dev compare, which installs what it needs; docs/comparing.md explains what it prints.
Exit status: 0, or 1 when something became slower, vanished, can no longer be counted or behaves differently, 2 when the
command line is wrong, 3 when a build or a program fails or nothing was measured, 130 when it was interrupted before it
found anything.
"""
from __future__ import annotations

import argparse
import json
import random
import re
import sys
import traceback
from pathlib import Path

try:
    from comparing import BadInput, Counts, InternalError, baseline, behaviour, hosts, report
    from comparing.judgement import Comparison, compare_counts, compare_times
    from comparing.programs import Progress, TakingTurns, Version, count_instructions, in_front, list_benchmarks
    from comparing.versions import Repository, Toolchain, machine
except ImportError as missing:  # Python itself would end with 1, which means a regression here
    print(f"compare: {missing}; ./dev compare finds or installs what is needed", file=sys.stderr)
    sys.exit(3)

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "compare"
ALL_BUT_RULEBOOKS = r"^[^/]+/(?!judge/)(?!.*/rulebook\b)"
CORPUS = ROOT / "corpus"
SECONDS_EACH = 6.0  # per benchmark, without --seconds
SCHEMA = 2

EXAMPLES = """examples:
  ./dev compare                                    the last commit against the working tree
  ./dev compare HEAD~3 HEAD --filter puyo/play     two revisions, some benchmarks
  ./dev compare main --measure instructions        exact counts under callgrind, the gate for CI
  ./dev compare --save-baseline before --filter omok    … and after the change: --baseline before
  ./dev compare --history main~5..main --picture history.svg
"""


class Parser(argparse.ArgumentParser):
    def error(self, message: str):
        raise BadInput(f"{message} (--help has examples)")


def parser() -> argparse.ArgumentParser:
    p = Parser(prog="./dev compare", description=__doc__.split("\n\n")[0], epilog=EXAMPLES,
               formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("revisions", nargs="*", metavar="REV", help="before and after; one: against the working tree; "
                   "none: HEAD against the working tree")
    p.add_argument("--filter", default=ALL_BUT_RULEBOOKS, metavar="REGEX",
                   help="benchmarks by name, GAME/WORKLOAD/SIMULATOR; default: all but the rulebooks' and the judge's")
    p.add_argument("--measure", choices=("time", "instructions", "both"), default="time",
                   help="processor time (default), instructions under callgrind, or both: then instructions decide "
                   "and time is advice")
    p.add_argument("--threshold", type=float, default=5.0, metavar="PERCENT",
                   help="changes of time below this are no failure (default 5)")
    p.add_argument("--instructions-threshold", type=float, default=1.0, metavar="PERCENT",
                   help="the same for instructions (default 1)")
    p.add_argument("--seconds", type=float, metavar="S", help=f"time for measuring; default {SECONDS_EACH:.0f} for each benchmark")
    p.add_argument("--min-time", type=float, default=0.005, metavar="S", help="of one measurement (default 0.005)")
    p.add_argument("--seed", type=int, help="of the order of measuring; random when absent")
    p.add_argument("--programs", nargs=2, metavar="FOLDER", help="two folders with bench_GAME programs instead of revisions")
    p.add_argument("--compiler", default="clang++-19", help="builds both versions (default clang++-19)")
    p.add_argument("--flags", default="", help="compiler flags beside those of a release build, for both versions")
    p.add_argument("--save-baseline", metavar="NAME", help="measure one version (the working tree, or REV) and keep the figures")
    p.add_argument("--baseline", metavar="NAME", help="compare with kept figures instead of a revision")
    p.add_argument("--baselines", type=Path, default=WORK / "baselines", metavar="FOLDER",
                   help="where baselines are kept (default build/compare/baselines)")
    p.add_argument("--any-machine", action="store_true", help="compare with a baseline of another machine all the same")
    p.add_argument("--history", metavar="A..B", help="all revisions from A to B against A; or baselines: NAME,NAME,…")
    p.add_argument("--behaviour-seconds", type=float, default=5.0, metavar="S",
                   help="random scenarios on which both versions' implementations are judged first, for each game (default 5)")
    p.add_argument("--no-behaviour", action="store_true", help="measure without judging whether the versions behave alike")
    p.add_argument("--json", action="store_true", help="results as JSON (docs/comparing.md)")
    p.add_argument("--sarif", type=Path, metavar="FILE", help="also write what failed to this file, as SARIF for code hosts")
    p.add_argument("--junit", type=Path, metavar="FILE", help="also write the results to this file, as JUnit's XML")
    p.add_argument("--summary", type=Path, metavar="FILE", help="also write a few lines of Markdown for a pull request")
    p.add_argument("--picture", type=Path, metavar="FILE", help="draw the ratios: FILE.svg, .png or .pdf")
    return p


def check(options: argparse.Namespace) -> None:
    """Checks the command line before anything is built."""
    try:
        options.pattern = re.compile(options.filter)
    except re.error as fault:
        raise BadInput(f"--filter '{options.filter}' is no regular expression: {fault}") from None
    for name in ("threshold", "instructions_threshold", "min_time", "behaviour_seconds"):
        if getattr(options, name) <= 0:
            raise BadInput(f"--{name.replace('_', '-')}: expected a number above 0, got {getattr(options, name)}")
    if options.seconds is not None and options.seconds <= 0:
        raise BadInput(f"--seconds: expected a number above 0, got {options.seconds}")
    sources = [name for name in ("programs", "history", "baseline", "save_baseline") if getattr(options, name)]
    if len(sources) > 1:
        raise BadInput("only one of --" + ", --".join(source.replace("_", "-") for source in sources))
    most = 0 if options.history or options.programs else 1 if sources else 2
    if len(options.revisions) > most:
        raise BadInput(f"expected at most {most} revisions{' with --' + sources[0].replace('_', '-') if sources else ''}, "
                       f"got {len(options.revisions)}")
    if options.history and (options.sarif or options.junit or options.summary):
        raise BadInput("--sarif, --junit and --summary compare two versions; --history has more")
    if options.history and options.measure == "both":
        raise BadInput("--history takes --measure time or instructions")
    if options.seed is None:
        options.seed = random.randrange(2 ** 32)


def known_games() -> list[str]:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^set\(LOCKSTEP_GAMES ([^)]*)\)", text, re.MULTILINE).group(1).split()


class Comparing:
    """One run of the program."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.progress = Progress()
        self.interrupted = False
        self.before: Version | None = None
        self.after: Version | None = None
        self.toolchain = Toolchain(options.compiler, options.flags)
        named = [game for game in known_games() if game in options.filter]
        self.games = named or None  # the games to build: those in the filter, or all

    # What is compared ------------------------------------------------------------------------

    def revision(self, name: str | None, **behaviour: bool) -> Version:
        return self.listed(Repository(ROOT, WORK).version(name, self.toolchain, self.games, **behaviour))

    def folder(self, name: str) -> Version:
        path = Path(name).resolve()
        if not path.is_dir() or not any(path.glob("bench_*")):
            raise BadInput(f"--programs {name}: expected a folder with bench_GAME programs")
        return self.listed(Version(name, path, {"revision": name, "machine": machine()}))

    def listed(self, version: Version) -> Version:
        list_benchmarks(version, self.options.pattern, self.games)
        return version

    def require_benchmarks(self, *names: set[str]) -> None:
        if not set().union(*names):
            raise BadInput(f"no benchmark's name matches --filter '{self.options.filter}'; "
                           "names are GAME/WORKLOAD/SIMULATOR, and 'bench_GAME --benchmark_list_tests' lists them")

    # Behaviour ------------------------------------------------------------------------------

    def behaviour(self, before: Version, after: Version) -> list[behaviour.Behaviour]:
        """Judges behaviour before anything is timed: speeds of different behaviours are not comparable."""
        if self.options.no_behaviour:
            return []
        games = sorted({name.split("/")[0] for name in before.benchmarks | after.benchmarks})
        found = behaviour.judge_all(before, after, games, CORPUS, self.options.behaviour_seconds, self.options.seed,
                                    WORK / "findings", self.progress)
        self.progress.clear()
        return found

    # Measuring ------------------------------------------------------------------------------

    def times(self, versions: list[Version]) -> list[dict[str, list[float]]]:
        """The samples of each version. Ctrl-C ends the measurement; the samples taken so far are used."""
        if self.options.measure == "instructions":
            return [{} for _ in versions]
        names = set().union(*(version.benchmarks for version in versions))
        seconds = self.options.seconds or SECONDS_EACH * len(names)

        def settled(samples) -> set[str]:
            """The benchmarks that need no more rounds: every version has a verdict."""
            if len(versions) == 1:
                return set()
            done = set(names)
            for other in samples[1:]:
                done -= {c.name for c in self.judged(samples[0], other) if c.verdict == "inconclusive"}
            return done

        with in_front(), TakingTurns(versions, self.options.min_time, self.options.seed) as turns:
            try:
                turns.run(seconds, settled, self.progress)
            except KeyboardInterrupt:
                self.interrupted = True
            self.progress.clear()
            return turns.samples

    def judged(self, before, after, paired: bool = True) -> list[Comparison]:
        return compare_times(before, after, paired=paired, threshold=self.options.threshold / 100)

    def instructions(self, versions: list[Version]) -> list[Counts]:
        if self.options.measure == "time" or self.interrupted:
            return [{} for _ in versions]
        counted = [count_instructions(version, self.progress) for version in versions]
        self.progress.clear()
        for version, counts in zip(versions, counted):
            for name in sorted(name for name, n in counts.items() if n is None):
                print(f"compare: {name} cannot be counted in {version.label}", file=sys.stderr)
        return counted

    def judged_counts(self, before: Counts, after: Counts) -> list[Comparison]:
        return compare_counts(before, after, threshold=self.options.instructions_threshold / 100)

    def status_unless_failed(self, decisive: list[Comparison]) -> int:
        """The exit status without a failure. If all benchmarks are new, nothing was compared, which is no success."""
        if self.interrupted:
            return 130
        if any(c.ratio is not None for c in decisive):
            return 0
        print(f"compare: nothing was compared: {self.why_nothing(decisive)}", file=sys.stderr)
        return 3

    def why_nothing(self, decisive: list[Comparison]) -> str:
        verdicts = {c.verdict for c in decisive} - {"left out"}
        if verdicts and verdicts <= {"vanished", "new"}:
            return "only one of the versions has these benchmarks"
        if verdicts:
            return "no benchmark was counted in both versions"
        if self.options.measure == "time":
            return "there was no time to measure a benchmark; --seconds gives more"
        return "no instruction was counted"

    # What is printed ------------------------------------------------------------------------

    def two(self, before: dict, after: dict, times: list[Comparison], counts: list[Comparison],
            alike: list[behaviour.Behaviour] | None = None) -> int:
        """Prints the comparison of two versions; returns the exit status. `alike` None: behaviour was not judged."""
        decisive = counts if self.options.measure != "time" else times
        status = 1 if any(c.failed for c in [*(alike or []), *decisive]) else self.status_unless_failed(decisive)
        if self.options.json:
            print(json.dumps({"schema": SCHEMA, "before": before, "after": after, "seed": self.options.seed,
                              "threshold_percent": self.options.threshold,
                              "instructions_threshold_percent": self.options.instructions_threshold,
                              "behaviour": report.json_of(alike or []),
                              "times": report.json_of(times), "instructions": report.json_of(counts),
                              "exit": status}, indent=2))
        else:
            print(f"before: {before.get('revision', '?')}\nafter:  {after.get('revision', '?')}")
            if alike:
                print(f"\nbehaviour (the corpus, and {self.options.behaviour_seconds:g} s of random scenarios for each game, seed "
                      f"{self.options.seed})\n{report.behaviour_table(alike)}")
                if any(b.failed for b in alike):
                    print("\nThe versions differ, so nothing was timed; --no-behaviour times them all the same.")
            if times:
                advice = ", advice only" if decisive is counts else ""
                print(f"\nprocessor time (threshold {self.options.threshold:g}%, seed {self.options.seed}{advice})\n"
                      f"{report.table(times, 'ns')}\n{report.summary(times)}")
            if counts:
                print(f"\ninstructions (threshold {self.options.instructions_threshold:g}%)\n"
                      f"{report.table(counts, 'Ir')}\n{report.summary(counts)}")
        self.write_files(times, counts, alike or [], status)
        if self.options.picture and decisive:
            threshold = self.options.threshold if decisive is times else self.options.instructions_threshold
            title = f"{before.get('revision', '?')[:80]}\n→ {after.get('revision', '?')[:80]}"
            report.picture(decisive, threshold / 100, title, self.options.picture)
        return status

    def write_files(self, times: list[Comparison], counts: list[Comparison], alike: list[behaviour.Behaviour],
                    status: int | None = None) -> None:
        """The files of --sarif, --junit and --summary. Status None: the run continues; if it is killed, they say so."""
        decisive = counts if self.options.measure != "time" else times
        if self.options.sarif:
            hosts.write(self.options.sarif, hosts.sarif(decisive, alike, status, self.places()))
        if self.options.junit:
            hosts.write(self.options.junit, hosts.junit(decisive, alike, status))
        if self.options.summary:
            hosts.write(self.options.summary, hosts.summary(times, counts, decisive, alike, status))

    def places(self) -> dict[str, tuple[str, int]]:
        """Where the implementations are registered, as far as the versions have their programs. The later version's places
        hold; what only the earlier one has keeps the place that it had."""
        found = {}
        for version in (self.before, self.after):
            if version is None or not behaviour.program_of(version).exists():
                continue
            try:
                found |= hosts.places(behaviour.results(behaviour.program_of(version), "list"))
            except InternalError:
                if version is self.after:  # the earlier one may be too old for the question
                    raise
        return found

    def versions_compared(self, before: Version, after: Version) -> int:
        self.before, self.after = before, after
        self.require_benchmarks(set(before.benchmarks), set(after.benchmarks))
        self.write_files([], [], [])
        alike = self.behaviour(before, after)
        self.write_files([], [], alike)
        if any(b.failed for b in alike):
            return self.two(before.about, after.about, [], [], alike)
        times = self.times([before, after])
        self.write_files(self.judged(*times), [], alike)
        counts = self.instructions([before, after])
        # Lists benchmarks of one version only, even when there was no time to run them.
        return self.two(before.about, after.about, self.judged(*times), self.judged_counts(*counts), alike)

    def save(self, version: Version) -> int:
        self.require_benchmarks(set(version.benchmarks))
        [times], [counts] = self.times([version]), self.instructions([version])
        counts = {name: n for name, n in counts.items() if n is not None}
        if self.interrupted:
            return 130
        for kind, figures in (("time", times), ("instructions", counts)):
            if self.options.measure in (kind, "both") and not figures:
                raise InternalError(f"no figures of {kind} were measured: nothing was kept")
        kept = baseline.Baseline(self.options.save_baseline, version.about, times, counts)
        path = baseline.save(self.options.baselines, kept)
        print(f"{len(version.benchmarks)} benchmarks of {version.label} kept in {path}")
        return 0

    def against_baseline(self) -> int:
        kept = baseline.load(self.options.baselines, self.options.baseline)
        baseline.check_same_machine(kept, machine(), self.options.any_machine)
        version = self.after = self.revision(self.options.revisions[0] if self.options.revisions else None)
        for stamp in ("compiler", "flags"):
            if kept.about.get(stamp) != version.about.get(stamp):
                print(f"compare: the baseline's {stamp} differ: {kept.about.get(stamp)!r}, now {version.about.get(stamp)!r}",
                      file=sys.stderr)
        chosen = {name: samples for name, samples in kept.times.items() if self.options.pattern.search(name)}
        counted = {name: n for name, n in kept.instructions.items() if self.options.pattern.search(name)}
        for kind, figures in (("instructions", counted), ("time", chosen)):
            if self.options.measure in (kind, "both") and not figures:
                raise BadInput(f"the baseline '{kept.name}' has no figures of {kind} for --filter '{self.options.filter}'; "
                               f"save it with --measure {self.options.measure}")
        self.write_files([], [], [])
        [times], [counts] = self.times([version]), self.instructions([version])
        return self.two({**kept.about, "baseline": kept.name}, version.about,
                        self.judged(chosen, times, paired=False) if times else [],
                        self.judged_counts(counted, counts) if counts else [])

    def history(self) -> int:
        if ".." in self.options.history:
            repository = Repository(ROOT, WORK)
            versions = [self.listed(repository.version(revision, self.toolchain, self.games))
                        for revision in repository.revisions(self.options.history)]
            self.require_benchmarks(*(set(version.benchmarks) for version in versions))
            abouts = [version.about for version in versions]
            times, counts = self.times(versions), self.instructions(versions)
        else:
            kept = [baseline.load(self.options.baselines, name) for name in self.options.history.split(",")]
            for one in kept[1:]:
                baseline.check_same_machine(one, kept[0].about.get("machine", "an unknown machine"), self.options.any_machine)
            abouts = [{**one.about, "baseline": one.name} for one in kept]
            wanted = self.options.pattern.search
            times = [{n: s for n, s in one.times.items() if wanted(n)} for one in kept]
            counts = [{n: c for n, c in one.instructions.items() if wanted(n)} for one in kept]
            self.require_benchmarks(*(set(figures) for figures in [*times, *counts]))
        by_count = self.options.measure == "instructions"
        figures = counts if by_count else times
        paired = ".." in self.options.history
        found = [{c.name: c for c in (self.judged_counts(figures[0], other) if by_count
                                      else self.judged(figures[0], other, paired))} for other in figures]
        labels = [about.get("baseline") or about.get("revision", "?") for about in abouts]
        series = {name: [of_version.get(name) for of_version in found] for name in sorted(set().union(*found))}
        if self.options.json:
            print(json.dumps({"schema": SCHEMA, "versions": abouts, "measure": self.options.measure,
                              "seed": self.options.seed,
                              "history": {name: report.json_of([c for c in row if c is not None])
                                          for name, row in series.items()}}, indent=2))
        else:
            print(report.history_table(labels, series))
        if self.options.picture:
            report.history_picture(labels, series, self.options.picture)
        return self.status_unless_failed([c for of_version in found[1:] for c in of_version.values()])

    def run(self) -> int:
        options = self.options
        if options.history:
            return self.history()
        if options.baseline:
            return self.against_baseline()
        if options.save_baseline:
            baseline.path_of(options.baselines, options.save_baseline)  # rejects a wrong name before measuring
            return self.save(self.revision(options.revisions[0] if options.revisions else None))
        if options.programs:
            return self.versions_compared(*map(self.folder, options.programs))
        before, after = [*options.revisions, "HEAD", None][:2] if not options.revisions else [*options.revisions, None][:2]
        wanted = not options.no_behaviour
        return self.versions_compared(self.revision(before, judged=wanted), self.revision(after, judges=wanted))


def main() -> int:
    try:
        options = parser().parse_args()
        check(options)
        return Comparing(options).run()
    except BadInput as fault:
        print(f"compare: {fault}", file=sys.stderr)
        return 2
    except InternalError as fault:
        print(f"compare: {fault}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130
    except Exception:  # 1 is for regressions
        traceback.print_exc()
        return 3


if __name__ == "__main__":
    sys.exit(main())
