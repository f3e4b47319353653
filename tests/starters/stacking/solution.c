int solution(int n, int board[12][12], int k, int pieces[10][3]) {
  const int dr[] = {0, 0, 0, -1, 1}, dc[] = {0, 1, -1, 0, 0}, back[] = {0, 2, 1, 4, 3};
  int stack[12][12][10], height[12][12] = {{0}};
  for (int i = 0; i < k; ++i) {
    const int r = --pieces[i][0], c = --pieces[i][1];
    stack[r][c][height[r][c]++] = i;
  }
  for (int turn = 1; turn <= 1000; ++turn) {
    for (int i = 0; i < k; ++i) {
      const int r = pieces[i][0], c = pieces[i][1];
      int y = 0, x = 0, blue = 1, first = 0;
      for (int tries = 0; tries < 2 && blue == 1; ++tries) {
        if (tries == 1) pieces[i][2] = back[pieces[i][2]];
        y = r + dr[pieces[i][2]];
        x = c + dc[pieces[i][2]];
        blue = y < 0 || y >= n || x < 0 || x >= n || board[y][x] == 2 ? 1 : 0;
      }
      if (blue == 1) continue;
      while (stack[r][c][first] != i) ++first;
      const int top = height[r][c] - 1;
      height[r][c] = first;
      for (int at = first; at <= top; ++at) {
        const int piece = stack[r][c][board[y][x] == 1 ? first + top - at : at];
        pieces[piece][0] = y;
        pieces[piece][1] = x;
        stack[y][x][height[y][x]++] = piece;
      }
      if (height[y][x] >= 4) return turn;
    }
  }
  return -1;
}
