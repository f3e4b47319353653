// On its way down a black square passes the cells of the block itself.
function solution(board) {
  const n = board.length;
  const blocks = new Map();
  board.forEach((row, r) =>
    row.forEach((id, c) => {
      if (id === 0) return;
      const box = blocks.get(id) ?? { top: r, bottom: r, left: c, right: c };
      box.bottom = Math.max(box.bottom, r);
      box.left = Math.min(box.left, c);
      box.right = Math.max(box.right, c);
      blocks.set(id, box);
    })
  );
  let answer = 0;
  let changed = true;
  while (changed) {
    changed = false;
    for (const [id, { top, bottom, left, right }] of blocks) {
      let removable = true;
      for (let c = left; c <= right; c++) {
        let lowest = bottom;
        while (board[lowest][c] === id) lowest--;
        for (let r = 0; r <= lowest; r++) {
          if (board[r][c] !== 0 && board[r][c] !== id) removable = false;
        }
      }
      if (!removable) continue;
      for (const row of board) {
        for (let c = 0; c < n; c++) if (row[c] === id) row[c] = 0;
      }
      blocks.delete(id);
      answer++;
      changed = true;
    }
  }
  return answer;
}

const numbers = require("fs").readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
const n = numbers[0];
console.log(solution(Array.from({ length: n }, (_, i) => numbers.slice(1 + i * n, 1 + (i + 1) * n))));
