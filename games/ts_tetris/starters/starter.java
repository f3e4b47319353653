// "TS테트리스", SWEA 23011
import java.util.*;

class Main {
    // Your solution. A case begins with init. A player is 1 or 2.
    static void init(int W, int H) {
    }

    // The points of this turn.
    static int dropBlocks(int player, int column) {
        return 0;
    }

    // The points of this turn.
    static int changeBlocks(int player, int column) {
        return 0;
    }

    // The winner, 0 if there is none. left[0] and left[1]: how many cells of player 1 and of player 2 are left.
    static int getResult(int[] left) {
        return 0;
    }

    // The rest reads the input and prints the answer.
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        StringBuilder out = new StringBuilder();
        for (int cases = in.nextInt(); cases > 0; --cases) {
            for (int calls = in.nextInt(); calls > 0; --calls) {
                int call = in.nextInt();
                if (call == 100) {
                    init(in.nextInt(), in.nextInt());
                } else if (call == 200) {
                    out.append(dropBlocks(in.nextInt(), in.nextInt())).append("\n");
                } else if (call == 300) {
                    out.append(changeBlocks(in.nextInt(), in.nextInt())).append("\n");
                } else {
                    int[] left = new int[2];
                    out.append(getResult(left)).append(" " + left[0] + " " + left[1] + "\n");
                }
            }
        }
        System.out.print(out);
    }
}
