#!/usr/bin/env python3
"""Shows each check of oss_fuzz.py failing: a violation of each rule is planted in a small target or build.sh.

usage: oss_fuzz_test.py ROOT
"""
import contextlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import zipfile
from pathlib import Path

import oss_fuzz

PAGE = "oss-fuzz/README.md"
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


# Tells what the runner gives it. It is linked statically and has no entry of libFuzzer.
TELLS = r"""#include <stdio.h>
extern char** environ;
int main(int count, char** words) {
  for (int i = 1; i < count; ++i) printf("%s\n", words[i]);
  for (char** word = environ; *word; ++word) printf("%s\n", *word);
}
"""


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

    def call_of(self, target):
        """The recorded call that made a target."""
        return [call for call in self.made(self.good).calls if str(target) in call][-1]

    def test_a_source_that_is_compiled_without_one_of_the_flags(self):
        made, call = self.made(self.good), self.call_of(self.good)
        made.calls = [call]
        self.assertEqual(oss_fuzz.check_compilation(made), [])
        for flag in sorted(set(self.flags())):
            made.calls = [[word for word in call if word != flag]]
            self.assertIn(f"is compiled without {flag}", " ".join(oss_fuzz.check_compilation(made)))
            self.assert_broken("flags", oss_fuzz.check_compilation(made))

    def test_a_flag_that_is_taken_back(self):
        made, call = self.made(self.good), self.call_of(self.good)
        for flag in ("-O3", "-O0", "-stdlib=libstdc++", "-fno-sanitize=address",
                     "-fno-sanitize-coverage=trace-pc-guard", "-fomit-frame-pointer",
                     "-UFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"):
            made.calls = [[*call, flag]]
            self.assertIn(f"is compiled with {flag}", " ".join(oss_fuzz.check_compilation(made)))
            self.assert_broken("flags", oss_fuzz.check_compilation(made))
        made.calls = [[*call[:1], "-O3", *call[1:]]]  # the last one counts
        self.assertEqual(oss_fuzz.check_compilation(made), [])

    def test_a_part_that_another_compiler_made(self):
        for compiler, broken in (("g++", True), (self.compilers["CXX"], False)):
            for kind in ("o", "a"):
                name = f"part_{'foreign' if broken else 'own'}_{kind}"
                source, part = self.folder / f"{name}.part.cpp", self.folder / f"{name}.part.o"
                source.write_text("int part() { return 1; }\n")
                flags = [] if broken else self.flags()
                subprocess.run([compiler, *flags, "-c", source, "-o", part], check=True)
                if kind == "a":
                    subprocess.run(["ar", "rc", part.with_suffix(".a"), part], check=True)
                target = self.compiled(name, extra=(part.with_suffix("." + kind),))
                faults = [fault for fault in oss_fuzz.check_compilation(self.made(target)) if name in fault]
                self.assertEqual({fault.split(":")[0] for fault in faults}, {"flags"} if broken else set(), faults)

    def test_a_target_that_is_linked_by_another_compiler(self):
        target = self.compiled("elsewhere", compiler="clang++-19", flags=["-fsanitize=address,fuzzer"])
        self.assert_broken("linked", oss_fuzz.check_compilation(self.made(target)))

    def test_a_target_that_is_linked_with_another_engine(self):
        engine = self.folder / "engine.o"
        shutil.copy2(oss_fuzz.engine_object(self.folder / "bin"), engine)
        made = self.made(self.compiled("own_engine", engine=str(engine)))
        faults = [fault for fault in oss_fuzz.check_compilation(made) if "own_engine" in fault]
        self.assertEqual([fault.split(":")[0] for fault in faults], ["linked"], faults)

    def test_a_build_for_the_processor_of_the_builder(self):
        for option in ("-march=native", "-mtune=native"):
            target = self.compiled("native", extra=(option,))
            self.assert_broken("native", oss_fuzz.check_compilation(self.made(target)))

    def test_a_name_with_an_extension(self):
        self.assert_broken("name", oss_fuzz.check_files(self.made(shutil.copy2(self.good, self.folder / "good.exe"))))

    def test_no_target(self):
        self.assert_broken("targets", oss_fuzz.check_files(self.made(readme=b"")))

    def test_a_target_that_is_not_executable(self):
        plain = shutil.copy2(self.good, self.folder / "plain_file")
        plain.chmod(0o644)
        for others in ([], [self.good]):  # alone, and beside one that is
            faults = oss_fuzz.check_files(self.made(plain, *others))
            self.assertIn("targets: plain_file is not executable", faults)
            self.assert_broken("targets", faults)

    def test_a_seed_corpus_that_is_not_there(self):
        archive = self.folder / "seed.zip"
        with zipfile.ZipFile(archive, "w") as out:
            out.writestr("seed", "text")
        for name in ("fuzz_omok", "fuzz_text"):
            target = shutil.copy2(self.good, self.folder / name)
            seeds = {f"{name}_seed_corpus__zip": archive.read_bytes()}
            self.assertEqual(oss_fuzz.check_files(self.made(target, **seeds)), [])
            self.assert_broken("zip", oss_fuzz.check_files(self.made(target)))
        without = shutil.copy2(self.good, self.folder / "fuzz_interval_set")
        self.assertEqual(oss_fuzz.check_files(self.made(without)), [])

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

    def test_the_arguments_and_the_environment_of_a_target(self):
        place = self.folder / "tells"
        place.mkdir()
        subprocess.run(["cc", "-static", "-x", "c", "-", "-o", place / "tells"], input=TELLS.encode(), check=True)
        (place / "tells.options").write_text("[libfuzzer]\nmax_len = 3\n")
        (place / "tells.dict").write_text("")
        with tempfile.TemporaryDirectory() as temporary, set_out():
            code, said = oss_fuzz.run_target(place / "tells", Path(temporary), ["-seed=1337", "-runs=4"])
        self.assertEqual(code, 0, said)
        lines = said.splitlines()
        arguments = ["--", "-rss_limit_mb=2560", "-timeout=25", "-seed=1337", "-runs=4", "-max_len=3",
                     "-dict=tells.dict"]
        self.assertEqual(lines[:len(arguments)], arguments)
        given = dict(line.split("=", 1) for line in lines[len(arguments):])
        self.assertEqual(set(given) - {"PWD"}, {"ASAN_OPTIONS", "UBSAN_OPTIONS"})
        for name, words in (("ASAN_OPTIONS", ("detect_leaks=1", "allocator_may_return_null=1", "handle_abort=1",
                                              "detect_stack_use_after_return=1", "quarantine_size_mb=10")),
                            ("UBSAN_OPTIONS", ("silence_unsigned_overflow=1", "print_stacktrace=1"))):
            self.assertLessEqual(set(words), set(given[name].split(":")))

    def test_a_target_that_needs_more_memory_than_the_limit(self):
        # -rss_limit_mb limits one allocation too; libFuzzer's own limit is 2048 MB. Nothing touches the memory.
        for megabytes, broken in ((2300, False), (2700, True)):
            body = f"void* volatile p = malloc({megabytes}ul << 20); free(p);"
            target = self.compiled(f"wants{megabytes}", body)
            with tempfile.TemporaryDirectory() as temporary:
                code, said = oss_fuzz.run_target(self.made(target).out / target.name, Path(temporary), ["-runs=4"])
            self.assertEqual(code != 0, broken, said)
            self.assertEqual("out-of-memory" in said, broken, said)
        self.assert_broken("startup", self.of_runner(target))

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

    def in_two_steps(self, name, compile_flags, link_flags):
        source, part, target = self.folder / f"{name}.cpp", self.folder / f"{name}.o", self.folder / name
        source.write_text(TARGET.replace("BODY", ""))
        for words in ([*compile_flags, "-c", source, "-o", part],
                      [*link_flags, part, "-fsanitize=fuzzer", "-o", target]):
            subprocess.run([self.compilers["CXX"], *words], check=True)
        return target

    def test_a_target_with_the_runtime_of_a_sanitizer_alone(self):
        none = [word for word in self.flags() if not word.startswith("-fsanitize=address") and "use-after" not in word]
        target = self.in_two_steps("runtime", none, self.flags("undefined"))
        self.assertGreater(oss_fuzz.sanitizer_calls(target)["ubsan"], 100)  # the runtime is there
        self.assert_broken("sanitizer", oss_fuzz.check_binary(target, "undefined"))

    def test_a_target_with_calls_of_another_sanitizer(self):
        for name, count, broken in (("msan", 3, False), ("msan", 4, True), ("dfsan", 1, True)):
            planted = self.folder / f"planted_{name}_{count}.cpp"
            planted.write_text(f'extern "C" __attribute__((noinline)) void __{name}_planted() {{ asm volatile(""); }}\n'
                               f'__attribute__((constructor)) static void start() {{ {f"__{name}_planted();" * count} '
                               f'asm volatile(""); }}\n')
            target = self.compiled(f"with_{name}_{count}", extra=(planted,))
            self.assertEqual(oss_fuzz.sanitizer_calls(target)[name], count)
            faults = oss_fuzz.check_binary(target, "address")
            self.assertEqual([fault.split(":")[0] for fault in faults], ["sanitizer"] if broken else [], faults)
            # In a build with UBSan these calls are refused too: with no call of ASan, and enough of UBSan.
            self.assertEqual(oss_fuzz.calls_are_wrong({"asan": 0, "ubsan": 300, "msan": 0, "dfsan": 0, name: count},
                                                      "undefined"), broken)

    def test_a_target_without_coverage(self):
        flags = [word for word in self.flags() if word != "-fsanitize=fuzzer-no-link"]
        self.assert_broken("instrumented", self.of_runner(self.in_two_steps("dark", flags, flags)))

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

    def test_a_target_that_needs_the_variable_of_its_folder(self):
        with set_out():
            self.assert_broken("startup", self.of_runner(self.compiled("asks", 'if (!getenv("OUT")) abort();')))

    def test_a_target_that_reads_a_file_at_its_first_place(self):
        made = self.made(self.good, data__txt=b"")
        for name, path, broken in (("absolute", made.out / "data.txt", True), ("relative", "./data.txt", False)):
            target = self.compiled(name, f'if (access("{path}", R_OK) != 0) abort();')
            shutil.copy2(target, made.out)
            made.calls = [call for call in self.made(target).calls if str(target) in call or str(self.good) in call]
            faults = oss_fuzz.check(made, 1)
            expected = {"startup", "broken"} if broken else set()
            self.assertEqual({fault.split(":")[0] for fault in faults}, expected, faults)
            (made.out / name).unlink()

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
        made, faults = self.built("$CXX $CXXFLAGS target.cpp $LIB_FUZZING_ENGINE -o $OUT/fuzz_one\n"
                                  ": $CC $CCC $CFLAGS $SRC $WORK $SANITIZER $ARCHITECTURE $FUZZING_ENGINE\n"
                                  "zip -q $OUT/fuzz_one_seed_corpus.zip kept.txt")
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
            said = subprocess.run(["bash", "-eu", ROOT / ".clusterfuzzlite" / "build.sh", "-DA=1", "b c"],
                                  check=True, capture_output=True, text=True,
                                  env={"SRC": folder, "PATH": os.environ["PATH"]}).stdout
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

    def rows(self):
        """The table of rules: the messages and the planted violations of each row."""
        lines = re.findall(r"(?m)^\|(.*)\|$", (ROOT / PAGE).read_text())
        return [(cells[0], re.findall(r"`(\w+)`", cells[2]), re.findall(r"`(\w+)`", cells[3]))
                for cells in ([cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines[2:])]

    def test_the_table_of_rules_has_every_message(self):
        said = set(re.findall(r'f?"([a-z]+): ', Path(oss_fuzz.__file__).read_text())) - {"oss_fuzz"}
        self.assertEqual({word for _, messages, _ in self.rows() for word in messages}, said)

    def test_each_rule_of_the_table_names_a_planted_violation_of_it(self):
        planted = {name.removeprefix("test_"): inspect.getsource(value) for case in (Violations, Scripts, Afl)
                   for name, value in vars(case).items() if name.startswith("test_")}
        named = set()
        for rule, messages, tests in self.rows():
            self.assertTrue(messages and tests, rule)
            self.assertLessEqual(set(tests), set(planted), rule)
            for message in messages:  # a test of the row expects it
                expects = (f'"{message}"', f"self.assert_{message}(")
                self.assertTrue(any(word in planted[test] for test in tests for word in expects), (rule, message))
            named |= set(tests)
        good = {"a_good_target_breaks_no_rule", "a_script_of_one_line_passes", "afl_accepts_a_good_target"}
        self.assertEqual(named, set(planted) - good)


@contextlib.contextmanager
def set_out():
    """$OUT as a caller might have set it."""
    with unittest.mock.patch.dict(os.environ, {"OUT": "/somewhere"}):
        yield


@unittest.skipUnless(shutil.which("afl-fuzz") and oss_fuzz.AFL.is_dir(), "there is no afl-fuzz")
class Afl(unittest.TestCase):
    def faults(self, body, instrumented=True, after="", **files):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        compilers = oss_fuzz.compiler_in(folder / "bin", "afl", folder / "calls.txt")
        out = folder / "out"
        out.mkdir()
        (folder / "t.cpp").write_text(TARGET.replace("BODY", body) + after)
        compiler = [compilers["CXX"]] if instrumented else ["clang++-19", str(oss_fuzz.AFL / "afl-compiler-rt.o")]
        subprocess.run([*compiler, "-O1", "-fsanitize=address", folder / "t.cpp", compilers["LIB_FUZZING_ENGINE"],
                        "-o", out / "t"], check=True, capture_output=True)
        for name, data in files.items():
            (out / name.replace("__", ".")).write_bytes(data)
        return oss_fuzz.check_afl(out / "t", 5)

    def assert_afl(self, words, faults):
        self.assertEqual([fault.split(":")[0] for fault in faults], ["afl"])
        self.assertRegex(faults[0], words)

    def seeds(self, text):
        with tempfile.TemporaryFile() as file:
            with zipfile.ZipFile(file, "w") as out:
                out.writestr("seed", text)
            file.seek(0)
            return file.read()

    def test_afl_accepts_a_good_target(self):
        self.assertEqual(self.faults("", t__dict=b'"word"\n', t_seed_corpus__zip=self.seeds("text")), [])
        self.assertEqual(self.faults('FILE* f = fopen("/tmp/here", "w"); if (!f) abort(); fclose(f);'), [])

    def test_afl_refuses_a_target_that_fails_on_each_input(self):
        self.assert_afl("on the seed", self.faults("abort();"))

    def test_afl_refuses_a_target_without_coverage(self):
        self.assert_afl("failed|no coverage", self.faults("", instrumented=False))

    def test_afl_refuses_a_target_that_crashes_before_its_first_input(self):
        early = "__attribute__((constructor)) static void early() { abort(); }"
        self.assert_afl("crashes at its start", self.faults("", after=early))

    def test_afl_refuses_a_target_that_crashes_while_it_runs(self):
        self.assert_afl("crashes on id", self.faults("if (size > 20) abort();"))

    def test_afl_refuses_a_seed_that_crashes(self):
        body = 'if (size == 16 && memcmp(data, "the seed of the ", 16) == 0) abort();'
        self.assert_afl("on the seed .*seed", self.faults(body, t_seed_corpus__zip=self.seeds("the seed of the ")))

    def test_afl_refuses_a_dictionary_that_cannot_be_read(self):
        self.assert_afl("dictionary", self.faults("", t__dict=b'"unfinished\n'))

    def test_afl_confines_the_target(self):
        for body in ('FILE* f = fopen("here", "w"); if (!f) abort(); fclose(f);',
                     'if (!getenv("OUT")) abort();',
                     f'if (access("{ROOT}/oss-fuzz/build.sh", R_OK) != 0) abort();'):
            with set_out():
                self.assert_afl("on the seed", self.faults(body))


if __name__ == "__main__":
    os.environ.setdefault("TMPDIR", "/tmp")
    unittest.main()
