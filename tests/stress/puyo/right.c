/* Reads fields until the end of the input. One array of cells with a border; a recursive fill counts and marks. */
#include <stdio.h>
#include <string.h>

enum { ROWS = 12, COLUMNS = 6, WIDTH = COLUMNS + 2, CELLS = (ROWS + 2) * WIDTH };

static char cell[CELLS];
static char seen[CELLS];

static int fill(int at, char colour) {
  if (cell[at] != colour || seen[at]) return 0;
  seen[at] = 1;
  return 1 + fill(at - 1, colour) + fill(at + 1, colour) + fill(at - WIDTH, colour) + fill(at + WIDTH, colour);
}

static void erase(int at, char colour) {
  if (cell[at] != colour) return;
  cell[at] = '.';
  erase(at - 1, colour), erase(at + 1, colour), erase(at - WIDTH, colour), erase(at + WIDTH, colour);
}

static int pop(void) {
  int popped = 0;
  memset(seen, 0, sizeof seen);
  for (int at = 0; at < CELLS; at++) {
    if (cell[at] == '.' || cell[at] == 0 || fill(at, cell[at]) < 4) continue;
    erase(at, cell[at]);
    popped = 1;
  }
  return popped;
}

static void fall(void) {
  for (int column = 1; column <= COLUMNS; column++) {
    int to = ROWS * WIDTH + column;
    for (int from = to; from > WIDTH; from -= WIDTH) {
      char moved = cell[from];
      if (moved == '.') continue;
      cell[from] = '.';
      cell[to] = moved;
      to -= WIDTH;
    }
  }
}

int main(void) {
  char line[16];
  while (scanf("%15s", line) == 1) {
    memset(cell, 0, sizeof cell);
    for (int row = 1; row <= ROWS; row++) {
      memcpy(cell + row * WIDTH + 1, line, COLUMNS);
      if (row < ROWS && scanf("%15s", line) != 1) return 1;
    }
    int chains = 0;
    for (; pop(); chains++) fall();
    printf("%d\n", chains);
  }
  return 0;
}
