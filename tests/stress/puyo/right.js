// Reads fields until the end of the input. A field is six strings, bottom first, so falling is taking letters out.
const lines = require("fs").readFileSync(0, "utf8").split(/\s+/).filter(Boolean);

function group(columns, x, y) {
  const colour = columns[x][y];
  const members = new Set([x * 12 + y]);
  for (const at of members) {
    const cx = Math.floor(at / 12), cy = at % 12;
    for (const [nx, ny] of [[cx - 1, cy], [cx + 1, cy], [cx, cy - 1], [cx, cy + 1]]) {
      if (columns[nx]?.[ny] === colour) members.add(nx * 12 + ny);
    }
  }
  return members;
}

function step(columns) {
  const gone = new Set();
  columns.forEach((column, x) => [...column].forEach((_, y) => {
    if (gone.has(x * 12 + y)) return;
    const members = group(columns, x, y);
    if (members.size >= 4) members.forEach((at) => gone.add(at));
  }));
  return columns.map((column, x) => [...column].filter((_, y) => !gone.has(x * 12 + y)).join(""));
}

const answers = [];
for (let first = 0; first < lines.length; first += 12) {
  const rows = lines.slice(first, first + 12).reverse();
  let columns = [0, 1, 2, 3, 4, 5].map((x) => rows.map((row) => row[x]).join("").replaceAll(".", ""));
  let chains = 0;
  for (;;) {
    const next = step(columns);
    if (next.join() === columns.join()) break;
    columns = next;
    chains++;
  }
  answers.push(chains);
}
console.log(answers.join("\n"));
