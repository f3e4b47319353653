// Removes a block when its two gaps are empty and lie open to the row above, without looking up to the sky.
#include <iostream>
#include <vector>
using namespace std;

vector<vector<int>> b;
int n;

bool remove(int y, int x, int h, int w) {
  int value = 0, same = 0;
  for (int i = y; i < y + h; i++) {
    for (int j = x; j < x + w; j++) {
      if (b[i][j] == 0) {
        if (i > 0 && b[i - 1][j] != 0) return false;
        continue;
      }
      if (value == 0) value = b[i][j];
      if (b[i][j] != value) return false;
      same++;
    }
  }
  if (same != 4) return false;
  for (int i = y; i < y + h; i++)
    for (int j = x; j < x + w; j++) b[i][j] = 0;
  return true;
}

int main() {
  cin >> n;
  b.assign(n, vector<int>(n));
  for (auto& row : b)
    for (int& cell : row) cin >> cell;
  int answer = 0, found = 1;
  while (found) {
    found = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        if (i + 2 <= n && j + 3 <= n && remove(i, j, 2, 3)) found++;
        if (i + 3 <= n && j + 2 <= n && remove(i, j, 3, 2)) found++;
      }
    answer += found;
  }
  cout << answer << "\n";
}
