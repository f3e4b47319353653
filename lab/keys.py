"""Lists of places in sources, each with a reason: changes that have no effect (lab/mutants/equivalent/), and
branches that cannot be taken (lab/unreached.txt).

A place is identified by properties that survive edits elsewhere: its file, the function around it, and its own tokens;
not by line numbers, line breaks or neighbouring lines. A list consists of blocks, separated by empty lines:

    The reason, in a line or more.
    lean.hpp: Lean::resolve
        `a < b` -> `a <= b`
        `0` -> `0 + 1` in `count = 0`
        delete `x = 0;` #2 of 3; proved: lean.resolve 0123456789abcdef

`in` gives an expression around the place, for functions with several places that read the same. `#2 of 3` numbers, in
file order, the places that no expression distinguishes. `proved` names the claims whose kernels contain the place, each
with the hash of what the solver was asked (./dev lab equivalents); an entry without it is argued only.
"""
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools/planter"))
from plant import COMMENT, one_line  # noqa: E402, F401

TOKEN = re.compile(r"""u?8?"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])+' | [A-Za-z_]\w* | \d(?:'?[\w.])* | <<=|>>=|<=> | ::|->|\+\+
                       |--|<<|>>|[-+*/%&|^=!<>]=|&&|\|\| | \S""", re.VERBOSE)
FULL = re.compile(r"(?P<what>.*?)(?: in `(?P<within>.*)`)?(?: \#(?P<number>\d+) of (?P<total>\d+))?"
                  "(?:; proved: (?P<proved>.*))?")


class WrongList(Exception):
    """The list is malformed: where, and what was expected."""


def tokens(text: str) -> tuple[str, ...]:
    """A source's tokens, independent of formatting and comments."""
    return tuple(TOKEN.findall(COMMENT.sub(" ", text)))


@dataclass
class Place:
    """`what` happens in a function. `within`: the expressions around it, innermost first."""
    file: str
    function: str
    what: str
    within: list[str] = field(default_factory=list)

    def kind(self) -> tuple:
        return (self.file, self.function, tokens(self.what))

    def is_within(self, expression: str) -> bool:
        return not expression or tokens(expression) in map(tokens, self.within)


@dataclass
class Entry(Place):
    """A place in the form of a list, with its reason and line."""
    reason: str = ""
    line: int = 0
    expression: str = ""  # after `in`
    number: int = 0       # `#number of total`
    total: int = 0
    proved: str = ""      # claims and hashes; empty: argued

    def __str__(self) -> str:
        return f"{self.file}: {self.function}: {written(self.what, self.expression, self.number, self.total)}"


def written(what: str, expression: str, number: int, total: int) -> str:
    return what + (f" in `{expression}`" if expression else "") + (f" #{number} of {total}" if total else "")


def without_proof(line: str) -> str:
    return line.partition("; proved: ")[0]


def read(text: str) -> list[Entry]:
    entries, reason, place = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            reason, place = [], None
        elif line.startswith("    "):
            if place is None or not reason:
                raise WrongList(f"{number}: expected a reason and `FILE: FUNCTION` before what is listed")
            parts = FULL.fullmatch(line.strip()).groupdict()
            entries.append(Entry(*place, parts["what"], reason=" ".join(reason), line=number,
                                 expression=parts["within"] or "", number=int(parts["number"] or 0),
                                 total=int(parts["total"] or 0), proved=parts["proved"] or ""))
        elif match := re.match(r"([\w/]+\.[ch]pp): (.*)", line):
            place = (match.group(1), match.group(2).strip())
        elif place is not None:
            raise WrongList(f"{number}: expected `FILE: FUNCTION`, what is listed indented by four, or an empty line")
        else:
            reason.append(line.strip())
    return entries


class Index:
    """All places, in the order of their files."""

    def __init__(self, places: list[Place]):
        self.by_kind = defaultdict(list)
        for at, place in enumerate(places):
            self.by_kind[place.kind()].append((at, place))

    def key(self, at: int, place: Place) -> str:
        """The shortest name that identifies only this place."""
        alike = self.by_kind[place.kind()]
        # A single name or number is likely to be written again later, so it is identified by the expression around it.
        alone = re.fullmatch(r"`[\w:.']+`.*", place.what) and place.within
        best = None
        for expression in place.within if alone else ["", *place.within]:
            same = [other for other, candidate in alike if candidate.is_within(expression)]
            if best is None or len(same) < len(best[1]):
                best = (expression, same)
        expression, same = best
        return written(place.what, expression, same.index(at) + 1, len(same) if len(same) > 1 else 0)

    def find(self, entry: Entry) -> int | str:
        """The number of the place that the entry identifies, or the reason why there is none."""
        same = [(at, place) for at, place in self.by_kind[entry.kind()] if place.is_within(entry.expression)]
        if not same:
            elsewhere = sorted({kind[1] for kind in self.by_kind if (kind[0], kind[2]) == (entry.file, tokens(entry.what))
                                and kind[1] != entry.function and self.by_kind[kind]})
            hint = f"; it is in {', '.join(elsewhere)}" if elsewhere else ""
            return f"stale: nothing is {entry}{hint}"
        if entry.total:
            if entry.total == len(same) and 1 <= entry.number <= entry.total:
                return same[entry.number - 1][0]
            return f"ambiguous: {entry}: the number is {len(same)} now"
        if len(same) > 1:
            names = "; ".join(self.key(*one) for one in same)
            return f"ambiguous: {entry} is one of {len(same)}: {names}"
        return same[0][0]


def match(places: list[Place], entries: list[Entry]) -> tuple[dict[int, Entry], list[str]]:
    """Entries by the number of their place, and complaints about entries that match none, or one listed before."""
    index, found, complaints = Index(places), {}, []
    for entry in entries:
        at = index.find(entry)
        if isinstance(at, str):
            complaints.append(f"line {entry.line}: {at}")
        elif at in found:
            complaints.append(f"line {entry.line}: listed before, in line {found[at].line}: {entry}")
        else:
            found[at] = entry
    return found, complaints
