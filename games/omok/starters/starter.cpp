// BOJ 2615
#include <iostream>
#include <vector>

struct Win {
  int colour, row, column;  // 0, 0, 0: nobody has won
};

// Your solution: who has won, and the winning stone as in the text; its row and column count from 1.
// board[row][column]: 0 empty, 1 black, 2 white.
Win solution(std::vector<std::vector<int>> board) {
  // …
  return {0, 0, 0};
}

// The rest reads the input and prints the answer.
int main() {
  std::vector<std::vector<int>> board(19, std::vector<int>(19));
  while (std::cin >> board[0][0]) {
    for (int i = 1; i < 19 * 19; ++i) std::cin >> board[i / 19][i % 19];
    const Win win = solution(board);
    std::cout << win.colour << "\n";
    if (win.colour != 0) std::cout << win.row << " " << win.column << "\n";
  }
}
