def solution(field):
    chains = 0
    while True:
        gone = set()
        for start in ((r, c) for r in range(12) for c in range(6)):
            group, todo = {start}, [start]
            while todo:
                r, c = todo.pop()
                for y, x in (r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1):
                    if 0 <= y < 12 and 0 <= x < 6 and (y, x) not in group and field[y][x] == field[r][c] != ".":
                        group.add((y, x))
                        todo.append((y, x))
            if len(group) >= 4:
                gone |= group
        if not gone:
            return chains
        chains += 1
        columns = [[field[r][c] for r in range(12) if (r, c) not in gone and field[r][c] != "."] for c in range(6)]
        columns = [["."] * (12 - len(column)) + column for column in columns]
        field = [[columns[c][r] for c in range(6)] for r in range(12)]
