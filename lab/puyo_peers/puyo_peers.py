#!/usr/bin/env python3
"""Counts chains of Puyo Puyo fields by this tree's implementations and by two public engines, in one process.

usage: ./dev lab puyo-peers [--ama CHECKOUT] [--puyoai CHECKOUT] [--fields 4096] [--rounds 60]

CHECKOUT is a clone of https://github.com/citrus610/ama or https://github.com/puyoai/puyoai, at any commit; one of them is
enough. Nothing of theirs is copied: ama.cpp and puyoai.cpp here include their sources from the checkout, each in a library
that is compiled into a temporary folder with the options of the engine's own build for releases. (puyoai includes one
header of Google's glog. A few lines take its place, because with NDEBUG it checks next to nothing.)

Both engines have further rows on top of the twelve, which stay empty here, and four colours, so they get no field of five.
ama has two rows in the table. `ama` is its own function, which returns the cells of every chain, for the score, and removes
garbage, of which there is none here; `ama, chains alone` is a loop over the other steps of ama's, without that record and
without garbage. puyoai has a function that counts alone.

The counts of every lap are compared with those of the reference. puyo_peers.cpp describes the fields and the laps. Ratios
are of medians: those of `lanes` and of the same code again differ by about 1 % with 4,096 fields, fastest laps by up to 5 %.

The table is Markdown. Exit status 1: counts differ, and there is no table; 2: wrong command line; 3: something was not
measured; 130: interrupted.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent


class Differing(Exception):
    """Counts differ, so their times cannot be compared: exit status 1."""


class Unmeasured(Exception):
    """The figures would mean nothing: exit status 3."""


@dataclass(frozen=True)
class Peer:
    name: str  # of its option, and of its source here
    url: str
    includes: str  # its include path, a folder of the checkout
    holds: str  # a file by which a checkout is recognised
    options: tuple  # the compiler's, as in its own build for releases
    libraries: dict  # the macros of each, by its name in the table


PEERS = [
    Peer("ama", "https://github.com/citrus610/ama", ".", "core/field.cpp",
         # Its makefile with PEXT=true, as its README says; without -flto, because its sources are one here.
         ("-std=c++20", "-O3", "-march=native", "-msse4", "-mbmi2", "-DNDEBUG", "-DUNICODE", "-DPEXT"),
         {"ama": (), "ama, chains alone": ("-DCHAINS_ALONE",)}),
    Peer("puyoai", "https://github.com/puyoai/puyoai", "src", "src/core/bit_field.cc",
         # Its build/config, with -O3 instead of -O2.
         ("-std=c++14", "-O3", "-march=native", "-DNDEBUG", "-DNOINLINE_UNLESS_RELEASE=", "-DPUYOPUYO_TSU"),
         {"puyoai": ()}),
]

STAND_INS = {"glog/logging.h": """#pragma once
#include <cstdint>
#include <cstdlib>
#include <iostream>
#define CHECK(condition) if (condition) {} else std::abort(), std::cerr
#define DCHECK(condition) if (true) {} else std::cerr
#define DCHECK_EQ(a, b) DCHECK((a) == (b))
"""}


# The libraries ----------------------------------------------------------------------------------

def compiled(peer: Peer, checkout: Path, compiler: str, folder: Path) -> list:
    """The names of the peer's libraries, each with its file."""
    for name, text in STAND_INS.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    found = []
    for number, (name, macros) in enumerate(peer.libraries.items()):
        library = folder / f"{peer.name}-{number}.so"
        command = [compiler, *peer.options, *macros, "-w", "-shared", "-fPIC", "-fvisibility=hidden",
                   f"-I{checkout / peer.includes}", f"-I{folder}", f"-I{ROOT}", HERE / f"{peer.name}.cpp", "-o", library]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              check=False)
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr[-300:].strip()]
            raise Unmeasured(f"{peer.name} does not compile: {errors[0]}")
        found.append((name, library))
    return found


