"""Saved measurements: written by --save-baseline, read by --baseline and --history."""
from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path

from . import BadInput

SCHEMA = 1


@dataclass
class Baseline:
    name: str
    about: dict  # revision, compiler, flags, machine: where the figures come from
    times: dict[str, list[float]] = field(default_factory=dict)  # ns
    instructions: dict[str, float] = field(default_factory=dict)


def path_of(folder: Path, name: str) -> Path:
    if not re.fullmatch(r"[A-Za-z0-9._-]+", name) or name.startswith("."):
        raise BadInput(f"a baseline's name is made of letters, digits, '.', '_' and '-', not '{name}'")
    return folder / f"{name}.json"


def save(folder: Path, baseline: Baseline) -> Path:
    path = path_of(folder, baseline.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(f".{os.getpid()}")
    half.write_text(json.dumps({"schema": SCHEMA, **asdict(baseline)}, indent=1) + "\n", encoding="utf-8")
    half.rename(path)
    return path


def load(folder: Path, name: str) -> Baseline:
    path = path_of(folder, name)
    if not path.exists():
        known = sorted(p.stem for p in folder.glob("*.json"))
        raise BadInput(f"there is no baseline '{name}' in {folder}; "
                       + (f"there are: {', '.join(known)}" if known else "--save-baseline makes one"))
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.pop("schema") != SCHEMA:
            raise BadInput(f"{path}: expected schema {SCHEMA}")
        return Baseline(**document)
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as fault:
        raise BadInput(f"{path} is not a baseline: {fault}") from None


def check_same_machine(baseline: Baseline, here: str, any_machine: bool) -> None:
    there = baseline.about.get("machine", "an unknown machine")
    if there != here and not any_machine:
        raise BadInput(f"the baseline '{baseline.name}' was measured on {there}, and this is {here}: "
                       "times do not travel between machines (--any-machine compares them all the same)")
