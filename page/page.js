// The page of a scenario: its steps, keys and texts. The end of the function that begins in films.js. The address's hash is
// its state: #step=3, and for boards that are shown in part &row=10&column=20, and &all when implementations that agree are
// shown too.

let step = film.first;
let show_all = false;
let playing = null;
let rendered = () => {}; // called after each drawing

const words_of_action = (action, line) => {
  const [name, words] = action,
    out = [];
  const free_action = line?.[2] === ".";
  const add = (text, free) => out.push(element("span", {class: free ? "free" : null}, text));
  add(free_action ? `(${name}` : name, free_action);
  words.forEach(([word, text], i) => {
    const free = free_action || line?.[3][i] === ".";
    add(` ${free && !free_action ? "(" : ""}${word}=${short(text)}${free && !free_action ? ")" : ""}`, free);
  });
  if (free_action) add(")", true);
  return out;
};
const action_text = ([name, words]) => (words.length ? `${name} ${line_of(words)}` : name);

const build_actions = () => {
  const list = by("actions");
  list.replaceChildren();
  for (let at = film.first; at <= film.last; ++at) {
    const action = film.actions[at - film.first - 1];
    const content = action
      ? words_of_action(action, action_lines[at - film.first - 1])
      : [film.first === 0 ? "the start" : "…"];
    const differs = film.divergence?.step === at;
    list.append(
      element(
        "li",
        {role: "option", id: `step-${at}`, "data-step": at, "aria-selected": "false"},
        element("span", {class: "number"}, String(at)),
        element("span", {class: "mark"}, ...(differs ? [flag("differs")] : [])),
        element("span", {class: "words-of-action"}, ...content),
      ),
    );
  }
};

const large_boards = run => run.state(step)?.filter(field => field.kind === "board" && is_large(field)) ?? [];
const large_board = () => runs.flatMap(large_boards)[0];
const focus_of_boards = () => {
  for (const run of [runs.find(each => each.name === blamed), ...runs]) {
    const state = run?.state(step);
    for (const board of run ? large_boards(run) : []) {
      const wrong = differences(state, right.state(step)).get(board.name)?.cells;
      const changed = run.has(step - 1) ? differences(state, run.state(step - 1)).get(board.name)?.cells : null;
      const [cell] = wrong?.size ? wrong : changed?.size ? changed : [null];
      if (cell === null) continue;
      return {
        row: Math.floor(cell / board.columns) - shown_side / 2,
        column: (cell % board.columns) - shown_side / 2,
      };
    }
  }
  return part;
};
const render_window = () => {
  const board = large_board();
  by("window").hidden = !board;
  if (!board) return;
  const view = part_of(board);
  for (const [name, shown, all] of [["row", view.rows, board.rows], ["column", view.columns, board.columns]]) {
    const input = by(`window-${name}`);
    by(`window-${name}s`).textContent = `${name}s ${view[name]}–${view[name] + shown - 1} of ${all}`;
    input.max = all - shown;
    input.value = view[name];
    input.disabled = all <= shown;
  }
};

