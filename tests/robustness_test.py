#!/usr/bin/env python3
"""Tests of what a long run meets: killed and stopped processes, memory that runs out, a full disk, a read-only or damaged
corpus, two runs on one corpus or one checkpoint, a clock that jumps. Nothing found is lost, and each gets a clear message.

usage: robustness_test.py LOCKSTEP ROOT

A full disk and a read-only file system need mounts: those tests run in a namespace of their own (unshare). Memory that
runs out needs a control group. Both are left out where the system allows none. The jumping clock needs faketime, and
processes of libFuzzer need the target fuzz_omok in BUILDS/fuzz-fast/bin or BUILDS/fuzz/bin (./dev test fuzz-targets
builds it).
"""
import contextlib
import functools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from length import LONG
from processes import descendants, send, stopped
import processes

ROOT = Path(sys.argv.pop()).resolve()
LOCKSTEP = str(Path(sys.argv.pop()).resolve())
# Fails at once, and shrinks to a few lines.
CANARY = ["fuzz", "omok", "--seed", "3", "--jobs", "2", "--engine", "swarm", "--no-canary", "--with", "placing_replaces"]
AGREES = ["fuzz", "omok", "--seed", "3", "--jobs", "2", "--engine", "swarm", "--no-canary"]
EXPLORES = ["explore", "stacking", "2x2_with_4", "--jobs", "1"]
SEEDS = range(1, 7) if LONG else (1, 2)  # of the moments at which processes are killed

UNSHARE = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
MOUNTS = shutil.which("unshare") and subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"],
                                                    capture_output=True, check=False).returncode == 0


def in_mounts(script, *arguments, cwd):
    """Runs a shell script in which mounts are allowed. $0 is the program, $1 … the arguments."""
    return processes.run(*UNSHARE, "sh", "-c", script, LOCKSTEP, *arguments, cwd=cwd)


# The engines of fuzz targets that are built.
TARGETS = [engine for engine, build in (("libfuzzer", "fuzz"), ("libfuzzer-fast", "fuzz-fast"))
           if (Path(LOCKSTEP).parents[2] / build / "bin" / "fuzz_omok").exists()]

ADDRESS_SANITIZER = b"__asan_init" in Path(LOCKSTEP).read_bytes()
MEMORY = 1 << (30 if ADDRESS_SANITIZER else 27)


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


run = functools.partial(processes.run, LOCKSTEP)


def name_of(process):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/comm").read_text().strip()


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)

    def start(self, *arguments):
        process = subprocess.Popen([LOCKSTEP, *map(str, arguments)], cwd=self.path, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    @staticmethod
    def wait_for(condition):
        deadline = time.monotonic() + 120
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.01)


class Checkpoints(Folder):
    def test_two_explorations_do_not_write_one_checkpoint(self):
        file = self.path / "checkpoint"
        first = self.start(*EXPLORES, "--checkpoint", file, "--every", "0")
        self.wait_for(file.exists)
        for option in ("--checkpoint", "--resume"):
            second = run(*EXPLORES, option, file, cwd=self.path)
            self.assertEqual(second.returncode, 2)
            self.assertIn("another exploration writes it", second.stderr)
        first.kill()
        first.communicate()
        before = file.stat().st_ino, file.stat().st_mtime_ns
        third = self.start(*EXPLORES, "--resume", file, "--every", "0")
        self.wait_for(lambda: (file.stat().st_ino, file.stat().st_mtime_ns) != before)
        third.send_signal(signal.SIGINT)
        _, err = third.communicate()
        self.assertEqual(third.returncode, 130, err)
        self.assertEqual([each.name for each in self.path.iterdir()], ["checkpoint"])

    def test_a_checkpoint_that_can_never_be_written_is_refused_at_the_start(self):
        (self.path / "folder").mkdir()
        result = run("explore", "omok", "line_7", "--checkpoint", self.path / "folder", cwd=self.path)
        self.assertEqual(result.returncode, 2)
        folder = self.path / "folder"
        self.assertIn(f"{folder}: the checkpoint cannot be written ({folder}: Is a directory)\n", result.stderr)
        self.assertEqual(result.stdout, "")

    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_on_a_full_disk_an_exploration_goes_on_and_says_so(self):
        (self.path / "disk").mkdir()
        whole = run("explore", "ts_tetris", "5x5", "--depth", "11", "--json", cwd=self.path)
        # The first checkpoint fits, the later ones do not.
        result = in_mounts('mount -t tmpfs -o size=64k none disk; "$0" "$@"; code=$?; ls disk >&2; exit $code', "explore",
                           "ts_tetris", "5x5", "--depth", "11", "--checkpoint", "disk/c", "--every", "0", "--json",
                           cwd=self.path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["levels"], json.loads(whole.stdout)["levels"])
        self.assertRegex(result.stderr, r"disk/c: the checkpoint cannot be written \(disk/c\S*: No space left on device\); "
                                        "this run can be resumed from an earlier one only")
        self.assertEqual(result.stderr.splitlines()[-1], "c", "no half file is left")

    def test_an_exploration_whose_process_is_killed_says_so(self):
        file = self.path / "checkpoint"
        shared = self.path / "shared"
        for options, saved, said in (
                ((), None, "memory ran out\n"),
                (("--checkpoint", file), file, f"memory ran out; --resume {file} continues it\n"),
                (("--shard", "1/2", "--exchange", shared), shared / "shard-1" / "checkpoint",
                 "memory ran out; the same command continues it\n")):
            with self.subTest(options):
                process = self.start(*EXPLORES, *options, *(("--every", "0") if saved else ()))
                self.wait_for(lambda: descendants(process.pid) and (not saved or saved.exists()))
                for each in descendants(process.pid):
                    send(each, signal.SIGKILL)
                _, err = process.communicate()
                self.assertEqual(process.returncode, 3, err)
                self.assertIn("the exploration was killed from outside (signal 9), by hand or because " + said, err)


