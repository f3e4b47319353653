// Searches row by row and names the first stone found: on a rising diagonal that is the rightmost one.
#include <iostream>
using namespace std;

int a[25][25];

int main() {
  for (int i = 1; i <= 19; i++)
    for (int j = 1; j <= 19; j++) cin >> a[i + 2][j + 2];
  int dx[4] = {0, 1, 1, 1}, dy[4] = {1, 0, 1, -1};
  for (int i = 3; i <= 21; i++) {
    for (int j = 3; j <= 21; j++) {
      if (!a[i][j]) continue;
      for (int d = 0; d < 4; d++) {
        if (a[i - dx[d]][j - dy[d]] == a[i][j]) continue;
        int n = 0;
        while (i + n * dx[d] <= 21 && j + n * dy[d] >= 3 && j + n * dy[d] <= 21 && a[i + n * dx[d]][j + n * dy[d]] == a[i][j]) n++;
        if (n == 5) {
          cout << a[i][j] << endl << i - 2 << " " << j - 2 << endl;
          return 0;
        }
      }
    }
  }
  cout << 0 << endl;
}
