// Boards as SVG: whole, the part of a large one, and the difference of two. Part of the function that begins in films.js.
//
// A system's drawing (lockstep/system/drawing.hpp) calls lockstepDrawing with
//   board    the name of the field that is drawn; the first board unless named
//   lists    names of lists whose items are drawn on the board, at their row and column
//   style    CSS for what it draws
//   size     of a cell in pixels, where there is room; 34 unless given
//   colours  {symbol: colour} for the overview of a large board
//   cell(at, draw)    draws one cell of 10 × 10 units. at: value, row, column, items (those of the lists in this cell),
//                     cell(row, column) → value of another cell ("" outside), state (all fields by name)
//   below(size, draw) draws what is below all cells, from these alone: size, the rows and columns of the part that is
//                    shown, and of the board
// draw.circle(x, y, r, class), .rect(x, y, width, height, class, radius), .line(x1, y1, x2, y2, class),
// .path(d, class), .text(x, y, text, class) add a shape and return it.

let drawing_fault = null;
const pen = group => {
  const add = (name, attributes, ...children) => group.appendChild(svg(name, attributes, ...children));
  return {
    clear: () => group.replaceChildren(),
    circle: (cx, cy, r, type) => add("circle", {cx, cy, r, class: type}),
    rect: (x, y, width, height, type, rx = 0) => add("rect", {x, y, width, height, rx, class: type}),
    line: (x1, y1, x2, y2, type) => add("line", {x1, y1, x2, y2, class: type}),
    path: (d, type) => add("path", {d, class: type}),
    text: (x, y, text, type) => add("text", {x, y, class: type}, text),
  };
};
const plain_cell = (at, draw) => {
  if (at.value === "" || at.value === 0 || at.value === ".") return draw.circle(5, 5, 0.6, "empty");
  const size = String(at.value).length;
  draw.text(5, 7.1, String(at.value), "symbol").style.fontSize = `${size > 2 ? 4.2 : size > 1 ? 5 : 6}px`;
};
const is_drawn = (fields, board) =>
  Boolean(drawing.cell) && board.name === (drawing.board ?? fields.find(field => field.kind === "board").name);
const place_of = item => {
  const value = name => Number(item.find(([word]) => word === name)?.[1] ?? NaN);
  return [value("row"), value("column")];
};
// The drawing, or without it plain symbols once it has failed.
const drawn_by = (draw, otherwise) => (at, draw_with) => {
  if (draw && !drawing_fault) {
    try {
      return draw(at, draw_with);
    } catch (fault) {
      drawing_fault = fault;
      by("fault").hidden = false;
      by("fault").textContent = `The drawing of ${film.system} failed (${fault}): boards are shown as symbols.`;
    }
  }
  draw_with.clear();
  return otherwise?.(at, draw_with);
};
const on_board = (board, row, column) => row >= 0 && column >= 0 && row < board.rows && column < board.columns;
const painter_of = (fields, board) => {
  if (!is_drawn(fields, board)) return {cell: plain_cell, below: null, items: () => []};
  const cells = new Map();
  const items = (row, column) => cells.get(row * board.columns + column) ?? [];
  for (const name of drawing.lists ?? []) {
    const list = named(fields, name), is_free = list && free_in(list);
    list?.items.forEach((words, number) => {
      const [row, column] = place_of(words);
      if (!on_board(board, row, column)) return; // only the table below shows it
      const item = {...Object.fromEntries(words), list: name, number, free: is_free(number)};
      cells.set(row * board.columns + column, [...items(row, column), item]);
    });
  }
  const state = Object.fromEntries(fields.map(field => [field.name, field.text ?? field.items ?? field]));
  const cell = (row, column) => (on_board(board, row, column) ? board.cells[row * board.columns + column] : "");
  const draw_cell = ({row, column, value}, draw) =>
    drawing.cell({row, column, value, items: items(row, column), cell, state}, draw);
  return {below: drawn_by(drawing.below, null), items, cell: drawn_by(draw_cell, plain_cell)};
};
// The cells in which items of drawn lists differ.
const cells_of_items = (fields, board, marks) => {
  const out = new Set();
  if (!is_drawn(fields, board)) return out;
  for (const name of drawing.lists ?? []) {
    for (const i of marks.get(name)?.items ?? []) {
      const [row, column] = place_of(named(fields, name).items[i]);
      if (on_board(board, row, column)) out.add(row * board.columns + column);
    }
  }
  return out;
};

