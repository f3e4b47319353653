/* A line of six or more ends the search, also for the other directions of its stones and all that comes after it. */
#include <stdio.h>

static int board[361];

static int colour_at(int r, int c) { return r < 0 || c < 0 || r > 18 || c > 18 ? 0 : board[19 * r + c]; }

static int count(int r, int c, int dr, int dc) {
  return colour_at(r, c) == colour_at(r + dr, c + dc) ? 1 + count(r + dr, c + dc, dr, dc) : 1;
}

int main(void) {
  static const int dirs[4][2] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}};
  int i, d;
  for (i = 0; i < 361; i++) scanf("%d", board + i);
  for (i = 0; i < 361; i++) {
    int c = i / 19, r = i % 19; /* column by column */
    int colour = colour_at(r, c);
    if (!colour) continue;
    for (d = 0; d < 4; d++) {
      int dr = dirs[d][0], dc = dirs[d][1], n;
      if (colour_at(r - dr, c - dc) == colour) continue;
      n = count(r, c, dr, dc);
      if (n > 5) goto nobody;
      if (n == 5) {
        printf("%d\n%d %d", colour, r + 1, c + 1);
        return 0;
      }
    }
  }
nobody:
  printf("0");
  return 0;
}
