#!/usr/bin/env python3
"""Plays OSS-Fuzz's base image and runner: builds by build.sh as their image does, and checks as their runner does.

usage: oss_fuzz.py ROOT [--engine libfuzzer|afl] [--sanitizer address|undefined|none] [--seconds 10] [-- CMAKE_OPTION…]

Exit status: 0 when every rule holds, 1 with a line for each broken rule, 3 when a tool is missing. oss-fuzz/README.md
has the table of the rules, with their places in google/oss-fuzz; oss_fuzz_test.py shows each of them failing.

What stands in for theirs: clang++-19 with Debian's libc++ 19, linked statically as theirs is. Debian's libFuzzer needs
libstdc++, so it becomes one object with a libstdc++ of its own, whose symbols nothing else sees; theirs carries its
library in the same way. Debian's AFL++ instruments with clang-14, which is too old for this tree: clang-19's
trace-pc-guard with AFL++'s runtime and driver stands in for afl-clang-fast.
"""
from __future__ import annotations

import argparse
import configparser
import filecmp
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

# infra/base-images/base-runner/bad_build_check
EDGES_MIN = 100
ASAN_CALLS_MIN = 1000
UBSAN_CALLS_MIN = 168
UBSAN_CALLS_OF_CLANG_19 = 180  # its runtime alone has fewer; theirs has 165
UBSAN_CALLS_MAX_WITHOUT = 200
MSAN_CALLS_MAX_WITHOUT = 3
RUNS = 4
# infra/base-images/base-runner/test_all.py
BROKEN_PERCENT_MAX = 10
# infra/utils.py
TARGET_NAME = re.compile(r"^[a-zA-Z0-9_-]+$")
# Ours: build.sh packs seeds for every other fuzz_NAME.
WITHOUT_SEEDS = {"fuzz_interval_set"}

# infra/base-images/base-clang/Dockerfile, base-builder/Dockerfile and base-runner/Dockerfile
CFLAGS = ("-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-error=incompatible-function-pointer-types "
          "-Wno-error=int-conversion -Wno-error=deprecated-declarations -Wno-error=implicit-function-declaration "
          "-Wno-error=implicit-int -Wno-error=unknown-warning-option -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION")
UBSAN = ("array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,"
         "returns-nonnull-attribute,shift,signed-integer-overflow,{}unreachable,vla-bound,vptr")
SANITIZER_FLAGS = {
    "address": "-fsanitize=address -fsanitize-address-use-after-scope",
    "undefined": f"-fsanitize={UBSAN.format('unsigned-integer-overflow,')} -fno-sanitize-recover={UBSAN.format('')}",
    "none": "",
}
COVERAGE_FLAGS = {"libfuzzer": "-fsanitize=fuzzer-no-link", "afl": ""}
RUNNER_OPTIONS = {
    "ASAN_OPTIONS": "alloc_dealloc_mismatch=0:allocator_may_return_null=1:allocator_release_to_os_interval_ms=500:"
                    "check_malloc_usable_size=0:detect_container_overflow=1:detect_odr_violation=0:detect_leaks=1:"
                    "detect_stack_use_after_return=1:fast_unwind_on_fatal=0:handle_abort=1:handle_segv=1:"
                    "handle_sigill=1:max_uar_stack_size_log=16:print_scariness=1:quarantine_size_mb=10:strict_memcmp=1:"
                    "symbolize=0:use_sigaltstack=1:dedup_token_length=3",
    "UBSAN_OPTIONS": "print_stacktrace=1:print_summary=1:silence_unsigned_overflow=1:symbolize=0:dedup_token_length=3",
}
FUZZER_ARGS = ["-rss_limit_mb=2560", "-timeout=25"]
# infra/base-images/base-runner/run_fuzzer; the last two are for a machine without a screen and with few cores.
AFL_OPTIONS = {
    **{name: f"{value}:abort_on_error=1:symbolize=0" for name, value in RUNNER_OPTIONS.items()},
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_TRY_AFFINITY": "1",
    "AFL_FAST_CAL": "1", "AFL_CMPLOG_ONLY_NEW": "1", "AFL_FORKSRV_INIT_TMOUT": "30000", "AFL_IGNORE_PROBLEMS": "1",
    "AFL_IGNORE_UNKNOWN_ENVS": "1", "AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1",
}

