#!/usr/bin/env python3
"""Plants all changes at once into copies of C++ sources: each is compiled in and switched on at run time.

usage: plant.py --root ROOT --out FOLDER [--compiler CLANG] --unit FILE… -- SOURCE…
       plant.py --program FILE --out FOLDER [--compiler CLANG]

Reads the syntax tree of each UNIT (a C++ source, from the root) as CLANG prints it. Writes a copy of each SOURCE (a
path from the root) to FOLDER/SOURCE, with every change of the tables below planted through planter/switch.hpp. Writes
FOLDER/mutants.json: the changes by number, with their lines, and the number of skipped ones, which are in constant
expressions (array bounds, constants of a class) or in functions that are never called.

With --program, plants into a user's program of one C++ file, and compiles it: FOLDER/planted. The environment variable
LOCKSTEP_MUTANT selects the change.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from keys import one_line, tokens

INCLUDE = Path(__file__).resolve().parent.parent  # of planter/switch.hpp

# A binary operator: its functor in switch.hpp and its replacements, each with its spelling.
BINARY = {
    "+": ("add", [("subtract", "{a} - {b}")]),
    "-": ("subtract", [("add", "{a} + {b}")]),
    "*": ("multiply", [("add", "{a} + {b}"), ("left", "{a}")]),
    "/": ("divide", [("multiply", "{a} * {b}"), ("left", "{a}")]),
    "%": ("remainder", [("divide", "{a} / {b}"), ("left", "{a}")]),
    "&": ("bit_and", [("bit_or", "{a} | {b}"), ("left", "{a}"), ("right", "{b}")]),
    "|": ("bit_or", [("bit_and", "{a} & {b}"), ("left", "{a}"), ("right", "{b}")]),
    "^": ("bit_xor", [("bit_or", "{a} | {b}"), ("bit_and", "{a} & {b}"), ("left", "{a}"), ("right", "{b}")]),
    "<<": ("shift_left", [("shift_right", "{a} >> {b}"), ("left", "{a}")]),
    ">>": ("shift_right", [("shift_left", "{a} << {b}"), ("left", "{a}")]),
    "==": ("equal", [("differ", "{a} != {b}")]),
    "!=": ("differ", [("equal", "{a} == {b}")]),
    "<": ("less", [("at_most", "{a} <= {b}"), ("at_least", "{a} >= {b}")]),
    "<=": ("at_most", [("less", "{a} < {b}"), ("greater", "{a} > {b}")]),
    ">": ("greater", [("at_least", "{a} >= {b}"), ("at_most", "{a} <= {b}")]),
    ">=": ("at_least", [("greater", "{a} > {b}"), ("less", "{a} < {b}")]),
    "~&": ("bit_clear", [("bit_and", "{a} & {b}"), ("right", "{b}")]),
}
# Intrinsics on registers, and the equivalent operators on compiler vectors.
INTRINSICS = {"_mm512_and_si512": "&", "_mm512_or_si512": "|", "_mm512_xor_si512": "^", "_mm512_andnot_si512": "~&",
              "_mm512_add_epi64": "+", "_mm512_sub_epi64": "-"}
ASSIGNED = {
    "+=": ("add", [("subtract", "-=")]),
    "-=": ("subtract", [("add", "+=")]),
    "*=": ("multiply", [("add", "+=")]),
    "/=": ("divide", [("multiply", "*=")]),
    "%=": ("remainder", [("divide", "/=")]),
    "&=": ("bit_and", [("bit_or", "|="), ("right", "=")]),
    "|=": ("bit_or", [("bit_and", "&="), ("right", "=")]),
    "^=": ("bit_xor", [("bit_or", "|="), ("bit_and", "&="), ("right", "=")]),
    "<<=": ("shift_left", [("shift_right", ">>=")]),
    ">>=": ("shift_right", [("shift_left", "<<=")]),
}
UNARY = {"-": ("negate", [("same", "{a}")]), "~": ("complement", [("same", "{a}")])}
ON_POINTERS = {"+": ["subtract"], "-": ["add"], "+=": ["subtract"], "-=": ["add"]}
LOGICAL = {"&&": ("conjunction", ["{a}", "{b}", "{a} || {b}"]), "||": ("disjunction", ["{a}", "{b}", "{a} && {b}"])}

INTEGER = re.compile(r"^(const )?(unsigned |signed )?(char|short|int|long|long long|bool|unsigned)( (unsigned )?int)?$")
WRAPPERS = {"ImplicitCastExpr", "ExprWithCleanups", "MaterializeTemporaryExpr", "CXXBindTemporaryExpr", "ParenExpr",
            "ConstantExpr"}
CALLS = {"CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr"}
NO_CODE = {"StaticAssertDecl", "CXXDefaultArgExpr", "CXXDefaultInitExpr", "BindingDecl", "ParmVarDecl", "TypeAliasDecl",
           "UsingDecl", "FriendDecl"}
RECORDS = {"CXXRecordDecl", "ClassTemplateSpecializationDecl", "ClassTemplatePartialSpecializationDecl"}
FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl"}
WITHIN_MAX = 90  # characters, without spaces: a longer expression does not help a reader find the change
MUTANTS = "::lockstep::mutants::"
PROGRAM = "lockstep_program"  # the namespace in which a user's program is read


def fail(text: str):
    print(f"plant.py: {text}", file=sys.stderr)
    sys.exit(2)


def beginning(messages: str) -> str:
    """The first error of a compiler, without most of its notes."""
    return messages if len(messages) < 1500 else messages[:1500] + "…\n"


# The syntax tree ---------------------------------------------------------------------------------

def syntax_trees(compiler: str, folders: list[Path], unit: Path, namespace: str = "lockstep::optimized",
                 name: Path | None = None) -> list[dict]:
    """The declarations of the unit in the namespace. Adds the file to every location. `name`: the unit in messages."""
    command = [compiler, "-std=c++23", *(f"-I{folder}" for folder in folders), "-w", "-ferror-limit=1",
               "-fsyntax-only", "-x", "c++", "-Xclang", "-ast-dump=json", "-Xclang", f"-ast-dump-filter={namespace}", str(unit)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if result.returncode != 0:
        fail(f"{name or unit} does not compile:\n{beginning(result.stderr)}")
    trees, at, text = [], 0, result.stdout
    decoder = json.JSONDecoder()
    while at < len(text):
        if text[at] != "{":  # white space between trees
            at += 1
            continue
        tree, at = decoder.raw_decode(text, at)
        trees.append(tree)
    state = {"file": None}
    for tree in trees:
        name_files(tree, state)
    return trees


def name_files(node, state: dict) -> None:
    """Adds the file to each location: clang prints it only where it differs from the location printed before."""
    if isinstance(node, list):
        for item in node:
            name_files(item, state)
    elif isinstance(node, dict):
        if "offset" in node:
            state["file"] = node.get("file", state["file"])
            node["file"] = state["file"]
        for key, value in node.items():
            if key != "includedFrom" and isinstance(value, (dict, list)):
                name_files(value, state)


def children(node: dict) -> list[dict]:
    return [child for child in node.get("inner", []) if child.get("kind")]


def unwrapped(node: dict) -> dict:
    while node["kind"] in WRAPPERS and len(children(node)) == 1:
        node = children(node)[0]
    return node


def type_of(node: dict) -> str:
    kind = node.get("type", {})
    return kind.get("desugaredQualType", kind.get("qualType", ""))


def is_integer(node: dict) -> bool:
    return bool(INTEGER.match(type_of(node)))


def is_pointer(node: dict) -> bool:
    return bool(re.search(r"\*( ?const)?$", type_of(node)))  # the type of a vector contains a product


def registered(declaration: str) -> str | None:
    """The name of the simulator that this declaration registers, with or without a condition; None when it
    registers none."""
    found = re.search(r'\b(?:register_(?:implementation|batch)<[^>]*>\s*\(|registry<\w+>\s*\(\s*\)\.push_back\s*\(\s*\{)\s*"(\w+)"',
                      declaration)
    return found.group(1) if found else None


# The changes ---------------------------------------------------------------------------------------

class Site:
    """A range of a source; its rendering has changes switched into it."""

    def __init__(self, begin: int, end: int, changes: list[str], render, function: str = "", within: list[str] | None = None):
        self.begin, self.end = begin, end
        self.changes = changes  # the description of each
        self.function = function
        self.within = within or []  # the enclosing expressions, innermost first
        self.render = render    # (first number, text of a range) -> text
        self.number = 0


class Source:
    """One file and the sites that a walk over its syntax tree finds in it."""

    def __init__(self, root: Path, name: str):
        self.path = (root / name).resolve()
        self.name = name
        self.bytes = self.path.read_bytes()
        self.sites: dict[tuple, Site] = {}
        self.skips: dict[tuple, int] = {}  # by site: number of changes that cannot be switched at run time
        self.simulators: list[str] = []

    def text(self, begin: int, end: int) -> str:
        return self.bytes[begin:end].decode("utf-8", "surrogateescape")

    def is_template_argument(self, name: str) -> bool:
        """Whether the name is written in a template's arguments: the syntax tree of an instance has lost it there."""
        return bool(name and re.search(rb"\w<[^<>;(){}]*\b%s\b[^<>;(){}]*>" % re.escape(name.encode()), self.bytes))

    def skipped(self) -> int:
        return sum(count for key, count in self.skips.items() if key not in self.sites)

    def short(self, begin: int, end: int) -> str:
        return one_line(self.text(begin, end))

    def line(self, offset: int) -> int:
        return self.bytes.count(b"\n", 0, offset) + 1

    def line_text(self, line: int) -> str:
        return self.bytes.split(b"\n")[line - 1].decode("utf-8", "surrogateescape").strip()


