#!/usr/bin/env python3
"""Builds the fuzz targets by ci/oss-fuzz/build.sh as OSS-Fuzz's image does, and runs each of them for a second.

usage: oss_fuzz.py ROOT [--engine libfuzzer|afl] [--sanitizer address|undefined]

Exit status: 0 when every rule of ci/oss-fuzz/README.md holds, 1 with a line for each broken rule, 3 when a tool is missing.
oss_fuzz_test.py shows a violation of each.

What stands in for theirs: clang++-19 with Debian's libc++ 19, linked statically as theirs is. Debian's libFuzzer needs
libstdc++, so it becomes one object with a libstdc++ of its own, whose symbols nothing else sees. Debian's AFL++ instruments
with clang-14, which is too old for this tree: clang-19's trace-pc-guard with AFL++'s runtime and driver stands in for
afl-clang-fast.
"""
from __future__ import annotations

import argparse
import filecmp
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

# infra/base-images/base-clang/Dockerfile, base-builder/Dockerfile and base-runner/Dockerfile of google/oss-fuzz
CFLAGS = ("-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-error=incompatible-function-pointer-types "
          "-Wno-error=int-conversion -Wno-error=deprecated-declarations -Wno-error=implicit-function-declaration "
          "-Wno-error=implicit-int -Wno-error=unknown-warning-option -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION")
UBSAN = ("array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,"
         "returns-nonnull-attribute,shift,signed-integer-overflow,{}unreachable,vla-bound,vptr")
SANITIZER_FLAGS = {
    "address": "-fsanitize=address -fsanitize-address-use-after-scope",
    "undefined": f"-fsanitize={UBSAN.format('unsigned-integer-overflow,')} -fno-sanitize-recover={UBSAN.format('')}",
}
COVERAGE_FLAGS = {"libfuzzer": "-fsanitize=fuzzer-no-link", "afl": ""}
RUNNER_OPTIONS = {
    "ASAN_OPTIONS": "alloc_dealloc_mismatch=0:allocator_may_return_null=1:detect_leaks=1:detect_odr_violation=0:"
                    "detect_stack_use_after_return=1:handle_abort=1:handle_segv=1:strict_memcmp=1:symbolize=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:silence_unsigned_overflow=1:symbolize=0",
}
FUZZER_ARGS = ["-rss_limit_mb=2560", "-timeout=25"]
AFL_OPTIONS = {
    **{name: f"{value}:abort_on_error=1" for name, value in RUNNER_OPTIONS.items()},
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_FORKSRV_INIT_TMOUT": "30000",
    "AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1",
}
EDGES_MIN = 100  # bad_build_check
WITHOUT_SEEDS = {"fuzz_interval_set"}  # ours: build.sh packs seeds for every other target
# What the runner's image has: the C library with its parts, and the compiler's unwinder.
RUNNER_LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libresolv.so.2",
                    "libgcc_s.so.1", "ld-linux-x86-64.so.2"}
