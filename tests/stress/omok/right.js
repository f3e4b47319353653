// Reads boards until the end of the input. Lines are strings; a regular expression finds five that are not part of six.
const cells = require("fs").readFileSync(0, "utf8").replace(/\s+/g, "");

// Each line as [text, row and column of its first cell, step], left to right, vertical ones downward.
function* lines(at) {
  for (const [dr, dc] of [[0, 1], [1, 0], [1, 1], [-1, 1]]) {
    for (let r = 0; r < 19; r++) {
      for (let c = 0; c < 19; c++) {
        if (at(r - dr, c - dc) !== "") continue;
        let text = "";
        for (let i = 0; at(r + i * dr, c + i * dc) !== ""; i++) text += at(r + i * dr, c + i * dc);
        yield [text, r, c, dr, dc];
      }
    }
  }
}

function answer(board) {
  const at = (r, c) => (r >= 0 && r < 19 && c >= 0 && c < 19 ? board[r * 19 + c] : "");
  for (const [text, r, c, dr, dc] of lines(at)) {
    const found = /(?<!1)1{5}(?!1)|(?<!2)2{5}(?!2)/.exec(text);
    if (found) return `${found[0][0]}\n${r + found.index * dr + 1} ${c + found.index * dc + 1}`;
  }
  return "0";
}

const answers = [];
for (let first = 0; first < cells.length; first += 361) answers.push(answer(cells.slice(first, first + 361)));
console.log(answers.join("\n"));