class Planter:
    """Walks a syntax tree and collects sites in the sources that it comes from."""

    def __init__(self, sources: list[Source]):
        self.sources = {str(source.path): source for source in sources}
        self.places: dict[str, tuple] = {}  # by id: where the variable is declared; templates declare it several times
        self.locals: set[str] = set()  # ids of declarations inside a function
        self.constants_used: set[str] = set()  # ids of variables used in constant evaluation
        self.path: list[dict] = []  # the nodes from the root to the visited one
        self.records: dict[str, str] = {}  # names of classes by id

    # Position of a node
    def range_of(self, node: dict):
        begin, end = node.get("range", {}).get("begin", {}), node.get("range", {}).get("end", {})
        source = self.sources.get(str(Path(begin["file"]).resolve())) if "file" in begin else None
        if source is None or "offset" not in end or begin["file"] != end.get("file"):
            return None  # in a macro, or of another file
        return source, begin["offset"], end["offset"] + end["tokLen"]

    def function(self) -> str:
        """The function around the visited node, with its classes; for a member's initialiser, the member."""
        names, inside = [], False
        for above, node in zip([{"kind": ""}, *self.path], self.path):
            kind, name = node["kind"], node.get("name", "").partition("<")[0]
            if kind in FUNCTIONS and above["kind"] != "LambdaExpr":
                # A body outside its class refers to the class.
                names = [self.records[node["parentDeclContextId"]]] if node.get("parentDeclContextId") in self.records else names
                names, inside = [*names, name], True
            elif kind in RECORDS or kind == "NamespaceDecl" and name not in {"optimized", PROGRAM}:
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

    def site(self, node: dict, kind: str, changes: list[str], render, constant: bool) -> None:
        found = self.range_of(node)
        if found is None:
            return
        source, begin, end = found
        if constant:
            source.skips[kind, begin, end] = len(changes)
            return
        if (kind, begin, end) not in source.sites:
            source.sites[kind, begin, end] = Site(begin, end, changes, render, self.function(),
                                                  self.within(source, begin, end))

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

    # The walk
    def walk(self, node: dict, constant: bool = False) -> None:
        kind = node["kind"]
        if kind in NO_CODE or node.get("isImplicit") or node.get("explicitlyDefaulted"):
            return
        if kind in {"ConstantExpr", "EnumConstantDecl", "TemplateArgument"}:
            constant = True
        self.path.append(node)
        if kind in RECORDS:
            self.records[node["id"]] = self.function()
        handler = getattr(self, "visit_" + kind, None)
        if handler is None or not handler(node, constant):
            for child in children(node):
                self.walk(child, constant)
        self.path.pop()

    def visit_DeclStmt(self, node: dict, constant: bool) -> bool:
        self.locals.update(child["id"] for child in children(node))
        return False

    def visit_VarDecl(self, node: dict, constant: bool) -> bool:
        found = self.range_of(node)
        if found is None:
            return True
        source, begin, end = found
        declaration = source.text(begin, end)
        if name := registered(declaration):
            source.simulators.append(name)
            return True
        inits = children(node)
        needed = self.is_needed((source.name, begin, end)) or source.is_template_argument(node.get("name", ""))
        if not node.get("constexpr"):
            if inits and not needed and re.match(r"const (?!auto&|auto\b)[\w:]+ \w+ ?[={]", declaration):
                # The compiler computes a constant that is made of constants.
                self.replace(source, begin, begin + len("const"), "")
            return False
        if inits and not needed and declaration.startswith("static constexpr std::array"):
            constant |= not self.table(node, source, begin, end)
        elif inits and not needed and node["id"] not in self.locals and self.made_member(source, begin, end):
            return True
        elif inits and not needed and node["id"] in self.locals and declaration.startswith("static constexpr "):
            constant |= not self.local_table(source, begin, end)
        elif inits and not needed and declaration.startswith("constexpr "):
            self.replace(source, begin, begin + len("constexpr"), "")
        else:
            constant = True
        for child in inits:
            self.walk(child, constant)
        return True

    def replace(self, source: Source, begin: int, end: int, text: str) -> None:
        source.sites.setdefault(("replace", begin, end), Site(begin, end, [], lambda first, inner: text))

    def table(self, node: dict, source: Source, begin: int, end: int) -> bool:
        """Turns `static constexpr std::array<…> name = {…}` of a class into a table that can be recomputed."""
        head = re.match(r"static constexpr (std::array<.*>)\s+(\w+)\s*=\s*", source.text(begin, end))
        if head is None:
            return False
        open_at = begin + len(head.group(0).encode())
        kind = head.group(1)

        def render(first, inner):
            return (f"static inline {MUTANTS}Table<{kind}> {head.group(2)}"
                    f"{{+[]() -> {kind} {{ return {inner(open_at, end)}; }}}}")

        source.sites.setdefault(("table", begin, end), Site(begin, end, [], render))
        return True

    def made_member(self, source: Source, begin: int, end: int) -> bool:
        """The same for `static constexpr Type name{}` of a class, whose constructor computes the value."""
        head = re.fullmatch(r"static constexpr ([A-Z]\w*) (\w+)\{\}", source.text(begin, end))
        if head is None:
            return False
        kind, name = head.groups()
        self.replace(source, begin, end,
                     f"static inline {MUTANTS}Table<{kind}> {name}{{+[]() -> {kind} {{ return {kind}{{}}; }}}}")
        return True

    def local_table(self, source: Source, begin: int, end: int) -> bool:
        """Makes `static constexpr Type name = …` of a function computed at the function's first call."""
        head = re.match(r"static constexpr (\w+)\s+(\w+)\s*=\s*", source.text(begin, end))
        if head is None:
            return False
        open_at = begin + len(head.group(0).encode())

        def render(first, inner):
            return (f"static const {head.group(1)} {head.group(2)} = "
                    f"{MUTANTS}made([&]() -> {head.group(1)} {{ return {inner(open_at, end)}; }})")

        source.sites.setdefault(("table", begin, end), Site(begin, end, [], render))
        return True

    def visit_CXXForRangeStmt(self, node: dict, constant: bool) -> bool:
        inner = children(node)
        for declared in children(inner[0]) if inner[0]["kind"] == "DeclStmt" else []:
            for init in children(declared):
                self.walk(init, constant)
        self.statement(inner[-1], constant)
        self.walk(inner[-1], constant)
        return True

    def visit_FunctionDecl(self, node: dict, constant: bool) -> bool:
        # A function that this build never calls, written for another byte order or another processor, cannot be tested.
        called = node.get("isUsed") or "previousDecl" in node or node.get("name") == "main"
        for child in children(node):
            self.walk(child, constant or not called)
        return True

    visit_CXXMethodDecl = visit_FunctionDecl

    def visit_FunctionTemplateDecl(self, node: dict, constant: bool) -> bool:
        functions = [child for child in children(node) if child["kind"] in {"FunctionDecl", "CXXMethodDecl"}]
        for instance in functions[1:] or functions:  # the first is the pattern, without types
            self.walk(instance, constant)
        return True

    def visit_ShuffleVectorExpr(self, node: dict, constant: bool) -> bool:
        for at, child in enumerate(children(node)):
            self.walk(child, constant or at >= 2)  # the lane indices are part of the instruction
        return True

    def visit_LambdaExpr(self, node: dict, constant: bool) -> bool:
        for child in children(node):
            if child["kind"] == "CompoundStmt":
                self.walk(child, constant)
            elif child["kind"] == "CXXRecordDecl":  # the instances of a generic lambda, which have types
                for member in children(child):
                    if member["kind"] == "FunctionTemplateDecl":
                        for instance in children(member)[1:]:
                            self.walk(instance, constant)
        return True

    # Statements
    def visit_CompoundStmt(self, node: dict, constant: bool) -> bool:
        for child in children(node):
            self.statement(child, constant)
        return False

    def visit_CaseStmt(self, node: dict, constant: bool) -> bool:
        self.statement(children(node)[-1], constant)
        return False

    visit_DefaultStmt = visit_CaseStmt

    def statement(self, node: dict, constant: bool) -> None:
        inner = unwrapped(node)
        kind = inner["kind"]
        deletable = kind in CALLS | {"CompoundAssignOperator", "BreakStmt", "ContinueStmt"}
        deletable |= kind == "BinaryOperator" and inner["opcode"] == "="
        deletable |= kind == "UnaryOperator" and inner["opcode"] in {"++", "--"}
        deletable |= kind == "ReturnStmt" and not children(inner)
        found = self.range_of(node)
        if not deletable or found is None:
            return
        source, begin, end = found
        semicolon = source.bytes.find(b";", end)
        if source.bytes[end:semicolon].strip():
            return
        self.site(node, "statement", [f"delete `{source.short(begin, end)};`"],
                  lambda first, text: f"{{ if ({MUTANTS}runs<{first}>()) {text(begin, end)}; }}", constant)
        site = source.sites.get(("statement", begin, end))
        if site:
            site.end = semicolon + 1

    def condition(self, node: dict, constant: bool, loop: bool, converted: str = "bool") -> None:
        """`converted`: the type that the compiler makes of the condition; its text stands for {}."""
        found = self.range_of(node)
        if found is None:
            return
        source, begin, end = found
        shown = source.short(begin, end)
        values = ["false"] if loop else ["true", "false"]
        if shown in {"true", "false"}:
            return
        helper = "loops" if loop else "condition"
        converted = converted.format(source.text(begin, end))
        self.site(node, "condition", [f"`{shown}` -> `{value}`" for value in values],
                  lambda first, text: f"{MUTANTS}{helper}<{first}>(static_cast<{converted}>({text(begin, end)}))", constant)

    def visit_IfStmt(self, node: dict, constant: bool) -> bool:
        inner = children(node)
        branches = 2 if node.get("hasElse") else 1
        at = len(inner) - branches - 1
        if node.get("isConstexpr"):
            self.walk(inner[at], True)
        elif not node.get("isConsteval") and not node.get("hasVar"):
            self.condition(inner[at], constant, loop=False)
        if not node.get("isConstexpr"):
            for branch in inner[at + 1:]:
                self.statement(branch, constant)
        if node.get("isConstexpr"):
            taken = inner[at].get("value") != "false"
            for branch, is_compiled in zip(inner[at + 1:], (taken, not taken)):
                self.walk(branch, constant or not is_compiled)
        return bool(node.get("isConstexpr"))

    def visit_WhileStmt(self, node: dict, constant: bool) -> bool:
        if not node.get("hasVar"):
            self.condition(children(node)[0], constant, loop=True)
        self.statement(children(node)[-1], constant)
        return False

    def visit_DoStmt(self, node: dict, constant: bool) -> bool:
        body, condition = children(node)
        self.condition(condition, constant, loop=True)
        self.statement(body, constant)
        return False

    def visit_ForStmt(self, node: dict, constant: bool) -> bool:
        # Absent parts are empty nodes.
        _, variable, condition, _, body = node["inner"]
        if condition.get("kind") and not variable.get("kind"):
            self.condition(condition, constant, loop=True)
        self.statement(body, constant)
        return False

    # Expressions
    def visit_ConditionalOperator(self, node: dict, constant: bool) -> bool:
        # On vectors, it chooses each lane. In a template, only the compiler knows whether it is of vectors.
        self.condition(children(node)[0], constant, loop=False, converted=f"{MUTANTS}Condition<decltype(({{}}))>")
        return False

    def operands(self, nodes: list[dict]):
        ranges = [self.range_of(node) for node in nodes]
        return None if None in ranges else [found[1:] for found in ranges]

    def visit_BinaryOperator(self, node: dict, constant: bool) -> bool:
        self.binary(node, node["opcode"], children(node), constant)
        return False

    def visit_CXXOperatorCallExpr(self, node: dict, constant: bool) -> bool:
        # == and != of classes: the first child is the function's name.
        inner = children(node)
        name = unwrapped(inner[0]).get("referencedDecl", {}).get("name", "")
        if name in {"operator==", "operator!="} and len(inner) == 3:
            self.binary(node, name.removeprefix("operator"), inner[1:], constant)
        return False

    def visit_CallExpr(self, node: dict, constant: bool) -> bool:
        inner = children(node)
        name = unwrapped(inner[0]).get("referencedDecl", {}).get("name", "")
        if name in INTRINSICS and len(inner) == 3:
            self.binary(node, INTRINSICS[name], inner[1:], constant, written=",")
        return False

    def visit_CXXRewrittenBinaryOperator(self, node: dict, constant: bool) -> bool:
        # `a != b` of a class that has only == appears as `!(a == b)`.
        call = unwrapped(children(node)[0])
        if call["kind"] == "UnaryOperator":
            call = unwrapped(children(call)[0])
        sides = children(call)[1:] if call["kind"] == "CXXOperatorCallExpr" else []
        if len(sides) == 2:
            self.binary(node, "!=", sides, constant)
        for side in sides:
            self.walk(side, constant)
        return True

    def binary(self, node: dict, operator: str, sides: list[dict], constant: bool, written: str = "") -> None:
        """`written`: the text between the sides, where that is not the operator."""
        found, places = self.range_of(node), self.operands(sides)
        if found is None or places is None or "<dependent" in type_of(node):
            return
        source = found[0]
        (left_begin, left_end), (right_begin, right_end) = places
        if source.short(left_end, right_begin) != (written or operator):
            return  # the source is written differently from how the compiler reads it
        shown = {"a": source.short(left_begin, left_end), "b": source.short(right_begin, right_end)}
        whole = source.short(*found[1:]) if written else f"{shown['a']} {operator} {shown['b']}"
        if operator in LOGICAL:
            helper, forms = LOGICAL[operator]

            def render(first, text):
                sides = (text(left_begin, left_end), text(right_begin, right_end))
                thunks = ", ".join(f"[&]() -> bool {{ return static_cast<bool>({side}); }}" for side in sides)
                return f"{MUTANTS}{helper}<{first}>({thunks})"
        elif operator in BINARY:
            helper, alternatives = BINARY[operator]
            if any(is_pointer(side) for side in sides):
                if operator == "-" and all(is_pointer(side) for side in sides):
                    return
                allowed = ON_POINTERS.get(operator)
                alternatives = [a for a in alternatives if allowed is None or a[0] in allowed]
            forms = [form for _, form in alternatives]
            functors = ", ".join(MUTANTS + name for name in [helper, *(name for name, _ in alternatives)])

            def render(first, text):
                return (f"{MUTANTS}binary<{first}, {functors}>({text(left_begin, left_end)}, "
                        f"{text(right_begin, right_end)})")
        else:
            return
        self.site(node, "binary", [f"`{whole}` -> `{form.format(**shown)}`" for form in forms], render, constant)

    def visit_CompoundAssignOperator(self, node: dict, constant: bool) -> bool:
        found, places = self.range_of(node), self.operands(children(node))
        operator = node["opcode"]
        if found is None or places is None or operator not in ASSIGNED:
            return False
        source = found[0]
        (left_begin, left_end), (right_begin, right_end) = places
        helper, alternatives = ASSIGNED[operator]
        functors = ", ".join(MUTANTS + name for name in [helper, *(name for name, _ in alternatives)])
        shown = (source.short(left_begin, left_end), source.short(right_begin, right_end))
        self.site(node, "assign", [f"`{shown[0]} {operator} {shown[1]}` -> `{other}`" for _, other in alternatives],
                  lambda first, text: f"{MUTANTS}assign<{first}, {functors}>({text(left_begin, left_end)}, "
                                      f"{text(right_begin, right_end)})", constant)
        return False

    def visit_UnaryOperator(self, node: dict, constant: bool) -> bool:
        found, places = self.range_of(node), self.operands(children(node))
        operator = node["opcode"]
        if found is None or places is None or "<dependent" in type_of(node):
            return False
        source, ((begin, end),) = found[0], places
        shown = source.short(begin, end)
        if operator in UNARY:
            helper, alternatives = UNARY[operator]
            functors = ", ".join(MUTANTS + name for name in [helper, *(name for name, _ in alternatives)])
            self.site(node, "unary", [f"`{operator}{shown}` -> `{form.format(a=shown)}`" for _, form in alternatives],
                      lambda first, text: f"{MUTANTS}unary<{first}, {functors}>({text(begin, end)})", constant)
        elif operator == "!":
            self.site(node, "unary", [f"`!{shown}` -> `{shown}`"],
                      lambda first, text: f"{MUTANTS}negation<{first}>(static_cast<bool>({text(begin, end)}))", constant)
        elif operator in {"++", "--"}:
            helper = "step_after" if node.get("isPostfix") else "step"
            other = "--" if operator == "++" else "++"
            functors = "add, subtract" if operator == "++" else "subtract, add"
            functors = ", ".join(MUTANTS + name for name in functors.split(", "))
            forms = ("{a}{o}" if node.get("isPostfix") else "{o}{a}")
            self.site(node, "step", [f"`{forms.format(a=shown, o=operator)}` -> `{forms.format(a=shown, o=other)}`"],
                      lambda first, text: f"{MUTANTS}{helper}<{first}, {functors}>({text(begin, end)})", constant)
        return False

    def visit_IntegerLiteral(self, node: dict, constant: bool) -> bool:
        found = self.range_of(node)
        if found is None:
            return True
        source, begin, end = found
        text = source.text(begin, end)
        if not text[:1].isdigit():
            return True
        value = int(node["value"])
        changes = [f"`{text}` -> `{text} + 1`", f"`{text}` -> `{text} - 1`"]
        helper = "constant"
        if value not in {0, 1}:
            helper = "literal"
            changes.append(f"`{text}` -> `0`")
        self.site(node, "constant", changes, lambda first, inner: f"{MUTANTS}{helper}<{first}>({text})", constant)
        return True

    def visit_CXXBoolLiteralExpr(self, node: dict, constant: bool) -> bool:
        found = self.range_of(node)
        if found is None:
            return True
        source, begin, end = found
        text = source.text(begin, end)
        if text in {"true", "false"}:
            self.site(node, "constant", [f"`{text}` -> `{'false' if text == 'true' else 'true'}`"],
                      lambda first, inner: f"{MUTANTS}constant<{first}>({text})", constant)
        return True

    def visit_DeclRefExpr(self, node: dict, constant: bool) -> bool:
        named = node.get("referencedDecl", {})
        if named.get("kind") == "FunctionDecl" and named.get("name") in {"min", "max"}:
            self.smaller_or_larger(node, named["name"], constant)
            return True
        enumerator = named.get("kind") == "EnumConstantDecl"
        if not enumerator and (node.get("nonOdrUseReason") != "constant" or not is_integer(node)):
            return False
        found = self.range_of(node)
        if found is None:
            return True
        source, begin, end = found
        text = source.text(begin, end)
        if not re.fullmatch(r"[\w:]+", text):
            return True
        changes = [f"`{text}` -> `{text} + 1`", f"`{text}` -> `{text} - 1`"]
        if type_of(node).endswith("bool"):
            changes = [f"`{text}` -> `!{text}`"]
        self.site(node, "constant", changes, lambda first, inner: f"{MUTANTS}constant<{first}>({text})", constant)
        return True

    def smaller_or_larger(self, node: dict, name: str, constant: bool) -> None:
        found = self.range_of(node)
        if found is None or found[0].text(*found[1:]) != f"std::{name}":
            return
        if re.match(rb"\s*\(\s*\{", found[0].bytes[found[2]:]):
            return  # over a list
        other = "max" if name == "min" else "min"
        self.site(node, "call", [f"`std::{name}` -> `std::{other}`"],
                  lambda first, text: f"{MUTANTS}{name}<{first}>", constant)