let part = null; // {row, column}: the part of large boards that is shown
const is_large = board => board.rows > shown_side || board.columns > shown_side;
const part_of = board => {
  const clamp = (first, size) => Math.max(0, Math.min(first, size - shown_side));
  const row = clamp(part?.row ?? 0, board.rows),
    column = clamp(part?.column ?? 0, board.columns);
  return {row, column, rows: Math.min(board.rows, shown_side), columns: Math.min(board.columns, shown_side)};
};

// To ask for the width lays the page out, so it is asked once for each width of the window.
let room = {of: null, width: 0};
const room_width = () => {
  if (room.of !== innerWidth) room = {of: innerWidth, width: by("panels").clientWidth};
  return room.width;
};
const frame = (board, view, label, painter) => {
  const size = Math.max(view.rows, view.columns);
  // Two panels beside each other where there is room.
  const room = room_width(), panel = room > 640 ? room / 2 - 48 : room - 36;
  const cell = Math.max(11, Math.min(drawing.size ?? 34, panel / (view.columns + 1), 560 / view.rows));
  const font = Math.min(8, 110 / cell),
    margin = font * 1.6; // 11 pixels
  const width = view.columns * 10 + margin + 1,
    height = view.rows * 10 + margin + 1;
  const out = svg("svg", {
    class: "board",
    role: "img",
    "aria-label": label,
    viewBox: `${-margin} ${-margin} ${width} ${height}`,
    width: Math.round((width * cell) / 10),
    height: Math.round((height * cell) / 10),
  });
  const every = size > 16 ? 5 : 1;
  const number = (x, y, value) => {
    out.append(svg("text", {x, y, class: "label", style: `font-size: ${font}px`}, value));
  };
  for (let i = 0; i < view.columns; ++i)
    if ((view.column + i) % every === 0) number(i * 10 + 5, -font * 0.4, view.column + i);
  for (let i = 0; i < view.rows; ++i)
    if ((view.row + i) % every === 0) number(-margin / 2, i * 10 + 5 + font / 3, view.row + i);
  const ground = svg("rect", {x: 0, y: 0, width: view.columns * 10, height: view.rows * 10, class: "ground"});
  const below = svg("g");
  painter.below?.({...view, board}, pen(below));
  out.append(ground, below);
  return out;
};
const each_cell = (board, view, visit) => {
  for (let y = 0; y < view.rows; ++y) {
    for (let x = 0; x < view.columns; ++x) {
      const row = view.row + y,
        column = view.column + x,
        index = row * board.columns + column;
      visit({row, column, x, y, index, value: board.cells[index]});
    }
  }
};
const place_name = (board, i) => `row ${Math.floor(i / board.columns)}, column ${i % board.columns}`;
// Of a cell, on boards and in the legend.
const brackets = "M1.5 3.4 V1.5 H3.4 M6.6 1.5 H8.5 V3.4 M8.5 6.6 V8.5 H6.6 M3.4 8.5 H1.5 V6.6";
const changed_mark = () => svg("path", {d: brackets, class: "changed-mark"});
const left_mark = () => svg("circle", {cx: 5, cy: 5, r: 3.4, class: "left-mark"});
const free_mark = () => svg("path", {d: "M1 9 L3 7", class: "free-mark"});
const differs_mark = () => svg("rect", {x: 0.3, y: 0.3, width: 9.4, height: 9.4, class: "differs-mark"});
const differs_corner = () => svg("path", {d: "M10 0 L10 4.2 L5.8 0 Z", class: "differs-corner"});

const moved_to = ({x, y}, shape) => {
  shape.setAttribute("transform", `translate(${x * 10} ${y * 10})`);
  return shape;
};
const cell_group = (at, type, ...shapes) =>
  moved_to(at, svg("g", {"data-row": at.row, "data-column": at.column, class: type}, ...shapes));
