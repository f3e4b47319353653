static int[] solution(int[][] board) {
    int[] dr = {0, 1, 1, -1}, dc = {1, 0, 1, 1};
    for (int i = 0; i < 4 * 19 * 19; ++i) {
        int r = i / 4 % 19, c = i / 4 / 19, d = i % 4, same = 0;
        for (int at = -1; at <= 5; ++at) {
            int y = r + at * dr[d], x = c + at * dc[d];
            if (y >= 0 && y < 19 && x >= 0 && x < 19 && board[y][x] == board[r][c]) same |= 1 << (at + 1);
        }
        if (board[r][c] != 0 && same == 0b0111110) return new int[] {board[r][c], r + 1, c + 1};
    }
    return new int[] {0, 0, 0};
}