# Writing -------------------------------------------------------------------------------------------

def written(source: Source, start: str = "") -> str:
    """The source with all its sites rendered, inner ones inside outer ones; `start` is added before it."""
    order = {"statement": 0, "condition": 1}
    sites = sorted(source.sites.items(),
                   key=lambda item: (item[1].begin, -item[1].end, order.get(item[0][0], 2)))
    sites = [site for _, site in sites]

    def text(begin: int, end: int, among: list[Site]) -> str:
        out, at = [], begin
        inside = [site for site in among if begin <= site.begin and site.end <= end]
        while inside:
            site, inside = inside[0], inside[1:]
            within = [other for other in inside if other.end <= site.end]
            inside = [other for other in inside if other.begin >= site.end]
            out.append(source.text(at, site.begin))
            out.append(site.render(site.number, lambda b, e, within=within: text(b, e, within)))
            at = site.end
        out.append(source.text(at, end))
        return "".join(out)

    body = text(0, len(source.bytes), sites)
    return f'// Written by planter/plant.py from {source.name}.\n#include "planter/switch.hpp"\n' + start + body


def numbered(sources: list[Source]) -> list[dict]:
    """Numbers the changes from 1, in the order of files and lines."""
    all_changes = []
    for source in sources:
        for site in sorted((site for site in source.sites.values() if site.changes),
                           key=lambda s: (s.begin, s.end)):
            site.number = len(all_changes) + 1
            line = source.line(site.begin)
            for change in site.changes:
                all_changes.append({"number": len(all_changes) + 1, "file": source.name, "line": line,
                                    "text": source.line_text(line), "function": site.function, "change": change,
                                    "within": site.within, "simulators": source.simulators})
    return all_changes


