# "TS테트리스", SWEA 23011
import sys


# Your solution. A case begins with init. A player is 1 or 2.
def init(width, height):
    pass


# The points of this turn.
def dropBlocks(player, column):
    return 0


# The points of this turn.
def changeBlocks(player, column):
    return 0


# The winner, 0 if there is none, and how many cells of player 1 and of player 2 are left.
def getResult():
    return 0, 0, 0


# The rest reads the input and prints the answer.
def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        for _ in range(next(numbers)):
            call = next(numbers)
            if call == 100:
                init(next(numbers), next(numbers))
            elif call == 200:
                print(dropBlocks(next(numbers), next(numbers)))
            elif call == 300:
                print(changeBlocks(next(numbers), next(numbers)))
            else:
                print(*getResult())


main()
