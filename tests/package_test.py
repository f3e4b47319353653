#!/usr/bin/env python3
"""Other projects use Lockstep: installed, as a Debian package, and as a subproject, with g++, clang and libc++.

usage: package_test.py ROOT BUILD     BUILD is a build folder of ROOT with the target lockstep up to date

Builds tests/package in ROOT/build/packages, which stays for the next run. examples_test.py builds examples/.
"""
import os
import re
import shutil
import sys
import unittest
from pathlib import Path

from processes import run
from stress_programs import programs


ROOT, BUILD = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
WORK = ROOT / "build" / "packages"
OUTSIDE = ROOT / "tests" / "package"
PREFIX = WORK / "prefix"
GCC = ["-DCMAKE_CXX_COMPILER=g++"]
CLANG = ["-DCMAKE_CXX_COMPILER=clang++-19"]
LIBCXX = [*CLANG, "-DCMAKE_CXX_FLAGS=-stdlib=libc++"]
for name in [name for name in os.environ if name.startswith("LOCKSTEP")]:
    del os.environ[name]
os.environ |= {"CCACHE_SLOPPINESS": "pch_defines,time_macros", "CMAKE_CXX_COMPILER_LAUNCHER": shutil.which("ccache") or ""}
INSTALLED = [f"-DCMAKE_PREFIX_PATH={PREFIX}"]
SUBDIRECTORY = ["-DWAY=subdirectory"]
FETCHED = ["-DWAY=fetch", f"-DFETCHCONTENT_SOURCE_DIR_LOCKSTEP={ROOT}"]
# A project outside has none of the test libraries, and nothing may be downloaded.
BARE = ["-DFETCHCONTENT_FULLY_DISCONNECTED=ON",
        *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("GTest", "rapidcheck", "benchmark"))]


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def succeeds(*command, **options) -> str:
    return run(*command, expected=0, **options).stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        succeeds("cmake", "--install", BUILD, "--prefix", fresh(PREFIX))

    def configure(self, name: str, *options, expected=0):
        """Configures as if for the first time, but keeps what is compiled."""
        (WORK / name / "CMakeCache.txt").unlink(missing_ok=True)
        return run("cmake", "-G", "Ninja", "-S", OUTSIDE, "-B", WORK / name, "-DCMAKE_BUILD_TYPE=Release", *BARE,
                   f"-DLOCKSTEP_SOURCE={ROOT}", *options, expected=expected)

    def refused(self, name: str, *options) -> str:
        """The reason why a project cannot be configured, as one line: CMake wraps it."""
        return re.sub(r"\s+", " ", self.configure(name, *options, expected=1).stderr)

    def builds(self, name: str, *options) -> Path:
        folder = WORK / name
        folder.mkdir(parents=True, exist_ok=True)
        headers = sorted(path.relative_to(ROOT).as_posix() for room in ("lockstep", "campaign", "programs")
                         for pattern in ("*.hpp", "*.h") for path in (ROOT / room).rglob(pattern))
        absent = ("tools/verbs.hpp", "games/omok/game.hpp", "props/golden.hpp")
        source = "".join(f"#include <{header}>\n" for header in headers)
        source += "".join(f"#if __has_include(<{path}>)\n#error {path} is visible\n#endif\n" for path in absent)
        file = folder / "headers.cpp"
        if not file.exists() or file.read_text() != source:  # otherwise it would be compiled again
            file.write_text(source)
        self.configure(name, *options)
        succeeds("cmake", "--build", folder)
        run(folder / "counters", "fuzz", "--seconds", "1", "--seed", "1", cwd=folder, expected=1)
        cases = run("ctest", cwd=folder).stdout
        self.assertRegex(cases, r"counters\.agrees \.+ +Passed")
        self.assertRegex(cases, r"counters\.differs \.+\*\*\*Failed")
        self.assertIn("out of 2\n", cases)
        return folder

    def test_an_installed_copy_serves_both_compilers(self):
        self.builds("installed-gcc", *GCC, *INSTALLED)
        self.builds("installed-clang", *CLANG, *INSTALLED)

    def test_a_subdirectory_brings_the_same_targets(self):
        folder = self.builds("subdirectory-gcc", *GCC, *SUBDIRECTORY)
        self.assertNotIn("lockstep:", succeeds("ninja", "-C", folder, "-t", "targets", "all").replace("lockstep/", ""))

    def test_fetched_content_brings_the_same_targets(self):
        self.builds("fetched-clang", *CLANG, *FETCHED)

    def test_libcxx_is_served_by_fetched_content_only(self):
        self.builds("fetched-libcxx", *LIBCXX, *FETCHED)
        self.assertIn("compiled for libstdc++, and this project uses libc++: use FetchContent or add_subdirectory, ",
                      self.refused("installed-libcxx", *LIBCXX, *INSTALLED))

    def test_an_installed_copy_refuses_debug_containers(self):
        folder = WORK / "installed-debug"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "headers.cpp").touch()
        self.configure("installed-debug", *GCC, *INSTALLED, "-DCMAKE_CXX_FLAGS=-D_GLIBCXX_DEBUG")
        refused = run("cmake", "--build", folder, "--target", "popcount")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("The installed Lockstep is compiled without _GLIBCXX_DEBUG", refused.stdout + refused.stderr)

    def test_a_fuzz_target_is_built_by_clang_only(self):
        folder = self.builds("installed-clang", *CLANG, *INSTALLED, "-DFUZZ_TARGET=ON")
        # The program starts the target, because it is in the same folder.
        found = run(folder / "popcount", "fuzz", "--engine", "libfuzzer", "--runs", "1000000", "--seed", "1", cwd=folder,
                    expected=1)
        self.assertIn("found by:  libfuzzer, after ", found.stdout)
        refused = self.refused("refused", *GCC, *INSTALLED, "-DFUZZ_TARGET=ON")
        self.assertIn("lockstep_add_fuzz_target(fuzz_popcount): /usr/bin/g++ has no libFuzzer", refused)

    def test_a_fuzz_target_links_with_the_engine_of_the_environment(self):
        # The simplest engine, which g++ compiles too.
        engine = WORK / "engine.o"
        succeeds("g++", "-std=c++23", "-I", ROOT, "-c", ROOT / "fuzz/replay_main.cpp", "-o", engine)
        os.environ["LIB_FUZZING_ENGINE"] = str(engine)
        self.addCleanup(os.environ.pop, "LIB_FUZZING_ENGINE")
        folder = self.builds("installed-engine", *GCC, *INSTALLED, "-DFUZZ_TARGET=ON")
        (folder / "input").write_bytes(bytes(8))
        succeeds(folder / "fuzz_popcount", folder / "input", cwd=folder)

    def test_the_debian_package_installs_and_serves_a_project(self):
        debs = fresh(WORK / "deb")
        succeeds("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", debs)
        deb, = debs.glob("*.deb")
        succeeds("dpkg-deb", "-x", deb, debs / "root")
        depends = succeeds("dpkg-deb", "-f", deb, "Depends")
        self.assertRegex(depends, r"libstdc\+\+-12-dev")
        self.assertRegex(depends, r"libc6 \(>= ")
        self.assertNotRegex(depends, r"fmt|cli11|nlohmann")
        program = debs / "root/usr/bin/lockstep"
        self.assertRegex(succeeds(program, "--version"), r"^lockstep \d+\.\d+\.\d+, ")
        # It brings its corpora: a few scenarios are enough, wherever it runs.
        found = run(program, "fuzz", "puyo", "--with", "nine_chains_at_most", "--runs", "20", "--jobs", "1", "--seed", "3",
                    "--engine", "mutated", "--no-canary", cwd=debs, expected=1)
        self.assertIn(f"corpus {debs}/root/usr/share/lockstep/corpus\n", found.stderr)
        # It plants changes with the scripts that are installed beside it.
        succeeds(program, "gen", "omok", "--strong", "--solution", programs(ROOT) / "omok/right.cpp",
                      "--seconds", "1", "--seed", "1", "--corpus", "none", "--out", debs / "inputs", cwd=debs)
        self.assertRegex((debs / "inputs/contents.txt").read_text(), r"line \d+: ")
        self.builds("deb-gcc", *GCC, f"-DCMAKE_PREFIX_PATH={debs}/root/usr")

    def test_an_archive_has_no_revision(self):
        # Neither has a copy inside another repository: this folder is inside that of the tree.
        header = fresh(WORK / "archive") / "revision.hpp"
        header.parent.mkdir()
        for source, expected in ((header.parent, "unknown revision"), (ROOT, "revision ")):
            succeeds("cmake", f"-DSOURCE={source}", "-DVERSION=1", f"-DFILE={header}", "-P", ROOT / "cmake/Revision.cmake")
            if (ROOT / ".git").exists() or source != ROOT:
                self.assertIn(f'REVISION "{expected}', header.read_text())


if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    unittest.main(verbosity=2)
