#!/usr/bin/env python3
"""The pages that `lockstep html` writes, in a headless Chromium.

usage: pages_test.py ROOT PROGRAM EXAMPLES     EXAMPLES: the folder of page_order_book and page_lru_cache

Findings are corpus files and examples with a known mistake. What a page draws is read from its shapes and compared with
what `show` prints at every step. With LOCKSTEP_PICTURES=FOLDER, pictures of the pages that axe reads are saved there.
"""
import functools
import hashlib
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
from typing import NamedTuple

from browser import Browser
import processes

EXAMPLES, PROGRAM, ROOT = (Path(sys.argv.pop()).absolute() for _ in range(3))
sys.path.insert(0, str(ROOT / "bench"))

from comparing import baseline  # noqa: E402

WORK = ROOT / "build" / "pages"
AXE_VERSION = "4.14.1"
AXE_SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"  # of package/axe.min.js
ALL_OF_IT = ("--seconds", "600")  # what matters is found out to its end, however slow the machine is
LARGEST_FINDING, LARGEST = 500_000, 5_000_000

LOOKS = (("light", 1280), ("dark", 1280), ("light", 380))  # colours, and the width of the window


class Finding(NamedTuple):
    program: Path
    scenario: str
    canary: str


FINDINGS = {name: Finding(*finding) for name, finding in {
    "puyo": (PROGRAM, "corpus/puyo/split_gap.txt", "one_group_at_a_time"),
    "block_game": (PROGRAM, "corpus/block_game/one_gap_stays_shut.txt", "first_gap_only"),
    "stacking": (PROGRAM, "corpus/stacking/blue_turns_the_piece_round.txt", "carried_turn_round_too"),
    "ts_tetris": (PROGRAM, "corpus/ts_tetris/seed_example.txt", "one_run_at_a_time"),
    "omok": (PROGRAM, "corpus/omok/borders.txt", "run_at_the_end_missed"),
    "order_book": (EXAMPLES / "page_order_book", "examples/order_book/smallest/amend_down_goes_last.txt",
                   "amend_down_goes_last"),
    "lru_cache": (EXAMPLES / "page_lru_cache", "examples/lru_cache/smallest/put_keeps_age.txt", "put_keeps_age"),
}.items()}

# Reads what is drawn: in a panel, in order, [kind, name, content] of values, boards and lists.
DRAWN = r"""
const symbol_of = cell => {
  const type = (selector, beginning) => [...cell.querySelector(selector)?.classList ?? []]
      .find(name => name.startsWith(beginning) && !/stone|mark|cell/.test(name))
      ?.slice(beginning.length);
  const number = cell.querySelector('.block-number, .symbol')?.textContent;
  const ground = cell.querySelector('.stack-white') ? '.' : type('.stack-R, .stack-B', 'stack-');
  return ground ?? type('.puyo', 'puyo-') ?? type('.omok-stone', 'omok-') ?? type('.ts-1, .ts-2', 'ts-') ?? number ?? '.';
};
const parts = ':scope > .fields, :scope > .pictures > svg.board, :scope > .scroll';
const drawn = panel => [...panel.querySelectorAll(parts)].map(part => {
  if (part.matches('.fields')) {
    return ['values', '', [...part.querySelectorAll('dt')].map(name =>
        [name.textContent, name.nextElementSibling.querySelector('.text').textContent])];
  }
  if (part.matches('svg')) {
    const rows = [];
    for (const cell of part.querySelectorAll('g[data-row]')) {
      (rows[cell.dataset.row] ??= [])[cell.dataset.column] = symbol_of(cell);
    }
    const pieces = [...part.querySelectorAll('.piece')].map(piece => [
      Number(piece.dataset.piece), piece.closest('g').dataset.row, piece.closest('g').dataset.column,
      [...piece.classList].find(name => /^piece-(right|left|up|down)$/.test(name)).slice(6),
      Number(piece.getAttribute('y'))]);
    return ['board', part.getAttribute('aria-label').split(' of ')[0], rows, pieces];
  }
  const names = [...part.querySelectorAll('th')].slice(1).map(each => each.textContent);
  const table = part.querySelector('table');
  return [table.dataset.kind, table.dataset.list, [...part.querySelectorAll('tbody tr')].map(row =>
      [...row.querySelectorAll('td.text')].map((cell, i) => [names[i] ?? '', cell.textContent]))];
});
"""

# Of a panel: the values and items that have a mark of a kind, "changed" or "differs", as [name, number of the item];
# [name, "gone"] for a list that has only lost items.
MARKED = r"""
const marked = (panel, kind) => [...panel.querySelectorAll(':scope > .fields dt, :scope > .scroll')].flatMap(part => {
  const has_mark = element => element.querySelector(`.flag.${kind}`) !== null;
  if (part.matches('dt')) return has_mark(part.nextElementSibling) ? [[part.textContent, 0]] : [];
  const table = part.querySelector('table'), name = table.dataset.list;
  const items = [...table.querySelectorAll('tbody tr')].flatMap((row, i) => (has_mark(row) ? [[name, i]] : []));
  return has_mark(table.caption) ? [...items, [name, 'gone']] : items;
});
"""


run = functools.partial(processes.run, cwd=ROOT)


def ask(name: str, verb: str, *options, scenario=None, expected=None) -> str:
    """What the program prints of a finding, or of another scenario with the same mistake."""
    program, own, canary = FINDINGS[name]
    return run(program, verb, scenario or own, "--with", canary, *options, expected=expected).stdout


def judged(name: str, scenario=None) -> dict:
    return json.loads(ask(name, "replay", "--json", scenario=scenario))[0]


def does_not_matter(name: str, kind: str, scenario=None) -> list[bool]:
    """What `explain` says of each word of the rows of a board, or of each action."""
    lines = json.loads(ask(name, "explain", "--json", *ALL_OF_IT, scenario=scenario))["lines"]
    parts = [part for line in lines if line["kind"] == kind for part in (line["words"] if kind == "row" else [line])]
    return [part["matter"] == "free" for part in parts]


class Printed(NamedTuple):
    lines: list[str]
    answer: str

    def text(self) -> str:
        return "\n".join(self.lines) + (f"\n\n{self.answer}" if self.answer else "")


def shown(name: str, step: int, scenario=None) -> dict[str, Printed]:
    """What `show` prints of each implementation at a step."""
    lines = ask(name, "show", "--step", step, scenario=scenario, expected=0).splitlines()
    lines = lines[lines.index("") + 1:]
    titles = [(match.start(), match.group()) for match in re.finditer(r"\S+", lines[0])]
    body, rest = lines[1:lines.index("")], lines[lines.index("") + 1:]
    answers = dict(match.groups() for line in rest if (match := re.fullmatch(r"[* ] (\S+): (.*)", line)))
    out = {}
    for (start, title), (end, _) in zip(titles, [*titles[1:], (None, "")]):
        texts = [line[start:end].rstrip() for line in body if not re.fullmatch(r"[ ^]*\^[ ^]*", line)]
        while texts and not texts[-1]:
            texts.pop()
        out[title] = Printed(texts, answers.get(title, ""))
    out.pop("before", None)
    return out


