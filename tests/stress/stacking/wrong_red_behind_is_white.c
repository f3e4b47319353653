/* A group that turns round at a blue cell and lands on red keeps its order. */
#include <stdio.h>
#include <string.h>

int N, K;
int color[14][14];
int stack[14][14][12], height[14][14];
int X[11], Y[11], D[11];
int dx[5] = {0, 0, 0, -1, 1};
int dy[5] = {0, 1, -1, 0, 0};

int out(int x, int y) { return x < 1 || y < 1 || x > N || y > N; }

/* Moves piece k and what lies on it; returns the height of the new stack. */
int carry(int k, int nx, int ny, int reverse) {
  int x = X[k], y = Y[k], pos = 0, i, n;
  while (stack[x][y][pos] != k) pos++;
  n = height[x][y] - pos;
  for (i = 0; i < n; i++) {
    int p = stack[x][y][reverse ? height[x][y] - 1 - i : pos + i];
    stack[nx][ny][height[nx][ny] + i] = p;
    X[p] = nx;
    Y[p] = ny;
  }
  height[nx][ny] += n;
  height[x][y] -= n;
  return height[nx][ny];
}

int step(int k) {
  int nx = X[k] + dx[D[k]], ny = Y[k] + dy[D[k]];
  if (!out(nx, ny)) {
    if (color[nx][ny] == 0) return carry(k, nx, ny, 0);
    if (color[nx][ny] == 1) return carry(k, nx, ny, 1);
  }
  if (D[k] == 1) D[k] = 2;
  else if (D[k] == 2) D[k] = 1;
  else if (D[k] == 3) D[k] = 4;
  else D[k] = 3;
  nx = X[k] + dx[D[k]], ny = Y[k] + dy[D[k]];
  if (out(nx, ny) || color[nx][ny] == 2) return 0;
  return carry(k, nx, ny, 0);
}

int main() {
  int i, j, turn;
  scanf("%d %d", &N, &K);
  for (i = 1; i <= N; i++)
    for (j = 1; j <= N; j++) scanf("%d", &color[i][j]);
  for (i = 1; i <= K; i++) {
    scanf("%d %d %d", &X[i], &Y[i], &D[i]);
    stack[X[i]][Y[i]][height[X[i]][Y[i]]++] = i;
  }
  for (turn = 1; turn <= 1000; turn++)
    for (i = 1; i <= K; i++)
      if (step(i) >= 4) {
        printf("%d\n", turn);
        return 0;
      }
  printf("-1\n");
  return 0;
}
