static int width, height;
static int[][] board;
static int[] scores;

static void init(int W, int H) {
    width = W;
    height = H;
    board = new int[H][W];
    scores = new int[3];
}

static int settle(int player) {
    int[] dr = {0, 1, 1, -1}, dc = {1, 0, 1, 1};
    int points = 0;
    for (boolean again = true; again;) {
        again = false;
        boolean[][] gone = new boolean[height][width];
        for (int i = 0; i < 4 * width * height; ++i) {
            int r = i / 4 / width, c = i / 4 % width, d = i % 4, length = 0;
            for (int y = r, x = c; y >= 0 && y < height && x < width; y += dr[d], x += dc[d], ++length) {
                if (board[r][c] == 0 || board[y][x] != board[r][c]) break;
            }
            for (int at = 0; at < length && length >= 5; ++at) gone[r + at * dr[d]][c + at * dc[d]] = again = true;
        }
        for (int c = 0; c < width; ++c) {
            for (int r = height - 1, to = height - 1; r >= 0; --r) {
                int cell = board[r][c];
                board[r][c] = 0;
                if (gone[r][c]) points += cell == player ? 1 : 0;
                else if (cell != 0) board[to--][c] = cell;
            }
        }
    }
    scores[player] += points;
    return points;
}

static int dropBlocks(int player, int column) {
    for (int c = column; c < column + 3; ++c) {
        int r = 0;
        while (r + 1 < height && board[r + 1][c] == 0) ++r;
        board[r][c] = player;
    }
    return settle(player);
}

static int changeBlocks(int player, int column) {
    ArrayDeque<int[]> todo = new ArrayDeque<>(List.of(new int[] {height - 1, column}));
    while (!todo.isEmpty()) {
        int[] cell = todo.pop();
        int r = cell[0], c = cell[1];
        if (r < 0 || r >= height || c < 0 || c >= width || board[r][c] != 3 - player) continue;
        board[r][c] = player;
        todo.addAll(List.of(new int[] {r + 1, c}, new int[] {r - 1, c}, new int[] {r, c + 1}, new int[] {r, c - 1}));
    }
    return settle(player);
}

static int getResult(int[] left) {
    for (int[] row : board) {
        for (int cell : row) {
            if (cell != 0) ++left[cell - 1];
        }
    }
    return scores[1] > scores[2] ? 1 : scores[1] < scores[2] ? 2 : 0;
}
