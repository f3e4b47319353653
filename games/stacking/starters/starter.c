// BOJ 17837
#include <stdio.h>

// Your solution: the turn that ends the game, or -1. The board has n rows and columns; board[row][column]: 0 white,
// 1 red, 2 blue. There are k pieces; pieces[i]: row, column and direction, as in the text; rows and columns count from 1.
int solution(int n, int board[12][12], int k, int pieces[10][3]) {
  return 0;
}

// The rest reads the input and prints the answer.
int main(void) {
  int n, k, board[12][12], pieces[10][3];
  while (scanf("%d%d", &n, &k) == 2) {
    for (int i = 0; i < n * n; ++i) scanf("%d", &board[i / n][i % n]);
    for (int i = 0; i < 3 * k; ++i) scanf("%d", &pieces[i / 3][i % 3]);
    printf("%d\n", solution(n, board, k, pieces));
  }
}
