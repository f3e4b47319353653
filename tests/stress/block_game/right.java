// Reads N and then N rows, once. The function is the one that the judge calls.
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

class Solution {
  private int[][] board;

  public int solution(int[][] board) {
    this.board = board;
    int answer = 0;
    int found;
    do {
      found = 0;
      for (int row = 0; row < board.length; row++) {
        for (int col = 0; col < board.length; col++) {
          if (erase(row, col, 2, 3) || erase(row, col, 3, 2)) found++;
        }
      }
      answer += found;
    } while (found > 0);
    return answer;
  }

  private boolean erase(int row, int col, int height, int width) {
    if (row + height > board.length || col + width > board.length) return false;
    List<int[]> cells = new ArrayList<>();
    int number = 0;
    for (int r = row; r < row + height; r++) {
      for (int c = col; c < col + width; c++) {
        if (board[r][c] == 0) {
          if (!canReach(r, c)) return false;
        } else if (number == 0 || number == board[r][c]) {
          number = board[r][c];
          cells.add(new int[] {r, c});
        } else {
          return false;
        }
      }
    }
    if (cells.size() != 4) return false;
    for (int[] cell : cells) board[cell[0]][cell[1]] = 0;
    return true;
  }

  private boolean canReach(int row, int col) {
    for (int r = row; r >= 0; r--) {
      if (board[r][col] != 0) return false;
    }
    return true;
  }

  public static void main(String[] args) {
    Scanner in = new Scanner(System.in);
    int n = in.nextInt();
    int[][] board = new int[n][n];
    for (int[] row : board) {
      for (int c = 0; c < n; c++) row[c] = in.nextInt();
    }
    System.out.println(new Solution().solution(board));
  }
}
