def solution(board):
    def at(r, c):
        return board[r][c] if 0 <= r < 19 and 0 <= c < 19 else 0

    for c in range(19):
        for r in range(19):
            for dr, dc in (0, 1), (1, 0), (1, 1), (-1, 1):
                same = [at(r + i * dr, c + i * dc) == board[r][c] for i in range(-1, 6)]
                if board[r][c] and same == [False] + [True] * 5 + [False]:
                    return board[r][c], r + 1, c + 1
    return 0, 0, 0
