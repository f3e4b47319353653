#!/usr/bin/env python3
"""Tests of what a long run meets: killed and stopped processes, memory that runs out, a full disk, a read-only or damaged
corpus, two runs on one corpus or one checkpoint, a clock that jumps. Nothing found is lost, and each gets a clear message.

usage: robustness_test.py LOCKSTEP ROOT [TEST…]

A full disk and a read-only file system need mounts: those tests run in a namespace of their own (unshare). Memory that
runs out needs a control group. Both are left out where the system allows none. The jumping clock needs faketime, and
processes of libFuzzer need the target fuzz_omok in BUILDS/fuzz-fast/bin or BUILDS/fuzz/bin, and LOCKSTEP_LONG=1
(./dev test long).
"""
import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from case import Case, LOCKSTEP, ROOT, contents, ended, interrupt, run, wait_for, written
from length import LONG
from processes import descendants, send, stopped
import processes

AGREES = ["fuzz", "omok", "--seed", "3", "--jobs", "2", "--engine", "swarm", "--no-canary"]
CANARY = [*AGREES, "--with", "placing_replaces"]  # fails at once, and shrinks to a few lines
SIGNATURE = "omok placing_replaces observation place legal"
EXPLORES = ["explore", "stacking", "2x2_with_4", "--jobs", "1"]
SEEDS = range(1, 7) if LONG else (1,)  # of the moments at which processes are killed

UNSHARE = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
MOUNTS = shutil.which("unshare") and subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"],
                                                    capture_output=True, check=False).returncode == 0


def in_mounts(script, *arguments, **options):
    """Runs a shell script in which mounts are allowed. $0 is the program, $1 … the arguments."""
    return processes.run(*UNSHARE, "sh", "-c", script, LOCKSTEP, *arguments, **options)


def on_disk(limit, *arguments, then="true", **options):
    """Runs the program beside a folder `disk` that is a disk with this limit, and then a command of the shell."""
    Path("disk").mkdir(exist_ok=True)
    return in_mounts(f'mount -t tmpfs -o {limit} none disk; "$0" "$@"; code=$?; {then}; exit $code', *arguments, **options)


# The engines of fuzz targets that are built. What else runs these tests builds none, and may find old ones.
TARGETS = [engine for engine, build in (("libfuzzer", "fuzz"), ("libfuzzer-fast", "fuzz-fast"))
           if LONG and (LOCKSTEP.parents[2] / build / "bin" / "fuzz_omok").exists()]

ADDRESS_SANITIZER = b"__asan_init" in LOCKSTEP.read_bytes()
MEMORY = 1 << (30 if ADDRESS_SANITIZER else 26)


@contextlib.contextmanager
def memory_group():
    """A control group with so much memory, and a function that counts what the kernel has killed in it; None where the
    system allows none."""
    for root, limit, events in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.oom_control"),
                                ("/sys/fs/cgroup", "memory.max", "memory.events")):
        group = Path(root) / f"lockstep-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            try:
                (group / limit).write_text(str(MEMORY))
                kills = re.compile(r"^oom_kill (\d+)$", re.MULTILINE)
                if not kills.search((group / events).read_text()):
                    continue
                for swap in ("memory.swap.max", "memory.memsw.limit_in_bytes"):  # else it swaps instead of running out
                    if (group / swap).exists():
                        (group / swap).write_text("0" if swap == "memory.swap.max" else str(MEMORY))
            except OSError:
                continue
            yield group, lambda: int(kills.search((group / events).read_text()).group(1))
            return
        finally:
            for left in range(1000, -1, -1):
                try:
                    group.rmdir()
                    break
                except OSError:  # a process of it is still ending
                    if left == 0:
                        raise
                    time.sleep(0.01)
    yield None


with memory_group() as found:
    MEMORY_GROUPS = found is not None


def name_of(process):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/comm").read_text().strip()


