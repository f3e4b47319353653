// Reads games until the end of the input.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StreamTokenizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

class Main {
  static final int[] DR = {0, 0, 0, -1, 1};
  static final int[] DC = {0, 1, -1, 0, 0};

  static class Cell {
    int color;
    final List<Piece> pieces = new ArrayList<>();
  }

  static class Piece {
    int row, col, dir;

    void turnBack() {
      dir = dir % 2 == 1 ? dir + 1 : dir - 1;
    }
  }

  static StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));

  static int next() throws IOException {
    in.nextToken();
    return (int) in.nval;
  }

  static Cell[][] map;

  static Cell ahead(Piece piece) {
    int row = piece.row + DR[piece.dir];
    int col = piece.col + DC[piece.dir];
    if (row < 0 || col < 0 || row >= map.length || col >= map.length || map[row][col].color == 2) return null;
    return map[row][col];
  }

  static boolean move(Piece piece) {
    Cell target = ahead(piece);
    if (target == null) {
      piece.turnBack();
      target = ahead(piece);
      if (target == null) return false;
    }
    List<Piece> from = map[piece.row][piece.col].pieces;
    List<Piece> carried = from.subList(from.indexOf(piece), from.size());
    if (target.color == 1) Collections.reverse(carried);
    int row = piece.row + DR[piece.dir];
    int col = piece.col + DC[piece.dir];
    for (Piece each : carried) {
      each.row = row;
      each.col = col;
    }
    target.pieces.addAll(carried);
    carried.clear();
    return target.pieces.size() >= 4;
  }

  static int play(List<Piece> pieces) {
    for (int turn = 1; turn <= 1000; turn++) {
      for (Piece piece : pieces) {
        if (move(piece)) return turn;
      }
    }
    return -1;
  }

  public static void main(String[] args) throws IOException {
    StringBuilder out = new StringBuilder();
    while (in.nextToken() != StreamTokenizer.TT_EOF) {
      int n = (int) in.nval;
      int k = next();
      map = new Cell[n][n];
      for (int i = 0; i < n * n; i++) {
        map[i / n][i % n] = new Cell();
        map[i / n][i % n].color = next();
      }
      List<Piece> pieces = new ArrayList<>();
      for (int i = 0; i < k; i++) {
        Piece piece = new Piece();
        piece.row = next() - 1;
        piece.col = next() - 1;
        piece.dir = next();
        map[piece.row][piece.col].pieces.add(piece);
        pieces.add(piece);
      }
      out.append(play(pieces)).append('\n');
    }
    System.out.print(out);
  }
}
