// Only runs of the player who moves vanish; the opponent's, which falling cells can make, stay.
#include <cstdio>
#include <cstring>
#include <queue>

namespace {

constexpr int max_side = 200;

struct Board {
  int width = 0, height = 0;
  char cells[max_side][max_side];  // row 0 at the top
  int score[3];

  char get(int r, int c) const { return r < 0 || r >= height || c < 0 || c >= width ? 0 : cells[r][c]; }

  bool sweep(char mine) {
    bool gone[max_side][max_side] = {};
    int points = 0;
    for (int r = 0; r < height; ++r) {
      for (int c = 0; c < width; ++c) {
        for (int dr = -1; dr <= 1; ++dr) {
          for (int dc = 0; dc <= 1; ++dc) {
            if (dc == 0 && dr != 1) continue;
            int n = 0;
            while (get(r + n * dr, c + n * dc) == mine) ++n;
            for (int i = 0; n >= 5 && i < n; ++i) gone[r + i * dr][c + i * dc] = true;
          }
        }
      }
    }
    for (int c = 0; c < width; ++c) {
      std::queue<char> kept;
      for (int r = height - 1; r >= 0; --r) {
        if (gone[r][c]) ++points;
        else kept.push(cells[r][c]);
      }
      for (int r = height - 1; r >= 0; --r) {
        cells[r][c] = kept.empty() ? 0 : kept.front();
        if (!kept.empty()) kept.pop();
      }
    }
    score[int(mine)] += points;
    return points > 0;
  }

  int settle(char mine) {
    const int before = score[int(mine)];
    while (sweep(mine)) {
    }
    return score[int(mine)] - before;
  }

  void change(int r, int c, char to) {
    if (get(r, c) != 3 - to) return;
    cells[r][c] = to;
    for (int i = -1; i <= 1; i += 2) change(r + i, c, to), change(r, c + i, to);
  }
} board;

}  // namespace

int main() {
  int cases, calls, kind, a, b;
  std::scanf("%d", &cases);
  for (int i = 0; i < cases; ++i) {
    std::scanf("%d", &calls);
    for (int j = 0; j < calls; ++j) {
      std::scanf("%d", &kind);
      if (kind == 400) {
        int left[3] = {};
        for (int r = 0; r < board.height; ++r)
          for (int c = 0; c < board.width; ++c) ++left[int(board.cells[r][c])];
        const int lead = board.score[1] - board.score[2];
        std::printf("%d %d %d\n", lead > 0 ? 1 : lead < 0 ? 2 : 0, left[1], left[2]);
        continue;
      }
      std::scanf("%d%d", &a, &b);
      if (kind == 100) {
        std::memset(&board, 0, sizeof board);
        board.width = a, board.height = b;
        continue;
      }
      for (int c = b; kind == 200 && c < b + 3; ++c) {
        int r = board.height;
        while (board.get(r - 1, c)) --r;
        board.cells[r - 1][c] = char(a);
      }
      if (kind == 300) board.change(board.height - 1, b, char(a));
      std::printf("%d\n", board.settle(char(a)));
    }
  }
}
