// Reads fields until the end of the input.
#include <iostream>
#include <queue>
#include <string>
#include <utility>
#include <vector>

int main() {
  const int dr[] = {1, -1, 0, 0}, dc[] = {0, 0, 1, -1};
  std::vector<std::string> field(12);
  while (std::cin >> field[0]) {
    for (int r = 1; r < 12; ++r) std::cin >> field[r];
    int chains = 0;
    for (;; ++chains) {
      bool any = false;
      std::vector<std::vector<int>> seen(12, std::vector<int>(6));
      std::vector<std::string> next = field;
      for (int r = 0; r < 12; ++r) {
        for (int c = 0; c < 6; ++c) {
          if (field[r][c] == '.' || seen[r][c]) continue;
          std::vector<std::pair<int, int>> group{{r, c}};
          seen[r][c] = 1;
          for (std::size_t i = 0; i < group.size(); ++i) {
            for (int d = 0; d < 4; ++d) {
              const int nr = group[i].first + dr[d], nc = group[i].second + dc[d];
              if (nr < 0 || nr >= 12 || nc < 0 || nc >= 6 || seen[nr][nc] || field[nr][nc] != field[r][c]) continue;
              seen[nr][nc] = 1;
              group.push_back({nr, nc});
            }
          }
          if (group.size() < 4) continue;
          any = true;
          for (auto [gr, gc] : group) next[gr][gc] = '.';
        }
      }
      if (!any) break;
      for (int c = 0; c < 6; ++c) {
        int to = 11;
        for (int r = 11; r >= 0; --r) {
          if (next[r][c] != '.') std::swap(next[to--][c], next[r][c]);
        }
      }
      field = next;
    }
    std::cout << chains << "\n";
  }
}
