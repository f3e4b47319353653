// BOJ 2615
import java.util.*;

class Main {
    // Your solution: who has won, and the row and column of the winning stone as in the text, which count from 1;
    // {0, 0, 0} if nobody has. board[row][column]: 0 empty, 1 black, 2 white.
    static int[] solution(int[][] board) {
        return new int[] {0, 0, 0};
    }

    // The rest reads the input and prints the answer.
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        while (in.hasNext()) {
            int[][] board = new int[19][19];
            for (int i = 0; i < 19 * 19; ++i) board[i / 19][i % 19] = in.nextInt();
            int[] win = solution(board);
            System.out.println(win[0]);
            if (win[0] != 0) System.out.println(win[1] + " " + win[2]);
        }
    }
}
