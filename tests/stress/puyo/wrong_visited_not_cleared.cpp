// `visited` is not cleared between the chains.
#include <iostream>
#include <queue>
#include <string>
#include <vector>
using namespace std;

string board[12];
bool visited[12][6];
int dy[4] = {-1, 1, 0, 0}, dx[4] = {0, 0, -1, 1};

bool pop(int y, int x) {
  vector<pair<int, int>> cells;
  queue<pair<int, int>> q;
  q.push({y, x});
  visited[y][x] = true;
  while (!q.empty()) {
    auto [cy, cx] = q.front();
    q.pop();
    cells.push_back({cy, cx});
    for (int i = 0; i < 4; i++) {
      int ny = cy + dy[i], nx = cx + dx[i];
      if (ny < 0 || ny >= 12 || nx < 0 || nx >= 6) continue;
      if (visited[ny][nx] || board[ny][nx] != board[y][x]) continue;
      visited[ny][nx] = true;
      q.push({ny, nx});
    }
  }
  if (cells.size() < 4) return false;
  for (auto [cy, cx] : cells) board[cy][cx] = '.';
  return true;
}

void fall() {
  for (int x = 0; x < 6; x++) {
    for (int y = 11; y > 0; y--) {
      if (board[y][x] != '.') continue;
      for (int k = y - 1; k >= 0; k--) {
        if (board[k][x] != '.') {
          swap(board[y][x], board[k][x]);
          break;
        }
      }
    }
  }
}

int main() {
  for (int i = 0; i < 12; i++) cin >> board[i];
  int answer = 0;
  while (true) {
    bool popped = false;
    for (int y = 0; y < 12; y++)
      for (int x = 0; x < 6; x++)
        if (board[y][x] != '.' && !visited[y][x] && pop(y, x)) popped = true;
    if (!popped) break;
    answer++;
    fall();
  }
  cout << answer;
}
