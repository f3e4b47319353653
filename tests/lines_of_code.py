#!/usr/bin/env python3
"""Counts the lines of code of each room: no blank lines and no comments, in the normal form that the test `format` checks.

usage: lines_of_code.py ROOT [--table]

Files count once git tracks them. Where there is no git, or ROOT is no clone, nothing is counted, and the exit status is 0.
Exit 1 if a group has more lines than its budget below. A change that raises a budget says why in its commit.
--table: prints all rooms. A room is a folder at the top of the tree; files beside the folders are in the room '.'.
"""
import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

PRODUCT = {"lockstep", "campaign", "programs", "tools", "page"}
BUDGETS = {"product": 29_326, "tests": 23_693, "all": 87_372}
NOT_OURS = "page/d3/"
SLASHES = {".cpp", ".hpp", ".h", ".c", ".rs", ".java", ".js", ".css"}
HASHES = {".cmake", ".sh"}  # and scripts without an ending


def lines_of_python(text: str) -> int:
    """Docstrings are comments."""
    comments = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            comments.update(range(body[0].lineno, body[0].end_lineno + 1))
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    return sum(1 for number, line in lines if line and line[0] != "#" and number not in comments)


def lines_after_slashes(text: str) -> int:
    count, inside = 0, False
    for line in map(str.strip, text.splitlines()):
        begins = inside or line.startswith("/*")
        inside = begins and "*/" not in line
        count += bool(line) and not begins and not line.startswith("//")
    return count


def lines_of(path: Path) -> int:
    if path.suffix in SLASHES:
        return lines_after_slashes(path.read_text())
    if path.suffix == ".py":
        return lines_of_python(path.read_text())
    text = path.read_text(errors="replace")
    if path.suffix == ".html":
        return sum(1 for line in text.splitlines() if line.strip())
    if path.suffix in HASHES or path.name == "CMakeLists.txt" or text.startswith("#!"):
        return sum(1 for line in map(str.strip, text.splitlines()) if line and line[0] != "#")
    return 0


def tracked(root: Path) -> list[str] | None:
    """The names of the files that git tracks; None where there is no git, or no clone."""
    try:
        listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        return None
    return [name for name in listed.stdout.split("\0") if name]


def main() -> int:
    root = Path(sys.argv[1])
    names = tracked(root)
    if names is None:
        print("lines of code ... skipped 'no git repository'")
        return 0
    rooms = Counter()
    for name in names:
        if (root / name).is_file() and not name.startswith(NOT_OURS):
            rooms[name.split("/")[0] if "/" in name else "."] += lines_of(root / name)
    groups = {"product": sum(rooms[room] for room in PRODUCT), "tests": rooms["tests"], "all": rooms.total()}
    if sys.argv[2:] == ["--table"]:
        for room, count in (+rooms).most_common():
            print(f"{room:12} {count:7,}")
    for group, count in groups.items():
        print(f"{group:12} {count:7,} of {BUDGETS[group]:,}")
    over = [group for group, count in groups.items() if count > BUDGETS[group]]
    if over:
        print(f"more lines of code than the budget: {', '.join(over)}. Remove some, or raise BUDGETS and say why in the commit")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
