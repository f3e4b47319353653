"""Signals to processes of a test, and to all processes that they have started."""
import contextlib
import os
import signal
from pathlib import Path


def descendants(process):
    children = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children += map(int, task.read_text().split())
        except OSError:
            pass
    return children + [grandchild for child in children for grandchild in descendants(child)]


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
    """Stops a process and all its descendants; at the end, all continue."""
    everyone = stop_tree(process)
    try:
        yield
    finally:
        for each in reversed(everyone):
            send(each, signal.SIGCONT)


def kill_tree(process):
    """Kills a process and all its descendants at once: they are stopped first, so that none sees another one die."""
    for each in stop_tree(process):
        send(each, signal.SIGKILL)
