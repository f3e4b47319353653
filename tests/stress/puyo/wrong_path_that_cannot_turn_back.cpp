// The search follows one path and never turns back, so it sees only part of a group that branches.
#include <iostream>
#include <string>
#include <utility>
#include <vector>

std::string field[12];
bool seen[12][6];
std::vector<std::pair<int, int>> path;

void dfs(int r, int c) {
  seen[r][c] = true;
  path.push_back({r, c});
  const int dr[] = {0, 1, 0, -1}, dc[] = {1, 0, -1, 0};
  for (int d = 0; d < 4; ++d) {
    int nr = r + dr[d], nc = c + dc[d];
    if (nr < 0 || nr >= 12 || nc < 0 || nc >= 6 || seen[nr][nc] || field[nr][nc] != field[r][c]) continue;
    dfs(nr, nc);
    return;
  }
}

int main() {
  for (auto& line : field) std::cin >> line;
  int chains = 0;
  while (true) {
    bool popped = false;
    for (int r = 0; r < 12; ++r) {
      for (int c = 0; c < 6; ++c) {
        if (field[r][c] == '.') continue;
        for (auto& row : seen)
          for (bool& cell : row) cell = false;
        path.clear();
        dfs(r, c);
        if (path.size() < 4) continue;
        popped = true;
        for (auto [pr, pc] : path) field[pr][pc] = '.';
      }
    }
    if (!popped) break;
    ++chains;
    for (int c = 0; c < 6; ++c) {
      for (int r = 11, to = 11; r >= 0; --r) {
        if (field[r][c] != '.') std::swap(field[to--][c], field[r][c]);
      }
    }
  }
  std::cout << chains << std::endl;
}
