// A panel for each implementation, with its fields, boards and lists, and one for what differs at a step. Part of the
// function that begins in films.js.

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
