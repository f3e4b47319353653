#!/usr/bin/env python3
"""Lists the wide implementations that this machine runs, and those that it cannot run for lack of instructions.

usage: wide_code.py LOCKSTEP ROOT

It also finds functions with wide registers that processors without them could run.

An implementation that needs a level registers itself only where the processor has it (lockstep/processor.hpp), so on
other machines every test silently omits it. Its source still contains the registration, behind a check of the
processor. Exit status: 0, or 1 when sources and program contradict each other, which would make this list wrong.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

GUARD = re.compile(r"has_level\(|run_here\(\)")
NAME = re.compile(r'(?:register_implementation<[^;"]*>\(|push_back\(\{)\s*"(\w+)"')


def guarded(source: str) -> list[str]:
    """The names that a source registers only if the processor supports them."""
    registrations = re.split(r"^inline const auto ", source, flags=re.MULTILINE)[1:]
    names = []
    for text in registrations:
        name = NAME.search(text)
        if name and GUARD.search(text[:name.start()]):
            names.append(name.group(1))
    return names


def wide_in_sources(root: Path) -> set[tuple[str, str]]:
    return {(file.parent.name, name) for file in sorted((root / "optimized").glob("*/*.hpp"))
            for name in guarded(file.read_text(encoding="utf-8"))}


def listed(lockstep: str, **environment: str) -> set[tuple[str, str]]:
    kept = {key: value for key, value in os.environ.items() if key not in ("LOCKSTEP_PORTABLE", "LOCKSTEP_LEVEL")}
    told = subprocess.run([lockstep, "list", "--json"], capture_output=True, check=True, env={**kept, **environment}).stdout
    return {(game["name"], each["name"]) for game in json.loads(told)["games"] for each in game["simulators"]}


def features(root: Path) -> dict[str, bool]:
    """Every extension that a source checks for, and whether the processor has it. Linux spells some names
    differently."""
    sources = [root / "lockstep" / "processor.hpp", *sorted((root / "optimized").glob("*/*.hpp"))]
    asked = {name for file in sources for name in re.findall(r'__builtin_cpu_supports\("(\w+)"\)', file.read_text(encoding="utf-8"))}
    cpu = Path("/proc/cpuinfo")
    flags = set(re.findall(r"\w+", cpu.read_text(encoding="utf-8"))) if cpu.exists() else set()
    return {name: name in flags or name.replace("avx512", "avx512_") in flags for name in sorted(asked)}


def processor() -> str:
    cpu = Path("/proc/cpuinfo")
    model = re.search(r"^model name\s*: (.*)$", cpu.read_text(encoding="utf-8"), re.MULTILINE) if cpu.exists() else None
    return f"{model.group(1) if model else os.uname().machine}, {os.cpu_count()} processors"


def leaks(program: str) -> list[str]:
    """Functions with registers of 32 or 64 bytes that are neither kernels compiled for a level nor members of an
    implementation, which name their instructions themselves."""
    found = set()
    symbol = ""
    with subprocess.Popen(["objdump", "-d", "-C", "--no-show-raw-insn", program], stdout=subprocess.PIPE, text=True) as code:
        for line in code.stdout:
            if line.endswith(">:\n"):
                symbol = line[line.index("<") + 1:-3]
            elif ("%ymm" in line or "%zmm" in line) and not re.match(r".*(\bcompiled_for_|lockstep::optimized::)", symbol):
                found.add(symbol)
    return sorted(found)


def main(lockstep: str, root: Path) -> int:
    has = features(root)
    print(f"processor: {processor()}; " + ", ".join(f"{name} {'yes' if there else 'NO'}" for name, there in has.items()))
    sources, here = wide_in_sources(root), listed(lockstep)
    wide_here = here - listed(lockstep, LOCKSTEP_PORTABLE="1")
    games = {game for game, _ in here}  # LOCKSTEP_ONLY builds only some
    missing = sorted((game, name) for game, name in sources - wide_here if game in games)
    for game, name in missing:
        print(f"not executed here, for lack of instructions: {game} {name}")
    print(f"wide implementations: {len(wide_here)} of {len(wide_here) + len(missing)} executed")
    for name in ("LOCKSTEP_PORTABLE", "LOCKSTEP_LEVEL"):
        if name in os.environ:
            print(f"{name} is set: in this run not all of them take part")
    unknown = wide_here - sources
    for game, name in sorted(unknown):
        print(f"wrong: {game} {name} is wide, and its registration in optimized/{game}/ was not recognized")
    leaked = leaks(lockstep) if os.uname().machine == "x86_64" else []
    for symbol in leaked:
        print(f"wrong: {symbol} is shared by all levels, and has wide instructions")
    contradicted = missing if all(has.values()) else []
    for game, name in contradicted:
        print(f"wrong: the processor has all that {game} {name} may ask for, and `lockstep list` lacks it")
    return 1 if leaked or unknown or contradicted or not sources else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