// The group, with a cell in it as the painter draws it.
const painted = (group, painter, at) => {
  painter.cell(at, pen(group));
  return group;
};

const draw_board = (fields, board, changes, wrong, label, before) => {
  const view = part_of(board),
    painter = painter_of(fields, board),
    out = frame(board, view, label, painter),
    marks = svg("g", {class: "marks"}),
    is_free = free_in(board);
  const moved = new Set([...(changes.get(board.name)?.cells ?? []), ...cells_of_items(fields, board, changes)]);
  const differing = new Set([...(wrong.get(board.name)?.cells ?? []), ...cells_of_items(fields, board, wrong)]);
  // What items have left, unless something else has come there.
  const left = before ? cells_of_items(before, board, differences(before, fields)) : new Set();
  out.dataset.board = board.name;
  each_cell(board, view, at => {
    const {index} = at,
      free = is_free(index),
      is_faint = free && painter.items(at.row, at.column).length === 0;
    out.append(painted(cell_group(at, is_faint ? "free-cell" : null), painter, at));
    if (free) marks.append(moved_to(at, free_mark()));
    if (moved.has(index)) marks.append(moved_to(at, changed_mark()));
    else if (left.has(index)) marks.append(moved_to(at, left_mark()));
    if (differing.has(index)) marks.append(moved_to(at, differs_mark()), moved_to(at, differs_corner()));
  });
  out.append(marks);
  return out;
};

// The expected cell above the diagonal, the actual one below it; equal cells are faint.
const draw_difference = (expected, actual, board, other, found, label) => {
  const cells = new Set([
    ...(found.get(board.name)?.cells ?? []),
    ...cells_of_items(actual, other, found),
    ...cells_of_items(expected, board, differences(expected, actual)),
  ]);
  const view = part_of(board),
    before = painter_of(expected, board),
    after = painter_of(actual, other),
    out = frame(board, view, label, before);
  const half = (type, transform) => svg("g", {transform, class: type});
  each_cell(board, view, at => {
    if (!cells.has(at.index)) return out.append(painted(cell_group(at, "same-cell"), before, at));
    const actual_cell = {...at, value: other.cells[at.index]};
    out.append(cell_group(
      at,
      null,
      painted(half("expected", "translate(.2 .2) scale(.48)"), before, at),
      painted(half("actual", "translate(5 5) scale(.48)"), after, actual_cell),
      svg("path", {d: "M10 0 L0 10", class: "split"}),
      differs_mark(),
    ));
  });
  return out;
};

// A small picture of a whole large board, with the part that is shown.
const palette = ["#3b82c4", "#c2571a", "#2f8f57", "#8a5cc4", "#b8860b", "#b3406b", "#4f7f8f", "#7a6a4f"];
const colour_of = (board, cell, seen) => {
  const symbol = String(cell);
  if (drawing.colours?.[symbol]) return drawing.colours[symbol];
  if (cell_text(board, cell) === ".") return null;
  if (!seen.has(symbol)) seen.set(symbol, palette[seen.size % palette.length]);
  return seen.get(symbol);
};
const draw_overview = (board, wrong) => {
  const scale = Math.max(1, Math.floor(400 / Math.max(board.rows, board.columns)));
  const out = element("canvas", {
    class: "overview",
    width: board.columns * scale,
    height: board.rows * scale,
    "aria-hidden": "true",
  });
  const small = 200 / Math.max(board.rows, board.columns);
  out.style.width = `${Math.max(4, board.columns * small)}px`;
  out.style.height = `${Math.max(4, board.rows * small)}px`;
  const context = out.getContext("2d"),
    seen = new Map(),
    view = part_of(board);
  board.cells.forEach((cell, i) => {
    const colour = wrong.get(board.name)?.cells?.has(i) ? "#e0007a" : colour_of(board, cell, seen);
    if (!colour) return;
    context.fillStyle = colour;
    context.fillRect((i % board.columns) * scale, Math.floor(i / board.columns) * scale, scale, scale);
  });
  context.strokeStyle = "#888";
  context.lineWidth = 2 * scale;
  context.strokeRect(view.column * scale, view.row * scale, view.columns * scale, view.rows * scale);
  return out;
};
