static int solution(char[][] field) {
    int[] dr = {0, 0, 1, -1}, dc = {1, -1, 0, 0};
    for (int chains = 0;; ++chains) {
        int[] group = new int[72], size = new int[72];
        boolean gone = false;
        for (int i = 0; i < 72; ++i) group[i] = i;
        for (boolean again = true; again;) {
            again = false;
            for (int i = 0; i < 72; ++i) {
                for (int d = 0; d < 4; ++d) {
                    int r = i / 6 + dr[d], c = i % 6 + dc[d];
                    if (r < 0 || r > 11 || c < 0 || c > 5 || field[r][c] != field[i / 6][i % 6]) continue;
                    if (group[r * 6 + c] >= group[i]) continue;
                    group[i] = group[r * 6 + c];
                    again = true;
                }
            }
        }
        for (int i = 0; i < 72; ++i) {
            if (field[i / 6][i % 6] != '.') ++size[group[i]];
        }
        for (int i = 0; i < 72; ++i) {
            if (size[group[i]] < 4) continue;
            field[i / 6][i % 6] = '.';
            gone = true;
        }
        if (!gone) return chains;
        for (int c = 0; c < 6; ++c) {
            for (int r = 11, to = 11; r >= 0; --r) {
                char cell = field[r][c];
                if (cell == '.') continue;
                field[r][c] = '.';
                field[to--][c] = cell;
            }
        }
    }
}
