"""Lists of places in sources, each with a reason: changes that change nothing (mutants/equivalent/), branches that
nothing can take (unreached.txt).

A place is named by what survives an edit elsewhere: its file, the function around it, and its own tokens. Line numbers,
line breaks and neighbouring lines are no part of it. A list has blocks, parted by empty lines:

    The reason, in a line or more.
    lean.hpp: Lean::resolve
        `a < b` -> `a <= b`
        `0` -> `0 + 1` in `count = 0`
        delete `x = 0;` #2 of 3

`in` names an expression around the place, where the function has several that read the same, and `#2 of 3` counts in
the order of the file those that no expression tells apart.
"""
import re
from collections import defaultdict
from dataclasses import dataclass, field

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
TOKEN = re.compile(r"""u?8?"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])+' | [A-Za-z_]\w* | \d(?:'?[\w.])* | <<=|>>=|<=> | ::|->|\+\+
                       |--|<<|>>|[-+*/%&|^=!<>]=|&&|\|\| | \S""", re.VERBOSE)
FULL = re.compile(r"(?P<what>.*?)(?: in `(?P<within>.*)`)?(?: \#(?P<number>\d+) of (?P<total>\d+))?")


class WrongList(Exception):
    """The list can't be read: where, and what was expected."""


def tokens(text: str) -> tuple[str, ...]:
    """A source's text without what formatting may change."""
    return tuple(TOKEN.findall(COMMENT.sub(" ", text)))


def one_line(text: str) -> str:
    """A source's text as a list shows it."""
    return re.sub(r"([([{]) | (?=[)\]])", r"\1", " ".join(COMMENT.sub(" ", text).split()))


@dataclass
class Place:
    """`what` happens in a function; `within`: the expressions around it, from the innermost."""
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
    """A place as a list names it, with the reason and the list's line."""
    reason: str = ""
    line: int = 0
    expression: str = ""  # after `in`
    number: int = 0       # `#number of total`
    total: int = 0

    def __str__(self) -> str:
        return f"{self.file}: {self.function}: {written(self.what, self.expression, self.number, self.total)}"


def written(what: str, expression: str, number: int, total: int) -> str:
    return what + (f" in `{expression}`" if expression else "") + (f" #{number} of {total}" if total else "")


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
                                 total=int(parts["total"] or 0)))
        elif match := re.match(r"([\w/]+\.[ch]pp): (.*)", line):
            place = (match.group(1), match.group(2).strip())
        elif place is not None:
            raise WrongList(f"{number}: expected `FILE: FUNCTION`, what is listed indented by four, or an empty line")
        else:
            reason.append(line.strip())
    return entries


class Index:
    """All places that there are, in the order of their files."""

    def __init__(self, places: list[Place]):
        self.by_kind = defaultdict(list)
        for at, place in enumerate(places):
            self.by_kind[place.kind()].append((at, place))

    def key(self, at: int, place: Place) -> str:
        """The shortest name that means this place only."""
        alike = self.by_kind[place.kind()]
        # One name or number is soon written a second time: it is shown in the expression around it.
        alone = re.fullmatch(r"`[\w:.']+`.*", place.what) and place.within
        best = None
        for expression in place.within if alone else ["", *place.within]:
            same = [other for other, candidate in alike if candidate.is_within(expression)]
            if best is None or len(same) < len(best[1]):
                best = (expression, same)
        expression, same = best
        return written(place.what, expression, same.index(at) + 1, len(same) if len(same) > 1 else 0)

    def find(self, entry: Entry) -> int | str:
        """The number of the place that the entry means, or why there is none."""
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
    """Which entry means which place, by its number, and complaints about those that mean none or one listed before."""
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
