int solution(char field[12][7]) {
  const int dr[] = {0, 0, 1, -1}, dc[] = {1, -1, 0, 0};
  for (int chains = 0;; ++chains) {
    int group[72], size[72] = {0};
    for (int i = 0; i < 72; ++i) group[i] = i;
    for (int again = 1; again == 1;) {
      again = 0;
      for (int i = 0; i < 72; ++i) {
        for (int d = 0; d < 4; ++d) {
          const int r = i / 6 + dr[d], c = i % 6 + dc[d];
          if (r < 0 || r > 11 || c < 0 || c > 5 || field[r][c] != field[i / 6][i % 6]) continue;
          if (group[r * 6 + c] >= group[i]) continue;
          group[i] = group[r * 6 + c];
          again = 1;
        }
      }
    }
    for (int i = 0; i < 72; ++i) {
      if (field[i / 6][i % 6] != '.') ++size[group[i]];
    }
    int gone = 0;
    for (int i = 0; i < 72; ++i) {
      if (size[group[i]] < 4) continue;
      field[i / 6][i % 6] = '.';
      gone = 1;
    }
    if (gone == 0) return chains;
    for (int c = 0; c < 6; ++c) {
      for (int r = 11, to = 11; r >= 0; --r) {
        const char cell = field[r][c];
        if (cell == '.') continue;
        field[r][c] = '.';
        field[to--][c] = cell;
      }
    }
  }
}
