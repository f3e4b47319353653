#!/usr/bin/env python3
"""Lists the wide implementations that this machine runs, and those that it cannot run for lack of instructions.

usage: wide_code.py LOCKSTEP ROOT

It also finds functions with wide registers that processors without them could run.

An implementation that needs a level registers itself only where the processor has it (lockstep/system/processor.hpp), so on
other machines every test silently omits it. Its source still contains the registration, behind a check of the
processor. Exit status: 0, or 1 when sources and program contradict each other, which would make this list wrong.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

GUARD = re.compile(r"has_level\(")
NAME = re.compile(r'(?:register_(?:implementation|batch)<[^;"]*>\(|push_back\(\{)\s*"(\w+)"')


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


def listing(lockstep: str, **environment: str) -> dict:
    kept = {key: value for key, value in os.environ.items() if key not in ("LOCKSTEP_PORTABLE", "LOCKSTEP_LEVEL")}
    told = subprocess.run([lockstep, "list", "--json"], capture_output=True, check=True, env={**kept, **environment}).stdout
    return json.loads(told)


def listed(lockstep: str, **environment: str) -> set[tuple[str, str]]:
    return {(game["name"], each["name"]) for game in listing(lockstep, **environment)["systems"] for each in game["implementations"]}


def processor() -> str:
    cpu = Path("/proc/cpuinfo")
    model = re.search(r"^model name\s*: (.*)$", cpu.read_text(encoding="utf-8"), re.MULTILINE) if cpu.exists() else None
    return f"{model.group(1) if model else os.uname().machine}, {os.cpu_count()} processors"


def name_of(symbol: str) -> str:
    """A function's qualified name, without its result, its arguments and those of templates."""
    for pattern in (r"<[^<>]*>", r"\([^()]*\)"):
        shorter = re.sub(pattern, "", symbol)
        while shorter != symbol:
            symbol, shorter = shorter, re.sub(pattern, "", shorter)
    return next((word for word in reversed(symbol.split()) if "::" in word), symbol)


def leaks(lines) -> tuple[set[str], bool]:
    """Of what objdump prints: functions with registers of 32 or 64 bytes that are neither kernels compiled for a level nor
    members of an implementation, which name their instructions themselves. And whether there was such a kernel."""
    found, kernels, symbol = set(), False, ""
    for line in lines:
        if line.endswith(">:\n"):
            symbol = line[line.index("<") + 1:-3]
        elif "%ymm" in line or "%zmm" in line:
            name = name_of(symbol)
            if name.startswith("lockstep::compiled_for_"):
                kernels = True
            elif not name.startswith("lockstep::optimized::"):
                found.add(symbol)
    return found, kernels


def check_leaks() -> None:
    """A shared function is found although its template argument is an implementation."""
    wide = "  1:\tvaddps %ymm0,%ymm1,%ymm2\n"
    for symbol, found in (("void lockstep::run_trace<lockstep::optimized::Wide, lockstep::Puyo>(int)", True),
                          ("lockstep::optimized::Wide::step(std::span<int, 3>)::{lambda(auto:1)#1}::operator()() const", False),
                          ("void lockstep::compiled_for_avx2<lockstep::f()::{lambda(auto:1)#1}>(int)", False)):
        assert leaks([f"0 <{symbol}>:\n", wide])[0] == ({symbol} if found else set()), symbol


def leaks_of(program: str) -> list[str]:
    with subprocess.Popen(["objdump", "-d", "-C", "--no-show-raw-insn", program], stdout=subprocess.PIPE, text=True) as code:
        found, kernels = leaks(code.stdout)
    if code.returncode != 0 or not kernels:
        return ["(nothing: no kernel of a level was found in the program, so none was checked)"]
    return sorted(found)


def main(lockstep: str, root: Path) -> int:
    check_leaks()
    level = listing(lockstep)["level"]
    lacking = f", lacks {' '.join(level['missing'])}" if level["missing"] else ""
    print(f"processor: {processor()}; level {level['of_processor']}{lacking}")
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
    leaked = leaks_of(lockstep) if os.uname().machine == "x86_64" else []
    for symbol in leaked:
        print(f"wrong: {symbol} is shared by all levels, and has wide instructions")
    contradicted = [] if level["missing"] else missing
    for game, name in contradicted:
        print(f"wrong: the processor has all that {game} {name} may ask for, and `lockstep list` lacks it")
    return 1 if leaked or unknown or contradicted or not sources else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
