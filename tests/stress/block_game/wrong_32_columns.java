// Columns are bits of an int, which has 32: column 32 covers column 0.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.StringTokenizer;

class Main {
  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      int n = Integer.parseInt(line.trim());
      int[][] board = new int[n][n];
      for (int i = 0; i < n; i++) {
        StringTokenizer row = new StringTokenizer(in.readLine());
        for (int j = 0; j < n; j++) board[i][j] = Integer.parseInt(row.nextToken());
      }
      int answer = 0;
      for (int removed = pass(board); removed > 0; removed = pass(board)) answer += removed;
      System.out.println(answer);
    }
  }

  // One pass from the top. closed: the columns in which something stands above the present row, or in it.
  static int pass(int[][] board) {
    int n = board.length;
    int removed = 0;
    int[][] box = new int[201][];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        int id = board[i][j];
        if (id == 0) continue;
        if (box[id] == null) box[id] = new int[] {i, j, i, j};
        box[id][1] = Math.min(box[id][1], j);
        box[id][2] = i;
        box[id][3] = Math.max(box[id][3], j);
      }
    }
    int closed = 0;
    int[] closedBefore = new int[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        if (board[i][j] != 0) closed |= 1 << j;
      }
      closedBefore[i] = closed;
    }
    for (int id = 1; id <= 200; id++) {
      if (box[id] == null) continue;
      int open = 0;
      for (int i = box[id][0]; i <= box[id][2]; i++) {
        for (int j = box[id][1]; j <= box[id][3]; j++) {
          if ((closedBefore[i] & 1 << j) == 0) open++;
        }
      }
      if (open != 2) continue;
      for (int[] row : board) {
        for (int j = 0; j < n; j++) if (row[j] == id) row[j] = 0;
      }
      removed++;
    }
    return removed;
  }
}
