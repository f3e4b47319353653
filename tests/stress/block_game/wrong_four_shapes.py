# Knows four of the five shapes that can be removed.
SHAPES = [
    [(0, 0), (1, 0), (1, 1), (1, 2)],
    [(0, 1), (1, 1), (2, 0), (2, 1)],
    [(0, 0), (1, 0), (2, 0), (2, 1)],
    [(0, 2), (1, 0), (1, 1), (1, 2)],
]


def solution(board):
    n = len(board)

    def shape_at(r, c):
        number = board[r][c]
        cells = [(i, j) for i in range(r, min(r + 3, n)) for j in range(max(c - 2, 0), min(c + 3, n))
                 if board[i][j] == number]
        left = min(j for _, j in cells)
        return sorted((i - r, j - left) for i, j in cells), left

    def fits(r, c):
        shape, left = shape_at(r, c)
        if shape not in SHAPES:
            return False
        rows, columns = (max(side) + 1 for side in zip(*shape))
        for i, j in ((i, j) for i in range(rows) for j in range(columns) if (i, j) not in shape):
            if any(board[k][left + j] for k in range(r + i + 1)):
                return False
        for i, j in shape:
            board[r + i][left + j] = 0
        return True

    answer = 0
    again = True
    while again:
        again = False
        for r in range(n):
            for c in range(n):
                if board[r][c] and (r == 0 or board[r - 1][c] != board[r][c]) and fits(r, c):
                    answer += 1
                    again = True
    return answer


n = int(input())
print(solution([list(map(int, input().split())) for _ in range(n)]))
