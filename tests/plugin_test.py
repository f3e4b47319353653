#!/usr/bin/env python3
"""Tests of plugins: examples/plugins/example.c, right and with a mistake, beside the implementations of this build, and files that
are not plugins.

usage: plugin_test.py LOCKSTEP ROOT COMPILER [PLUGIN GAME]     PLUGIN: plugin_GAME.so of this build
"""
import os
import re
import sys
import unittest
from pathlib import Path

from case import BUILT_IN, Case, LOCKSTEP, ROOT, refused, report, run, simulators, written
import processes

COMPILER = sys.argv[1]
OURS, OUR_GAME = (Path(sys.argv[2]).resolve(), sys.argv[3]) if len(sys.argv) > 2 else (None, None)

# A plugin of one simulator with gaps for the tests to fill.
STAND_IN = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lockstep/plugin.h"
static const char *play(const struct lockstep_simulator *self, struct lockstep_run *run) { (void)self; (void)run; PLAY }
const struct lockstep_plugin *lockstep_plugin_entry(void) {
  static const struct lockstep_simulator simulators[] = {{GAME, NAME, "a stand-in", play}};
  static const struct lockstep_plugin plugin = {VERSION, 1, simulators};
  return ENTRY;
}
"""

SCENARIO = "lockstep 1 omok\nsize 3\nboard empty\nactions\nplace colour=black row=0 column=0\njudge\n"


class Plugins(Case):
    def compiled(self, source, name: str, *flags: str) -> str:
        processes.run(COMPILER, "-x", "c", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", f"-I{ROOT}", *flags,
                      "-o", name, source, expected=0)
        return str(self.path / name)

    def example(self, name: str, *flags: str) -> str:
        return self.compiled(ROOT / "examples" / "plugins" / "example.c", name, *flags)

    def stand_in(self, name: str, play="return 0;", game='"omok"', simulator='"it"', version="1", entry="&plugin") -> str:
        source = STAND_IN.replace("PLAY", play).replace("GAME", game).replace("NAME", simulator)
        return self.compiled(written(f"{name}.c", source.replace("VERSION", version).replace("ENTRY", entry)), name)

    def divergence(self, plugin, *options: str):
        said, = report("replay", "-", "--with", plugin, *options, stdin=SCENARIO, expected=1)
        return said["divergence"]


class TheExample(Plugins):
    def test_agrees_on_the_corpus_and_on_random_scenarios(self):
        plugin = self.example("right.so")
        run("replay", *(ROOT / "corpus" / "omok").glob("*.txt"), "--with", f"{plugin}:in_c", expected=0)
        game, = report("fuzz", "omok", "--with", plugin, "--runs", "1000", "--seed", "1", "--jobs", "1", *BUILT_IN)["systems"]
        self.assertEqual(game["implementations"], ["rulebook", f"{plugin}:in_c"])
        self.assertEqual(game["scenarios"], 1000)

    def test_a_path_that_is_not_utf8_is_explored_too(self):
        odd = os.fsdecode(b"\xff")
        Path(odd).mkdir()
        walk = ("explore", "omok", "--setup", "size=2", "--with", self.example(f"{odd}/right.so"), "--jobs", 1)
        shard = ("--shard", "1/1", "--exchange", "shared")
        for more in (("--checkpoint", "checkpoint"), ("--resume", "checkpoint"), shard, shard):
            self.assertEqual(report(*walk, *more)["implementations"], ["rulebook", f"{self.path}/\ufffd/right.so:in_c"])
        report("merge", "shared")

    def test_with_a_mistake_is_found_shrunk_shown_and_replayed(self):
        plugin = self.example("wrong.so", "-DMISTAKE")
        result = run("fuzz", "omok", "--with", f"lines,{plugin}", "--runs", "50000", "--seed", "1", "--jobs", "1", *BUILT_IN,
                     "--no-canary", "--corpus", "none", expected=1)
        file, = Path("findings").glob("omok-*.txt")
        text = file.read_text()
        names = f"rulebook,lines,{plugin}:in_c"
        self.assertIn(f"\n  implementations: {names}\n", text)
        self.assertIn("\n  minimal: ", text)
        self.assertRegex(text, rf"\n  signature: omok {re.escape(str(plugin))}:in_c observation judge (winner|row|column)\n")
        self.assertIn(f"replay it: ./dev run replay {file} --with {names}\n", result.stdout)
        again = run("replay", file, "--with", names, expected=1)
        self.assertRegex(again.stdout + again.stderr, r"in_c differs in the observation's (winner|row|column): expected \d+, got \d+\n")
        run("replay", file, "--with", self.example("right.so"), expected=0)
        without_search = re.sub("^  found: .*\n", "", text, flags=re.MULTILINE)  # shrink did not search
        self.assertEqual(run("shrink", file, "--with", names).stdout, without_search)
        shown = run("show", file, "--with", names, expected=0).stdout
        self.assertRegex(shown, "winner=[12]")
        # Four boards of the same size: one before the last action, and one of each implementation after it.
        size = re.search(r"^size \d+$", text, re.MULTILINE).group()
        self.assertEqual(len(re.findall(rf"\b{size}\b", shown)), 4, shown)
        self.assertIn(f"{plugin}:in_c", shown)
        run("explain", file, "--with", names, expected=1)

    def test_a_finding_loads_no_plugin(self):
        marker = self.path / "loaded"
        plugin = self.compiled(written("marks.c", '#include <fcntl.h>\n__attribute__((constructor)) static void mark(void) '
                                                  f'{{ open("{marker}", O_CREAT | O_WRONLY, 0600); }}\n'), "marks.so")
        file = written("finding.txt", SCENARIO.replace("omok\n", f"omok\nfinding\n  implementations: rulebook,{plugin}:it\n", 1))
        for verb in ("replay", "show", "shrink", "explain"):
            self.assertIn(f"which only --with loads; judging all but canaries instead (to load it: --with {plugin}:it)",
                          run(verb, file, expected=0).stderr)
            self.assertFalse(marker.exists(), verb)
        run("replay", file, "--with", plugin)
        self.assertTrue(marker.exists())

    def test_is_judged_by_a_fuzz_target_as_well(self):
        target = LOCKSTEP.parent / "fuzz_omok"
        if not target.exists():
            self.skipTest("fuzz_omok is not built")
        plugin = self.example("wrong.so", "-DMISTAKE")
        written("omok/six.txt", "lockstep 1 omok\nsize 6\nboard\n" + "......\n" * 5 + "BBBBBB\nactions\njudge\n")
        run("corpus", "pack", "omok", "packed", "--corpus", ".")
        packed, = Path("packed").iterdir()
        for name in (f"{plugin}:in_c", plugin):  # one of its simulators, or all of them
            result = processes.run(target, packed, environment={"LOCKSTEP_WITH": name})
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(f"--with rulebook,{plugin}:in_c\n", result.stderr)
        processes.run(target, packed, environment={"LOCKSTEP_WITH": f"{self.example('right.so')}:in_c"}, expected=0)


class WrongOnes(Plugins):
    def refused(self, said: str, name, *verb: str):
        errors = refused(said, *(verb or ("fuzz", "omok", "--seconds", "1")), "--with", name, stdin=SCENARIO)
        self.assertEqual(errors.count("\n"), 1, errors)

    def test_a_file_that_is_no_plugin_is_refused_with_its_reason(self):
        written("text.so", "no library")
        self.compiled(written("empty.c", "int nothing;\n"), "empty.so")
        for name, wrong in (("null.so", {"entry": "0 ? &plugin : 0"}), ("later.so", {"version": "7"}),
                            ("nameless.so", {"simulator": "0"}), ("odd.so", {"simulator": '"a,b"'})):
            self.stand_in(name, **wrong)
        for name, said in (("nowhere.so", "No such file"), ("./nowhere", "No such file"),
                           ("text.so", "'text.so' cannot be loaded"),
                           ("text.so", "expected a shared library that exports what lockstep/plugin.h says"),
                           ("empty.so", "does not export lockstep_plugin_entry"), ("null.so", "answers null"),
                           ("later.so", "speaks version 7 of lockstep/plugin.h; expected 1"),
                           ("nameless.so", "no system, name or play"), ("odd.so", "letters, digits")):
            self.refused(said, name)

    def test_a_plugin_whose_loading_ends_the_process_gives_no_verdict(self):
        for name, does, said in (("quits", "_exit(1)", "exited with status 1"), ("leaves", "exit(0)", "exited with status 0"),
                                 ("dies", "abort()", "died of signal 6")):
            source = written(f"{name}.c", "#include <stdlib.h>\n#include <unistd.h>\n"
                                          f"__attribute__((constructor)) static void at_once(void) {{ {does}; }}\n")
            self.compiled(source, f"{name}.so")
            self.refused(f"'{name}.so' cannot be loaded: the process that loads it {said}", f"{name}.so")

    def test_a_plugin_with_sanitizers_is_refused_by_a_program_without(self):
        plugin = self.example("checked.so", "-fsanitize=address,undefined")
        result = run("replay", "-", "--with", plugin, stdin=SCENARIO)
        if result.returncode == 0:
            self.assertIn("agreed: 2 implementations", result.stdout)
        else:
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
            self.assertRegex(result.stderr, r"cannot be loaded: .*(the process that loads it|built with a sanitizer)")

    def test_a_plugin_without_the_system_or_the_implementation_is_refused(self):
        self.stand_in("chess.so", game='"chess"')
        self.refused("has no implementation of omok; it has: chess it", "chess.so")
        self.example("right.so")
        self.refused("has no implementation 'other' of omok; it has: omok in_c", "right.so:other")
        self.refused("has no implementation of puyo", "right.so", "fuzz", "puyo", "--seconds", "1")
        self.refused("has no implementation of puyo", "right.so", "fuzz", "omok", "puyo")  # before omok is fuzzed

    def test_solve_takes_no_plugin(self):
        self.refused("a plugin is judged by", self.example("right.so"), "solve", "omok")

    def test_a_crash_and_a_hang_are_attributed_to_the_plugin(self):
        opening = "run->snapshot(run, \"size=3\\nboard[0]=...\\nboard[1]=...\\nboard[2]=...\\n\"); run->observation(run, \"legal=yes\\n\");"
        opening += "run->snapshot(run, \"size=3\\nboard[0]=B..\\nboard[1]=...\\nboard[2]=...\\n\");"
        opening += " if (!strstr(run->scenario, \"judge\")) return 0;"
        found = self.divergence(self.stand_in("dies.so", play=opening + " abort();"))
        self.assertEqual((found["kind"], found["step"]), ("crash", 2))
        self.assertTrue(found["blamed"].endswith("dies.so:it"))
        found = self.divergence(self.stand_in("hangs.so", play=opening + " for (;;) sleep(1); return 0;"), "--timeout", "1")
        self.assertEqual((found["kind"], found["step"]), ("hang", 2))

    def test_show_does_not_hang_with_a_plugin_that_hangs(self):
        hangs, sleeps = (self.stand_in(name, play="for (;;) sleep(1); return 0;") for name in ("hangs.so", "sleeps.so"))
        dies = self.stand_in("dies.so", play="abort();")
        shown = run("show", "-", "--with", f"{hangs},{sleeps},{dies}", "--timeout", "1", stdin=SCENARIO, expected=0).stdout
        self.assertEqual(shown.count("did not answer within 1 s"), 3, shown)  # two drawn, one named
        self.assertIn("died of signal 6", shown)
        self.assertIn("size 3", shown)

    def test_explain_survives_a_crash_on_a_scenario_that_it_changed(self):
        picky = self.stand_in("picky.so", play='if (!strstr(run->scenario, "row=0 column=0")) abort(); return "no";')
        explained = run("explain", "-", "--with", picky, "--timeout", "5", stdin=SCENARIO, expected=1)
        self.assertIn("signature: omok ", explained.stdout)

    def test_a_plugin_is_told_that_it_runs_in_threads(self):
        source = written("threads.c", """#define lockstep_plugin_entry right