class Checkpoints(Case):
    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_on_a_full_disk_an_exploration_goes_on_and_says_so(self):
        walk = ["explore", "ts_tetris", "5x5", "--depth", "9", "--json"]
        # The first checkpoint fits, the later ones do not.
        result = on_disk("size=64k", *walk, "--checkpoint", "disk/c", "--every", "0", then="ls disk >&2", expected=0)
        self.assertEqual(json.loads(result.stdout)["levels"], json.loads(run(*walk).stdout)["levels"])
        self.assertRegex(result.stderr, r"disk/c: the checkpoint cannot be written \(disk/c\S*: No space left on device\); "
                                        "this run can be resumed from an earlier one only")
        self.assertEqual(result.stderr.splitlines()[-1], "c", "no half file is left")

    def test_an_exploration_whose_process_is_killed_says_so(self):
        for saved, said, *options in (
                (None, "memory ran out\n"),
                ("checkpoint", "memory ran out; --resume checkpoint continues it\n", "--checkpoint", "checkpoint",
                 "--every", "0"),
                ("shared/shard-1/checkpoint", "memory ran out; the same command continues it\n", "--shard", "1/2", "--exchange",
                 "shared", "--every", "0")):
            with self.subTest(options):
                process = self.start(*EXPLORES, *options)
                wait_for(lambda: descendants(process.pid) and (not saved or Path(saved).exists()))
                for each in descendants(process.pid):
                    send(each, signal.SIGKILL)
                out, err = ended(process, 3)
                self.assertEqual(out, "")
                self.assertIn("the exploration was killed from outside (signal 9), by hand or because " + said, err)


