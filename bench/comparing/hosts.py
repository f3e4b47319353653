"""The files of --sarif, --junit and --summary: results for code hosts and for continuous integration.

The program's own writers (tools/sarif.cpp, tools/junit.cpp) describe the same formats for its verbs.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

from . import BadInput
from .behaviour import Behaviour
from .judgement import Comparison

RULES = {
    "slower": "A benchmark became slower",
    "vanished": "A benchmark is no longer there",
    "uncountable": "The instructions of a benchmark can no longer be counted",
    "different": "The versions behave differently",
}
# The place of a result whose implementation has none: the file that registers all benchmarks. GitHub refuses the whole log
# if one result is without a place.
BENCHMARKS = ("bench/simulators.cpp", 0)
# What XML cannot hold.
NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(path: Path, text: str) -> None:
    """Writes a new file and renames it, so that a reader never sees half of it."""
    temporary = path.with_name(f"{path.name}.tmp{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # a device or a pipe
            path.write_text(text, encoding="utf-8")
            return
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as fault:
        temporary.unlink(missing_ok=True)
        raise BadInput(f"{path}: {fault.strerror}") from None


def places(list_json: dict) -> dict[str, tuple[str, int]]:
    """The source file and line of each implementation, GAME/SIMULATOR, from the output of `lockstep list --json`."""
    return {f"{game['name']}/{each['name']}": (each["file"], each["line"])
            for game in list_json["systems"] for each in game["implementations"] if each.get("file")}


def _message(c: Comparison) -> str:
    if c.verdict == "vanished":
        return f"{c.name} is no longer there"
    if c.verdict == "uncountable":
        return f"{c.name} can no longer be counted: {c.before:.4g} instructions before"
    sure = "" if c.p_holm is None else f", p = {c.p_holm:.2g}"
    return f"{c.name}: {c.before:.4g} before, {c.after:.4g} after, {100 * (c.ratio - 1):+.2f}%{sure}"


def _result(rule: str, name: str, message: str, place: tuple[str, int], properties: dict) -> dict:
    file, line = place
    base = {} if file.startswith("file:") else {"uriBaseId": "SRCROOT"}
    location: dict = {"logicalLocations": [{"fullyQualifiedName": name}],
                      "physicalLocation": {"artifactLocation": {"uri": file, **base}}}
    if line > 0:
        location["physicalLocation"]["region"] = {"startLine": line}
    fingerprint = hashlib.sha256(f"{rule} {name}".encode()).hexdigest()[:16]
    return {"ruleId": rule, "ruleIndex": list(RULES).index(rule), "level": "error", "message": {"text": message},
            "locations": [location], "properties": properties,
            "partialFingerprints": {"lockstepSignature/v1": fingerprint, "primaryLocationLineHash": f"{fingerprint}:1"}}


NOT_ENDED = "the run did not end"


def left_out(comparisons: list[Comparison]) -> list[str]:
    """The benchmarks that neither version can count."""
    return [c.name for c in comparisons if c.verdict == "left out"]


def sarif(comparisons: list[Comparison], alike: list[Behaviour], status: int | None,
          where: dict[str, tuple[str, int]]) -> str:
    """`where`: as `places` returns it; the place of an unknown implementation is BENCHMARKS. Status None: not ended."""
    results = []
    for c in comparisons:
        if c.failed:
            game, implementation = c.name.partition("/")[0], c.name.rpartition("/")[2]
            results.append(_result(c.verdict, c.name, _message(c), where.get(f"{game}/{implementation}", BENCHMARKS),
                                   {"before": c.before, "after": c.after, "ratio": c.ratio}))
    for game in alike:
        for difference in game.differences:
            name = f"{game.system}/{difference.implementation}"
            results.append(_result("different", name, f"{game.system}: {difference.explanation}. Replay it: "
                                   f"{difference.replay}", where.get(name, BENCHMARKS),
                                   {"scenario": difference.file, "replay": difference.replay}))
    unjudged = [f"{game.system}: not judged: {game.reason}" for game in alike if game.verdict == "not judged"]
    unjudged += [f"{name}: left out: it cannot be counted" for name in left_out(comparisons)]
    if status is None:
        unjudged.append(NOT_ENDED)
    rules = [{"id": rule, "name": rule, "shortDescription": {"text": brief}, "fullDescription": {"text": brief},
              "help": {"text": f"{brief}. docs/comparing.md explains how it is measured."},
              "defaultConfiguration": {"level": "error"}} for rule, brief in RULES.items()]
    run = {"tool": {"driver": {"name": "lockstep compare", "rules": rules}},
           "automationDetails": {"id": "lockstep-compare/"},
           "invocations": [{"executionSuccessful": status in (0, 1),
                            **({} if status is None else {"exitCode": status}), "toolExecutionNotifications":
                            [{"level": "warning", "message": {"text": each}} for each in unjudged]}],
           "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the root of the repository"}}},
           "columnKind": "utf16CodeUnits", "results": results}
    return json.dumps({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]},
                      indent=2) + "\n"


def summary(times: list[Comparison], counts: list[Comparison], decisive: list[Comparison], alike: list[Behaviour],
            status: int | None) -> str:
    """A few lines of Markdown for the people of a pull request: what changed, by how much, and whether it is sure."""
    changed = [c for c in decisive if c.verdict in ("slower", "vanished", "uncountable", "faster", "new", "countable")]
    different = [(game, difference) for game in alike for difference in game.differences]
    if different:
        heading = "The versions behave differently"
    elif status is None:
        heading = NOT_ENDED.capitalize()
    elif status == 3:
        heading = "Nothing was compared"
    elif any(c.verdict == "slower" for c in changed):
        heading = "This change makes something slower"
    elif any(c.failed for c in changed):
        heading = "A benchmark is gone, or can no longer be counted"
    elif status == 130:
        heading = "Interrupted; nothing became slower so far"
    else:
        heading = "Nothing became slower"
    compared = sum(c.ratio is not None for c in decisive)
    measure = "instructions, which are exact" if decisive is counts else "processor time"
    lines = [f"**{heading}** ({compared} benchmark{'' if compared == 1 else 's'}, by {measure})"]
    lines += [f"- {game.system}: {difference.explanation}" for game, difference in different]
    for c in changed:
        by = "" if c.ratio is None else f" by {100 * abs(c.ratio - 1):.1f}%"
        lines.append(f"- {c.name}: {c.verdict}{by}{_sure(c)}")
    lines += [f"- behaviour of {game.system}: not judged: {game.reason}" for game in alike
              if game.verdict == "not judged"]
    if left_out(decisive):
        lines.append(f"- left out, they cannot be counted: {', '.join(left_out(decisive))}")
    unsure = [c.name for c in decisive if c.verdict == "inconclusive"]
    if unsure:
        lines.append(f"- not sure, too noisy or too few samples: {', '.join(unsure)}")
    for c in times if decisive is counts else []:
        if c.verdict in ("slower", "faster"):
            lines.append(f"- for information, processor time of {c.name}: {c.verdict} by {100 * abs(c.ratio - 1):.1f}%"
                         f"{_sure(c)}")
    return "\n".join(lines) + "\n"


def _sure(c: Comparison) -> str:
    """How sure a change is: the interval of a time; counts are exact."""
    if c.p is None or c.low is None:
        return ""
    return f" (between {100 * (c.low - 1):+.1f}% and {100 * (c.high - 1):+.1f}%)"


def junit(comparisons: list[Comparison], alike: list[Behaviour], status: int | None) -> str:
    """A case for each game's behaviour and for each benchmark; an inconclusive benchmark did not fail."""
    wrong: list[tuple[str, str, str, str, str]] = []  # class, name, element or "", type, message
    for game in alike:
        element = {"different": "failure", "not judged": "error"}.get(game.verdict, "")
        said = game.reason or "; ".join(difference.explanation for difference in game.differences)
        wrong.append(("behaviour", game.system, element, game.verdict, said))
    for c in comparisons:
        element = "failure" if c.failed else "skipped" if c.verdict == "left out" else ""
        said = _message(c) if c.failed else "it cannot be counted" if element else ""
        wrong.append(("benchmark", c.name, element, c.verdict, said))
    if status not in (0, 1):
        wrong.append(("compare", "end of the run", "error", "nothing proven",
                      NOT_ENDED if status is None else f"compare ended with {status}"))
    suite = ElementTree.Element("testsuite", name="lockstep compare", tests=str(len(wrong)),
                                failures=str(sum(each[2] == "failure" for each in wrong)),
                                errors=str(sum(each[2] == "error" for each in wrong)))
    for classname, name, element, kind, said in wrong:
        case = ElementTree.SubElement(suite, "testcase", classname=classname, name=name)
        if element:
            ElementTree.SubElement(case, element, type=kind, message=NOT_XML.sub("?", said))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"
