import sys

numbers = list(map(int, sys.stdin.read().split()))


def answer(board):
    def at(r, c):
        return board[r * 19 + c] if 0 <= r < 19 and 0 <= c < 19 else 0

    for c in range(19):
        for r in range(19):
            for dr, dc in (0, 1), (1, 0), (1, 1), (-1, 1):
                colour = at(r, c)
                if colour and at(r - dr, c - dc) != colour and at(r + 5 * dr, c + 5 * dc) != colour \
                        and all(at(r + i * dr, c + i * dc) == colour for i in range(5)):
                    return f"{colour}\n{r + 1} {c + 1}"
    return "0"


for first in range(0, len(numbers), 361):
    print(answer(numbers[first:first + 361]))