# What every Ubuntu image has: the C library with its parts, and the compiler's unwinder.
RUNNER_LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libresolv.so.2",
                    "libgcc_s.so.1", "ld-linux-x86-64.so.2"}

AFL = Path("/usr/lib/afl")
# The compiler that build.sh gets: records its arguments, then compiles; $ENGINE_FLAGS and the rest are filled in.
WRAPPER = r"""#!/bin/bash
# Stands in for the compiler of OSS-Fuzz's image.
{ printf '%q ' "$PWD" "$@"; echo; } >>@LOG@
link=1
words=()
for word in "$@"; do
  case $word in
    -c | -E | -S | -M | -MM | -fsyntax-only) link= ;;
    -fsanitize=fuzzer) word=-fsanitize=fuzzer-no-link; engine=@ENGINE@ ;;
  esac
  words+=("$word")
done
[ -z "${engine:-}" ] || [ -z "$link" ] || words+=("$engine")
exec @CACHE@ @COMPILER@ @COMPILE@ "${words[@]}" ${link:+@LINK@}
"""


@dataclass
class Build:
    """What build.sh left, and how it compiled."""
    out: Path
    calls: list[list[str]] = field(default_factory=list)  # of the compiler: the folder, then the arguments
    flags: str = ""  # $CXXFLAGS
    engine: str = "libfuzzer"
    link_engine: str = "-fsanitize=fuzzer"  # $LIB_FUZZING_ENGINE
    sanitizer: str = "address"


def run(*command, **keywords) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace",
                          check=False, **keywords)


class Missing(Exception):
    """A tool of this script is not installed."""


def need(*commands: str) -> None:
    for command in commands:
        if not shutil.which(command):
            raise Missing(f"there is no {command}")


# The base image ---------------------------------------------------------------------------------


def engine_object(folder: Path) -> Path:
    """libFuzzer with its own libstdc++, as one object; see the head of this file."""
    result = folder / "libfuzzer.o"
    if result.exists():
        return result
    need("ld", "objcopy", "g++")
    archive = run("clang++-19", "-print-resource-dir").stdout.strip() + "/lib/linux/libclang_rt.fuzzer-x86_64.a"
    library = run("g++", "-print-file-name=libstdc++.a").stdout.strip()
    whole = folder / "libfuzzer.tmp.o"
    for command in (["ld", "-r", "--force-group-allocation", "--whole-archive", archive, "--no-whole-archive", library,
                     "-o", whole],
                    ["objcopy", "--wildcard", "--keep-global-symbol=LLVMFuzzer*", "--keep-global-symbol=__sanitizer_*",
                     "--keep-global-symbol=main", whole, result]):
        done = run(*command)
        if done.returncode != 0:
            raise Missing(f"cannot make the engine: {done.stderr}")
    return result


