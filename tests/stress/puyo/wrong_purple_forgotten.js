// Four colours are known; purple never vanishes.
const input = require("fs").readFileSync("/dev/stdin").toString().trim().split("\n");
const board = input.map((line) => line.trim().split(""));
const COLORS = ["R", "G", "B", "Y"];
let answer = 0;

const dfs = (r, c, color, path) => {
  if (board[r]?.[c] !== color || path.some(([pr, pc]) => pr === r && pc === c)) return path;
  path.push([r, c]);
  dfs(r + 1, c, color, path);
  dfs(r, c + 1, color, path);
  dfs(r - 1, c, color, path);
  dfs(r, c - 1, color, path);
  return path;
};

while (true) {
  const targets = [];
  for (const color of COLORS) {
    for (let r = 0; r < 12; r++) {
      for (let c = 0; c < 6; c++) {
        const path = dfs(r, c, color, []);
        if (path.length >= 4) targets.push(...path);
      }
    }
  }
  if (targets.length === 0) break;
  targets.forEach(([r, c]) => (board[r][c] = "."));
  for (let c = 0; c < 6; c++) {
    let bottom = 11;
    for (let r = 11; r >= 0; r--) {
      if (board[r][c] === ".") continue;
      [board[bottom][c], board[r][c]] = [board[r][c], board[bottom][c]];
      bottom--;
    }
  }
  answer++;
}
console.log(answer);