AFL = Path("/usr/lib/afl")
# The compiler that build.sh gets: records its arguments, then compiles.
WRAPPER = r"""#!/bin/bash
{ printf '%q ' "$@"; echo; } >>@LOG@
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
    calls: list[list[str]]  # the arguments of each call of a compiler
    flags: str              # $CXXFLAGS
    engine: str = "libfuzzer"
    link_engine: str = "-fsanitize=fuzzer"  # $LIB_FUZZING_ENGINE


def run(*command, **keywords) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False, **keywords)


class Missing(Exception):
    """A tool of this script is not installed."""


def need(*commands: str) -> None:
    for command in commands:
        if not shutil.which(command):
            raise Missing(f"there is no {command}")


def engine_object(folder: Path) -> Path:
    """libFuzzer with its own libstdc++, as one object; see the head of this file."""
    result, whole = folder / "libfuzzer.o", folder / "libfuzzer.tmp.o"
    archive = run("clang++-19", "-print-resource-dir").stdout.strip() + "/lib/linux/libclang_rt.fuzzer-x86_64.a"
    library = run("g++", "-print-file-name=libstdc++.a").stdout.strip()
    for command in (["ld", "-r", "--force-group-allocation", "--whole-archive", archive, "--no-whole-archive", library,
                     "-o", whole],
                    ["objcopy", "--wildcard", "--keep-global-symbol=LLVMFuzzer*", "--keep-global-symbol=__sanitizer_*",
                     "--keep-global-symbol=main", whole, result]):
        done = run(*command)
        if done.returncode != 0:
            raise Missing(f"cannot make the engine: {done.stdout}")
    return result


def compiler_in(folder: Path, engine: str, log: Path) -> dict[str, str]:
    """Writes the compilers of the image; returns $CC, $CXX, $LIB_FUZZING_ENGINE."""
    need("clang++-19", "g++", "ld", "objcopy")
    folder.mkdir(parents=True, exist_ok=True)
    compile_flags, link_flags, link_engine = "", "", "-fsanitize=fuzzer"
    if engine == "afl":
        compile_flags = "-fsanitize-coverage=trace-pc-guard"
        link_flags, link_engine = f" {AFL / 'afl-compiler-rt.o'}", str(AFL / "libAFLDriver.a")
        if not Path(link_engine).exists():
            raise Missing(f"there is no {link_engine}: package afl++")
    for name, compiler, libraries in (("clang", "clang-19", ""), ("clang++", "clang++-19", "-static-libstdc++")):
        text = WRAPPER
        for key, value in (("@LOG@", shlex.quote(str(log))), ("@COMPILER@", compiler), ("@COMPILE@", compile_flags),
                           ("@ENGINE@", shlex.quote(str(engine_object(folder)))), ("@LINK@", libraries + link_flags),
                           ("@CACHE@", "ccache" if shutil.which("ccache") else "")):
            text = text.replace(key, value)
        if not (folder / name).exists() or (folder / name).read_text() != text:  # a compiler cache goes by its time
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
    return {"CC": str(folder / "clang"), "CXX": str(folder / "clang++"), "CCC": str(folder / "clang++"),
            "LIB_FUZZING_ENGINE": link_engine}


def copy_tree(root: Path, to: Path) -> None:
    """Copies the files that git knows or would add, and removes others; equal files keep their times for a second build."""
    listed = run("git", "-C", root, "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard")
    names = {name for name in listed.stdout.splitlines() if (root / name).is_file()}
    for gone in {str(path.relative_to(to)) for path in to.rglob("*") if path.is_file()} - names:
        (to / gone).unlink()
    for name in names:
        source, target = root / name, to / name
        if not (target.exists() and filecmp.cmp(source, target, shallow=False)):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def build(root: Path, work: Path, engine: str, sanitizer: str, script: Path | None = None) -> tuple[Build, list[str]]:
    """Runs build.sh as `compile` does; returns the build and what is wrong with it."""
    need("cmake", "ninja", "zip", "git")
    name = f"{engine}-{sanitizer}"
    source, out, intermediate = work / "src", work / f"out-{name}", work / f"work-{name}"
    log = work / f"calls-{name}.txt"
    shutil.rmtree(out, ignore_errors=True)
    for folder in (source, out, intermediate):
        folder.mkdir(parents=True, exist_ok=True)
    copy_tree(root, source / "lockstep")
    compilers = compiler_in(work / f"bin-{engine}", engine, log)
    cflags = " ".join(f"{CFLAGS} {SANITIZER_FLAGS[sanitizer]} {COVERAGE_FLAGS[engine]}".split())
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(work / "home"), "SRC": str(source),
                   "OUT": str(out), "WORK": str(intermediate), "CFLAGS": cflags, "CXXFLAGS": f"{cflags} -stdlib=libc++",
                   "SANITIZER": sanitizer, "FUZZING_ENGINE": engine, "ARCHITECTURE": "x86_64",
                   "FUZZING_LANGUAGE": "c++", **compilers,
                   **{key: value for key, value in os.environ.items() if key.startswith("CCACHE_")},
                   "CCACHE_SLOPPINESS": "pch_defines,time_macros"}
    # ninja links again only what changed, so the calls of earlier builds count too, unless all is built anew.
    if not (intermediate / "lockstep").exists():
        log.unlink(missing_ok=True)
    log.touch()
    # The project's own use of a compiler cache would keep calls from the log.
    done = run("bash", "-eux", script or source / "lockstep" / "ci" / "oss-fuzz" / "build.sh", "-DLOCKSTEP_CCACHE=OFF",
               cwd=source / "lockstep", env=environment)
    (work / f"log-{name}.txt").write_text(done.stdout)
    made = Build(out, [shlex.split(line) for line in log.read_text().splitlines()], environment["CXXFLAGS"], engine,
                 compilers["LIB_FUZZING_ENGINE"])
    return made, [f"build: build.sh ended with {done.returncode}:\n{done.stdout[-3000:]}"] if done.returncode else []


def find_targets(out: Path) -> list[Path]:
    """The executables that hold LLVMFuzzerTestOneInput: what the runner sees."""
    return [path for path in sorted(out.iterdir()) if path.is_file() and os.access(path, os.X_OK) and
            b"LLVMFuzzerTestOneInput" in path.read_bytes()]


def check_compilation(made: Build) -> list[str]:
    """Every source is compiled with all of $CXXFLAGS, and every target linked by $CXX with $LIB_FUZZING_ENGINE."""
    faults, flags, linked = [], set(made.flags.split()), set()
    for call in made.calls:
        sources = [word for word in call if word.endswith((".cpp", ".cxx", ".cc"))]
        if any("CMakeScratch" in word or "CompilerId" in word for word in call):
            continue
        lacking = sorted(flags - set(call)) if sources else []
        native = [word for word in call if re.fullmatch(r"-m(arch|tune|cpu)=native", word)]
        faults += [f"flags: {sources[0]} is compiled without {' '.join(lacking)}"] if lacking else []
        faults += [f"flags: {native[0]} in: {' '.join(call)[:300]}"] if native else []
        if "-o" in call and "-c" not in call and made.link_engine in call:
            linked.add(Path(call[call.index("-o") + 1]).name)
    return sorted(set(faults)) + [f"linked: {target.name} was not linked by $CXX with $LIB_FUZZING_ENGINE"
                                  for target in find_targets(made.out) if target.name not in linked]


def check_files(out: Path) -> list[str]:
    """Names and forms of what lies in $OUT."""
    targets = {path.name for path in find_targets(out)}
    faults = [] if targets else ["targets: no fuzz target in $OUT"]
    faults += [f"targets: {name}: letters, digits, _ and - only" for name in targets if not re.fullmatch(r"[\w-]+", name)]
    seeds = {f"{name}_seed_corpus.zip" for name in targets - WITHOUT_SEEDS}
    faults += [f"seeds: {name} is not in $OUT" for name in sorted(seeds) if not (out / name).is_file()]
    for path in sorted(out.iterdir()):
        beside = re.fullmatch(r"(.+?)(_seed_corpus\.zip|\.dict|\.options)", path.name)
        if beside and beside.group(1) not in targets:
            faults.append(f"beside: {path.name} belongs to no target")
        if path.suffix == ".zip" and not (zipfile.is_zipfile(path) and zipfile.ZipFile(path).namelist()):
            faults.append(f"seeds: {path.name} is damaged or empty")
    return faults


def check_libraries(target: Path) -> list[str]:
    lacking = set(re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", target).stdout)) - RUNNER_LIBRARIES
    return [f"dynamic: {target.name} needs {', '.join(sorted(lacking))}, which the runner lacks"] if lacking else []


def check_run(target: Path, engine: str) -> list[str]:
    """The target runs for a second from its seeds, in an empty environment: without a failure, and with coverage."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        if zipfile.is_zipfile(seeds := target.with_name(f"{target.name}_seed_corpus.zip")):
            zipfile.ZipFile(seeds).extractall(corpus)
        (corpus / "input").write_text("input\n")
        options, dictionary = (target.with_name(target.name + ending) for ending in (".options", ".dict"))
        words = re.findall(r"(?m)^(\w+)\s*=\s*(\S+)$", options.read_text()) if options.exists() else []
        if engine == "libfuzzer":
            given = [f"-{key}={value}" for key, value in words]
            if not any(word.startswith("-dict=") for word in given) and dictionary.exists():
                given.append(f"-dict={dictionary.name}")
            command = [target, "--", *FUZZER_ARGS, "-seed=1337", "-max_total_time=1", corpus, *given]
            environment, ends, edges, least = RUNNER_OPTIONS, r"(?m)^Done \d+ runs", r"Loaded \d+ modules?\s+\((\d+) ", EDGES_MIN
        else:
            need("afl-fuzz")
            given = ["-x", dictionary] if dictionary.exists() else []
            command = [shutil.which("afl-fuzz"), "-m", "none", "-t", "5000+", "-V", "1", "-i", corpus, "-o",
                       Path(folder) / "found", *given, "--", target]
            environment, ends, edges, least = AFL_OPTIONS, "All set and ready to roll", r"(?m)^edges_found\s*:\s*(\d+)", 2
        try:
            done = run(*command, cwd=target.parent, env=environment, timeout=300)
        except subprocess.TimeoutExpired:
            return [f"run: {target.name} did not end"]
        # afl-fuzz leaves out a seed that fails, and words of a dictionary that it cannot read.
        left_out = re.search(r"results in a (crash|timeout)|Malformed", done.stdout)
        failed = left_out or list(Path(folder).glob("found/*/crashes/id*"))
        if done.returncode != 0 or not re.search(ends, done.stdout) or failed:
            return [f"run: {target.name} ended with {done.returncode}:\n{done.stdout[-2000:]}"]
        stats = Path(folder) / "found" / "default" / "fuzzer_stats"
        found = re.search(edges, stats.read_text() if engine == "afl" else done.stdout)
        count = int(found.group(1)) if found else 0
        return [f"edges: {target.name} has {count} edges, fewer than {least}"] if count < least else []


def check(made: Build) -> list[str]:
    """All rules that hold for a build; moves $OUT away first, as test_all.py does."""
    faults = check_compilation(made) + check_files(made.out)
    with tempfile.TemporaryDirectory(prefix="not-out-") as folder:
        moved = Path(folder) / "out"
        shutil.move(made.out, moved)
        try:
            for target in find_targets(moved):
                faults += check_libraries(target) + check_run(target, made.engine)
        finally:
            shutil.move(moved, made.out)
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--engine", choices=tuple(COVERAGE_FLAGS), default="libfuzzer")
    parser.add_argument("--sanitizer", choices=tuple(SANITIZER_FLAGS), default="address")
    options = parser.parse_args()
    root = options.root.resolve()
    try:
        made, faults = build(root, root / "build" / "oss-fuzz", options.engine, options.sanitizer)
        faults = faults or check(made)
    except Missing as what:
        print(f"oss_fuzz: {what}", file=sys.stderr)
        return 3
    for fault in faults:
        print(f"BROKEN {fault}", file=sys.stderr)
    print(f"{options.engine}, {options.sanitizer}: {len(find_targets(made.out))} targets, {len(faults)} broken rules")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
