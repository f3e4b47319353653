#!/usr/bin/env python3
"""Says what a run of ctest skipped and why: the last lines of ./dev test.

usage: ran.py PART RESULTS

RESULTS is what ctest --output-junit wrote. Exit status: 0, or 1 if no test ran.
"""
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

# How GoogleTest and unittest tell it.
REASON = re.compile(r": Skipped\n(.+)")
INSIDE = re.compile(r"^OK \(.*skipped=(\d+)", re.MULTILINE)


def skipped(results: Path) -> tuple[int, dict[str, list[str]]]:
    """How many tests ran, and the names of those that did not, by reason."""
    ran, out = 0, {}
    for case in ElementTree.parse(results).iter("testcase"):
        said = case.findtext("system-out") or ""
        if case.get("status") in ("run", "fail"):
            ran += 1
            if inside := INSIDE.search(said):
                out.setdefault("they say why: ctest -V -R '^NAME$'", []).append(f"{inside[1]} of {case.get('name')}")
        elif case.get("status") != "disabled":
            reason = REASON.search(said)
            out.setdefault(reason[1] if reason else "the machine lacks what they need", []).append(case.get("name"))
    return ran, out


def main() -> int:
    part, results = sys.argv[1], Path(sys.argv[2])
    ran, reasons = skipped(results) if results.exists() else (0, {})
    for reason, names in reasons.items():
        count = sum(int(name.split(" of ")[0]) if " of " in name else 1 for name in names)
        few = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        print(f"{part + ': skipped':24} {count:5} {'test' if count == 1 else 'tests'} ({few}): {reason}")
    return 0 if ran else 1


if __name__ == "__main__":
    sys.exit(main())