def text_of(drawn: list, numbers: bool) -> list[str]:
    """The lines that `show` prints of what is drawn."""
    lines: list[str] = []
    for kind, name, content, *pieces in drawn:
        if kind == "values":
            lines += [f"{field} {text}" for field, text in content]
        elif kind == "board":
            wide = max(len(cell) for row in content for cell in row)
            lines.append(name)
            lines += [" ".join(cell.rjust(wide) for cell in row) if numbers else "".join(row) for row in content]
        elif kind == "lines":
            lines += [f"{name} " + " ".join(f"{word}={text}" for word, text in item) for item in content]
        else:
            items = ["{" + " ".join(f"{word}={text}" for word, text in item if text) + "}" for item in content]
            lines.append(f"{name} [{','.join(items)}]")
    return lines


def board_in(drawn: list) -> list:
    board, = (each for each in drawn if each[0] == "board")
    return board


def pieces_of(board: list) -> list[str]:
    """The lines of the pieces that are drawn on a board of stacking: the lowest of a stack has level 0."""
    found = {}
    for number, row, column, facing, y in board[3]:
        level = sum(other[1:3] == [row, column] and other[4] > y for other in board[3])
        found[number] = f"piece row={row} column={column} facing={facing} level={level}"
    return [found[number] for number in sorted(found)]


@functools.cache
def axe() -> str:
    """axe-core's source, from the npm registry; "" if there is none."""
    file = WORK / f"axe-{AXE_VERSION}.min.js"
    if not file.exists():
        with tempfile.TemporaryDirectory() as folder:
            packed = run("npm", "pack", f"axe-core@{AXE_VERSION}", "--silent", cwd=folder)
            if packed.returncode != 0:
                return ""
            run("tar", "-xzf", packed.stdout.strip(), "package/axe.min.js", cwd=folder, expected=0)
            file.write_bytes((Path(folder) / "package" / "axe.min.js").read_bytes())
    assert hashlib.sha256(file.read_bytes()).hexdigest() == AXE_SHA256, f"{file} is not axe-core {AXE_VERSION}"
    return file.read_text()


@functools.cache
def page_of(name: str) -> Path:
    """The page of a finding."""
    page = WORK / f"{name}.html"
    ask(name, "html", "--out", page, *ALL_OF_IT, expected=0)
    return page


def film_in(page: str) -> tuple[str, str, str]:
    """A page's data in JSON, with what is before and behind it."""
    head, rest = page.split('id="data">', 1)
    data, tail = rest.split("</script>", 1)
    return f'{head}id="data">', data, f"</script>{tail}"


def changed_page(name: str, new_name: str, change) -> str:
    """The address of a copy of a finding's page whose data `change` has edited."""
    head, data, tail = film_in(page_of(name).read_text())
    film = json.loads(data)
    change(film)
    page = WORK / f"{new_name}.html"
    page.write_text(head + json.dumps(film) + tail)
    return page.as_uri()


GREY_CELLS = ("[...document.querySelector('.panel').querySelectorAll('g[data-row]')]"
              ".map(cell => cell.classList.contains('free-cell'))")
IMPLEMENTATIONS = "[...document.querySelectorAll('[data-implementation]')].map(each => each.dataset.implementation)"


def panel_of(title: str) -> str:
    return f"[data-implementation='{title}']"


def wait_for(true, seconds=120):
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.1)


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        WORK.mkdir(parents=True, exist_ok=True)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.look("light", 1280, motion="no-preference")

    def look(self, colours: str, width: int, motion: str = "reduce"):
        self.browser.size(width, 900)
        self.browser.prefer(colours, motion)

    def opened(self, name: str, hash_: str = "") -> Path:
        page = page_of(name)
        self.browser.open(f"{page.as_uri()}{hash_}")
        return page

    def step(self) -> int:
        return int(self.browser.value("document.querySelector('[aria-selected=true]').dataset.step"))

    def head(self) -> str:
        return self.browser.text("h1")

    def faults(self) -> list[str]:
        self.browser.command("Runtime.evaluate", expression=axe())
        found = self.browser.awaited("axe.run(document).then(arguments[0])")
        return [f"{each['id']} {node['target']} {node['failureSummary']}" for each in found["violations"]
                for node in each["nodes"]]

    def axe_finds_nothing(self, name: str, open_page, looks=LOOKS):
        """In the page that is opened, for each of these looks."""
        if not axe():
            why = "the npm registry does not give axe-core"
            self.fail(why) if os.environ.get("CI") else self.skipTest(why)
        for colours, width in looks:
            with self.subTest(name, colours=colours, width=width):
                self.look(colours, width)
                open_page()
                if folder := os.environ.get("LOCKSTEP_PICTURES"):
                    self.browser.screenshot(Path(folder) / f"{name}-{colours}-{width}.png")
                self.assertEqual(self.faults(), [])

    def drawn(self, panel: str = ".panel") -> list:
        return self.browser.script(f"{DRAWN} return drawn(document.querySelector(arguments[0]));", panel)

    def marked(self, title: str, kind: str) -> list:
        code = f"{MARKED} return marked(document.querySelector(arguments[0]), arguments[1]);"
        return sorted(self.browser.script(code, panel_of(title), kind), key=str)

    def assert_no_error(self):
        self.assertEqual(self.browser.errors(), [])

    def assert_complete(self, page: Path):
        """It is not large, asks for no other file, and has no error."""
        self.assertLess(page.stat().st_size, LARGEST_FINDING)
        asked, _ = self.browser.requests()
        self.assertEqual([each for each in asked if not each.startswith(page.as_uri())], [])
        self.assert_no_error()

    def assert_fits(self, width: int, parts: str):
        self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), width)
        too_wide = self.browser.value(
            "[...document.querySelectorAll(arguments[0])].filter("
            "e => e.getBoundingClientRect().right > arguments[1]).map(e => e.outerHTML.slice(0, 80))", parts, width)
        self.assertEqual(too_wide, [])


