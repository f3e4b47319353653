// Reads boards until the end of the input.
#include <iostream>

int board[21][21];

int main() {
  const int dr[] = {0, 1, 1, -1}, dc[] = {1, 0, 1, 1};
  while (std::cin >> board[1][1]) {
    for (int i = 1; i < 19 * 19; ++i) std::cin >> board[i / 19 + 1][i % 19 + 1];
    bool won = false;
    for (int c = 1; c <= 19; ++c) {
      for (int r = 1; r <= 19; ++r) {
        for (int d = 0; d < 4 && board[r][c] != 0 && !won; ++d) {
          if (board[r - dr[d]][c - dc[d]] == board[r][c]) continue;
          int length = 1;
          while (board[r + length * dr[d]][c + length * dc[d]] == board[r][c]) ++length;
          if (length != 5) continue;
          std::cout << board[r][c] << "\n" << r << " " << c << "\n";
          won = true;
        }
      }
    }
    if (!won) std::cout << "0\n";
  }
}
