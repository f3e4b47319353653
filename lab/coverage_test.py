#!/usr/bin/env python3
"""Coverage on a toy compiled here: missed branches, explained ones, and wrong or stale entries of the list.

usage: coverage_test.py CLANG
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import coverage

import keys

CLANG = sys.argv.pop()
FILE = "optimized/toy/toy.hpp"
TOY = """namespace lockstep::optimized {
template <int most>
struct Toy {
  int add(int amount) {
    const auto odd = [](int n) { return n % 2 == 1 ? 1 : 0; };
    if (amount > most &&
        total < 0) return -1;
    total += odd(amount);
    if (sizeof(int) == 1) total = 0;  // a constant
    return total < 0 ? 0 : total;
  }
  int total = 0;
};
inline const int toys = [] { return Toy<2>{}.add(1) == 1 ? 1 : 0; }();
}  // namespace lockstep::optimized
"""
MAIN = """#include "optimized/toy/toy.hpp"
int main() { return lockstep::optimized::Toy<3>{}.add(4) + lockstep::optimized::Toy<5>{}.add(1) - lockstep::optimized::toys; }
"""
ADD = f"Reason.\n{FILE}: Toy::add\n"


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        root = Path(cls.folder.name).resolve()
        (root / "optimized" / "toy").mkdir(parents=True)
        (root / FILE).write_text(TOY, encoding="utf-8")
        (root / "main.cpp").write_text(MAIN, encoding="utf-8")
        program, profile = str(root / "toy"), str(root / "toy.profraw")
        subprocess.run([CLANG, "-std=c++23", "-fprofile-instr-generate", "-fcoverage-mapping", f"-I{root}",
                        str(root / "main.cpp"), "-o", program], check=True, timeout=100)
        subprocess.run([program], env={"LLVM_PROFILE_FILE": profile}, check=True, timeout=100)
        cls.counts = coverage.Counts.read(root, program, [Path(profile)], root / "toy.profdata")
        cls.tree = coverage.Tree(root, cls.counts.functions)

    def judged(self, listed: str) -> coverage.Judgement:
        return coverage.Judgement(self.tree, [FILE], self.counts, keys.read(listed))

    def test_a_missed_branch_is_named_by_function_and_condition(self):
        missed = {(self.tree.place(FILE, b).function, self.tree.place(FILE, b).what) for b in self.judged("").missed[FILE]}
        self.assertTrue(missed >= {("Toy::add", "`total < 0`: true"), ("toys", "`Toy<2>{}.add(1) == 1`: false")}, missed)
        self.assertNotIn(("Toy::add", "`amount > most`: true"), missed)  # one of the instances takes it
        self.assertIn(("Toy::add", "`sizeof(int) == 1`: true"), missed)
        self.assertFalse(self.judged("").is_good())

    def test_a_listed_branch_is_explained(self):
        judged = self.judged(ADD + "    `total<0`: true #1 of 2\n    `total < 0`: true #2 of 2\n")
        self.assertEqual((len(judged.explained[FILE]), judged.complaints), (2, []))

    def test_a_listed_branch_that_is_taken_is_an_error(self):
        (complaint,) = self.judged(ADD + "    `amount > most`: true\n").complaints
        self.assertEqual(complaint, f"{FILE}:6: said to be unreachable, but taken: `amount > most`: true")

    def test_an_entry_that_is_stale_or_ambiguous_is_an_error(self):
        (complaint,) = self.judged(ADD + "    `total < 1`: true\n").complaints
        self.assertEqual(complaint, f"line 3: stale: nothing is {FILE}: Toy::add: `total < 1`: true")
        (complaint,) = self.judged(ADD + "    `total < 0`: true\n").complaints
        self.assertIn(f"line 3: ambiguous: {FILE}: Toy::add: `total < 0`: true is one of 2: ", complaint)

    def test_entries_of_other_files_are_left_alone(self):
        self.assertEqual(self.judged("Reason.\noptimized/other/other.hpp: Other::step\n    `x`: true\n").complaints, [])

    def test_functions_are_named_without_arguments_and_lambdas(self):
        for demangled, name in (
                ("auto lockstep::optimized::Board::shifted<-19>(long long vector[8])", "Board::shifted"),
                ("lockstep::optimized::batch::'lambda'()::operator()() const", "batch"),
                ("lockstep::optimized::A<int>::f(int) const::'lambda'(int)::operator()(int) const", "A::f"),
                ("lockstep::optimized::(anonymous namespace)::g(std::array<std::array<int, 3ul>, 4ul> const&)", "g")):
            self.assertEqual(coverage.function_name(demangled), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
