// The film in #data: the states of each implementation, what differs between two, and what matters of the setup. This file,
// boards.js, panels.js and page.js are the body of one function (page.cpp).
const recorded = JSON.parse(document.getElementById("data").textContent);
let film = recorded; // or that of a changed scenario: what_if.js
const shown_side = 32; // rows and columns of a board that are drawn at once
const panels_at_once = 4; // more implementations than these: those that always agree are folded
const rows_at_once = 200; // items of a list

const decode = field => {
  if (Array.isArray(field)) return {kind: "value", name: field[0], text: field[1]};
  if (field.b)
    return {
      kind: "board",
      name: field.n,
      rows: field.b.length,
      columns: field.b[0]?.length ?? 0,
      numbers: Array.isArray(field.b[0]),
      cells: field.b.flatMap(row => [...row]),
    };
  return {kind: field.k, name: field.n, items: field.l};
};
const changed_field = (field, change) => {
  const [, first] = change;
  if (change.length === 4) {
    const items = field.items.slice();
    items.splice(first, change[2], ...change[3]);
    return {...field, items};
  }
  if (typeof first === "string") return {...field, text: first};
  if (!Array.isArray(first)) return decode(first);
  const cells = field.cells.slice();
  for (let i = 0; i < first.length; i += 2) cells[first[i]] = first[i + 1];
  return {...field, cells};
};

class Run {
  static stride = 32; // every so many positions a state is kept
  constructor(data) {
    Object.assign(this, data);
    this.kept = new Map();
    this.last = film.first + data.positions.length - 1;
  }
  has(step) {
    return step >= film.first && step <= this.last;
  }
  state(step) {
    if (!this.has(step)) return null;
    let from = step;
    while (from > film.first && !this.kept.has(from)) --from;
    let fields = this.kept.get(from) ?? this.positions[0].s.map(decode);
    for (let at = from + 1; at <= step; ++at) {
      const {s, d} = this.positions[at - film.first];
      if (s) fields = s.map(decode);
      for (const change of d ?? []) {
        fields = fields.slice();
        fields[change[0]] = changed_field(fields[change[0]], change);
      }
      if (at % Run.stride === 0) this.kept.set(at, fields);
    }
    return fields;
  }
  answer(step) {
    return this.has(step) ? (this.positions[step - film.first].a ?? []).map(decode) : null;
  }
}
let runs = [];

// The text form, as the program prints it
const numbered_row = (cells, wide) =>
  cells.map(cell => (cell === 0 ? "." : String(cell)).padStart(wide)).join(" ");
const rows_of = board => {
  const wide = board.numbers ? board.cells.reduce((most, cell) => Math.max(most, String(cell).length), 1) : 1;
  return Array.from({length: board.rows}, (_, row) => {
    const cells = board.cells.slice(row * board.columns, (row + 1) * board.columns);
    return board.numbers ? numbered_row(cells, wide) : cells.join("");
  });
};
const line_of = words => words.map(([name, text]) => `${name}=${text}`).join(" ");
const compound = words => (words.length === 1 && words[0][0] === "" ? words[0][1] : `{${line_of(words)}}`);
const item_text = words => (words.length === 1 && words[0][0] === "" ? words[0][1] : line_of(words));
const word_of = field => (field.kind === "sequence" ? `[${field.items.map(compound).join(",")}]` : field.text);
const lines_of = field => {
  if (field.kind === "board") return [field.name, ...rows_of(field)];
  if (field.kind === "lines") return field.items.map(item => `${field.name} ${item_text(item)}`);
  return [`${field.name} ${word_of(field)}`];
};
const text_of = fields => fields.flatMap(lines_of).join("\n");
const cell_text = (board, cell) => (board.numbers && cell === 0 ? "." : String(cell));

// Comparing

// Of two lists: how many items are the same at their beginning, and behind these at their end.
const common_ends = (a, b) => {
  const most = Math.min(a.length, b.length);
  let first = 0,
    end = 0;
  while (first < most && a[first] === b[first]) ++first;
  while (end < most - first && a.at(-1 - end) === b.at(-1 - end)) ++end;
  return [first, end];
};
// What differs between two fields: everything (whole), cells of a board, items of a list. Null: nothing.
const difference = (one, other) => {
  if (one === other) return null;
  if (!one || !other || one.kind !== other.kind || one.name !== other.name) {
    return one && other && text_of([one]) === text_of([other]) ? null : {whole: true};
  }
  if (one.kind === "value") return one.text === other.text ? null : {whole: true};
  if (one.kind === "board") {
    if (one.rows !== other.rows || one.columns !== other.columns) return {whole: true};
    const cells = new Set();
    for (let i = 0; i < other.cells.length; ++i) if (one.cells[i] !== other.cells[i]) cells.add(i);
    return cells.size ? {cells} : null;
  }
  const a = one.items.map(line_of),
    b = other.items.map(line_of),
    same_length = a.length === b.length;
  // Items between the longest common beginning and end; in lists of one length, item by item.
  const [first, end] = same_length ? [0, 0] : common_ends(a, b);
  const items = new Set();
  for (let i = first; i < b.length - end; ++i) if (!same_length || a[i] !== b[i]) items.add(i);
  return same_length && items.size === 0 ? null : {items};
};
const named = (fields, name) => fields?.find(field => field.name === name);
const differences = (fields, others) => {
  const out = new Map();
  if (!fields || !others) return out;
  for (const field of fields) {
    const found = difference(named(others, field.name), field);
    if (found) out.set(field.name, found);
  }
  return out;
};
const missing = (fields, others) => (others ?? []).filter(other => fields && !named(fields, other.name));

let blamed = null;
let right = null; // what the others are compared with: the first implementation that is not blamed
const same_at = (run, step) => {
  const [one, other] = [run, right].map(
    each => each.has(step) ? text_of([...each.state(step), ...each.answer(step)]) : null);
  return one === other;
};
const same_film = run =>
  run.end === undefined &&
  right.end === undefined &&
  JSON.stringify(run.positions) === JSON.stringify(right.positions);
let always_same = new Set();

// What matters (explain)

let why_lines = [];
let start = [];
let start_marks = null; // of each field: the mark of a value, or the marks of its cells or items
let action_lines = [];
const read_why = () => {
  why_lines = film.why?.lines ?? [];
  start_marks = new Map();
  for (const [kind, name, mark, marks] of why_lines) {
    if (!["field", "row", "item"].includes(kind)) continue;
    start_marks.set(name, (start_marks.get(name) ?? "") + (kind === "row" ? marks : mark));
  }
  action_lines = why_lines.filter(([kind]) => kind === "action");
};
// Tells of each cell or item of a field, or of a value, whether it is still as in the scenario's setup, and does not
// matter there.
const free_in = field => {
  const before = named(start, field.name), since = difference(before, field);
  const has_one_mark = field.kind === "sequence";
  const is_other = has_one_mark || since?.whole || before.items?.length !== field.items?.length;
  const changed = since?.cells ?? since?.items;
  return (i = 0) => !is_other && start_marks.get(field.name)?.[i] === "." && !changed?.has(i);
};
