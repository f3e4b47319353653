let columns, scores;

function init(width) {
  columns = Array.from({length: width}, () => []);
  scores = [0, 0, 0];
}

const at = (c, h) => (columns[c] || [])[h];

function settle(player) {
  let points = 0;
  for (let again = true; again;) {
    again = false;
    const gone = columns.map((column) => column.map(() => false));
    columns.forEach((column, c) => column.forEach((cell, h) => {
      for (const [dc, dh] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
        let length = 0;
        while (at(c + length * dc, h + length * dh) === cell) ++length;
        for (let i = 0; i < length && length >= 5; ++i) gone[c + i * dc][h + i * dh] = again = true;
      }
    }));
    columns = columns.map((column, c) => column.filter((cell, h) => {
      if (gone[c][h] && cell === player) ++points;
      return !gone[c][h];
    }));
  }
  scores[player] += points;
  return points;
}

function dropBlocks(player, column) {
  for (let c = column; c < column + 3; ++c) columns[c].push(player);
  return settle(player);
}

function changeBlocks(player, column) {
  const todo = [[column, 0]];
  while (todo.length > 0) {
    const [c, h] = todo.pop();
    if (at(c, h) !== 3 - player) continue;
    columns[c][h] = player;
    todo.push([c + 1, h], [c - 1, h], [c, h + 1], [c, h - 1]);
  }
  return settle(player);
}

function getResult() {
  const cells = columns.flat();
  const winner = scores[1] > scores[2] ? 1 : scores[1] < scores[2] ? 2 : 0;
  return [winner, cells.filter((cell) => cell === 1).length, cells.filter((cell) => cell === 2).length];
}
