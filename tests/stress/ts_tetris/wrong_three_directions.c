/* Looks right, up and up to the right, but never down to the right. */
#include <stdio.h>
#include <string.h>

int W, H, map[201][201], del[201][201], top[201], score[3];

int init(int w, int h) {
  W = w, H = h;
  memset(map, 0, sizeof(map));
  memset(top, 0, sizeof(top));
  memset(score, 0, sizeof(score));
  return 0;
}

int find(int x, int y, int dx, int dy) {
  int p = map[x][y], n = 0;
  int i = x, j = y;
  while (i < W && j < H && map[i][j] == p) n++, i += dx, j += dy;
  if (n < 5) return 0;
  while (n--) del[x][y] = 1, x += dx, y += dy;
  return 1;
}

int process(int player) {
  int x, y, found = 1, sum = 0;
  while (found) {
    found = 0;
    for (x = 0; x < W; x++)
      for (y = 0; y < top[x]; y++) found += find(x, y, 1, 0) + find(x, y, 0, 1) + find(x, y, 1, 1);
    for (x = 0; x < W; x++) {
      int n = 0, old = top[x];
      for (y = 0; y < old; y++) {
        int p = map[x][y];
        if (del[x][y]) {
          if (p == player) sum++;
          top[x]--;
        } else
          map[x][n++] = p;
        del[x][y] = 0;
      }
      while (n < old) map[x][n++] = 0;
    }
  }
  score[player] += sum;
  return sum;
}

void change(int x, int y, int player) {
  if (x < 0 || y < 0 || x >= W || y >= H || map[x][y] != 3 - player) return;
  map[x][y] = player;
  change(x + 1, y, player);
  change(x - 1, y, player);
  change(x, y + 1, player);
  change(x, y - 1, player);
}

int main() {
  int T, Q, cmd, a, b, i;
  scanf("%d", &T);
  while (T--) {
    scanf("%d", &Q);
    while (Q--) {
      scanf("%d", &cmd);
      if (cmd != 400) scanf("%d %d", &a, &b);
      switch (cmd) {
        case 100: init(a, b); break;
        case 200:
          for (i = b; i < b + 3; i++) map[i][top[i]++] = a;
          printf("%d\n", process(a));
          break;
        case 300:
          change(b, 0, a);
          printf("%d\n", process(a));
          break;
        case 400: {
          int cnt[3] = {0};
          for (i = 0; i < W; i++)
            for (a = 0; a < top[i]; a++) cnt[map[i][a]]++;
          printf("%d %d %d\n", score[1] == score[2] ? 0 : score[1] > score[2] ? 1 : 2, cnt[1], cnt[2]);
        }
      }
    }
  }
}
