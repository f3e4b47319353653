import sys

numbers = iter(map(int, sys.stdin.buffer.read().split()))


def runs(columns, width):
    """The cells of all straight runs of five or more; columns[c][h] is the cell at height h."""
    def at(c, h):
        return columns[c][h] if 0 <= c < width and 0 <= h < len(columns[c]) else 0

    gone = set()
    for c in range(width):
        for h, player in enumerate(columns[c]):
            for dc, dh in (1, 0), (0, 1), (1, 1), (1, -1):
                if at(c - dc, h - dh) == player:
                    continue
                length = 1
                while at(c + length * dc, h + length * dh) == player:
                    length += 1
                if length >= 5:
                    gone |= {(c + i * dc, h + i * dh) for i in range(length)}
    return gone


def settle(columns, width, player):
    points = 0
    while gone := runs(columns, width):
        points += sum(columns[c][h] == player for c, h in gone)
        for c in range(width):
            columns[c] = [cell for h, cell in enumerate(columns[c]) if (c, h) not in gone]
    return points


def flip(columns, width, column, player):
    todo = [(column, 0)]
    while todo:
        c, h = todo.pop()
        if 0 <= c < width and 0 <= h < len(columns[c]) and columns[c][h] == 3 - player:
            columns[c][h] = player
            todo += (c + 1, h), (c - 1, h), (c, h + 1), (c, h - 1)


for _ in range(next(numbers)):
    scores = [0, 0, 0]
    for _ in range(next(numbers)):
        call = next(numbers)
        if call == 100:
            width = next(numbers)
            next(numbers)
            columns = [[] for _ in range(width)]
        elif call == 400:
            cells = [cell for column in columns for cell in column]
            winner = 0 if scores[1] == scores[2] else 1 if scores[1] > scores[2] else 2
            print(winner, cells.count(1), cells.count(2))
        else:
            player, column = next(numbers), next(numbers)
            if call == 200:
                for c in range(column, column + 3):
                    columns[c].append(player)
            else:
                flip(columns, width, column, player)
            points = settle(columns, width, player)
            scores[player] += points
            print(points)
