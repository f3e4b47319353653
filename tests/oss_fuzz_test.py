#!/usr/bin/env python3
"""Shows each check of oss_fuzz.py failing: a violation of each rule is planted in a small target or build.sh.

usage: oss_fuzz_test.py ROOT
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import oss_fuzz

ROOT = Path(sys.argv.pop()).resolve()

# A target with enough branches: 40 functions with two branches each.
FUNCTIONS = "".join(f"__attribute__((noinline)) int f{i}(const unsigned char* d, unsigned long n) {{ "
                    f"if (n > {i} && d[{i}] == {i + 60}) return {i}; return n > {i + 50} ? d[{i}] + {i} : 1; }}\n"
                    for i in range(40))
TARGET = """#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
FUNCTIONS
volatile int result_of_target;
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  BODY
  int sum = 0;
  CALLS
  result_of_target = sum;
  return 0;
}
""".replace("FUNCTIONS", FUNCTIONS).replace("CALLS", "".join(f"sum += f{i}(data, size);" for i in range(40)))


class Violations(unittest.TestCase):
    """The rules of the runner, on targets that are compiled as build.sh would."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.log = cls.folder / "calls.txt"
        cls.compilers = oss_fuzz.compiler_in(cls.folder / "bin", "libfuzzer", cls.log)
        cls.good = cls.compiled("good")

    @classmethod
    def flags(cls, sanitizer="address"):
        own = oss_fuzz.SANITIZER_FLAGS[sanitizer]
        return f"{oss_fuzz.CFLAGS} {own} -fsanitize=fuzzer-no-link -stdlib=libc++".split()

    @classmethod
    def compiled(cls, name, body="", flags=None, engine="-fsanitize=fuzzer", extra=(), compiler=None, without=()):
        source = cls.folder / f"{name}.cpp"
        source.write_text(TARGET.replace("BODY", body))
        words = [word for word in (flags or cls.flags()) if word not in without]
        command = [compiler or cls.compilers["CXX"], *words, source, engine, *extra, "-o", cls.folder / name]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        return cls.folder / name

    def made(self, *targets, sanitizer="address", flags=None, **files):
        """A build whose $OUT holds these targets and files."""
        out = Path(tempfile.mkdtemp(dir=self.folder)) / "out"
        out.mkdir()
        for target in targets:
            shutil.copy2(target, out)
        for name, data in files.items():
            (out / name.replace("__", ".")).write_bytes(data)
        calls = [oss_fuzz.shlex.split(line) for line in self.log.read_text().splitlines()]
        return oss_fuzz.Build(out, calls, " ".join(flags or self.flags(sanitizer)), sanitizer=sanitizer)

    def assert_broken(self, rule, faults):
        self.assertIn(rule, {fault.split(":")[0] for fault in faults}, faults)

    def of_runner(self, *targets, **files):
        return [fault for fault in oss_fuzz.check(self.made(*targets, **files), 1)
                if fault.split(":")[0] not in ("flags", "linked", "native")]

    def test_a_good_target_breaks_no_rule(self):
        made = self.made(self.good)
        made.calls = [call for call in made.calls if str(self.good) in call]
        self.assertEqual(oss_fuzz.check(made, 1), [])
        self.assertEqual(oss_fuzz.find_targets(made.out), [made.out / "good"])  # $OUT is back

    def test_a_source_that_is_compiled_without_the_flags(self):
        target = self.compiled("flagless", without=("-gline-tables-only",))
        self.assert_broken("flags", oss_fuzz.check_compilation(self.made(target)))

    def test_a_target_that_is_linked_by_another_compiler(self):
        target = self.compiled("elsewhere", compiler="clang++-19", flags=["-fsanitize=address,fuzzer"])
        self.assert_broken("linked", oss_fuzz.check_compilation(self.made(target)))

    def test_a_build_for_the_processor_of_the_builder(self):
        for option in ("-march=native", "-mtune=native"):
            target = self.compiled("native", extra=(option,))
            self.assert_broken("native", oss_fuzz.check_compilation(self.made(target)))

    def test_a_name_with_an_extension(self):
        self.assert_broken("name", oss_fuzz.check_files(self.made(shutil.copy2(self.good, self.folder / "good.exe"))))

    def test_no_target(self):
        self.assert_broken("targets", oss_fuzz.check_files(self.made(readme=b"")))

    def test_files_beside_a_target_that_is_not_there(self):
        for name in ("bad__options", "bad__dict", "bad_seed_corpus__zip"):
            self.assert_broken("beside", oss_fuzz.check_files(self.made(self.good, **{name: b""})))

    def test_a_damaged_or_empty_seed_corpus(self):
        for data in (b"PK", b"PK\5\6" + bytes(18)):
            self.assert_broken("zip", oss_fuzz.check_files(self.made(self.good, good_seed_corpus__zip=data)))

    def test_options_that_cannot_be_read(self):
        for data in (b"max_len = 3\n", b"[libfuzzer]\ndict = nowhere.dict\n"):
            self.assert_broken("options", oss_fuzz.check_files(self.made(self.good, good__options=data)))

    def test_options_that_the_engine_refuses(self):
        self.assert_broken("startup", self.of_runner(self.good, good__dict=b'"unfinished\n'))
        self.assert_broken("run", self.of_runner(self.good, good__options=b"[libfuzzer]\nrss_limit_mb = 1\n"))

    def test_another_architecture(self):
        target = self.folder / "arm"
        data = bytearray(self.good.read_bytes())
        data[18] = 183  # e_machine: AArch64
        target.write_bytes(data)
        self.assert_broken("architecture", oss_fuzz.check_binary(target, "address"))

    def test_a_library_that_the_runner_lacks(self):
        library = self.folder / "libplanted.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library],
                       input=b"int planted(void) { return 1; }", check=True)
        target = self.compiled("dynamic", extra=("-Wl,--no-as-needed", str(library), f"-Wl,-rpath,{self.folder}"))
        faults = self.of_runner(target)
        self.assert_broken("dynamic", faults)
        self.assert_broken("startup", faults)  # the runner's own words: it does not start

    def test_a_build_with_the_wrong_sanitizer(self):
        none = [word for word in self.flags() if not word.startswith("-fsanitize=address") and "use-after" not in word]
        many = "".join(f"if (size > {i}) sum{i} += data[{i}] * (int)size;" for i in range(250))
        sums = f"static int {','.join(f'sum{i}' for i in range(250))};" + many
        undefined = self.compiled("undefined", sums, flags=self.flags("undefined"))
        self.assertEqual(oss_fuzz.check_binary(undefined, "undefined"), [])
        self.assertEqual(oss_fuzz.check_binary(self.good, "address"), [])
        self.assert_broken("sanitizer", oss_fuzz.check_binary(self.compiled("bare", flags=none), "address"))
        self.assert_broken("sanitizer", oss_fuzz.check_binary(undefined, "address"))
        self.assert_broken("sanitizer", oss_fuzz.check_binary(self.good, "undefined"))
        self.assert_broken("sanitizer", oss_fuzz.check_binary(self.compiled("plain", flags=none), "undefined"))
        both = self.compiled("both", sums, flags=[*self.flags(), "-fsanitize=undefined"])
        self.assert_broken("sanitizer", oss_fuzz.check_binary(both, "address"))

    def test_a_target_without_coverage(self):
        source, part = self.folder / "dark.cpp", self.folder / "dark.o"
        source.write_text(TARGET.replace("BODY", ""))
        flags = [word for word in self.flags() if word != "-fsanitize=fuzzer-no-link"]
        target = self.folder / "dark"
        for words in ([*flags, "-c", source, "-o", part], [*flags, part, "-fsanitize=fuzzer", "-o", target]):
            subprocess.run([self.compilers["CXX"], *words], check=True)
        self.assert_broken("instrumented", self.of_runner(target))

    def test_a_target_of_which_only_a_part_has_coverage(self):
        marks = self.folder / "allow.txt"
        marks.write_text("src:*\nfun:f1\nfun:LLVMFuzzer*\n")
        target = self.compiled("dim", extra=(f"-fsanitize-coverage-allowlist={marks}",))
        self.assert_broken("edges", self.of_runner(target))

    def test_a_target_that_crashes_at_its_start(self):
        self.assert_broken("startup", self.of_runner(self.compiled("dies", "abort();")))

    def test_a_target_that_ends_the_process(self):
        self.assert_broken("startup", self.of_runner(self.compiled("leaves", "exit(0);")))

    def test_a_target_that_depends_on_the_folder_it_was_built_in(self):
        place = self.folder / "needed"
        place.write_text("")
        body = f'if (access("{place}", R_OK) != 0) abort();'
        self.assert_broken("startup", self.of_runner(self.compiled("rooted", body)))

    def test_a_target_that_writes_outside_of_the_temporary_folder(self):
        for path, broken in (("here.txt", True), ("/tmp/here.txt", False)):
            target = self.compiled("writes", f'FILE* f = fopen("{path}", "w"); if (!f) abort(); fclose(f);')
            faults = self.of_runner(target)
            expected = {"startup", "broken"} if broken else set()
            self.assertEqual({fault.split(":")[0] for fault in faults}, expected, faults)

    def test_a_target_that_needs_devices(self):
        body = 'FILE* f = fopen("/dev/urandom", "r"); if (!f) abort(); fclose(f);'
        self.assert_broken("startup", self.of_runner(self.compiled("device", body)))

    def test_a_seed_that_crashes(self):
        target = self.compiled("seedy", 'if (size == 4 && memcmp(data, "dies", 4) == 0) abort();')
        archive = self.folder / "one.zip"
        with zipfile.ZipFile(archive, "w") as out:
            out.writestr("seed", "dies")
        self.assert_broken("seeds", self.of_runner(target, seedy_seed_corpus__zip=archive.read_bytes()))

    def test_a_target_that_crashes_while_it_runs(self):
        target = self.compiled("soon", "if (size > 2) abort();")
        self.assert_broken("run", self.of_runner(target))

    def test_a_target_that_leaks_memory_or_hangs_fails(self):
        self.assert_broken("run", self.of_runner(self.compiled("leaks", "if (size == 3) result_of_target = *new int;")))
        hangs = self.compiled("hangs", "if (size == 3) for (;;) result_of_target = result_of_target + 1;")
        self.assert_broken("run", self.of_runner(hangs, hangs__options=b"[libfuzzer]\ntimeout = 1\n"))

    def test_more_than_a_tenth_of_broken_targets(self):
        good = [shutil.copy2(self.good, self.folder / f"good{i}") for i in range(9)]
        dead = self.compiled("dead", "abort();")
        faults = self.of_runner(*good[:8], dead)
        self.assert_broken("broken", faults)
        self.assertNotIn("broken", {fault.split(":")[0] for fault in self.of_runner(*good, dead)})


