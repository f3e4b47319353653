def solution(board, pieces):
    step = {1: (0, 1), 2: (0, -1), 3: (-1, 0), 4: (1, 0)}
    back = {1: 2, 2: 1, 3: 4, 4: 3}
    colour = {(r + 1, c + 1): cell for r, row in enumerate(board) for c, cell in enumerate(row)}
    stacks = {cell: [] for cell in colour}
    for i, (r, c, _) in enumerate(pieces):
        stacks[r, c].append(i)
    for turn in range(1, 1001):
        for i, piece in enumerate(pieces):
            r, c, facing = piece
            for facing in facing, back[facing]:
                target = r + step[facing][0], c + step[facing][1]
                if colour.get(target, 2) != 2:
                    break
            piece[2] = facing
            if colour.get(target, 2) == 2:
                continue
            at = stacks[r, c].index(i)
            moved, stacks[r, c] = stacks[r, c][at:], stacks[r, c][:at]
            for j in reversed(moved) if colour[target] == 1 else moved:
                pieces[j][:2] = target
                stacks[target].append(j)
            if len(stacks[target]) >= 4:
                return turn
    return -1
