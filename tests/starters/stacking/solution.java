static int solution(int[][] board, int[][] pieces) {
    int[] dr = {0, 0, 0, -1, 1}, dc = {0, 1, -1, 0, 0}, back = {0, 2, 1, 4, 3};
    int n = board.length;
    List<Integer>[][] stacks = new List[n][n];
    for (int i = 0; i < n * n; ++i) stacks[i / n][i % n] = new ArrayList<>();
    for (int i = 0; i < pieces.length; ++i) stacks[--pieces[i][0]][--pieces[i][1]].add(i);
    for (int turn = 1; turn <= 1000; ++turn) {
        for (int i = 0; i < pieces.length; ++i) {
            int y = 0, x = 0;
            boolean blue = true;
            for (int tries = 0; tries < 2 && blue; ++tries) {
                if (tries == 1) pieces[i][2] = back[pieces[i][2]];
                y = pieces[i][0] + dr[pieces[i][2]];
                x = pieces[i][1] + dc[pieces[i][2]];
                blue = y < 0 || y >= n || x < 0 || x >= n || board[y][x] == 2;
            }
            if (blue) continue;
            List<Integer> from = stacks[pieces[i][0]][pieces[i][1]];
            List<Integer> carried = from.subList(from.indexOf(i), from.size());
            List<Integer> moved = new ArrayList<>(carried);
            carried.clear();
            if (board[y][x] == 1) Collections.reverse(moved);
            for (int piece : moved) {
                pieces[piece][0] = y;
                pieces[piece][1] = x;
            }
            stacks[y][x].addAll(moved);
            if (stacks[y][x].size() >= 4) return turn;
        }
    }
    return -1;
}
