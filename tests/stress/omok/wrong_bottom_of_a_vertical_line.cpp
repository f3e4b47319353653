// Of a vertical line the lowest stone is named.
#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

using Stone = std::pair<int, int>;

struct Player {
  std::set<Stone> stones;

  bool has(int r, int c) const { return stones.contains({r, c}); }

  std::vector<Stone> line_through(Stone s, int dr, int dc) const {
    std::vector<Stone> line{s};
    for (auto [r, c] = std::tuple{s.first + dr, s.second + dc}; has(r, c); r += dr, c += dc) line.emplace_back(r, c);
    for (auto [r, c] = std::tuple{s.first - dr, s.second - dc}; has(r, c); r -= dr, c -= dc) line.emplace_back(r, c);
    return line;
  }
};

int main() {
  std::map<int, Player> players;
  for (int r = 1; r <= 19; ++r) {
    for (int c = 1, colour; c <= 19; ++c) {
      std::cin >> colour;
      if (colour) players[colour].stones.insert({r, c});
    }
  }
  for (const auto& [colour, player] : players) {
    for (const Stone& stone : player.stones) {
      for (auto [dr, dc] : {Stone{0, 1}, {-1, 0}, {1, 1}, {1, -1}}) {
        auto line = player.line_through(stone, dr, dc);
        if (line.size() != 5) continue;
        std::sort(line.begin(), line.end(), [](Stone a, Stone b) { return a.second != b.second ? a.second < b.second : a.first > b.first; });
        std::cout << colour << '\n' << line[0].first << ' ' << line[0].second << '\n';
        return 0;
      }
    }
  }
  std::cout << "0\n";
}
