// On red only a group of two or more is turned over, and with it whatever stands there already.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int n, k, a[20][20];
vector<int> s[20][20];
struct Piece {
  int r, c, d;
} p[11];
const int dr[] = {0, 0, 0, -1, 1}, dc[] = {0, 1, -1, 0, 0};

int main() {
  cin >> n >> k;
  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++) a[i][j] = 2;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++) cin >> a[i][j];
  for (int i = 1; i <= k; i++) {
    cin >> p[i].r >> p[i].c >> p[i].d;
    s[p[i].r][p[i].c].push_back(i);
  }
  for (int t = 1; t <= 1000; t++) {
    for (int i = 1; i <= k; i++) {
      int nr = p[i].r + dr[p[i].d], nc = p[i].c + dc[p[i].d];
      if (a[nr][nc] == 2) {
        p[i].d = (p[i].d - 1 ^ 1) + 1;
        nr = p[i].r + dr[p[i].d], nc = p[i].c + dc[p[i].d];
        if (a[nr][nc] == 2) continue;
      }
      auto& from = s[p[i].r][p[i].c];
      auto& to = s[nr][nc];
      auto it = find(from.begin(), from.end(), i);
      int moved = from.end() - it;
      for (auto j = it; j != from.end(); ++j) {
        to.push_back(*j);
        p[*j].r = nr, p[*j].c = nc;
      }
      from.erase(it, from.end());
      if (a[nr][nc] == 1 && moved > 1) reverse(to.begin(), to.end());
      if (to.size() >= 4) {
        cout << t << '\n';
        return 0;
      }
    }
  }
  cout << -1 << '\n';
}