def write_if_new(path: Path, text: str) -> None:
    """Keeps the time of an equal file: a compiler cache goes by it."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    path.chmod(0o755)


def copy_tree(root: Path, to: Path) -> list[str]:
    """Copies the files that git knows or would add; equal files keep their times, so that a second build is short."""
    listed = run("git", "-C", root, "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard")
    names = [name for name in listed.stdout.splitlines() if (root / name).is_file()]
    for old in [path for path in to.rglob("*") if path.is_file()] if to.exists() else []:
        if str(old.relative_to(to)) not in names:
            old.unlink()
    for name in names:
        target = to / name
        if not target.exists() or not filecmp.cmp(root / name, target, shallow=False):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target)
    return names


def compiler_in(folder: Path, engine: str, log: Path) -> dict[str, str]:
    """Writes the compilers of the image; returns $CC, $CXX, $LIB_FUZZING_ENGINE."""
    folder.mkdir(parents=True, exist_ok=True)
    compile_flags, link_flags, link_engine = "", "", "-fsanitize=fuzzer"
    if engine == "afl":
        for file in ("afl-compiler-rt.o", "libAFLDriver.a"):
            if not (AFL / file).exists():
                raise Missing(f"there is no {AFL / file}: package afl++")
        compile_flags = "-fsanitize-coverage=trace-pc-guard"
        link_flags = f" {AFL / 'afl-compiler-rt.o'}"
        link_engine = str(AFL / "libAFLDriver.a")
    for name, compiler, libraries in (("clang", "clang-19", ""), ("clang++", "clang++-19", "-static-libstdc++")):
        text = WRAPPER
        for key, value in (("@LOG@", shlex.quote(str(log))), ("@COMPILER@", compiler), ("@COMPILE@", compile_flags),
                           ("@ENGINE@", shlex.quote(str(engine_object(folder)))), ("@LINK@", libraries + link_flags),
                           ("@CACHE@", "ccache" if shutil.which("ccache") else "")):
            text = text.replace(key, value)
        write_if_new(folder / name, text)
    return {"CC": str(folder / "clang"), "CXX": str(folder / "clang++"), "CCC": str(folder / "clang++"),
            "LIB_FUZZING_ENGINE": link_engine}


def build(root: Path, work: Path, engine: str, sanitizer: str, arguments: list[str],
          script: Path | None = None) -> tuple[Build, list[str]]:
    """Runs build.sh as `compile` does; returns the build and what is wrong with it."""
    need("clang++-19", "cmake", "ninja", "zip", "git")
    name = f"{engine}-{sanitizer}"
    source, out, intermediate = work / "src", work / f"out-{name}", work / f"work-{name}"
    log = work / f"calls-{name}.txt"
    shutil.rmtree(out, ignore_errors=True)
    for folder in (source, out, intermediate):
        folder.mkdir(parents=True, exist_ok=True)
    names = copy_tree(root, source / "lockstep")
    script = script or source / "lockstep" / "oss-fuzz" / "build.sh"
    compilers = compiler_in(work / f"bin-{engine}", engine, log)
    cflags = " ".join(f"{CFLAGS} {SANITIZER_FLAGS[sanitizer]} {COVERAGE_FLAGS[engine]}".split())
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(work / "home"), "SRC": str(source),
                   "OUT": str(out), "WORK": str(intermediate), "CFLAGS": cflags, "CXXFLAGS": f"{cflags} -stdlib=libc++",
                   "SANITIZER": sanitizer, "FUZZING_ENGINE": engine, "ARCHITECTURE": "x86_64",
                   "FUZZING_LANGUAGE": "c++",
                   **compilers, **{key: value for key, value in os.environ.items() if key.startswith("CCACHE_")},
                   "CCACHE_SLOPPINESS": "pch_defines,time_macros"}
    # ninja links again only what changed, so the calls of earlier builds count too, unless all is built anew.
    if not (intermediate / "lockstep").exists():
        log.unlink(missing_ok=True)
    log.touch()
    # The project's own use of a compiler cache would keep calls from the log.
    result = subprocess.run(["bash", "-eux", str(script), "-DLOCKSTEP_CCACHE=OFF", *arguments], cwd=source / "lockstep",
                            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    (work / f"log-{name}.txt").write_text(result.stdout)
    found = Build(out, [shlex.split(line) for line in log.read_text().splitlines()], environment["CXXFLAGS"], engine,
                  compilers["LIB_FUZZING_ENGINE"], sanitizer)
    faults = []
    if result.returncode != 0:
        faults.append(f"build: build.sh ended with {result.returncode}:\n{result.stdout[-3000:]}")
    gone = [name for name in names if not (source / "lockstep" / name).exists()]
    if gone:
        faults.append(f"sources: build.sh removed {gone[0]}; coverage reports need the sources")
    return found, faults


# The runner -------------------------------------------------------------------------------------


def with_entry(out: Path) -> list[Path]:
    """The programs that hold LLVMFuzzerTestOneInput, whatever their names and permissions are."""
    found = []
    for path in sorted(out.iterdir()):
        theirs = path.name == "llvm-symbolizer" or path.name.startswith("afl-")
        if path.is_file() and not theirs:
            data = path.read_bytes()
            if data.startswith(b"\x7fELF") and b"LLVMFuzzerTestOneInput" in data:
                found.append(path)
    return found


def find_targets(out: Path) -> list[Path]:
    """The executables among them: what the runner sees."""
    return [path for path in with_entry(out) if os.access(path, os.X_OK)]


def undone(call: list[str], flags: str) -> list[str]:
    """The words of a call that take back what $CXXFLAGS say."""
    given = flags.split()
    found = []
    for prefix in ("-O", "-stdlib="):
        wanted = [word for word in given if word.startswith(prefix)]
        said = [word for word in call if word.startswith(prefix)]
        if wanted and said and said[-1] != wanted[-1]:
            found.append(said[-1])
    back = ["-fno-sanitize=", "-fomit-frame-pointer", "-g0", "-UFUZZING_BUILD_MODE"]
    if any(word.startswith("-fsanitize=fuzzer") for word in given):  # not with AFL++: there the compiler itself adds it
        back.append("-fno-sanitize-coverage")
    return found + [word for word in call if word.startswith(tuple(back))]


def foreign_objects(call: list[str], outputs: dict[str, set[str]], engine: str) -> list[str]:
    """The objects in a link, and in its archives, that no recorded call of $CC or $CXX wrote.

    Goes by paths for objects, by names for the members of archives. Leaves out the libraries of the system.
    """
    found = []
    for word in call[1:]:
        path = Path(os.path.normpath(Path(call[0]) / word))
        if word == engine or path.is_relative_to("/usr") or path.is_relative_to("/lib"):
            continue
        if path.suffix == ".o" and str(path) not in outputs["paths"]:
            found.append(word)
        elif path.suffix == ".a":
            members = run("ar", "t", path)
            if members.returncode != 0:
                found.append(f"{word} ({members.stderr.strip()})")
            found += [f"{name} in {word}" for name in map(os.path.basename, members.stdout.split())
                      if name not in outputs["names"]]
    return found


def check_compilation(made: Build) -> list[str]:
    """That every source is compiled with all of $CXXFLAGS, and every target linked by $CXX with $LIB_FUZZING_ENGINE."""
    faults = []
    flags = set(made.flags.split())
    linked = {}  # the last link of each name counts: earlier builds are recorded too
    targets = {path.name for path in with_entry(made.out)}
    written = [Path(os.path.normpath(Path(call[0]) / call[call.index("-o") + 1]))
               for call in made.calls if "-c" in call and "-o" in call]
    outputs = {"paths": {str(path) for path in written}, "names": {path.name for path in written}}
    for call in made.calls:
        words = set(call)
        native = [word for word in call if re.fullmatch(r"-m(arch|tune|cpu)=native", word)]
        if native:
            faults.append(f"native: {native[0]} in: {' '.join(call)[:300]}")
        sources = [word for word in call[1:] if word.endswith((".cpp", ".cxx", ".cc"))]
        probing = any("CMakeScratch" in word or "CompilerId" in word for word in call)
        if sources and not probing and not flags <= words:
            faults.append(f"flags: {sources[0]} is compiled without {' '.join(sorted(flags - words))}")
        if sources and not probing and undone(call, made.flags):
            faults.append(f"flags: {sources[0]} is compiled with {' '.join(undone(call, made.flags))}")
        if "-o" in call and "-c" not in call and made.link_engine in call:
            linked[Path(call[call.index("-o") + 1]).name] = call
    for name, call in linked.items():
        if name in targets:
            faults += [f"flags: {part} in {name} was not compiled by $CC or $CXX"
                       for part in foreign_objects(call, outputs, made.link_engine)]
    for target in find_targets(made.out):
        if target.name not in linked:
            faults.append(f"linked: {target.name} was not linked by $CXX with $LIB_FUZZING_ENGINE")
    return sorted(set(faults))


def check_files(made: Build) -> list[str]:
    """Names and forms of what lies in $OUT."""
    faults = []
    targets = {path.name for path in find_targets(made.out)}
    faults += [f"targets: {path.name} is not executable" for path in with_entry(made.out) if path.name not in targets]
    if not targets:
        return [*faults, "targets: no fuzz target in $OUT"]
    lacking = sorted(name for name in targets if name.startswith("fuzz_") and name not in WITHOUT_SEEDS and
                     not (made.out / f"{name}_seed_corpus.zip").is_file())
    faults += [f"zip: {name}_seed_corpus.zip is not in $OUT" for name in lacking]
    wrong = [name for name in sorted(targets) if not TARGET_NAME.match(name)]
    faults += [f"name: {name}: letters, digits, _ and - only" for name in wrong]
    for path in sorted(made.out.iterdir()):
        beside = re.fullmatch(r"(.+?)(_seed_corpus\.zip|\.dict|\.options)", path.name)
        if beside and beside.group(1) not in targets:
            faults.append(f"beside: {path.name} belongs to no target")
        if path.suffix == ".zip":
            try:
                with zipfile.ZipFile(path) as archive:
                    if archive.testzip() or not archive.namelist():
                        faults.append(f"zip: {path.name} is damaged or empty")
            except (zipfile.BadZipFile, OSError) as fault:
                faults.append(f"zip: {path.name}: {fault}")
        if path.suffix == ".options":
            parser = configparser.ConfigParser()
            try:
                parser.read_string(path.read_text())
                dictionary = parser.get("libfuzzer", "dict", fallback=None)
                if dictionary and not (made.out / dictionary).is_file():
                    faults.append(f"options: {path.name} names {dictionary}, which is not in $OUT")
            except (configparser.Error, UnicodeDecodeError) as fault:
                faults.append(f"options: {path.name}: {fault}")
    return faults


def sanitizer_calls(target: Path) -> dict[str, int]:
    """How many calls of each sanitizer's functions are in a program."""
    calls = {name: 0 for name in ("asan", "dfsan", "msan", "ubsan")}
    pattern = re.compile(r"callq?\s+[0-9a-f]+\s+<__(asan|dfsan|msan|ubsan)")
    with subprocess.Popen(["objdump", "-dC", str(target)], stdout=subprocess.PIPE, text=True, errors="replace") as code:
        for line in code.stdout:
            found = pattern.search(line)
            if found:
                calls[found.group(1)] += 1
    return calls


