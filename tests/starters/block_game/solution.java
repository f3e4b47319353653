static int solution(int[][] board) {
    int n = board.length;
    int removed = 0;
    for (boolean again = true; again;) {
        again = false;
        for (int number = 1; number <= 200; ++number) {
            int top = n, bottom = -1, left = n, right = -1;
            boolean open = true;
            for (int i = 0; i < n * n; ++i) {
                int r = i / n, c = i % n;
                if (board[r][c] != number) continue;
                if (r < top) top = r;
                if (r > bottom) bottom = r;
                if (c < left) left = c;
                if (c > right) right = c;
            }
            if (bottom < 0) continue;
            for (int r = top; r <= bottom; ++r) {
                for (int c = left; c <= right; ++c) {
                    for (int up = r; up >= 0 && board[r][c] != number; --up) open = open && board[up][c] == 0;
                }
            }
            if (!open) continue;
            for (int i = 0; i < n * n; ++i) {
                if (board[i / n][i % n] == number) board[i / n][i % n] = 0;
            }
            ++removed;
            again = true;
        }
    }
    return removed;
}
