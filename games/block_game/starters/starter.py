# "블록 게임"
import sys


# Your solution: how many blocks can be removed. board[row][column], the top row first: 0 or the number of a block.
def solution(board):
    return 0


# The rest reads the input and prints the answer.
def main():
    numbers = map(int, sys.stdin.read().split())
    for n in numbers:
        print(solution([[next(numbers) for _ in range(n)] for _ in range(n)]))


main()
