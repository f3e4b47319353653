int width, height, board[200][200], mark[200][200], todo[40000], scores[3];

void init(int W, int H) {
  width = W;
  height = H;
  for (int i = 0; i < 200 * 200; ++i) board[i / 200][i % 200] = 0;
  scores[1] = scores[2] = 0;
}

int settle(int player) {
  const int dr[] = {0, 1, 1, -1}, dc[] = {1, 0, 1, 1};
  int points = 0;
  for (int again = 1; again == 1;) {
    again = 0;
    for (int i = 0; i < 4 * width * height; ++i) {
      const int r = i / 4 / width, c = i / 4 % width, d = i % 4;
      int length = 0;
      for (int y = r, x = c; y >= 0 && y < height && x < width; y += dr[d], x += dc[d], ++length) {
        if (board[r][c] == 0 || board[y][x] != board[r][c]) break;
      }
      for (int at = 0; at < length && length >= 5; ++at) mark[r + at * dr[d]][c + at * dc[d]] = again = 1;
    }
    for (int c = 0; c < width; ++c) {
      for (int r = height - 1, to = height - 1; r >= 0; --r) {
        const int cell = board[r][c], gone = mark[r][c];
        board[r][c] = mark[r][c] = 0;
        if (gone == 1 && cell == player) ++points;
        if (gone == 0 && cell != 0) board[to--][c] = cell;
      }
    }
  }
  scores[player] += points;
  return points;
}

int dropBlocks(int player, int column) {
  for (int c = column; c < column + 3; ++c) {
    int r = 0;
    while (r + 1 < height && board[r + 1][c] == 0) ++r;
    board[r][c] = player;
  }
  return settle(player);
}

int changeBlocks(int player, int column) {
  const int dr[] = {0, 0, 1, -1}, dc[] = {1, -1, 0, 0};
  int count = 0;
  if (board[height - 1][column] == 3 - player) todo[count++] = (height - 1) * width + column;
  while (count > 0) {
    const int cell = todo[--count];
    board[cell / width][cell % width] = player;
    for (int d = 0; d < 4; ++d) {
      const int r = cell / width + dr[d], c = cell % width + dc[d];
      if (r < 0 || r >= height || c < 0 || c >= width || board[r][c] != 3 - player) continue;
      board[r][c] = player;
      todo[count++] = r * width + c;
    }
  }
  return settle(player);
}

int getResult(int left[]) {
  left[0] = left[1] = 0;
  for (int i = 0; i < width * height; ++i) {
    const int cell = board[i / width][i % width];
    if (cell != 0) ++left[cell - 1];
  }
  return scores[1] > scores[2] ? 1 : scores[1] < scores[2] ? 2 : 0;
}
