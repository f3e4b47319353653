/* The four functions of the problem. Columns grow upward from row 0. */
#include <stdio.h>
#include <string.h>

enum { SIDE = 200 };

static int width, score[3], left[3];
static int height[SIDE];
static unsigned char cell[SIDE + 10][SIDE + 10]; /* [column + 5][height + 5], with a border of zeros */
static unsigned char dying[SIDE][SIDE];

static unsigned char* at(int column, int row) { return &cell[column + 5][row + 5]; }

static int mark(void) {
  static const int dc[] = {1, 0, 1, 1}, dr[] = {0, 1, 1, -1};
  int any = 0;
  for (int c = 0; c < width; c++)
    for (int r = 0; r < height[c]; r++)
      for (int d = 0; d < 4; d++) {
        int player = *at(c, r), length = 1;
        if (*at(c - dc[d], r - dr[d]) == player) continue;
        while (*at(c + length * dc[d], r + length * dr[d]) == player) length++;
        if (length < 5) continue;
        any = 1;
        while (length-- > 0) dying[c + length * dc[d]][r + length * dr[d]] = 1;
      }
  return any;
}

static int settle(int mover) {
  int points = 0;
  while (mark()) {
    for (int c = 0; c < width; c++) {
      int to = 0;
      for (int r = 0; r < height[c]; r++) {
        int player = *at(c, r);
        *at(c, r) = 0;
        if (dying[c][r]) {
          dying[c][r] = 0;
          left[player]--;
          points += player == mover;
        } else {
          *at(c, to++) = player;
        }
      }
      height[c] = to;
    }
  }
  score[mover] += points;
  return points;
}

static void init(int w) {
  width = w;
  memset(cell, 0, sizeof cell);
  memset(height, 0, sizeof height);
  memset(score, 0, sizeof score);
  memset(left, 0, sizeof left);
}

static int drop_blocks(int player, int column) {
  for (int c = column; c < column + 3; c++) *at(c, height[c]++) = player;
  left[player] += 3;
  return settle(player);
}

static int change_blocks(int player, int column) {
  static int todo[4 * SIDE * SIDE + 4];
  int count = 0;
  todo[count++] = column * SIDE;
  while (count > 0) {
    int c = todo[--count] / SIDE, r = todo[count] % SIDE;
    if (*at(c, r) != 3 - player) continue;
    *at(c, r) = player;
    left[player]++;
    left[3 - player]--;
    if (c > 0) todo[count++] = (c - 1) * SIDE + r;
    if (c + 1 < width) todo[count++] = (c + 1) * SIDE + r;
    if (r > 0) todo[count++] = c * SIDE + r - 1;
    if (r + 1 < SIDE) todo[count++] = c * SIDE + r + 1;
  }
  return settle(player);
}

static int winner(void) { return (score[1] < score[2]) * 2 + (score[1] > score[2]); }

int main(void) {
  int cases, calls, kind, a, b;
  scanf("%d", &cases);
  while (cases-- > 0) {
    scanf("%d", &calls);
    while (calls-- > 0) {
      scanf("%d", &kind);
      if (kind == 400) {
        printf("%d %d %d\n", winner(), left[1], left[2]);
        continue;
      }
      scanf("%d%d", &a, &b);
      if (kind == 100) init(a);
      if (kind == 200) printf("%d\n", drop_blocks(a, b));
      if (kind == 300) printf("%d\n", change_blocks(a, b));
    }
  }
  return 0;
}
