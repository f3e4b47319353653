#!/usr/bin/env python3
"""Plants all changes at once into a copy of a C++ source: each is compiled in and switched on at run time.

usage: plant.py --program FILE --out FOLDER [--compiler CLANG]

Reads the syntax tree of a user's program of one C++ file as CLANG prints it. Writes a copy of it, with every change of the
tables below planted through planter/switch.hpp, and compiles it: FOLDER/planted. The environment variable LOCKSTEP_MUTANT
selects the change. Writes FOLDER/mutants.json: the changes by number, with their lines. Left out are those in constant
expressions (array bounds, constants of a class) and in functions that are never called. A place whose planted text does not
compile keeps its own.
"""
import argparse
import bisect
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

INCLUDE = Path(__file__).resolve().parent.parent  # of planter/switch.hpp

# Operators and their replacements. {a} and {b} are the operands' texts.
BINARY = {
    "+": ["{a} - {b}"], "-": ["{a} + {b}"],
    "*": ["{a} + {b}", "{a}"], "/": ["{a} * {b}", "{a}"], "%": ["{a} / {b}", "{a}"],
    "&": ["{a} | {b}", "{a}", "{b}"], "|": ["{a} & {b}", "{a}", "{b}"], "^": ["{a} | {b}", "{a} & {b}", "{a}", "{b}"],
    "<<": ["{a} >> {b}", "{a}"], ">>": ["{a} << {b}", "{a}"],
    "==": ["{a} != {b}"], "!=": ["{a} == {b}"],
    "<": ["{a} <= {b}", "{a} >= {b}"], "<=": ["{a} < {b}", "{a} > {b}"],
    ">": ["{a} >= {b}", "{a} <= {b}"], ">=": ["{a} > {b}", "{a} < {b}"],
    "&&": ["{a}", "{b}", "{a} || {b}"], "||": ["{a}", "{b}", "{a} && {b}"],
}
ASSIGNED = {"+=": ["-="], "-=": ["+="], "*=": ["+="], "/=": ["*="], "%=": ["/="], "&=": ["|=", "="], "|=": ["&=", "="],
            "^=": ["|=", "&=", "="], "<<=": [">>="], ">>=": ["<<="]}
INTEGER = re.compile(r"^(const )?(unsigned |signed )?(char|short|int|long|long long|bool|unsigned)( (unsigned )?int)?$")
WRAPPERS = {"ImplicitCastExpr", "ExprWithCleanups", "MaterializeTemporaryExpr", "CXXBindTemporaryExpr", "ParenExpr",
            "ConstantExpr"}
CALLS = {"CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr"}
NO_CODE = {"StaticAssertDecl", "CXXDefaultArgExpr", "CXXDefaultInitExpr", "BindingDecl", "ParmVarDecl", "TypeAliasDecl",
           "UsingDecl", "FriendDecl"}
MUTANTS = "::lockstep::mutants::"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class CannotPlant(Exception):
    pass


def fail(text: str):
    raise CannotPlant(text)


def beginning(messages: str) -> str:
    """The first error of a compiler, without most of its notes."""
    return messages if len(messages) < 1500 else messages[:1500] + "…\n"


def one_line(text: str) -> str:
    """A source's text in the form of the lists."""
    return re.sub(r"([([{]) | (?=[)\]])", r"\1", " ".join(COMMENT.sub(" ", text).split()))


# The syntax tree ---------------------------------------------------------------------------------

def compiled(command: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)


def syntax_trees(compiler: list[str], unit: Path, *options: str) -> list[dict]:
    """What the unit declares. Adds the file to every location."""
    result = compiled([*compiler, "-ferror-limit=1", "-fsyntax-only", "-Xclang", "-ast-dump=json", *options, str(unit)])
    if result.returncode != 0:
        fail(f"{unit} does not compile:\n{beginning(result.stderr)}")
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


def is_constant(node: dict) -> bool:
    """Whether a compiler computes the expression: it calls nothing and reads no variable."""
    if node["kind"] in CALLS | {"CXXConstructExpr", "CXXTemporaryObjectExpr", "CXXNewExpr", "LambdaExpr", "CXXThisExpr"}:
        return False
    if node["kind"] == "DeclRefExpr" and node.get("referencedDecl", {}).get("kind") != "EnumConstantDecl":
        return node.get("nonOdrUseReason") == "constant"
    return all(map(is_constant, children(node)))


