#!/usr/bin/env python3
"""What the prover says of planted changes in the kernels of a game's claims.

usage: prove_changes.py equivalents GAME [--seconds N] [--only TEXT] [--jobs N] [--write] [--json]
       prove_changes.py refutations GAME [CLAIM] [--sample N] [--seed N] [--specification] [--seconds N] [--jobs N]

equivalents   For each change that lab/mutants/equivalent/GAME.txt lists: does every kernel that contains it equal what
              it was, for all inputs that the claim is about? Then it is `proved`. If not, and the simulators differ on
              the counterexample's scenario, it is `killed`: the entry is wrong. Else it stays `argued`, and the reason
              is told: it lies in no kernel, the simulators reach it by another way too, a claim is about a part of their
              calls only, or a kernel differs on an input that no scenario has. --write records what is proved in the
              list, adds the scenarios of killed ones to the corpus, and removes their entries.
refutations   Of the changes in a kernel that are not listed, a fixed sample: each has to be refuted, compared with the
              original kernel, or with the claim's specification.

Exit 0 if so. Exit 1 if an entry is killed, if one that is recorded as proved is not, or if the sample has a change that
is not refuted and that the simulators reach through these kernels only. Exit 2 when the command line is wrong.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import keys  # noqa: E402


def wrong(text: str):
    print(f"prove_changes: {text}", file=sys.stderr)
    sys.exit(2)


class Prover:
    """The program prove_changes and the judge."""

    def __init__(self, asked):
        self.asked = asked
        build = asked.root / "build/release"
        self.command = [str(build / "bin/prove_changes"), asked.game, str(build / f"proof/planted_{asked.game}.bc")]
        self.planted = json.loads((build / f"lab/mutants/{asked.game}/mutants.json").read_text(encoding="utf-8"))["changes"]
        self.kernels: dict[str, set[int]] = {}  # by claim: the changes that its kernel contains
        self.covers_only: dict[str, str] = {}  # by claim: the part of the simulators' calls that it is about; "": all
        self.other_way: dict[int, str] = {}
        for line in self.run(["--list"], "").splitlines():
            said = json.loads(line)
            if "claim" in said:
                self.kernels[said["claim"]] = set(said["changes"])
                self.covers_only[said["claim"]] = said["covers_only"]
            else:
                self.other_way[said["change"]] = said["other_way"]
        self.judge = None

    def run(self, words: list[str], questions: str) -> str:
        result = subprocess.run([*self.command, *words], input=questions, stdout=subprocess.PIPE, text=True, check=False)
        if result.returncode != 0:
            print(f"prove_changes: {self.command[0]} ended with {result.returncode}", file=sys.stderr)
            sys.exit(3)
        return result.stdout

    def ask(self, questions: list[tuple[str, int]], of: str) -> dict[tuple[str, int], dict]:
        """The answers to questions about a claim and a change; `of`: original or specification."""
        share = [questions[k::self.asked.jobs] for k in range(self.asked.jobs)]
        processes = []
        for part in filter(None, share):
            process = subprocess.Popen([*self.command, "--seconds", str(self.asked.seconds)], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
            process.stdin.write("".join(f"{claim} {change} {of}\n" for claim, change in part))
            process.stdin.close()
            processes.append(process)
        answers = {}
        for process in processes:
            for line in process.stdout:
                said = json.loads(line)
                answers[said["claim"], said["change"]] = said
            if process.wait() != 0:
                print(f"prove_changes: {self.command[0]} ended with {process.returncode}", file=sys.stderr)
                sys.exit(3)
        return answers

    def kills(self, change: int, scenario: str) -> bool:
        """Whether the simulators differ on the scenario with the change on."""
        if self.judge is None:
            target = f"mutants_{self.asked.game}"
            # As ./dev does: two commands at a time take turns in a build's folder.
            alone = ["flock", "--close", "build/release.lock"] if shutil.which("flock") else []
            subprocess.run([*alone, "cmake", "--build", "--preset", "release", "--target", target],
                           cwd=self.asked.root, check=True, stdout=subprocess.DEVNULL)
            self.judge = str(self.asked.root / "build/release/bin" / target)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / self.asked.game).mkdir()
            (Path(folder) / self.asked.game / "counterexample.txt").write_text(scenario, encoding="utf-8")
            words = f"{change} {' '.join(self.planted[change - 1]['simulators'])}\n"
            result = subprocess.run([self.judge, "--seconds", "1", "--jobs", "1", "--corpus", folder], input=words,
                                    capture_output=True, text=True, check=True)
        return result.stdout.split()[1:3] == ["killed", "counterexample.txt"]


def place_of(change: dict) -> keys.Place:
    return keys.Place(Path(change["file"]).name, change["function"], change["change"], change["within"])


def listed(asked, prover: Prover) -> dict[int, keys.Entry]:
    """The entries by the number of their change."""
    try:
        entries = keys.read(asked.equivalent.read_text(encoding="utf-8")) if asked.equivalent.exists() else []
    except keys.WrongList as fault:
        wrong(f"{asked.equivalent}:{fault}")
    found, complaints = keys.match([place_of(change) for change in prover.planted], entries)
    if complaints:
        wrong(f"{asked.equivalent.name}: " + "\n".join(complaints))
    return {at + 1: entry for at, entry in found.items()}


def verdict(prover: Prover, change: int, answers: list[dict]) -> dict:
    """What follows for a listed change from the answers of all kernels that contain it."""
    if not answers:
        return {"verdict": "argued", "why": "in no kernel"}
    for answer in answers:
        if answer["answer"] == "refuted" and "scenario" in answer and prover.kills(change, answer["scenario"]):
            return {"verdict": "killed", "why": answer["claim"], "scenario": answer["scenario"]}
    for answer in answers:
        if answer["answer"] == "refuted":
            on = "a scenario on which no simulator does" if "scenario" in answer else "an input that no scenario has"
            return {"verdict": "argued", "why": f"{answer['claim']} differs on {on}"}
        if answer["answer"] != "proved":
            return {"verdict": "argued", "why": f"{answer['claim']}: {answer['reason']}"}
        if part := prover.covers_only[answer["claim"]]:
            return {"verdict": "argued", "why": f"{answer['claim']} proves it for {part} alone"}
    if prover.other_way[change]:
        return {"verdict": "argued", "why": f"reached without a kernel too: {prover.other_way[change]}"}
    return {"verdict": "proved", "why": ", ".join(f"{answer['claim']} {answer['hash']}" for answer in answers),
            "solver": answers[0]["solver"], "seconds": sum(answer["seconds"] for answer in answers)}


def record(asked, entries: dict[int, keys.Entry], verdicts: dict[int, dict]) -> None:
    """Writes what is decided into the list, and the scenarios of killed changes into the corpus."""
    lines = asked.equivalent.read_text(encoding="utf-8").splitlines()
    for change, said in verdicts.items():
        at = entries[change].line - 1
        lines[at] = keys.without_proof(lines[at])
        if said["verdict"] == "proved":
            lines[at] += f"; proved: {said['why']}"
        elif said["verdict"] == "killed":
            lines[at] = None
            (asked.root / "corpus" / asked.game / f"refuted_{change}.txt").write_text(said["scenario"], encoding="utf-8")
    asked.equivalent.write_text("".join(f"{line}\n" for line in lines if line is not None), encoding="utf-8")


def equivalents(asked, prover: Prover) -> int:
    entries = {change: entry for change, entry in listed(asked, prover).items() if asked.only in str(entry)
               and (not asked.recorded or entry.proved)}
    containing = {change: [claim for claim, changes in prover.kernels.items() if change in changes] for change in entries}
    answers = prover.ask([(claim, change) for change, claims in containing.items() for claim in claims], "original")
    verdicts = {change: verdict(prover, change, [answers[claim, change] for claim in containing[change]])
                for change in entries}
    bad = [change for change, said in verdicts.items()
           if said["verdict"] == "killed" or (entries[change].proved and said["verdict"] != "proved")]
    if asked.json:
        print(json.dumps([{"entry": str(entries[change]), "recorded": entries[change].proved, **said}
                          for change, said in verdicts.items()], indent=1, ensure_ascii=False))
    else:
        for change, said in verdicts.items():
            if containing[change]:
                print(f"{said['verdict']}: {entries[change]}: {said['why']}")
        print()
        print(table(prover, entries, verdicts))
        for change in bad:
            print(f"\n{asked.equivalent.name}:{entries[change].line}: {verdicts[change]['verdict']}, but listed"
                  f"{' as proved' if entries[change].proved else ''}: {entries[change]}\n"
                  f"{verdicts[change].get('scenario', '')}")
    if asked.write:
        record(asked, entries, verdicts)
    return 1 if bad else 0


def table(prover: Prover, entries: dict[int, keys.Entry], verdicts: dict[int, dict]) -> str:
    counts = defaultdict(Counter)
    for change, said in verdicts.items():
        outside = said["why"] == "in no kernel"
        for name in (prover.planted[change - 1]["file"], "all"):
            counts[name].update({"listed": 1, said["verdict"]: 1, "outside": outside})
    width = max(map(len, counts), default=4)
    out = [f"{'file':{width}}  listed  proved  killed  argued  of these in no kernel"]
    order = [name for name in counts if name != "all"] + ["all"]
    for name in order:
        count = counts[name]
        out.append(f"{name:{width}}  {count['listed']:6}  {count['proved']:6}  {count['killed']:6}  {count['argued']:6}"
                   f"  {count['outside']:21}")
    return "\n".join(out)


def refutations(asked, prover: Prover) -> int:
    if asked.claim and asked.claim not in prover.kernels:
        wrong(f"{asked.game} has no claim '{asked.claim}'; there are: {', '.join(prover.kernels)}")
    entries = listed(asked, prover)
    questions = []
    for claim, changes in prover.kernels.items():
        candidates = sorted(changes - set(entries))
        if asked.claim in (None, claim):
            chosen = random.Random(asked.seed).sample(candidates, min(asked.sample, len(candidates)))
            questions += [(claim, change) for change in sorted(chosen)]
    answers = prover.ask(questions, "specification" if asked.specification else "original")
    bad = []
    for claim, changes in prover.kernels.items():
        said = [answers[question] for question in questions if question[0] == claim]
        if not said:
            continue
        count = Counter(answer["answer"] for answer in said)
        print(f"{asked.game} {claim}: {len(changes)} changes, {len(said)} in the sample: {count['refuted']} refuted, "
              f"{count['proved']} equal, {count['not covered']} not covered, "
              f"{sum(answer.get('seconds', 0) for answer in said):.0f} s")
        for answer in said:
            if answer["answer"] == "refuted":
                continue
            change = prover.planted[answer["change"] - 1]
            way = prover.other_way[answer["change"]]
            print(f"  {answer['answer']}: {change['file']}:{change['line']}: {change['change']}"
                  f"{': ' + answer['reason'] if 'reason' in answer else ''}{': also reached by ' + way if way else ''}")
            if not way:
                bad.append(answer)
    return 1 if bad else 0


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./dev lab", description=__doc__.split("\n")[0],
                                     epilog="\n".join(__doc__.split("\n")[5:]),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("question", choices=("equivalents", "refutations"))
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("claim", metavar="CLAIM", nargs="?")
    parser.add_argument("--seconds", type=float, default=120, help="processor time for each change and kernel (120)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time (all processors)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only entries that contain it")
    parser.add_argument("--recorded", action="store_true", help="only entries that are recorded as proved")
    parser.add_argument("--write", action="store_true", help="record the result in the list and in the corpus")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="changes of each kernel (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--specification", action="store_true", help="compare with the specification, not the original")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent.parent, help=argparse.SUPPRESS)
    parser.add_argument("--equivalent", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    asked.equivalent = asked.equivalent or Path(__file__).resolve().parent / "equivalent" / f"{asked.game}.txt"
    prover = Prover(asked)
    return equivalents(asked, prover) if asked.question == "equivalents" else refutations(asked, prover)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
