def solution(board):
    removed = 0
    again = True
    while again:
        again = False
        blocks = {}
        for r, row in enumerate(board):
            for c, number in enumerate(row):
                if number:
                    blocks.setdefault(number, []).append((r, c))
        for number, cells in blocks.items():
            rows = range(min(r for r, _ in cells), max(r for r, _ in cells) + 1)
            columns = range(min(c for _, c in cells), max(c for _, c in cells) + 1)
            gaps = [(r, c) for r in rows for c in columns if board[r][c] != number]
            if all(board[up][c] == 0 for r, c in gaps for up in range(r + 1)):
                for r, c in cells:
                    board[r][c] = 0
                removed += 1
                again = True
    return removed
