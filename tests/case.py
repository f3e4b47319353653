"""What tests of the program share: each test runs in an empty folder, and the processes that it starts end with it.

The first two arguments of such a test are LOCKSTEP and ROOT, the program and the folder of the tree.
"""
import functools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import processes

LOCKSTEP, ROOT = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
GAMES = ["puyo", "block_game", "stacking", "ts_tetris", "omok"]
BUILT_IN = ["--engine", "uniform,swarm,suggested,mutated"]
os.environ["LOCKSTEP_COMMAND"] = "./dev run"  # as ./dev does; program_test.py tests the program without it

run = functools.partial(processes.run, LOCKSTEP)


def report(*words, **options):
    """What the program prints as JSON."""
    return json.loads(run(*words, "--json", **{"expected": 0, **options}).stdout)


def refused(said, *words, **options):
    """Runs a command line that is wrong: nothing is done, and standard error, which is returned, says why."""
    result = run(*words, expected=2, **options)
    assert (result.stdout, said in result.stderr) == ("", True), (words, said, result.stdout, result.stderr)
    return result.stderr


@functools.cache
def simulators(game, *kinds):
    """The implementations of a game, all but canaries; if kinds are given, those of these kinds."""
    games = report("list", *(["--canaries"] if "canary" in kinds else []))["systems"]
    return [each["name"] for listed in games if listed["name"] == game for each in listed["implementations"]
            if not kinds or each["kind"] in kinds]


def written(name, content):
    """A new file in the folder of the test."""
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def contents(folder):
    return {file.relative_to(folder): file.read_bytes() for file in sorted(Path(folder).rglob("*")) if file.is_file()}


def data_of(page):
    """The data in a page that the program has written."""
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', Path(page).read_text(), re.DOTALL)
    assert len(found) == 1, page
    return json.loads(found[0])


def wait_for(condition, seconds=120):
    """Waits until the condition holds; the test fails after so many seconds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "timeout: the condition does not hold"
        time.sleep(0.01)


def ended(process, expected):
    """What a process prints until it ends, with this exit code."""
    printed = process.communicate(timeout=1200)
    assert process.returncode == expected, (process.returncode, *printed)
    return printed


def interrupt(process, expected=130):
    process.send_signal(signal.SIGINT)
    return ended(process, expected)


def kill(process):
    process.kill()
    process.communicate()


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/tmp")  # tested programs may write there
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        os.chdir(self.path)
        self.addCleanup(os.chdir, ROOT)

    def start(self, *words, environment=None, **options):
        process = subprocess.Popen([LOCKSTEP, *map(str, words)], **{
            "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
            "env": {**os.environ, **(environment or {})}, **options})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process