const render = () => {
  const shown = show_all || runs.length <= panels_at_once ? runs : runs.filter(run => !always_same.has(run));
  take_children(by("panels"), [...shown.map(panel_of), difference_panel()].filter(Boolean));
  by("folded").hidden = runs.length <= panels_at_once || always_same.size === 0;
  if (!by("folded").hidden) {
    const names = [...always_same].map(run => run.name).join(", ");
    const toggle = () => {
      show_all = !show_all;
      render();
      by("fold").focus();
    };
    by("folded").replaceChildren(
      `${always_same.size} more ${always_same.size === 1 ? "agrees" : "agree"} with ${right.name} at every step: `,
      `${names} `,
      button({id: "fold", "aria-expanded": String(show_all), onclick: toggle}, show_all ? "Hide them" : "Show them"),
    );
  }
  render_window();
  const action = film.actions[step - film.first - 1];
  const here = film.divergence?.step === step;
  by("where").replaceChildren(
    `Step ${step} of ${film.total}`,
    ...(here ? [" ", element("strong", {}, "≠ ", element("span", {}, "first difference"))] : []),
  );
  by("slider").value = step;
  const last_action = action ? `: ${action_text(action).slice(0, 200)}` : "";
  by("slider").setAttribute("aria-valuetext", `step ${step} of ${film.total}${last_action}`);
  for (const id of ["to-first", "back"]) by(id).disabled = step === film.first;
  for (const id of ["to-last", "forward"]) by(id).disabled = step === film.last;
  const list = by("actions"),
    item = by(`step-${step}`);
  list.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
  item.setAttribute("aria-selected", "true");
  list.setAttribute("aria-activedescendant", item.id);
  if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = item.offsetTop - list.clientHeight / 2;
  const board = large_board(),
    view = board && part ? part_of(board) : null;
  const hash = `#step=${step}${show_all ? "&all" : ""}${view ? `&row=${view.row}&column=${view.column}` : ""}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
  rendered();
};
const go = to => {
  step = Math.max(film.first, Math.min(film.last, to));
  part = focus_of_boards();
  render();
};
const read_hash = () => {
  const given = new URLSearchParams(location.hash.slice(1));
  const number = name => (/^\d+$/.test(given.get(name) ?? "") ? Number(given.get(name)) : null);
  show_all = given.has("all");
  go(number("step") ?? film.divergence?.step ?? film.last);
  if (number("row") !== null && number("column") !== null) {
    part = {row: number("row"), column: number("column")};
    render();
  }
};

// Transport
const icon = d => svg("svg", {viewBox: "0 0 16 16", "aria-hidden": "true"}, svg("path", {d}));
const play_icon = "M4 2.5v11l9-5.5z", pause_icon = "M4 3h3v10H4z M9 3h3v10H9z";
const set_play = (name, d) => {
  by("play").replaceChildren(icon(d));
  by("play").setAttribute("aria-label", name);
};
const stop = () => {
  clearInterval(playing);
  playing = null;
  set_play("Play", play_icon);
};
const toggle_play = () => {
  if (playing !== null) return stop();
  if (step === film.last) go(film.first);
  playing = setInterval(() => {
    go(step + 1);
    if (step === film.last) stop();
  }, 700);
  set_play("Pause", pause_icon);
};
const to_difference = () => {
  if (film.divergence) go(film.divergence.step);
};
const keys = {
  ArrowLeft: () => go(step - 1),
  ArrowRight: () => go(step + 1),
  Home: () => go(film.first),
  End: () => go(film.last),
  " ": toggle_play,
  d: to_difference,
};
const list_keys = {
  ArrowUp: keys.ArrowLeft,
  ArrowDown: keys.ArrowRight,
  PageUp: () => go(step - 10),
  PageDown: () => go(step + 10),
};
const on_key = event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest?.("pre, .scroll") && event.key.startsWith("Arrow")) return;  // these scroll
  if (event.target.closest?.("textarea, select, input:not([type=range])")) return;
  const in_control = event.target.closest?.("input, summary");
  const in_button = event.key === " " && event.target.closest?.("button");
  const act = (by("actions").contains(event.target) && list_keys[event.key]) || keys[event.key];
  if (!act || (in_control && event.key !== "d") || in_button) return;
  event.preventDefault();
  if (act !== toggle_play && playing !== null) stop();
  act();
};

// Texts to copy
const copy = async text => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // an insecure context, or no permission
    const box = element("textarea", {style: "position:fixed;opacity:0"});
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }
};
const add_copied = (id, text, what, content = [text]) => {
  if (text === null)
    return by(id).replaceChildren(element("p", {class: "none"}, `It is too long for this page: see ${film.file}`));
  const onclick = async ({target}) => {
    const done = await copy(text);
    for (const other of document.querySelectorAll(".copied button")) other.textContent = "Copy";
    target.textContent = done ? "Copied ✓" : "Not copied";
  };
  by(id).replaceChildren(
    element("pre", {tabindex: "0", "aria-label": what, role: "region"}, ...content),
    button({"aria-label": `Copy ${what}`, onclick}, "Copy"),
  );
};
// The scenario's text, with what does not matter in grey. Its lines are those of the explanation, in order.
const scenario_content = () => {
  if (!film.why?.lines || film.scenario === null || film.first !== 0) return [film.scenario];
  const lines = why_lines.slice(),
    out = [];
  const grey = (text, free) => (free ? element("span", {class: "free"}, text) : text);
  const finding = film.scenario.match(/^finding[ \r]*\n(?:(?:  [^\n]*|[ \t]*#[^\n]*|[ \t\r]*)\n)+/m); // a finding's section
  let at = 0;
  for (const line of film.scenario.split("\n")) {
    const noted = line.startsWith("#") || (finding && at >= finding.index && at < finding.index + finding[0].length);
    at += line.length + 1;
    const bare = line.trim(),
      [kind, name, mark, marks, words] = lines[0] ?? [];
    const next = kind === "row" ? words.join("") : (name ?? null);
    const is_next =
      next !== null &&
      !noted &&
      (kind === "row" ? bare === next.trim() : bare.split(/\s/)[0] === next);
    if (!is_next) {
      out.push(grey(line, noted), "\n");
      continue;
    }
    lines.shift();
    if (kind === "row") words.forEach((word, i) => out.push(grey(word, marks[i] === ".")));
    else if (kind === "action" && mark !== ".")
      out.push(name, ...words.map(([word, text], i) => grey(` ${word}=${text}`, marks[i] === ".")));
    else out.push(grey(line, mark === "."));
    if (kind === "board" && bare.endsWith(" empty")) while (lines[0]?.[0] === "row") lines.shift();
    out.push("\n");
  }
  out.pop();
  return out;
};

const headline = () => {
  const d = film.divergence;
  if (film.alone) return `${runs[0].name} runs alone, ${counted(film.total, "action")}`;
  const all =
    runs.length === 1 ? "The implementation keeps all laws" : `All ${runs.length} implementations agree`;
  if (!d) return `${all} on ${counted(film.total, "action")}`;
  const where = d.step === 0 ? "the start" : `step ${d.step} of ${film.total}`;
  if (d.kind === "crash") return `${d.blamed} crashes at ${where}`;
  if (d.kind === "hang") return `${d.blamed} hangs at ${where}`;
  const breaks = d.blamed === "all" ? "All implementations break" : `${d.blamed} breaks`;
  if (d.kind === "invariant") return `${breaks} a law at ${where}`;
  return `${d.blamed} ${d.kind === "observation" ? "gives another answer" : "reaches another state"} at ${where}`;
};
const build_head = () => {
  by("system").replaceChildren(film.system, " · ", element("span", {class: "mono"}, film.file));
  by("headline").textContent = (film === recorded ? "" : "Changed: ") + headline();
  const d = film.divergence;
  by("verdict").replaceChildren();
  if (!d) return;
  const list = element("dl", {class: "versus"});
  const add = (name, text, type = null) =>
    list.append(element("dt", {}, name), element("dd", {class: type}, text));
  const action = film.actions[d.step - film.first - 1];
  if (action) add("action", element("code", {}, short(action_text(action))));
  if (d.kind === "observation" || d.kind === "snapshot") {
    add("differs", `the ${d.kind === "observation" ? "answer" : "state"}'s ${d.field}`);
    add("expected", element("code", {}, short(d.expected)));
    add("got", element("code", {}, short(d.actual)), "actual");
  } else {
    add(d.kind === "invariant" ? "law" : "it", d.kind === "invariant" ? d.field : d.actual, "actual");
  }
  add("signature", element("code", {}, short(d.signature)));
  if (film.hidden)
    add("hidden state", "the failure vanishes when the position before that step is given as a setup");
  by("verdict").append(list);
  if (d.words) by("verdict").append(element("pre", {class: "words", tabindex: "0"}, d.words));
};
const build_matter = () => {
  const why = film.why;
  by("matter").hidden = !why;
  if (!why) return;
  let text = "Grey parts do not matter: changed alone, each leaves the failure as it is.";
  if (why.redrawn) {
    const fail = `${why.fail} of ${counted(why.redrawn, "scenario")} ${why.fail === 1 ? "fails" : "fail"}`;
    text += ` With all of them drawn anew at once, ${fail} in the same way.`;
  }
  if (!why.complete) text += " The time was spent before everything was tried.";
  if (!why.lines) text = "The scenario is too large to mark what matters.";
  by("matter").textContent = text;
};
const build_legend = () => {
  const mark = (...shapes) =>
    svg("svg", {viewBox: "0 0 10 10", class: "board", "aria-hidden": "true"}, ...shapes);
  const smaller_mark = svg("rect", {x: 0.5, y: 0.5, width: 9, height: 9, class: "differs-mark"});
  const entries = [[[smaller_mark, differs_corner()], "≠ differs"], [[changed_mark()], "• changed at this step"]];
  if (drawing.lists) entries.push([[left_mark()], "left at this step"]);
  if (film.why) {
    const ground = svg("rect", {x: 0, y: 0, width: 10, height: 10, class: "ground"});
    entries.push([[ground, free_mark()], "faint, ( ): as in the start, and does not matter"]);
  }
  by("legend").replaceChildren(...entries.map(([shapes, text]) => element("li", {}, mark(...shapes), text)));
};

