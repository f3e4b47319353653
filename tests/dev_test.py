#!/usr/bin/env python3
"""What ./dev promises before anything is built, with programs in the place of apt-get, dpkg-query and cmake; and what it
configures, where only the packages are seen that it installs for that.

usage: dev_test.py ROOT
"""
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import processes

ROOT = Path()

# Each writes its arguments to $CALLS.
PROGRAMS = {
    "apt-get": "exit 1",
    "dpkg-query": 'for word in "$@"; do echo "$word:installed"; done',
    "cmake": """
case " $* " in
  *" --build "*"$FAILS"*) echo 'error: no such type'; exit 1 ;;
  *" --build "*) echo "$BUILD_OUTPUT" ;;
  *" --preset "*) echo '-- Configuring done'; mkdir -p build/$2; touch build/$2/build.ninja ;;
  *"$FAILS"*) echo 'error: no such library'; exit 1 ;;
  *) echo "${1#-D}" | sed 's/=/:BOOL=/' >>build/release/CMakeCache.txt ;;
esac""",
}
LOCKSTEP = "build/release/bin/lockstep"
BUILD = "[ 50% 100.250] Building CXX object puyo.cpp.o\n[100% 200.5] Linking CXX executable lockstep"


class Dev(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        ci = [f"ci/{each.name}" for each in (ROOT / "ci").iterdir() if each.is_file()]
        for name in ("dev", "CMakeLists.txt", "lab/lab.sh", *ci):
            (self.folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        for name, body in PROGRAMS.items():
            self.tool(name, f'echo "{name} $*" >>"$CALLS"\n{body}\n')
        self.program(LOCKSTEP, 'echo "lockstep $*"\n')
        self.calls = self.folder / "calls"
        self.command = ["sh", str(self.folder / "dev")]
        self.environment = {**os.environ, "PATH": f"{self.folder}/programs:{os.environ['PATH']}", "CALLS": str(self.calls),
                            "BUILD_OUTPUT": BUILD, "FAILS": "nothing fails", "TMPDIR": str(self.folder)}

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def tool(self, name, text):
        """A program that is found before the machine's own."""
        self.program(f"programs/{name}", text)

    def dev(self, *words, expected=0, terminal=False, **environment):
        """Standard output, and standard error."""
        environment = self.environment | environment
        if not terminal:
            result = processes.run(*self.command, *words, environment=environment, expected=expected)
            return result.stdout, result.stderr
        ours, theirs = pty.openpty()
        with subprocess.Popen([*self.command, *words], env=environment, stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
            os.close(theirs)
            said = b""
            while True:
                try:
                    part = os.read(ours, 4096)
                except OSError:  # how a terminal reports that its other end is closed
                    break
                said += part
            os.close(ours)
            out = process.stdout.read()
        self.assertEqual(process.returncode, expected, said)
        return out, said.decode()

    def called(self):
        return self.calls.read_text() if self.calls.exists() else ""

    def called_by(self, *words):
        """What this command alone calls."""
        self.calls.unlink(missing_ok=True)
        self.dev(*words)
        return self.called()

    def test_a_builds_progress_is_one_line_that_vanishes(self):
        out, said = self.dev("fuzz", "omok", terminal=True)
        self.assertIn("lockstep fuzz", out)
        self.assertIn("dev: build 1 of 2 (build/release): 50 %, about 2 minutes left", said)
        self.assertIn("dev: build 2 of 2 (build/fuzz): 100 %, about 0 s left\r\033[K", said)
        self.assertNotIn("Building CXX", said)
        self.assertNotIn("Configuring", said)
        self.assertEqual(list(self.folder.glob("tmp.*")), [])

    def test_what_is_missing_is_installed(self):
        self.tool("dpkg-query", "echo g++:installed; echo lib-clang-19:installed; exit 1\n")
        self.tool("apt-get", 'echo "apt-get $*" >>"$CALLS"\n')
        self.tool("sudo", '"$@"\n')
        self.dev("build")
        self.assertRegex(self.called(), r"apt-get install .* cmake ninja-build clang-19 .*nlohmann-json3-dev\n")
        self.assertNotIn("g++", self.called())

    def test_an_up_to_date_machine_prints_nothing(self):
        self.dev("build")
        _, said = self.dev("run", "list", terminal=True, BUILD_OUTPUT="ninja: no work to do.")
        self.assertEqual(said.replace("\r\033[K", ""), "")
        self.assertEqual(self.dev("run", "list")[1], "")

    def test_a_build_that_fails_is_shown_whole(self):
        for terminal in (False, True):
            _, said = self.dev("run", "list", expected=3, terminal=terminal, FAILS="lockstep")
            self.assertIn("error: no such type", said)

    def test_a_build_that_fails_fails_its_part_of_the_tests(self):
        self.tool("ctest", 'echo "ctest $*" >>"$CALLS"\n')
        for part, target in (("long", "fuzz_omok"), ("hostile", "hostile")):
            _, said = self.dev("test", part, expected=3, FAILS=target)
            self.assertIn("error: no such type", said)
            self.assertNotIn("ctest", self.called())

    def test_the_last_lines_count_what_was_skipped(self):
        results = """<testsuite><testcase name="ran" status="run"><system-out>test_a (A.a)
What it does. ... skipped 'no mounts'
test_b (A.b) ... skipped 'no mounts'
</system-out></testcase>
<testcase name="left.out" status="notrun"><skipped message=""/><system-out>a.cpp:1: Skipped
no user nobody
</system-out></testcase></testsuite>"""
        self.tool("ctest", f"""
while [ "$1" != --output-junit ]; do shift; done
cat >"$2" <<'END'
{results}
END
""")
        _, said = self.dev("test", "docs")
        self.assertRegex(said, r"docs: tests .*processor time\ndocs: skipped +2 tests: no mounts \(ran\)\n"
                               r"docs: skipped +1 test: no user nobody \(left\.out\)\n$")

    def test_what_parts_name_is_there(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        known = {kind: {each["name"] for each in presets[f"{kind}Presets"]} for kind in ("configure", "build", "test")}
        steps = re.findall("^    ([a-z]+) ?([^ \n]*)(.*)", (ROOT / "ci/parts").read_text(), re.MULTILINE)
        self.assertGreater(len(steps), 50)
        for verb, first, rest in steps:
            if verb in known:
                self.assertIn(first, known[verb])
            for needs in re.findall(r"\$(\w+)", first + rest) if verb == "install" else []:
                self.assertIn(f"\n{needs}=", (ROOT / "ci/build.sh").read_text())

    def test_two_commands_take_turns_in_a_build(self):
        self.dev("build")
        first_builds = self.folder / "first_builds"
        self.tool("cmake", f"""
[ "$1" = --build ] || exit 0
[ -e {first_builds}.done ] && exit 0
touch {first_builds}
for each in $(seq 1000); do [ -e {first_builds}.end ] && break; sleep 0.01; done
touch {first_builds}.done
""")
        command = [*self.command, "build"]
        with subprocess.Popen(command, env=self.environment, stderr=subprocess.DEVNULL) as first:
            while not first_builds.exists():
                time.sleep(0.01)
            with subprocess.Popen(command, env=self.environment, stderr=subprocess.PIPE, text=True) as second:
                self.assertEqual(second.stderr.readline(),
                                 "dev: waiting for another command that builds in build/release\n")
                Path(f"{first_builds}.end").touch()
                self.assertEqual(second.stderr.read(), "dev: build/release/bin/lockstep\n")
            self.assertEqual((first.wait(), second.returncode), (0, 0))

    def test_the_prover_is_added_to_the_release_build_once(self):
        self.program("build/release/bin/lockstep-prove", 'echo "lockstep-prove $*"\n')
        _, said = self.dev("prove", "omok")
        self.assertIn("dev: first build (build/release): lockstep-prove\n", said)
        self.dev("prove", "omok", "--confirm")
        self.dev("prove", "omok", "--confirm")
        configured = [line for line in self.called().splitlines() if line.startswith("cmake") and "--build" not in line]
        self.assertEqual(configured, ["cmake --preset release -DLOCKSTEP_TESTS=OFF -DLOCKSTEP_BENCHMARKS=OFF",
                                      "cmake -DLOCKSTEP_PROOF=ON build/release",
                                      "cmake -DLOCKSTEP_CONFIRM=ON build/release"])

    def test_a_prover_that_cannot_be_configured_is_taken_back(self):
        _, said = self.dev("prove", "omok", expected=3, FAILS="-DLOCKSTEP_PROOF=ON")
        self.assertIn("error: no such library", said)
        self.assertIn("cmake -DLOCKSTEP_PROOF=OFF build/release\n", self.called())

    def test_help_neither_installs_nor_builds(self):
        for command in ("fuzz", "run", "build", "test", "mutants", "coverage", "lab", "prove", "bench", "compare",
                        "format", "tidy"):
            said, _ = self.dev(command, "--help")
            self.assertNotRegex(self.called(), "apt-get|cmake", command)
            if command in ("build", "test"):  # dev's own texts
                self.assertEqual([line for line in said.splitlines() if len(line) > 80], [])
            if command in ("build", "lab", "format", "tidy"):
                self.assertRegex(said, rf"^\./dev {command} .*\n( +.*\n)*$")

    def test_a_wrong_command_is_told_in_one_line(self):
        _, said = self.dev("explore", expected=2)
        self.assertRegex(said, r"^dev: there is no command 'explore': .*\n$")

    def test_a_missing_or_wrong_word_is_told_first(self):
        no_game = "there is no game 'chess'; there are: "
        for command, message in (
                *((each, no_game) for each in (
                    "fuzz chess", "fuzz --seconds 20 chess", "run fuzz omok chess", "run bench chess", "run grade chess",
                    "run stress chess --cmd ./a.out", "run gen chess", "run judge chess one.txt", "lab equivalents chess")),
                ("lab refutation puyo", "refutations first, got 'refutation'\n"),
                ("lab refutations", "refutations: expected a game first: puyo "),
                ("mutants omo.", "mutants: expected a game first: puyo ")):
            _, said = self.dev(*command.split(), expected=2)
            self.assertIn(message, said)
            self.assertEqual(self.called(), "", command)

    def test_a_problems_number_names_a_game(self):
        out, _ = self.dev("run", "stress", "2615", "--cmd", "./a.out")
        self.assertEqual(out, "lockstep stress 2615 --cmd ./a.out\n")

    def test_fuzz_builds_the_targets_of_the_named_games_only(self):
        for words, targets in ((["omok"], "fuzz_omok"), (["omok", "puyo", "--seconds", "1"], "fuzz_omok fuzz_puyo"),
                               (["--seconds", "20", "omok"], "fuzz_omok"), (["--json", "omok"], "fuzz_omok"),
                               (["--with=naive", "omok"], "fuzz_omok"), (["--with", "omok"], "fuzz_puyo fuzz_block_game fuzz_stacking fuzz_ts_tetris fuzz_omok")):
            self.assertIn(f"cmake --build --preset fuzz --target {targets}\n", self.called_by("fuzz", *words))

    def test_fuzz_builds_what_the_named_engines_need(self):
        for engines, presets in (([], ["fuzz"]), (["--engine", "uniform,libfuzzer"], ["fuzz"]), (["--engine=swarm"], []),
                                 (["--engine", "libfuzzer-fast", "--engine", "libfuzzer"], ["fuzz", "fuzz-fast"])):
            built = re.findall("cmake --build --preset (.*) --target", self.called_by("fuzz", "omok", *engines))
            self.assertEqual(sorted({*built}), [*presets, "release"], engines)

    def first_search(self, status):
        """A program that ends with this status when it searches without fuzz targets."""
        self.program(LOCKSTEP, f"""
echo "lockstep $*" | tee -a "$CALLS"
case " $* " in *" --engine "*) exit {status} ;; esac
""")

    def test_the_first_search_does_not_wait_for_the_fuzz_targets(self):
        self.first_search(0)
        out, said = self.dev("fuzz", "omok", "--seed", "1")
        whole = "lockstep fuzz omok --seed 1\n"
        first = whole.replace("omok", "--engine uniform,swarm,suggested,mutated omok")
        self.assertEqual(out, whole)
        self.assertIn(first, said)
        self.assertTrue(self.called().endswith(whole))
        for words in (["--seconds", "7200"], ["--seconds=7200"], ["--runs", "9"], ["--runs=9"]):
            self.assertIn(f"{' '.join(words)} --seconds 60\n", self.dev("fuzz", "omok", *words)[1])
        for words in (["--seconds", "5.5"], ["--seconds", "5.5", "--runs", "9"]):
            self.assertNotIn("--seconds 60", self.dev("fuzz", "omok", *words)[1])
        self.program("build/fuzz/bin/fuzz_omok", "")
        self.assertEqual(self.dev("fuzz", "omok", "--seed", "1"), (whole, ""))

    def test_with_keep_going_there_is_no_first_search(self):
        self.first_search(1)
        out, _ = self.dev("fuzz", "omok", "--keep-going", "--seed", "1")
        self.assertEqual(out, "lockstep fuzz omok --keep-going --seed 1\n")
        searches = [line for line in self.called().splitlines() if line.startswith("lockstep")]
        self.assertEqual(searches, ["lockstep fuzz omok --keep-going --seed 1"])

    def test_fuzz_targets_that_do_not_build_are_told_after_the_first_search(self):
        self.first_search(0)
        out, said = self.dev("fuzz", "omok", expected=3, FAILS="fuzz_omok")
        self.assertEqual(out, "")
        self.assertRegex(said, r"lockstep fuzz (.*\n)*error: no such type\n$")

    def test_the_build_ends_with_what_the_first_search_finds_and_with_ctrl_c(self):
        builder = self.folder / "builder"
        self.tool("cmake", f"""
case " $* " in
  *" --build "*fuzz_omok*) echo $$ >{builder}; sleep 1000 ;;
  *" --preset "*) mkdir -p build/$2; touch build/$2/build.ninja ;;
esac""")
        found = f"until [ -s {builder} ]; do sleep 0.01; done; echo found; exit 1\n"
        searches = self.folder / "searches"
        waits = f"touch {searches}; while :; do sleep 0.01; done\n"
        stopped, reports = f"trap 'exit 130' INT; {waits}", f"trap 'echo found; exit 1' INT; {waits}"
        for body, ctrl_c, expected in ((found, False, (1, "found\n")), (stopped, True, (130, "")), (reports, True, (1, "found\n"))):
            builder.unlink(missing_ok=True)
            searches.unlink(missing_ok=True)
            self.program(LOCKSTEP, body)
            with subprocess.Popen([*self.command, "fuzz", "omok"], env=self.environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True) as dev:
                while ctrl_c and not (builder.exists() and builder.read_text() and searches.exists()):
                    time.sleep(0.01)
                if ctrl_c:
                    os.killpg(dev.pid, signal.SIGINT)
                out = dev.stdout.read()
            self.assertEqual((dev.returncode, out), expected)
            self.assert_ends(int(builder.read_text()))

    def assert_ends(self, process):
        for _ in range(1000):
            try:
                if " Z " in Path(f"/proc/{process}/stat").read_text():  # ended, and not waited for by its parent
                    return
            except (FileNotFoundError, ProcessLookupError):  # the latter where it ends while it is read
                return
            time.sleep(0.01)
        self.fail(f"process {process} is still there")

    def test_the_systems_of_a_plugin_are_left_to_the_program(self):
        out, _ = self.dev("run", "bench", "chess", "--plugin", "chess.so")
        self.assertEqual(out, "lockstep bench chess --plugin chess.so\n")
        called = self.called_by("fuzz", "chess", "--plugin", "chess.so")
        self.assertEqual(re.findall("--target .*", called), ["--target lockstep"])


def packages_with_needs(names):
    """The installed packages among these, with those that they depend on and those that each Debian has."""
    fields = "${Package}\t${Essential}\t${Priority}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
    needs, given = {}, {}
    left = set(names)
    listed = processes.run("dpkg-query", "-W", "-f", fields, expected=0)
    for line in listed.stdout.splitlines():
        name, essential, priority, provides, depends = line.split("\t")
        needs[name] = [re.findall(r"(?:^|\|)\s*([^\s:(|]+)", each) for each in depends.split(",") if each.strip()]
        for other in provides.split(","):
            given.setdefault(other.strip().split(" ")[0], []).append(name)
        if essential == "yes" or priority == "required":
            left.add(name)
    out = set()
    while left:
        name = left.pop()
        out.add(name)
        for choices in needs[name]:
            there = [found for choice in choices for found in ([choice] if choice in needs else given.get(choice, []))]
            left.update(set(there[:1]) - out)
    return out


class Scripts(unittest.TestCase):
    @unittest.skipUnless(shutil.which("shellcheck"), "no shellcheck")
    def test_they_pass_shellcheck(self):
        scripts = [ROOT / "dev", ROOT / ".ci/run", *ROOT.glob("*/*.sh"), *ROOT.glob("ci/*/*.sh")]
        scripts += [each for each in (ROOT / "ci").iterdir() if each.is_file() and each.read_text().startswith("#!/bin/sh")]
        # From the root, because it looks there for the file that dev reads.
        result = processes.run("shellcheck", *scripts, cwd=ROOT)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_dev_fits_in_350_lines(self):
        self.assertLessEqual(len((ROOT / "dev").read_text().splitlines()), 350)


class Configures(unittest.TestCase):
    """A tool or library that happens to be installed must not be needed: a folder that links to the files of the right
    packages stands for the whole file system when CMake looks for something."""

    @classmethod
    def setUpClass(cls):
        wanted = re.search('^needs_build="(.*)"$', (ROOT / "ci/build.sh").read_text(), re.MULTILINE)[1].split()
        if not shutil.which("dpkg-query") or processes.run("dpkg-query", "-W", *wanted).returncode:
            raise unittest.SkipTest("this machine has not the packages of Debian with which ./dev builds")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        listed = processes.run("dpkg-query", "-L", *packages_with_needs(wanted), expected=0).stdout.splitlines()
        files = {each for each in listed if each.startswith("/") and not each.startswith("/usr/share/doc")}
        for place in ("/usr/bin", "/usr/sbin"):  # links such as awk that a package makes when it is installed
            files |= {str(each) for each in Path(place).iterdir()
                      if os.path.realpath(each) in files or str(each).removeprefix("/usr") in files}
        for file in files:
            link = cls.folder / "system" / file[1:]
            if os.path.isfile(file) and not file.startswith(("/bin", "/sbin")):
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(file)
        shutil.copytree(ROOT, cls.folder / "tree", ignore=shutil.ignore_patterns("build", ".git", "findings", "corpus"))
        programs = cls.folder / "programs"
        programs.mkdir()
        root = cls.folder / "system"
        kinds = ("PROGRAM", "LIBRARY", "INCLUDE", "PACKAGE")
        only = "".join(f" -DCMAKE_FIND_ROOT_PATH_MODE_{kind}=ONLY" for kind in kinds)
        for name, body in {
            "apt-get": "exit 1",
            "dpkg-query": PROGRAMS["dpkg-query"],
            "cmake": f'[ "$1" != --preset ] || exec {root}/usr/bin/cmake "$@" -DCMAKE_FIND_ROOT_PATH={root}{only}',
        }.items():
            (programs / name).write_text(f"#!/bin/sh\n{body}\n")
            (programs / name).chmod(0o755)
        cls.environment = {"PATH": f"{programs}:{root}/usr/sbin:{root}/usr/bin", "LANG": "C.UTF-8", "HOME": folder.name}

    def configured_by(self, *words):
        """The presets that a command configures. (What it would run is not there.)"""
        build = self.folder / "tree/build"
        shutil.rmtree(build, ignore_errors=True)
        result = processes.run("sh", self.folder / "tree/dev", *words, env=self.environment)
        self.assertNotIn("CMake Error", result.stderr)
        return sorted(path.parent.name for path in build.glob("*/build.ninja"))

    def test_python_is_not_seen(self):
        self.assertTrue(shutil.which("awk", path=self.environment["PATH"]))
        self.assertFalse(shutil.which("python3", path=self.environment["PATH"]))

    def test_the_first_commands_need_what_they_install(self):
        for words, presets in ((["build"], ["release"]), (["fuzz", "omok"], ["fuzz", "release"])):
            self.assertEqual(self.configured_by(*words), presets)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # where it is ignored, sh could not trap it
    ROOT = Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
