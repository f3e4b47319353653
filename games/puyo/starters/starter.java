// BOJ 11559
import java.util.*;

class Main {
    // Your solution: the number of chains. field[row][column], the top row first: '.', 'R', 'G', 'B', 'P' or 'Y'.
    static int solution(char[][] field) {
        return 0;
    }

    // The rest reads the input and prints the answer.
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        while (in.hasNext()) {
            char[][] field = new char[12][];
            for (int r = 0; r < 12; ++r) field[r] = in.next().toCharArray();
            System.out.println(solution(field));
        }
    }
}
