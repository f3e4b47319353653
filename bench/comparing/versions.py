"""Builds the programs of any revision that git can name, and caches them.

All revisions are checked out into one folder and built in another one, so that the compiler sees the same paths,
rebuilds only what differs from the previous revision, and makes the same programs of the same sources. The
programs and plugins are cached in build/compare/programs/KEY; KEY is a hash of their sources and the toolchain.
"""
from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from . import BadInput, InternalError
from .programs import Version

# The parts of a tree on which no program depends.
NO_SOURCES = {"README.md", "LICENSE", "dev", "docs", "tests", "corpus", ".github", ".gitignore", ".clang-format", "examples"}


@dataclass
class Toolchain:
    compiler: str
    flags: str

    def version(self) -> str:
        """The first line of the compiler's --version."""
        try:
            said = subprocess.run([self.compiler, "--version"], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError) as fault:
            raise BadInput(f"--compiler {self.compiler}: {fault}") from None
        return said.splitlines()[0]


def machine() -> str:
    """The processor model and count, recorded with measured times."""
    model = platform.processor() or platform.machine()
    try:
        found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
        model = found.group(1) if found else model
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} processors, {platform.system()} {platform.machine()}"


class Repository:
    def __init__(self, root: Path, work: Path):
        self.root = root
        self.work = work  # build/compare
        if shutil.which("git") is None:
            raise BadInput("comparing revisions needs git; two folders of programs do without: --programs BEFORE AFTER")
        try:
            self.git_dir = Path(self.git("rev-parse", "--absolute-git-dir"))
        except BadInput as fault:
            raise BadInput(f"{root} is no git repository ({fault}); "
                           "two folders of programs do without: --programs BEFORE AFTER") from None

    def git(self, *arguments: str, **environment: str) -> str:
        result = subprocess.run(["git", "-C", str(self.root), *arguments], capture_output=True, text=True, check=False,
                                env={**os.environ, **environment})
        if result.returncode != 0:
            raise BadInput((result.stderr.strip() or f"git {arguments[0]} failed").splitlines()[-1])
        return result.stdout.strip()

    def tree_of(self, revision: str) -> str:
        try:
            return self.git("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{tree}").splitlines()[-1]
        except BadInput:
            raise BadInput(f"there is no revision '{revision}'; expected what git can name: HEAD~1, main, a tag, a hash") from None

    def describe(self, revision: str) -> str:
        """A readable name: the short hash and the subject, or the revision as given."""
        try:
            return self.git("log", "-1", "--format=%h %s", "--end-of-options", revision) or revision  # a tree has no log
        except BadInput:
            return revision

    def working_tree(self) -> str:
        """The tree that a commit of all current files would have. The repository is unchanged: the index is a
        copy, and new objects go into a separate folder."""
        objects = self.work / "objects"
        objects.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            index = Path(folder) / "index"
            if (self.git_dir / "index").exists():
                shutil.copy2(self.git_dir / "index", index)
            environment = {"GIT_INDEX_FILE": str(index), **self._with_our_objects()}
            self.git("add", "--all", "--", ":/", **environment)
            return self.git("write-tree", **environment)

    def _with_our_objects(self) -> dict[str, str]:
        theirs = self.git("rev-parse", "--path-format=absolute", "--git-path", "objects")
        return {"GIT_OBJECT_DIRECTORY": str(self.work / "objects"), "GIT_ALTERNATE_OBJECT_DIRECTORIES": theirs}

    def _show(self, tree: str, path: str) -> str | None:
        try:
            return self.git("show", f"{tree}:{path}", **self._readable())
        except BadInput:
            return None

    def _readable(self) -> dict[str, str]:
        return self._with_our_objects() if (self.work / "objects").exists() else {}

    def games(self, tree: str) -> list[str]:
        listed = re.search(r"^set\(LOCKSTEP_GAMES ([^)]*)\)", self._show(tree, "CMakeLists.txt") or "", re.MULTILINE)
        return listed.group(1).split() if listed else []

    def key(self, tree: str, toolchain: Toolchain) -> str:
        sources = [line for line in self.git("ls-tree", tree, **self._readable()).splitlines()
                   if line.split("\t")[1] not in NO_SOURCES]
        text = "\n".join([*sources, toolchain.version(), toolchain.flags])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def revisions(self, span: str) -> list[str]:
        """The commits of a range A..B, oldest first, A included."""
        first, _, last = span.partition("..")
        last = last.lstrip(".") or "HEAD"
        for end in (first, last):
            self.tree_of(end)
        between = self.git("rev-list", "--reverse", "--first-parent", f"{first}..{last}").split()
        return [self.git("rev-parse", first), *between]

    @contextmanager
    def _alone(self):
        """One build at a time: the folder is shared by all revisions."""
        self.work.mkdir(parents=True, exist_ok=True)
        with open(self.work / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def build(self, tree: str, label: str, toolchain: Toolchain, targets: list[str]) -> Path:
        """The folder with these programs and plugins of that tree; builds them when they are missing."""
        folder = self.work / "programs" / self.key(tree, toolchain)
        if all((folder / target).exists() for target in targets):
            return folder
        with self._alone():
            missing = [target for target in targets if not (folder / target).exists()]
            if missing:
                print(f"compare: building {label}: {' '.join(missing)}", file=sys.stderr)
                self._check_out(tree)
                self._compile(missing, toolchain, label)
                self._keep(missing, toolchain, folder)
        return folder

    def _check_out(self, tree: str) -> None:
        source = self.work / "source"
        source.mkdir(exist_ok=True)
        self.git(f"--work-tree={source}", "read-tree", "-u", "--reset", tree,
                 GIT_INDEX_FILE=str(self.work / "index"), **self._readable())

    def _binary_dir(self, toolchain: Toolchain) -> Path:
        name = hashlib.sha256(f"{toolchain.compiler} {toolchain.flags}".encode()).hexdigest()[:8]
        return self.work / f"build-{name}"

    def _compile(self, targets: list[str], toolchain: Toolchain, label: str) -> None:
        binary = self._binary_dir(toolchain)
        configure = ["cmake", "-S", str(self.work / "source"), "-B", str(binary), "-G", "Ninja",
                     "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={toolchain.compiler}",
                     f"-DCMAKE_CXX_FLAGS={toolchain.flags}", "-DLOCKSTEP_TESTS=OFF", "-DLOCKSTEP_BENCHMARKS=ON"]
        names = [target.removesuffix(".so") for target in targets]
        for command in (configure, ["cmake", "--build", str(binary), "--target", *names]):
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if result.returncode != 0:
                raise InternalError(f"{label} does not build:\n{(result.stdout + result.stderr)[-4000:]}")

    def _keep(self, targets: list[str], toolchain: Toolchain, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for target in targets:
            half = folder / f".{target}.{os.getpid()}"
            shutil.copy2(self._binary_dir(toolchain) / "bin" / target, half)
            half.rename(folder / target)

    def version(self, revision: str | None, toolchain: Toolchain, games: list[str] | None, judged: bool = False,
                judges: bool = False) -> Version:
        """Builds the programs of a revision (None: the working tree) for `games` (None: all). If the revision has them,
        also builds what behaviour.py needs: plugins if it is `judged`, the program if it `judges`."""
        tree = self.working_tree() if revision is None else self.tree_of(revision)
        label = "the working tree" if revision is None else self.describe(revision)
        if self._show(tree, "bench/on_demand.cpp") is None:
            raise BadInput(f"{label}: its benchmarks cannot be run on demand (bench/on_demand.cpp is missing); "
                           "only revisions that have it can be compared")
        wanted = [game for game in self.games(tree) if games is None or game in games]
        targets = [f"bench_{game}" for game in wanted]
        if self._show(tree, "lockstep/plugin.h") is not None:
            targets += [f"plugin_{game}.so" for game in wanted if judged] + ["lockstep"] * judges
        folder = self.build(tree, label, toolchain, targets)
        return Version(label, folder, {"revision": label, "tree": tree, "compiler": toolchain.version(),
                                       "flags": toolchain.flags, "machine": machine()})