# The changes ---------------------------------------------------------------------------------------

class Site:
    """A range of a source; its rendering has changes switched into it."""

    def __init__(self, begin: int, end: int, changes: list[str], render):
        self.begin, self.end = begin, end
        self.changes = changes  # the description of each
        self.render = render    # (first number, text of a range) -> text
        self.left_out = False   # it does not compile
        self.number = 0


class Source:
    """One file and the sites that a walk over its syntax tree finds in it."""

    def __init__(self, root: Path, name: str):
        self.path = (root / name).resolve()
        self.name = name
        self.bytes = self.path.read_bytes()
        self.sites: dict[tuple, Site] = {}

    def text(self, begin: int, end: int) -> str:
        return self.bytes[begin:end].decode("utf-8", "surrogateescape")

    def short(self, begin: int, end: int) -> str:
        return one_line(self.text(begin, end))

    def line(self, offset: int) -> int:
        return self.bytes.count(b"\n", 0, offset) + 1



class Planter:
    """Walks a syntax tree and collects sites in the sources that it comes from."""

    marks_pointers = True  # clang may compute what it takes for a constant, and check it

    def __init__(self, sources: list[Source]):
        self.switch = "is_on"
        self.sources = {str(source.path): source for source in sources}
        self.locals: set[str] = set()  # ids of declarations inside a function
        self.path: list[dict] = []  # the nodes from the root to the visited one

    # Position of a node
    def range_of(self, node: dict):
        begin, end = node.get("range", {}).get("begin", {}), node.get("range", {}).get("end", {})
        source = self.sources.get(str(Path(begin["file"]).resolve())) if "file" in begin else None
        if source is None or "offset" not in end or begin["file"] != end.get("file"):
            return None  # in a macro, or of another file
        return source, begin["offset"], end["offset"] + end["tokLen"]

    def text_of(self, node: dict) -> str:
        """As the source has it; empty if it is in a macro, or of another file."""
        found = self.range_of(node)
        return found[0].text(*found[1:]) if found else ""

    def site(self, node: dict, kind: str, changes: list[str], render, constant: bool) -> Site | None:
        """The site, if it is a new one. In a constant expression there is none: its changes cannot be switched."""
        found = self.range_of(node)
        if constant or found is None:
            return None
        source, begin, end = found
        if (kind, begin, end) in source.sites:
            return None
        return source.sites.setdefault((kind, begin, end), Site(begin, end, changes, render))

    # The walk
    def walk(self, node: dict, constant: bool = False) -> None:
        kind = node["kind"]
        if kind in NO_CODE or node.get("isImplicit") or node.get("explicitlyDefaulted"):
            return
        if kind in {"ConstantExpr", "EnumConstantDecl", "TemplateArgument"}:
            constant = True
        self.path.append(node)
        handler = getattr(self, "visit_" + kind, None)  # returns whether it walks the children itself
        if handler is None or not handler(node, constant):
            for child in children(node):
                self.walk(child, constant)
        self.path.pop()

    def visit_DeclStmt(self, node: dict, constant: bool) -> None:
        self.locals.update(child["id"] for child in children(node))

    def visit_VarDecl(self, node: dict, constant: bool) -> bool:
        """A constant stays one: it may be the size of an array, and is changed where it is used. Arrays are tables."""
        inits, found = children(node), self.range_of(node)
        kind = node["type"]["qualType"]
        is_static = node["id"] not in self.locals or node.get("storageClass") == "static"
        if node.get("constexpr") and kind.endswith("]") and found and found[0].text(*found[1:]).startswith("constexpr "):
            self.replace(found[0], found[1], found[1] + len("constexpr"), "const")
        else:
            scalar = kind.startswith("const ") and kind[-1] not in "]*&"
            constant |= node.get("constexpr", False) or scalar and all(map(is_constant, inits))
        before, self.switch = self.switch, "is_on_at_start" if is_static else self.switch
        for child in inits:
            self.walk(child, constant)
        self.switch = before
        return True

    def replace(self, source: Source, begin: int, end: int, text: str) -> None:
        source.sites.setdefault(("replace", begin, end), Site(begin, end, [], lambda first, inner: text))

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

    def visit_LambdaExpr(self, node: dict, constant: bool) -> bool:
        before, self.switch = self.switch, "is_on"
        for child in children(node):
            if child["kind"] == "CompoundStmt":
                self.walk(child, constant)
            elif child["kind"] == "CXXRecordDecl":  # the instances of a generic lambda, which have types
                for member in children(child):
                    if member["kind"] == "FunctionTemplateDecl":
                        for instance in children(member)[1:]:
                            self.walk(instance, constant)
        self.switch = before
        return True

    # Statements
    def visit_CompoundStmt(self, node: dict, constant: bool) -> None:
        for child in children(node):
            self.statement(child, constant)

    def visit_CaseStmt(self, node: dict, constant: bool) -> None:
        self.statement(children(node)[-1], constant)

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
        if site := self.site(node, "statement", [f"delete `{source.short(begin, end)};`"],
                             lambda first, text: f"{{ if (!{MUTANTS}is_on({first})) {text(begin, end)}; }}", constant):
            site.end = semicolon + 1

    def choose(self, node: dict, kind: str, named: str, alternatives: list[tuple[str, str]], constant: bool,
               converted: str = "") -> None:
        """The site of an expression: rendered as one of the alternatives, or its own text, converted to this type. `named`:
        the expression for a reader; an alternative likewise, and as it is compiled."""
        switch, (_, begin, end) = self.switch, self.range_of(node)

        def render(first, text):
            arms = "".join(f"{MUTANTS}{switch}({first + k}) ? ({each}) : " for k, (_, each) in enumerate(alternatives))
            return f"({arms}{f'static_cast<{converted}>' if converted else ''}({text(begin, end)}))"
        self.site(node, kind, [f"`{named}` -> `{other}`" for other, _ in alternatives], render, constant)

    def condition(self, node: dict, constant: bool, loop: bool) -> None:
        """The condition is evaluated, and then what it says is replaced."""
        text = self.text_of(node)
        shown = one_line(text)
        if shown in {"", "true", "false"}:
            return
        alternatives = [(value, f"static_cast<void>({text}), {value}") for value in ("true", "false")
                        if value == "false" or not loop]
        self.choose(node, "condition", shown, alternatives, constant, "bool")

    def visit_IfStmt(self, node: dict, constant: bool) -> bool:
        inner = children(node)
        branches = 2 if node.get("hasElse") else 1
        at = len(inner) - branches - 1
        if node.get("isConstexpr"):
            self.walk(inner[at], True)
            taken = inner[at].get("value") != "false"
            for branch, is_compiled in zip(inner[at + 1:], (taken, not taken)):
                self.walk(branch, constant or not is_compiled)
            return True
        if not node.get("isConsteval") and not node.get("hasVar"):
            self.condition(inner[at], constant, loop=False)
        for branch in inner[at + 1:]:
            self.statement(branch, constant)
        return False

    def visit_WhileStmt(self, node: dict, constant: bool) -> None:
        if not node.get("hasVar"):
            self.condition(children(node)[0], constant, loop=True)
        self.statement(children(node)[-1], constant)

    def visit_DoStmt(self, node: dict, constant: bool) -> None:
        body, condition = children(node)
        self.condition(condition, constant, loop=True)
        self.statement(body, constant)

    def visit_ForStmt(self, node: dict, constant: bool) -> None:
        # Absent parts are empty nodes.
        _, variable, condition, _, body = node["inner"]
        if condition.get("kind") and not variable.get("kind"):
            self.condition(condition, constant, loop=True)
        self.statement(body, constant)

    # Expressions
    def visit_ConditionalOperator(self, node: dict, constant: bool) -> None:
        self.condition(children(node)[0], constant, loop=False)

    def visit_BinaryOperator(self, node: dict, constant: bool) -> None:
        self.binary(node, node["opcode"], children(node), constant)

    def visit_CXXOperatorCallExpr(self, node: dict, constant: bool) -> None:
        # == and != of classes: the first child is the function's name.
        inner = children(node)
        name = unwrapped(inner[0]).get("referencedDecl", {}).get("name", "")
        if name in {"operator==", "operator!="} and len(inner) == 3:
            self.binary(node, name.removeprefix("operator"), inner[1:], constant)

    def visit_CallExpr(self, node: dict, constant: bool) -> None:
        inner = children(node)
        name = unwrapped(inner[0]).get("referencedDecl", {}).get("name", "")
        if name in {"min", "max"}:
            self.smaller_or_larger(node, inner[0], name, constant)

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
        found, places = self.range_of(node), [self.range_of(side) for side in sides]
        if found is None or None in places or "<dependent" in type_of(node) or operator not in BINARY:
            return
        source, begin, end = found
        (_, left_begin, left_end), (_, right_begin, right_end) = places
        if source.short(left_end, right_begin) != (written or operator):
            return  # the source is written differently from how the compiler reads it
        if operator == "-" and all(type_of(side).endswith("*") for side in sides):
            return
        shown = {"a": source.short(left_begin, left_end), "b": source.short(right_begin, right_end)}
        texts = {"a": f"({source.text(left_begin, left_end)})", "b": f"({source.text(right_begin, right_end)})"}
        whole = source.short(begin, end) if written else f"{shown['a']} {operator} {shown['b']}"
        alone = {name: self.alone(node, side, texts[name], operator) for name, side in zip("ab", sides)}
        mark = f"{MUTANTS}reached = true, " if self.marks_pointers and type_of(node).endswith("*") else ""
        alternatives = [(form.format(**shown), mark + form.format(**(alone if form in {"{a}", "{b}"} else texts)))
                        for form in BINARY[operator]]
        self.choose(node, "binary", whole, alternatives, constant)

    def alone(self, node: dict, side: dict, text: str, operator: str) -> str:
        """An operand that replaces the whole has its type."""
        return f"static_cast<bool>{text}" if operator in {"&&", "||"} else text

    def visit_CompoundAssignOperator(self, node: dict, constant: bool) -> bool:
        target, value = map(self.text_of, children(node))
        operator = node["opcode"]
        if not self.text_of(node) or not target or not value or operator not in ASSIGNED:
            return False
        shown = [one_line(target), one_line(value)]
        self.choose(node, "assign", f"{shown[0]} {operator} {shown[1]}",
                    [(other, f"{target} {other} {value}") for other in ASSIGNED[operator]], constant)
        return False

    def visit_UnaryOperator(self, node: dict, constant: bool) -> bool:
        text, operator = self.text_of(children(node)[0]), node["opcode"]
        if not self.text_of(node) or not text or "<dependent" in type_of(node):
            return False
        shown = one_line(text)
        if operator in {"-", "~", "!"}:
            value = f"static_cast<bool>({text})" if operator == "!" else text
            self.choose(node, "unary", operator + shown, [(shown, value)], constant)
        elif operator in {"++", "--"}:
            other = "--" if operator == "++" else "++"
            form = "{a}{o}" if node.get("isPostfix") else "{o}{a}"
            self.choose(node, "step", form.format(a=shown, o=operator),
                        [(form.format(a=shown, o=other), form.format(a=text, o=other))], constant)
        return False

    def visit_IntegerLiteral(self, node: dict, constant: bool) -> bool:
        text = self.text_of(node)
        if not text[:1].isdigit() or self.path[-2].get("castKind") == "NullToPointer":
            return True
        zero = [("0", "0")] if int(node["value"]) not in {0, 1} else []
        self.choose(node, "constant", text, [*self.next_to(text), *zero], constant)
        return True

    @staticmethod
    def next_to(constant: str) -> list[tuple[str, str]]:
        return [(f"{constant} + 1", f"{MUTANTS}next({constant})"), (f"{constant} - 1", f"{MUTANTS}previous({constant})")]

    def visit_CXXBoolLiteralExpr(self, node: dict, constant: bool) -> bool:
        text = self.text_of(node)
        if text in {"true", "false"}:
            other = "false" if text == "true" else "true"
            self.choose(node, "constant", text, [(other, other)], constant)
        return True

    def visit_DeclRefExpr(self, node: dict, constant: bool) -> bool:
        named = node.get("referencedDecl", {})
        enumerator = named.get("kind") == "EnumConstantDecl"
        if not enumerator and (node.get("nonOdrUseReason") != "constant" or not is_integer(node)):
            return False
        text = self.text_of(node)
        if not re.fullmatch(r"[\w:]+", text):
            return True
        alternatives = [(f"!{text}", f"!{text}")] if type_of(node).endswith("bool") else self.next_to(text)
        self.choose(node, "constant", text, alternatives, constant)
        return True

    def smaller_or_larger(self, node: dict, named: dict, name: str, constant: bool) -> None:
        found, callee, written = self.range_of(node), self.range_of(named), self.text_of(named)
        if found is None or written not in {name, f"std::{name}"}:
            return
        other = written.replace(name, "max" if name == "min" else "min")
        self.choose(node, "call", written, [(other, other + found[0].text(callee[2], found[2]))], constant)


