#!/usr/bin/env python3
"""Tests of lines_of_code.py: what is a line of code, and that a budget is kept."""
import shutil
import tempfile
import unittest
from pathlib import Path

import processes

SCRIPT = Path(__file__).with_name("lines_of_code.py")
FILES = {
    "lockstep/a.cpp": ('// why\n\nint a;  // 1\n/* two\n   lines */\n#include "a.hpp"\n', 2),
    "tools/b.py": ('"""What it does."""\n\n# why\ndef f():\n    """Returns\n    one."""\n    return "# 1"\n', 2),
    "tests/CMakeLists.txt": ("# why\nadd_test(a)\n", 1),
    "run": ("#!/bin/sh\n# why\nexit 0\n", 1),
    "docs/c.md": ("prose\n", 0),
    "page/d3/d3.js": ("var theirs;\n", 0),
}


@unittest.skipUnless(shutil.which("git"), "no git")
class LinesOfCode(unittest.TestCase):
    def test_each_room_is_counted_and_a_budget_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, (text, _) in FILES.items():
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / name).write_text(text)
            processes.run("git", "init", "-q", folder, expected=0)
            processes.run("git", "-C", folder, "add", "-A", expected=0)
            (Path(folder) / "untracked.py").write_text("a = 1\n")
            counted = processes.run("python3", SCRIPT, folder, "--table", expected=0).stdout.split("product")[0].split()
            self.assertEqual(sorted(zip(counted[::2], counted[1::2])),
                             sorted((name.rpartition("/")[0].split("/")[0] or ".", str(count))
                                    for name, (_, count) in FILES.items() if count))
            (Path(folder) / "lockstep/a.cpp").write_text("int a;\n" * 1_000_000)
            result = processes.run("python3", SCRIPT, folder, expected=1)
            self.assertIn("more lines of code than the budget: product, all. ", result.stdout)

    def test_where_there_is_no_clone_nothing_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(processes.run("python3", SCRIPT, folder, expected=0).stdout,
                             "lines of code ... skipped 'no git repository'\n")


if __name__ == "__main__":
    unittest.main()
