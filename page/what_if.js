// What if: the reader changes a cell or an action, and boards and verdict follow (module.js). Everything is an edit of
// the scenario's text; the module makes a changed cell lawful again.
"use strict";
(async () => {
  const {recorded, ...page} = window.lockstepPage;
  const box = by("what-if");
  const bytes_of = async text => {
    const packed = new Blob([Uint8Array.from(atob(text), each => each.charCodeAt(0))]);
    return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const undo_max = 200;
  const buttons_max = 12; // values of a cell with a button each

  let module = null; // answers at once
  let background = null; // what takes longer: dropped when the scenario changes
  let names = []; // the implementations that run here
  let original = null; // the film of the finding, as the module sees it
  let now = null; // that of the scenario shown
  let past = []; // texts
  let cell = {board: 0, row: 0, column: 0};
  let typed_in = null; // the control whose text is being followed

  // What can run ---------------------------------------------------------------------------------------

  const note = text => by("what-if-note").replaceChildren(text);
  const same_films = (one, other) =>
    one.total === other.total &&
    names.every(name => {
      const [a, b] = [one, other].map(film => film.implementations.find(each => each.name === name));
      if (a.end || b.end) return Boolean(a.end) === Boolean(b.end);
      return JSON.stringify(a.positions) === JSON.stringify(b.positions);
    });
  const choose = carried => {
    const all = recorded.implementations.map(each => each.name);
    const blamed = recorded.divergence?.blamed;
    const reference = recorded.implementations.find(each => each.kind === "reference")?.name;
    names = all.filter(name => carried.includes(name));
    const missing = all.filter(name => !carried.includes(name));
    if (blamed && missing.includes(blamed)) {
      names = names.filter(name => name === reference);
      return `${blamed} does not run in a browser: it is a plug-in, an outside program or code for AVX-512. `
        + "Here the reference runs alone.";
    }
    if (missing.length === 0) return "";
    return `Without ${missing.join(", ")}, which ${missing.length === 1 ? "does" : "do"} not run in a browser.`;
  };
  const begin = async () => {
    if (recorded.scenario === null || recorded.first > 0 || recorded.last < recorded.total)
      return note("This page holds only a part of the scenario, so nothing can be changed here.");
    try {
      const compiled = await WebAssembly.compile(await bytes_of(by("module").textContent));
      module = new LockstepModule(compiled);
      background = new LockstepModule(compiled);
    } catch (fault) {
      return note(`This browser cannot run the implementations: ${fault.message}`);
    }
    const carried = await module.implementations();
    if (carried.error) return note(`This browser cannot run the implementations: ${carried.error}`);
    const missing = choose(carried.names);
    if (names.length === 0) return note(missing);
    original = await module.film({text: recorded.scenario, names, system: recorded.system});
    if (original.error) return note(original.error);
    if (!same_films(original, recorded))
      return note("The module of this page gives other answers than the program did: it was built from other sources.");
    note(`${missing} A changed cell is made lawful again: it may fall, or take others with it.`.trim());
    now = original;
    build();
    refresh();
  };

  // Changing -------------------------------------------------------------------------------------------

  const say = (...content) => by("what-if-answer").replaceChildren(...content);
  const list_smaller = (...items) => by("smaller-list").replaceChildren(...items);
  const shown_film = answer => {
    if (answer.scenario === original.scenario) return recorded;
    const implementations = answer.implementations.map(each => ({
      ...recorded.implementations.find(other => other.name === each.name),
      end: undefined,
      ...each,
    }));
    return {...recorded, ...answer, implementations, why: null, hidden: false, alone: names.length === 1};
  };
  // `source`: the control that is being typed in, which keeps its text.
  const follow = async (text, {source = null, keep = true, step = null} = {}) => {
    const began = performance.now();
    const answer = await module.film({text, names, system: recorded.system});
    if (answer.superseded) return;
    const place = answer.line ? `line ${answer.line}: ` : "";
    if (answer.error) return say(element("span", {class: "end"}, `${place}${answer.error}`));
    background.stop();
    if (keep && answer.scenario !== now.scenario) past = [...past.slice(-undo_max), now.scenario];
    now = answer;
    const film = shown_film(answer);
    list_smaller();
    typed_in = source;
    page.show(film, step ?? page.step());
    const ms = Math.max(1, Math.round(performance.now() - began));
    by("what-if-answer").dataset.ms = performance.now() - began;
    say(element("strong", {}, page.headline()), ` · ${ms} ms`);
    if (film === recorded || !answer.divergence) return;
    const {why} = await background.explain({text: answer.scenario, names});
    if (why && now === answer) page.explain(why);
  };
  const put = async value => {
    let index = cell.row * now.boards[cell.board].columns + cell.column;
    for (const board of now.boards.slice(0, cell.board)) index += board.rows * board.columns;
    const answer = await module.put({text: now.scenario, cell: index, value});
    if (answer.text) await follow(answer.text, {step: 0});
  };
  const lines = () => now.scenario.trimEnd().split("\n");
  const first_action = () => lines().indexOf("actions") + 1;
  const with_lines = (at, count, ...added) => `${lines().toSpliced(at, count, ...added).join("\n")}\n`;
  const action_at = () => (page.step() > 0 ? first_action() + page.step() - 1 : null);

  // Smaller? -------------------------------------------------------------------------------------------

  const what_changed = text => {
    const [a, b] = [lines(), text.trimEnd().split("\n")];
    const [first, end] = page.common_ends(a, b);
    const [gone, come] = [a.slice(first, a.length - end), b.slice(first, b.length - end)];
    const more = Math.max(gone.length, come.length) - 1;
    const where = first >= first_action() ? `step ${first - first_action() + 1}: ` : "";
    const head = come.length === 0 ? `without ${gone[0]}`
      : gone.length === 0 ? `with ${come[0]}` : `${gone[0]} → ${come[0]}`;
    return where + head + (more > 0 ? `, and ${counted(more, "more line")}` : "");
  };
  const smaller = async () => {
    list_smaller();
    if (!now.divergence) return say("Nothing fails here, so there is nothing to make smaller.");
    say("Trying every reduction …");
    const of = now;
    const {signature} = now.divergence;
    const answer = await background.smaller({text: now.scenario, names, signature, system: recorded.system});
    if (answer.superseded || now !== of) return;
    if (answer.error) return say(answer.error);
    const {tried, total, complete} = answer;
    const fails = [...new Set(answer.fails)]; // two ways may lead to one scenario
    const all = tried < total || !complete ? `${tried} reductions, not all of them` : counted(tried, "reduction");
    const minimal = complete && tried === total ? " It is 1-minimal." : "";
    if (fails.length === 0) return say(`Tried ${all}: none fails in the same way.${minimal}`);
    const fail = `${answer.fails.length} still ${answer.fails.length === 1 ? "fails" : "fail"}`;
    say(`Tried ${all}: ${fail} in the same way. Take one:`);
    const choice = text => element("li", {}, button({onclick: () => follow(text)}, what_changed(text)));
    list_smaller(...fails.slice(0, 60).map(choice));
  };

  // The controls ---------------------------------------------------------------------------------------

  const row = (title, ...content) => {
    const shown = element("span", {class: "tool-title", "aria-hidden": "true"}, title);
    return element("div", {class: "tool", role: "group", "aria-label": title}, shown, ...content);
  };
  const labelled = (text, control) => element("label", {}, `${text} `, control);
  // A control that is followed as it is typed in; it takes the canonical text when it is left.
  const followed = (name, attributes, act) => {
    const onblur = () => {
      typed_in = null;
      refresh();
    };
    return element(name, {...attributes, oninput: ({target}) => act(target), onblur});
  };
  // Of a number, which is followed as long as the control allows it.
  const number_input = (id, act) => followed("input", {id, type: "number", min: 0}, control => {
    if (control.value !== "" && control.checkValidity()) act(Number(control.value));
  });
  const pick = given => {
    cell = {...cell, ...given};
    refresh();
  };
  const add_action = () => {
    const at = action_at() ?? first_action() - 1;
    const like = lines()[action_at() ?? first_action()];
    if (like) follow(with_lines(at + 1, 0, like), {step: page.step() + 1});
  };
  const undo = () => {
    const text = past.pop();
    if (text !== undefined) follow(text, {keep: false});
  };
  const build = () => {
    const number = name => labelled(name, number_input(`cell-${name}`, value => pick({[name]: value})));
    const boards = now.boards.map((each, i) => element("option", {value: i}, each.name));
    const onchange = ({target}) => pick({board: Number(target.value), row: 0, column: 0});
    const plain = {spellcheck: "false", autocomplete: "off"};
    const line = {id: "action-text", type: "text", size: 34, "aria-label": "Action", ...plain};
    const action = followed("input", line, control => {
      const at = action_at();
      if (at !== null) follow(with_lines(at, 1, control.value), {source: control});
    });
    const area = {id: "scenario-text", rows: 14, "aria-label": "Scenario", ...plain};
    const text = followed("textarea", area, control => follow(control.value, {source: control}));
    by("what-if-tools").append(
      now.boards.length === 0 ? "" : row(
        "A cell of the start",
        now.boards.length > 1 ? labelled("board", element("select", {id: "cell-board", onchange}, ...boards)) : "",
        number("row"),
        number("column"),
        element("span", {class: "values", id: "cell-values"}),
      ),
      row(
        "The action of this step",
        action,
        button({id: "action-remove", onclick: () => follow(with_lines(action_at(), 1))}, "Remove"),
        button({id: "action-add", onclick: add_action}, "Add one after it"),
      ),
      element("details", {}, element("summary", {}, "The scenario as text"), text),
      row(
        "All of it",
        button({id: "smaller", onclick: smaller}, "Smaller?"),
        button({id: "undo", onclick: undo}, "Undo"),
        button({id: "reset", onclick: () => follow(original.scenario)}, "Back to the finding"),
      ),
      element("p", {id: "what-if-answer", role: "status"}),
      element("ol", {id: "smaller-list"}),
    );
    by("panels").addEventListener("click", ({target, clientX, clientY}) => {
      const svg = target.closest?.("svg[data-board]");
      const board = now.boards.findIndex(each => each.name === svg?.dataset.board);
      if (!box.open || board < 0) return;
      const at = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
      const corner = svg.querySelector("g[data-row]").dataset;
      const [r, c] = [Number(corner.row) + Math.floor(at.y / 10), Number(corner.column) + Math.floor(at.x / 10)];
      const {rows, columns} = now.boards[board];
      if (r < 0 || c < 0 || r >= rows || c >= columns) return;
      cell = {board, row: r, column: c};
      page.go(0);
    });
    page.on_render(() => refresh());
    box.addEventListener("toggle", () => refresh());
  };
  const refresh_values = board => {
    const symbols = board.symbols ?? null;
    const is = board.cells[cell.row * board.columns + cell.column];
    const size = symbols ? symbols.length : board.size;
    const text = value => (symbols ? symbols[value] : value === 0 ? "." : String(value));
    const values = by("cell-values");
    const focused = document.activeElement?.closest?.("#cell-values button")?.dataset.value ?? null;
    if (size <= buttons_max) {
      const choice = value => button({"aria-pressed": String(value === is), "data-value": value,
                                      "aria-label": `cell = ${text(value)}`, onclick: () => put(value)}, text(value));
      values.replaceChildren(...Array.from({length: size}, (_, value) => choice(value)));
      values.querySelector(`button[data-value="${focused}"]`)?.focus();
      return;
    }
    if (!by("cell-value")) values.replaceChildren(labelled("value", number_input("cell-value", put)));
    const control = by("cell-value");
    control.max = size - 1;
    if (document.activeElement !== control) control.value = is;
  };
  const refresh = () => {
    const set = (id, value) => {
      if (by(id) !== typed_in && by(id).value !== String(value)) by(id).value = value;
    };
    const board = now.boards[cell.board] ?? now.boards[0];
    if (board) {
      cell.row = Math.min(cell.row, board.rows - 1);
      cell.column = Math.min(cell.column, board.columns - 1);
      for (const [name, size] of [["row", board.rows], ["column", board.columns]]) {
        by(`cell-${name}`).max = size - 1;
        set(`cell-${name}`, cell[name]);
      }
      refresh_values(board);
    }
    const at = action_at();
    set("action-text", at === null ? "" : lines()[at]);
    by("action-text").disabled = at === null;
    by("action-text").placeholder = at === null ? "go to a step to change its action" : "";
    by("action-remove").disabled = at === null;
    by("action-add").disabled = now.total === 0;
    set("scenario-text", now.scenario);
    by("undo").disabled = past.length === 0;
    by("reset").disabled = now.scenario === original.scenario;
    // The chosen cell, on all boards at the start.
    for (const mark of document.querySelectorAll(".picked")) mark.remove();
    for (const board_svg of by("panels").querySelectorAll("svg[data-board]")) {
      board_svg.classList.toggle("editable", box.open);
      const place = board_svg.querySelector(`g[data-row="${cell.row}"][data-column="${cell.column}"]`);
      if (!box.open || page.step() !== 0 || board_svg.dataset.board !== board.name || !place) continue;
      const transform = place.getAttribute("transform");
      board_svg.append(svg("rect", {x: 0.6, y: 0.6, width: 8.8, height: 8.8, class: "picked", transform}));
    }
  };

  box.hidden = false;
  box.addEventListener("toggle", begin, {once: true});
})();