# Writing -------------------------------------------------------------------------------------------

def pieces(source: Source) -> list[tuple[str, Site | None]]:
    """The source with all its sites rendered, inner ones inside outer ones: texts, each with the innermost site that it
    belongs to."""
    order = {"statement": 0, "condition": 1, "number": 1}  # a number is one of lab/plant_sources.py
    sites = sorted(source.sites.items(),
                   key=lambda item: (item[1].begin, -item[1].end, order.get(item[0][0], 2)))
    sites = [site for _, site in sites if not site.left_out]
    # While texts are put together, a site's is between its number in the list and an end.
    numbers = {id(site): number for number, site in enumerate(sites)}

    def text(begin: int, end: int, among: list[Site]) -> str:
        out, at = [], begin
        inside = [site for site in among if begin <= site.begin and site.end <= end]
        while inside:
            site, inside = inside[0], inside[1:]
            within = [other for other in inside if other.end <= site.end]
            inside = [other for other in inside if other.begin >= site.end]
            out.append(source.text(at, site.begin))
            rendered = site.render(site.number, lambda b, e, within=within: text(b, e, within))
            out.append(f"\0{numbers[id(site)]}\0{rendered}\0\0")
            at = site.end
        out.append(source.text(at, end))
        return "".join(out)

    parts = text(0, len(source.bytes), sites).split("\0")
    out, around = [], [None]
    for at, part in enumerate(parts):
        if at % 2 == 0:
            out.append((part, around[-1]))
        elif part:
            around.append(sites[int(part)])
        else:
            around.pop()
    return out


