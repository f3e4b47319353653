// Two groups that vanish at once count as two chains.
#include <iostream>
#include <string>
#include <vector>
using namespace std;

vector<string> f(12);
vector<pair<int, int>> cells;

void fill(int r, int c, char colour) {
  if (r < 0 || r > 11 || c < 0 || c > 5 || f[r][c] != colour) return;
  f[r][c] = '#';
  cells.push_back({r, c});
  fill(r + 1, c, colour), fill(r - 1, c, colour), fill(r, c + 1, colour), fill(r, c - 1, colour);
}

int main() {
  for (auto& row : f) cin >> row;
  int chains = 0;
  for (bool again = true; again;) {
    again = false;
    vector<string> next = f;
    for (int r = 0; r < 12; r++)
      for (int c = 0; c < 6; c++) {
        if (f[r][c] == '.' || f[r][c] == '#') continue;
        cells.clear();
        fill(r, c, f[r][c]);
        if (cells.size() < 4) continue;
        for (auto [y, x] : cells) next[y][x] = '.';
        chains++;
        again = true;
      }
    f = vector<string>(12, "......");
    for (int c = 0; c < 6; c++)
      for (int r = 11, to = 11; r >= 0; r--)
        if (next[r][c] != '.') f[to--][c] = next[r][c];
  }
  cout << chains << "\n";
}
