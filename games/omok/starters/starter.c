// BOJ 2615
#include <stdio.h>

struct Win {
  int colour, row, column;  // 0, 0, 0: nobody has won
};

// Your solution: who has won, and the winning stone as in the text; its row and column count from 1.
// board[row][column]: 0 empty, 1 black, 2 white.
struct Win solution(int board[19][19]) {
  struct Win win = {0, 0, 0};
  return win;
}

// The rest reads the input and prints the answer.
int main(void) {
  int board[19][19];
  while (scanf("%d", &board[0][0]) == 1) {
    for (int i = 1; i < 19 * 19; ++i) scanf("%d", &board[i / 19][i % 19]);
    const struct Win win = solution(board);
    printf("%d\n", win.colour);
    if (win.colour != 0) printf("%d %d\n", win.row, win.column);
  }
}
