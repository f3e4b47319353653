// BOJ 17837
import java.util.*;

class Main {
    // Your solution: the turn that ends the game, or -1. board[row][column]: 0 white, 1 red, 2 blue. pieces[i]: row,
    // column and direction, as in the text; rows and columns count from 1.
    static int solution(int[][] board, int[][] pieces) {
        return 0;
    }

    // The rest reads the input and prints the answer.
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        while (in.hasNext()) {
            int n = in.nextInt(), k = in.nextInt();
            int[][] board = new int[n][n], pieces = new int[k][3];
            for (int i = 0; i < n * n; ++i) board[i / n][i % n] = in.nextInt();
            for (int i = 0; i < 3 * k; ++i) pieces[i / 3][i % 3] = in.nextInt();
            System.out.println(solution(board, pieces));
        }
    }
}
