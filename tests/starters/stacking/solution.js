function solution(board, pieces) {
  const dr = [0, 0, 0, -1, 1], dc = [0, 1, -1, 0, 0], back = [0, 2, 1, 4, 3];
  const stacks = board.map((row) => row.map(() => []));
  pieces.forEach((piece, i) => stacks[--piece[0]][--piece[1]].push(i));
  const blue = (y, x) => !board[y] || board[y][x] === undefined || board[y][x] === 2;
  for (let turn = 1; turn <= 1000; ++turn) {
    for (let i = 0; i < pieces.length; ++i) {
      const [r, c, facing] = pieces[i];
      if (blue(r + dr[facing], c + dc[facing])) pieces[i][2] = back[facing];
      const y = r + dr[pieces[i][2]], x = c + dc[pieces[i][2]];
      if (blue(y, x)) continue;
      const moved = stacks[r][c].splice(stacks[r][c].indexOf(i));
      if (board[y][x] === 1) moved.reverse();
      for (const piece of moved) [pieces[piece][0], pieces[piece][1]] = [y, x];
      stacks[y][x].push(...moved);
      if (stacks[y][x].length >= 4) return turn;
    }
  }
  return -1;
}
