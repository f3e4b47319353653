"""Compares the behaviour of two versions: the program of the later one judges the implementations of the earlier one.

The implementations of the earlier version are loaded as a plugin, plugin_GAME.so (lockstep/plugin.h). Its interface is text,
so the versions have only the game in common. They are judged together with all implementations of the later version, first
on the corpus, then on random scenarios until the time is spent. Differences are shrunk and saved.
"""
from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from . import InternalError
from .programs import Version

ENGINES = "uniform,swarm,suggested,mutated"  # libFuzzer targets are separate builds

# The members of JSON that had other names before version 0.1.
WORDS = {"games": "systems", "simulators": "implementations"}


@dataclass
class Difference:
    explanation: str
    file: str
    replay: str  # the command that judges it again
    implementation: str = ""  # that is blamed; of the earlier version too; "" if none is


@dataclass
class Behaviour:
    """One game in two versions."""
    system: str
    verdict: str  # agreed, different or not judged
    reason: str = ""  # when not judged
    implementations: list[str] = field(default_factory=list)  # of the earlier version
    scenarios: int = 0
    steps: int = 0
    differences: list[Difference] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        return self.verdict == "different"


def plugin_of(version: Version, game: str) -> Path:
    return version.folder / f"plugin_{game}.so"


def program_of(version: Version) -> Path:
    return version.folder / "lockstep"


class PluginRefused(Exception):
    """The program of the later version rejects the plugin of the earlier one, with a reason."""


def results(program: Path, *arguments: str):
    """The JSON answer of the program; exit status 1 means that it found something."""
    result = subprocess.run([str(program), *arguments, "--json"], capture_output=True, text=True, check=False)
    refusal = re.search(r"^lockstep: (.*\bplugin\b.*)$", result.stderr, re.MULTILINE)
    if result.returncode == 2 and refusal:
        raise PluginRefused(refusal.group(1))
    if result.returncode not in (0, 1):
        raise InternalError(f"{program} {arguments[0]} ended with {result.returncode}: {result.stderr.strip()[-2000:]}")
    return json.loads(result.stdout, object_pairs_hook=lambda members: {WORDS.get(name, name): each for name, each in members})


def implementation(blamed: str) -> str:
    """The name of the implementation that is blamed; a plugin's is PATH:NAME."""
    return blamed.rpartition(":")[2]


def judge(before: Version, after: Version, game: str, corpus: Path, seconds: float, seed: int, out: Path) -> Behaviour:
    """Judges the earlier version's implementations of the game with the later version's program. Findings go to `out`."""
    try:
        return _judge(before, after, game, corpus, seconds, seed, out)
    except PluginRefused as refusal:
        return Behaviour(game, "not judged", str(refusal))


def _judge(before: Version, after: Version, game: str, corpus: Path, seconds: float, seed: int, out: Path) -> Behaviour:
    plugin, program = plugin_of(before, game), program_of(after)
    for version, file in ((before, plugin), (after, program)):
        if not file.exists():
            return Behaviour(game, "not judged", f"{version.label} has no {file.name}")
    own = next((g["implementations"] for g in results(program, "list")["systems"] if g["name"] == game), None)
    if own is None:
        return Behaviour(game, "not judged", f"{after.label} has no such game")
    all_names = ",".join([*(s["name"] for s in own if s["kind"] in ("optimized", "batch", "yardstick")), str(plugin)])
    found = Behaviour(game, "agreed")
    differences: dict[str, Difference] = {}  # by signature: a shrunk finding replaces the one from the corpus
    files = [str(file) for file in sorted((corpus / game).glob("*.txt"))]
    for replay in results(program, "replay", *files, "--with", all_names) if files else []:
        found.scenarios += 1
        found.steps += replay["actions"]
        if replay["verdict"] != "agreed":
            divergence = replay.get("divergence", {})
            signature = divergence.get("signature", replay["verdict"])
            differences.setdefault(signature, Difference(signature, replay["file"],
                                                         f"{program} replay {replay['file']} --with {plugin}",
                                                         implementation(divergence.get("blamed", ""))))
    fuzzed = results(program, "fuzz", game, "--with", all_names, "--seconds", str(seconds), "--seed", str(seed), "--engine",
                      ENGINES, "--no-canary", "--corpus", str(corpus), "--out", str(out))["systems"][0]
    found.scenarios += fuzzed["scenarios"]
    found.steps += fuzzed["steps"]
    found.implementations = [each.removeprefix(f"{plugin}:") for each in fuzzed["implementations"] if each.startswith(f"{plugin}:")]
    for finding in fuzzed["findings"]:
        differences[finding["signature"]] = Difference(finding["explanation"], finding["file"],
                                                       f"{program} replay {finding['file']} --with {plugin}",
                                                       implementation(finding.get("blamed", "")))
    found.differences = list(differences.values())
    if found.differences:
        found.verdict = "different"
    return found


def judge_all(before: Version, after: Version, games: list[str], corpus: Path, seconds: float, seed: int, out: Path,
              progress: Callable[[str], None]) -> list[Behaviour]:
    found = []
    for game in games:
        progress(f"judging {before.label}'s {game}")
        found.append(judge(before, after, game, corpus, seconds, seed, out))
    return found