class Campaigns(Folder):
    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_an_out_that_holds_no_file_is_refused_before_the_search(self):
        (self.path / "out").mkdir()
        result = in_mounts('mount -t tmpfs -o nr_inodes=1 none out; "$0" "$@"', *CANARY, "--runs", "3000", "--out", "out",
                           cwd=self.path)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("--out out", result.stderr)
        self.assertEqual(result.stdout, "")

    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_a_finding_on_a_full_disk_is_printed(self):
        (self.path / "out").mkdir()
        # The probe of --out is empty, and needs no block; all blocks are taken.
        result = in_mounts('mount -t tmpfs -o size=4k none out; head -c 4096 /dev/zero >out/fill; "$0" "$@"', *CANARY,
                           "--runs", "3000", "--out", "out", cwd=self.path)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("a finding could not be written", result.stderr)
        self.assertIn("lockstep 1 omok\n", result.stderr)

    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_a_disk_that_becomes_full_loses_no_finding(self):
        (self.path / "out").mkdir()
        # The probe of --out and the state file at its beginning fit; what comes later does not.
        result = in_mounts('mount -t tmpfs -o size=12k none out; "$0" "$@"; code=$?; ls -la out >&2; exit $code', *CANARY,
                           "--runs", "3000", "--keep-going", "--out", "out", cwd=self.path)
        self.assertEqual(result.returncode, 1, result.stderr)
        written = "replay it: " in result.stdout
        self.assertTrue(written or "The finding:\nlockstep 1 omok" in result.stderr, result.stderr)

    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_reports_that_do_not_fit_on_the_disk_are_named_and_the_result_stays(self):
        (self.path / "disk").mkdir()
        explore = ["explore", "omok", "line_7", "--jobs", "1"]
        for what, code in (([*CANARY, "--runs", "3000"], 1), ([*AGREES, "--runs", "100"], 2),
                           ([*explore, "--with", "run_at_the_end_missed"], 1), (explore, 2)):
            with self.subTest(what):
                # The folder and the files of the beginning are three; one that replaces them is the fourth.
                result = in_mounts('mount -t tmpfs -o nr_inodes=3 none disk; "$0" "$@"', *what, "--sarif", "disk/s",
                                   "--junit", "disk/j", "--out", "found", cwd=self.path)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertRegex(result.stdout, "differ|DIVERGE" if code == 1 else "agree|AGREE")
                for name in ("disk/s", "disk/j"):
                    self.assertIn(name, result.stderr)

    @unittest.skipUnless(MOUNTS, "no mounts")
    def test_a_shard_on_a_full_disk_prints_what_it_found(self):
        """A limit on the number of files fills the disk at each point of a run, whatever its files' sizes."""
        (self.path / "disk").mkdir()
        explore = ["explore", "omok", "line_7", "--jobs", "1", "--with", "run_at_the_end_missed"]
        for what in (explore, [*CANARY, "--runs", "300", "--corpus", "none"]):
            lost = 0
            for files in range(2, 12):
                with self.subTest(what=what[0], files=files):
                    result = in_mounts(f'mount -t tmpfs -o nr_inodes={files} none disk; "$0" "$@"; code=$?; '
                                       'ls disk/shard-1 >ls 2>&1; exit $code', *what, "--shard", "1/1", "--exchange", "disk",
                                       cwd=self.path)
                    left = (self.path / "ls").read_text()
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
        shutil.copytree(ROOT / "corpus" / "omok", self.path / "corpus" / "omok")
        result = in_mounts('mount --bind corpus corpus; mount -o remount,bind,ro corpus; "$0" "$@"', *AGREES, "--runs",
                           "300", "--corpus", "corpus", "--out", "out", cwd=self.path)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_two_runs_share_a_corpus(self):
        shutil.copytree(ROOT / "corpus" / "omok", self.path / "corpus" / "omok")
        corpus = lambda: {file: file.read_bytes() for file in (self.path / "corpus").rglob("*") if file.is_file()}
        before = corpus()
        both = [self.start(*CANARY, "--runs", "3000", "--corpus", "corpus", "--out", out) for out in ("one", "two")]
        for process in both:
            _, err = process.communicate()
            self.assertEqual(process.returncode, 1, err)
        self.assertTrue(list((self.path / "one").glob("*.txt")) and list((self.path / "two").glob("*.txt")))
        self.assertEqual(corpus(), before)

    def test_damaged_files_of_a_corpus_do_not_stop_a_campaign(self):
        corpus = self.path / "corpus" / "omok"
        shutil.copytree(ROOT / "corpus" / "omok", corpus)
        (corpus / "empty.txt").write_text("")
        (corpus / "half.txt").write_bytes(next(corpus.glob("*.txt")).read_bytes()[:25])
        (corpus / "bytes.txt").write_bytes(bytes(range(256)) * 40)
        (corpus / "zeros.txt").write_bytes(bytes(3))
        (corpus / "folder.txt").mkdir()
        (corpus / "nowhere.txt").symlink_to("missing")
        result = run(*AGREES, "--runs", "300", "--corpus", "corpus", "--engine", "mutated", cwd=self.path)
        self.assertEqual(result.returncode, 0, result.stderr)
        # A folder is no file of the corpus.
        named = re.findall(r"left out of the seed corpus: corpus/omok/(\w+)\.txt:", result.stderr)
        self.assertEqual(named, ["bytes", "empty", "half"], result.stderr)
        self.assertIn("left out of the seed corpus: 1 further file of omok\n", result.stderr)

    def test_stopping_and_continuing_all_processes_is_no_hang(self):
        for what in ([*AGREES, "--seconds", "8", "--timeout", "1"], [*EXPLORES, "--timeout", "1", "--checkpoint", "c"]):
            with self.subTest(what):
                process = self.start(*what)
                self.wait_for(lambda: len(descendants(process.pid)) >= 1)
                time.sleep(1)
                for _ in range(2):
                    with stopped(process.pid):
                        time.sleep(2.5)  # longer than the timeout of an action
                    time.sleep(0.5)
                if what[0] == "explore":
                    process.send_signal(signal.SIGINT)
                out, err = process.communicate()
                self.assertEqual(process.returncode, 0 if what[0] == "fuzz" else 130, out + err)
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

    def test_processes_that_are_killed_are_no_findings(self):
        """Workers, the processes that look for causes, and those in which they judge: what was judged agrees when it is
        judged again. A cause is looked for three times, so three kills never become a finding."""
        for seed in SEEDS:
            with self.subTest(seed=seed):
                process = self.start(*AGREES, "--runs", "20000", "--json", "--out", f"out{seed}")
                kills = self.kill_some(process, random.Random(seed), 3)
                out, err = process.communicate()
                game = json.loads(out)["games"][0]
                self.assertGreater(kills, 0)
                self.assertEqual(game["findings"], [], err)
                self.assertEqual(process.returncode, 3, err)
                self.assertRegex(err, r"killed from outside \(signal 9\), by hand or because memory ran out, \d+ times?")
                self.assertGreater(game["scenarios"], 0)
                self.assertEqual(list((self.path / f"out{seed}").glob("*.txt")), [])

    def test_no_kill_loses_a_finding(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                process = self.start(*CANARY, "--runs", "3000", "--keep-going", "--json", "--out", f"out{seed}")
                self.kill_some(process, random.Random(seed), 3)
                out, err = process.communicate()
                self.assertEqual(process.returncode, 1, err)
                game = json.loads(out)["games"][0]
                self.assertIn("omok placing_replaces observation place legal",
                              [finding["signature"] for finding in game["findings"]])
                for finding in game["findings"]:
                    self.assertEqual(run("replay", finding["file"], cwd=self.path).returncode, 1)
                    self.assertNotIn("signal 9", finding["signature"])

    def test_a_campaign_that_is_killed_leaves_its_findings_and_no_process(self):
        chosen = random.Random(4)
        left = 0
        for turn in range(6):
            process = self.start(*CANARY, "--seconds", "60", "--keep-going", "--out", "out")
            self.wait_for(lambda: descendants(process.pid))
            time.sleep(chosen.random() * 2)
            everyone = descendants(process.pid)
            process.kill()
            _, err = process.communicate()
            self.wait_for(lambda: not any(Path(f"/proc/{each}").exists() for each in everyone))
            for file in re.findall(r"replay (\S+\.txt)", err):
                left += 1
                self.assertEqual(run("replay", file, cwd=self.path).returncode, 1)
        self.assertGreater(left, 0)

    @unittest.skipUnless(TARGETS, "no fuzz target is built")
    def test_processes_of_libfuzzer_that_are_killed_are_no_findings(self):
        """Each of them, at any moment; the campaign then ends by itself."""
        for engine in TARGETS:
            chosen = random.Random(engine)
            process = self.start("fuzz", "omok", "--seed", "3", "--jobs", "2", "--engine", engine, "--no-canary", "--seconds",
                                 "600", "--json", "--out", "out")
            self.wait_for(lambda: len(descendants(process.pid)) == 2)
            for victim in descendants(process.pid):
                time.sleep(chosen.random())
                send(victim, signal.SIGKILL)
            out, err = process.communicate()
            self.assertEqual(process.returncode, 3, err)
            self.assertEqual(json.loads(out)["games"][0]["findings"], [], err)
            self.assertEqual(len(re.findall(r"fuzz_omok was killed from outside \(signal 9\), by hand or because memory ran "
                                            "out; the rest of its part was not searched", err)), 2, err)
            self.assertEqual(list((self.path / "out").glob("*.txt")), [])

    @unittest.skipUnless(TARGETS, "no fuzz target is built")
    def test_no_kill_loses_a_finding_of_libfuzzer(self):
        """Killed at its start, while it searches, and while it shrinks. What it does not find any more, the built-in engine
        does."""
        for engine in TARGETS:
            for seed in SEEDS:
                with self.subTest(engine=engine, seed=seed):
                    chosen = random.Random(seed)
                    process = self.start(*CANARY, "--engine", f"{engine},swarm", "--runs", "3000", "--keep-going", "--json",
                                         "--out", f"{engine}{seed}")
                    targets = lambda: [each for each in descendants(process.pid) if name_of(each) == "fuzz_omok"]
                    self.wait_for(lambda: targets() or process.poll() is not None)
                    time.sleep(chosen.random() * 0.3)
                    for victim in targets():
                        send(victim, signal.SIGKILL)
                    out, err = process.communicate()
                    self.assertEqual(process.returncode, 1, err)
                    findings = json.loads(out)["games"][0]["findings"]
                    self.assertIn("omok placing_replaces observation place legal", [each["signature"] for each in findings])
                    for finding in findings:
                        self.assertEqual(run("replay", finding["file"], cwd=self.path).returncode, 1)
                        self.assertNotIn("signal 9", finding["signature"])

    def eats_memory(self, when):
        """plugins/example.c, which fills the memory where this condition is true, until it is killed."""
        source = (ROOT / "plugins" / "example.c").read_text()
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
        (self.path / "eats.c").write_text(source)
        processes.run("cc", "-shared", "-fPIC", f"-I{ROOT}", "-o", self.path / "eats.so", self.path / "eats.c", expected=0)
        return self.path / "eats.so"

    def run_in_group(self, group, *arguments):
        enter = lambda: (group / "cgroup.procs").write_text(str(os.getpid()))
        return run(*arguments, cwd=self.path, preexec_fn=enter)

    @unittest.skipUnless(MEMORY_GROUPS, "no control group for memory")
    def test_a_worker_that_the_kernel_kills_for_its_memory_is_no_finding(self):
        """The first process that comes so far fills the memory, none after it does."""
        plugin = self.eats_memory('open("eaten", O_CREAT | O_EXCL, 0600) >= 0')
        with memory_group() as (group, kills):
            result = self.run_in_group(group, *AGREES, "--runs", "2000", "--with", plugin, "--json")
            self.assertEqual(kills(), 1)
        self.assertEqual(result.returncode, 3, result.stderr)
        game, = json.loads(result.stdout)["games"]
        self.assertEqual(game["findings"], [])
        self.assertGreaterEqual(game["scenarios"], 2000 - 1)
        self.assertIn("killed from outside (signal 9), by hand or because memory ran out, 1 time; what they were judging agrees",
                      result.stderr)

    @unittest.skipUnless(MEMORY_GROUPS, "no control group for memory")
    def test_an_implementation_that_always_fills_the_memory_is_a_finding(self):
        plugin = self.eats_memory('strstr(run->scenario, "\\nremove") != NULL')
        with memory_group() as (group, kills):
            result = self.run_in_group(group, *AGREES, "--runs", "2000", "--with", plugin, "--json")
            self.assertGreater(kills(), 1)
        self.assertEqual(result.returncode, 1, result.stderr)
        findings = json.loads(result.stdout)["games"][0]["findings"]
        self.assertNotEqual(findings, [])
        for finding in findings:
            self.assertRegex(finding["signature"], r"^omok \S*eats\.so:in_c crash \S* ?signal 9")

    @unittest.skipIf(ADDRESS_SANITIZER, "another library would be loaded before AddressSanitizer's")
    def test_an_interruption_while_the_result_is_printed_changes_nothing(self):
        (self.path / "interrupts.c").write_text("""
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
        library = self.path / "interrupts.so"
        processes.run("cc", "-shared", "-fPIC", "-o", library, self.path / "interrupts.c", "-ldl", expected=0)
        result = run(*AGREES, "--runs", "300", "--out", "out", "--junit", "junit.xml", cwd=self.path,
                     environment={"LD_PRELOAD": str(library)})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("all agree: ", result.stdout)
        self.assertNotIn("INTERRUPTED", result.stderr)
        self.assertIn('errors="0"', (self.path / "junit.xml").read_text())
        self.assertFalse((self.path / "out" / "unfinished-fuzz-run.json").exists())

    def test_a_search_that_got_little_processor_time_says_so(self):
        process = self.start(*AGREES, "--seconds", "5")
        self.wait_for(lambda: len(descendants(process.pid)) >= 2)
        with stopped(process.pid):
            time.sleep(4.5)
        _, err = process.communicate()
        self.assertRegex(err, r"the machine was busy or stopped: this search got \d+% of the processor time that there was")

    def test_a_canary_that_was_missed_on_a_busy_machine_says_so(self):
        process = self.start("canaries", "puyo", "--canary", "nine_chains_at_most", "--engine", "uniform", "--corpus", "none",
                             "--trials", "1", "--seconds", "5")
        # The time of a trial begins before its process starts others.
        self.wait_for(lambda: any(descendants(child) for child in descendants(process.pid)))
        with stopped(process.pid):
            time.sleep(4.5)
        _, err = process.communicate()
        self.assertEqual(process.returncode, 1, err)
        self.assertRegex(err, r"puyo nine_chains_at_most: the machine was busy or stopped: this search got \d+% of the processor")

    @unittest.skipIf(ADDRESS_SANITIZER, "faketime asks for memory before AddressSanitizer has any")
    @unittest.skipUnless(shutil.which("faketime"), "no faketime")
    def test_a_clock_that_jumps_changes_nothing(self):
        """The wall clock runs 5,000 times as fast, and begins a year ago; the steady clock, which timeouts use, does not."""
        environment = {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME": "@2025-01-01 00:00:00 x5000",
                       "LD_PRELOAD": "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"}
        for what in ([*AGREES, "--runs", "600"], ["explore", "omok", "line_7", "--checkpoint", "c", "--every", "0"]):
            result = run(*what, "--timeout", "1", cwd=self.path, environment=environment)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        result = run(*CANARY, "--runs", "3000", "--out", "found", cwd=self.path, environment=environment)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertTrue(list((self.path / "found").glob("*.txt")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