def calls_are_wrong(calls: dict[str, int], sanitizer: str) -> bool:
    """Whether these calls do not fit a build with this sanitizer."""
    if sanitizer == "address":
        wrong = calls["asan"] < ASAN_CALLS_MIN or calls["ubsan"] > UBSAN_CALLS_MAX_WITHOUT
    elif sanitizer == "undefined":
        wrong = calls["asan"] > 0 or calls["ubsan"] < max(UBSAN_CALLS_MIN, UBSAN_CALLS_OF_CLANG_19)
    else:
        wrong = False
    return wrong or calls["dfsan"] > 0 or calls["msan"] > MSAN_CALLS_MAX_WITHOUT


def check_binary(target: Path, sanitizer: str) -> list[str]:
    """Architecture, libraries, and the calls of sanitizers."""
    faults = []
    header = run("readelf", "-h", target).stdout
    if "X86-64" not in header:
        faults.append(f"architecture: {target.name} is not built for x86_64")
        return faults
    lacking = set(re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", target).stdout)) - RUNNER_LIBRARIES
    if lacking:
        faults.append(f"dynamic: {target.name} needs {', '.join(sorted(lacking))}, which the runner lacks")
    calls = sanitizer_calls(target)
    if calls_are_wrong(calls, sanitizer):
        said = ", ".join(f"{calls[name]} of __{name}" for name in ("asan", "ubsan", "msan", "dfsan"))
        faults.append(f"sanitizer: {target.name} has these calls: {said}, in a build with {sanitizer}")
    return faults


def confined(out: Path, temporary: Path, command: list[str], environment: dict[str, str] | None = None) -> list[str]:
    """The command in a file system like the runner's: `out` and the C library read-only, /tmp writable, no more."""
    need("bwrap")
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--proc", "/proc", "--bind", temporary, "/tmp",
             "--ro-bind", out, out, "--chdir", out, "--clearenv"]
    folder = Path("/lib/x86_64-linux-gnu")
    for library in sorted(RUNNER_LIBRARIES):
        if (folder / library).exists():
            words += ["--ro-bind", (folder / library).resolve(), folder / library]
    words += ["--ro-bind", "/lib64/ld-linux-x86-64.so.2", "/lib64/ld-linux-x86-64.so.2"]
    for name, value in (environment or RUNNER_OPTIONS).items():
        words += ["--setenv", name, value]
    return [str(word) for word in [*words, *command]]


