// The numbers are 1 to 200, and the array has 200 places.
#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

int solution(std::vector<std::vector<int>> board) {
  const int n = static_cast<int>(board.size());
  int removed = 0;
  for (bool again = true; again;) {
    again = false;
    std::vector<std::vector<std::pair<int, int>>> blocks(200);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c)
        if (board[r][c] != 0) blocks.at(board[r][c]).push_back({r, c});
    for (int number = 1; number < 200; ++number) {
      const auto& cells = blocks[number];
      if (cells.empty()) continue;
      int top = n, bottom = 0, left = n, right = 0;
      for (auto [r, c] : cells) {
        top = std::min(top, r), bottom = std::max(bottom, r), left = std::min(left, c), right = std::max(right, c);
      }
      bool open = true;
      for (int r = top; r <= bottom; ++r)
        for (int c = left; c <= right; ++c)
          for (int up = r; up >= 0 && board[r][c] != number; --up) open = open && board[up][c] == 0;
      if (!open) continue;
      for (auto [r, c] : cells) board[r][c] = 0;
      ++removed;
      again = true;
    }
  }
  return removed;
}

int main() {
  int n;
  while (std::cin >> n) {
    std::vector<std::vector<int>> board(n, std::vector<int>(n));
    for (auto& row : board)
      for (int& cell : row) std::cin >> cell;
    std::cout << solution(board) << "\n";
  }
}