def commit_of(checkout: Path) -> str:
    if not (checkout / ".git").exists() or shutil.which("git") is None:
        return "of an unknown commit"
    git = ["git", "-c", "safe.directory=*", "-C", checkout]
    done = subprocess.run([*git, "log", "-1", "--format=at %h of %as", "--abbrev=12"], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        return "of an unknown commit"
    changed = subprocess.run([*git, "status", "--porcelain", "--untracked-files=no"], capture_output=True, text=True,
                             check=False).stdout
    return done.stdout.strip() + (" with changes" if changed else "")


# The table --------------------------------------------------------------------------------------

@dataclass
class Workload:
    name: str
    chains: str  # the mean of its fields
    laps: dict  # by counter, the fastest and the median in ns per field; empty for a peer that has no such fields


def measured(program: Path, libraries: list, chosen: argparse.Namespace) -> tuple[str, list]:
    """The level of the batch, and the workloads."""
    peers = [word for name, library in libraries for word in ("--peer", name, library)]
    done = subprocess.run([program, "--fields", str(chosen.fields), "--rounds", str(chosen.rounds), *peers],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == 1:
        raise Differing(done.stderr.strip())
    if done.returncode != 0:
        how = f"was ended by signal {-done.returncode}" if done.returncode < 0 else f"ended with {done.returncode}"
        raise Unmeasured(f"{program.name} {how}: {done.stderr.strip()}")
    level, workloads = "", []
    for word, *rest in (line.split("\t") for line in done.stdout.splitlines()):
        if word == "level":
            level = rest[0]
        elif word == "workload":
            workloads.append(Workload(*rest, laps={}))
        else:
            workloads[-1].laps[word] = [float(each) for each in rest if each != "–"]
    if not workloads:
        raise Unmeasured(f"{program.name} measured no workload")
    return level, workloads


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def cell(laps: list, lanes: list) -> str:
    return f"{number(laps[0])} / {number(laps[1])} ({number(laps[1] / lanes[1])})" if laps else "–"


def table(workloads: list) -> str:
    rows = [["", *(each.name for each in workloads)], ["---", *("--:" for _ in workloads)]]
    for name in workloads[0].laps:
        rows.append([name, *(cell(each.laps[name], each.laps["lanes"]) for each in workloads)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows).replace("| --- |", "|---|").replace(" --: |", "--:|")


def processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*:\s*(.*)$", cpuinfo.read_text() if cpuinfo.exists() else "", re.MULTILINE)
    return named[1] if named else "an unknown processor"


def first_line(*command) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.partition("\n")[0]


# The program ------------------------------------------------------------------------------------

def whole(least: int, most: int):
    def parse(text: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most}, got '{text}'")
        return int(text)
    return parse


def options(words: list) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="puyo-peers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for peer in PEERS:
        parser.add_argument(f"--{peer.name}", type=Path, metavar="CHECKOUT", help=f"a clone of {peer.url}")
    parser.add_argument("--fields", type=whole(1, 1_000_000), default=4096, help="fields of each kind (4096)")
    parser.add_argument("--rounds", type=whole(20, 100_000), default=60, help="laps of each counter (60)")
    parser.add_argument("--compiler", default="clang++-19", help="of the peers (clang++-19)")
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "release" / "bin" / "lab_puyo_peers",
                        help=argparse.SUPPRESS)
    chosen = parser.parse_args(words)
    chosen.checkouts = []
    for peer in PEERS:
        checkout = getattr(chosen, peer.name)
        if checkout is None:
            continue
        if not checkout.is_dir():
            parser.error(f"--{peer.name}: there is no folder {checkout}; git clone {peer.url}")
        if not (checkout / peer.holds).is_file():
            parser.error(f"--{peer.name}: {checkout} is no checkout of {peer.url}: there is no {peer.holds} in it")
        chosen.checkouts.append((peer, checkout.resolve()))
    if not chosen.checkouts:
        wanted = " or ".join(f"--{peer.name} CHECKOUT (a clone of {peer.url})" for peer in PEERS)
        parser.error(f"expected a checkout: {wanted}")
    if shutil.which(chosen.compiler) is None:
        parser.error(f"--compiler: there is no {chosen.compiler}")
    if not os.access(chosen.program, os.X_OK):
        parser.error(f"{chosen.program} is not built: ./dev lab puyo-peers builds it")
    return chosen


def say(text: str):
    print(f"puyo-peers: {text}", file=sys.stderr, flush=True)


def report(chosen: argparse.Namespace):
    with tempfile.TemporaryDirectory(prefix="puyo-peers-") as folder:
        libraries = []
        for peer, checkout in chosen.checkouts:
            say(f"compiling {peer.name}")
            libraries += compiled(peer, checkout, chosen.compiler, Path(folder))
        say(f"counting {chosen.fields:,} fields of each kind in {chosen.rounds} rounds")
        level, workloads = measured(chosen.program.resolve(), libraries, chosen)
    print(f"ns per field: the fastest / the median of {chosen.rounds} laps (the ratio of the median to that of lanes)\n")
    print(table(workloads), end="\n\n")
    print(f"- {chosen.fields:,} fields of each kind; chains: {', '.join(f'{float(each.chains):g}' for each in workloads)}")
    print(f"- {processor()}; batch at {level}")
    for peer, checkout in chosen.checkouts:
        print(f"- {peer.name}: {peer.url} {commit_of(checkout)}; {' '.join(peer.options)}")
    print(f"- compiler of the peers: {first_line(chosen.compiler, '--version')}")


def main() -> int:
    chosen = options(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        report(chosen)
    except Differing as how:
        say(f"counts differ, so no time is shown\n{how}")
        return 1
    except Unmeasured as why:
        say(str(why))
        return 3
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
