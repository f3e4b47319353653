/* The heights are signed characters: a column of 128 cells has a negative height. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  signed char height;
  char cells[200];
} Column;

static Column* board;
static int w, points[3];

static char look(int c, int r) { return c < 0 || c >= w || r < 0 || r >= board[c].height ? 0 : board[c].cells[r]; }

static void flood(int c, int r, char from, char to) {
  if (look(c, r) != from) return;
  board[c].cells[r] = to;
  flood(c - 1, r, from, to);
  flood(c + 1, r, from, to);
  flood(c, r - 1, from, to);
  flood(c, r + 1, from, to);
}

/* How many cells of the same player lie on one line with this one, in both directions. */
static int line(int c, int r, int dc, int dr) {
  int n = 1;
  for (int i = 1; look(c + i * dc, r + i * dr) == look(c, r); i++) n++;
  for (int i = 1; look(c - i * dc, r - i * dr) == look(c, r); i++) n++;
  return n;
}

static int erase(int player) {
  static char gone[200][200];
  int total = 0, any = 0;
  for (int c = 0; c < w; c++)
    for (int r = 0; r < board[c].height; r++) {
      gone[c][r] = line(c, r, 1, 0) >= 5 || line(c, r, 0, 1) >= 5 || line(c, r, 1, 1) >= 5 || line(c, r, 1, -1) >= 5;
      any |= gone[c][r];
    }
  if (!any) return 0;
  for (int c = 0; c < w; c++) {
    int kept = 0;
    for (int r = 0; r < board[c].height; r++) {
      if (gone[c][r]) total += board[c].cells[r] == player;
      else board[c].cells[kept++] = board[c].cells[r];
    }
    board[c].height = kept;
  }
  return total + erase(player);
}

int main(void) {
  int cases, calls, kind, player, column, result;
  scanf("%d", &cases);
  for (; cases; cases--) {
    for (scanf("%d", &calls); calls; calls--) {
      scanf("%d", &kind);
      if (kind == 400) {
        int left[3] = {0};
        for (int c = 0; c < w; c++)
          for (int r = 0; r < board[c].height; r++) left[(int)board[c].cells[r]]++;
        result = points[1] == points[2] ? 0 : 1 + (points[1] < points[2]);
        printf("%d %d %d\n", result, left[1], left[2]);
        continue;
      }
      scanf("%d%d", &player, &column);
      if (kind == 100) {
        free(board);
        w = player;
        board = calloc(w, sizeof(Column));
        points[1] = points[2] = 0;
        continue;
      }
      if (kind == 200) {
        for (int i = 0; i < 3; i++) {
          Column* each = &board[column + i];
          each->cells[(int)each->height] = player;
          each->height++;
        }
      } else {
        flood(column, 0, 3 - player, player);
      }
      result = erase(player);
      points[player] += result;
      printf("%d\n", result);
    }
  }
  return 0;
}
