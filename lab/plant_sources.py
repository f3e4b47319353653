#!/usr/bin/env python3
"""Plants all changes at once into copies of sources of this tree (tools/planter/plant.py).

usage: plant_sources.py --root ROOT --out FOLDER --compiler CLANG --unit FILE… -- SOURCE…
       plant_sources.py --root ROOT --part SOURCE --first N --out FOLDER --compiler CLANG -- FLAG…

With --unit, plants into the optimized implementations of a game (lab/mutants). Reads the syntax tree of each UNIT (a C++
source, from the root) as CLANG prints it. Writes a copy of each SOURCE (a path from the root) to FOLDER/SOURCE, and
FOLDER/mutants.json, which also names the simulators that a change is judged on.

With --part, plants into one source of a larger program (lab/library_score), whose changes are numbered from N. FLAG: what
it is compiled with. Writes FOLDER/SOURCE and FOLDER/SOURCE.json. A source that cannot be planted is copied, with the
reason.
"""
import argparse
import json
import re
import shutil
import sys
from collections import defaultdict
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tools/planter"))
import plant  # noqa: E402
from keys import tokens  # noqa: E402
from plant import MUTANTS, WRAPPERS, Planter, Site, Source, children, is_integer, type_of  # noqa: E402

# A constexpr table that can be recomputed, of a class; and of a function, computed at its first call.
TABLE = f"static inline {MUTANTS}Table<%(kind)s> %(name)s{{+[]() -> %(kind)s {{ return %(init)s; }}}}"
LOCAL_TABLE = f"static const %(kind)s %(name)s = {MUTANTS}made([&]() -> %(kind)s {{ return %(init)s; }})"
# Intrinsics on registers, and the equivalent operators on compiler vectors.
INTRINSICS = {"_mm512_and_si512": "&", "_mm512_or_si512": "|", "_mm512_xor_si512": "^", "_mm512_andnot_si512": "~&",
              "_mm512_add_epi64": "+", "_mm512_sub_epi64": "-"}
RECORDS = {"CXXRecordDecl", "ClassTemplateSpecializationDecl", "ClassTemplatePartialSpecializationDecl"}
FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl"}
WITHIN_MAX = 90  # characters, without spaces: a longer expression does not help a reader find the change
plant.BINARY["~&"] = ["{a} & {b}", "{b}"]


def registered(declaration: str) -> str | None:
    """The name of the simulator that this declaration registers, with or without a condition; None when it
    registers none."""
    found = re.search(r'\b(?:register_(?:implementation|batch)<[^>]*>\s*\(|registry<\w+>\s*\(\s*\)\.push_back\s*\(\s*\{)\s*"(\w+)"',
                      declaration)
    return found.group(1) if found else None


def is_vector(node: dict) -> bool:
    return "vector_size" in type_of(node)


def is_number(node: dict) -> bool:
    """Whether it is an integer, perhaps converted to a vector."""
    while not is_integer(node) and node["kind"] in WRAPPERS and len(children(node)) == 1:
        node = children(node)[0]
    return is_integer(node)


def is_template_argument(source: Source, name: str) -> bool:
    """Whether the name is written in a template's arguments: the syntax tree of an instance has lost it there."""
    return bool(name and re.search(rb"\w<[^<>;(){}]*\b%s\b[^<>;(){}]*>" % re.escape(name.encode()), source.bytes))