class Scripts(unittest.TestCase):
    """The rules of build.sh itself, in a tree of one file."""

    def built(self, script):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        tree = folder / "tree"
        tree.mkdir()
        (tree / "kept.txt").write_text("")
        (tree / "target.cpp").write_text(TARGET.replace("BODY", ""))
        subprocess.run(["git", "init", "-q", tree], check=True)
        path = folder / "build.sh"
        path.write_text(f"#!/bin/bash -eu\n{script}\n")
        return oss_fuzz.build(tree, folder / "work", "libfuzzer", "address", [], path)

    def test_a_script_of_one_line_passes(self):
        made, faults = self.built("$CXX $CXXFLAGS target.cpp $LIB_FUZZING_ENGINE -o $OUT/fuzz_one")
        self.assertEqual(faults, [])
        self.assertEqual(oss_fuzz.check(made, 1), [])

    def test_a_script_that_fails_or_uses_a_variable_that_is_not_given(self):
        for script in ("false", "echo $DISPLAY"):
            _, faults = self.built(script)
            self.assertEqual([fault.split(":")[0] for fault in faults], ["build"], faults)

    def test_a_script_that_removes_sources(self):
        _, faults = self.built("rm kept.txt")
        self.assertEqual([fault.split(":")[0] for fault in faults], ["sources"])