def options_of(target: Path) -> list[str]:
    """The engine's options in NAME.options, and NAME.dict if they name no dictionary."""
    words = []
    options = target.with_name(target.name + ".options")
    if options.exists():
        parser = configparser.ConfigParser()
        parser.read(options)
        if parser.has_section("libfuzzer"):
            words = [f"-{key}={value}" for key, value in parser["libfuzzer"].items()]
    dictionary = target.with_name(target.name + ".dict")
    if not any(word.startswith("-dict=") for word in words) and dictionary.exists():
        words.append(f"-dict={dictionary.name}")
    return words


def run_target(target: Path, temporary: Path, arguments: list[str], seconds: float = 120) -> tuple[int, str]:
    """Runs a libFuzzer target as run_fuzzer does; the exit status and what it said."""
    command = confined(target.parent, temporary, [str(target), "--", *FUZZER_ARGS, *arguments, *options_of(target)])
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False, timeout=seconds)
    except subprocess.TimeoutExpired as late:
        return 124, (late.stdout or b"").decode(errors="replace") + "\nit did not end"
    return done.returncode, done.stdout


def check_libfuzzer(target: Path, seconds: float) -> list[str]:
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        temporary = Path(folder)
        code, said = run_target(target, temporary, [f"-seed=1337", f"-runs={RUNS}"])
        edges = re.search(r"INFO: Loaded \d+ module.*\(.*(?:counters|guards)\):\s+(\d+)", said)
        dark = "ERROR: no interesting inputs were found. Is the code instrumented" in said
        if dark or (edges is None and f"Done {RUNS} runs" in said):
            return [f"instrumented: {target.name} has no coverage instrumentation"]
        if f"Done {RUNS} runs" not in said or code != 0:
            return [f"startup: {target.name} -seed=1337 -runs={RUNS} ended with {code}:\n{said[-2000:]}"]
        if not edges or int(edges.group(1)) < EDGES_MIN:
            faults.append(f"edges: {target.name} has {edges.group(1) if edges else 0} edges, fewer than {EDGES_MIN}")
        corpus = temporary / "corpus"
        corpus.mkdir()
        archive = target.with_name(f"{target.name}_seed_corpus.zip")
        if archive.exists():
            with zipfile.ZipFile(archive) as seeds:
                seeds.extractall(corpus)
            code, said = run_target(target, temporary, ["-runs=0", "/tmp/corpus"], 600)
            if code != 0:
                return [*faults, f"seeds: {target.name} fails on its seed corpus, with {code}:\n{said[-2000:]}"]
        limit = f"-max_total_time={max(1, round(seconds))}"
        code, said = run_target(target, temporary, [limit, "/tmp/corpus"], seconds + 600)
        runs = re.search(r"^Done (\d+) runs", said, re.MULTILINE)
        if code != 0 or not runs:
            faults.append(f"run: {target.name} ended with {code}:\n{said[-2000:]}")
        else:
            print(f"{target.name}: {edges.group(1) if edges else '?'} edges, {len(list(corpus.iterdir()))} seeds and "
                  f"inputs, {runs.group(1)} runs in {seconds:g} s", flush=True)
    return faults


