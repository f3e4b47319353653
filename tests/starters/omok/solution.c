struct Win solution(int board[19][19]) {
  const int dr[] = {0, 1, 1, -1}, dc[] = {1, 0, 1, 1};
  struct Win win = {0, 0, 0};
  for (int i = 0; i < 4 * 19 * 19; ++i) {
    const int r = i / 4 % 19, c = i / 4 / 19, d = i % 4;
    int inside = 0, beside = 0;
    for (int at = -1; at <= 5; ++at) {
      const int y = r + at * dr[d], x = c + at * dc[d];
      const int same = y >= 0 && y < 19 && x >= 0 && x < 19 && board[y][x] == board[r][c];
      if (at == -1 || at == 5) beside += same;
      else inside += same;
    }
    if (board[r][c] == 0 || inside != 5 || beside != 0) continue;
    win.colour = board[r][c];
    win.row = r + 1;
    win.column = c + 1;
    return win;
  }
  return win;
}
