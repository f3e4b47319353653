// "블록 게임"
#include <stdio.h>

// Your solution: how many blocks can be removed. The board has n rows and columns; board[row][column], the top row
// first: 0 or the number of a block.
int solution(int n, int board[50][50]) {
  return 0;
}

// The rest reads the input and prints the answer.
int main(void) {
  int n;
  static int board[50][50];
  while (scanf("%d", &n) == 1) {
    for (int i = 0; i < n * n; ++i) scanf("%d", &board[i / n][i % n]);
    printf("%d\n", solution(n, board));
  }
}