class Campaigns(Case):
    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_an_out_that_holds_no_file_is_refused_before_the_search(self):
        result = on_disk("nr_inodes=1", *CANARY, "--runs", "3000", "--out", "disk", expected=2)
        self.assertIn("--out disk", result.stderr)
        self.assertEqual(result.stdout, "")

    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_a_finding_on_a_full_disk_is_printed(self):
        # The probe of --out is empty, and needs no block; all blocks are taken.
        Path("disk").mkdir()
        result = in_mounts('mount -t tmpfs -o size=4k none disk; head -c 4096 /dev/zero >disk/fill; "$0" "$@"', *CANARY,
                           "--runs", "3000", "--out", "disk", expected=1)
        self.assertIn("a finding could not be written", result.stderr)
        self.assertIn("lockstep 1 omok\n", result.stderr)

    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_a_disk_that_becomes_full_loses_no_finding(self):
        # The probe of --out and the state file at its beginning fit; what comes later does not.
        result = on_disk("size=12k", *CANARY, "--runs", "3000", "--keep-going", "--out", "disk", then="ls -la disk >&2",
                         expected=1)
        written_there = "replay it: " in result.stdout
        self.assertTrue(written_there or "The finding:\nlockstep 1 omok" in result.stderr, result.stderr)

    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_reports_that_do_not_fit_on_the_disk_are_named_and_the_result_stays(self):
        explore = ["explore", "omok", "line_7", "--jobs", "1"]
        for what, code in (([*CANARY, "--runs", "3000"], 1), ([*AGREES, "--runs", "100"], 2),
                           ([*explore, "--with", "run_at_the_end_missed"], 1), (explore, 2)):
            with self.subTest(what):
                # The folder and the files of the beginning are three; one that replaces them is the fourth.
                result = on_disk("nr_inodes=3", *what, "--sarif", "disk/s", "--junit", "disk/j", "--out", "found", expected=code)
                self.assertRegex(result.stdout, "differ|DIVERGE" if code == 1 else "agree|AGREE")
                for name in ("disk/s", "disk/j"):
                    self.assertIn(name, result.stderr)

    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_a_shard_on_a_full_disk_prints_what_it_found(self):
        """A limit on the number of files fills the disk at each point of a run, whatever its files' sizes."""
        explore = ["explore", "omok", "line_7", "--jobs", "1", "--with", "run_at_the_end_missed"]
        for what in (explore, [*CANARY, "--runs", "300", "--corpus", "none"]):
            lost = 0
            for files in range(2, 12):
                with self.subTest(what=what[0], files=files):
                    result = on_disk(f"nr_inodes={files}", *what, "--shard", "1/1", "--exchange", "disk",
                                     then="ls disk/shard-1 >ls 2>&1")
                    left = Path("ls").read_text()
                    if result.returncode == 2:  # refused at the start
                        self.assertEqual(result.stdout, "")
                        continue
                    self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                    self.assertIn("DIVERGE", result.stdout + result.stderr)
                    if ".txt" not in left:
                        self.assertIn("The finding:\nlockstep 1 omok\n", result.stderr)
                    if "result.json" not in left:
                        lost += 1
                        self.assertIn("the result of this shard could not be written", result.stderr)
            self.assertGreater(lost, 0, "the disk was never full")

    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_a_read_only_corpus_is_enough(self):
        shutil.copytree(ROOT / "corpus" / "omok", "corpus/omok")
        in_mounts('mount --bind corpus corpus; mount -o remount,bind,ro corpus; "$0" "$@"', *AGREES, "--runs", "300",
                  "--corpus", "corpus", expected=0)

    def test_two_runs_share_a_corpus(self):
        shutil.copytree(ROOT / "corpus" / "omok", "corpus/omok")
        before = contents("corpus")
        for process in [self.start(*CANARY, "--runs", "3000", "--corpus", "corpus", "--out", out) for out in ("one", "two")]:
            ended(process, 1)
        self.assertTrue(list(Path("one").glob("*.txt")) and list(Path("two").glob("*.txt")))
        self.assertEqual(contents("corpus"), before)

    def test_damaged_files_of_a_corpus_do_not_stop_a_campaign(self):
        corpus = Path("corpus/omok")
        shutil.copytree(ROOT / "corpus" / "omok", corpus)
        for name, content in (("empty", b""), ("half", next(corpus.glob("*.txt")).read_bytes()[:25]),
                              ("bytes", bytes(range(256)) * 40), ("zeros", bytes(3))):
            written(corpus / f"{name}.txt", content)
        (corpus / "folder.txt").mkdir()
        (corpus / "nowhere.txt").symlink_to("missing")
        said = run(*AGREES, "--engine", "mutated", "--runs", "300", "--corpus", "corpus", expected=0).stderr
        # A folder is no file of the corpus.
        named = re.findall(r"left out of the seed corpus: corpus/omok/(\w+)\.txt:", said)
        self.assertEqual(named, ["bytes", "empty", "half"], said)
        self.assertIn("left out of the seed corpus: 1 further file of omok\n", said)

    def test_stopping_and_continuing_all_processes_is_no_hang(self):
        for what in ([*AGREES, "--seconds", "4", "--timeout", "1"], [*EXPLORES, "--timeout", "1", "--checkpoint", "c"]):
            with self.subTest(what):
                process = self.start(*what)
                wait_for(lambda: descendants(process.pid))
                for _ in range(2):
                    time.sleep(0.2)
                    with stopped(process.pid):
                        time.sleep(1.5)  # longer than the timeout of an action
                time.sleep(0.5)
                out, err = interrupt(process) if what[0] == "explore" else ended(process, 0)
                self.assertNotIn("did not answer", out + err)

    def kill_some(self, process, chosen, times):
        """Kills descendants, the first as soon as there is one, then at random moments. Returns how many."""
        kills = 0
        while process.poll() is None:
            time.sleep(0.002 if kills == 0 else chosen.random() * 0.3)
            victims = descendants(process.pid) if kills < times else []
            if victims:
                kills += send(chosen.choice(victims), signal.SIGKILL)
        return kills

    def assert_only_the_canary_is_found(self, out):
        """And each finding replays."""
        findings = json.loads(out)["systems"][0]["findings"]
        self.assertIn(SIGNATURE, [finding["signature"] for finding in findings])
        for finding in findings:
            run("replay", finding["file"], expected=1)
            self.assertNotIn("signal 9", finding["signature"])

    def test_processes_that_are_killed_are_no_findings(self):
        """Workers, the processes that look for causes, and those in which they judge: what was judged agrees when it is
        judged again. A cause is looked for three times, so three kills never become a finding."""
        for seed in SEEDS:
            with self.subTest(seed=seed):
                process = self.start(*AGREES, "--runs", "20000", "--json", "--out", f"out{seed}")
                self.assertGreater(self.kill_some(process, random.Random(seed), 3), 0)
                out, err = ended(process, 3)
                game = json.loads(out)["systems"][0]
                self.assertEqual(game["findings"], [], err)
                self.assertRegex(err, r"killed from outside \(signal 9\), by hand or because memory ran out, \d+ times?")
                self.assertGreater(game["scenarios"], 0)
                self.assertEqual(list(Path(f"out{seed}").glob("*.txt")), [])

    def test_no_kill_loses_a_finding(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                process = self.start(*CANARY, "--runs", "3000", "--keep-going", "--json", "--out", f"out{seed}")
                self.kill_some(process, random.Random(seed), 3)
                self.assert_only_the_canary_is_found(ended(process, 1)[0])

    def test_a_campaign_that_is_killed_leaves_its_findings_and_no_process(self):
        chosen = random.Random(4)
        left = 0
        for _ in range(6 if LONG else 3):
            process = self.start(*CANARY, "--seconds", "60", "--keep-going", "--out", "out")
            wait_for(lambda: descendants(process.pid))
            time.sleep(chosen.random())
            everyone = descendants(process.pid)
            process.kill()
            _, err = process.communicate()
            wait_for(lambda: not any(Path(f"/proc/{each}").exists() for each in everyone))
            for file in re.findall(r"replay (\S+\.txt)", err):
                left += 1
                run("replay", file, expected=1)
        self.assertGreater(left, 0)

    @unittest.skipUnless(TARGETS, "no fuzz target is built")
    def test_processes_of_libfuzzer_that_are_killed_are_no_findings(self):
        """Each of them, at any moment; the campaign then ends by itself."""
        for engine in TARGETS:
            chosen = random.Random(engine)
            process = self.start("fuzz", "omok", "--seed", "3", "--jobs", "2", "--engine", engine, "--no-canary", "--seconds",
                                 "600", "--json", "--out", "out")
            wait_for(lambda: len(descendants(process.pid)) == 2)
            for victim in descendants(process.pid):
                time.sleep(chosen.random())
                send(victim, signal.SIGKILL)
            out, err = ended(process, 3)
            self.assertEqual(json.loads(out)["systems"][0]["findings"], [], err)
            self.assertEqual(len(re.findall(r"fuzz_omok was killed from outside \(signal 9\), by hand or because memory ran "
                                            "out; the rest of its part was not searched", err)), 2, err)
            self.assertEqual(list(Path("out").glob("*.txt")), [])

    @unittest.skipUnless(TARGETS, "no fuzz target is built")
    def test_no_kill_loses_a_finding_of_libfuzzer(self):
        """Killed at its start, while it searches, and while it shrinks. What it does not find any more, the built-in engine
        does."""
        for engine in TARGETS:
            for seed in SEEDS:
                with self.subTest(engine=engine, seed=seed):
                    process = self.start(*CANARY, "--engine", f"{engine},swarm", "--runs", "3000", "--keep-going", "--json",
                                         "--out", f"{engine}{seed}")
                    targets = lambda: [each for each in descendants(process.pid) if name_of(each) == "fuzz_omok"]
                    wait_for(lambda: targets() or process.poll() is not None)
                    time.sleep(random.Random(seed).random() * 0.3)
                    for victim in targets():
                        send(victim, signal.SIGKILL)
                    self.assert_only_the_canary_is_found(ended(process, 1)[0])

    def eats_memory(self, when):
        """examples/plugins/example.c, which fills the memory where this condition is true, until it is killed."""
        source = (ROOT / "examples" / "plugins" / "example.c").read_text()
        start = "static const char *play("
        self.assertIn(start, source)
        source = ("#include <fcntl.h>\n#include <stdlib.h>\n#include <sys/mman.h>\n" + source).replace(start, f"""
static void fill_memory(void) {{
  for (;;) {{
    void *more = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED) abort();
    memset(more, 1, 1 << 24);
  }}
}}
{start}""")
        begin = "  (void)self;\n"
        self.assertIn(begin, source)
        source = source.replace(begin, begin + f"  if ({when}) fill_memory();\n")
        processes.run("cc", "-shared", "-fPIC", f"-I{ROOT}", "-o", "eats.so", written("eats.c", source), expected=0)
        return "./eats.so"

    def in_group(self, when, expected):
        """A campaign with that plugin, of which the memory is limited, and how many processes the kernel has killed."""
        plugin = self.eats_memory(when)
        with memory_group() as (group, kills):
            enter = lambda: (group / "cgroup.procs").write_text(str(os.getpid()))
            result = run(*AGREES, "--runs", "2000", "--with", plugin, "--json", preexec_fn=enter, expected=expected)
            game, = json.loads(result.stdout)["systems"]
            return game, result.stderr, kills()

    @unittest.skipUnless(MEMORY_GROUPS, "no control group for memory")
    def test_a_worker_that_the_kernel_kills_for_its_memory_is_no_finding(self):
        """The first process that comes so far fills the memory, none after it does."""
        game, said, kills = self.in_group('open("eaten", O_CREAT | O_EXCL, 0600) >= 0', 3)
        self.assertEqual((kills, game["findings"]), (1, []))
        self.assertGreaterEqual(game["scenarios"], 2000 - 1)
        self.assertIn("killed from outside (signal 9), by hand or because memory ran out, 1 time; what they were judging agrees",
                      said)

    @unittest.skipUnless(MEMORY_GROUPS, "no control group for memory")
    def test_an_implementation_that_always_fills_the_memory_is_a_finding(self):
        game, _, kills = self.in_group('strstr(run->scenario, "\\nremove") != NULL', 1)
        self.assertGreater(kills, 1)
        self.assertNotEqual(game["findings"], [])
        for finding in game["findings"]:
            self.assertRegex(finding["signature"], r"^omok \S*eats\.so:in_c crash \S* ?signal 9")

    @unittest.skipIf(ADDRESS_SANITIZER, "another library would be loaded before AddressSanitizer's")
    def test_an_interruption_while_the_result_is_printed_changes_nothing(self):
        source = written("interrupts.c", """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
size_t fwrite(const void *data, size_t size, size_t count, FILE *file) {
  size_t (*next)(const void *, size_t, size_t, FILE *) = dlsym(RTLD_NEXT, "fwrite");
  if (file == stdout) raise(SIGINT);
  return next(data, size, count, file);
}
""")
        processes.run("cc", "-shared", "-fPIC", "-o", "interrupts.so", source, "-ldl", expected=0)
        result = run(*AGREES, "--runs", "300", "--out", "out", "--junit", "junit.xml", expected=0,
                     environment={"LD_PRELOAD": str(self.path / "interrupts.so")})
        self.assertIn("all agree: ", result.stdout)
        self.assertNotIn("INTERRUPTED", result.stderr)
        self.assertIn('errors="0"', Path("junit.xml").read_text())
        self.assertFalse(Path("out/unfinished-fuzz-run.json").exists())

    def test_a_search_that_got_little_processor_time_says_so(self):
        busy = "the machine was busy or stopped: this search got \\d+% of the processor"
        canaries = ["canaries", "puyo", "--canary", "nine_chains_at_most", "--engine", "uniform", "--corpus", "none",
                    "--trials", "1"]
        for said, what, code, begun in (
                (f"{busy} time that there was", AGREES, 0, lambda pid: len(descendants(pid)) >= 2),
                # The time of a trial begins before its process starts others.
                (f"puyo nine_chains_at_most: {busy}", canaries, 1, lambda pid: any(map(descendants, descendants(pid))))):
            process = self.start(*what, "--seconds", "2")
            wait_for(lambda: begun(process.pid))
            with stopped(process.pid):
                time.sleep(1.8)
            self.assertRegex(ended(process, code)[1], said)

    @unittest.skipIf(ADDRESS_SANITIZER, "faketime asks for memory before AddressSanitizer has any")
    @unittest.skipUnless(shutil.which("faketime"), "no faketime")
    def test_a_clock_that_jumps_changes_nothing(self):
        """The wall clock runs 5,000 times as fast, and begins a year ago; the steady clock, which timeouts use, does not."""
        environment = {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME": "@2025-01-01 00:00:00 x5000",
                       "LD_PRELOAD": "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"}
        for what in ([*AGREES, "--runs", "600"], ["explore", "omok", "line_7", "--checkpoint", "c", "--every", "0"]):
            run(*what, "--timeout", "1", environment=environment, expected=0)
        run(*CANARY, "--runs", "3000", "--out", "found", environment=environment, expected=1)
        self.assertTrue(list(Path("found").glob("*.txt")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