class LabPlanter(Planter):
    """Notes where each change is: the function around it, and the expressions, by which the lists name it (keys.py)."""

    def __init__(self, sources: list[Source]):
        super().__init__(sources)
        self.records: dict[str, str] = {}  # names of classes by id
        self.about: dict[Site, dict] = {}  # what is known of the changes of a site
        self.skips: dict[tuple, int] = {}  # by source and site: number of changes that cannot be switched at run time

    def visit_CXXRecordDecl(self, node: dict, constant: bool) -> None:
        self.records[node["id"]] = self.function()

    visit_ClassTemplateSpecializationDecl = visit_ClassTemplatePartialSpecializationDecl = visit_CXXRecordDecl

    def site(self, node: dict, kind: str, changes: list[str], render, constant: bool) -> Site | None:
        site, found = super().site(node, kind, changes, render, constant), self.range_of(node)
        if constant and found:
            self.skips[found[0], kind, *found[1:]] = len(changes)
        if site:
            # Of a call, the changes name the function only.
            source, begin, end = self.range_of(children(node)[0]) if kind == "call" else found
            text = source.bytes.split(b"\n")[source.line(begin) - 1].decode("utf-8", "surrogateescape").strip()
            self.about[site] = {"file": source.name, "text": text, "function": self.function(),
                                "within": self.within(source, begin, end)}
        return site

    def skipped(self, source: Source) -> int:
        left_out = sum(len(site.changes) for site in source.sites.values() if site.left_out)
        return left_out + sum(count for (of, *key), count in self.skips.items() if of is source and tuple(key) not in source.sites)

    def write(self, path: Path, changes: list[dict], **more) -> None:
        """Writes the changes with what is known of them, and the number of skipped ones of each source."""
        out = {"changes": [], "skipped": {source.name: self.skipped(source) for source in self.sources.values()}, **more}
        for change in changes:
            site = change.pop("site")
            out["changes"].append(self.about[site] | change)
        path.write_text(json.dumps(out, indent=1, ensure_ascii=False), encoding="utf-8", errors="replace")

    def function(self) -> str:
        """The function around the visited node, with its classes; for a member's initialiser, the member."""
        names, inside = [], False
        for above, node in zip([{"kind": ""}, *self.path], self.path):
            kind, name = node["kind"], node.get("name", "").partition("<")[0]
            if kind in FUNCTIONS and above["kind"] != "LambdaExpr":
                # A body outside its class refers to the class.
                names = [self.records[node["parentDeclContextId"]]] if node.get("parentDeclContextId") in self.records else names
                names, inside = [*names, name], True
            elif kind in RECORDS or kind == "NamespaceDecl" and name != "optimized":
                names, inside = [*names, name], False
            elif kind in {"VarDecl", "FieldDecl"} and not inside:
                names, inside = [*names, name], True
        return "::".join(filter(None, names))

    def within(self, source: Source, begin: int, end: int) -> list[str]:
        """The expressions around a range, innermost first; the last is the one returned or used as
        initialiser."""
        found = []
        for node in reversed(self.path):
            is_expression = re.search(r"(Expr|Operator|Literal|Cleanups)$", node["kind"])
            place = self.range_of(node)
            if not is_expression and node["kind"] not in {"VarDecl", "ReturnStmt"}:
                break
            if place is not None and place[0] is source:
                first = node["loc"].get("offset", place[1]) if node["kind"] == "VarDecl" else place[1]
                text = source.short(first, place[2])
                if first <= begin and end <= place[2] and (first, place[2]) != (begin, end) and text not in found \
                        and len("".join(tokens(text))) <= WITHIN_MAX:
                    found.append(text)
            if not is_expression:
                break
        return found


