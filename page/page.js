// The page of a scenario: draws the film in #data. The address's hash is its state: #step=3, and for boards that are
// shown in part &row=10&column=20, and &all when implementations that agree are shown too.
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
(() => {
  const recorded = JSON.parse(document.getElementById("data").textContent);
  let film = recorded; // or that of a changed scenario: what_if.js
  const shown_side = 32; // rows and columns of a board that are drawn at once
  const panels_at_once = 4; // more implementations than these: those that always agree are folded
  const rows_at_once = 200; // items of a list


  // States: the positions of the film, from differences -------------------------------------------

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

  // Comparing ------------------------------------------------------------------------------------

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

  // What matters (explain) -------------------------------------------------------------------------

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

  // Drawing boards -----------------------------------------------------------------------------------

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

  // Panels -------------------------------------------------------------------------------------------

  const flag = type => // "changed" or "differs"
    element("span", {class: `flag ${type}`, role: "img", "aria-label": type}, type === "differs" ? "≠" : "•");
  const flags = (changed, wrong) => [changed ? flag("changed") : null, wrong ? flag("differs") : null];
  const classes = (changed, wrong, free) =>
    [changed && "changed", wrong && "differs", free && "free"].filter(Boolean).join(" ") || null;
  const short = text => (text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length} characters)` : text);

  const values_of = (fields, changes, wrong) => {
    const row_of = field => {
      const [changed, differs] = [changes, wrong].map(each => each.has(field.name));
      const type = classes(changed, differs, free_in(field)());
      const text = element("span", {class: "text"}, short(field.text));
      return [element("dt", {}, field.name), element("dd", {class: type}, text, ...flags(changed, differs))];
    };
    return element("dl", {class: "fields"}, ...fields.flatMap(row_of));
  };
  const table_head = (names, ...more) =>
    element("thead", {}, element("tr", {}, ...names.map(name => element("th", {scope: "col"}, name)), ...more));
  const scroll_box = (label, ...children) =>
    element("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": label}, ...children);
  const and_more = (count, noun) =>
    count > 0 ? element("p", {class: "none"}, `and ${counted(count, `more ${noun}`)}`) : null;
  const word_of_item = (words, name) => words?.find(([word]) => word === name)?.[1] ?? "";
  // `others`: the list that it is compared with, to mark the words of an item that differ from those at its place.
  const table_of = (owner, list, changes, wrong, others) => {
    const names = [...new Set(list.items.flatMap(item => item.map(([name]) => name)))];
    const [changed, differs] = [changes, wrong].map(each => each.get(list.name));
    const caption = element("caption", {}, `${list.name} `,
                            ...flags(changed && !changed.items?.size, differs && !differs.items?.size),
                            list.items.length === 0 ? element("span", {}, "(empty)") : null);
    const has_names = names.some(name => name !== "");
    const is_free = free_in(list);
    const twins = others?.items?.length === list.items.length ? others.items : null;
    const row_of = (item, i) => {
      const [moved, other] = [changed, differs].map(each => Boolean(each?.items?.has(i)));
      const cells = names.map(name => {
        const text = word_of_item(item, name);
        const same = twins && word_of_item(twins[i], name) === text;
        return element("td", {class: other && !same ? "text other" : "text"}, text);
      });
      const type = classes(moved, other, is_free(i));
      return element("tr", {class: type}, element("td", {}, String(i)), ...cells,
                     element("td", {}, ...flags(moved, other)));
    };
    const out = element("table", {"data-list": list.name, "data-kind": list.kind}, caption,
                        has_names ? table_head(["#", ...names], element("td")) : null,
                        element("tbody", {}, ...list.items.slice(0, rows_at_once).map(row_of)));
    return scroll_box(`${list.name} of ${owner}`, out, and_more(list.items.length - rows_at_once, "item"));
  };
  const board_label = (name, board, wrong) => {
    const cells = [...(wrong.get(board.name)?.cells ?? [])];
    const places = cells.slice(0, 5).map(i => place_name(board, i));
    const differing = places.length ? `; differs at ${places.join("; ")}` : "";
    const size = `${counted(board.rows, "row")}, ${counted(board.columns, "column")}`;
    return `${board.name} of ${name}, step ${step}: ${size}${differing}`;
  };

  // Gives an element these children. What looks the same already stays in its place, and so do a board and its cells around
  // the shapes that change: to put a whole board back into the page costs more than to draw it.
  const take_children = (parent, children) => {
    const before = [...parent.childNodes];
    for (const child of before.slice(children.length)) child.remove();
    children.forEach((child, i) => {
      const old = before[i];
      if (!old) {
        parent.append(child);
      } else if (old.nodeName === child.nodeName && old.matches?.(".panel, .pictures, svg.board, g[data-row]")) {
        const names = [...old.getAttributeNames(), ...child.getAttributeNames()];
        for (const name of names.filter(each => old.getAttribute(each) !== child.getAttribute(each))) {
          if (child.hasAttribute(name)) old.setAttribute(name, child.getAttribute(name));
          else old.removeAttribute(name);
        }
        take_children(old, [...child.childNodes]);
      } else if (child.matches?.("canvas, .marks") || !old.isEqualNode(child)) {
        old.replaceWith(child); // marks appear anew, and what a canvas shows is not compared
      }
    });
  };

  const add_fields = (parent, name, fields, changes, wrong, others = null, before = null) => {
    for (let i = 0; i < fields.length; ++i) {
      const field = fields[i];
      if (field.kind === "board") {
        const drawn = draw_board(fields, field, changes, wrong, board_label(name, field, wrong), before);
        const overview = is_large(field) ? draw_overview(field, wrong) : null;
        parent.append(element("div", {class: "pictures"}, drawn, overview));
      } else if (field.items) {
        parent.append(table_of(name, field, changes, wrong, named(others, field.name)));
      } else {
        let end = i;
        while (end < fields.length && fields[end].kind === "value") ++end;
        parent.append(values_of(fields.slice(i, end), changes, wrong));
        i = end - 1;
      }
    }
  };

  const panel_of = run => {
    const out = element("article", {class: "panel", "data-implementation": run.name, "aria-label": run.name});
    const head = element("header", {}, element("h3", {}, run.name));
    if (run.kind) head.append(element("span", {class: "badge", title: run.about || null}, run.kind));
    if (run.name === blamed) head.append(element("span", {class: "badge blamed"}, "≠ blamed"));
    out.append(head);
    const state = run.state(step),
      answer = run.answer(step);
    if (!state) {
      out.classList.add("wrong");
      const reason = run.end && step >= run.end.step ? `step ${run.end.step}: ${run.end.reason}` : "not recorded";
      out.append(element("p", {class: "end"}, `✖ ${reason}`));
      if (!run.has(run.last) || run.last < film.first) return out;
      out.append(element("h4", {}, `Its last state, after step ${run.last}`));
      add_fields(out, run.name, run.state(run.last), new Map(), new Map());
      return out;
    }
    const wrong = differences(state, right.state(step)), wrong_answer = differences(answer, right.answer(step));
    const lacks = [...missing(state, right.state(step)), ...missing(answer, right.answer(step))];
    if (wrong.size || wrong_answer.size || lacks.length) out.classList.add("wrong");
    if (state.length === 0)
      out.append(element("p", {class: "none"}, "Its state cannot be seen: only its answers are."));
    const before = run.state(step - 1);
    add_fields(out, run.name, state, before ? differences(state, before) : new Map(), wrong, right.state(step), before);
    if (step > 0) {
      out.append(element("h4", {}, "Answer"));
      const box = element("div", {class: "answer"});
      add_fields(box, run.name, answer, new Map(), wrong_answer, right.answer(step));
      out.append(box);
    }
    if (lacks.length) {
      const names = lacks.map(field => field.name).join(", ");
      out.append(element("p", {class: "end"}, `≠ without ${names}, unlike ${right.name}`));
    }
    const text = element("pre", {tabindex: "0"}, text_of(state) + (step > 0 ? `\n\n${answer_text(answer)}` : ""));
    out.append(element("details", {}, element("summary", {}, "as text"), text));
    return out;
  };
  const answer_text = answer =>
    answer.map(field => `${field.name}=${field.items ? word_of(field) : field.text}`).join(" ");

  const row_of_difference = ([where, expected, actual]) =>
    element("tr", {class: "differs"}, element("td", {}, where), element("td", {}, short(expected)),
            element("td", {class: "text"}, short(actual)));
  const whole_text = field => (field.kind === "value" ? field.text : lines_of(field).join("\n"));
  // Where, what is expected there, and what is there.
  const lines_of_difference = (fields, others, title) => {
    const out = [];
    for (const [name, what] of differences(fields, others)) {
      const field = named(fields, name),
        other = named(others, name);
      const label = title + name;
      if (what.cells) {
        for (const i of what.cells)
          out.push([`${label}: ${place_name(field, i)}`, ...[other, field].map(each => cell_text(each, each.cells[i]))]);
      } else if (field.items && other?.items) {
        const rows = Math.max(field.items.length, other.items.length);
        for (let i = 0; i < rows; ++i) {
          const [was, is] = [other.items[i], field.items[i]].map(item => (item ? item_text(item) : "(none)"));
          if (is !== was) out.push([`${label} #${i}`, was, is]);
        }
      } else {
        out.push([label, other ? whole_text(other) : "(none)", whole_text(field)]);
      }
    }
    return out;
  };

  const parts_of_difference = suspect => {
    if (!suspect) return [element("p", {class: "none"}, "None at this step: all agree.")];
    const without = [suspect, right].find(run => !run.has(step));
    if (without) return [element("p", {}, `${without.name} has no state at this step.`)];
    const expected = right.state(step),
      actual = suspect.state(step);
    const found = differences(actual, expected);
    const parts = [[actual, expected, ""], [suspect.answer(step), right.answer(step), "answer: "]];
    const rows = [
      ...parts.flatMap(given => lines_of_difference(...given)),
      ...parts.flatMap(([is, was, title]) =>
        missing(is, was).map(field => [title + field.name, whole_text(field), "(none)"]),
      ),
    ];
    const boards = expected.filter(field => field.kind === "board").map(board => {
      const other = named(actual, board.name);
      const differs =
        found.has(board.name) || (is_drawn(expected, board) && (drawing.lists ?? []).some(name => found.has(name)));
      if (!differs || other?.kind !== "board" || other.cells.length !== board.cells.length) return null;
      const label = `${board.name}: expected above each diagonal, ${suspect.name} below it`;
      return element("div", {class: "pictures"}, draw_difference(expected, actual, board, other, found, label));
    });
    const head = table_head(["where", right.name, suspect.name]);
    const table = element("table", {}, head, element("tbody", {}, ...rows.slice(0, 60).map(row_of_difference)));
    return [...boards, scroll_box("Differences", table), and_more(rows.length - 60, "difference")];
  };
  // Where the blamed implementation, or else the first that differs, differs from the right one at this step.
  const difference_panel = () => {
    if (runs.length < 2) return null;
    const suspect =
      runs.find(run => run.name === blamed && !same_at(run, step)) ?? runs.find(run => !same_at(run, step));
    const title = suspect ? `≠ Difference: ${suspect.name}` : "Difference";
    return element("article", {class: "panel difference", id: "difference", "aria-label": "Difference"},
                   element("header", {}, element("h3", {}, title)), ...parts_of_difference(suspect));
  };

  // The page ---------------------------------------------------------------------------------------------

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
})();
