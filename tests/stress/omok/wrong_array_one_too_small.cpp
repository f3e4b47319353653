// The array has no border on its right: a line that leaves one row continues in the next.
#include <cstdio>

int a[21 * 19];

int main() {
  int* board = a + 19;
  for (int i = 0; i < 19 * 19; i++) scanf("%d", &board[i]);
  const int step[] = {1, 19, 20, -18};
  for (int c = 0; c < 19; c++)
    for (int r = 0; r < 19; r++)
      for (int d = 0; d < 4; d++) {
        const int at = r * 19 + c;
        if (board[at] == 0 || (c > 0 && board[at - step[d]] == board[at] && d != 1)) continue;
        if (d == 1 && r > 0 && board[at - 19] == board[at]) continue;
        int n = 1;
        while (n < 7 && at + n * step[d] >= 0 && at + n * step[d] < 361 && board[at + n * step[d]] == board[at]) n++;
        if (n == 5) {
          printf("%d\n%d %d\n", board[at], r + 1, c + 1);
          return 0;
        }
      }
  puts("0");
}