class GamePlanter(LabPlanter):
    """Plants into the optimized implementations of a game: also into the initialisers of their constants and tables."""
    marks_pointers = False

    def __init__(self, sources: list[Source]):
        super().__init__(sources)
        self.simulators: dict[str, list[str]] = defaultdict(list)  # that a source registers
        self.places: dict[str, tuple] = {}  # by id: where the variable is declared; templates declare it several times
        self.constants_used: set[str] = set()  # ids of variables used in constant evaluation

    # Vectors
    def choose(self, node: dict, kind: str, named: str, alternatives: list[tuple[str, str]], constant: bool,
               converted: str = "") -> None:
        sides, text = children(node)[-2:], self.text_of(node)
        if kind in {"binary", "assign"} and len(sides) == 2:
            self.narrow(sides)
            if kind == "assign" and is_vector(sides[0]) and is_number(sides[1]):
                target, value = map(self.text_of, sides)
                alternatives = [(shown, f"{target} {other} decltype({target} + {value}){{}} + ({value})")
                                for (shown, _), other in zip(alternatives, plant.ASSIGNED[node["opcode"]])]
        elif kind == "condition" and self.path[-1]["kind"] == "ConditionalOperator" and not is_integer(node):
            # In a template, only the compiler knows whether it is a vector, which chooses each lane.
            converted = f"{MUTANTS}Condition<decltype(({text}))>"
            values = (f"static_cast<{converted}>(~{converted}{{}})", f"{converted}{{}}")
            alternatives = [(shown, f"static_cast<void>({text}), {value}") for (shown, _), value in zip(alternatives, values)]
        super().choose(node, kind, named, alternatives, constant, converted)

    def narrow(self, sides: list[dict]) -> None:
        """A number that is combined with a vector stands for all lanes, and has to be of their type, unless the compiler
        sees that it is small."""
        for vector, number in (sides, sides[::-1]):
            if is_vector(vector) and is_number(number) and not is_number(vector):
                source, begin, end = self.range_of(number)
                of = MUTANTS + "Lane<" + ", ".join(f"decltype(({self.text_of(each)}))" for each in (vector, number)) + ">"
                source.sites.setdefault(("number", begin, end), Site(
                    begin, end, [], lambda first, text, of=of, begin=begin, end=end: f"static_cast<{of}>({text(begin, end)})"))

    def alone(self, node: dict, side: dict, text: str, operator: str) -> str:
        if is_vector(node) and is_number(side):
            return f"decltype({self.text_of(node)}){{}} + {text}"
        return super().alone(node, side, text, operator)

    def visit_ShuffleVectorExpr(self, node: dict, constant: bool) -> bool:
        for at, child in enumerate(children(node)):
            self.walk(child, constant or at >= 2)  # the lane indices are part of the instruction
        return True

    def visit_CallExpr(self, node: dict, constant: bool) -> None:
        inner = children(node)
        name = plant.unwrapped(inner[0]).get("referencedDecl", {}).get("name", "")
        if name in INTRINSICS and len(inner) == 3:
            self.binary(node, INTRINSICS[name], inner[1:], constant, written=",")
        else:
            super().visit_CallExpr(node, constant)

    # Constants and tables
    def note_constants(self, node: dict, constant: bool) -> None:
        """Collects the variables used in constant evaluation: their tables must stay constexpr."""
        kind = node["kind"]
        constant |= kind in {"StaticAssertDecl", "ConstantExpr", "EnumConstantDecl", "TemplateArgument"}
        constant |= kind == "VarDecl" and node.get("constexpr", False)
        if kind == "VarDecl" and (found := self.range_of(node)):
            self.places[node["id"]] = (found[0].name, *found[1:])
        # A macro's argument may be an immediate operand of an instruction, as with most of <immintrin.h>.
        in_macro = "expansionLoc" in node.get("range", {}).get("begin", {})
        if kind == "DeclRefExpr" and (constant or in_macro):
            self.constants_used.add(node["referencedDecl"]["id"])
        for child in children(node):
            self.note_constants(child, constant)

    def is_needed(self, declared: tuple) -> bool:
        return any(self.places.get(used) == declared for used in self.constants_used)

    def visit_VarDecl(self, node: dict, constant: bool) -> bool:
        found = self.range_of(node)
        if found is None:
            return True
        source, begin, end = found
        declaration = source.text(begin, end)
        if name := registered(declaration):
            self.simulators[source.name].append(name)
            return True
        inits = children(node)
        needed = self.is_needed((source.name, begin, end)) or is_template_argument(source, node.get("name", ""))
        if not node.get("constexpr"):
            if inits and not needed and re.match(r"const (?!auto&|auto\b)[\w:]+ \w+ ?[={]", declaration):
                # The compiler computes a constant that is made of constants.
                self.replace(source, begin, begin + len("const"), "")
            return False
        if inits and not needed and declaration.startswith("static constexpr std::array"):
            constant |= not self.table(source, begin, end, "std::array<.*>", TABLE)
        elif inits and not needed and node["id"] not in self.locals and self.made_member(source, begin, end):
            return True
        elif inits and not needed and node["id"] in self.locals and declaration.startswith("static constexpr "):
            constant |= not self.table(source, begin, end, r"\w+", LOCAL_TABLE)
        elif inits and not needed and declaration.startswith("constexpr "):
            self.replace(source, begin, begin + len("constexpr"), "")
        else:
            constant = True
        for child in inits:
            self.walk(child, constant)
        return True

    @staticmethod
    def table(source: Source, begin: int, end: int, kind: str, form: str) -> bool:
        """Turns `static constexpr KIND name = …` into this form."""
        head = re.match(rf"static constexpr ({kind})\s+(\w+)\s*=\s*", source.text(begin, end))
        if head is None:
            return False
        open_at = begin + len(head.group(0).encode())

        def render(first, inner):
            return form % {"kind": head.group(1), "name": head.group(2), "init": inner(open_at, end)}

        source.sites.setdefault(("table", begin, end), Site(begin, end, [], render))
        return True

    def made_member(self, source: Source, begin: int, end: int) -> bool:
        """The same for `static constexpr Type name{}` of a class, whose constructor computes the value."""
        head = re.fullmatch(r"static constexpr ([A-Z]\w*) (\w+)\{\}", source.text(begin, end))
        if head is None:
            return False
        kind, name = head.groups()
        self.replace(source, begin, end, TABLE % {"kind": kind, "name": name, "init": kind + "{}"})
        return True


