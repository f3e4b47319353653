// The puyos fall as soon as one group has vanished, so that a second group may be torn apart or become larger.
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Scanner;

class Main {
  static char[][] map = new char[12][];

  static boolean bomb(int sx, int sy) {
    boolean[][] visited = new boolean[12][6];
    ArrayDeque<int[]> queue = new ArrayDeque<>();
    ArrayDeque<int[]> group = new ArrayDeque<>();
    queue.add(new int[] {sx, sy});
    visited[sx][sy] = true;
    while (!queue.isEmpty()) {
      int[] now = queue.poll();
      group.add(now);
      for (int[] step : new int[][] {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
        int x = now[0] + step[0];
        int y = now[1] + step[1];
        if (x < 0 || y < 0 || x >= 12 || y >= 6 || visited[x][y] || map[x][y] != map[sx][sy]) continue;
        visited[x][y] = true;
        queue.add(new int[] {x, y});
      }
    }
    if (group.size() < 4) return false;
    for (int[] each : group) map[each[0]][each[1]] = '.';
    return true;
  }

  static void down() {
    for (int y = 0; y < 6; y++) {
      char[] column = new char[12];
      Arrays.fill(column, '.');
      int to = 11;
      for (int x = 11; x >= 0; x--) {
        if (map[x][y] != '.') column[to--] = map[x][y];
      }
      for (int x = 0; x < 12; x++) map[x][y] = column[x];
    }
  }

  static boolean chain() {
    boolean again = false;
    for (int x = 0; x < 12; x++) {
      for (int y = 0; y < 6; y++) {
        if (map[x][y] != '.' && bomb(x, y)) {
          down();
          again = true;
        }
      }
    }
    return again;
  }

  public static void main(String[] args) {
    Scanner in = new Scanner(System.in);
    while (in.hasNext()) {
      for (int i = 0; i < 12; i++) map[i] = in.next().toCharArray();
      int answer = 0;
      while (chain()) answer++;
      System.out.println(answer);
    }
  }
}
