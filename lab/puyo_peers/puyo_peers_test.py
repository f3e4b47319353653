#!/usr/bin/env python3
"""Counting chains beside peers: stand-ins written here take the places of the peers' checkouts. Right ones are timed, and
what is wrong with others is told without a table.

usage: puyo_peers_test.py PROGRAM COMPILER
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import puyo_peers

COMPILER = sys.argv.pop()
PROGRAM = sys.argv.pop()

# A field that looks at every cell; groups of `least` vanish, and `chains()` is right in the first `laps` laps of 64 fields.
CELLS = """#pragma once
#include <utility>
struct Cells {
  int at[6][13] = {};
  int group(int x, int y, int colour, bool (&seen)[6][12]) const {
    if (x < 0 || x > 5 || y < 0 || y > 11 || at[x][y] != colour || std::exchange(seen[x][y], true)) return 0;
    return 1 + group(x - 1, y, colour, seen) + group(x + 1, y, colour, seen) + group(x, y - 1, colour, seen) +
           group(x, y + 1, colour, seen);
  }
  bool vanish() {
    bool doomed[6][12] = {}, any = false;
    for (int x = 0; x < 6; ++x) {
      for (int y = 0; y < 12; ++y) {
        bool seen[6][12] = {};
        doomed[x][y] = at[x][y] != 0 && group(x, y, at[x][y], seen) >= LEAST;
        any |= doomed[x][y];
      }
    }
    for (int x = 0; x < 6; ++x) {
      int height = 0;
      for (int y = 0; y < 12; ++y) {
        if (!doomed[x][y]) at[x][height++] = at[x][y];
      }
      while (height < 12) at[x][height++] = 0;
    }
    return any;
  }
  int chains() {
    static int calls = 0;
    if (calls++ >= 64 * LAPS) return 0;
    int count = 0;
    while (vanish()) ++count;
    return count;
  }
};
"""

AMA = """#include "cells.hpp"
using i8 = signed char;
namespace cell { enum class Type : unsigned char {}; }
struct Size {
  int size;
  int get_size() { return size; }
};
struct FieldBit {
  bool empty;
  bool is_empty() { return empty; }
  void pop(FieldBit&) {}
};
struct Field : Cells {
  FieldBit data[4] = {};
  bool vanished = false;
  void set_cell(i8 x, i8 y, cell::Type colour) { at[x][y] = 1 + static_cast<int>(colour); }
  Size pop() { return {chains()}; }
  Field& get_mask_pop() {
    vanished = vanish();
    return *this;
  }
  FieldBit get_mask() { return {!vanished}; }
};
"""

PUYOAI = """#include <glog/logging.h>
#include "cells.hpp"
constexpr int NORMAL_PUYO_COLORS[] = {4, 5, 6, 7};
struct RensaNonTracker {};
struct BitField : Cells {
  void setColor(int x, int y, int colour) {
    DCHECK(colour >= 4) << "a wall";
    at[x - 1][y - 1] = colour;
  }
  int simulateFast(RensaNonTracker*) { return chains(); }
  int simulateFastAVX2(RensaNonTracker*) { return chains(); }
};
"""


class PuyoPeers(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def checkout(self, name: str, files: dict) -> Path:
        for file, text in files.items():
            path = self.folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return self.folder / name

    def ama(self, least: int = 4, laps: int = 10_000) -> Path:
        cells = CELLS.replace("LEAST", str(least)).replace("LAPS", str(laps))
        return self.checkout("ama", {"core/field.cpp": AMA, "core/fieldbit.cpp": "", "core/cells.hpp": cells})

    def puyoai(self, least: int = 4, laps: int = 10_000) -> Path:
        cells = CELLS.replace("LEAST", str(least)).replace("LAPS", str(laps))
        return self.checkout("puyoai", {"src/core/bit_field.cc": PUYOAI, "src/core/field_bits.cc": "",
                                        "src/core/puyo_color.cc": "", "src/core/cells.hpp": cells})

    def ends(self, code: int, *words, program=PROGRAM) -> tuple[str, str]:
        done = subprocess.run([sys.executable, puyo_peers.__file__, "--compiler", COMPILER, "--program", program, "--fields",
                               "64", "--rounds", "20", *words], capture_output=True, text=True, check=False, timeout=250,
                              env=os.environ | {"TMPDIR": str(self.folder)})
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        self.assertEqual(list(self.folder.glob("puyo-peers-*")), [])
        if code != 0:
            self.assertEqual(done.stdout, "")
        return done.stdout, done.stderr

    def test_right_peers_are_timed(self):
        puyoai = self.puyoai()
        git = ["git", "-C", puyoai, "-c", "user.name=a", "-c", "user.email=a@b"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "stand-in"]):
            subprocess.run([*git, *words], check=True)
        (puyoai / "src/core/field_bits.cc").write_text("// changed\n")
        out, _ = self.ends(0, "--ama", self.ama(), "--puyoai", puyoai)
        _, _, head, _, *rows = out.partition("\n\n- ")[0].splitlines()
        self.assertEqual(head, "|  | full, 4 colours | full, 5 colours | 12 chains, 4 colours | 12 chains, 5 colours |")
        cells = {name: rest for name, *rest in (row.strip("| ").split(" | ") for row in rows)}
        self.assertEqual(list(cells), ["rulebook", "lanes", "batch", "ama", "ama, chains alone", "puyoai", "lanes again"])
        for name, timed in cells.items():
            has_five = name not in ("ama", "ama, chains alone", "puyoai")
            for cell, counts in zip(timed, (True, has_five, True, has_five), strict=True):
                self.assertRegex(cell, r"^[0-9.,]+ / [0-9.,]+ \([0-9.,]+\)$" if counts else "^–$")
        self.assertEqual([cell.split()[-1] for cell in cells["lanes"]], ["(1)"] * 4)
        self.assertRegex(out, r"\n- 64 fields of each kind; chains: [0-9.]+, [0-9.]+, 12, 12\n")
        self.assertRegex(out, r"\n- ama: https://github.com/citrus610/ama of an unknown commit; -std")
        self.assertRegex(out, r"\n- puyoai: https://github.com/puyoai/puyoai at [0-9a-f]{12} of [0-9-]+ with changes; -std")

    def test_one_peer_is_enough(self):
        out, _ = self.ends(0, "--puyoai", self.puyoai())
        self.assertNotIn("ama", out)

    def test_a_peer_that_counts_wrong_is_not_timed(self):
        _, err = self.ends(1, "--ama", self.ama(least=5), "--puyoai", self.puyoai())
        self.assertRegex(err, r'\nama: \d+ of 64 counts of "full, 4 colours" differ from the reference: \d instead of \d ')
        self.assertIn("\nama, chains alone: ", err)
        self.assertRegex(err, r"\nboard\n([RGBP]{6}\n){12}")
        self.assertNotIn("\npuyoai: ", err)
        _, err = self.ends(1, "--ama", self.ama(), "--puyoai", self.puyoai(least=3))
        self.assertRegex(err, r"\npuyoai: \d+ of 64 ")
        self.assertNotIn("\nama", err)

    def test_a_peer_that_counts_nothing_in_a_later_lap_is_not_timed(self):
        _, err = self.ends(1, "--puyoai", self.puyoai(laps=7))
        self.assertRegex(err, r"\npuyoai: \d+ of 64 .* 0 instead of \d chains")

    def test_a_peer_that_cannot_be_measured_is_told(self):
        ama = self.ama()
        (ama / "core/fieldbit.cpp").write_text("#error not for this processor\n")
        self.assertRegex(self.ends(3, "--ama", ama)[1], r"\npuyo-peers: ama does not compile: .*not for this processor")
        (ama / "core/fieldbit.cpp").write_text("static const bool died = (__builtin_trap(), true);\n")
        self.assertRegex(self.ends(3, "--ama", ama)[1], r"\npuyo-peers: lab_puyo_peers was ended by signal 4")

    def test_a_run_without_figures_measures_nothing(self):
        silent = self.checkout("silent", {"program": "#!/bin/sh\nprintf 'level\\tbaseline\\n'\n"}) / "program"
        silent.chmod(0o755)
        self.assertIn("program measured no workload", self.ends(3, "--ama", self.ama(), program=silent)[1])

    def test_a_clock_that_stands_still_measures_nothing(self):
        clock = self.checkout("clock", {"clock.c": """#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec* now) {
  if (clock != CLOCK_THREAD_CPUTIME_ID) return (int)syscall(SYS_clock_gettime, clock, now);
  now->tv_sec = now->tv_nsec = 0;
  return 0;
}
"""})
        subprocess.run([COMPILER, "-w", "-x", "c", "-shared", "-fPIC", "clock.c", "-o", "clock.so"], cwd=clock, check=True)
        done = subprocess.run([PROGRAM, "--fields", "8", "--rounds", "20"], capture_output=True, text=True, check=False,
                              env=os.environ | {"LD_PRELOAD": str(clock / "clock.so")})
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("rulebook: no time was measured in a lap of 8 fields", done.stderr)

    def test_wrong_input_is_named(self):
        ama = self.ama()
        (self.folder / "empty").mkdir()
        for words, said in (([], "expected a checkout: --ama CHECKOUT (a clone of https://github.com/citrus610/ama) or"),
                            (["--ama", "/nowhere"], "--ama: there is no folder /nowhere; git clone https://github.com/"),
                            (["--puyoai", ama], "ama is no checkout of https://github.com/puyoai/puyoai: there is no src/"),
                            (["--ama", ama, "--puyoai", self.folder / "empty"], "empty is no checkout of"),
                            (["--ama", ama, "--fields", "0"], "from 1 to 1000000, got '0'"),
                            (["--ama", ama, "--rounds", "19"], "from 20 to 100000, got '19'"),
                            (["--ama", ama, "--rounds", "x"], "got 'x'"),
                            (["--ama", ama, "--compiler", "clong"], "there is no clong"),
                            (["--ama", ama, "--program", "/nowhere"], "./dev lab puyo-peers builds it")):
            self.assertIn(said, re.sub(r"\s+", " ", self.ends(2, *words)[1]), words)

    def test_the_program_names_wrong_input(self):
        for words, said in ((["--fields", "0"], "--fields"), (["--rounds", "3"], "--rounds"),
                            (["--peer", "ama", "/nowhere.so"], "/nowhere.so: cannot open")):
            done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(said, done.stderr)
        done = subprocess.run([PROGRAM], capture_output=True, text=True, check=False,
                              env=os.environ | {"LOCKSTEP_LEVEL": "avx-2"})
        self.assertEqual((done.returncode, done.stdout), (2, ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
