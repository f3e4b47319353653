/* After a group vanished each puyo falls by one cell only. */
#include <stdio.h>
#include <string.h>

char map[12][7];
int visit[12][6];
int cnt;

void dfs(int x, int y, char c, int erase) {
  if (x < 0 || y < 0 || x >= 12 || y >= 6) return;
  if (map[x][y] != c || visit[x][y] == 1 + erase) return;
  visit[x][y] = 1 + erase;
  cnt++;
  if (erase) map[x][y] = '.';
  dfs(x + 1, y, c, erase);
  dfs(x - 1, y, c, erase);
  dfs(x, y + 1, c, erase);
  dfs(x, y - 1, c, erase);
}

int main() {
  int i, j, ans = 0;
  for (i = 0; i < 12; i++) scanf("%s", map[i]);
  while (1) {
    int bomb = 0;
    memset(visit, 0, sizeof(visit));
    for (i = 0; i < 12; i++)
      for (j = 0; j < 6; j++) {
        char c = map[i][j];
        if (c == '.' || visit[i][j]) continue;
        cnt = 0;
        dfs(i, j, c, 0);
        if (cnt >= 4) {
          dfs(i, j, c, 1);
          bomb = 1;
        }
      }
    if (!bomb) break;
    ans++;
    for (i = 11; i > 0; i--)
      for (j = 0; j < 6; j++)
        if (map[i][j] == '.') {
          map[i][j] = map[i - 1][j];
          map[i - 1][j] = '.';
        }
  }
  printf("%d", ans);
  return 0;
}
