// A stone that was passed in one direction is not looked at in the others.
import java.util.Scanner;

class Main {
  static int[][] map = new int[21][21];
  static boolean[][] visited = new boolean[21][21];
  static final int[] DX = {0, 1, 1, -1};
  static final int[] DY = {1, 0, 1, 1};

  static int length(int x, int y, int d) {
    int nx = x + DX[d];
    int ny = y + DY[d];
    visited[x][y] = true;
    if (map[nx][ny] != map[x][y]) return 1;
    return 1 + length(nx, ny, d);
  }

  static void solve(Scanner sc) {
    visited = new boolean[21][21];
    for (int i = 1; i <= 19; i++) {
      for (int j = 1; j <= 19; j++) map[i][j] = sc.nextInt();
    }
    for (int y = 1; y <= 19; y++) {
      for (int x = 1; x <= 19; x++) {
        if (map[x][y] == 0 || visited[x][y]) continue;
        for (int d = 0; d < 4; d++) {
          if (map[x - DX[d]][y - DY[d]] == map[x][y]) continue;
          if (length(x, y, d) == 5) {
            System.out.println(map[x][y]);
            System.out.println(x + " " + y);
            return;
          }
        }
      }
    }
    System.out.println(0);
  }

  public static void main(String[] args) {
    Scanner sc = new Scanner(System.in);
    while (sc.hasNextInt()) solve(sc);
  }
}
