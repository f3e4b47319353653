import sys

numbers = iter(map(int, sys.stdin.read().split()))
STEP = {1: (0, 1), 2: (0, -1), 3: (-1, 0), 4: (1, 0)}
BACK = {1: 2, 2: 1, 3: 4, 4: 3}


def answer(n, k):
    colour = {(r, c): next(numbers) for r in range(1, n + 1) for c in range(1, n + 1)}
    pieces = [[next(numbers), next(numbers), next(numbers)] for _ in range(k)]
    stacks = {cell: [] for cell in colour}
    for i, (r, c, _) in enumerate(pieces):
        stacks[r, c].append(i)
    for turn in range(1, 1001):
        for i, piece in enumerate(pieces):
            r, c, facing = piece
            target = r + STEP[facing][0], c + STEP[facing][1]
            if colour.get(target, 2) == 2:
                facing = piece[2] = BACK[facing]
                target = r + STEP[facing][0], c + STEP[facing][1]
                if colour.get(target, 2) == 2:
                    continue
            at = stacks[r, c].index(i)
            moved, stacks[r, c] = stacks[r, c][at:], stacks[r, c][:at]
            if colour[target] == 1:
                moved.reverse()
            for j in moved:
                pieces[j][:2] = target
            stacks[target] += moved
            if len(stacks[target]) >= 4:
                return turn
    return -1


for size in numbers:
    print(answer(size, next(numbers)))
