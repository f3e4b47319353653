"""Processes of a test: runs them, and sends signals to them and to all processes that they have started."""
import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path


def run(*command, stdin="", environment=None, expected=None, text=True, **options):
    """Runs a command to its end. Its output is text or bytes; `environment` adds to that of this process. If an exit code
    is expected, another one fails the test."""
    given = stdin if text or isinstance(stdin, bytes) else stdin.encode()
    result = subprocess.run([str(word) for word in command],
                            **{"input": given, "capture_output": True, "text": text, "check": False, "timeout": 1200,
                               "env": {**os.environ, **(environment or {})}, **options})
    assert expected in (None, result.returncode), (command, result.returncode, result.stdout, result.stderr)
    return result


def descendants(process):
    children = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children += map(int, task.read_text().split())
        except OSError:
            pass
    return children + [grandchild for child in children for grandchild in descendants(child)]


def commands():
    """The words of the command of each process of this machine, by its number."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            found[int(process.name)] = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            pass  # it has ended
    return found


def send(process, sent):
    """Sends a signal to a process that may end by itself before. Returns whether it was still there."""
    try:
        os.kill(process, sent)
    except ProcessLookupError:
        return False
    return True


def stop_tree(process):
    """Stops a process and all its descendants, also those that it starts meanwhile. Returns them all."""
    everyone = []
    while new := [each for each in [process, *descendants(process)] if each not in everyone]:
        for each in new:
            send(each, signal.SIGSTOP)
        everyone += new
    return everyone


@contextlib.contextmanager
def stopped(process):
    """Stops a process and all its descendants; at the end, all continue, parents first: they see that their children
    did not get on."""
    everyone = stop_tree(process)
    try:
        yield
    finally:
        for each in everyone:
            send(each, signal.SIGCONT)
            time.sleep(0.02)


def kill_tree(process):
    """Kills a process and all its descendants at once: they are stopped first, so that none sees another one die."""
    for each in stop_tree(process):
        send(each, signal.SIGKILL)
