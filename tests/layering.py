#!/usr/bin/env python3
"""Checks the dependency order: lockstep <- games <- {reference, optimized, canaries} <- rosters <- the rest.

usage: layering.py ROOT

Exit 0 when every include of the tree follows this order and simulators include vocabulary only; else 1, with a line per
violation; 2 without ROOT. `layering_test.py` shows it failing.
"""
import re
import sys
from pathlib import Path

# A folder may include itself and the folders listed here. The rooms `canaries` and `rosters` are the files of these names in
# games/NAME/.
MAY_INCLUDE = {
    "lockstep": set(),
    "campaign": {"lockstep"},
    "programs": {"lockstep"},
    "games": {"lockstep", "programs"},  # of these, formats of problems only
    "reference": {"lockstep", "games"},
    "optimized": {"lockstep", "games"},
    "canaries": {"lockstep", "games"},
    "rosters": {"lockstep", "programs", "games", "reference", "optimized", "canaries"},
    "fuzz": {"lockstep", "programs", "games", "rosters"},
    "proof": {"lockstep"},  # its child processes; lockstep-prove is a program of its own
    "proof/claims": {"lockstep", "games", "optimized", "proof"},
    "tests/proof": {"proof", "proof/claims", "lockstep", "games", "reference"},
    "examples": {"lockstep", "proof"},  # their own headers by their names alone: each folder is a project
    "lab": {"lockstep", "games", "rosters", "tools/planter", "examples", "proof"},
    "props": {"lockstep", "programs", "games", "optimized", "canaries"},
    "bench": {"lockstep", "games", "rosters"},
    "page": {"lockstep"},
    "tools/planter": set(),
    "tools": {"lockstep", "campaign", "programs", "page"},
    "tests": {"lockstep", "campaign", "programs", "page", "props", "tools"},
    "tests/hostile": {"lockstep", "campaign", "programs", "fuzz", "tests"},
}

# The folders of the library: a file may include those of its own folder and of folders to the left.
LIBRARY = "base process describe text draw judge shrink system services explore fuzz program".split()

# What a simulator may include of the library: the vocabulary of games, never an algorithm. Of games/ it may include its
# own games/NAME/game.hpp only, which declares the parts of the game (laws, features, …) without defining them, so the
# compiler rejects any use of them there.
SIMULATORS_MAY_USE = {
    "lockstep/describe/system.hpp",
    "lockstep/base/grid.hpp",
    "lockstep/system/processor.hpp",
    "lockstep/system/registry.hpp",
    "lockstep/describe/trace.hpp",
}

# What a vocabulary may include; a simulator that includes the vocabulary gets these too.
VOCABULARY = re.compile(r"games/\w+/game\.hpp")
VOCABULARY_MAY_USE = {"lockstep/describe/describe.hpp", "lockstep/base/grid.hpp", "lockstep/describe/system.hpp"}

# What is compiled for each system: of the library these files alone are templates over one (docs/architecture.md).
TEMPLATES = {
    f"lockstep/{name}.hpp"
    for name in (
        "describe/features describe/fields describe/laps describe/past describe/scenario describe/system "
        "describe/trace explore/bulk explore/exploring_of program/builder system/image system/registered "
        "system/registry system/scenario_of system/typed system/workload"
    ).split()
}
# The standard headers that a user's source reads with lockstep.hpp: each costs at every edit.
LOCKSTEP_READS = set(
    "algorithm any array bit bitset concepts cstddef cstdint functional iosfwd iterator limits memory optional "
    "source_location span string string_view tuple type_traits typeinfo utility variant vector".split()
)

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
SIMULATOR_ROOMS = {"reference", "optimized", "canaries"}


def room_of(path: str) -> str:
    """The longest listed folder that contains the path; '' for files outside all of them."""
    if named := re.fullmatch(r"games/\w+/(canaries|roster)\.[ch]pp", path):
        return {"canaries": "canaries", "roster": "rosters"}[named[1]]
    rooms = [room for room in MAY_INCLUDE if path.startswith(room + "/")]
    return max(rooms, key=len, default="")


def game_of(path: str) -> str:
    """The game of a path: reference/puyo.hpp and optimized/puyo/lanes.hpp belong to puyo."""
    parts = path.split("/")
    return Path(parts[1]).stem if len(parts) > 1 else ""


def place_of(path: str) -> int:
    """The place of the library's folders in their order. Beside them stand plugin.h, which includes nothing, and lockstep.hpp."""
    folder = path.split("/")[1]
    return LIBRARY.index(folder) if folder in LIBRARY else -1 if folder == "plugin.h" else len(LIBRARY)


def offences(root: Path):
    for file in sorted(root.rglob("*.[ch]pp")):
        path = file.relative_to(root).as_posix()
        room = room_of(path)
        if not room:
            continue
        text = file.read_text(encoding="utf-8")
        if room == "lockstep" and path not in TEMPLATES and re.search(r"^\s*template <System S", text, re.MULTILINE):
            yield f"{path}: is a template over a system, which every system compiles anew: use scenario.hpp"
        if room == "lockstep" and path.count("/") > 1 and path.split("/")[1] not in LIBRARY:
            yield f"{path}: no folder of the library: {' '.join(LIBRARY)}"
        for included in INCLUDE.findall(text):
            target = room_of(included)
            if not target:
                if room == "examples" and (file.parent / included).exists():
                    continue
                if (root / included).exists() or (file.parent / included).exists():
                    yield f"{path}: includes \"{included}\": name files from the root, inside a room"
                continue
            if target == room == "lockstep" and place_of(included) > place_of(path):
                yield f"{path}: {path.split('/')[1]} must not include \"{included}\": the order is {' '.join(LIBRARY)}"
            if target != room and target not in MAY_INCLUDE[room]:
                yield f"{path}: {room} must not include {target} (\"{included}\")"
            if VOCABULARY.fullmatch(path) and included not in VOCABULARY_MAY_USE:
                yield f"{path}: simulators include this vocabulary, which must not bring \"{included}\""
            if room in SIMULATOR_ROOMS:
                if target == "lockstep" and included not in SIMULATORS_MAY_USE:
                    yield f"{path}: a simulator knows only the words of a game, not \"{included}\""
                if target == "games" and included != f"games/{game_of(path)}/game.hpp":
                    yield f"{path}: a simulator of {game_of(path)} knows of games/ its own vocabulary only, not \"{included}\""
                if target in SIMULATOR_ROOMS and game_of(included) != game_of(path):
                    yield f"{path}: a simulator of {game_of(path)} includes \"{included}\" of another game"


def standard_headers(root: Path, path: str, read: set[str] | None = None) -> set[str]:
    """Those that a header of the tree includes, itself or through others."""
    read = set() if read is None else read
    read.add(path)
    out = set()
    for included in INCLUDE.findall((root / path).read_text(encoding="utf-8")):
        if not (root / included).exists():
            out.add(included)
        elif included not in read:
            out |= standard_headers(root, included, read)
    return out


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: layering.py ROOT", file=sys.stderr)
        return 2
    found = list(offences(Path(sys.argv[1])))
    for offence in found:
        print(offence)
    print(f"layering: {len(found)} offences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
