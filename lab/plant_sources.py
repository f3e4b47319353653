#!/usr/bin/env python3
"""Plants all changes at once into copies of sources of this tree (planter/plant.py).

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
import re
import shutil
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "planter"))
import plant  # noqa: E402
from plant import MUTANTS, Planter, Site, Source, children  # noqa: E402

# A constexpr table that can be recomputed, of a class; and of a function, computed at its first call.
TABLE = f"static inline {MUTANTS}Table<%(kind)s> %(name)s{{+[]() -> %(kind)s {{ return %(init)s; }}}}"
LOCAL_TABLE = f"static const %(kind)s %(name)s = {MUTANTS}made([&]() -> %(kind)s {{ return %(init)s; }})"


def registered(declaration: str) -> str | None:
    """The name of the simulator that this declaration registers, with or without a condition; None when it
    registers none."""
    found = re.search(r'\b(?:register_(?:implementation|batch)<[^>]*>\s*\(|registry<\w+>\s*\(\s*\)\.push_back\s*\(\s*\{)\s*"(\w+)"',
                      declaration)
    return found.group(1) if found else None


def is_template_argument(source: Source, name: str) -> bool:
    """Whether the name is written in a template's arguments: the syntax tree of an instance has lost it there."""
    return bool(name and re.search(rb"\w<[^<>;(){}]*\b%s\b[^<>;(){}]*>" % re.escape(name.encode()), source.bytes))


class GamePlanter(Planter):
    """Plants into the optimized implementations of a game: also into the initialisers of their constants and tables."""
    marks_pointers = False

    def __init__(self, sources: list[Source]):
        super().__init__(sources)
        self.simulators: dict[str, list[str]] = defaultdict(list)  # that a source registers
        self.places: dict[str, tuple] = {}  # by id: where the variable is declared; templates declare it several times
        self.constants_used: set[str] = set()  # ids of variables used in constant evaluation

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
    command = [compiler, "-std=c++23", f"-I{root}", f"-I{plant.INCLUDE}", "-w", "-x", "c++"]
    trees = [tree for unit in units
             for tree in plant.syntax_trees(command, root / unit, "-Xclang", "-ast-dump-filter=lockstep::optimized")]
    for tree in trees:
        planter.note_constants(tree, False)
    for tree in trees:
        planter.walk(tree)
    judges = judges_of(sources, planter.simulators)
    changes = [change | {"simulators": judges[change["file"]]} for change in plant.numbered(sources)]
    for source in sources:
        target = out / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = f'// Written by lab/plant_sources.py from {source.name}.\n#include "lab/mutants/tables.hpp"\n{plant.written(source)}'
        target.write_text(text, encoding="utf-8", errors="surrogateescape")
    plant.write_changes(out / "mutants.json", changes, sources)


def plant_part(source: Source, first: int, out: Path, compiler: str, flags: list[str]) -> None:
    planted = out / source.name
    planted.parent.mkdir(parents=True, exist_ok=True)
    command = [compiler, *flags, "-w"]
    fault = {}
    try:
        trees = plant.syntax_trees(command, source.path, "-Xclang", "-ast-dump-filter=lockstep::")
        changes = plant.plant_alone(source, trees, planted, [[*command, "-fsyntax-only"]], first)
    except plant.CannotPlant as why:
        changes, fault = [], {"fault": str(why)}
        shutil.copyfile(source.path, planted)
    plant.write_changes(Path(f"{planted}.json"), changes, [source], fault)


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
