// One pass from the top: a block that another one uncovers later, further right or below, is not looked at again.
#include <iostream>
#include <vector>
using namespace std;

int solution(vector<vector<int>> board) {
  int n = board.size(), answer = 0;
  auto sky = [&](int r, int c) {
    for (int i = r; i >= 0; i--)
      if (board[i][c]) return false;
    return true;
  };
  auto check = [&](int r, int c, int h, int w) {
    int value = 0, count = 0;
    for (int i = r; i < r + h; i++)
      for (int j = c; j < c + w; j++) {
        if (board[i][j] == 0) {
          if (!sky(i, j)) return;
        } else {
          if (value && board[i][j] != value) return;
          value = board[i][j];
          count++;
        }
      }
    if (count != 4) return;
    for (int i = r; i < r + h; i++)
      for (int j = c; j < c + w; j++) board[i][j] = 0;
    answer++;
  };
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i + 1 < n && j + 2 < n) check(i, j, 2, 3);
      if (i + 2 < n && j + 1 < n) check(i, j, 3, 2);
    }
  return answer;
}

int main() {
  int n;
  cin >> n;
  vector<vector<int>> board(n, vector<int>(n));
  for (auto& row : board)
    for (auto& cell : row) cin >> cell;
  cout << solution(board) << endl;
}