def judges_of(sources: list[Source], own: dict[str, list[str]]) -> dict[str, list[str]]:
    """A change is judged on the simulators of its file and of the files that include it; a .cpp file counts as
    its header. `own`: those that a file registers itself."""
    out = {}
    for source in sources:
        includers = [other for other in sources if f'#include "{source.name}"'.encode() in other.bytes]
        if source.name.endswith(".cpp"):
            includers += [other for other in sources if other.name == source.name.removesuffix(".cpp") + ".hpp"]
        judges = {name for other in [source, *includers] for name in own[other.name]}
        out[source.name] = sorted(judges or {name for names in own.values() for name in names})
    return out


def plant_units(root: Path, names: list[str], units: list[str], out: Path, compiler: str) -> None:
    sources = [Source(root, name) for name in names]
    planter = GamePlanter(sources)
    command = [compiler, "-std=c++23", f"-I{root}", f"-I{PROJECT}", f"-I{plant.INCLUDE}", "-w", "-x", "c++"]
    trees = [tree for unit in units
             for tree in plant.syntax_trees(command, root / unit, "-Xclang", "-ast-dump-filter=lockstep::optimized")]
    for tree in trees:
        planter.note_constants(tree, False)
    for tree in trees:
        planter.walk(tree)
    judges = judges_of(sources, planter.simulators)
    changes = [change | {"simulators": judges[planter.about[change["site"]]["file"]]} for change in plant.numbered(sources)]
    for source in sources:
        target = out / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = f'// Written by lab/plant_sources.py from {source.name}.\n#include "lab/mutants/tables.hpp"\n{plant.written(source)}'
        target.write_text(text, encoding="utf-8", errors="surrogateescape")
    planter.write(out / "mutants.json", changes)


def plant_part(source: Source, first: int, out: Path, compiler: str, flags: list[str]) -> None:
    planted = out / source.name
    planted.parent.mkdir(parents=True, exist_ok=True)
    command = [compiler, *flags, "-w"]
    planter, fault = LabPlanter([source]), {}
    try:
        trees = plant.syntax_trees(command, source.path, "-Xclang", "-ast-dump-filter=lockstep::")
        changes = plant.plant_alone(planter, source, trees, planted, [[*command, "-fsyntax-only"]], first)
    except plant.CannotPlant as why:
        changes, fault = [], {"fault": str(why)}
        shutil.copyfile(source.path, planted)
    planter.write(Path(f"{planted}.json"), changes, **fault)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--part")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--unit", action="append")
    parser.add_argument("words", nargs="+")
    asked = parser.parse_args()
    if (asked.part is None) == (asked.unit is None):
        parser.error("expected --unit and sources, or --part and flags")
    if asked.part is None:
        plant_units(asked.root, asked.words, asked.unit, asked.out, asked.compiler)
    else:
        plant_part(Source(asked.root, asked.part), asked.first, asked.out, asked.compiler, asked.words)


if __name__ == "__main__":
    try:
        main()
    except plant.CannotPlant as fault:
        print(f"plant_sources.py: {fault}", file=sys.stderr)
        sys.exit(2)
