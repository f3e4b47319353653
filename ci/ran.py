#!/usr/bin/env python3
"""Says what a run of ctest skipped and why: the last lines of ./dev test.

usage: ran.py PART RESULTS

RESULTS is what ctest --output-junit wrote. Exit status: 0, or 1 if no test ran.
"""
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

OF_GOOGLETEST = re.compile(r": Skipped\n(.+)")
OF_UNITTEST = re.compile(r"\.\.\. skipped ['\"](.*)['\"]$", re.MULTILINE)


def skipped(results: Path) -> tuple[int, dict[str, list[str]]]:
    """How many tests ran, and by reason the tests of CTest in which something was skipped, once for each time."""
    ran, out = 0, {}
    for case in ElementTree.parse(results).iter("testcase"):
        said = case.findtext("system-out") or ""
        reasons = []
        if case.get("status") in ("run", "fail"):
            ran += 1
            reasons = OF_UNITTEST.findall(said)
        elif case.get("status") != "disabled":
            reason = OF_GOOGLETEST.search(said)
            reasons = [reason[1] if reason else "the machine lacks what it needs"]
        for reason in reasons:
            out.setdefault(reason, []).append(case.get("name"))
    return ran, out


def main() -> int:
    part, results = sys.argv[1], Path(sys.argv[2])
    ran, reasons = skipped(results) if results.exists() else (0, {})
    for reason, names in reasons.items():
        few = list(dict.fromkeys(names))
        in_few = ", ".join(few[:3]) + (", …" if len(few) > 3 else "")
        print(f"{part + ': skipped':24} {len(names):5} {'test' if len(names) == 1 else 'tests'}: {reason} ({in_few})")
    return 0 if ran else 1


if __name__ == "__main__":
    sys.exit(main())
