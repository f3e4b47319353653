import sys

numbers = iter(map(int, sys.stdin.buffer.read().split()))


def runs(columns, width, changed):
    """The cells of all straight runs of five or more through these cells; columns[c][h] is the cell at height h."""
    def at(c, h):
        return columns[c][h] if 0 <= c < width and 0 <= h < len(columns[c]) else 0

    gone = set()
    for c, h in changed:
        player = at(c, h)
        for dc, dh in (1, 0), (0, 1), (1, 1), (1, -1):
            first = last = 0
            while at(c + (first - 1) * dc, h + (first - 1) * dh) == player:
                first -= 1
            while at(c + (last + 1) * dc, h + (last + 1) * dh) == player:
                last += 1
            if last - first >= 4:
                gone |= {(c + i * dc, h + i * dh) for i in range(first, last + 1)}
    return gone


def settle(columns, width, player, changed):
    points = 0
    while gone := runs(columns, width, changed):
        points += sum(columns[c][h] == player for c, h in gone)
        lowest = {}
        for c, h in gone:
            lowest[c] = min(h, lowest.get(c, h))
        changed = []
        for c, bottom in lowest.items():
            columns[c] = [cell for h, cell in enumerate(columns[c]) if (c, h) not in gone]
            changed += [(c, h) for h in range(bottom, len(columns[c]))]
    return points


def flip(columns, width, column, player):
    """The cells that change their player."""
    changed = []
    todo = [(column, 0)]
    while todo:
        c, h = todo.pop()
        if 0 <= c < width and 0 <= h < len(columns[c]) and columns[c][h] == 3 - player:
            columns[c][h] = player
            changed.append((c, h))
            todo += (c + 1, h), (c - 1, h), (c, h + 1), (c, h - 1)
    return changed


for _ in range(next(numbers)):
    scores = [0, 0, 0]
    for _ in range(next(numbers)):
        call = next(numbers)
        if call == 100:
            width = next(numbers)
            next(numbers)
            columns = [[] for _ in range(width)]
        elif call == 400:
            winner = 0 if scores[1] == scores[2] else 1 if scores[1] > scores[2] else 2
            print(winner, *(sum(column.count(each) for column in columns) for each in (1, 2)))
        else:
            player, column = next(numbers), next(numbers)
            if call == 200:
                for c in range(column, column + 3):
                    columns[c].append(player)
                changed = [(c, len(columns[c]) - 1) for c in range(column, column + 3)]
            else:
                changed = flip(columns, width, column, player)
            points = settle(columns, width, player, changed)
            scores[player] += points
            print(points)