def choose_judges(sources: list[Source]) -> None:
    """A change is judged on the simulators of its file and of the files that include it; a .cpp file counts as
    its header."""
    own = {source.name: list(source.simulators) for source in sources}
    for source in sources:
        includers = [other for other in sources if f'#include "{source.name}"'.encode() in other.bytes]
        if source.name.endswith(".cpp"):
            includers += [other for other in sources if other.name == source.name.removesuffix(".cpp") + ".hpp"]
        judges = {name for other in [source, *includers] for name in own[other.name]}
        source.simulators = sorted(judges or {name for names in own.values() for name in names})


START = """// The change that the environment selects.
#include <cstdlib>
static const int lockstep_start = [] {
  const char* const number = std::getenv("LOCKSTEP_MUTANT");
  return ::lockstep::mutants::active = number != nullptr ? std::atoi(number) : 0;
}();
#line 1
"""


def plant_program(program: Path, out: Path, compiler: str) -> None:
    """Reads the program inside a namespace, so that clang can print its own declarations alone. The headers come first:
    their guards empty them inside the namespace."""
    if not program.is_file():
        fail(f"{program}: there is no such file")
    source = Source(program.parent, program.name)
    headers = re.findall(rb"^[ \t]*#[ \t]*include[ \t]*<[^>]*>", source.bytes, re.MULTILINE)
    out.mkdir(parents=True, exist_ok=True)
    unit = out / "unit.cpp"
    unit.write_bytes(b"\n".join([*headers, f'namespace {PROGRAM} {{\n#include "{source.path}"\n}}\n'.encode()]))
    planter = Planter([source])
    try:
        trees = syntax_trees(compiler, [source.path.parent], unit, PROGRAM, program)
    finally:
        unit.unlink()
    for tree in trees:
        planter.note_constants(tree, False)
    for tree in trees:
        planter.walk(tree)
    changes = numbered([source])
    if not changes:
        fail(f"{program}: nothing to change")
    planted = out / ("planted_" + program.name)
    planted.write_text(written(source, START), encoding="utf-8", errors="surrogateescape")
    # What leaves an array or a container ends the program, instead of having an effect now and then.
    checks = ["-D_GLIBCXX_ASSERTIONS", "-fsanitize=bounds", "-fsanitize-trap=bounds"]
    command = [compiler, "-std=c++23", "-O1", "-w", "-ferror-limit=1", *checks, f"-I{INCLUDE}",
               f"-I{source.path.parent}", "-x", "c++", "-o", str(out / "planted"), str(planted)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if result.returncode != 0:
        fail(f"the planted copy of {program} does not compile:\n{beginning(result.stderr)}")
    write_changes(out, changes, [source])


def write_changes(out: Path, changes: list[dict], sources: list[Source]) -> None:
    skipped = {source.name: source.skipped() for source in sources}
    text = json.dumps({"changes": changes, "skipped": skipped}, indent=1, ensure_ascii=False)
    (out / "mutants.json").write_text(text, encoding="utf-8", errors="replace")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--compiler", help="clang++; default: clang++-19, or another that is installed")
    parser.add_argument("--unit", action="append")
    parser.add_argument("sources", nargs="*")
    asked = parser.parse_args()
    if (asked.program is None) == (asked.root is None or not asked.unit or not asked.sources):
        parser.error("expected --program FILE, or --root, --unit and sources")
    names = [*(f"clang++-{version}" for version in (19, 20, 21, 18, 17)), "clang++"]
    compiler = asked.compiler or next(filter(None, map(shutil.which, names)), None)
    if compiler is None:
        fail("clang++ 17 or later reads the program, and is not installed (Debian: clang-19)")
    if asked.program is not None:
        plant_program(asked.program, asked.out, compiler)
        return
    sources = [Source(asked.root, name) for name in asked.sources]
    planter = Planter(sources)
    folders = [asked.root, INCLUDE]
    trees = [tree for unit in asked.unit for tree in syntax_trees(compiler, folders, asked.root / unit)]
    for tree in trees:
        planter.note_constants(tree, False)
    for tree in trees:
        planter.walk(tree)
    choose_judges(sources)
    changes = numbered(sources)
    for source in sources:
        target = asked.out / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(written(source), encoding="utf-8", errors="surrogateescape")
    write_changes(asked.out, changes, sources)


if __name__ == "__main__":
    main()
