// The opponent's cells that vanish score, too.
#include <iostream>
#include <utility>
#include <vector>

int W, H, mark[200][200], board[200][200];

int remove_runs(int player) {
  int points = 0;
  for (bool again = true; again;) {
    again = false;
    const int dr[] = {0, 1, 1, -1}, dc[] = {1, 0, 1, 1};
    for (int r = 0; r < H; ++r)
      for (int c = 0; c < W; ++c)
        for (int d = 0; d < 4 && board[r][c] != 0; ++d) {
          int length = 0;
          for (int y = r, x = c; y >= 0 && y < H && x < W && board[y][x] == board[r][c]; y += dr[d], x += dc[d]) ++length;
          for (int i = 0; length >= 5 && i < length; ++i) mark[r + i * dr[d]][c + i * dc[d]] = 1, again = true;
        }
    for (int c = 0; c < W; ++c) {
      int to = H - 1;
      for (int r = H - 1; r >= 0; --r) {
        const int cell = std::exchange(board[r][c], 0);
        if (std::exchange(mark[r][c], 0)) points += cell != 0;
        else if (cell != 0) board[to--][c] = cell;
      }
    }
  }
  return points;
}

void flip(int r, int c, int player) {
  std::vector<std::pair<int, int>> todo{{r, c}};
  while (!todo.empty()) {
    auto [y, x] = todo.back();
    todo.pop_back();
    if (y < 0 || y >= H || x < 0 || x >= W || board[y][x] != 3 - player) continue;
    board[y][x] = player;
    for (auto next : {std::pair{y + 1, x}, {y - 1, x}, {y, x + 1}, {y, x - 1}}) todo.push_back(next);
  }
}

int main() {
  int cases;
  std::cin >> cases;
  while (cases-- > 0) {
    int calls, call, player, column, scores[3] = {};
    std::cin >> calls;
    while (calls-- > 0) {
      std::cin >> call;
      if (call == 100) {
        std::cin >> W >> H;
        for (auto& row : board)
          for (int& cell : row) cell = 0;
      } else if (call == 400) {
        int left[3] = {};
        for (int r = 0; r < H; ++r)
          for (int c = 0; c < W; ++c) ++left[board[r][c]];
        std::cout << (scores[1] > scores[2] ? 1 : scores[1] < scores[2] ? 2 : 0) << " " << left[1] << " " << left[2]
                  << "\n";
      } else {
        std::cin >> player >> column;
        if (call == 200) {
          for (int c = column; c < column + 3; ++c) {
            int r = 0;
            while (r + 1 < H && board[r + 1][c] == 0) ++r;
            board[r][c] = player;
          }
        } else {
          flip(H - 1, column, player);
        }
        const int points = remove_runs(player);
        scores[player] += points;
        std::cout << points << "\n";
      }
    }
  }
}
