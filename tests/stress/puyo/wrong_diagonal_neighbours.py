# Neighbours at the corner belong to a group, too.
from collections import deque

field = [list(input()) for _ in range(12)]
dx = [0, 0, 1, -1, 1, 1, -1, -1]
dy = [1, -1, 0, 0, 1, -1, 1, -1]


def bfs(i, j, visited):
    q = deque([(i, j)])
    visited[i][j] = True
    found = [(i, j)]
    while q:
        x, y = q.popleft()
        for d in range(8):
            nx, ny = x + dx[d], y + dy[d]
            if 0 <= nx < 12 and 0 <= ny < 6 and not visited[nx][ny] and field[nx][ny] == field[i][j]:
                visited[nx][ny] = True
                found.append((nx, ny))
                q.append((nx, ny))
    return found


answer = 0
while True:
    visited = [[False] * 6 for _ in range(12)]
    boom = []
    for i in range(12):
        for j in range(6):
            if field[i][j] != "." and not visited[i][j]:
                found = bfs(i, j, visited)
                if len(found) >= 4:
                    boom += found
    if not boom:
        break
    answer += 1
    for x, y in boom:
        field[x][y] = "."
    for j in range(6):
        column = [field[i][j] for i in range(12) if field[i][j] != "."]
        column = ["."] * (12 - len(column)) + column
        for i in range(12):
            field[i][j] = column[i]
print(answer)
