// The whole stack moves, also what lies below the piece.
const fs = require("fs");
const [[N, K], ...rest] = fs
  .readFileSync("/dev/stdin")
  .toString()
  .trim()
  .split("\n")
  .map((line) => line.trim().split(" ").map(Number));
const color = rest.slice(0, N);
const horses = rest.slice(N, N + K).map(([x, y, d], id) => ({ id, x: x - 1, y: y - 1, d: d - 1 }));
const chess = Array.from({ length: N }, () => Array.from({ length: N }, () => []));
horses.forEach((horse) => chess[horse.x][horse.y].push(horse));

const dx = [0, 0, -1, 1];
const dy = [1, -1, 0, 0];
const isBlue = (x, y) => x < 0 || y < 0 || x >= N || y >= N || color[x][y] === 2;

function solution() {
  for (let turn = 1; turn <= 1000; turn++) {
    for (const horse of horses) {
      let [nx, ny] = [horse.x + dx[horse.d], horse.y + dy[horse.d]];
      if (isBlue(nx, ny)) {
        horse.d ^= 1;
        [nx, ny] = [horse.x + dx[horse.d], horse.y + dy[horse.d]];
        if (isBlue(nx, ny)) continue;
      }
      const group = chess[horse.x][horse.y];
      chess[horse.x][horse.y] = [];
      if (color[nx][ny] === 1) group.reverse();
      group.forEach((h) => {
        h.x = nx;
        h.y = ny;
      });
      chess[nx][ny] = [...chess[nx][ny], ...group];
      if (chess[nx][ny].length >= 4) return turn;
    }
  }
  return -1;
}
console.log(solution());
