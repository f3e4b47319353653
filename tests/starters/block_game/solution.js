function solution(board) {
  let removed = 0;
  for (let again = true; again;) {
    again = false;
    const blocks = new Map();
    board.forEach((row, r) => row.forEach((number, c) => {
      if (number) blocks.set(number, [...blocks.get(number) || [], [r, c]]);
    }));
    for (const [number, cells] of blocks) {
      const rows = cells.map(([r]) => r), columns = cells.map(([, c]) => c);
      let open = true;
      for (let r = Math.min(...rows); r <= Math.max(...rows); ++r) {
        for (let c = Math.min(...columns); c <= Math.max(...columns); ++c) {
          for (let up = r; up >= 0 && board[r][c] !== number; --up) open = open && board[up][c] === 0;
        }
      }
      if (!open) continue;
      for (const [r, c] of cells) board[r][c] = 0;
      ++removed;
      again = true;
    }
  }
  return removed;
}
