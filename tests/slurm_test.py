#!/usr/bin/env python3
"""Runs the scripts of docs/scaling.md on a Slurm of one machine, kills and cancels them in the middle, and submits them
again: nothing is lost.

usage: slurm_test.py LOCKSTEP ROOT

slurmctld and slurmd (packages slurmctld, slurmd and slurm-client) run as ordinary processes of this user, without
authentication, on ports of their own.
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from processes import send
import processes

ROOT = Path(sys.argv.pop()).resolve()
LOCKSTEP = str(Path(sys.argv.pop()).resolve())
TASKS = 8
PAGE = (ROOT / "docs" / "scaling.md").read_text()
SCRIPTS = dict(re.findall(r"^```slurm file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = [line for block in re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
            for line in block.splitlines()]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Slurm:
    """slurmctld and slurmd in a folder of their own, until close()."""

    def __init__(self, folder: Path):
        self.folder = folder
        (folder / "state").mkdir(parents=True)
        (folder / "spool").mkdir()
        host = socket.gethostname().split(".")[0]
        user = processes.run("id", "-un", expected=0).stdout.strip()
        controller, node = free_ports(2)
        config = folder / "slurm.conf"
        config.write_text(f"""ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
SlurmctldPort={controller}
SlurmdPort={node}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
KillWait=1
NodeName={host} NodeAddr=127.0.0.1 CPUs={TASKS} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        self.environment = {**os.environ, "SLURM_CONF": str(config),
                            "PATH": f"{Path(LOCKSTEP).parent}:{os.environ['PATH']}:/usr/sbin"}
        self.daemons = []
        for program in ("slurmctld", "slurmd"):
            with (folder / f"{program}.log").open("w") as log:
                self.daemons.append(subprocess.Popen([program, "-D", "-f", config], env=self.environment, stdout=log,
                                                     stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT))
        self.wait_for(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T").stdout)

    def run(self, *command, **options):
        return processes.run(*command, environment=self.environment, **options)

    def wait_for(self, condition):
        deadline = time.monotonic() + 120
        while not condition():
            for daemon in self.daemons:
                assert daemon.poll() is None, self.logs()
            assert time.monotonic() < deadline, self.logs()
            time.sleep(0.1)

    def logs(self):
        return "\n".join(f"{log.name}:\n{log.read_text()[-3000:]}" for log in self.folder.glob("*.log"))

    def jobs(self):
        return self.run("squeue", "-h", "-o", "%i %T").stdout.split("\n")[:-1]

    def close(self):
        self.run("scancel", "--user", str(os.getuid()))
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait()


def shards_in(folder):
    """The processes of shards in this folder."""
    def works_there(process):
        try:
            return Path(f"/proc/{process}/cwd").resolve() == folder
        except OSError:
            return False  # it has ended

    return [process for process, words in processes.commands().items() if "--shard" in words and works_there(process)]


class OnSlurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.slurm = Slurm(Path(cls.temporary.name).resolve() / "slurm")

    @classmethod
    def tearDownClass(cls):
        cls.slurm.close()
        cls.temporary.cleanup()

    def setUp(self):
        self.path = Path(tempfile.mkdtemp(dir=self.temporary.name)).resolve()
        for name, text in SCRIPTS.items():
            (self.path / name).write_text(text)
        (self.path / "corpus").symlink_to(ROOT / "corpus")

    def ran(self, *command, expected=0):
        """In the folder of the test; a wrong exit code is told with the logs of the tasks."""
        result = self.slurm.run(*command, cwd=self.path)
        logs = "\n".join(f"{log.name}: {log.read_text()[-500:]}" for log in sorted(self.path.glob("*.log")))
        self.assertEqual(result.returncode, expected, result.stdout + result.stderr + logs)
        return result.stdout

    def interrupt(self, script, begun):
        """Submits the script, kills some of its tasks with SIGKILL and cancels the rest. Returns the number killed."""
        submitted = self.ran("sbatch", "--parsable", script)
        self.slurm.wait_for(begun)
        killed = sum(send(process, signal.SIGKILL) for process in shards_in(self.path)[:3])
        self.assertGreater(killed, 0)
        time.sleep(0.2)
        self.slurm.run("scancel", submitted.strip())
        self.slurm.wait_for(lambda: not self.slurm.jobs() and not shards_in(self.path))
        return killed

    def submitted_again(self, script, folder):
        """What a merge of the folder says after that."""
        self.ran("sbatch", "--wait", script)
        return json.loads(self.ran(LOCKSTEP, "merge", folder, "--json"))

    def test_the_commands_of_the_page(self):
        for command in COMMANDS:
            with self.subTest(command):
                self.ran("sh", "-c", command)

    def test_a_walk_that_is_killed_and_submitted_again_has_the_counts_of_the_whole(self):
        whole = json.loads(self.ran(LOCKSTEP, "explore", "ts_tetris", "5x5", "--depth", "12", "--json"))
        shared = self.path / "shared" / "walk"
        script = (self.path / "walk.slurm")
        script.write_text(script.read_text().replace("--exchange", "--every 0 --exchange"))
        ended = lambda: len(list(shared.glob("shard-*/result.json")))
        killed = self.interrupt("walk.slurm", lambda: list(shared.glob("shard-*/level-7")) or ended())
        self.assertLess(ended(), TASKS, "the job was cancelled before its end")
        self.assertIn("not ended: run ", self.ran(LOCKSTEP, "merge", "shared/walk", expected=3))
        merged = self.submitted_again("walk.slurm", "shared/walk")
        self.assertEqual([merged["levels"], merged["end"]], [whole["levels"], whole["end"]])
        print(f"walk: {killed} tasks killed, the rest cancelled; {merged['positions']} positions, {merged['steps']} steps")

    def test_a_search_that_is_killed_and_submitted_again_judges_every_scenario(self):
        shared = self.path / "shared" / "search"
        killed = self.interrupt("search.slurm", lambda: list(shared.glob("shard-*/unfinished-fuzz-run.json")))
        merged = self.submitted_again("search.slurm", "shared/search")["systems"][0]
        # A shard that was killed repeats what it had in flight, and what it judged in its last second.
        self.assertGreaterEqual(merged["scenarios"], 20_000)
        self.assertTrue(list((shared / "merged" / "corpus" / "omok").glob("*.txt")))
        print(f"search: {killed} tasks killed, the rest cancelled; {merged['scenarios']} scenarios")


if __name__ == "__main__":
    unittest.main(verbosity=2)
