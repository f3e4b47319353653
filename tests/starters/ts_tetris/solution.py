def init(width, height):
    global columns, scores
    columns, scores = [[] for _ in range(width)], [0, 0, 0]


def at(c, h):
    return columns[c][h] if 0 <= c < len(columns) and 0 <= h < len(columns[c]) else 0


def runs():
    gone = set()
    for c, column in enumerate(columns):
        for h, player in enumerate(column):
            for dc, dh in (1, 0), (0, 1), (1, 1), (1, -1):
                length = 1
                while at(c - dc, h - dh) != player and at(c + length * dc, h + length * dh) == player:
                    length += 1
                if length >= 5:
                    gone |= {(c + i * dc, h + i * dh) for i in range(length)}
    return gone


def settle(player):
    points = 0
    while gone := runs():
        points += sum(columns[c][h] == player for c, h in gone)
        columns[:] = [[cell for h, cell in enumerate(column) if (c, h) not in gone] for c, column in enumerate(columns)]
    scores[player] += points
    return points


def dropBlocks(player, column):
    for c in range(column, column + 3):
        columns[c].append(player)
    return settle(player)


def changeBlocks(player, column):
    todo = [(column, 0)]
    while todo:
        c, h = todo.pop()
        if at(c, h) == 3 - player:
            columns[c][h] = player
            todo += (c + 1, h), (c - 1, h), (c, h + 1), (c, h - 1)
    return settle(player)


def getResult():
    cells = [cell for column in columns for cell in column]
    return (scores[1] < scores[2]) + (scores[1] != scores[2]), cells.count(1), cells.count(2)
