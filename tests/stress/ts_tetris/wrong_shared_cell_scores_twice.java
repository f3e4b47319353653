// A cell that belongs to two runs scores twice.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.StringTokenizer;

class UserSolution {
  private int w, h;
  private int[][] map;
  private int[] height;
  private final int[] score = new int[3];

  void init(int w, int h) {
    this.w = w;
    this.h = h;
    map = new int[w][h];
    height = new int[w];
    score[1] = score[2] = 0;
  }

  int dropBlocks(int player, int col) {
    for (int c = col; c < col + 3; c++) map[c][height[c]++] = player;
    return run(player);
  }

  int changeBlocks(int player, int col) {
    fill(col, 0, player);
    return run(player);
  }

  int getResult(int[] count) {
    count[0] = count[1] = 0;
    for (int c = 0; c < w; c++) {
      for (int r = 0; r < height[c]; r++) count[map[c][r] - 1]++;
    }
    return Integer.signum(score[1] - score[2]) == 0 ? 0 : score[1] > score[2] ? 1 : 2;
  }

  private void fill(int c, int r, int player) {
    if (c < 0 || r < 0 || c >= w || r >= height[c] || map[c][r] != 3 - player) return;
    map[c][r] = player;
    fill(c + 1, r, player);
    fill(c - 1, r, player);
    fill(c, r + 1, player);
    fill(c, r - 1, player);
  }

  private int cell(int c, int r) {
    return c < 0 || r < 0 || c >= w || r >= height[c] ? 0 : map[c][r];
  }

  private int run(int player) {
    int total = 0;
    while (true) {
      boolean[][] remove = new boolean[w][h];
      int points = 0;
      boolean any = false;
      for (int c = 0; c < w; c++) {
        for (int r = 0; r < height[c]; r++) {
          for (int[] d : new int[][] {{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
            int p = map[c][r];
            if (cell(c - d[0], r - d[1]) == p) continue;
            int length = 1;
            while (cell(c + length * d[0], r + length * d[1]) == p) length++;
            if (length < 5) continue;
            any = true;
            if (p == player) points += length;
            for (int i = 0; i < length; i++) remove[c + i * d[0]][r + i * d[1]] = true;
          }
        }
      }
      if (!any) break;
      total += points;
      for (int c = 0; c < w; c++) {
        int n = 0;
        for (int r = 0; r < height[c]; r++) {
          if (!remove[c][r]) map[c][n++] = map[c][r];
        }
        height[c] = n;
      }
    }
    score[player] += total;
    return total;
  }
}

class Main {
  static StringTokenizer words = new StringTokenizer("");

  static int next(BufferedReader in) throws IOException {
    while (!words.hasMoreTokens()) words = new StringTokenizer(in.readLine());
    return Integer.parseInt(words.nextToken());
  }

  public static void main(String[] args) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    UserSolution user = new UserSolution();
    int[] count = new int[2];
    for (int cases = next(in); cases > 0; cases--) {
      for (int calls = next(in); calls > 0; calls--) {
        int kind = next(in);
        if (kind == 100) user.init(next(in), next(in));
        else if (kind == 200) System.out.println(user.dropBlocks(next(in), next(in)));
        else if (kind == 300) System.out.println(user.changeBlocks(next(in), next(in)));
        else System.out.println(user.getResult(count) + " " + count[0] + " " + count[1]);
      }
    }
  }
}
