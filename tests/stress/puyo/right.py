import sys


def group_of(field, row, column):
    colour, group, todo = field[row][column], {(row, column)}, [(row, column)]
    while todo:
        r, c = todo.pop()
        for cell in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if 0 <= cell[0] < 12 and 0 <= cell[1] < 6 and cell not in group and field[cell[0]][cell[1]] == colour:
                group.add(cell)
                todo.append(cell)
    return group


def chains_of(field):
    chains = 0
    while True:
        gone = set()
        for row in range(12):
            for column in range(6):
                if field[row][column] != "." and (row, column) not in gone:
                    group = group_of(field, row, column)
                    if len(group) >= 4:
                        gone |= group
        if not gone:
            return chains
        chains += 1
        columns = [[field[r][c] for r in range(12) if (r, c) not in gone and field[r][c] != "."] for c in range(6)]
        columns = [["."] * (12 - len(column)) + column for column in columns]
        field = [[columns[c][r] for c in range(6)] for r in range(12)]


lines = sys.stdin.read().split()
for first in range(0, len(lines), 12):
    print(chains_of([list(line) for line in lines[first:first + 12]]))
