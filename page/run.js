// The page of a run: draws what is in #data (run.cpp). Charts are SVG, made with D3; beside each is the same as a
// table. The address's hash names a system: #puyo.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const {run} = data;
  const labels = data.more.filter(({kind}) => kind === "labels").flatMap(({systems}) => systems);

  // Elements and numbers --------------------------------------------------------------------------

  const grouped = d3.format(",");
  const short = value => (value < 10_000 ? grouped(Math.round(value)) : d3.format(".3s")(value).replace("G", "B"));
  const seconds_text = seconds => {
    if (seconds === 0) return "0 s";
    if (seconds < 0.1) return `${Math.round(seconds * 1000)} ms`;
    if (seconds < 60) return `${Number(seconds.toPrecision(3))} s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
    return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  };
  // 12, 0.034, 1,234,567: as many digits as say something.
  const number_text = value => {
    if (value === null) return "–";
    if (Number.isInteger(value)) return grouped(value);
    return Math.abs(value) >= 100 ? grouped(Math.round(value)) : String(Number(value.toPrecision(3)));
  };

  // Tables ----------------------------------------------------------------------------------------

  const long_text = 40; // characters; a longer one may break
  // Rows of texts, numbers, null or elements. A column is of numbers if no row has a text or an element there.
  const table = (caption, head, rows) => {
    const is_number = head.map((_, i) => rows.every(row => row[i] === null || typeof row[i] === "number"));
    const cell = (value, i) => {
      if (is_number[i]) return element("td", {class: "number"}, number_text(value));
      const long = typeof value === "string" ? value.length > long_text : value instanceof HTMLDivElement;
      const type = i === 0 ? "th" : "td";
      return element(type, {class: long ? "long" : null, scope: i === 0 ? "row" : null}, value ?? "–");
    };
    const titles = head.map((name, i) => element("th", {scope: "col", class: is_number[i] ? "number" : null}, name));
    const out = element("table", {class: "data"},
      caption ? element("caption", {}, caption) : null,
      element("thead", {}, element("tr", {}, ...titles)),
      element("tbody", {}, ...rows.map(row => element("tr", {}, ...row.map(cell)))));
    return element("div", {class: rows.length > 20 ? "scroll" : "scroll short", tabindex: "0", role: "region",
                           "aria-label": caption || head.join(", ")}, out);
  };
  const left_out = (count, noun) =>
    count > 0 ? element("p", {class: "note"}, `${counted(count, noun)} more: see ${data.file}`) : null;

  // Charts ----------------------------------------------------------------------------------------

  const dashes = [null, "7 3", "2 3", "10 3 2 3", "5 5", "1 3 6 3", "12 4", "3 6"];
  const style_of = number => ({colour: `var(--series-${(number % 8) + 1})`, dash: dashes[number % dashes.length]});
  const total_style = {colour: "var(--ink)", dash: null};
  const swatch = shape => svg("svg", {class: "swatch", viewBox: "0 0 30 14", "aria-hidden": "true"}, shape);
  const swatch_of = ({colour, dash}) =>
    swatch(svg("line", {x1: 1, x2: 29, y1: 7, y2: 7, "stroke-dasharray": dash, style: `--colour: ${colour};`}));
  const diamond = (x, y) => `M${x},${y - 6}l6,6l-6,6l-6,-6Z`;
  const triangle = (x, y) => `M${x},${y - 6}l6,10h-12Z`;
  const sign = (type, path, text) => element("li", {}, swatch(svg("path", {class: type, d: path(15, 7)})), text);

  // Curves over one axis. x: numbers or names; series: {name, values, style}, a value may be null; findings:
  // {seconds, number, text}; from_zero: whether the axis begins at 0; step: whether values stay until the next one.
  const chart = given => {
    const {title, hint, x, x_name, x_text, y_text, series, findings = [], canary = null, wide = false} = given;
    const height = 240, margin = {top: 22, right: 14, bottom: 34, left: 52};
    const plot = d3.create("svg").attr("class", "plot").attr("tabindex", 0).attr("role", "slider")
      .attr("aria-label", `${title}, ${x_name}`).attr("aria-valuemin", 0).attr("aria-valuemax", x.length - 1);
    const readout = series.map(({name, style}) => {
      const value = element("b");
      return {value, item: element("li", {}, swatch_of(style), name, value)};
    });
    const where = element("li", {class: "at"});
    const legend = element("ul", {class: "series"}, ...readout.map(each => each.item), where,
      findings.length > 0 ? sign("finding", diamond, "finding") : null,
      canary ? sign("canary", triangle, "canary found") : null);
    const head = [x_name, ...series.map(each => each.name)];
    const rows_max = 24, rows_of_it = Math.min(x.length, rows_max);
    const places = d3.range(rows_of_it).map(i => Math.round((i * (x.length - 1)) / Math.max(1, rows_of_it - 1)));
    const rows = places.map(i => [x_text(x[i]), ...series.map(each => each.values[i])]);
    const as_table = element("details", {}, element("summary", {}, "As a table"), table(title, head, rows));

    let at = x.length - 1, width = 0, place = null, height_of = null;
    const show = () => {
      readout.forEach(({value}, i) => {
        const number = series[i].values[at];
        value.textContent = number === null ? "–" : y_text(number);
      });
      where.textContent = `at ${x_text(x[at])}`;
      const said = series.map(({name, values}) => `${name} ${values[at] === null ? "none" : y_text(values[at])}`);
      plot.attr("aria-valuenow", at).attr("aria-valuetext", `${x_text(x[at])}: ${said.join(", ")}`);
      const cursor = plot.selectAll(".cursor").attr("transform", `translate(${place(at)},0)`);
      cursor.selectAll("circle").data(series.filter(each => each.values[at] !== null)).join("circle")
        .attr("r", 3.5).attr("cy", each => height_of(each.values[at])).style("--colour", each => each.style.colour);
    };
    const draw = () => {
      plot.selectAll("*").remove();
      plot.attr("viewBox", `0 0 ${width} ${height}`).attr("height", height);
      const names = typeof x[0] === "string";
      const right = width - margin.right, bottom = height - margin.bottom;
      const across = names ? d3.scalePoint(x, [margin.left + 12, right - 12])
                           : d3.scaleLinear([given.from_zero === false ? x[0] : 0, x.at(-1)], [margin.left, right]);
      place = i => across(x[i]);
      const all = series.flatMap(each => each.values).filter(value => value !== null);
      const most = d3.max(all) ?? 1, least = given.around === undefined ? 0 : Math.min(given.around, d3.min(all) ?? 0);
      height_of = d3.scaleLinear([least, Math.max(most, given.around ?? 1)], [bottom, margin.top]).nice(5);
      const axis = d3.axisLeft(height_of).ticks(5).tickFormat(y_text);
      plot.append("g").attr("class", "grid").attr("transform", `translate(${margin.left},0)`)
        .call(d3.axisLeft(height_of).ticks(5).tickSize(-(right - margin.left)).tickFormat(""));
      plot.append("g").attr("transform", `translate(${margin.left},0)`).call(axis);
      const below = names ? d3.axisBottom(across).tickFormat(name => (name.length > 9 ? `${name.slice(0, 8)}…` : name))
                          : d3.axisBottom(across).ticks(Math.max(2, width / 90)).tickFormat(x_text);
      if (names) below.tickValues(x.filter((_, i) => i % Math.ceil((x.length * 80) / width) === 0));
      plot.append("g").attr("transform", `translate(0,${bottom})`).call(below);
      if (given.around !== undefined) {
        plot.append("line").attr("class", "one").attr("x1", margin.left).attr("x2", right)
          .attr("y1", height_of(given.around)).attr("y2", height_of(given.around));
      }
      for (const {values, style} of series.slice().reverse()) {
        const line = d3.line((_, i) => place(i), value => height_of(value)).defined(value => value !== null);
        if (given.step) line.curve(d3.curveStepAfter);
        plot.append("path").attr("class", "curve").attr("d", line(values))
          .attr("stroke-dasharray", style.dash).style("--colour", style.colour);
      }
      if (canary) {
        plot.append("path").attr("class", "canary").attr("d", triangle(across(canary.seconds), bottom - 5))
          .append("title").text(canary.text);
      }
      let before = -Infinity;
      for (const {seconds, number, text} of findings) {
        const here = across(Math.min(seconds, x.at(-1)));
        plot.append("line").attr("class", "stem").attr("x1", here).attr("x2", here).attr("y1", margin.top)
          .attr("y2", bottom);
        plot.append("path").attr("class", "finding").attr("d", diamond(here, margin.top - 4))
          .append("title").text(text);
        if (here - before < 22) continue; // no number over another
        before = here;
        plot.append("text").attr("class", "finding-number").attr("x", here + 8).attr("y", margin.top).text(number);
      }
      plot.append("g").attr("class", "cursor").append("line").attr("y1", margin.top).attr("y2", bottom);
      show();
    };
    const go = to => {
      at = Math.max(0, Math.min(x.length - 1, to));
      show();
    };
    plot.on("pointermove pointerdown", event => {
      const [here] = d3.pointer(event);
      go(d3.minIndex(x, (_, i) => Math.abs(place(i) - here)));
    }).on("keydown", event => {
      const keys = {ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0,
                    End: x.length - 1};
      const to = keys[event.key];
      if (to === undefined) return;
      event.preventDefault();
      go(to);
    });
    new ResizeObserver(([entry]) => {
      const now = Math.round(entry.contentRect.width);
      if (now === width || now === 0) return;
      width = now;
      draw();
    }).observe(plot.node());
    return element("figure", {class: wide ? "chart wide" : "chart"}, element("figcaption", {}, title),
                   hint ? element("p", {class: "hint"}, hint) : null, plot.node(), legend, as_table);
  };

  // A run's systems ---------------------------------------------------------------------------------

  const findings_of = system => system.findings.length + system.findings_left_out;
  const differs = system => findings_of(system) > 0;
  const missed = system => system.canary !== null && !system.canary.found;
  const verdict = system => {
    if (differs(system)) return element("span", {class: "differs"}, `≠ ${counted(findings_of(system), "finding")}`);
    if (system.scenarios === 0) return element("span", {class: "differs"}, "! nothing was judged");
    if (missed(system)) return element("span", {class: "differs"}, "! the canary was missed: nothing is proven");
    if (system.faults.length > 0) return element("span", {class: "differs"}, "! errors of engines: nothing is proven");
    return element("span", {class: "agrees"}, system.finished !== false ? "✓ all agree" : "✓ no difference so far");
  };
  const canary_text = system => {
    if (system.canary === null) return "none";
    const {name, found, seconds} = system.canary;
    return found ? `${name}, ${seconds_text(seconds)}` : `${name} MISSED`;
  };

  // The engines of all systems in one order, so that each has one colour.
  const used_engines = new Set(run.systems.flatMap(system => system.engines.map(({name}) => name)));
  const known_engines = ["uniform", "swarm", "suggested", "mutated", "libfuzzer", "libfuzzer-fast"];
  const engine_names = [...new Set([...known_engines.filter(name => used_engines.has(name)), ...used_engines])];
  const style_of_engine = name => style_of(Math.max(0, engine_names.indexOf(name)));

  // Counts a second between samples; each is over at least a fiftieth of the time, so that the curve is no noise.
  const rates = (seconds, counts) => {
    const apart = seconds.at(-1) / 50;
    return seconds.map((now, i) => {
      let from = i;
      while (from > 0 && now - seconds[from] < apart) --from;
      return from === i ? null : (counts[i] - counts[from]) / (now - seconds[from]);
    });
  };
  const charts_of = system => {
    const {timeline} = system;
    if (timeline === null || timeline.seconds.length < 2) {
      const why = timeline === null ? "The file has no curves: it is of merged shards, or of an older lockstep."
                                    : "The run was too short for curves.";
      return element("p", {class: "note"}, why);
    }
    const engines = Object.fromEntries(timeline.engines), names = engine_names.filter(name => engines[name]);
    const of_engines = (member, change = values => values) =>
      names.map(name => ({name, values: change(engines[name][member]), style: style_of_engine(name)}));
    const sum = member => timeline.seconds.map((_, i) => d3.sum(names, name => engines[name][member][i]));
    const a_second = values => rates(timeline.seconds, values);
    const common = {x: timeline.seconds, x_name: "time", x_text: seconds_text};
    const findings = system.findings.map((finding, i) => (
      {seconds: finding.seconds, number: i + 1, text: `finding ${i + 1}: ${finding.signature}, by ${finding.engine}`}));
    const canary = system.canary?.found
      ? {seconds: system.canary.seconds, text: `canary ${system.canary.name}, found by ${system.canary.engine}`} : null;
    const total = values => ({name: "all engines", values, style: total_style});
    const rate_of = member => [total(a_second(sum(member))), ...of_engines(member, a_second)];
    return element("div", {class: "charts"},
      chart({...common, title: "Features reached", hint: "By the engine that reached a value of a feature first.",
             series: [total(timeline.features), ...of_engines("features_first")], y_text: short, step: true, findings,
             canary, wide: true}),
      chart({...common, title: "Scenarios a second", series: rate_of("scenarios"), y_text: short}),
      chart({...common, title: "Steps a second", series: rate_of("steps"), y_text: short}));
  };

  const kind_of = finding => [
    finding.hidden_state ? "hidden state" : "", finding.unstable ? "unstable" : "",
    finding.minimal ? "" : "not minimal",
  ].filter(Boolean).join(", ");
  const finding_cell = finding => {
    const kind = kind_of(finding);
    const page = finding.page ? element("a", {href: finding.page}, "its page") : element("pre", {}, finding.command);
    return element("div", {}, finding.explanation, kind ? ` (${kind})` : null,
                   element("pre", {}, finding.signature), page);
  };
  const findings_table = system => {
    if (system.findings.length === 0) return null;
    const rows = system.findings.map((finding, i) => [
      `${i + 1}`, seconds_text(finding.seconds), finding.engine, finding_cell(finding), finding.scenarios,
      finding.actions]);
    return element("div", {}, element("h3", {}, "Findings"),
      table("", ["#", "after", "engine", "what differs", "scenarios before", "actions"], rows),
      left_out(system.findings_left_out, "finding"));
  };
  const engines_table = system => {
    const time = d3.sum(system.engines, engine => engine.seconds);
    const engines = system.engines.slice().sort((a, b) => engine_names.indexOf(a.name) - engine_names.indexOf(b.name));
    const rows = engines.map(engine => [
      engine.name, `${Math.round((100 * engine.seconds) / Math.max(time, 1e-9))}%`, engine.scenarios, engine.steps,
      engine.features_first, engine.findings, engine.canaries]);
    return element("div", {}, element("h3", {}, "Engines"),
      table("", ["engine", "share of time", "scenarios", "steps", "features first", "findings", "canaries"], rows));
  };

  // How often each value was seen: a bar each, on a scale that shows one beside a thousand.
  const label_card = ({name, values}) => {
    const sums = values.map(([, by_way]) => d3.sum(by_way, ([, count]) => count));
    const wide = d3.scaleSymlog([0, d3.max(sums) ?? 1], [0, 100]).constant(1);
    const rows = values.map(([value], i) => {
      const bar = element("div", {class: "bar"});
      bar.style.width = `${wide(sums[i]).toFixed(1)}%`;
      return element("tr", {}, element("th", {scope: "row"}, value), element("td", {"aria-hidden": "true"}, bar),
                     element("td", {class: "number"}, grouped(sums[i])));
    });
    return element("div", {class: "label"}, element("h4", {}, name),
                   element("table", {"aria-label": name}, element("tbody", {}, ...rows)));
  };
  const bucket_card = ([name, buckets]) => {
    const items = (buckets.length > 0 ? buckets : ["none"]).map(each => element("li", {}, each));
    return element("div", {class: "label"}, element("h4", {}, name), element("ul", {class: "buckets"}, ...items));
  };
  const labels_of = system => {
    const counts = labels.find(each => each.system === system.name);
    const title = counts ? "Labels" : "Values of features that were reached";
    const ways = counts?.ways.map(way => `${grouped(way.scenarios)} ${way.name}`).join(", ");
    const note = `Scenarios that show each value, of ${ways}; the bars grow with the logarithm`;
    const cards = counts ? counts.features.map(label_card) : system.features.map(bucket_card);
    // Long; open where it is the only one.
    return element("details", {class: "more", open: run.systems.length === 1 ? "" : null},
                   element("summary", {}, title), counts ? element("p", {class: "note"}, note) : null,
                   element("div", {class: "labels"}, ...cards));
  };

  const tile = (name, value, small = null) =>
    element("div", {}, element("dt", {}, name),
            element("dd", {}, value, small ? element("small", {}, small) : null));
  const list_of = (title, items) =>
    items.length === 0 ? null : element("div", {}, element("h3", {}, title),
      element("ul", {}, ...items.map(item => element("li", {}, item))));
  const system_section = system => {
    const id = system.name;
    const best = d3.greatest(system.engines, engine => engine.features_first);
    const a_second = count => `${short(count / Math.max(system.seconds, 1e-3))} a second`;
    const tiles = element("dl", {class: "tiles"},
      tile("time", seconds_text(system.seconds)),
      tile("scenarios", short(system.scenarios), a_second(system.scenarios)),
      tile("steps", short(system.steps), a_second(system.steps)),
      tile("features", grouped(system.features_reached),
           best && best.features_first > 0 ? `${grouped(best.features_first)} by ${best.name}` : null),
      tile("findings", grouped(findings_of(system)), system.ignored > 0 ? `${grouped(system.ignored)} known ignored` : null),
      tile("canary", system.canary === null ? "none" : system.canary.found ? "found" : "MISSED",
           system.canary === null ? null : seconds_text(system.canary.seconds) +
             (system.canary.engine ? `, by ${system.canary.engine}` : "") + `: ${system.canary.name}`));
    return element("section", {class: "search", id, "aria-labelledby": `title-${id}`},
      element("h2", {id: `title-${id}`}, `${system.name} · `, verdict(system)),
      element("p", {class: "note"}, `Compared: ${system.implementations.join(", ")}`), tiles,
      findings_table(system), charts_of(system), engines_table(system), labels_of(system),
      list_of("Errors of engines", system.faults), list_of("Mended mistakes", system.mended));
  };

  const overview = () => {
    const rows = run.systems.map(system => [
      element("a", {href: `#${encodeURIComponent(system.name)}`}, system.name), verdict(system), seconds_text(system.seconds),
      system.scenarios, system.steps, system.features_reached, canary_text(system)]);
    return element("section", {"aria-labelledby": "overview-title"},
      element("h2", {id: "overview-title"}, "Systems"),
      table("", ["system", "result", "time", "scenarios", "steps", "features", "canary found"], rows));
  };

  // What other verbs wrote --------------------------------------------------------------------------

  const drawn_series = 8;
  const history_chart = ({versions, series}) => {
    if (versions.length < 2 || series.length === 0) return null;
    const change = value => (value === null || value <= 0 ? 0 : Math.abs(Math.log(value)));
    const far = ({values}) => d3.max(values, change) ?? 0;
    const most = series.slice().sort((a, b) => far(b) - far(a)).slice(0, drawn_series);
    const places = versions.map((name, i) => (versions.indexOf(name) === i ? name : `${name} (${i + 1})`));
    const hint = series.length > drawn_series
      ? `The ${drawn_series} of ${series.length} benchmarks that changed most.` : null;
    return chart({title: "Ratio to the first version", hint, x: places, x_name: "version", x_text: name => name,
                  y_text: value => value.toFixed(2), around: 1, wide: true,
                  series: most.map(({name, values}, i) => ({name, values, style: style_of(i)}))});
  };
  const label_of = ({baseline, revision}) => baseline ?? revision ?? "?";
  const table_of = (head, list, left, title = null) => [
    title && element("h3", {}, title), table("", head, list.map(Object.values)), left_out(left, "row")];
  const result_of = agreed => (agreed === null ? "not covered" : agreed ? "all agree" : "≠ they differ");
  const measured = ["benchmark", "verdict", "before", "after", "ratio", "low", "high"];
  // The title, the note and the parts of a file's section. Members of an object are in the order of the shapes in
  // run.cpp.
  const section_parts = {
    proofs: given => [
      "Proofs", "Claims about kernels, on every board of the real size.",
      ...table_of(["system", "claim", "says", "answer", "variables", "clauses", "seconds"], given.claims,
                  given.claims_left_out)],
    canaries: given => [
      "Canaries", "How long a known mistake stays unseen. A dash: it was not found.",
      ...table_of(["system", "canary", "engine", "found", "trials", "median seconds", "median scenarios"], given.rows,
                  given.rows_left_out)],
    certificates: () => [
      "Certificates", "What was judged of everything inside a bound.",
      ...table_of(["system", "explored", "implementations", "bounds", "positions", "steps", "result", "seconds"],
                  data.more.filter(({kind}) => kind === "certificates").map(each => [
                    each.system, (each.exploration ? `${each.exploration}: ` : "") + each.about,
                    each.implementations.join(", "), each.bounds.join(", "), each.positions, each.steps,
                    result_of(each.agreed), each.seconds]))],
    compare: given => [
      "Compared versions", `${label_of(given.before)} → ${label_of(given.after)}`,
      ...[["Behaviour", "behaviour", ["system", "verdict", "reason", "scenarios", "steps"]],
          ["Processor time, ns", "times", measured], ["Instructions", "instructions", measured]]
        .filter(([, name]) => given[name].length > 0)
        .flatMap(([title, name, head]) => table_of(head, given[name], given[`${name}_left_out`], title))],
    history: ({versions, measure, history}) => {
      const names = versions.map(label_of);
      // A version without the benchmark has no figure, so the place of the others is not known.
      const whole = history.filter(([, ratios]) => ratios.length === names.length);
      const series = whole.map(([name, ratios]) => ({name, values: ratios.map(each => each.ratio)}));
      const curve = history_chart({versions: names, series});
      return ["History", `${measure}, as a ratio to ${names[0] ?? "nothing"}; below 1 is faster`,
              curve && element("div", {class: "charts"}, curve),
              table("", ["benchmark", ...names], series.map(({name, values}) => [name, ...values]))];
    },
  };
  const section_of = (given, number) => {
    const id = `more-${number}`, [title, note, ...parts] = section_parts[given.kind](given);
    const source = given.kind === "certificates" ? "" : ` (${given.file})`; // all of them are in one section
    return element("section", {"aria-labelledby": id}, element("h2", {id}, title),
                   element("p", {class: "note"}, note + source), ...parts);
  };

  // The page ----------------------------------------------------------------------------------------

  const headline = () => {
    const differing = run.systems.filter(differs), steps = d3.sum(run.systems, system => system.steps);
    const judged = `${counted(run.systems.length, "system")}, ${short(steps)} steps`;
    if (run.systems.length === 0) return data.doing ? "Running: nothing was judged yet" : "Nothing was run";
    if (differing.length > 0) {
      return `Implementations of ${differing.map(system => system.name).join(", ")} differ: ` +
             `${counted(d3.sum(differing, findings_of), "finding")} in ${judged}`;
    }
    if (data.doing) return `Running: ${judged}, no difference so far`;
    if (run.exit === 0) return `All agree: ${judged}`;
    return run.exit === 130 ? `Interrupted: ${judged}, no difference so far` : `Nothing is proven: ${judged}`;
  };
  by("program").textContent = run.program || "lockstep";
  by("headline").textContent = headline();
  const time = d3.sum(run.systems, system => system.seconds);
  by("about").textContent = `${data.file} · seed ${run.seed} · ${counted(run.jobs, "job")} · ${seconds_text(time)}`;
  // The run writes its page anew every few seconds until it ends.
  if (data.doing) {
    const text = element("p", {class: "note", id: "doing"});
    by("about").after(text);
    const show_age = () => {
      const age = Math.max(0, Math.round(Date.now() / 1000 - data.written));
      const late = age > 60 ? ": the run was stopped or killed, or its folder is out of reach" : "";
      text.textContent = `${data.doing} · written ${seconds_text(age)} ago${late}`;
    };
    show_age();
    setInterval(show_age, 1000);
    setTimeout(() => location.reload(), 5000);
  }
  const main = by("main");
  if (data.itemsLeft !== null) {
    main.append(element("p", {class: "note"}, `Lists are cut to ${counted(data.itemsLeft, "item")}: all of ` +
                                              "them would make this page too large."));
  }
  if (run.systems.length > 1) main.append(overview());
  main.append(left_out(run.systems_left_out, "system") ?? "");
  for (const system of run.systems) main.append(system_section(system));
  for (const given of labels.filter(each => !run.systems.some(system => system.name === each.system))) {
    main.append(element("section", {}, element("h2", {}, `Labels of ${given.system}`),
                        element("div", {class: "labels"}, ...given.features.map(label_card))));
  }
  const first_certificate = data.more.find(({kind}) => kind === "certificates");
  data.more.filter(each => each.kind !== "labels" && (each.kind !== "certificates" || each === first_certificate))
    .forEach((given, number) => main.append(section_of(given, number)));
  // The hash was read before these elements were there.
  if (location.hash) by(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
})();
