// "블록 게임"
#include <iostream>
#include <vector>

// Your solution: how many blocks can be removed. board[row][column], the top row first: 0 or the number of a block.
int solution(std::vector<std::vector<int>> board) {
  // …
  return 0;
}

// The rest reads the input and prints the answer.
int main() {
  int n;
  while (std::cin >> n) {
    std::vector<std::vector<int>> board(n, std::vector<int>(n));
    for (auto& row : board) {
      for (int& cell : row) std::cin >> cell;
    }
    std::cout << solution(board) << "\n";
  }
}