def written(source: Source) -> str:
    return "".join(text for text, _ in pieces(source))


def numbered(sources: list[Source], first: int = 1) -> list[dict]:
    """Numbers the changes, in the order of files and lines."""
    all_changes = []
    for source in sources:
        for site in sorted((site for site in source.sites.values() if site.changes),
                           key=lambda s: (s.begin, s.end)):
            site.number = len(all_changes) + first
            all_changes += [{"number": number, "line": source.line(site.begin), "change": change, "site": site}
                            for number, change in enumerate(site.changes, site.number)]
    return all_changes


START = """#include "planter/switch.hpp"
#include <cstdlib>
static const int lockstep_start = [] {  // the change that the environment selects
  const char* const number = std::getenv("LOCKSTEP_MUTANT");
  return ::lockstep::mutants::active = number != nullptr ? std::atoi(number) : 0;
}();
"""


def plant_program(program: Path, out: Path, compiler: str) -> None:
    """Its headers are compiled beforehand: clang prints what the program declares itself, and little of theirs."""
    if not program.is_file():
        fail(f"{program}: there is no such file")
    source = Source(program.parent, program.name)
    out.mkdir(parents=True, exist_ok=True)
    start, headers, planted = out / "start.hpp", out / "headers.hpp", out / ("planted_" + program.name)
    start.write_text(START, encoding="utf-8")
    names = re.findall(rb"^[ \t]*#[ \t]*include[ \t]*(<[^>\n]*>)", source.bytes, re.MULTILINE)
    headers.write_bytes(b"".join(b"#if __has_include(%s)\n#include %s\n#endif\n" % (name, name) for name in names))
    # What leaves an array or a container ends the program, instead of having an effect now and then.
    command = [compiler, "-std=gnu++20", "-w", "-Wno-c++11-narrowing", "-Wno-register", "-D_GLIBCXX_ASSERTIONS",
               f"-I{INCLUDE}", f"-I{source.path.parent}"]
    with_headers = [*command, "-include-pch", f"{headers}.pch", "-x", "c++"]
    result = compiled([*command, "-x", "c++-header", "-o", f"{headers}.pch", str(headers)])
    if result.returncode != 0:
        fail(f"the headers of {program} do not compile:\n{beginning(result.stderr)}")
    build = ["-x", "c++", "-O1", "-fsanitize=bounds", "-fsanitize-trap=bounds", "-o", str(out / "planted")]
    changes = plant_alone(Planter([source]), source, syntax_trees(with_headers, source.path), planted,
                          [[*stage, "-include", str(start)] for stage in ([*with_headers, "-fsyntax-only"], [*command, *build])])
    if not changes:
        fail(f"{program}: nothing to change")
    listed = [{name: change[name] for name in ("number", "line", "change")} for change in changes]
    (out / "mutants.json").write_text(json.dumps({"changes": listed}, ensure_ascii=False), encoding="utf-8", errors="replace")


