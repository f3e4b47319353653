#!/usr/bin/env python3
"""Shows each rule of oss_fuzz.py broken: by a small target, or by what lies beside it.

usage: oss_fuzz_test.py ROOT
"""
import os
import re
import shutil
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import oss_fuzz
from processes import run

ROOT = Path(sys.argv.pop()).resolve()

# A target with enough branches: 40 functions with two branches each.
TARGET = """#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
FUNCTIONS
volatile int result_of_target;
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  BODY
  int sum = 0;
  CALLS
  result_of_target = sum;
  return 0;
}
""".replace("FUNCTIONS", "".join(
    f"__attribute__((noinline)) int f{i}(const unsigned char* d, unsigned long n) {{ "
    f"if (n > {i} && d[{i}] == {i + 60}) return {i}; return n > {i + 50} ? d[{i}] + {i} : 1; }}\n" for i in range(40))
            ).replace("CALLS", "".join(f"sum += f{i}(data, size);" for i in range(40)))
LINK = "$CXX $CXXFLAGS target.cpp $LIB_FUZZING_ENGINE -o $OUT/fuzz_one\n"
ZIP = "zip -q $OUT/fuzz_one_seed_corpus.zip seed\n"
GOOD = LINK + ZIP

# The rule that is broken; build.sh; what the target does with each input.
VIOLATIONS = {
    "a_script_that_fails": ("build", "false", ""),
    "a_script_that_needs_another_variable": ("build", "echo $DISPLAY", ""),
    "a_source_without_the_flags": ("flags", "$CXX -O1 -fsanitize=address,fuzzer-no-link -stdlib=libc++ target.cpp "
                                   "$LIB_FUZZING_ENGINE -o $OUT/fuzz_one\n" + ZIP, ""),
    "a_build_for_the_processor_of_the_builder": ("flags", GOOD.replace("target.cpp", "-march=native target.cpp"), ""),
    "a_target_with_another_engine": ("linked", GOOD.replace("$LIB_FUZZING_ENGINE", "$WORK/../bin-libfuzzer/libfuzzer.o"), ""),
    "no_target": ("targets", ":", ""),
    "a_name_with_an_extension": ("targets", GOOD.replace("fuzz_one", "fuzz_one.bin"), ""),
    "a_seed_corpus_that_is_not_there": ("seeds", LINK, ""),
    "a_damaged_seed_corpus": ("seeds", LINK + "echo no zip >$OUT/fuzz_one_seed_corpus.zip", ""),
    "a_file_beside_no_target": ("beside", GOOD + "touch $OUT/fuzz_two.dict", ""),
    "a_library_that_the_runner_lacks": ("dynamic", GOOD.replace("$LIB_FUZZING", "-Wl,--no-as-needed -lz $LIB_FUZZING"), ""),
    "a_target_that_fails": ("run", GOOD, "if (size > 0) abort();"),
    "a_seed_that_fails": ("run", GOOD, "if (size == 16 && data[0] == 't') abort();"),
    "a_target_that_needs_the_variables_of_the_build": ("run", GOOD, 'if (!getenv("OUT")) abort();'),
    "a_dictionary_that_cannot_be_read": ("run", GOOD + "echo '\"unfinished' >$OUT/fuzz_one.dict", ""),
    "a_target_without_coverage": ("edges", GOOD.replace("target.cpp", "target.cpp -fno-sanitize-coverage=inline-8bit-counters,"
                                                        "indirect-calls,trace-cmp,pc-table"), ""),
}
AFL_VIOLATIONS = ("a_target_that_fails", "a_seed_that_fails", "a_dictionary_that_cannot_be_read")


class Rules(unittest.TestCase):
    def broken(self, script: str, body: str, engine: str = "libfuzzer") -> set[str]:
        """The rules that a project of one source breaks."""
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        tree = folder / "tree"
        tree.mkdir()
        (tree / "seed").write_text("the seed of it..")
        (tree / "target.cpp").write_text(TARGET.replace("BODY", body))
        run("git", "init", "-q", tree, expected=0)
        path = folder / "build.sh"
        path.write_text(f"#!/bin/bash -eu\n{script}\n")
        made, faults = oss_fuzz.build(tree, folder / "work", engine, "address", path)
        faults = faults or oss_fuzz.check(made)
        return {fault.split(":")[0] for fault in faults}

    def test_a_good_project_breaks_no_rule(self):
        for engine in ("libfuzzer", "afl"):
            self.assertEqual(self.broken(GOOD + ": $CC $CCC $CFLAGS $SRC $WORK $SANITIZER $ARCHITECTURE", "", engine), set())

    def test_each_violation_breaks_its_rule(self):
        for name, (rule, script, body) in VIOLATIONS.items():
            with self.subTest(name):
                self.assertIn(rule, self.broken(script, body))

    def test_afl_refuses_what_fails_too(self):
        for name in AFL_VIOLATIONS:
            rule, script, body = VIOLATIONS[name]
            with self.subTest(name):
                self.assertEqual(self.broken(script, body, "afl"), {rule})

    def test_the_page_names_each_rule_and_each_has_a_violation(self):
        rules = set(re.findall(r"(?m)^\| `(\w+)` \|", (ROOT / "ci" / "oss-fuzz" / "README.md").read_text()))
        self.assertEqual(rules, {rule for rule, _, _ in VIOLATIONS.values()})
        self.assertEqual(rules, set(re.findall(r'f?"([a-z]+): ', Path(oss_fuzz.__file__).read_text())) - {"oss_fuzz"})


class Files(unittest.TestCase):
    """What OSS-Fuzz and ClusterFuzzLite read beside build.sh."""

    def test_cluster_fuzz_lite_builds_by_the_same_script(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "lockstep" / "ci" / "oss-fuzz" / "build.sh"
            script.parent.mkdir(parents=True)
            script.write_text('#!/bin/sh\nprintf "%s;" "$@"\n')
            script.chmod(0o755)
            said = run("bash", "-eu", ROOT / ".clusterfuzzlite" / "build.sh", "-DA=1", "b c", expected=0,
                       env={"SRC": folder, "PATH": os.environ["PATH"]}).stdout
        self.assertEqual(said, "-DA=1;b c;")

    def test_both_images_have_the_same_packages_and_run_in_the_tree(self):
        images = [(ROOT / folder / "Dockerfile").read_text() for folder in ("ci/oss-fuzz", ".clusterfuzzlite")]
        first, second = (re.search(r"^FROM (\S+)\nRUN (.*?[^\\])$", text, re.MULTILINE | re.DOTALL).groups() for text in images)
        self.assertEqual(first, second)
        self.assertTrue(first[0].startswith("gcr.io/oss-fuzz-base/base-builder"), first)
        for text in images:
            self.assertIn("WORKDIR $SRC/lockstep\n", text)
            self.assertRegex(text, r"COPY \S*build\.sh \$SRC/\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