def afl_fuzz(target: Path, temporary: Path, arguments: list[str]) -> list[str]:
    """The command that runs afl-fuzz on a target, confined. Only afl-fuzz finds its libraries; it needs two devices."""
    program = Path(shutil.which("afl-fuzz"))
    libraries = temporary / "afl-libraries"
    libraries.mkdir()
    for library in re.findall(r"=> (/\S+)", run("ldd", program).stdout):
        shutil.copy2(library, libraries)
    dictionaries = [word.removeprefix("-dict=") for word in options_of(target) if word.startswith("-dict=")]
    command = ["/lib64/ld-linux-x86-64.so.2", "--library-path", "/tmp/afl-libraries", "/afl-fuzz", "-m", "none", "-t",
               "5000+", *arguments, *[word for name in dictionaries for word in ("-x", name)], "--", str(target)]
    words = confined(target.parent, temporary, command, AFL_OPTIONS)
    places = ["--ro-bind", str(program.resolve()), "/afl-fuzz"]
    for device in ("/dev/null", "/dev/urandom"):
        places += ["--dev-bind", device, device]
    return [*words[:-len(command)], *places, *command]


def check_afl(target: Path, seconds: float) -> list[str]:
    """afl-fuzz starts the target, and runs from its seeds for the given time, as run_fuzzer does."""
    need("afl-fuzz")
    with tempfile.TemporaryDirectory() as folder:
        corpus, found = Path(folder) / "corpus", Path(folder) / "found"
        corpus.mkdir()
        archive = target.with_name(f"{target.name}_seed_corpus.zip")
        if archive.exists():
            with zipfile.ZipFile(archive) as seeds:
                seeds.extractall(corpus)
        (corpus / "input").write_text("input\n")
        count = sum(path.is_file() for path in corpus.rglob("*"))
        limit = str(max(5, round(seconds)))
        command = afl_fuzz(target, Path(folder), ["-V", limit, "-i", "/tmp/corpus", "-o", "/tmp/found"])
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", check=False, timeout=seconds + 300)
        except subprocess.TimeoutExpired:
            return [f"afl: afl-fuzz on {target.name} did not end"]
        if re.search(r"target binary (crashed|terminated)", done.stdout):
            return [f"afl: {target.name} crashes at its start:\n{done.stdout[-2000:]}"]
        refused = re.search(r"Test case (?:'(.+)' )?results in a (crash|timeout)", done.stdout)
        if refused:
            return [f"afl: {target.name} fails on the seed {refused.group(1) or ''}, with a {refused.group(2)}"]
        if "Malformed" in done.stdout:  # afl-fuzz leaves such words out
            return [f"afl: the dictionary of {target.name} cannot be read:\n{done.stdout[:2000]}"]
        if "All set and ready to roll" not in done.stdout:
            return [f"afl: fuzzing {target.name} with afl-fuzz failed:\n{done.stdout[-2000:]}"]
        crashes = list(found.glob("default/crashes/id*"))
        if crashes:
            return [f"afl: {target.name} crashes on {crashes[0].name}"]
        stats = dict(re.findall(r"^(\w+)\s*:\s*(.*)$", (found / "default" / "fuzzer_stats").read_text(), re.MULTILINE))
        if int(stats.get("edges_found", 0)) < 2:
            return [f"afl: {target.name} has no coverage instrumentation"]
        print(f"{target.name}: {stats.get('edges_found')} edges, {count} seeds, {stats.get('execs_done')} runs in "
              f"{seconds:g} s", flush=True)
    return []


