// BOJ 17837
#include <iostream>
#include <vector>

// Your solution: the turn that ends the game, or -1. board[row][column]: 0 white, 1 red, 2 blue. pieces[i]: row, column
// and direction, as in the text; rows and columns count from 1.
int solution(std::vector<std::vector<int>> board, std::vector<std::vector<int>> pieces) {
  // …
  return 0;
}

// The rest reads the input and prints the answer.
int main() {
  int n, k;
  while (std::cin >> n >> k) {
    std::vector<std::vector<int>> board(n, std::vector<int>(n)), pieces(k, std::vector<int>(3));
    for (auto& row : board) {
      for (int& cell : row) std::cin >> cell;
    }
    for (auto& piece : pieces) {
      for (int& number : piece) std::cin >> number;
    }
    std::cout << solution(board, pieces) << "\n";
  }
}
