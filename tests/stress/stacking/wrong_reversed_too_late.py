# A group that lands on red is put down first and turned over with all that stands there.
import sys

numbers = iter(map(int, sys.stdin.read().split()))
n, k = next(numbers), next(numbers)
board = [[next(numbers) for _ in range(n)] for _ in range(n)]
pieces = [[next(numbers) - 1, next(numbers) - 1, next(numbers)] for _ in range(k)]
stack = [[[] for _ in range(n)] for _ in range(n)]
for i, (r, c, d) in enumerate(pieces):
    stack[r][c].append(i)
step = {1: (0, 1), 2: (0, -1), 3: (-1, 0), 4: (1, 0)}


def blue(r, c):
    return not (0 <= r < n and 0 <= c < n) or board[r][c] == 2


def play():
    for turn in range(1, 1001):
        for i in range(k):
            r, c, d = pieces[i]
            nr, nc = r + step[d][0], c + step[d][1]
            if blue(nr, nc):
                d = pieces[i][2] = {1: 2, 2: 1, 3: 4, 4: 3}[d]
                nr, nc = r + step[d][0], c + step[d][1]
                if blue(nr, nc):
                    continue
            at = stack[r][c].index(i)
            stack[nr][nc] += stack[r][c][at:]
            del stack[r][c][at:]
            if board[nr][nc] == 1:
                stack[nr][nc].reverse()
            for j in stack[nr][nc]:
                pieces[j][0], pieces[j][1] = nr, nc
            if len(stack[nr][nc]) >= 4:
                return turn
    return -1


print(play())