def check(made: Build, seconds: float) -> list[str]:
    """All rules that hold for a build; moves $OUT away first, as test_all.py does."""
    faults = check_compilation(made) + check_files(made)
    with tempfile.TemporaryDirectory(prefix="not-out-") as folder:
        moved = Path(folder) / "out"
        shutil.move(str(made.out), moved)
        try:
            targets = find_targets(moved)
            broken = 0
            for target in targets:
                of_target = check_binary(target, made.sanitizer)
                if made.engine == "libfuzzer":
                    of_target += check_libfuzzer(target, seconds)
                else:
                    of_target += check_afl(target, seconds)
                broken += bool(of_target)
                faults += of_target
            if broken * 100 > BROKEN_PERCENT_MAX * len(targets):
                faults.append(f"broken: {broken} of {len(targets)} targets are broken, more than {BROKEN_PERCENT_MAX}%")
        finally:
            shutil.move(str(moved), made.out)
    return faults


def main() -> int:
    words = sys.argv[1:]
    cmake = words[words.index("--") + 1:] if "--" in words else []
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--engine", choices=("libfuzzer", "afl"), default="libfuzzer")
    parser.add_argument("--sanitizer", choices=tuple(SANITIZER_FLAGS), default="address")
    parser.add_argument("--seconds", type=float, default=10, help="how long each target runs from its seed corpus")
    options = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    root = options.root.resolve()
    try:
        made, faults = build(root, root / "build" / "oss-fuzz", options.engine, options.sanitizer, cmake)
        if not faults:
            faults = check(made, options.seconds)
    except Missing as what:
        print(f"oss_fuzz: {what}", file=sys.stderr)
        return 3
    for fault in faults:
        print(f"BROKEN {fault}", file=sys.stderr)
    print(f"{options.engine}, {options.sanitizer}: {len(find_targets(made.out))} targets, {len(faults)} broken rules")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
