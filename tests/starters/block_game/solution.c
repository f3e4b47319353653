int solution(int n, int board[50][50]) {
  int removed = 0;
  for (int again = 1; again == 1;) {
    again = 0;
    for (int number = 1; number <= 200; ++number) {
      int top = n, bottom = -1, left = n, right = -1, open = 1;
      for (int i = 0; i < n * n; ++i) {
        const int r = i / n, c = i % n;
        if (board[r][c] != number) continue;
        if (r < top) top = r;
        if (r > bottom) bottom = r;
        if (c < left) left = c;
        if (c > right) right = c;
      }
      if (bottom < 0) continue;
      for (int r = top; r <= bottom; ++r) {
        for (int c = left; c <= right; ++c) {
          for (int up = r; up >= 0 && board[r][c] != number; --up) {
            if (board[up][c] != 0) open = 0;
          }
        }
      }
      if (open == 0) continue;
      for (int i = 0; i < n * n; ++i) {
        if (board[i / n][i % n] == number) board[i / n][i % n] = 0;
      }
      ++removed;
      again = 1;
    }
  }
  return removed;
}
