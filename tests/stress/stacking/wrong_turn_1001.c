/* Plays one turn too many: a game that ends in turn 1001 is given as such, not as -1. */
#include <stdio.h>
#include <stdlib.h>

struct piece {
  int at, dir;
  struct piece *up, *down;
};

int main(void) {
  static const int step[] = {0, 1, -1, -16, 16};
  int n, k, turn = 0;
  int colour[16 * 16];
  struct piece *top[16 * 16] = {0}, piece[10];
  for (int i = 0; i < 256; i++) colour[i] = 2;
  scanf("%d%d", &n, &k);
  for (int r = 1; r <= n; r++)
    for (int c = 1; c <= n; c++) scanf("%d", &colour[r * 16 + c]);
  for (int i = 0; i < k; i++) {
    int r, c;
    scanf("%d%d%d", &r, &c, &piece[i].dir);
    piece[i].at = r * 16 + c;
    piece[i].up = piece[i].down = NULL;
    top[piece[i].at] = &piece[i];
  }
  while (turn++ <= 1000) {
    for (struct piece* p = piece; p < piece + k; p++) {
      int from = p->at, to = from + step[p->dir];
      if (colour[to] == 2) {
        p->dir = ((p->dir - 1) ^ 1) + 1;
        to = from + step[p->dir];
      }
      if (colour[to] == 2) continue;
      struct piece *low = p, *high = top[from], *next;
      top[from] = p->down;
      if (p->down) p->down->up = NULL;
      if (colour[to] == 1) {
        /* Turns the links of the group round. */
        for (struct piece* q = p; q; q = next) {
          next = q->up;
          q->up = q->down;
          q->down = next;
        }
        low = high;
        high = p;
        high->up = NULL;
      }
      low->down = top[to];
      if (top[to]) top[to]->up = low;
      top[to] = high;
      int height = 0;
      for (struct piece* q = high; q; q = q->down) {
        q->at = to;
        height++;
      }
      if (height >= 4) {
        printf("%d\n", turn);
        return 0;
      }
    }
  }
  puts("-1");
}