class Files(unittest.TestCase):
    """What OSS-Fuzz and ClusterFuzzLite read beside build.sh."""

    def test_cluster_fuzz_lite_builds_by_the_same_script(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "lockstep" / "oss-fuzz" / "build.sh"
            script.parent.mkdir(parents=True)
            script.write_text('#!/bin/sh\nprintf "%s;" "$@"\n')
            script.chmod(0o755)
            said = subprocess.run(["bash", "-eu", ROOT / ".clusterfuzzlite" / "build.sh", "-DA=1", "b c"], check=True,
                                  capture_output=True, text=True, env={"SRC": folder, "PATH": os.environ["PATH"]}).stdout
        self.assertEqual(said, "-DA=1;b c;")

    def test_both_images_have_the_same_packages_and_run_in_the_tree(self):
        images = [(ROOT / folder / "Dockerfile").read_text() for folder in ("oss-fuzz", ".clusterfuzzlite")]
        bases, packages = zip(*(re.search(r"^FROM (\S+)\nRUN (.*?[^\\])$", text, re.MULTILINE | re.DOTALL).groups()
                                for text in images))
        self.assertEqual((bases[0], packages[0]), (bases[1], packages[1]))
        self.assertTrue(bases[0].startswith("gcr.io/oss-fuzz-base/base-builder"), bases)
        for text in images:
            self.assertIn("WORKDIR $SRC/lockstep\n", text)
            self.assertRegex(text, r"COPY \S*build\.sh \$SRC/\n")
        system = re.search(r":(\S+)$", bases[0]).group(1)
        for folder in ("oss-fuzz", ".clusterfuzzlite"):
            project = (ROOT / folder / "project.yaml").read_text()
            self.assertIn("\nlanguage: c++\n", "\n" + project)
            self.assertIn(f"\nbase_os_version: {system}\n", project)
        for field in ("homepage", "main_repo", "primary_contact"):
            self.assertRegex((ROOT / "oss-fuzz" / "project.yaml").read_text(), rf'(?m)^{field}: "\S+"$')

    def test_the_table_of_rules_has_every_message(self):
        page = (ROOT / "oss-fuzz" / "README.md").read_text()
        named = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"\|([^|]*)\|$", page, re.MULTILINE))))
        said = set(re.findall(r'f?"([a-z]+): ', Path(oss_fuzz.__file__).read_text())) - {"oss_fuzz"}
        self.assertEqual(named, said)


@unittest.skipUnless(shutil.which("afl-fuzz") and oss_fuzz.AFL.is_dir(), "there is no afl-fuzz")
class Afl(unittest.TestCase):
    def faults(self, body, instrumented=True):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        compilers = oss_fuzz.compiler_in(folder / "bin", "afl", folder / "calls.txt")
        (folder / "t.cpp").write_text(TARGET.replace("BODY", body))
        compiler = [compilers["CXX"]] if instrumented else ["clang++-19", str(oss_fuzz.AFL / "afl-compiler-rt.o")]
        subprocess.run([*compiler, "-O1", "-fsanitize=address", folder / "t.cpp", compilers["LIB_FUZZING_ENGINE"], "-o", folder / "t"],
                       check=True, capture_output=True)
        return oss_fuzz.check_afl(folder / "t", 5)

    def test_afl_accepts_a_good_target_and_refuses_others(self):
        self.assertEqual(self.faults(""), [])
        for body, instrumented in (("abort();", True), ("", False)):
            self.assertEqual([fault.split(":")[0] for fault in self.faults(body, instrumented)], ["afl"])


if __name__ == "__main__":
    os.environ.setdefault("TMPDIR", "/tmp")
    unittest.main()
