// Equal scores count as a win of player 1.
const words = require("fs").readFileSync(0, "utf8").split(/\s+/);
let position = 0;
const next = () => Number(words[position++]);

class Game {
  constructor(width) {
    this.columns = Array.from({ length: width }, () => []);
    this.score = { 1: 0, 2: 0 };
  }
  drop(player, column) {
    for (let i = 0; i < 3; i++) this.columns[column + i].push(player);
    return this.settle(player);
  }
  change(player, column) {
    const queue = [[column, 0]];
    for (const [x, y] of queue) {
      if (this.columns[x]?.[y] !== 3 - player) continue;
      this.columns[x][y] = player;
      queue.push([x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]);
    }
    return this.settle(player);
  }
  *runs() {
    for (let x = 0; x < this.columns.length; x++) {
      for (let y = 0; y < this.columns[x].length; y++) {
        for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
          const cells = [];
          for (let i = 0; this.columns[x + i * dx]?.[y + i * dy] === this.columns[x][y]; i++) {
            cells.push([x + i * dx, y + i * dy]);
          }
          if (cells.length >= 5) yield cells;
        }
      }
    }
  }
  settle(player) {
    let points = 0;
    for (;;) {
      const runs = [...this.runs()];
      if (runs.length === 0) break;
      const gone = new Set(runs.flat().map(([x, y]) => `${x},${y}`));
      this.columns = this.columns.map((column, x) =>
        column.filter((cell, y) => {
          if (!gone.has(`${x},${y}`)) return true;
          if (cell === player) points++;
          return false;
        })
      );
    }
    this.score[player] += points;
    return points;
  }
  result() {
    const cells = this.columns.flat();
    const left = [1, 2].map((player) => cells.filter((cell) => cell === player).length);
    return [this.score[1] >= this.score[2] ? 1 : 2, ...left].join(" ");
  }
}

for (let cases = next(); cases > 0; cases--) {
  let game = null;
  for (let calls = next(); calls > 0; calls--) {
    switch (next()) {
      case 100:
        game = new Game(next());
        next();
        break;
      case 200:
        console.log(game.drop(next(), next()));
        break;
      case 300:
        console.log(game.change(next(), next()));
        break;
      default:
        console.log(game.result());
    }
  }
}