#include "examples/plugins/example.c"
#undef lockstep_plugin_entry
#include <sys/syscall.h>
#include <unistd.h>
static const char *wary(const struct lockstep_simulator *self, struct lockstep_run *run) {
  puts("chatter");
  fflush(stdout);
  usleep(1000);  // lets the other thread run
  return syscall(SYS_gettid) == getpid() ? play(self, run) : "another thread";
}
const struct lockstep_plugin *lockstep_plugin_entry(void) {
  static const struct lockstep_simulator simulators[] = {{"omok", "wary", 0, wary}};
  static const struct lockstep_plugin plugin = {1, 1, simulators};
  return &plugin;
}
""")
        wary = self.compiled(source, "wary.so", "-D_GNU_SOURCE")
        walk = ("explore", "omok", "--setup", "size=3", "--depth", "2", "--with", wary)
        refused("share no variables", *walk, "--jobs", "2")
        self.assertTrue(run(*walk, "--jobs", "1", expected=0).stdout.startswith("system "))

    def test_fuzz_reports_a_hang_even_if_it_ends_before_the_timeout(self):
        hangs = self.stand_in("hangs.so", play="for (;;) sleep(1); return 0;")
        game, = report("fuzz", "omok", "--with", hangs, "--seconds", "1", "--timeout", "2", "--jobs", "1", *BUILT_IN,
                       "--no-canary", expected=1)["systems"]
        found, = game["findings"]
        self.assertIn("hang", found["signature"])


@unittest.skipUnless(OURS, "no plugin of this build given")
class Ours(Plugins):
    def test_this_build_s_own_simulators_agree_with_it(self):
        said = report("replay", *(ROOT / "corpus" / OUR_GAME).glob("*.txt"), "--with", OURS)
        self.assertEqual(said[0]["implementations"], ["rulebook", *(f"{OURS}:{name}" for name in simulators(OUR_GAME))])
        run("fuzz", OUR_GAME, "--with", OURS, "--runs", "500", "--seed", "1", *BUILT_IN, "--no-canary", expected=0)

    def test_exports_only_its_entry(self):
        listed = processes.run("nm", "-D", "--defined-only", OURS, expected=0).stdout
        symbols = {line.split()[-1] for line in listed.splitlines()}
        self.assertIn("lockstep_plugin_entry", symbols)
        self.assertFalse({symbol for symbol in symbols if "lockstep" in symbol} - {"lockstep_plugin_entry"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
