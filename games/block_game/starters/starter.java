// "블록 게임"
import java.util.*;

class Main {
    // Your solution: how many blocks can be removed. board[row][column], the top row first: 0 or the number of a block.
    static int solution(int[][] board) {
        return 0;
    }

    // The rest reads the input and prints the answer.
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        while (in.hasNext()) {
            int n = in.nextInt();
            int[][] board = new int[n][n];
            for (int[] row : board) {
                for (int c = 0; c < n; ++c) row[c] = in.nextInt();
            }
            System.out.println(solution(board));
        }
    }
}
