#!/usr/bin/env python3
"""Measures what an edit on the what-if page costs, of the largest boards up to 20 × 20 of each game.

usage: page_times.py ROOT PROGRAM

The time is processor time of the threads that an edit waits for, the page's own and the one that judges: other work on
the machine does not change it. The page itself shows the time that passed.
"""
import sys
from pathlib import Path

from browser import Browser
import processes

# game: scenario, canary
SCENARIOS = {
    "puyo": ("one_chain_at_the_right_wall", "one_group_at_a_time"),
    "block_game": ("sample_1", "first_gap_only"),
    "stacking": ("all_red_with_ten", "carried_turn_round_too"),
    "ts_tetris": ("cascade_of_19_rounds", "one_run_at_a_time"),
    "omok": ("full_without_a_win", "run_at_the_end_missed"),
}
EDITS = 41

# What an edit waits for. What follows it, painting what does not matter, is left out.
WITHOUT_EXPLANATION = """
const call = LockstepModule.prototype.call;
LockstepModule.prototype.call = function(job, given) {
  return job === 'explain' ? Promise.resolve({}) : call.call(this, job, given);
};"""
# Chooses a cell of the start, each time another one.
CHOOSE = """
const set = (control, value) => {
  control.value = value % (Number(control.max) + 1);
  control.dispatchEvent(new Event('input'));
};
delete document.querySelector('#what-if-answer').dataset.ms;
set(document.querySelector('#cell-row'), 7 * arguments[0] + 3);
set(document.querySelector('#cell-column'), 5 * arguments[0] + 2);
await new Promise(requestAnimationFrame);"""
# Gives it another value; ends when the answer has been painted.
CHANGE = """
const number = document.querySelector('#cell-value');
const answer = document.querySelector('#what-if-answer');
const said = new Promise(done => new MutationObserver(done).observe(answer, {childList: true}));
if (number) {
  number.value = (Number(number.value) + 1) % (Number(number.max) + 1);
  number.dispatchEvent(new Event('input'));
} else {
  [...document.querySelectorAll('#cell-values button[aria-pressed=false]')].at(arguments[0] % 2 - 1).click();
}
await said;
await new Promise(requestAnimationFrame);
await new Promise(done => setTimeout(done));"""


def four_times(text: str) -> str:
    """A scenario of block_game on a board of twice the size, with four copies of each block."""
    head, rest = text.split("board\n")
    board, actions = rest.split("actions\n")
    rows = [[0 if cell == "." else int(cell) for cell in row.split()] for row in board.splitlines()]
    most = max(max(row) for row in rows)
    size = f"size {len(rows)}"
    copy = lambda row, n: [cell and cell + n * most for cell in row]
    rows = [copy(row, n) + copy(row, n + 1) for n in (0, 2) for row in rows]
    board = "".join(" ".join(str(cell or ".") for cell in row) + "\n" for row in rows)
    assert size in head
    return head.replace(size, f"size {len(rows)}") + "board\n" + board + "actions\n" + actions


def used(threads: list[Path]) -> float:
    """Milliseconds of processor time."""
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e6


def threads_of(browser: Browser) -> tuple[list[Path], list[Path]]:
    """Of the page's process: its own thread, and those that judge."""
    for number, words in processes.commands().items():
        command, tasks = " ".join(words), Path(f"/proc/{number}/task")
        if browser.folder not in command or "--type=renderer" not in command:
            continue
        workers = [each for each in tasks.iterdir() if (each / "comm").read_text().startswith("Dedicated")]
        if workers:
            return [tasks / str(number)], workers
    raise RuntimeError("no worker runs")


def main(root: Path, program: Path) -> None:
    work = root / "build" / "page-times"
    work.mkdir(parents=True, exist_ok=True)
    browser = Browser()
    print(f"{'game':10}  {'board':>7}  actions  median ms  largest ms  of these, judging")
    try:
        browser.size(1280, 900)
        for game, (name, canary) in SCENARIOS.items():
            text = (root / "corpus" / game / f"{name}.txt").read_text()
            scenario = work / f"{game}.txt"
            scenario.write_text(four_times(text) if game == "block_game" else text)
            processes.run(program, "html", scenario, "--with", canary, "--seconds", "1", expected=0)
            browser.open(scenario.with_suffix(".html").as_uri())
            browser.open_what_if()
            browser.script(WITHOUT_EXPLANATION)
            page, workers = threads_of(browser)
            costs = []
            for edit in range(EDITS):
                browser.awaited(f"(async function() {{ {CHOOSE} }})(arguments[0]).then(arguments[1])", edit)
                before = used(page), used(workers)
                browser.awaited(f"(async function() {{ {CHANGE} }})(arguments[0]).then(arguments[1])", edit)
                costs.append((used(page) - before[0], used(workers) - before[1]))
            total = sorted(sum(cost) for cost in costs)
            judging = sorted(cost[1] for cost in costs)
            rows, columns, actions = browser.script(
                "const cells = [...document.querySelectorAll('.panel g[data-row]')].at(-1).dataset;"
                "return [Number(cells.row) + 1, Number(cells.column) + 1, Number(document.querySelector('#slider').max)]")
            print(f"{game:10}  {f'{rows} × {columns}':>7}  {actions:7}  {total[EDITS // 2]:9.1f}  {total[-1]:10.1f}  "
                  f"{judging[EDITS // 2]:16.1f}")
    finally:
        browser.close()


if __name__ == "__main__":
    main(*(Path(word).absolute() for word in sys.argv[1:]))
