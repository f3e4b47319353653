/* The board is an array of signed characters: block 128 and those above it are negative. */
#include <stdio.h>

signed char b[2500];
int n;

static int at(int r, int c) { return b[r * n + c]; }

static int sky(int r, int c) {
  while (r >= 0 && at(r, c) <= 0) r--;
  return r < 0;
}

static int try_window(int r, int c, int h, int w) {
  int id = 0, same = 0, gaps = 0;
  if (r + h > n || c + w > n) return 0;
  for (int k = 0; k < h * w; k++) {
    int y = r + k / w, x = c + k % w;
    if (at(y, x) > 0 && (id == 0 || id == at(y, x))) {
      id = at(y, x);
      same++;
    } else if (at(y, x) == 0 && sky(y, x)) {
      gaps++;
    }
  }
  if (same != 4 || gaps != 2) return 0;
  for (int k = 0; k < h * w; k++) b[(r + k / w) * n + c + k % w] = 0;
  return 1;
}

int main(void) {
  int value, total = 0, before = -1;
  scanf("%d", &n);
  for (int i = 0; i < n * n; i++) {
    scanf("%d", &value);
    b[i] = value;
  }
  while (before != total) {
    before = total;
    for (int r = 0; r < n; r++)
      for (int c = 0; c < n; c++) total += try_window(r, c, 2, 3) + try_window(r, c, 3, 2);
  }
  printf("%d\n", total);
  return 0;
}