class Findings(PageTest):
    """For a finding of each game, and of two systems without a drawing."""

    def test_opens_at_the_first_divergence_without_any_request_or_error(self):
        for name in FINDINGS:
            with self.subTest(name):
                page = self.opened(name)
                self.assertEqual(self.step(), judged(name)["divergence"]["step"])
                self.assertIn(FINDINGS[name].canary, self.head())
                self.browser.press("Home", "End", "Space", "Space")
                self.assert_complete(page)

    def test_each_board_is_what_show_prints_at_every_step(self):
        for name in FINDINGS:
            with self.subTest(name):
                self.opened(name)
                before: dict[str, Printed] = {}
                for step in range(judged(name)["actions"] + 1):
                    self.browser.script("location.hash = `step=${arguments[0]}`", step)
                    self.browser.wait_for("document.querySelector('#where').textContent.startsWith("
                                          "`Step ${arguments[0]} of`)", step)
                    printed = shown(name, step)
                    self.assertEqual(len(printed), 2)
                    for title, each in printed.items():
                        self.compare(name, title, each, f"{name}, step {step}, {title}")
                    self.compare_marks(name, printed, before, f"{name}, step {step}")
                    before = printed

    def compare(self, name: str, title: str, printed: Printed, where: str):
        drawn = self.drawn(panel_of(title))
        self.assertEqual(text_of(drawn, name == "block_game"), printed.lines, where)
        if name == "stacking":
            pieces = [line for line in printed.lines if line.startswith("piece ")]
            self.assertEqual(pieces_of(board_in(drawn)), pieces, where)
        self.assertEqual(self.browser.text(f"{panel_of(title)} details pre"), printed.text(), where)

    def compare_marks(self, name: str, printed: dict[str, Printed], before: dict[str, Printed], where: str):
        """The marks of values and items; and of board cells, of games whose boards alone change."""
        (right, (expected, _)), (wrong, (actual, _)) = printed.items()
        changes = [(title, before[title].lines, printed[title].lines) for title in printed if before]
        for title, earlier, lines in changes:
            self.assertEqual(self.marked(title, "changed"), parts_that_differ(earlier, lines), where)
        self.assertEqual(self.marked(wrong, "differs"), parts_that_differ(expected, actual), where)
        self.assertEqual(self.marked(right, "differs"), [], where)
        if name in ("stacking", "order_book", "lru_cache"):
            return
        marks = [(title, "changed", cells_that_differ(earlier, lines)) for title, earlier, lines in changes]
        for title, kind, count in (*marks, (wrong, "differs", cells_that_differ(expected, actual)), (right, "differs", 0)):
            self.assertEqual(self.browser.count(f"{panel_of(title)} .{kind}-mark"), count, where)

    def test_blocks_are_outlined_between_numbers_and_not_inside(self):
        self.opened("block_game", "#step=0")
        wrong = self.browser.script(r"""
            const cells = new Map([...document.querySelector('.panel').querySelectorAll('g[data-row]')].map(
                cell => [`${cell.dataset.row},${cell.dataset.column}`, cell]));
            const number = (row, column) =>
                cells.get(`${row},${column}`)?.querySelector('.block-number')?.textContent ?? '';
            return [...cells.values()].filter(cell => {
              const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)], own = number(row, column);
              const others = [[-1, 0], [1, 0], [0, -1], [0, 1]].filter(([r, c]) => number(row + r, column + c) !== own);
              return cell.querySelectorAll('.block-edge').length !== (own === '' ? 0 : others.length);
            }).length;""")
        self.assertEqual(wrong, 0)

    def test_what_does_not_matter_is_grey(self):
        for name in ("puyo", "ts_tetris", "lru_cache"):
            with self.subTest(name):
                self.opened(name, "#step=0")
                free, actions = (does_not_matter(name, kind) for kind in ("row", "action"))
                self.assertEqual(self.browser.value(GREY_CELLS), free)
                shown_free = self.browser.value(
                    "[...document.querySelectorAll('#actions .words-of-action')].slice(1)"
                    ".map(words => words.firstElementChild.classList.contains('free'))")
                self.assertEqual(shown_free, actions)
                self.assertTrue(any(free + actions) or name == "lru_cache")

    def test_keys_slider_hash_and_list_move_through_the_steps(self):
        self.opened("ts_tetris")
        last = judged("ts_tetris")["actions"]
        at = self.step()
        self.assertTrue(0 < at < last)
        for key, expected in (("ArrowRight", at + 1), ("ArrowLeft", at), ("End", last), ("ArrowRight", last),
                              ("Home", 0), ("ArrowLeft", 0), ("d", at)):
            self.browser.press(key)
            self.assertEqual(self.step(), expected, key)
            self.assertEqual(self.browser.value("[location.hash, Number(slider.value)]"), [f"#step={expected}", expected])
        self.browser.put("#slider", 3)
        self.assertEqual(self.step(), 3)
        self.browser.press("ArrowRight")
        self.assertEqual(self.step(), 4)
        self.browser.click("#step-1")
        self.assertEqual(self.step(), 1)
        for hash_, expected in (("nonsense", at), ("9999", last), ("5", 5)):
            self.opened("ts_tetris", f"#step={hash_}")
            self.assertEqual(self.step(), expected)
        self.browser.script("location.hash = 'step=2'")
        self.browser.wait_for("document.querySelector('#step-2').ariaSelected === 'true'")
        seen = self.browser.script("const list = document.querySelector('#actions').getBoundingClientRect(),"
                                   "item = document.querySelector('#step-2').getBoundingClientRect();"
                                   "return item.top >= list.top && item.bottom <= list.bottom")
        self.assertTrue(seen)

    def test_playing_goes_to_the_end_and_stops(self):
        # The page's clock is replaced, so that the test decides when it ticks.
        clock = self.browser.before_each_page(
            "window.setInterval = act => { window.tick = act; return 1; };"
            "window.clearInterval = () => { window.tick = null; };")
        self.addCleanup(self.browser.no_longer, clock)
        last = judged("ts_tetris")["actions"]
        self.opened("ts_tetris", f"#step={last - 3}")
        self.browser.press("Space")
        for step in range(last - 2, last + 1):
            self.assertEqual(self.browser.value("document.querySelector('#play').ariaLabel"), "Pause")
            self.browser.script("window.tick()")
            self.assertEqual(self.step(), step)
        self.assertEqual(self.browser.value("document.querySelector('#play').ariaLabel"), "Play")
        self.assertIsNone(self.browser.value("window.tick"))

    def test_everything_is_reached_by_keyboard_alone(self):
        self.opened("stacking")
        reached = []
        for _ in range(60):
            self.browser.press("Tab")
            focused = self.browser.script(
                "const e = document.activeElement, s = getComputedStyle(e);"
                "return e === document.body ? null : [e.id || e.ariaLabel || e.textContent, s.outlineStyle !== 'none']")
            if focused is None:
                break
            self.assertTrue(focused[1], f"{focused[0]} has no visible focus")
            reached.append(focused[0])
        for control in ("to-first", "play", "forward", "to-difference", "slider", "actions", "Copy the command",
                        "Copy the scenario"):
            self.assertIn(control, reached)
        self.browser.script("document.querySelector('#actions').focus()")
        at = self.step()
        self.browser.press("ArrowDown")
        self.assertEqual(self.step(), at + 1)
        self.browser.press("ArrowUp", "ArrowUp")
        self.assertEqual(self.step(), at - 1)

    def test_copies_the_command_the_scenario_and_the_original_input(self):
        self.browser.command("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.opened("omok")
        program, scenario, canary = FINDINGS["omok"]
        expected = {"replay": f"{program} replay {scenario} --with {canary}", "scenario": (ROOT / scenario).read_text()}
        for name, text in expected.items():
            self.browser.click(f"#{name} button")
            self.browser.wait_for("document.querySelector(`#${arguments[0]} button`).textContent === 'Copied ✓'", name)
            self.assertEqual(self.browser.awaited("navigator.clipboard.readText().then(arguments[0])"), text)
        self.assertEqual(self.browser.text("#scenario pre"), expected["scenario"])
        for name, (program, scenario, _) in FINDINGS.items():
            self.opened(name)
            printed = run(program, "show", "--as-input", scenario)
            hidden = self.browser.value("document.querySelector('#input-section').hidden")
            self.assertEqual(hidden, printed.returncode != 0, name)
            if not hidden:
                self.assertEqual(self.browser.text("#input pre"), printed.stdout)

    def test_fits_a_narrow_window(self):
        for name in FINDINGS:
            with self.subTest(name):
                self.look("light", 380, motion="no-preference")
                self.opened(name)
                self.assert_fits(380, "button, .panel, svg.board, input")

    def test_dark_and_light_follow_the_reader_and_motion_is_spared(self):
        self.opened("puyo")
        for colours, ground in (("light", "rgb(250, 249, 246)"), ("dark", "rgb(21, 23, 27)")):
            self.browser.prefer(colours)
            self.assertEqual(self.browser.value("getComputedStyle(document.body).backgroundColor"), ground)
        self.opened("ts_tetris")
        for motion, name in (("no-preference", "appear"), ("reduce", "none")):
            self.browser.prefer(motion=motion)
            found = self.browser.value("getComputedStyle(document.querySelector('.changed-mark')).animationName")
            self.assertEqual(found, name)

    def test_axe_finds_nothing(self):
        for name in FINDINGS:
            self.axe_finds_nothing(name, lambda: self.opened(name))
        self.browser.script("document.querySelector('h1').style.color = '#bbb';"
                            "document.querySelector('#play').ariaLabel = ''; document.querySelector('#play').title = ''")
        self.assertEqual({fault.split()[0] for fault in self.faults()}, {"color-contrast", "button-name"})

    def test_implementations_that_always_agree_are_folded_and_can_be_shown(self):
        page = WORK / "agreeing.html"
        run(PROGRAM, "html", "corpus/omok/borders.txt", "--out", page, expected=0)
        names = json.loads(run(PROGRAM, "replay", "corpus/omok/borders.txt", "--json").stdout)[0]["implementations"]
        self.assertGreater(len(names), 4)
        self.browser.open(page.as_uri())
        self.assertEqual(self.browser.value(IMPLEMENTATIONS), names[:1])
        folded = self.browser.text("#folded")
        for name in names[1:]:
            self.assertIn(name, folded)
        self.browser.click("#fold")
        self.assertEqual(self.browser.value(IMPLEMENTATIONS), names)
        self.assertIn("&all", self.browser.value("location.hash"))
        self.assertIn("None at this step", self.browser.text("#difference"))

    def test_the_difference_panel_lists_what_differs(self):
        for name in ("puyo", "ts_tetris", "omok"):
            with self.subTest(name):
                last = judged(name)["actions"]
                self.opened(name, f"#step={last}")
                (right, (expected, _)), (wrong, (actual, _)) = shown(name, last).items()
                rows = self.browser.value("[...document.querySelectorAll('#difference tbody tr')]"
                                          ".map(row => [...row.cells].map(cell => cell.textContent))")
                cells = [row for row in rows if row[0].startswith("board: ")]
                self.assertEqual(sorted(cells), sorted(board_differences(expected, actual)))
                self.assertEqual(self.browser.count("#difference svg .split"), len(cells))
                if cells:
                    self.assertEqual(self.browser.texts("#difference th"), ["where", right, wrong])

    def test_the_place_that_a_piece_left_is_marked(self):
        marked = 0
        before = None
        for step in range(judged("stacking")["actions"] + 1):
            self.opened("stacking", f"#step={step}")
            board = board_in(self.drawn())
            places = {piece[0]: (piece[1], piece[2]) for piece in board[3]}
            if before is not None:
                moved = {number for number in places if pieces_of(board)[number] != before[1][number]}
                left = {before[0][number] for number in moved} - {places[number] for number in moved}
                count = self.browser.value("document.querySelector('.panel svg').querySelectorAll('.left-mark').length")
                self.assertEqual(count, len(left), f"step {step}")
                marked += count
            before = (places, pieces_of(board))
        self.assertGreater(marked, 0)

    def test_a_piece_beside_the_board_is_in_the_table_alone(self):
        def beside(film):
            for run in film["implementations"]:
                fields = run["positions"][0]["s"]
                piece = next(field for field in fields if isinstance(field, dict) and "l" in field)["l"][0]
                piece[:] = [["column", "99"] if word[0] == "column" else word for word in piece]

        self.browser.open(changed_page("stacking", "beside", beside) + "#step=0")
        drawn = self.drawn()
        self.assertNotIn(0, [piece[0] for piece in board_in(drawn)[3]])
        items, = (each[2] for each in drawn if each[0] == "lines")
        self.assertIn(["column", "99"], items[0])

    def test_a_drawing_that_throws_leaves_symbols(self):
        page = WORK / "throws.html"
        page.write_text(page_of("puyo").read_text().replace("lockstepDrawing({\n", '''lockstepDrawing({
            cell(at, draw) { draw.rect(0, 0, 10, 10, "puyo puyo-R"); throw new Error("no such colour"); }});
            const unused = ({''', 1))
        self.browser.open(page.as_uri() + "#step=0")
        self.assertIn("no such colour", self.browser.text("#fault"))
        self.assertEqual(text_of(self.drawn(), False), next(iter(shown("puyo", 0).values())).lines)

    def test_a_run_that_died_shows_why_and_its_last_state(self):
        step = judged("ts_tetris")["divergence"]["step"]

        def dies(film):
            film["divergence"] |= {"kind": "crash", "actual": "died of signal 11", "words": "Assertion `x < 3' failed."}
            film["implementations"][1]["positions"] = film["implementations"][1]["positions"][:step]
            film["implementations"][1]["end"] = {"step": step, "reason": "died of signal 11"}

        self.browser.open(changed_page("ts_tetris", "died", dies))
        self.assertEqual(self.step(), step)
        self.assertIn("crashes at step", self.head())
        self.assertIn("Assertion", self.browser.text(".words"))
        panel = self.browser.texts(".panel")[1]
        self.assertIn("died of signal 11", panel)
        self.assertIn(f"Its last state, after step {step - 1}", panel)
        self.browser.press("End", "Home")
        self.assertEqual(self.step(), 0)


def parts_of(lines: list[str]) -> dict[str, list[str]]:
    """The values and items of a snapshot, by name; a value is a list of one. Without the rows of boards."""
    out: dict[str, list[str]] = {}
    for line in lines:
        name, blank, rest = line.partition(" ")
        if not blank or not re.fullmatch(r"[a-z]\w*", name):
            continue
        if rest.startswith("["):
            out[name] = re.findall(r"\{.*?\}|[^,{}]+", rest[1:-1])
        else:
            out.setdefault(name, []).append(rest)
    return out


def parts_that_differ(one: list[str], other: list[str]) -> list[list]:
    """What MARKED gives: items of lists of one length are compared by place, else those between the longest common
    beginning and end differ."""
    first, second = parts_of(one), parts_of(other)
    out = []
    for name in first.keys() | second.keys():
        a, b = first.get(name, []), second.get(name, [])
        if a == b:
            continue
        begin = len(os.path.commonprefix([a, b]))
        end = min(len(os.path.commonprefix([a[::-1], b[::-1]])), min(len(a), len(b)) - begin)
        if len(a) == len(b):
            items = [i for i, (x, y) in enumerate(zip(a, b)) if x != y]
        else:
            items = list(range(begin, len(b) - end))
        out += [[name, i] for i in items] or [[name, "gone"]]
    return sorted(out, key=str)


def cells_that_differ(one: list[str], other: list[str]) -> int:
    """The number of board cells in which two snapshots differ."""
    def cells(lines: list[str]) -> list[str]:
        rows = lines[lines.index("board") + 1:]
        return [cell for row in rows for cell in (row.split() if " " in row.strip() else row)]
    return sum(a != b for a, b in zip(cells(one), cells(other), strict=True))


def board_differences(expected: list[str], actual: list[str]) -> list[list[str]]:
    """The rows of the difference panel for boards of symbols."""
    first = expected.index("board") + 1
    return [[f"board: row {row - first}, column {column}", a, b]
            for row in range(first, len(expected)) for column, (a, b) in enumerate(zip(expected[row], actual[row]))
            if a != b and len(expected[row]) == len(actual[row]) and " " not in expected[row]]


class Checks(PageTest):
    """What the tests above rely on is seen failing."""

    def test_a_request_is_noticed(self):
        page = WORK / "asks.html"
        page.write_text("<!doctype html><title>asks</title><img src='http://127.0.0.1:9/picture.png' alt=''>")
        self.browser.open(page.as_uri())
        self.assertEqual(self.browser.requests()[0][1:], ["http://127.0.0.1:9/picture.png"])

    def test_a_request_from_a_page_is_refused_by_the_page_itself(self):
        self.opened("puyo")
        self.browser.script("const i = new Image(); i.src = 'http://127.0.0.1:9/picture.png'; document.body.append(i)")
        asked, refused = self.browser.requests()
        self.assertEqual([each for each in asked if each.startswith("http:")], refused)
        self.assertEqual(refused, ["http://127.0.0.1:9/picture.png"])

    def test_no_browser_is_left_when_its_driver_dies(self):
        browser = Browser()
        browser.group.process.kill()
        browser.kill()
        self.browser.wait_for("true")
        wait_for(lambda: not any(browser.folder in " ".join(words) for words in processes.commands().values()))

    def test_a_missing_mark_is_noticed(self):
        at = judged("lru_cache")["divergence"]["step"]
        before, after = (shown("lru_cache", step) for step in (at - 1, at))
        for title, printed in after.items():
            self.opened("lru_cache")
            expected = parts_that_differ(before[title].lines, printed.lines)
            self.assertEqual(self.marked(title, "changed"), expected)
            if expected:
                self.browser.script("document.querySelector(arguments[0]).remove()", f"{panel_of(title)} .flag.changed")
                self.assertNotEqual(self.marked(title, "changed"), expected)

    def test_a_wrong_drawing_is_noticed(self):
        self.opened("puyo", "#step=0")
        self.browser.script("document.querySelector('.panel .puyo').setAttribute('class', 'puyo puyo-Q')")
        self.assertNotEqual(text_of(self.drawn(), False), next(iter(shown("puyo", 0).values())).lines)


class Hostile(PageTest):
    """Large and malicious scenarios give a safe page that works."""

    def hostile(self, text: str, name: str, *words) -> Path:
        scenario, page = WORK / f"{name}.txt", WORK / f"{name}.html"
        scenario.write_text(text)
        run(PROGRAM, "html", scenario, "--out", page, "--seconds", "2", *words, expected=0)
        self.assertLess(page.stat().st_size, LARGEST)
        self.browser.open(page.as_uri())
        self.browser.wait_until_there(".panel")
        self.assert_no_error()
        return page

    def test_markup_in_texts_stays_text(self):
        evil = "</script><script>window.owned=1</script><img src=x onerror=window.owned=2><!--"
        scenario = (ROOT / FINDINGS["puyo"].scenario).read_text().replace("actions\n", f"# {evil}\nactions\n", 1)
        page = self.hostile(scenario, "evil</script><script>window.owned=3<".replace("/", "_"), "--with",
                            "one_group_at_a_time")
        self.assertIsNone(self.browser.value("window.owned ?? null"))
        self.assertIn(evil, self.browser.text("#scenario pre"))
        self.assertNotIn(evil.encode(), page.read_bytes())
        self.assertEqual(self.browser.value("document.scripts.length"), 5)

    def test_a_large_board_and_two_thousand_actions(self):
        # No run is longer than four: a step to the right, down or diagonally changes the sum by 2, 1, 3 or -1.
        lower = ["".join("12"[(row + 2 * column) // 4 % 2] for column in range(200)) for row in range(80)]
        board = ["." * 200] * 120 + lower
        actions = [f"{'drop' if i % 3 else 'change'} column={(i * 37) % 198}" for i in range(2000)]
        text = "\n".join(["lockstep 1 ts_tetris", "width 200", "height 200", "to_move 1", "score_1 0", "score_2 0",
                          "board", *board, "actions", *actions, ""])
        self.hostile(text, "large", "--with", "gravity_between_directions")
        at = self.step()
        self.browser.press("ArrowLeft", "ArrowRight", "ArrowRight")
        self.assertEqual(self.step(), at + 1)
        self.assertLessEqual(self.browser.count(".panel svg.board > g[data-row]"), 3 * 32 * 32)
        self.assertIs(self.browser.value("document.querySelector('.panel canvas.overview').width > 0"), True)
        self.browser.put("#window-row", 100)
        self.assertEqual(self.browser.value("document.querySelector('.panel g[data-row]').dataset.row"), "100")
        self.assertIn("row=100", self.browser.value("location.hash"))

    def test_a_board_that_changes_everywhere_at_every_step_is_cut(self):
        piece = "piece row={0} column={0} facing=right level=0"
        text = "\n".join(["lockstep 1 stacking", "size 12", "turn 0", "ended no", "board", *["." * 12] * 12,
                          *[piece.format(i) for i in range(10)], "actions", *["turn"] * 60_000, ""])
        self.hostile(text, "long", "--with", "carried_turn_round_too")
        self.assertIn("Only steps", self.browser.text("#cut"))
        first = self.step()
        self.browser.press("Home")
        self.assertLess(self.step(), first)


# The module of the page that is open, as `module`.
MODULE = """
const packed = new Blob([Uint8Array.from(atob(document.querySelector('#module').textContent), c => c.charCodeAt(0))]);
const bytes = await new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
const module = new LockstepModule(await WebAssembly.compile(bytes));
"""


class WhatIf(PageTest):
    """A page judges changed scenarios as the program does."""

    GAMES = ("puyo", "block_game", "stacking", "ts_tetris", "omok")

    def module(self, code: str, *arguments):
        """What the body of an asynchronous function returns that has `module` and `given`."""
        answer = self.browser.awaited(
            f"const done = arguments[arguments.length - 1], given = [...arguments];"
            f"(async () => {{ {MODULE} {code} }})().then(done, fault => done({{fault: String(fault)}}))", *arguments)
        self.assertFalse(isinstance(answer, dict) and "fault" in answer, answer)
        return answer

    def start(self, name: str, hash_: str = ""):
        self.opened(name, hash_)
        self.browser.open_what_if()

    def text(self) -> str:
        return self.browser.value("document.querySelector('#scenario-text').value")

    def changed(self, act, *arguments) -> str:
        """The scenario after an edit that changes it."""
        before = self.text()
        act(*arguments)
        self.browser.wait_for("document.querySelector('#scenario-text').value !== arguments[0]", before)
        return self.text()

    def leave_the_control(self):
        self.browser.script("document.activeElement.blur()")

    def follows(self, name: str, text: str):
        """Boards, answers and verdict of the changed scenario are those of the program. Returns the divergence."""
        scenario = WORK / f"{name}.changed.txt"
        scenario.write_text(text)
        divergence = judged(name, scenario).get("divergence")
        if divergence:
            self.assertIn(FINDINGS[name].canary, self.head())
            self.assertEqual(self.browser.texts(".versus dd")[-1], divergence["signature"])
        else:
            self.assertIn("agree", self.head())
        for title, printed in shown(name, self.step(), scenario).items():
            self.assertEqual(self.browser.text(f"{panel_of(title)} pre"), printed.text())
        return divergence

    def test_a_module_equals_the_program_on_the_whole_corpus(self):
        judged = diverged = 0
        page = WORK / "corpus.html"
        games = json.loads(run(PROGRAM, "list", "--json").stdout)["systems"]
        for game in self.GAMES:
            with self.subTest(game):
                self.opened(game)
                carried = self.module("return (await module.implementations()).names")
                listed = {each["name"] for one in games if one["name"] == game for each in one["implementations"]}
                plain = [name for name in carried if name in listed]
                canaries = [name for name in carried if name not in listed]
                self.assertGreater(len(plain), 1)
                for i, file in enumerate(sorted((ROOT / "corpus" / game).glob("*.txt"))):
                    names = [*plain, canaries[i % len(canaries)]]
                    run(PROGRAM, "html", file, "--with", ",".join(names), "--out", page, "--seconds", "1", expected=0)
                    page_text = page.read_text()
                    film = json.loads(film_in(page_text)[1])
                    if film["divergence"] and film["divergence"]["kind"] in ("crash", "hang"):
                        continue  # the words for it are the machine's
                    if "too large for a page" in page_text:
                        continue  # what a program leaves out of a page, a module shows
                    names = [each["name"] for each in film["implementations"]]
                    got = self.module("return await module.film(given[0])",
                                      {"text": film["scenario"], "names": names, "system": game})
                    where = f"{file.name} {names[-1]}"
                    self.assertEqual(got["actions"], film["actions"], where)
                    self.assertEqual(got["divergence"], film["divergence"], where)
                    for ours, theirs in zip(got["implementations"], film["implementations"], strict=True):
                        self.assertEqual(ours["positions"], theirs["positions"], f"{where} {theirs['name']}")
                    judged += 1
                    diverged += film["divergence"] is not None
        print(f"{judged} scenarios equal in WebAssembly and here, {diverged} of them diverge")
        self.assertGreater(judged, 100)
        self.assertGreater(diverged, 10)

    def test_a_changed_cell_is_followed_at_once(self):
        for name in self.GAMES:
            with self.subTest(name):
                self.start(name)
                # A click on the bottom left cell of a board chooses it, at the start.
                self.browser.script("""
                    const svg = document.querySelector('.panel svg[data-board]');
                    const cells = [...svg.querySelectorAll('g[data-row]')];
                    const cell = cells.findLast(each => each.dataset.column === '0');
                    const at = new DOMPoint(5, 5).matrixTransform(cell.getScreenCTM());
                    svg.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: at.x, clientY: at.y}));""")
                self.assertEqual(self.step(), 0)
                self.assertEqual(self.browser.count(".picked"), 2)
                value = self.browser.value("document.querySelector('#cell-value')?.value")
                if value is None:
                    text = self.changed(self.browser.click, "#cell-values button[aria-pressed=false]")
                else:
                    text = self.changed(self.browser.put, "#cell-value", int(value) + 1)
                self.assertEqual(self.browser.text("#scenario pre"), text)
                for key in ("Home", "End"):
                    self.leave_the_control()
                    self.browser.press(key)
                    self.follows(name, text)
                original = self.changed(self.browser.click, "#undo")
                self.assertIs(self.browser.value("document.querySelector('#reset').disabled"), True)
                self.assertNotEqual(original, text)

    def test_an_edit_draws_what_it_changes_and_leaves_the_rest_in_place(self):
        """To put a whole board back into the page costs most of an edit's time."""
        parts = ("[...document.querySelectorAll('.panel svg.board')].flatMap("
                 "board => [board, ...board.querySelectorAll(':scope > g[data-row] > *')])")
        for name in ("puyo", "ts_tetris", "omok"):
            with self.subTest(name):
                self.start(name, "#step=0")
                self.browser.script(f"for (const each of {parts}) each.stayed = true")
                self.changed(self.browser.click, "#cell-values button[aria-pressed=false]")
                all_of_them, new = self.browser.script(
                    f"const parts = {parts}; return [parts.length,"
                    " parts.filter(each => !each.stayed).map(each => each.tagName)]")
                self.assertGreater(all_of_them, 100)
                self.assertNotIn("svg", new)
                self.assertTrue(0 < len(new) < 20, new)

    def test_a_changed_action_is_followed_at_once(self):
        for name in ("puyo", "stacking", "ts_tetris", "omok"):
            with self.subTest(name):
                self.start(name)
                steps = judged(name)["actions"]
                for button, expected in (("add", steps + 1), ("remove", steps), ("remove", steps - 1)):
                    self.follows(name, self.changed(self.browser.click, f"#action-{button}"))
                    self.assertEqual(self.browser.value("Number(document.querySelector('#slider').max)"), expected)
                self.changed(self.browser.click, "#reset")
                self.assertNotIn("Changed", self.head())
                self.assertEqual(self.browser.text("#scenario pre"), (ROOT / FINDINGS[name].scenario).read_text())

    def test_a_typed_text_is_followed_and_a_wrong_one_says_why(self):
        def third_action():
            return self.text().split("actions\n")[1].splitlines()[2]

        self.start("ts_tetris", "#step=3")
        line = self.browser.value("document.querySelector('#action-text').value")
        self.assertEqual(line, third_action())
        self.browser.put("#action-text", "drop column=99")
        self.browser.wait_for("document.querySelector('#what-if-answer').textContent.startsWith('line ')")
        self.assertEqual(third_action(), line)
        text = self.changed(self.browser.put, "#action-text", "drop column=0")
        self.assertEqual(self.browser.value("document.querySelector('#action-text').value"), "drop column=0")
        self.follows("ts_tetris", text)
        # Typing letters that are keys of the page elsewhere.
        self.browser.press("d")
        self.assertEqual(self.step(), 3)

    def test_what_does_not_matter_is_painted_again_after_an_edit(self):
        self.start("ts_tetris", "#step=1")
        before = self.browser.value(GREY_CELLS)
        scenario = WORK / "ts_tetris.painted.txt"
        scenario.write_text(self.changed(self.browser.put, "#action-text", "drop column=3"))
        free = does_not_matter("ts_tetris", "row", scenario)
        self.assertNotEqual(free, before)
        self.leave_the_control()
        self.browser.press("Home")
        self.browser.wait_for(f"JSON.stringify({GREY_CELLS}) === JSON.stringify(arguments[0])", free)

    def test_smaller_shows_the_reductions_that_still_fail(self):
        self.start("ts_tetris")
        self.browser.click("#smaller")
        self.browser.wait_until_there("#smaller-list button")
        text = self.changed(self.browser.click, "#smaller-list button")
        divergence = self.follows("ts_tetris", text)
        self.assertEqual(divergence["signature"], judged("ts_tetris")["divergence"]["signature"])
        # A shrunk finding has none.
        scenario, shrunk, page = WORK / "smaller.txt", WORK / "shrunk.txt", WORK / "shrunk.html"
        scenario.write_text(text)
        ask("ts_tetris", "shrink", "--out", shrunk, scenario=scenario, expected=1)
        ask("ts_tetris", "html", "--out", page, scenario=shrunk, expected=0)
        self.browser.open(page.as_uri())
        self.browser.open_what_if()
        self.browser.click("#smaller")
        self.browser.wait_for("document.querySelector('#what-if-answer').textContent.includes('1-minimal')")
        self.assertEqual(self.browser.count("#smaller-list li"), 0)

    def test_without_webassembly_everything_else_works(self):
        gone = self.browser.before_each_page("delete globalThis.WebAssembly; globalThis.Worker = undefined;")
        self.addCleanup(self.browser.no_longer, gone)
        self.opened("puyo")
        at = self.step()
        self.browser.click("#what-if > summary")
        self.browser.wait_for("document.querySelector('#what-if-note').textContent.startsWith('This browser cannot run')")
        self.leave_the_control()
        self.browser.press("ArrowLeft")
        self.assertEqual(self.step(), at - 1)
        self.assert_no_error()

    def test_a_system_without_a_module_has_no_what_if(self):
        self.opened("order_book")
        self.assertTrue(self.browser.value("document.querySelector('#what-if').hidden"))

    def test_when_what_is_blamed_does_not_run_here_the_reference_runs_alone(self):
        def outside(film):
            film["implementations"][1]["name"] = film["divergence"]["blamed"] = "somebody_elses"

        self.browser.open(changed_page("puyo", "outside", outside))
        self.browser.open_what_if()
        self.assertIn("somebody_elses does not run in a browser", self.browser.text("#what-if-note"))
        self.changed(self.browser.click, "#action-add")
        self.assertEqual(self.browser.value(IMPLEMENTATIONS), ["rulebook"])
        self.assertIn("runs alone", self.head())

    def test_a_module_of_other_sources_is_noticed(self):
        def other(film):
            film["implementations"][0]["positions"][0]["s"][0][1] = "99"

        self.browser.open(changed_page("puyo", "other", other))
        self.browser.click("#what-if > summary")
        self.browser.wait_for("document.querySelector('#what-if-note').textContent.includes('other sources')")
        self.assertEqual(self.browser.count("#reset"), 0)

    def test_an_implementation_that_dies_or_hangs_is_told_and_the_next_call_works(self):
        source = WORK / "dies.c"
        source.write_text("""
            static char room[1 << 12]; static unsigned flight[2] = {1, 4};
            void _initialize(void) {}
            char* lockstep_room(unsigned bytes) { return room + (bytes & 0); }
            const void* lockstep_in_flight(void) { return flight; }
            const char* lockstep_ask(void) {
              if (room[0] == 'p') for (volatile int i = 0;;) i = 1;
              if (room[0] == 'e') __builtin_trap();
              return "{\\"names\\": []}";
            }""")
        built = WORK / "dies.wasm"
        run("clang-19", "--target=wasm32", "-nostdlib", "-O1", "-Wl,--no-entry", "-Wl,--export-all", source, "-o", built,
            expected=0)
        self.opened("puyo")
        died, hung, next_one = self.module("""
            const dying = new LockstepModule(await WebAssembly.compile(Uint8Array.from(given[0])));
            const out = [];
            out.push(await dying.explain({text: '', names: []}));
            out.push(await dying.put({text: '', cell: 0, value: 0}));
            out.push(await dying.implementations());
            return out;""", list(built.read_bytes()))
        self.assertIn("died in the browser", died["trap"])
        self.assertEqual([died["implementation"], died["step"]], [1, 4])
        self.assertIn("hangs", hung["error"])
        self.assertEqual(next_one, {"names": []})

    def test_axe_finds_nothing_in_what_if(self):
        def smaller():
            self.start("ts_tetris", "#step=0")
            self.browser.click("#smaller")
            self.browser.wait_until_there("#smaller-list button")
            self.assertTrue(self.browser.value("document.documentElement.scrollWidth <= innerWidth"))

        self.axe_finds_nothing("what-if", smaller, (("light", 1280), ("dark", 380)))


class Runs(PageTest):
    """The page of a run."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with tempfile.TemporaryDirectory() as out:
            result = run(PROGRAM, "fuzz", "omok", "--with", "run_at_the_end_missed,six_counts_as_five", "--keep-going",
                         "--seconds", "4", "--seed", "1", "--jobs", "1", "--corpus", "none", "--out", out, "--json",
                         expected=1)
        cls.report = json.loads(result.stdout)
        cls.game, = cls.report["systems"]
        files = {"run": result.stdout, "history": cls.history(),
                 "labels": run(PROGRAM, "labels", "omok", "--runs", "20", "--corpus", "none", "--json").stdout,
                 "certificate": run(PROGRAM, "explore", "omok", "--setup", "size=3", "--depth", "2", "--json").stdout}
        for name, text in files.items():
            (WORK / f"{name}.json").write_text(text)
        cls.labels = json.loads(files["labels"])["systems"][0]["features"]
        cls.page = WORK / "run.html"
        named = ("run", "labels", "certificate", "history", "certificate")
        run(PROGRAM, "html", *(WORK / f"{name}.json" for name in named), "--out", cls.page, expected=0)

    @staticmethod
    def history() -> str:
        """What compare prints of four baselines with ten benchmarks, one of which the last baseline lacks."""
        with tempfile.TemporaryDirectory() as folder:
            for k in range(4):
                times = {f"omok/{i}": [(1 + 0.1 * i * k) * (1 + j / 1000) for j in range(16)] for i in range(10 - k // 3)}
                baseline.save(Path(folder), baseline.Baseline(f"version{k}", {"machine": "one", "revision": f"{k}"}, times))
            compared = run(ROOT / "dev", "compare", "--history", "version0,version1,version2,version3",
                           "--baselines", folder, "--measure", "time", "--json")
        assert compared.returncode in (0, 1), compared.stderr
        return compared.stdout

    def setUp(self):
        super().setUp()
        self.open()

    def open(self):
        self.browser.open(self.page.as_uri())
        self.browser.wait_until_there(".plot .curve")

    def test_asks_for_nothing_and_has_no_error(self):
        self.assert_complete(self.page)
        self.assertIn(f"omok differ: {len(self.game['findings'])} finding", self.head())

    def chart(self, title: str, what: str, *given):
        return self.browser.script(
            "const chart = [...document.querySelectorAll('.chart')].find("
            "each => each.querySelector('figcaption').textContent === arguments[0]);" + what, title, *given)

    def test_curves_and_tables_are_the_timeline(self):
        """The points of a curve, read back through the ticks of its axes, are the samples."""
        timeline = self.game["timeline"]
        names = self.chart("Features reached", "return [...chart.querySelectorAll('.series li')]"
                           ".filter(each => each.querySelector('b')).map(each => each.childNodes[1].textContent)")
        self.assertEqual(names[0], "all engines")
        self.assertEqual(set(names[1:]), set(timeline["engines"]))
        # Curves are drawn from the last to the first. A step has two points: (x0, y0) H x1 V y1 …
        drawn = self.chart("Features reached", r"""
            const ticks = [...chart.querySelectorAll('.plot > g:not(.grid) .tick')].map(tick => {
              const [x, y] = tick.getAttribute('transform').match(/[\d.]+/g).map(Number);
              return [x, y, tick.textContent];
            }).filter(([x]) => x === 0);
            const number = text => Number(text.replace(',', ''));
            const [, low, least] = ticks[0], [, high, most] = ticks.at(-1);
            const value = y => number(least) + (number(most) - number(least)) * (y - low) / (high - low);
            return [...chart.querySelectorAll('.curve')].reverse().map(curve => {
              const ends = curve.getAttribute('d').match(/[LM][\d.]+,[\d.]+/g).map(
                  point => Number(point.split(',')[1]));
              return ends.filter((_, i) => i === 0 || i % 2 === 0).map(value);
            });""")
        expected = [timeline["features"], *(timeline["engines"][name]["features_first"] for name in names[1:])]
        for name, curve, values in zip(names, drawn, expected, strict=True):
            self.assertEqual(len(curve), len(values), name)
            for got, value in zip(curve, values):
                self.assertAlmostEqual(got, value, delta=0.02 * max(timeline["features"]), msg=name)
        rows = self.chart("Features reached", "return [...chart.querySelectorAll('tbody tr')].map("
                          "row => [...row.children].map(cell => cell.textContent))")
        self.assertLessEqual(len(rows), 24)
        self.assertEqual([int(text.replace(",", "")) for text in rows[-1][1:]], [values[-1] for values in expected])

    def test_findings_and_the_canary_are_marked_with_time_and_engine(self):
        findings = self.game["findings"]
        marks = self.chart("Features reached", "return [...chart.querySelectorAll('.plot path.finding title')].map("
                           "each => each.textContent)")
        self.assertEqual(marks, [f"finding {i}: {each['signature']}, by {each['engine']}"
                                 for i, each in enumerate(findings, 1)])
        canary = self.chart("Features reached", "return chart.querySelector('.plot path.canary title').textContent")
        self.assertEqual(canary, f"canary {self.game['canary']['name']}, found by {self.game['canary']['engine']}")
        rows = self.browser.script("""
            const table = [...document.querySelectorAll('h3')].find(each => each.textContent === 'Findings')
                .parentElement.querySelector('table');
            return [...table.querySelectorAll('tbody tr')].map(row => [
              row.children[2].textContent, row.querySelector('pre').textContent]);""")
        self.assertEqual(rows, [[each["engine"], each["signature"]] for each in findings])

    def test_a_curve_is_read_by_keyboard_and_pointer(self):
        def read():
            return self.browser.value("['aria-valuenow', 'aria-valuetext'].map("
                                      "each => document.querySelector('.plot').getAttribute(each))")

        samples = self.game["timeline"]["features"]
        self.browser.script("document.querySelector('.plot').focus()")
        sample, last = read()
        self.assertEqual(int(sample), len(samples) - 1)
        self.browser.press("ArrowLeft")  # two samples may have the same text
        self.assertEqual(int(read()[0]), len(samples) - 2)
        self.browser.press("End")
        self.assertEqual(read()[1], last)
        self.browser.press("Home")
        self.assertIn(f"all engines {samples[0]}", read()[1])
        self.browser.script("""
            const plot = document.querySelector('.plot'), box = plot.getBoundingClientRect();
            plot.dispatchEvent(new PointerEvent('pointermove', {clientX: box.right - 14, clientY: box.top + 50}));""")
        self.assertEqual(read()[1], last)

    def test_labels_certificates_and_history_are_there(self):
        self.assertEqual(self.browser.texts("h2")[1:], ["Certificates", "History"])
        self.assertEqual(self.browser.count("[aria-labelledby=more-0] tbody tr"), 2)  # of two files
        self.assertEqual(self.browser.count("[aria-labelledby=more-1] > .scroll tbody tr"), 10)
        shown_labels = self.browser.value("""[...document.querySelectorAll('.label')].map(card => [
              card.querySelector('h4').textContent,
              [...card.querySelectorAll('tr')].map(row => [row.children[0].textContent, row.children[2].textContent])])""")
        self.assertEqual(shown_labels, [[each["name"], [[value, f"{sum(counts.values()):,}"]
                                                        for value, counts in each["values"].items()]]
                                        for each in self.labels])
        self.assertEqual(self.chart("Ratio to the first version", "return chart.querySelectorAll('.curve').length"), 8)

    def test_fits_a_narrow_window(self):
        self.look("light", 380, motion="no-preference")
        self.open()
        self.assert_fits(380, ".chart, .plot, .tiles > div, .label, .scroll")

    def test_axe_finds_nothing(self):
        def unfolded():
            self.browser.open(self.page.as_uri())
            self.browser.script("for (const each of document.querySelectorAll('details')) each.open = true")

        self.axe_finds_nothing("run", unfolded)
        self.browser.script("document.querySelector('h1').style.color = '#bbb'")
        self.assertEqual({fault.split()[0] for fault in self.faults()}, {"color-contrast"})

    def test_the_page_of_a_running_campaign_shows_its_age_and_loads_itself_again(self):
        page = WORK / "running.html"
        page.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory() as out:
            process = subprocess.Popen([PROGRAM, "fuzz", "omok", "--seconds", "600", "--jobs", "1", "--no-canary",
                                        "--out", out, "--html", page], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            wait_for(page.exists)
            self.browser.open(page.as_uri())
            age = "document.getElementById('doing')?.textContent ?? ''"
            wait_for(lambda: re.match(r"omok: .* left \(.*\) · written \d+ s ago$", self.browser.value(age)))
            self.assertRegex(self.head(), "^Running: ")
            process.send_signal(signal.SIGINT)
            process.wait()
            wait_for(lambda: self.browser.value(age) == "")
        self.assertRegex(self.head(), "^Interrupted")

    def test_hostile_names_stay_text(self):
        evil = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 1'>"
        game = {**self.game, "name": evil, "findings": [
            {**each, "signature": evil * 50, "engine": evil, "file": "javascript:alert(1).txt"}
            for each in self.game["findings"]]}
        hostile = WORK / "hostile_run.json"
        hostile.write_text(json.dumps({**self.report, "systems": [game, {**game, "timeline": None}]}))
        run(PROGRAM, "html", hostile, expected=0)
        self.browser.open(hostile.with_suffix(".html").as_uri())
        self.assertIn(evil, self.head())
        self.assertIsNone(self.browser.value("window.evil ?? null"))
        self.assert_no_error()


class Picture(PageTest):
    def test_the_picture_of_the_readme_is_what_its_script_writes(self):
        picture = WORK / "picture.png"
        run(sys.executable, ROOT / "tests" / "page_picture.py", ROOT, PROGRAM, picture, expected=0)
        self.assertIn("(docs/page.png)", (ROOT / "README.md").read_text())
        # Fonts and browsers draw letters differently; the size and the finding are the same.
        size = slice(0, 24)  # of a PNG: its signature and the beginning of its header
        self.assertEqual((ROOT / "docs" / "page.png").read_bytes()[size], picture.read_bytes()[size])
        finding, = (ROOT / "build" / "picture").glob("*.txt")
        self.assertIn(finding.stem, (ROOT / "README.md").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