def plant_alone(planter: Planter, source: Source, trees: list[dict], planted: Path, stages: list[list[str]],
                first: int = 1) -> list[dict]:
    """Plants into a source that is compiled alone, by each of the commands."""
    for tree in trees:
        planter.walk(tree)
    changes = numbered([source], first)
    for stage in stages:
        while True:
            planted.write_text(written(source), encoding="utf-8", errors="surrogateescape")
            result = compiled([*stage, "-ferror-limit=0", "-fno-caret-diagnostics", str(planted)])
            if result.returncode == 0:
                break
            if not leave_out(source, planted, result.stderr):
                fail(f"the planted copy of {source.name} does not compile:\n{beginning(result.stderr)}")
    return [change for change in changes if not change["site"].left_out]


def leave_out(source: Source, planted: Path, messages: str) -> bool:
    """Leaves out the places that do not compile: of each error, the innermost one that it or a note of it lies in. If there
    is none, all in initialisers of static variables: one of them may have been a constant."""
    lines = [0]
    for line in planted.read_bytes().split(b"\n"):
        lines.append(lines[-1] + len(line) + 1)
    ends, sites, at = [], [], 0
    for text, site in pieces(source):
        at += len(text.encode("utf-8", "surrogateescape"))
        ends.append(at)
        sites.append(site)
    wrong, is_placed = [], True
    for line, column, kind in re.findall(rf"^{re.escape(str(planted))}:(\d+):(\d+): (?:fatal )?(error|note): ", messages,
                                         re.MULTILINE):
        is_placed &= kind == "note"
        site = sites[min(bisect.bisect_right(ends, lines[int(line) - 1] + int(column) - 1), len(sites) - 1)]
        if not is_placed and site is not None:
            wrong.append(site)
            is_placed = True
    if not wrong:
        wrong = [site for site in source.sites.values() if "is_on_at_start" in site.render(0, source.text) or not site.changes]
    fresh = [site for site in wrong if not site.left_out]
    for site in fresh:
        site.left_out = True
    return bool(fresh)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--compiler", help="clang++; default: clang++-19, or another that is installed")
    asked = parser.parse_args()
    names = [*(f"clang++-{version}" for version in (19, 20, 21, 18, 17)), "clang++"]
    compiler = asked.compiler or next(filter(None, map(shutil.which, names)), None)
    if compiler is None:
        fail("clang++ 17 or later reads the program, and is not installed (Debian: clang-19)")
    plant_program(asked.program, asked.out, compiler)


if __name__ == "__main__":
    try:
        main()
    except CannotPlant as fault:
        print(f"plant.py: {fault}", file=sys.stderr)
        sys.exit(2)
