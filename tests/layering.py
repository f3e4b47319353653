#!/usr/bin/env python3
"""Holds the direction of the arrows: lockstep <- games <- {reference, optimized, canaries} <- systems <- the rest.

usage: layering.py ROOT

Exit 0 when every include of the tree points along the arrows and simulators share vocabulary only; else 1,
with a line per offence. `layering_test.py` shows it failing.
"""
import re
import sys
from pathlib import Path

# A room may include itself and the rooms named here.
MAY_INCLUDE = {
    "lockstep": set(),
    "campaign": {"lockstep", "tools"},
    "games": {"lockstep"},
    "reference": {"lockstep", "games"},
    "optimized": {"lockstep", "games"},
    "canaries": {"lockstep", "games"},
    "systems": {"lockstep", "games", "reference", "optimized", "canaries"},
    "bench/workloads": {"lockstep", "games", "bench"},
    "fuzz": {"lockstep", "games", "systems"},
    "lab": {"lockstep", "games", "systems"},
    "plugins": {"lockstep", "games", "systems"},
    "props": {"lockstep", "games", "systems"},
    "bench": {"lockstep", "games", "systems"},
    "tools": {"lockstep", "campaign", "games", "systems"},
    "tests": {"lockstep", "campaign", "props"},
}

# What a simulator may know of the library: the vocabulary of games, never an algorithm.
SIMULATORS_MAY_USE = {
    "lockstep/system.hpp",
    "lockstep/grid.hpp",
    "lockstep/processor.hpp",
    "lockstep/registry.hpp",
    "lockstep/trace.hpp",
}

# Members of a game that hold knowledge about lawful states: a simulator that asks them shares more than words.
NOT_VOCABULARY = re.compile(r"(?:\b[A-Z]\w*::|(?<![\w.:]))((?:flaw|normalise|violation|symmetries|restate)\s*\()")

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
SIMULATOR_ROOMS = {"reference", "optimized", "canaries"}


def room_of(path: str) -> str:
    """The longest known room that the path lies in; '' for files outside all rooms."""
    rooms = [room for room in MAY_INCLUDE if path.startswith(room + "/")]
    return max(rooms, key=len, default="")


def game_of(path: str) -> str:
    """reference/puyo.hpp and optimized/puyo/lanes.hpp are of the game puyo."""
    parts = path.split("/")
    return Path(parts[1]).stem if len(parts) > 1 else ""


def offences(root: Path):
    for file in sorted(root.rglob("*.[ch]pp")):
        path = file.relative_to(root).as_posix()
        room = room_of(path)
        if not room:
            continue
        text = file.read_text(encoding="utf-8")
        for included in INCLUDE.findall(text):
            target = room_of(included)
            if not target:
                if (root / included).exists() or (file.parent / included).exists():
                    yield f"{path}: includes \"{included}\": name files from the root, inside a room"
                continue
            if target != room and target not in MAY_INCLUDE[room]:
                yield f"{path}: {room} must not include {target} (\"{included}\")"
            if room in SIMULATOR_ROOMS:
                if target == "lockstep" and included not in SIMULATORS_MAY_USE:
                    yield f"{path}: a simulator knows only the words of a game, not \"{included}\""
                if target in SIMULATOR_ROOMS | {"games"} and not game_of(included).startswith(game_of(path)):
                    yield f"{path}: a simulator of {game_of(path)} includes \"{included}\" of another game"
        if room in SIMULATOR_ROOMS:
            code = COMMENT.sub("", text)
            for asked in sorted(set(NOT_VOCABULARY.findall(code))):
                yield f"{path}: a simulator shares words, not judgement: it calls {asked.strip()}…)"


def main() -> int:
    found = list(offences(Path(sys.argv[1])))
    for offence in found:
        print(offence)
    print(f"layering: {len(found)} offences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
