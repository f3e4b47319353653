// A piece between two blue cells turns round twice, so it keeps its direction.
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Scanner;

class Main {
  static int play(Scanner sc) {
    int n = sc.nextInt();
    int k = sc.nextInt();
    int[][] color = new int[n + 2][n + 2];
    for (int[] row : color) java.util.Arrays.fill(row, 2);
    for (int i = 1; i <= n; i++) {
      for (int j = 1; j <= n; j++) color[i][j] = sc.nextInt();
    }
    @SuppressWarnings("unchecked")
    Deque<Integer>[][] board = new Deque[n + 2][n + 2];
    for (int i = 1; i <= n; i++) {
      for (int j = 1; j <= n; j++) board[i][j] = new ArrayDeque<>();
    }
    int[][] pos = new int[k][2];
    int[] dir = new int[k];
    for (int i = 0; i < k; i++) {
      pos[i] = new int[] {sc.nextInt(), sc.nextInt()};
      dir[i] = sc.nextInt() - 1;
      board[pos[i][0]][pos[i][1]].push(i);
    }
    int[][] delta = {{0, 1}, {0, -1}, {-1, 0}, {1, 0}};
    for (int turn = 1; turn <= 1000; turn++) {
      for (int i = 0; i < k; i++) {
        int x = pos[i][0] + delta[dir[i]][0];
        int y = pos[i][1] + delta[dir[i]][1];
        if (color[x][y] == 2) {
          dir[i] ^= 1;
          x = pos[i][0] + delta[dir[i]][0];
          y = pos[i][1] + delta[dir[i]][1];
          if (color[x][y] == 2) {
            dir[i] ^= 1;
            continue;
          }
        }
        // Popping gives the group from its top; on white it must be put down in the other order.
        Deque<Integer> from = board[pos[i][0]][pos[i][1]];
        Deque<Integer> group = new ArrayDeque<>();
        int popped;
        do {
          popped = from.pop();
          group.addLast(popped);
        } while (popped != i);
        Iterator<Integer> order = color[x][y] == 1 ? group.iterator() : group.descendingIterator();
        while (order.hasNext()) {
          int p = order.next();
          board[x][y].push(p);
          pos[p] = new int[] {x, y};
        }
        if (board[x][y].size() >= 4) {
          return turn;
        }
      }
    }
    return -1;
  }

  public static void main(String[] args) {
    Scanner sc = new Scanner(System.in);
    while (sc.hasNextInt()) System.out.println(play(sc));
  }
}