// Takes another film, and stays at the same step as far as there is one.
const load = given => {
  film = given;
  runs = film.implementations.map(each => new Run(each));
  blamed = film.divergence?.blamed;
  right = runs.find(run => run.name !== blamed) ?? runs[0];
  always_same = new Set(runs.filter(run => run !== right && same_film(run)));
  start = runs.find(run => run.has(0))?.state(0) ?? [];
  slider.min = film.first;
  slider.max = film.last;
  slider.disabled = film.first === film.last;
  by("to-difference").hidden = !film.divergence;
  by("tick").hidden = !film.divergence || film.last === film.first;
  if (!by("tick").hidden) {
    const share = (film.divergence.step - film.first) / (film.last - film.first);
    by("tick").textContent = "≠";
    by("tick").style.left = `calc(${share} * (100% - 1rem) + .5rem)`;
  }
  build_head();
  load_why(film.why);
};
const load_why = why => {
  film.why = why;
  read_why();
  build_actions();
  build_legend();
  build_matter();
  add_copied("scenario", film.scenario, "the scenario", scenario_content());
};

const slider = by("slider");
document.head.append(element("style", {}, drawing.style ?? ""));
load(recorded);
add_copied("replay", film.replay, "the command");
if (film.input !== null || film.inputTooLong) {
  by("input-section").hidden = false;
  add_copied("input", film.input, "the input");
}
if (film.first > 0 || film.last < film.total) {
  by("cut").hidden = false;
  by("cut").textContent =
    `Only steps ${film.first} to ${film.last} of ${film.total} are on this page: more would make it too large.`;
}
slider.addEventListener("input", () => go(Number(slider.value)));
for (const name of ["row", "column"]) {
  by(`window-${name}`).addEventListener("input", ({target}) => {
    part = {...part_of(large_board()), [name]: Number(target.value)};
    render();
  });
}
by("actions").addEventListener("click", event => {
  const item = event.target.closest("li");
  if (item) go(Number(item.dataset.step));
});
by("to-difference").addEventListener("click", to_difference);
for (const [id, name, key, d, onclick] of [
  ["to-first", "First step", "Home", "M3 3h2v10H3z M13 3v10L6 8z", keys.Home],
  ["back", "One step back", "←", "M11 3v10L4 8z", keys.ArrowLeft],
  ["play", "Play", "space", play_icon, toggle_play],
  ["forward", "One step forward", "→", "M5 3v10l7-5z", keys.ArrowRight],
  ["to-last", "Last step", "End", "M11 3h2v10h-2z M3 3v10l7-5z", keys.End],
]) by("to-difference").before(button({id, "aria-label": name, title: `${name} (${key})`, onclick}, icon(d)));
document.addEventListener("keydown", on_key);
addEventListener("hashchange", read_hash);
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== width) render();
  width = innerWidth;
});
read_hash();

// What what_if.js uses.
window.lockstepPage = {
  recorded,
  common_ends,
  step: () => step,
  show: (given, at) => {
    stop();
    load(given);
    go(at);
  },
  explain: why => {
    load_why(why);
    render();
  },
  go,
  headline,
  on_render: act => {
    rendered = act;
  },
};
